#include "runtime/explore/tree_graph.hpp"

#include "ir/print.hpp"
#include "runtime/zones/print.hpp"

#include <algorithm>

namespace tioc::explore {

using semantics::SymbolicState;
using semantics::SymbolicStep;
using semantics::TimeKind;
using semantics::Visibility;

Namer::Namer(semantics::Symbols& symbols, const semantics::Network& network) : symbols_(symbols), network_(network) {}

std::string Namer::expr(ir::ExprId expr) const {
  const solver::Unknowns& unknowns = symbols_.unknowns();
  for (auto i = static_cast<uint32_t>(names_.parameters.size()); i < unknowns.size(); ++i)
    names_.parameters.push_back({unknowns.name(i), unknowns.type(i)});
  return symbols_.pool().type(expr) == symbols_.model().types.real()
             ? ir::printTime(symbols_.model(), expr, nullptr, &names_)
             : ir::printExpr(symbols_.model(), expr, nullptr, &names_);
}

std::string Namer::place(const SymbolicState& state) const {
  std::string text;
  for (ir::LocationId id : state.at)
    text += (text.empty() ? "" : ", ") + symbols_.model()[id].name;
  return text;
}

std::string Namer::label(const SymbolicStep& step) const {
  if (!step.channel.valid())
    return "tau";
  std::string text = symbols_.model()[step.channel].name;
  text += step.visibility == Visibility::Input ? "?" : step.visibility == Visibility::Output ? "!" : "";
  for (size_t i = 0; i < step.values.size(); ++i)
    text += (i ? ", " : "(") + expr(step.values[i]);
  return text + (step.values.empty() ? "" : ")");
}

std::string Namer::variable(ir::VariableId id) const {
  const ir::Variable& variable = symbols_.model()[id];
  return variable.owner.valid() && network_.size() > 1 ? symbols_.model()[variable.owner].name + "." + variable.name
                                                       : variable.name;
}

std::string Namer::edge(ir::EdgeId id) const {
  const ir::Edge& edge = symbols_.model()[id];
  const ir::Automaton& owner = symbols_.model()[symbols_.model()[edge.source].automaton];
  const std::string name = edge.name.empty() ? "" : edge.name + ": ";
  return owner.name + "." + symbols_.model()[edge.source].name + ": " + name +
         ir::printEdge(symbols_.model(), edge, owner);
}

std::vector<std::string> Namer::clocks() const {
  std::vector<std::string> names;
  for (zones::Clock x = 0; x < network_.dim(); ++x) {
    const ir::Clock& clock = symbols_.model()[network_.clockId(x)];
    names.push_back(clock.owner.valid() && network_.size() > 1 ? symbols_.model()[clock.owner].name + "." + clock.name
                                                               : clock.name);
  }
  return names;
}

namespace {

ir::GraphNode nodeOf(const TreeNode& node, const Namer& names, const std::vector<std::string>& clocks,
                     semantics::Symbols& symbols, const semantics::Network& network, TimeKind time) {
  const SymbolicState& state = node.state;
  ir::GraphNode result;
  result.place = names.place(state);
  for (size_t i = 0; i < state.store.size(); ++i)
    result.store.emplace_back(names.variable(network.variables()[i]), names.expr(state.store[i]));
  for (ir::ExprId condition : state.conditions)
    result.condition.push_back(names.expr(condition));
  if (time == TimeKind::Zones) {
    if (network.dim() > 1)
      result.time.push_back(zones::toString(state.zone, clocks));
  } else {
    const std::string now = names.expr(symbols.expr(state.now));
    for (zones::Clock x = 1; x < state.since.size(); ++x)
      result.time.push_back(clocks[x] + " = " + now + " - (" + names.expr(symbols.expr(state.since[x])) + ")");
  }
  if (node.quiescent && !symbols.pool().isFalse(*node.quiescent))
    result.notes.push_back(symbols.pool().isTrue(*node.quiescent) ? "quiescent: no output follows"
                                                                  : "quiescent where " + names.expr(*node.quiescent));
  result.coveredBy = node.coveredBy;
  result.uncertain = state.uncertain;
  result.open = node.open;
  return result;
}

} // namespace

ir::Graph graphOf(const Tree& tree, semantics::Symbols& symbols, const semantics::Network& network, TimeKind time) {
  const Namer names(symbols, network);
  const std::vector<std::string> clocks = names.clocks();
  ir::Graph graph;
  graph.title = symbols.model().systems[0].name;
  graph.isTree = true;
  graph.stopped = tree.stopped();
  for (uint32_t i = 0; i < tree.nodes().size(); ++i) {
    const TreeNode& node = tree.nodes()[i];
    graph.nodes.push_back(nodeOf(node, names, clocks, symbols, network, time));
    if (node.parent == UINT32_MAX)
      continue;
    ir::GraphEdge edge;
    edge.from = node.parent;
    edge.to = i;
    edge.action = node.step.visibility == Visibility::Input    ? ir::GraphAction::Input
                  : node.step.visibility == Visibility::Output ? ir::GraphAction::Output
                                                               : ir::GraphAction::Unobservable;
    edge.label = names.label(node.step);
    for (ir::EdgeId id : node.step.edges)
      edge.edges.push_back(names.edge(id));
    edge.span = symbols.model()[node.step.edges[0]].span;
    graph.edges.push_back(std::move(edge));
  }
  return graph;
}

} // namespace tioc::explore
