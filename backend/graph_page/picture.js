// The drawing: an SVG that holds only what is in view. From afar, cards become plain shapes, one path for all of a colour.

const byId = id => document.getElementById(id);
const picture = byId('picture');

const view = {x: 0, y: 0, k: 1};
const zoomRange = {most: 4, far: .3};

// From afar the longer side of the world shrinks faster than the other, so that a tree of thousands of leaves still fills the
// screen: with k falling from `far` to the least that fits, the scales part evenly until both sides fit.
const fitting = {x: 1, y: 1};
function scale() {
  const {k} = view;
  const least = Math.min(fitting.x, fitting.y);
  if (k >= zoomRange.far || least >= zoomRange.far)
    return {x: k, y: k};
  const part = Math.log(zoomRange.far / k) / Math.log(zoomRange.far / least);
  const side = full => k * (Math.min(full, zoomRange.far) / least) ** part;
  return {x: side(fitting.x), y: side(fitting.y)};
}
const toScreen = (x, y) => ({x: x * scale().x + view.x, y: y * scale().y + view.y});
const toWorld = (x, y) => ({x: (x - view.x) / scale().x, y: (y - view.y) / scale().y});

// Moves the world so that its point is at a point of the screen.
function pin(world, screen) {
  view.x = screen.x - world.x * scale().x;
  view.y = screen.y - world.y * scale().y;
  redraw();
}
const middle = () => ({x: picture.clientWidth / 2, y: picture.clientHeight / 2});

let drawing = {shown: [], links: [], box: {left: 0, right: 1, top: 0, bottom: 1}};
let drawn = new Map(); // what the SVG holds now: key to element
let frame = 0;

function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// The part of the world that is on the screen, with a margin.
function screenBox(margin = 0) {
  const {x: left, y: top} = toWorld(-margin, -margin);
  const {x: right, y: bottom} = toWorld(picture.clientWidth + margin, picture.clientHeight + margin);
  return {left, right, top, bottom};
}
const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
const boxOf = node => ({left: node.x, right: node.x + node.w + 40, top: node.y - node.h / 2, bottom: node.y + node.h / 2});

function describe(node) {
  const {place, store, time, notes} = node.data;
  const words = [place, ...store.map(({name, value}) => `${name} = ${value}`), ...time, ...notes];
  const status = statusOf(node);
  return `State ${node.id}: ${words.join('; ')}${status ? `; ${status}` : ''}`;
}

function cardElement(node) {
  const {title, lines} = node.card;
  const top = node.y - node.h / 2;
  const inner = [
    svg('title', {}, describe(node)),
    svg('rect', {class: 'card', x: node.x, y: top, width: node.w, height: node.h, rx: 6}),
    svg('rect', {x: node.x + 3, y: top + 6, width: 4, height: node.h - 12, rx: 2, style: `fill:${placeColour(node.data.place)}`}),
  ];
  let y = node.y - (title.length * 17 + lines.length * gaps.line) / 2 + 13;
  for (const line of title) {
    inner.push(svg('text', {class: 'title', x: node.x + gaps.cardX, y}, line));
    y += 17;
  }
  for (const {kind, text} of lines) {
    inner.push(svg('text', {class: `line ${kind}`, x: node.x + gaps.cardX, y: y - 1}, text));
    y += gaps.line;
  }
  inner.push(svg('text', {class: 'badge', x: node.x + node.w - 7, y: top + 16}, badges[statusOf(node)]));
  if (node.children.length)
    inner.push(foldElement(node));
  return svg('g', {
    id: `state-${node.id}`, 'data-id': node.id, role: 'treeitem', 'aria-level': node.depth + 1,
    'aria-label': describe(node), ...(node.children.length ? {'aria-expanded': String(!app.folded.has(node))} : {}),
  }, ...inner);
}

function foldElement(node) {
  const folded = app.folded.has(node);
  const [x, y] = [node.x + node.w, node.y];
  const parts = [svg('circle', {cx: x, cy: y, r: 7.5}), svg('text', {x, y: y + 4}, folded ? '+' : '−')];
  if (folded)
    parts.push(svg('text', {class: 'count', x: x + 12, y: y + 4}, node.below.toLocaleString('en')));
  return svg('g', {class: 'fold', 'data-fold': node.id}, svg('title', {}, folded ? `Expand ${counted(node.below, 'state')}` : 'Collapse'), ...parts);
}

