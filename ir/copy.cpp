#include "ir/copy.hpp"

namespace tioc::ir {

namespace {

Model shell(const Model& source) {
  Model target(source);
  target.variables.clear();
  target.clocks.resize(1);
  target.locations.clear();
  target.edges.clear();
  target.groups.clear();
  target.automata.clear();
  target.systems.clear();
  target.suites.clear();
  return target;
}

} // namespace

Copy::Copy(const Model& from) : target(shell(from)), source(from) {
  clocks_[Model::zeroClock()] = Model::zeroClock();
  for (size_t i = 0; i < from.variables.size(); ++i)
    if (!from.variables[i].owner.valid())
      addVariable(VariableId(i), {}, from.variables[i].name);
  for (size_t i = 1; i < from.clocks.size(); ++i)
    if (!from.clocks[i].owner.valid())
      addClock(ClockId(i), {}, from.clocks[i].name);
}

VariableId Copy::addVariable(VariableId id, AutomatonId owner, std::string name) {
  VariableId copy(target.variables.size());
  variables_[id] = copy;
  Variable variable = source[id];
  variable.name = std::move(name);
  variable.owner = owner;
  target.variables.push_back(std::move(variable));
  if (source[id].initial.valid())
    target[copy].initial = expr(source[id].initial);
  return copy;
}

ClockId Copy::addClock(ClockId id, AutomatonId owner, std::string name) {
  ClockId copy(target.clocks.size());
  clocks_[id] = copy;
  target.clocks.push_back({std::move(name), owner, source[id].span});
  return copy;
}

void Copy::setArguments(std::vector<ExprId> arguments) {
  arguments_ = std::move(arguments);
}

ExprId Copy::expr(ExprId id) {
  if (!id.valid())
    return id;
  // The target's pool began as a copy of the source's, so ids of the source mean the same there.
  return target.exprs.substitute(id, [&](ExprId leaf) -> ExprId {
    if (target.exprs.op(leaf) == Op::Variable)
      return target.exprs.variable(variables_.at(VariableId(target.exprs.payload(leaf))), target.exprs.type(leaf));
    if (target.exprs.op(leaf) == Op::Parameter && !arguments_.empty())
      return arguments_.at(target.exprs.payload(leaf));
    return {};
  });
}

Guard Copy::guard(const Guard& guard) {
  Guard result{expr(guard.data), {}};
  for (const ClockConstraint& c : guard.clocks)
    result.clocks.push_back({clock(c.left), clock(c.right), c.strict, expr(c.bound), c.span});
  return result;
}

Edge Copy::edge(const Edge& edge) {
  Edge result = edge;
  result.guard = guard(edge.guard);
  for (Update& update : result.updates)
    update = {variable(update.variable), expr(update.value)};
  for (Reset& reset : result.resets)
    reset = {clock(reset.clock), reset.source.valid() ? clock(reset.source) : reset.source, expr(reset.value)};
  result.minDuration = expr(edge.minDuration);
  result.maxDuration = expr(edge.maxDuration);
  result.jitter = expr(edge.jitter);
  return result;
}

} // namespace tioc::ir
