#include "samples.hpp"

#include <algorithm>

namespace tioc::samples {

using namespace ir;

namespace {

GraphNode node(std::string place, std::vector<std::pair<std::string, std::string>> store,
               std::vector<std::string> condition, std::vector<std::string> time, std::vector<std::string> notes = {}) {
  GraphNode result;
  result.place = std::move(place);
  result.store = std::move(store);
  result.condition = std::move(condition);
  result.time = std::move(time);
  result.notes = std::move(notes);
  return result;
}

GraphEdge edge(uint32_t from, uint32_t to, GraphAction action, std::string label, std::vector<std::string> edges = {}) {
  GraphEdge result;
  result.from = from;
  result.to = to;
  result.action = action;
  result.label = std::move(label);
  result.edges = std::move(edges);
  return result;
}

std::string text(uint32_t number) {
  return std::to_string(number);
}

} // namespace

Graph atmTree() {
  const auto input = GraphAction::Input, output = GraphAction::Output, hidden = GraphAction::Unobservable;
  const std::string request = "Idle: Withdrawal?(amount) when amount > 0 do requested := amount, t := 0 -> Verify";
  const std::string dispense = "Verify: DispenseCash!(requested) when requested <= balance && t <= 10 -> Idle";
  const std::string refuse = "Verify: InsufficientFunds!(amount) when requested > balance && t <= 2 do t := 0 -> Print";
  const std::string print = "Print: PrintBalance!(balance) when t <= 5 -> Idle";
  Graph graph;
  graph.title = "Atm";
  graph.isTree = true;
  graph.stopped = "depth 5";
  graph.facts = {{"solver queries", "31"}, {"answered without solver", "24"}, {"time", "4.1 ms"}};
  graph.nodes = {
      node("Idle", {{"balance", "balance#0"}, {"requested", "requested#0"}}, {"balance#0 > 0"}, {"t >= 0"},
           {"quiescent"}),
      node("Verify", {{"balance", "balance#0"}, {"requested", "amount#1"}}, {"balance#0 > 0", "amount#1 > 0"},
           {"0 <= t", "t <= 10"}),
      node("Idle", {{"balance", "balance#0 - amount#1"}, {"requested", "amount#1"}},
           {"balance#0 > 0", "amount#1 > 0", "amount#1 <= balance#0"}, {"t >= 0"}, {"quiescent"}),
      node("Print", {{"balance", "balance#0"}, {"requested", "amount#1"}},
           {"balance#0 > 0", "amount#1 > 0", "amount#1 > balance#0"}, {"0 <= t", "t <= 5"}),
      node("Verify", {{"balance", "balance#0 - amount#1"}, {"requested", "amount#2"}},
           {"balance#0 > 0", "amount#1 > 0", "amount#1 <= balance#0", "amount#2 > 0"}, {"0 <= t", "t <= 10"}),
      node("Idle", {{"balance", "balance#0"}, {"requested", "amount#1"}},
           {"balance#0 > 0", "amount#1 > 0", "amount#1 > balance#0"}, {"t >= 0"}, {"quiescent"}),
      node("Idle", {{"balance", "balance#0 - amount#1 - amount#2"}, {"requested", "amount#2"}},
           {"balance#0 > 0", "amount#1 > 0", "amount#1 <= balance#0", "amount#2 > 0",
            "amount#2 <= balance#0 - amount#1"},
           {"t >= 0"}),
      node(
          "Print", {{"balance", "balance#0 - amount#1"}, {"requested", "amount#2"}},
          {"balance#0 > 0", "amount#1 > 0", "amount#1 <= balance#0", "amount#2 > 0", "amount#2 > balance#0 - amount#1"},
          {"0 <= t", "t <= 5"}),
      node("Broken", {{"balance", "balance#0"}, {"requested", "amount#1"}},
           {"balance#0 > 0", "amount#1 > 0", "amount#1 * amount#1 == 7 * balance#0"}, {"t == 10"},
           {"time cannot pass"}),
  };
  graph.nodes[5].coveredBy = 0;
  graph.nodes[6].mark = Mark::Accept;
  graph.nodes[7].open = true;
  graph.nodes[8].mark = Mark::Reject;
  graph.nodes[3].uncertain = true;
  graph.edges = {
      edge(0, 1, input, "Withdrawal?(amount#1)", {request}),
      edge(1, 2, output, "DispenseCash!(amount#1)", {dispense}),
      edge(1, 3, output, "InsufficientFunds!(amount#1)", {refuse}),
      edge(1, 8, hidden, "τ", {"Verify: eager when t == 10 -> Broken"}),
      edge(2, 4, input, "Withdrawal?(amount#2)", {request}),
      edge(3, 5, output, "PrintBalance!(balance#0)", {print}),
      edge(4, 6, output, "DispenseCash!(amount#2)", {dispense}),
      edge(4, 7, output, "InsufficientFunds!(amount#2)", {refuse}),
  };
  return graph;
}

Graph lightGraph() {
  const auto input = GraphAction::Input, output = GraphAction::Output, hidden = GraphAction::Unobservable;
  Graph graph;
  graph.title = "Light";
  graph.facts = {{"zones stored", "8"}, {"zones covered", "3"}, {"memory", "12 kB"}};
  graph.nodes = {
      node("Ready, Off", {{"taps", "0"}}, {}, {"x >= 0", "y >= 0"}, {"quiescent"}),
      node("Touched, Off", {{"taps", "1"}}, {}, {"0 <= x", "x <= 1", "y - x >= 0"}),
      node("Twice, Off", {{"taps", "2"}}, {}, {"x < 1", "y - x >= 0"}),
      node("Ready, Dimming", {{"taps", "1"}}, {}, {"x - y == 1", "y <= 2"}),
      node("Ready, Brightening", {{"taps", "2"}}, {}, {"x - y < 1", "y <= 2"}),
      node("Ready, Dim", {{"taps", "1"}}, {}, {"1 <= y", "x - y == 1"}),
      node("Ready, Bright", {{"taps", "2"}}, {}, {"1 <= y", "x - y < 1"}),
      node("Touched, Dim", {{"taps", "2"}}, {}, {"0 <= x", "x <= 1", "y >= 1"}),
  };
  graph.edges = {
      edge(0, 1, input, "touch?"),   edge(1, 2, input, "touch?"),  edge(1, 3, hidden, "single"),
      edge(2, 4, hidden, "double"),  edge(3, 5, output, "dim!"),   edge(4, 6, output, "bright!"),
      edge(5, 7, input, "touch?"),   edge(5, 0, output, "off!"),   edge(6, 0, output, "off!"),
      edge(7, 0, output, "off!"),    edge(7, 4, hidden, "double"), edge(3, 3, hidden, "blink"),
      edge(4, 6, output, "dazzle!"), edge(6, 7, input, "touch?"),
  };
  return graph;
}

Graph largeTree(uint32_t size) {
  const char* places[] = {"Idle", "Verify", "Print", "Retry"};
  const GraphAction actions[] = {GraphAction::Input, GraphAction::Output, GraphAction::Unobservable};
  Graph graph;
  graph.title = "A tree of " + text(size) + " states";
  graph.isTree = true;
  graph.stopped = "states " + text(size);
  graph.facts = {{"time", "0.2 s"}};
  for (uint32_t i = 0; i < size; ++i) {
    uint32_t parent = i * 5 / 13; // some states have two children, some three
    graph.nodes.push_back(node(places[i % 4], {{"balance", text(i * 7 % 101)}, {"turn", text(i)}},
                               {"amount#" + text(i) + " > " + text(i % 9)}, {"t <= " + text(i % 11)}));
    graph.nodes[i].open = i * 13 / 5 > size && i % 3 == 0;
    if (i % 17 == 16)
      graph.nodes[i].mark = i % 2 ? Mark::Accept : Mark::Reject;
    if (i)
      graph.edges.push_back(edge(parent, i, actions[i % 3], "step" + text(i % 23) + "(" + text(i) + ")"));
  }
  return graph;
}

Graph star(uint32_t size) {
  Graph graph;
  graph.title = "A star of " + text(size) + " states";
  graph.isTree = true;
  for (uint32_t i = 0; i < size; ++i) {
    graph.nodes.push_back(node(i ? "Ray" : "Middle", {{"n", text(i)}}, {}, {}));
    if (i)
      graph.edges.push_back(edge(0, i, GraphAction::Unobservable, "choose(" + text(i) + ")"));
  }
  return graph;
}

Graph largeGraph(uint32_t size) {
  Graph graph;
  graph.title = "A network of " + text(size) + " states";
  const uint32_t side = 71;
  for (uint32_t i = 0; i < size; ++i) {
    uint32_t row = i / side, column = i % side;
    graph.nodes.push_back(node("P1.Run" + text(row % 5) + ", P2.Wait" + text(column % 7) + ", Bus.Busy" + text(i % 3),
                               {{"id", text(i % 6)}}, {}, {"x" + text(i % 4) + " <= " + text(i % 10)}));
    if (column)
      graph.edges.push_back(edge(i - 1, i, GraphAction::Unobservable, "send" + text(column % 7)));
    if (row)
      graph.edges.push_back(edge(i - side, i, GraphAction::Output, "done" + text(row % 5) + "!"));
    if (i % 50 == 49)
      graph.edges.push_back(edge(i, i / 3, GraphAction::Input, "reset?"));
  }
  return graph;
}

Graph hostileGraph() {
  const std::string nasty =
      "</script><script>document.title='broken'</script>\"'&amp;\\n{{graph}}<!--\n\u00e9\u2028\U0001F512";
  Graph graph;
  graph.title = nasty;
  graph.stopped = nasty;
  graph.facts = {{nasty, nasty}};
  graph.nodes = {node(nasty, {{nasty, nasty}}, {nasty}, {nasty}, {nasty}), node("plain", {}, {}, {})};
  graph.edges = {edge(0, 1, GraphAction::Output, nasty, {nasty})};
  return graph;
}

} // namespace tioc::samples