function linkElement(link, withLabel) {
  const parts = [svg('path', {d: link.path, 'marker-end': `url(#arrow-${link.kind})`})];
  if (withLabel)
    parts.push(svg('text', {x: link.at.x, y: link.at.y, 'text-anchor': link.at.anchor}, link.kind === 'cover' ? 'covered by' : link.label));
  return svg('g', {}, ...parts);
}

const isLit = link => app.path.has(link) || link.from === app.selected || link.to === app.selected;
const isDrawn = link => link.forward || app.links || isLit(link);

function nodeClass(node) {
  const hit = app.hitSet.has(node) ? ' hit' : '';
  const below = app.folded.has(node) && app.hitAbove.has(node) ? ' hit-below' : '';
  return `node ${statusOf(node)}${node === app.selected ? ' selected' : ''}${hit}${below}`;
}

// What should be in the SVG near the screen, as [key, group, make, class].
function nearParts() {
  const area = screenBox(Math.min(picture.clientWidth, 600) / 2);
  const few = drawing.shown.length <= 60;
  const parts = [];
  const inside = node => meet(area, boxOf(node));
  let leaving = 0;
  for (const link of drawing.links) {
    if (!meet(area, link.box) || !isDrawn(link))
      continue;
    if (!(inside(link.from) && inside(link.to)) && !app.path.has(link) && ++leaving > 300)
      continue; // so many lines out of the screen are one grey mass
    const lit = isLit(link);
    const label = link.at.room || few || lit;
    const long = link.box.bottom - link.box.top > 3000 ? ' long' : '';
    parts.push([link, `${label}`, 'edges', () => linkElement(link, label),
                `edge ${link.kind}${link.forward ? '' : ' back'}${lit ? ' lit' : ''}${long}`]);
  }
  for (const node of drawing.shown)
    if (inside(node))
      parts.push([node, `${app.folded.has(node)}`, 'nodes', () => cardElement(node), nodeClass(node)]);
  return parts;
}

// From afar everything is drawn, whatever the view; it is worked out again only when something else changed.
let far = {};

function farParts() {
  if (far.drawing !== drawing || far.selected !== app.selected || far.hits !== app.hitSet)
    far = {drawing, selected: app.selected, hits: app.hitSet, parts: makeFarParts()};
  return far.parts;
}

function makeFarParts() {
  const parts = [];
  const rect = node => `M${node.x} ${node.y - node.h / 2}h${node.w}v${node.h}h${-node.w}z`;
  const add = (key, group, shapes, cls, style) => {
    const d = shapes.join('');
    if (d)
      parts.push([key, d, group, () => svg('path', {d, ...(style ? {style} : {})}), `far ${cls}`]);
  };
  add('edges', 'edges', drawing.links.filter(link => link.forward).map(e => e.path), 'edge');
  add('lit', 'edges', drawing.links.filter(isLit).map(e => e.path), 'lit');
  const fills = new Map();
  for (const node of drawing.shown) {
    const status = statusOf(node);
    const key = ['accept', 'reject', 'open'].includes(status) ? status : node.data.place;
    const cls = key === status ? status : '';
    const colour = cls ? '' : `color:${placeColour(node.data.place)}`;
    const fill = fills.get(cls + colour) ?? {cls, colour, shapes: []};
    fills.set(cls + colour, fill);
    fill.shapes.push(rect(node));
  }
  for (const [key, {cls, colour, shapes}] of fills)
    add(`fill ${key}`, 'nodes', shapes, `shape ${cls}`, colour);
  add('hits', 'nodes', drawing.shown.filter(node => app.hitSet.has(node)).map(rect), 'hit');
  if (app.selected?.shown)
    parts.push([app.selected, 'far', 'nodes', () => cardElement(app.selected), nodeClass(app.selected)]);
  return parts;
}

// Keeps the elements that stay, so that a moving picture makes only what enters it.
function draw() {
  frame = 0;
  byId('world').setAttribute('transform', `translate(${view.x} ${view.y}) scale(${scale().x} ${scale().y})`);
  const next = new Map();
  for (const [key, form, group, make, cls] of view.k < zoomRange.far ? farParts() : nearParts()) {
    let entry = drawn.get(key);
    if (!entry || entry.form !== form || entry.stamp !== drawing) {
      entry?.element.remove();
      entry = {element: make(), form, stamp: drawing};
      byId(group).append(entry.element);
    }
    drawn.delete(key);
    entry.element.setAttribute('class', cls);
    next.set(key, entry);
  }
  for (const {element} of drawn.values())
    element.remove();
  drawn = next;
  for (const node of [app.selected, app.announced])
    if (node && drawn.has(node))
      drawn.get(node).element.setAttribute('aria-selected', String(node === app.selected));
  app.announced = app.selected;
  if (app.selected?.shown && drawn.has(app.selected))
    picture.setAttribute('aria-activedescendant', `state-${app.selected.id}`);
  else
    picture.removeAttribute('aria-activedescendant');
  byId('zoom').textContent = `${Number((view.k * 100).toPrecision(2))}%`;
  drawMapView();
}

