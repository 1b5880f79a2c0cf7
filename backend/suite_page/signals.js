// A test of a controller as a plot: each signal over time, and the windows in which its changes were expected.

const isController = suite.channels.length > 0 && suite.channels.every(({name, direction}) => name === `${direction}s`);

// Exact numbers of the suite, near enough for a picture: `17.4` or `52/3`.
function toNumber(text) {
  const [above, below = 1] = String(text).split('/').map(Number);
  return above / below;
}

const operations = {
  not: a => !a, and: (...all) => all.every(Boolean), or: (...all) => all.some(Boolean), equal: (a, b) => a === b,
  less: (a, b) => a < b, lesseq: (a, b) => a <= b, ite: (choice, a, b) => choice ? a : b,
  add: (...all) => all.reduce((sum, one) => sum + one), mul: (...all) => all.reduce((product, one) => product * one),
  negate: a => -a, div: (a, b) => a / b, toreal: a => a,
};

// The value of an expression of the suite; undefined where something in it is not known.
function valueOf(tree, known, message) {
  switch (tree?.op) {
  case undefined: return undefined;
  case 'bool': case 'literal': return tree.value;
  case 'int': case 'real': return toNumber(tree.value);
  case 'variable': return known.get(tree.name);
  case 'message': return message?.[tree.index];
  }
  const values = tree.args.map(one => valueOf(one, known, message));
  return values.includes(undefined) ? undefined : operations[tree.op]?.(...values);
}

// What a guard says about the values of a message: those that it fixes.
function fixedBy(guard, known, values = []) {
  const {op, args = []} = guard;
  if (op === 'and')
    args.forEach(one => fixedBy(one, known, values));
  else if (op === 'message')
    values[guard.index] = true;
  else if (op === 'not' && args[0].op === 'message')
    values[args[0].index] = false;
  else if (op === 'equal')
    for (const [one, other] of [args, [args[1], args[0]]])
      if (one.op === 'message')
        values[one.index] = valueOf(other, known) ?? values[one.index];
  return values;
}

function readValue(text, {type}) {
  return type === 'bool' ? text === 'true' : type.kind === 'enum' ? text : toNumber(text);
}

// What a run did to the signals: when their values came, and where outputs were expected.
function storyOf(test) {
  const channelOf = name => suite.channels.find(channel => channel.name === name);
  const signals = suite.channels.flatMap(({name, direction, parameters}) => parameters.map((parameter, index) =>
      ({name: parameter.name, type: parameter.type, channel: name, direction, index, points: [], windows: []})));
  const of = channel => signals.filter(signal => signal.channel === channel);
  const known = new Map(test.data.variables.filter(one => one.initial).map(one => [one.name, valueOf(one.initial.tree, new Map())]));
  const events = test.run.log.map(event => {
    const {parameters} = channelOf(event.output ? 'outputs' : 'inputs');
    return {...event, time: toNumber(event.time), values: parameters.map((one, i) => readValue(event.values[i], one))};
  });
  let end = 0;
  const happens = event => {
    for (const signal of of(event.output ? 'outputs' : 'inputs'))
      if (signal.points.at(-1)?.value !== event.values[signal.index])
        signal.points.push({time: event.time, value: event.values[signal.index]});
    end = Math.max(end, event.time);
  };
  // The signals that a branch changes, or leaves open, and when.
  const expects = (branch, since) => {
    const values = fixedBy(branch.guard.tree, known);
    const from = valueOf(branch.from?.tree, known) ?? since, to = valueOf(branch.to?.tree, known);
    for (const signal of of(branch.channel))
      if (values[signal.index] === undefined || values[signal.index] !== signal.points.at(-1)?.value)
        signal.windows.push({from: Math.max(from, since), to, value: values[signal.index], text: windowText(branch)});
    end = Math.max(end, to ?? from);
  };
  const good = (node, branch) => test.data.nodes[node.branches[branch].next].verdict !== 'fail';
  const awaits = (node, since) => node.branches.forEach((branch, i) => good(node, i) && expects(branch, since));
  let now = 0;
  for (const {node: id, branch} of test.run.path) {
    const node = test.data.nodes[id];
    if (node.kind === 'await' && branch === null) {
      if (test.data.nodes[node.timeout].verdict === 'fail')
        awaits(node, now);
      now = Math.max(now, valueOf(node.until.tree, known) ?? now);
      end = Math.max(end, now);
      continue;
    }
    const event = events.shift(), step = node.kind === 'send' ? node : node.branches[branch];
    if (node.kind === 'await')
      expects(step, now);
    const updates = (step.updates ?? []).map(({variable, value}) => [variable, valueOf(value.tree, known, event.values)]);
    updates.forEach(([variable, value]) => known.set(variable, value));
    if (step.stamp)
      known.set(step.stamp, event.time);
    happens(event);
    now = event.time;
  }
  const last = test.data.nodes[test.run.position];
  const wrong = events.length ? events[0].time : null;
  if (last?.kind === 'await' && wrong !== null)
    awaits(last, now);
  events.forEach(happens);
  return {signals, wrong, end: end * 1.04 || 1};
}

