#include "ir/copy.hpp"

namespace tioc::ir {

namespace {

Model shell(const Model& source) {
  Model target;
  target.name = source.name;
  target.secondsPerUnit = source.secondsPerUnit;
  target.types = source.types;
  target.enums = source.enums;
  target.records = source.records;
  target.channels = source.channels;
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
  known_.clear();
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
  known_.clear();
  arguments_.clear();
  for (ExprId& argument : arguments)
    argument = expr(argument);
  arguments_ = std::move(arguments);
  known_.clear();
}

ExprId Copy::expr(ExprId root) {
  if (!root.valid())
    return root;
  const ExprPool& from = source.exprs;
  from.visit(root, [&](ExprId id) {
    if (known_.contains(id))
      return;
    ExprId copy;
    if (from.op(id) == Op::Variable) {
      copy = target.exprs.variable(variables_.at(VariableId(from.payload(id))), from.type(id));
    } else if (from.op(id) == Op::Parameter && from.payload(id) < arguments_.size()) {
      copy = arguments_[from.payload(id)];
    } else {
      std::vector<ExprId> operands;
      for (ExprId operand : from.operands(id))
        operands.push_back(known_.at(operand));
      copy = target.exprs.adopt(from, id, operands);
    }
    known_[id] = copy;
  });
  return known_.at(root);
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
  if (edge.deadline)
    result.deadline = guard(*edge.deadline);
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
