// The drawing: an SVG that holds only what is in view. From afar, cards become plain shapes, one path for all of a colour.

const byId = id => document.getElementById(id);
const picture = byId('picture');

const view = {x: 0, y: 0, k: 1};
const zoomRange = {least: .01, most: 4, far: .3};

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
function window_(margin = 0) {
  const {clientWidth: w, clientHeight: h} = picture;
  return {
    left: (-view.x - margin) / view.k, right: (w - view.x + margin) / view.k,
    top: (-view.y - margin) / view.k, bottom: (h - view.y + margin) / view.k,
  };
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
const isDrawn = link => isForward(link) || app.links || isLit(link);

function nodeClass(node) {
  return `node ${statusOf(node)}${node === app.selected ? ' selected' : ''}${app.hitSet.has(node) ? ' hit' : ''}`;
}

// What should be in the SVG near the screen, as [key, group, make, class].
function nearParts() {
  const area = window_(Math.min(picture.clientWidth, 600) / 2);
  const few = drawing.shown.length <= 60;
  const parts = [];
  drawing.links.forEach(link => {
    if (!meet(area, link.box) || !isDrawn(link))
      return;
    const lit = isLit(link);
    const label = link.at.room || few || lit;
    parts.push([link, `${label}`, 'edges', () => linkElement(link, label), `edge ${link.kind}${isForward(link) ? '' : ' back'}${lit ? ' lit' : ''}`]);
  });
  for (const node of drawing.shown)
    if (meet(area, boxOf(node)))
      parts.push([node, `${app.folded.has(node)}`, 'nodes', () => cardElement(node), nodeClass(node)]);
  return parts;
}

function farParts() {
  const parts = [];
  const rect = node => `M${node.x} ${node.y - node.h / 2}h${node.w}v${node.h}h${-node.w}z`;
  const add = (key, group, shapes, cls, style) => {
    const d = shapes.join('');
    if (d)
      parts.push([key, d, group, () => svg('path', {d, ...(style ? {style} : {})}), `far ${cls}`]);
  };
  add('edges', 'edges', drawing.links.filter(isForward).map(e => e.path), 'edge');
  add('lit', 'edges', drawing.links.filter(isLit).map(e => e.path), 'lit');
  const fills = new Map();
  for (const node of drawing.shown) {
    const status = statusOf(node);
    const key = ['accept', 'reject', 'open'].includes(status) ? status : node.data.place;
    const cls = key === status ? status : '';
    const colour = cls ? '' : `fill:${placeColour(node.data.place)}`;
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
  byId('world').setAttribute('transform', `translate(${view.x} ${view.y}) scale(${view.k})`);
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
  byId('zoom').textContent = `${Math.round(view.k * 100)}%`;
  drawMapView();
}

function redraw() {
  frame ||= requestAnimationFrame(draw);
}

function zoomTo(k, x = picture.clientWidth / 2, y = picture.clientHeight / 2) {
  k = Math.min(zoomRange.most, Math.max(zoomRange.least, k));
  view.x = x - (x - view.x) * k / view.k;
  view.y = y - (y - view.y) * k / view.k;
  view.k = k;
  redraw();
}

function fit() {
  const {left, right, top, bottom} = drawing.box;
  const {clientWidth: w, clientHeight: h} = picture;
  view.k = Math.min(1.2, Math.max(zoomRange.least, Math.min((w - 60) / (right - left + 40), (h - 60) / (bottom - top))));
  view.x = (w - (left + right) * view.k) / 2;
  view.y = (h - (top + bottom) * view.k) / 2;
  redraw();
}

function centre(node) {
  if (view.k < zoomRange.far)
    view.k = .8;
  view.x = picture.clientWidth / 2 - (node.x + node.w / 2) * view.k;
  view.y = picture.clientHeight / 2 - node.y * view.k;
  redraw();
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

// Lays out anew; `anchor` keeps its place on the screen.
function arrange(anchor) {
  const before = anchor?.shown ? {x: anchor.x * view.k + view.x, y: anchor.y * view.k + view.y} : null;
  drawing = layout(app.folded);
  if (before) {
    view.x = before.x - anchor.x * view.k;
    view.y = before.y - anchor.y * view.k;
  }
  byId('status').textContent = drawing.shown.length === nodes.length ? counted(nodes.length, 'state') :
      `${drawing.shown.length.toLocaleString('en')} of ${counted(nodes.length, 'state')} shown`;
  drawMap();
  redraw();
}

// The map in the corner: all cards as dots, and the screen as a frame.
const map = {k: 1, x: 0, y: 0};

function drawMap() {
  const {left, right, top, bottom} = drawing.box;
  byId('map').toggleAttribute('hidden', drawing.shown.length < 30);
  const [w, h] = [byId('map').clientWidth || 200, byId('map').clientHeight || 140];
  map.k = Math.min((w - 12) / (right - left), (h - 12) / (bottom - top));
  map.x = (w - (left + right) * map.k) / 2;
  map.y = (h - (top + bottom) * map.k) / 2;
  const least = 1.5 / map.k;
  const shapes = new Map();
  for (const node of drawing.shown) {
    const colour = placeColour(node.data.place);
    const size = Math.max(node.h, least);
    const shape = `M${node.x} ${node.y - size / 2}h${Math.max(node.w, least)}v${size}h${-Math.max(node.w, least)}z`;
    shapes.set(colour, (shapes.get(colour) ?? '') + shape);
  }
  byId('map-nodes').replaceChildren(...[...shapes].map(([colour, d]) => svg('path', {d, style: `fill:${colour}`})));
  byId('map-nodes').setAttribute('transform', `translate(${map.x} ${map.y}) scale(${map.k})`);
}

function drawMapView() {
  const {left, right, top, bottom} = window_();
  const frameBox = {x: left * map.k + map.x, y: top * map.k + map.y, width: (right - left) * map.k, height: (bottom - top) * map.k};
  for (const [name, value] of Object.entries(frameBox))
    byId('map-view').setAttribute(name, value);
}
