// What the page is showing, and what the hands do to it.

const app = {
  selected: null, path: new Set(), folded: new Set(), hits: [], hitSet: new Set(), hitAbove: new Set(), hit: -1, links: true, announced: null,
};

function unfoldTo(node) {
  const hiding = ancestors(node).slice(0, -1).filter(at => app.folded.has(at));
  for (const at of hiding)
    app.folded.delete(at);
  if (hiding.length)
    arrange(hiding[0]);
}

function select(node, centred = false) {
  app.selected = node;
  app.path = new Set(node ? ancestors(node).slice(1).map(at => at.via) : []);
  if (!node) {
    showOverview();
    redraw();
    history.replaceState(null, '', '#');
    return;
  }
  unfoldTo(node);
  showState(node);
  centred ? centre(node) : reveal(node);
  history.replaceState(null, '', `#${node.id}`);
}

function fold(node, folded) {
  if (!node.children.length)
    return;
  folded ? app.folded.add(node) : app.folded.delete(node);
  arrange(node);
}

function foldBelow(node, folded) {
  const below = [node];
  for (const at of below) {
    if (at.children.length)
      folded ? app.folded.add(at) : app.folded.delete(at);
    below.push(...at.children);
  }
  arrange(node);
}

// A large graph starts with as many levels, but at least two, as make a picture that one can read.
function foldToStart() {
  app.folded = new Set();
  if (nodes.length <= 250)
    return;
  const perLevel = [];
  for (const {depth} of nodes)
    perLevel[depth] = (perLevel[depth] ?? 0) + 1;
  let last = 1;
  for (let sum = perLevel[0] + perLevel[1]; last + 1 < perLevel.length && sum + perLevel[last + 1] <= 80; ++last)
    sum += perLevel[last + 1];
  for (const node of nodes)
    if (node.children.length && node.depth >= last)
      app.folded.add(node);
}

function showStart() {
  fit();
  if (view.k < .6 && nodes.length) {
    view.k = .8;
    pin(nodes[0], {x: 40, y: middle().y});
  }
}

function neighbour(node, key) {
  if (key === 'ArrowLeft')
    return node.parent;
  if (key === 'ArrowRight')
    return app.folded.has(node) ? (fold(node, false), node) : node.children.slice().sort((a, b) => a.y - b.y)[0];
  const level = drawing.shown.filter(other => other.depth === node.depth).sort((a, b) => a.y - b.y);
  return level[level.indexOf(node) + (key === 'ArrowDown' ? 1 : -1)];
}

function pictureKey(event) {
  const node = app.selected ?? nodes[0];
  if (!node || event.ctrlKey || event.metaKey || event.altKey)
    return;
  const actions = {
    ' ': () => fold(node, !app.folded.has(node)),
    Enter: () => centre(node),
    Home: () => select(nodes[0], true),
    e: () => foldBelow(node, false),
    c: () => foldBelow(node, true),
  };
  if (event.key.startsWith('Arrow')) {
    const next = app.selected ? neighbour(node, event.key) : node;
    if (next)
      select(next);
  } else if (actions[event.key]) {
    actions[event.key]();
  } else {
    return;
  }
  event.preventDefault();
}

function setLinks(on) {
  app.links = on;
  byId('links').setAttribute('aria-pressed', String(on));
  redraw();
}

function pageKey(event) {
  const typing = /^(INPUT|SELECT)$/.test(event.target.tagName);
  if (event.key === 'Escape') {
    picture.focus();
    select(null);
  }
  if (typing || event.ctrlKey || event.metaKey || event.altKey)
    return;
  const actions = {
    '/': () => byId('query').select(),
    '+': () => zoomTo(view.k * 1.25), '=': () => zoomTo(view.k * 1.25), '-': () => zoomTo(view.k / 1.25), 0: fit,
    n: () => jump(1), N: () => jump(-1), l: () => setLinks(!app.links), '?': () => select(null),
  };
  if (actions[event.key]) {
    actions[event.key]();
    event.preventDefault();
  }
}

// One pointer drags, two pinch; a press that did not move is a click.
const pointers = new Map();
let moved = false;

function stagePoint(event) {
  const box = picture.getBoundingClientRect();
  return {x: event.clientX - box.left, y: event.clientY - box.top};
}

