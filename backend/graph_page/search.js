// Search: white space and case do not count, so `x=3` finds `x = 3`.

const plain = text => text.toLowerCase().replace(/\s+/g, '');

function textsOf(node) {
  return node.texts ??= {
    place: [node.data.place].map(plain),
    step: node.in.flatMap(edge => [edge.data.label, ...edge.data.edges]).map(plain),
    store: node.data.store.map(({name, value}) => plain(`${name} = ${value}`)),
    condition: node.data.condition.map(plain),
    time: node.data.time.map(plain),
    notes: [...node.data.notes, statusOf(node), `#${node.id}`].map(plain),
  };
}

function matches(node, scope, wanted) {
  const texts = textsOf(node);
  return (scope === 'all' ? Object.values(texts) : [texts[scope]]).some(list => list.some(text => text.includes(wanted)));
}

function showHits() {
  const {hits, hit} = app;
  byId('hits').textContent = !byId('query').value.trim() ? '' : !hits.length ? 'no hit' :
      hit < 0 ? counted(hits.length, 'hit') : `${hit + 1} of ${hits.length.toLocaleString('en')}`;
}

function search() {
  const wanted = plain(byId('query').value);
  app.hits = wanted ? visits.filter(node => matches(node, byId('scope').value, wanted)) : [];
  app.hitSet = new Set(app.hits);
  app.hitAbove = new Set();
  for (const hit of app.hits)
    for (let at = hit.parent; at && !app.hitAbove.has(at); at = at.parent)
      app.hitAbove.add(at);
  app.hit = -1;
  showHits();
  redraw();
}

function jump(by) {
  if (!app.hits.length)
    return;
  app.hit = app.hit < 0 ? (by > 0 ? 0 : app.hits.length - 1) : (app.hit + by + app.hits.length) % app.hits.length;
  select(app.hits[app.hit], true);
  showHits();
}

function searchFor(scope, text) {
  byId('scope').value = scope;
  byId('query').value = text;
  search();
  jump(1);
}