const plot = {left: 150, width: 760, row: 40, line: 22};

// How high a value stands in its row, from 0 to 1.
function heightOf(signal) {
  const values = [...signal.points, ...signal.windows].map(one => one.value).filter(one => one !== undefined);
  if (signal.type === 'bool')
    return value => value ? 1 : 0;
  const scale = typeof values[0] === 'string' ? [...new Set(values)] : [Math.min(...values), Math.max(...values)];
  const place = value => typeof value === 'string' ? scale.indexOf(value) / Math.max(1, scale.length - 1) : (value - scale[0]) / (scale[1] - scale[0] || 1);
  return place;
}

const shown = value => value === undefined ? 'any value' : String(value);

function signalRow(signal, top, x, end) {
  const height = heightOf(signal), y = value => top + plot.row - 8 - plot.line * height(value);
  const parts = signal.windows.map(({from, to, value, text}) => svg('rect', {
    class: 'window', x: x(from) - 1.5, y: top + 4, width: Math.max(0, x(to ?? end) - x(from)) + 3, height: plot.row - 8,
  }, svg('title', {}, `${signal.name}: ${shown(value)} expected in ${text}`)));
  // Before its first message nobody has said what it is.
  let path = '';
  signal.points.forEach(({time, value}, i) => path += i ? `H${x(time)}V${y(value)}` : `M${x(time)} ${y(value)}`);
  if (path)
    parts.push(svg('path', {class: 'trace', d: `${path}H${x(end)}`}));
  for (const {time, value} of signal.type === 'bool' ? [] : signal.points)
    parts.push(svg('text', {class: 'value', x: x(time) + 3, y: y(value) - 3}, shown(value)));
  return svg('g', {class: `signal ${signal.direction}`, 'data-signal': signal.name},
             svg('text', {x: plot.left - 10, y: top + plot.row / 2 + 4, 'text-anchor': 'end'}, signal.name),
             svg('line', {class: 'base', x1: plot.left, x2: plot.left + plot.width, y1: top + plot.row, y2: top + plot.row}), ...parts);
}

// Round distances, at most ten of them.
function ticks(end) {
  const rough = end / 10, power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(one => one * power).find(one => one >= rough);
  return Array.from({length: Math.floor(end / step) + 1}, (_, i) => Number((i * step).toPrecision(12)));
}

function signalPlot(test) {
  const {signals, wrong, end} = storyOf(test);
  const x = time => plot.left + time / end * plot.width, height = signals.length * plot.row;
  const grid = ticks(end).map(time => svg('g', {class: 'tick'}, svg('line', {x1: x(time), x2: x(time), y1: 0, y2: height}),
                                          svg('text', {x: x(time), y: height + 16, 'text-anchor': 'middle'}, String(time))));
  const mark = wrong === null ? [] : [svg('line', {class: 'wrong', x1: x(wrong), x2: x(wrong), y1: 0, y2: height}, svg('title', {}, test.run.reason))];
  const words = 'Inputs and outputs over time with the windows of expected changes; the tables below say the same';
  return html('div', {class: 'signals', tabindex: '0', role: 'group', 'aria-label': 'Signals, drawn'}, svg('svg', {
    viewBox: `0 -4 ${plot.left + plot.width + 20} ${height + 28}`, role: 'img', 'aria-label': words,
  }, ...grid, ...signals.map((signal, i) => signalRow(signal, i * plot.row, x, end)), ...mark));
}