function pointerMove(event) {
  const before = pointers.get(event.pointerId);
  if (!before)
    return;
  const now = stagePoint(event);
  if (!moved && Math.hypot(now.x - before.x, now.y - before.y) < 4)
    return;
  moved = true;
  picture.classList.add('dragging');
  const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
  if (other) {
    const distance = point => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    zoomTo(view.k * distance(now) / distance(before), other);
  } else {
    view.x += now.x - before.x;
    view.y += now.y - before.y;
  }
  pointers.set(event.pointerId, now);
  redraw();
}

function nodeAt(point) {
  const {x, y} = toWorld(point.x, point.y);
  const [dx, dy] = [4 / scale().x, 4 / scale().y];
  return drawing.shown.find(node => x > node.x - dx && x < node.x + node.w + dx && Math.abs(y - node.y) < node.h / 2 + dy);
}

function pointerUp(event) {
  if (!pointers.delete(event.pointerId) || pointers.size)
    return;
  picture.classList.remove('dragging');
  if (moved || event.type === 'pointercancel')
    return;
  const button = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-fold]');
  const node = button ? nodes[button.dataset.fold] : nodeAt(stagePoint(event));
  if (button)
    fold(node, !app.folded.has(node));
  else if (node)
    select(node);
}

function listen() {
  picture.addEventListener('pointerdown', event => {
    moved &&= pointers.size > 0;
    pointers.set(event.pointerId, stagePoint(event));
    picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener('pointermove', pointerMove);
  picture.addEventListener('pointerup', pointerUp);
  picture.addEventListener('pointercancel', pointerUp);
  picture.addEventListener('wheel', event => {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 16 : 1;
    zoomTo(view.k * Math.exp(-event.deltaY * lines * (event.ctrlKey ? .01 : .0015)), stagePoint(event)); // a pinch on a pad comes with ctrl
  }, {passive: false});
  picture.addEventListener('keydown', pictureKey);
  document.addEventListener('keydown', pageKey);
  new ResizeObserver(() => { measureFit(); redraw(); }).observe(picture);

  const steer = event => {
    const box = byId('map').getBoundingClientRect();
    pin({x: (event.clientX - box.left - map.x) / map.kx, y: (event.clientY - box.top - map.y) / map.ky}, middle());
  };
  byId('map').addEventListener('pointerdown', event => { byId('map').setPointerCapture(event.pointerId); steer(event); });
  byId('map').addEventListener('pointermove', event => { if (event.buttons) steer(event); });

  byId('query').addEventListener('input', search);
  byId('scope').addEventListener('change', search);
  byId('query').addEventListener('keydown', event => {
    if (event.key === 'Enter') {
      event.preventDefault();
      jump(event.shiftKey ? -1 : 1);
    }
  });
  byId('search').addEventListener('submit', event => { event.preventDefault(); jump(1); });
  const buttons = {
    previous: () => jump(-1), 'zoom-in': () => zoomTo(view.k * 1.25), 'zoom-out': () => zoomTo(view.k / 1.25), fit,
    'expand-all': () => { app.folded.clear(); arrange(app.selected ?? nodes[0]); },
    'collapse-all': () => { foldToStart(); arrange(nodes[0]); showStart(); },
    links: () => setLinks(!app.links), overview: () => select(null),
    scheme: () => setScheme(document.documentElement.dataset.scheme === 'dark' ? 'light' : 'dark'),
  };
  for (const [id, action] of Object.entries(buttons))
    byId(id).addEventListener('click', action);
  addEventListener('hashchange', openHash);
}

function setScheme(scheme) {
  document.documentElement.dataset.scheme = scheme;
}

// The address names the selected state, so that a link can point at it.
function openHash() {
  const node = nodes[/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : -1];
  if (node && node !== app.selected)
    select(node, true);
}

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', () => setScheme(dark.matches ? 'dark' : 'light'));
setScheme(dark.matches ? 'dark' : 'light');
byId('verdict').textContent = graph.stopped ? `stopped: ${graph.stopped}` : 'complete';
byId('verdict').classList.toggle('stopped', graph.stopped !== '');
setLinks(edges.filter(edge => !edge.forward).length + coverings.length <= 150); // more hide what they connect
listen();
foldToStart();
arrange();
showStart();
showOverview();
openHash();
