// The suite and its runs, and which tests cover which edge of the automata.

const byId = id => document.getElementById(id);
const suite = JSON.parse(byId('suite').textContent);
const runs = new Map(JSON.parse(byId('runs').textContent).map(run => [run.name, run]));

function html(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    name.startsWith('on') ? element.addEventListener(name.slice(2), value) : element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, value);
  element.append(...children);
  return element;
}

// An edge is known by its name and its place in the source: two edges may have the same name.
const keyOf = ({what, at}) => JSON.stringify([what, at ?? '']);

const outlineEdges = (suite.automata ?? []).flatMap(automaton => automaton.edges);
edges.forEach((edge, i) => Object.assign(edge, {outline: outlineEdges[i], tests: new Set(), passed: new Set()}));
const edgeOf = new Map(edges.map(edge => [keyOf(edge.outline), edge]));

// The states of each automaton; they stand one automaton after the other.
const automata = [];
for (const {states} of suite.automata ?? []) {
  const first = automata.reduce((sum, list) => sum + list.length, 0);
  automata.push(nodes.slice(first, first + states.length));
}

function stepsOf(node) {
  return node.kind === 'send' ? [node] : node.kind === 'await' ? node.branches : [];
}

const tests = suite.cases.map(data => ({data, run: runs.get(data.name) ?? null, taken: new Map()}));
for (const test of tests) {
  for (const node of test.data.nodes)
    for (const step of stepsOf(node))
      for (const covered of step.covers)
        edgeOf.get(keyOf(covered))?.tests.add(test);
  for (const {node, branch} of test.run?.path ?? []) {
    test.taken.set(node, branch);
    const at = test.data.nodes[node];
    const step = at.kind === 'send' ? at : branch === null ? null : at.branches[branch];
    for (const covered of step?.covers ?? [])
      edgeOf.get(keyOf(covered))?.passed.add(test);
  }
}

// What became of an edge: covered by the suite and, where there are runs, passed over by one.
const hasRuns = runs.size > 0;
const edgeStatus = edge => edge.tests.size === 0 ? 'missed' : hasRuns && edge.passed.size === 0 ? 'idle' : 'covered';
const rank = {covered: 0, idle: 1, missed: 2};

// A state is where an edge of it leads; the first of an automaton is where every test starts.
function stateStatus(node) {
  const best = node.in.map(edgeStatus).sort((a, b) => rank[a] - rank[b])[0];
  return !node.parent && tests.length ? 'covered' : best ?? 'missed';
}

const verdictOf = test => test.run?.verdict ?? 'not run';
