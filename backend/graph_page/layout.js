// Where states stand: levels from left to right; trees tidy, graphs with few crossings.

const fonts = {title: '600 13px', line: '11px'};
const limits = {card: 230, label: 240, lines: 6, ports: 12};
const gaps = {row: 16, bend: 46, port: 16, cardX: 14, line: 15};

const pen = document.createElement('canvas').getContext('2d');
const rootStyle = getComputedStyle(document.documentElement);
const fontOf = {
  title: `${fonts.title} ${rootStyle.getPropertyValue('--sans')}`,
  line: `${fonts.line} ${rootStyle.getPropertyValue('--mono')}`,
};

// Measuring is most of the work of a large layout: plain letters of the monospaced font are counted, the rest is remembered.
const widths = {title: new Map(), line: new Map()};

function textWidth(text, font) {
  if (font === 'line' && text.length > 1 && /^[ -~]*$/.test(text))
    return text.length * textWidth('0', 'line');
  let width = widths[font].get(text);
  if (width === undefined) {
    pen.font = fontOf[font];
    width = pen.measureText(text).width;
    widths[font].set(text, width);
  }
  return width;
}

function cut(text, font, width) {
  if (text.length < 400 && textWidth(text, font) <= width)
    return text;
  const letters = Array.from(text.slice(0, 400));
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (textWidth(letters.slice(0, middle).join('') + '…', font) <= width)
      low = middle;
    else
      high = middle - 1;
  }
  return letters.slice(0, low).join('') + '…';
}

// The place of a network is long: it breaks at its commas.
function titleLines(place) {
  const lines = [];
  for (const part of place.split(/(?<=, )/)) {
    const last = lines.length - 1;
    if (last >= 0 && textWidth(lines[last] + part, 'title') <= limits.card - 40)
      lines[last] += part;
    else
      lines.push(part);
  }
  if (lines.length > 3)
    lines.splice(2, lines.length, lines.slice(2).join(''));
  return lines.map(line => cut(line, 'title', limits.card - 40));
}

// What a card says below its place: what the step changed and assumed, the time, the notes. The details have the rest.
function cardLines(node) {
  const lines = [];
  for (const {name, value, fresh} of storeOf(node))
    if (fresh || !node.parent)
      lines.push({kind: 'store', text: `${name} = ${value}`});
  for (const {text, fresh} of conditionOf(node))
    if (fresh || !node.parent)
      lines.push({kind: 'condition', text});
  const time = node.data.time;
  for (let i = 0; i < time.length; ++i)
    if (i > 0 && lines.length && textWidth(`${lines.at(-1).text}, ${time[i]}`, 'line') <= limits.card - 2 * gaps.cardX)
      lines.at(-1).text += `, ${time[i]}`;
    else
      lines.push({kind: 'time', text: time[i]});
  for (const note of node.data.notes)
    lines.push({kind: 'note', text: note});
  if (lines.length > limits.lines)
    lines.splice(limits.lines - 1, lines.length, {kind: 'note', text: `${lines.length - limits.lines + 1} more`});
  return lines.map(({kind, text}) => ({kind, text: cut(text, 'line', limits.card - 2 * gaps.cardX)}));
}

// Cards and labels are measured when they are first shown.
function measure(node) {
  if (node.card)
    return;
  node.card = {title: titleLines(node.data.place), lines: cardLines(node)};
  const width = Math.max(...node.card.title.map(line => textWidth(line, 'title') + 18),
                         ...node.card.lines.map(line => textWidth(line.text, 'line')));
  node.w = Math.max(72, Math.ceil(width) + 2 * gaps.cardX);
  const ports = Math.min(limits.ports, node.in.filter(edge => edge.forward).length);
  node.h = Math.max(16 + node.card.title.length * 17 + node.card.lines.length * gaps.line, ports * gaps.port + 6);
  node.labelWidth = 0;
  for (const edge of node.in) {
    edge.label = cut(edge.data.label, 'line', limits.label);
    if (edge.forward)
      node.labelWidth = Math.max(node.labelWidth, textWidth(edge.label, 'line'));
  }
}

// Preorder of what is not folded away.
function shownNodes(folded) {
  const result = [];
  const stack = roots.slice().reverse();
  while (stack.length) {
    const node = stack.pop();
    result.push(node);
    if (!folded.has(node))
      for (let i = node.children.length - 1; i >= 0; --i)
        stack.push(node.children[i]);
  }
  return result;
}

