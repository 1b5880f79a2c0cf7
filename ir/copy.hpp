#pragma once

#include "ir/model.hpp"

namespace tioc::ir {

/// Copies parts of one model into another, with ids and leaves of expressions changed on the way. The target starts
/// with the source's types, channels, shared variables and shared clocks; everything else is added by the pass that
/// uses this. Expressions come along as they are needed.
class Copy {
public:
  explicit Copy(const Model& source);

  /// Gives `id` a copy that belongs to `owner`, under `name`.
  VariableId addVariable(VariableId id, AutomatonId owner, std::string name);
  ClockId addClock(ClockId id, AutomatonId owner, std::string name);

  /// The values of the automaton parameters in what is copied next, as expressions of the source.
  void setArguments(std::vector<ExprId> arguments);

  ClockId clock(ClockId id) const { return clocks_.at(id); }
  VariableId variable(VariableId id) const { return variables_.at(id); }
  ExprId expr(ExprId id);
  Guard guard(const Guard& guard);
  /// Everything of an edge but its locations and groups.
  Edge edge(const Edge& edge);

  Model target;
  const Model& source;

private:
  std::unordered_map<VariableId, VariableId> variables_;
  std::unordered_map<ClockId, ClockId> clocks_;
  std::vector<ExprId> arguments_;
  std::unordered_map<ExprId, ExprId> known_;
};

} // namespace tioc::ir
