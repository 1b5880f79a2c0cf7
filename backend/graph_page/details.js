// The pane on the right: one state in full, or the facts of the whole with legend and keys.

// Text enters the page as text nodes only, so no name can become markup.
function html(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (name === 'onclick')
      element.addEventListener('click', value);
    else
      element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function section(title, ...content) {
  return html('section', {'aria-label': title}, html('h3', {}, title), ...content);
}

function listOrNone(items, none) {
  return items.length ? html('ul', {}, ...items) : html('p', {class: 'none'}, none);
}

const codeItem = ({text, fresh}) => html('li', {class: `code${fresh ? ' fresh' : ''}`}, text);

function storeTable(node) {
  const rows = storeOf(node).map(({name, value, was, fresh}) => html('tr', {class: fresh ? 'fresh' : ''},
      html('th', {scope: 'row', class: 'code'}, name),
      html('td', {class: 'code'}, value, ...(fresh && was !== undefined ? [' ', html('span', {class: 'was', title: 'before the step'}, was)] : []))));
  return rows.length ? html('table', {}, html('tbody', {}, ...rows)) : html('p', {class: 'none'}, 'no variables');
}

function stepButton(edge, end, arrow) {
  const model = edge.data?.edges ?? [];
  return html('li', {}, html('button', {class: `step ${edge.kind}`, 'data-goto': end.id, onclick: () => select(end, true)},
      html('span', {class: 'label'}, edge.kind === 'cover' ? 'covered by' : edge.data.label || '(no label)'),
      `${arrow} ${end.data.place} `, html('span', {class: 'number'}, `#${end.id}`),
      ...model.map(text => html('span', {class: 'model'}, text))));
}

// Lists that may be long show their first part, and the rest on demand.
function longList(items, none, most = 40) {
  const list = listOrNone(items.slice(0, most).map(make => make()), none);
  if (items.length > most) {
    const rest = html('button', {onclick: () => { rest.remove(); list.append(...items.slice(most).map(make => make())); }},
                      `${items.length - most} more`);
    return html('div', {}, list, rest);
  }
  return list;
}

function badgesOf(node) {
  const {mark, uncertain, open, coveredBy, notes} = node.data;
  const list = [];
  if (mark)
    list.push([mark, `${badges[mark]} ${mark}`]);
  if (uncertain)
    list.push(['uncertain', '? the solver could not tell whether this state exists']);
  if (open)
    list.push(['open', `… not followed: ${graph.stopped || 'a limit'}`]);
  if (coveredBy !== null)
    list.push(['covered', '↩ covered, not followed further']);
  for (const note of notes)
    list.push(['note', note]);
  return html('div', {class: 'badges'}, ...list.map(([kind, text]) => html('span', {class: kind}, text)));
}

function showState(node) {
  const {data} = node;
  const path = ancestors(node).slice(1);
  byId('pane').replaceChildren(
      html('button', {class: 'close', 'aria-label': 'Close the details', title: 'Close (Esc)', onclick: () => select(null)}, '✕'),
      html('h2', {}, data.place, ' ', html('span', {class: 'number'}, `#${node.id}`)),
      badgesOf(node),
      section('Store', storeTable(node)),
      section('Path condition', listOrNone(conditionOf(node).map(codeItem), 'true: no condition on the data')),
      section('Time', listOrNone(data.time.map(text => codeItem({text})), 'no constraint')),
      ...(data.coveredBy !== null ? [section('Covered by', html('ul', {}, stepButton({kind: 'cover'}, nodes[data.coveredBy], '→')))] : []),
      section('Steps out', longList(node.out.map(edge => () => stepButton(edge, edge.to, '→')), 'none')),
      section('Steps in', longList(node.in.map(edge => () => stepButton(edge, edge.from, '←')), 'none: the exploration starts here')),
      ...(node.covers.length ? [section('Covers', longList(node.covers.map(
          from => () => html('li', {}, html('button', {class: 'step cover', 'data-goto': from.id, onclick: () => select(from, true)},
                                            `${from.data.place} #${from.id}`))), ''))] : []),
      section(`The way here (${counted(path.length, 'step')})`,
              longList(path.map(to => () => stepButton(to.via, to, '→')), 'this is the first state')));
  byId('pane').scrollTop = 0;
}

function legendRow(cls, badge, words) {
  const sample = svg('svg', {viewBox: '0 0 64 20', 'aria-hidden': 'true'}, svg('g', {class: `node ${cls}`},
      svg('rect', {class: 'card', x: 2, y: 2, width: 60, height: 16, rx: 4}), svg('text', {class: 'badge', x: 56, y: 14}, badge)));
  return [sample, html('span', {}, words)];
}

function legendLine(kind, words) {
  return [svg('svg', {viewBox: '0 0 64 20', 'aria-hidden': 'true'}, svg('g', {class: `edge ${kind}`},
      svg('path', {d: 'M2 10H58', 'marker-end': `url(#arrow-${kind})`}))), html('span', {}, words)];
}

function legend() {
  return html('div', {class: 'legend'},
      ...legendLine('input', 'input'), ...legendLine('output', 'output'), ...legendLine('unobservable', 'unobservable step'),
      ...legendLine('cover', 'to the state that covers it'),
      ...legendRow('', '', 'state: the store and condition that its step changed, then its time; the bar has the colour of its place'),
      ...legendRow('accept', badges.accept, 'accepting'), ...legendRow('reject', badges.reject, 'rejecting'),
      ...legendRow('covered', badges.covered, 'covered: included in another state'),
      ...legendRow('open', badges.open, 'open: a limit stopped here'),
      ...legendRow('uncertain', badges.uncertain, 'uncertain: the solver could not tell'));
}

const keys = [
  ['← → ↑ ↓', 'move along steps and levels'], ['space', 'collapse or expand'], ['e  c', 'expand or collapse all below'], ['enter', 'centre'],
  ['/', 'search'], ['n  N', 'next, previous hit'], ['+ − 0', 'zoom in, out, show all'], ['l', 'links on or off'], ['esc  ?', 'this overview'],
];

function showOverview() {
  const facts = graph.facts.map(({name, value}) => html('tr', {}, html('th', {scope: 'row'}, name), html('td', {}, value)));
  const counts = [['states', nodes.length], ['steps', edges.length], ['levels', nodes.reduce((most, node) => Math.max(most, node.depth + 1), 0)]]
      .filter(([name]) => !graph.facts.some(fact => fact.name.toLowerCase() === name))
      .map(([name, value]) => html('tr', {}, html('th', {scope: 'row'}, name), html('td', {}, value.toLocaleString('en'))));
  const sorted = [...places].sort((a, b) => b[1] - a[1]);
  byId('pane').replaceChildren(
      html('h2', {}, 'Overview'),
      section('Facts', html('table', {}, html('tbody', {}, ...counts, ...facts))),
      section('How it ended', html('p', {class: 'none', id: 'end'}, graph.stopped ? `Stopped: ${graph.stopped}.` : 'Complete: no limit was met.')),
      section('Places', longList(sorted.map(([place, count]) => () => html('li', {}, html('button', {
        class: 'place', title: 'Search for this place', onclick: () => searchFor('place', place),
      }, html('span', {class: 'swatch', style: `background:${placeColour(place)}`}), place, html('span', {class: 'count'}, count.toLocaleString('en'))))),
                                 'none', 12)),
      section('Legend', legend()),
      section('Keys', html('dl', {class: 'keys'}, ...keys.flatMap(([key, words]) => [
        html('dt', {}, ...key.split(/ +/).flatMap(part => [html('kbd', {}, part), ' '])), html('dd', {}, words)]))));
  byId('pane').scrollTop = 0;
}
