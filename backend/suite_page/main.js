// What the page is showing, and what the hands do to it.

const app = {verdict: null, edge: null, test: null};

function isListed(test) {
  return (!app.verdict || verdictOf(test) === app.verdict) && (!app.edge || app.edge.tests.has(test));
}

function listTests() {
  byId('tests').replaceChildren(...tests.filter(isListed).map(test => html('li', {}, html('button', {
    'aria-current': String(test === app.test), 'data-test': test.data.name, onclick: () => show(test),
  }, ...(test.run ? [html('span', {class: `badge-word ${test.run.verdict}`}, test.run.verdict)] : []), test.data.name,
     html('span', {class: 'about'}, test.data.about)))));
  byId('chosen').hidden = !app.edge;
  byId('chosen').firstElementChild.textContent = app.edge ? `Tests that cover ${app.edge.outline.what}` : '';
  for (const element of byId('drawing').querySelectorAll('.edge'))
    element.classList.toggle('chosen', edges[element.dataset.edge] === app.edge);
}

function listFilters() {
  if (!hasRuns)
    return;
  const kinds = ['pass', 'fail', 'inconclusive', 'not run'];
  byId('filters').replaceChildren(...kinds.map(kind => [kind, tests.filter(test => verdictOf(test) === kind).length]).filter(([, count]) => count)
      .map(([kind, count]) => html('button', {'aria-pressed': String(app.verdict === kind), onclick: () => {
        app.verdict = app.verdict === kind ? null : kind;
        listFilters();
        listTests();
      }}, `${count} ${kind}`)));
}

function chooseEdge(edge) {
  app.edge = app.edge === edge ? null : edge;
  listTests();
}

// Shows a test, or the coverage of all.
function show(test) {
  app.test = test;
  byId('coverage').hidden = test !== null;
  byId('test').hidden = test === null;
  if (test)
    showTest(test);
  for (const button of byId('tests').querySelectorAll('button'))
    button.setAttribute('aria-current', String(button.dataset.test === test?.data.name));
  byId('content').scrollTop = 0;
  history.replaceState(null, '', test ? `#${encodeURIComponent(test.data.name)}` : '#');
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey)
    return;
  if (event.key === 'Escape') {
    app.edge = null;
    listTests();
    show(null);
  }
  const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
  if (!step || !event.target.closest?.('#tests'))
    return;
  const buttons = [...byId('tests').querySelectorAll('button')];
  buttons[buttons.indexOf(event.target) + step]?.focus();
  event.preventDefault();
}

function showVerdict() {
  const count = kind => tests.filter(test => verdictOf(test) === kind).length;
  const worst = ['fail', 'inconclusive', 'pass'].find(count) ?? 'pass';
  byId('verdict').className = worst;
  byId('verdict').textContent = hasRuns ? ['pass', 'fail', 'inconclusive'].map(kind => `${count(kind)} ${kind}`).join(', ') : counted(tests.length, 'test');
}

function setScheme(scheme) {
  document.documentElement.dataset.scheme = scheme;
}

const dark = matchMedia('(prefers-color-scheme: dark)');
dark.addEventListener('change', () => setScheme(dark.matches ? 'dark' : 'light'));
setScheme(dark.matches ? 'dark' : 'light');
byId('scheme').addEventListener('click', () => setScheme(document.documentElement.dataset.scheme === 'dark' ? 'light' : 'dark'));
byId('overview').addEventListener('click', () => show(null));
byId('clear').addEventListener('click', () => chooseEdge(null));
document.addEventListener('keydown', key);
showVerdict();
showCoverage();
listFilters();
listTests();
const asked = tests.find(test => `#${encodeURIComponent(test.data.name)}` === location.hash);
if (asked)
  show(asked);