// Puts an outline below another and returns how far it had to move. Outlines list the levels from the deepest to the
// first, so that a parent is appended; the shorter one is copied into the longer, which keeps the whole linear.
function joinOutlines(upper, lower) {
  const [lu, ll] = [upper.top.length, lower.top.length];
  let move = -Infinity;
  for (let i = 1; i <= Math.min(lu, ll); ++i)
    move = Math.max(move, upper.bottom[lu - i] + upper.shift - lower.top[ll - i] - lower.shift + gaps.row);
  lower.shift += move;
  const joined = lu >= ll ? upper : lower;
  for (let i = 1; i <= Math.min(lu, ll); ++i) {
    joined.top[joined.top.length - i] = upper.top[lu - i] + upper.shift - joined.shift;
    joined.bottom[joined.bottom.length - i] = lower.bottom[ll - i] + lower.shift - joined.shift;
  }
  return {joined, move};
}

// A tidy tree (after Reingold and Tilford): subtrees as close as their outlines allow, a parent in the middle.
function placeTree(shown) {
  const stack = (children, done) => {
    let all = null;
    for (const child of children) {
      child.offset = 0;
      if (!all) {
        all = child.outline;
      } else {
        const {joined, move} = joinOutlines(all, child.outline);
        all = joined;
        child.offset = move;
      }
      child.outline = null;
    }
    return done(all);
  };
  for (const node of shown.slice().reverse()) {
    const children = node.children.filter(child => child.shown);
    stack(children, all => {
      node.outline = all ?? {top: [], bottom: [], shift: 0};
      const middle = children.length ? (children[0].offset + children.at(-1).offset) / 2 : 0;
      for (const child of children)
        child.offset -= middle;
      node.outline.shift -= middle;
      node.outline.top.push(-node.h / 2 - node.outline.shift);
      node.outline.bottom.push(node.h / 2 - node.outline.shift);
    });
  }
  stack(roots, () => {});
  for (const node of shown)
    node.y = node.offset + (node.parent ? node.parent.y : 0);
}

// Moves the nodes of a level as near to `wish` as their order allows: least squares by pooling neighbours that collide.
function placeLevel(level, wish) {
  const blocks = [];
  let need = 0;
  level.forEach((node, i) => {
    if (i)
      need += (level[i - 1].h + node.h) / 2 + gaps.row;
    blocks.push({sum: wish(node) - need, count: 1, first: i});
    for (let b = blocks.length - 1; b > 0 && blocks[b - 1].sum / blocks[b - 1].count > blocks[b].sum / blocks[b].count; --b) {
      blocks[b - 1].sum += blocks[b].sum;
      blocks[b - 1].count += blocks[b].count;
      blocks.pop();
    }
  });
  need = 0;
  let block = 0;
  level.forEach((node, i) => {
    if (i)
      need += (level[i - 1].h + node.h) / 2 + gaps.row;
    if (block + 1 < blocks.length && blocks[block + 1].first <= i)
      ++block;
    node.y = blocks[block].sum / blocks[block].count + need;
  });
}

// A layered drawing: each level in the order of its neighbours' middles, forth and back until it settles.
function placeLevels(shown, levels) {
  placeTree(shown);
  const mean = list => list.reduce((sum, y) => sum + y, 0) / list.length;
  const before = node => node.in.filter(e => e.from.shown && e.forward).map(e => e.from.y);
  const behind = node => node.out.filter(e => e.to.shown && e.forward).map(e => e.to.y);
  const rounds = 8;
  for (let round = 0; round < rounds; ++round) {
    const down = round % 2 === 0;
    for (const level of down ? levels : levels.slice().reverse()) {
      for (const node of level) {
        const ys = down ? before(node) : behind(node);
        node.wish = ys.length ? mean(ys) : node.y;
      }
      if (round < rounds - 2)
        level.sort((a, b) => a.wish - b.wish || a.id - b.id);
      placeLevel(level, node => node.wish);
    }
  }
}

const widest = (level, width) => level.reduce((most, node) => Math.max(most, node[width]), 0);

