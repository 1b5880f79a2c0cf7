// The automata with what is covered, as a drawing and as a table that says the same.

const statusWords = {
  covered: hasRuns ? 'passed over by a run' : 'covered by a test', idle: 'covered by a test, but no run came there', missed: 'not covered',
};

function stateElement(node) {
  const status = stateStatus(node);
  const top = node.y - node.h / 2;
  return svg('g', {class: `state ${status}`}, svg('title', {}, `${node.data.place}: ${statusWords[status]}`),
             svg('rect', {class: 'card', x: node.x, y: top, width: node.w, height: node.h, rx: 6}),
             ...node.card.title.map((line, i) => svg('text', {x: node.x + gaps.cardX, y: top + 21 + i * 17}, line)));
}

function edgeElement(edge) {
  const status = edgeStatus(edge);
  const {outline: {what}, path, at, label} = edge;
  const words = `${what}: ${statusWords[status]}; ${counted(edge.tests.size, 'test')}`;
  const group = svg('g', {class: `edge ${status}`, 'data-edge': edges.indexOf(edge)}, svg('title', {}, words),
                    svg('path', {class: 'grip', d: path}), svg('path', {d: path, 'marker-end': 'url(#arrow)'}),
                    svg('text', {x: at.x, y: at.y, 'text-anchor': at.anchor}, label || 'silent'));
  group.addEventListener('click', () => chooseEdge(edge));
  return group;
}

function drawAutomata() {
  if (!nodes.length) {
    byId('drawing').replaceChildren(html('p', {class: 'none'}, 'The suite does not say how the system is built, so there is no drawing.'));
    return;
  }
  // All are laid out together; then each is moved below the one before it.
  const {links, box} = layout(new Set());
  const width = box.right - box.left + 80;
  let height = 15;
  const groups = automata.map(states => {
    const own = links.filter(link => states.includes(link.from));
    const top = Math.min(...states.map(node => node.y - node.h / 2), ...own.map(link => link.box.top));
    const bottom = Math.max(...states.map(node => node.y + node.h / 2), ...own.map(link => link.box.bottom));
    const group = svg('g', {class: 'automaton', transform: `translate(10 ${height - top})`}, ...own.map(edgeElement), ...states.map(stateElement));
    height += bottom - top + 30;
    return group;
  });
  byId('drawing').replaceChildren(svg('svg', {
    width, height, viewBox: `${box.left} 0 ${width} ${height}`, role: 'img', 'aria-label': 'The automata; the table below says the same in words',
  }, ...groups));
}

function coverageTable() {
  const head = ['Edge', 'Coverage', 'Tests', ...(hasRuns ? ['Runs'] : []), 'Source'];
  const rows = edges.map(edge => html('tr', {class: 'edge-row'},
      html('td', {}, html('button', {onclick: () => chooseEdge(edge)}, edge.outline.what)),
      html('td', {class: `edge ${edgeStatus(edge)}`}, statusWords[edgeStatus(edge)]),
      html('td', {}, String(edge.tests.size)), ...(hasRuns ? [html('td', {}, String(edge.passed.size))] : []),
      html('td', {class: 'place'}, edge.outline.at ?? '')));
  return html('table', {}, html('thead', {}, html('tr', {}, ...head.map(word => html('th', {scope: 'col'}, word)))), html('tbody', {}, ...rows));
}

function showCounts() {
  const some = (list, status) => list.filter(one => status(one) === 'covered').length;
  const verb = hasRuns ? 'passed over' : 'covered';
  byId('counts').textContent = `${some(edges, edgeStatus)} of ${counted(edges.length, 'edge')} and ${some(nodes, stateStatus)} of ` +
      `${counted(nodes.length, 'state')} ${verb}; ${counted(tests.length, 'test')}.`;
}

function showCoverage() {
  showCounts();
  drawAutomata();
  const statuses = hasRuns ? ['covered', 'idle', 'missed'] : ['covered', 'missed'];
  byId('legend').replaceChildren(...statuses.map(status => html('span', {class: `edge ${status}`}, '— ', html('i', {}, statusWords[status]))));
  byId('table').replaceChildren(html('h3', {}, 'Edges'), coverageTable());
  if (suite.uncovered.length)
    byId('missed').replaceChildren(html('h3', {}, 'Goals that no test reaches'), html('ul', {}, ...suite.uncovered.map(({what, at, reason}) =>
        html('li', {}, `${what}: ${reason}`, ...(at ? [html('span', {class: 'covers'}, ` ${at}`)] : [])))));
}
