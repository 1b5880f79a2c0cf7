// The data of the page, and what is derived from it once: neighbours, the tree of first visits, what each step changed.

const graph = JSON.parse(document.getElementById('graph').textContent);

const nodes = graph.nodes.map(data => ({
  id: data.id, data, in: [], out: [], covers: [],
  parent: null, via: null, children: [], depth: -1, below: 0, // the tree of first visits, breadth first
  shown: true, x: 0, y: 0, w: 0, h: 0,                        // the layout; y is the middle
}));

const edges = graph.edges.map(data => ({data, from: nodes[data.from], to: nodes[data.to], kind: data.action}));
for (const edge of edges) {
  edge.from.out.push(edge);
  edge.to.in.push(edge);
}
const coverings = nodes.filter(node => node.data.coveredBy !== null)
    .map(node => ({from: node, to: nodes[node.data.coveredBy], kind: 'cover'}));
for (const link of coverings)
  link.to.covers.push(link.from);

// Breadth first, an edge leads at most one level down: no edge needs to be routed around a level.
const roots = [];
const visits = [];
for (const root of nodes) {
  if (root.depth >= 0)
    continue;
  roots.push(root);
  root.depth = 0;
  visits.push(root);
  for (let next = visits.length - 1; next < visits.length; ++next)
    for (const edge of visits[next].out)
      if (edge.to.depth < 0) {
        edge.to.depth = edge.from.depth + 1;
        edge.to.parent = edge.from;
        edge.to.via = edge;
        edge.from.children.push(edge.to);
        visits.push(edge.to);
      }
}
for (const node of visits.slice().reverse())
  if (node.parent)
    node.parent.below += node.below + 1;

for (const link of [...edges, ...coverings])
  link.forward = link.kind !== 'cover' && link.to.depth === link.from.depth + 1;

function ancestors(node) {
  const path = [];
  for (let at = node; at; at = at.parent)
    path.push(at);
  return path.reverse();
}

// The store with, for each variable, whether the last step gave it another value.
function storeOf(node) {
  const before = new Map(node.parent ? node.parent.data.store.map(entry => [entry.name, entry.value]) : []);
  return node.data.store.map(({name, value}) => ({
    name, value, was: before.get(name), fresh: node.parent !== null && before.get(name) !== value,
  }));
}

// The path condition with, for each conjunct, whether the last step added it.
function conditionOf(node) {
  const before = new Set(node.parent ? node.parent.data.condition : []);
  return node.data.condition.map(text => ({text, fresh: node.parent !== null && !before.has(text)}));
}

// Kinds of states that look different, the one that matters most first.
function statusOf(node) {
  const {mark, uncertain, open, coveredBy} = node.data;
  return mark ?? (uncertain ? 'uncertain' : open ? 'open' : coveredBy !== null ? 'covered' : '');
}
const badges = {accept: '✓', reject: '✕', uncertain: '?', open: '…', covered: '↩', '': ''};

// Places by how often they occur; each has a colour of its own.
const places = new Map();
for (const {data} of nodes)
  places.set(data.place, (places.get(data.place) ?? 0) + 1);

// From teal to magenta: red, amber and green say what became of a state.
const colours = new Map([...places.keys()].map((place, i) => {
  const hue = Math.round(170 + (45 + i * 99) % 160);
  return [place, `hsl(${hue} ${[65, 50, 75][i % 3]}% calc(var(--place-light) + ${[0, 14, -12][i % 3]}%))`];
}));
const placeColour = place => colours.get(place);

const counted = (n, word) => `${n.toLocaleString('en')} ${word}${n === 1 ? '' : 's'}`;