function layout(folded) {
  for (const node of nodes)
    node.shown = false;
  const shown = shownNodes(folded);
  const levels = [];
  for (const node of shown) {
    node.shown = true;
    measure(node);
    (levels[node.depth] ??= []).push(node);
  }
  let x = 0;
  levels.forEach((level, depth) => {
    if (depth)
      x += gaps.bend + widest(level, 'labelWidth');
    for (const node of level)
      node.x = x;
    x += widest(level, 'w');
  });
  if (graph.tree)
    placeTree(shown);
  else
    placeLevels(shown, levels);

  const box = shown.length ? {left: 0, right: 1, top: Infinity, bottom: -Infinity} : {left: 0, right: 1, top: 0, bottom: 1};
  for (const node of shown) {
    box.right = Math.max(box.right, node.x + node.w);
    box.top = Math.min(box.top, node.y - node.h / 2);
    box.bottom = Math.max(box.bottom, node.y + node.h / 2);
  }
  const links = [...edges, ...coverings].filter(link => link.from.shown && link.to.shown);
  routeLinks(shown, links, levels);
  for (const link of links) {
    box.right = Math.max(box.right, link.box.right);
    box.bottom = Math.max(box.bottom, link.box.bottom);
  }
  return {shown, links, box};
}

function routeBeside(link) {
  const {from, to} = link;
  const [x0, x1] = [from.x + from.w, to.x + to.w];
  const y0 = from.y + Math.sign(to.y - from.y) * Math.min(12, from.h / 2);
  const y1 = to.y - Math.sign(to.y - from.y) * to.h / 4;
  const out = Math.max(x0, x1) + 36;
  link.path = `M${x0} ${y0}C${out} ${y0} ${out} ${y1} ${x1 + 1} ${y1}`;
  link.box = {left: Math.min(x0, x1), right: out + textWidth(link.label ?? '', 'line'), top: Math.min(y0, y1), bottom: Math.max(y0, y1)};
  link.at = {x: (x0 + x1 + 6 * out) / 8 + 5, y: (y0 + y1) / 2 + 4, anchor: 'start', room: false};
}

// Forward edges end in a straight piece that carries the label, each at a port of its own. Links within a level bulge to the
// right, all others are arcs below the cards.
function routeLinks(shown, links, levels) {
  const lead = levels.map(level => widest(level, 'labelWidth') + 12);
  for (const node of shown) {
    const ports = node.in.filter(e => e.from.shown && e.forward).sort((a, b) => a.from.y - b.from.y);
    const step = Math.min(gaps.port, node.h / Math.max(1, ports.length));
    ports.forEach((edge, i) => {
      const {from} = edge;
      const y = node.y + (i - (ports.length - 1) / 2) * step;
      const [x0, x1, x2] = [from.x + from.w, node.x - lead[node.depth], node.x];
      const bend = (x1 - x0) / 2;
      edge.path = `M${x0} ${from.y}C${x0 + bend} ${from.y} ${x1 - bend} ${y} ${x1} ${y}H${x2 - 1}`;
      edge.box = {left: x0, right: x2, top: Math.min(from.y, y) - 14, bottom: Math.max(from.y, y) + 4};
      edge.at = {x: x2 - 10, y: y - 5, anchor: 'end', room: step >= 12};
    });
  }
  const arcs = new Map();
  for (const link of links) {
    if (link.forward)
      continue;
    const {from, to} = link;
    if (from !== to && from.depth === to.depth) {
      routeBeside(link);
      continue;
    }
    const turn = arcs.get(from) ?? 0;
    arcs.set(from, turn + 1);
    const [x0, y0] = [from.x + from.w * .5, from.y + from.h / 2];
    const [x1, y1] = [to.x + to.w * (from === to ? .8 : .35), to.y + to.h / 2];
    const sag = Math.max(y0, y1) + 30 + turn * 12 + Math.min(160, Math.abs(x0 - x1) * .12);
    link.path = `M${x0} ${y0}C${x0} ${sag} ${x1} ${sag} ${x1} ${y1 + 1}`;
    link.box = {left: Math.min(x0, x1) - 20, right: Math.max(x0, x1) + 20, top: Math.min(y0, y1), bottom: sag};
    link.at = {x: (x0 + x1) / 2, y: (y0 + y1 + 6 * sag) / 8 - 4, anchor: 'middle', room: false};
  }
}