function redraw() {
  frame ||= requestAnimationFrame(draw);
}

function zoomTo(k, screen = middle()) {
  const world = toWorld(screen.x, screen.y);
  view.k = Math.min(zoomRange.most, Math.max(Math.min(zoomRange.far, fitting.x, fitting.y) / 2, k));
  pin(world, screen);
}

function fit() {
  const {left, right, top, bottom} = drawing.box;
  view.k = Math.min(1.2, fitting.x, fitting.y);
  pin({x: (left + right) / 2, y: (top + bottom) / 2}, middle());
}

function centre(node) {
  if (view.k < zoomRange.far)
    view.k = .8;
  pin({x: node.x + node.w / 2, y: node.y}, middle());
}

// Moves as little as needed to have the node on the screen.
function reveal(node) {
  if (view.k < zoomRange.far)
    return centre(node);
  const margin = 40;
  const {left, right, top, bottom} = boxOf(node);
  const {clientWidth: w, clientHeight: h} = picture;
  const nearer = (low, high, shift, size) =>
      low + shift < margin ? margin - low : high + shift > size - margin ? Math.max(margin - low, size - margin - high) : shift;
  view.x = nearer(left * view.k, right * view.k, view.x, w);
  view.y = nearer(top * view.k, bottom * view.k, view.y, h);
  redraw();
}

// The scales at which each side of the world just fits the screen.
function measureFit() {
  const {left, right, top, bottom} = drawing.box;
  fitting.x = Math.max(1, picture.clientWidth - 60) / (right - left);
  fitting.y = Math.max(1, picture.clientHeight - 60) / (bottom - top);
}

// Lays out anew; `anchor` keeps its place on the screen.
function arrange(anchor) {
  const before = anchor?.shown ? toScreen(anchor.x, anchor.y) : null;
  drawing = layout(app.folded);
  measureFit();
  if (before)
    pin(anchor, before);
  byId('status').textContent = drawing.shown.length === nodes.length ? counted(nodes.length, 'state') :
      `${drawing.shown.length.toLocaleString('en')} of ${counted(nodes.length, 'state')} shown`;
  drawMap();
  redraw();
}

// The map in the corner: all cards as dots, and the screen as a frame.
const map = {x: 0, y: 0, kx: 1, ky: 1};

function drawMap() {
  const {left, right, top, bottom} = drawing.box;
  byId('map').toggleAttribute('hidden', drawing.shown.length < 30);
  const [w, h] = [byId('map').clientWidth || 200, byId('map').clientHeight || 140];
  map.kx = (w - 12) / (right - left);
  map.ky = (h - 12) / (bottom - top);
  map.x = (w - (left + right) * map.kx) / 2;
  map.y = (h - (top + bottom) * map.ky) / 2;
  const shapes = new Map();
  for (const node of drawing.shown) {
    const colour = placeColour(node.data.place);
    const [width, height] = [Math.max(node.w, 1.5 / map.kx), Math.max(node.h, 1.5 / map.ky)];
    shapes.set(colour, `${shapes.get(colour) ?? ''}M${node.x} ${node.y - height / 2}h${width}v${height}h${-width}z`);
  }
  byId('map-nodes').replaceChildren(...[...shapes].map(([colour, d]) => svg('path', {d, style: `fill:${colour}`})));
  byId('map-nodes').setAttribute('transform', `translate(${map.x} ${map.y}) scale(${map.kx} ${map.ky})`);
}

function drawMapView() {
  const {left, right, top, bottom} = screenBox();
  const frameBox = {
    x: left * map.kx + map.x, y: top * map.ky + map.y, width: (right - left) * map.kx, height: (bottom - top) * map.ky,
  };
  for (const [name, value] of Object.entries(frameBox))
    byId('map-view').setAttribute(name, value);
}
