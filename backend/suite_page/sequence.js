// A test as a sequence diagram. A test is a tree whose nodes may be shared: each wait is drawn once, with all that may come and
// when; what leads elsewhere names the step it leads to.

function windowText({from, to}) {
  const low = from ? `${from.strict ? '(' : '['}${from.text}` : '[0';
  const high = to ? `${to.text}${to.strict ? ')' : ']'}` : '∞)';
  return `${low}, ${high}`;
}

// The nodes in the order of drawing: what leads on from a wait follows it, the way to a pass first where it can be told.
function orderOf(data) {
  const order = new Map();
  const stack = [0];
  while (stack.length) {
    const id = stack.pop();
    const node = data.nodes[id];
    if (order.has(id) || node.kind === 'verdict')
      continue;
    order.set(id, order.size + 1);
    const next = node.kind === 'send' ? [node.next] : [...node.branches.map(branch => branch.next), node.timeout];
    stack.push(...next.reverse());
  }
  return order;
}

function thenParts(data, order, next, from) {
  const node = data.nodes[next];
  if (node.kind === 'verdict')
    return [html('span', {class: `badge-word ${node.verdict}`}, node.verdict), node.reason];
  return [order.get(next) === order.get(from) + 1 ? 'goes on' : `goes on at step ${order.get(next)}`];
}

const coversParts = covers => covers.map(({what, at}) => html('span', {class: 'covers', ...(at ? {title: at} : {})}, what));

function row(cls, when, lane, then) {
  return html('li', {class: cls}, html('div', {class: 'when'}, ...when), html('div', {class: 'lane'}, ...lane), html('div', {class: 'then'}, ...then));
}

const arrow = () => html('div', {class: 'arrow', 'aria-hidden': 'true'});
const message = (words, text) => html('div', {class: 'message'}, html('span', {class: 'sr'}, words), text);

function sequence(test) {
  const {data, run, taken} = test;
  const order = orderOf(data);
  const parameters = new Map(suite.channels.map(channel => [channel.name, channel.parameters.map(one => one.name)]));
  const list = (name, parts) => parts.length ? `${name}(${parts.join(', ')})` : name;
  // The events of the run belong to its steps in order; one that is left over is what ended it.
  const events = (run?.log ?? []).slice();
  const measured = new Map();
  for (const {node, branch} of run?.path ?? [])
    if (data.nodes[node].kind === 'send' || branch !== null)
      measured.set(node, events.shift());
  const seen = id => measured.get(id) ? [html('span', {class: 'measured'}, `at ${measured.get(id).time}: ${measured.get(id).message}`)] : [];

  const rows = [html('li', {class: 'head'}, html('div', {class: 'when'}, 'time'),
                     html('div', {class: 'lane'}, html('span', {}, 'Tester'), html('span', {}, suite.system)), html('div', {class: 'then'}, 'what follows'))];
  for (const [id, number] of order) {
    const node = data.nodes[id];
    const wasTaken = branch => taken.has(id) && taken.get(id) === branch ? ' taken' : '';
    if (node.kind === 'send') {
      rows.push(row(`send${wasTaken(null)}`, [node.stamp ?? ''], [
        message('Tester sends ', list(node.channel, node.arguments.map(argument => argument.text))), arrow(),
      ], [...seen(id), ...thenParts(data, order, node.next, id), ...coversParts(node.covers)]));
      continue;
    }
    rows.push(row('step', [`until ${node.until.text}`], [`step ${number}: wait`], []));
    node.branches.forEach((branch, i) => rows.push(row(`output${wasTaken(i)}`, [windowText(branch), ...(branch.stamp ? [` = ${branch.stamp}`] : [])], [
      message(`${suite.system} gives `, list(branch.channel, parameters.get(branch.channel) ?? [])), arrow(),
      ...(branch.guard.text === 'true' ? [] : [html('div', {class: 'guard'}, `when ${branch.guard.text}`)]),
    ], [...(wasTaken(i) ? seen(id) : []), ...thenParts(data, order, branch.next, id), ...coversParts(branch.covers)])));
    if (run && run.position === id && events.length)
      rows.push(row(`output wrong ${run.verdict}-end`, [`at ${events[0].time}`], [message(`${suite.system} gave `, events[0].message), arrow()],
                    [html('span', {class: `badge-word ${run.verdict}`}, run.verdict), run.reason]));
    rows.push(row(`silence${wasTaken(null)}`, [`after ${node.until.text}`], [message('', 'nothing'), arrow()], thenParts(data, order, node.timeout, id)));
  }
  return html('ol', {class: 'sequence'}, ...rows);
}

function runParts(test) {
  const {run} = test;
  if (!run)
    return [];
  const log = run.log.map(({time, output, message: text}) => html('tr', {}, html('td', {}, time), html('td', {}, output ? 'output' : 'input'), html('td', {class: 'place'}, text)));
  return [
    html('p', {class: `reason ${run.verdict}`}, html('span', {class: `badge-word ${run.verdict}`}, run.verdict), html('span', {class: 'words'}, run.reason)),
    html('h3', {}, 'What happened'),
    ...(isController && run.log.length ? [signalPlot(test)] : []),
    log.length ? html('table', {}, html('thead', {}, html('tr', {}, ...['Time', 'Kind', 'Message'].map(word => html('th', {scope: 'col'}, word)))), html('tbody', {}, ...log))
               : html('p', {class: 'none'}, 'Nothing was exchanged.'),
  ];
}

function showTest(test) {
  byId('test').replaceChildren(html('h2', {}, test.data.name), html('p', {}, test.data.about), ...runParts(test),
                               html('h3', {}, 'The test'), sequence(test));
}
