#include "ir/model.hpp"

#include <algorithm>

namespace tioc::ir {

Model::Model() : exprs(types) {
  clocks.push_back({.name = "0", .owner = {}, .span = {}});
}

// The pool refers to the type table beside it, so it is moved together with the table's new place.
Model::Model(Model&& other) noexcept
    : name(std::move(other.name)), secondsPerUnit(std::move(other.secondsPerUnit)), types(std::move(other.types)),
      exprs(std::move(other.exprs), types), enums(std::move(other.enums)), records(std::move(other.records)),
      channels(std::move(other.channels)), variables(std::move(other.variables)), clocks(std::move(other.clocks)),
      locations(std::move(other.locations)), edges(std::move(other.edges)), groups(std::move(other.groups)),
      automata(std::move(other.automata)), systems(std::move(other.systems)), suites(std::move(other.suites)) {}

Model::Model(const Model& other)
    : name(other.name), secondsPerUnit(other.secondsPerUnit), types(other.types), exprs(other.exprs, types),
      enums(other.enums), records(other.records), channels(other.channels), variables(other.variables),
      clocks(other.clocks), locations(other.locations), edges(other.edges), groups(other.groups),
      automata(other.automata), systems(other.systems), suites(other.suites) {}

Model& Model::operator=(Model&& other) noexcept {
  if (this != &other) {
    std::destroy_at(this);
    std::construct_at(this, std::move(other));
  }
  return *this;
}

Urgency defaultUrgency(AutomatonKind kind, ActionKind action) {
  if (kind == AutomatonKind::Purpose)
    return action == ActionKind::Update ? Urgency::Eager : Urgency::Lazy;
  if (action == ActionKind::Receive)
    return Urgency::Lazy;
  if (kind == AutomatonKind::Tiosts && action == ActionKind::Send)
    return Urgency::Delayable;
  return Urgency::Eager;
}

std::vector<EdgeId> edgesFrom(const Model& model, const Automaton& automaton, LocationId location) {
  std::vector<EdgeId> result;
  for (EdgeId id : automaton.edges)
    if (model[id].source == location)
      result.push_back(id);
  return result;
}

bool restartsByDefault(const Model& model, const Edge& edge, GroupId id) {
  const std::vector<LocationId>& members = model[id].locations;
  auto inside = [&](LocationId location) {
    return std::find(members.begin(), members.end(), location) != members.end();
  };
  return inside(edge.target) && (edge.delayGroup == id || !inside(edge.source));
}

namespace {

void forEachInGuard(Guard& guard, const std::function<void(ExprId&, bool)>& fn) {
  if (guard.data.valid())
    fn(guard.data, false);
  for (ClockConstraint& constraint : guard.clocks)
    fn(constraint.bound, true);
}

} // namespace

void forEachExpr(Model& model, const std::function<void(ExprId& expr, bool isTime)>& fn) {
  auto optional = [&](ExprId& id, bool isTime) {
    if (id.valid())
      fn(id, isTime);
  };
  for (Variable& variable : model.variables)
    optional(variable.initial, false);
  for (Location& location : model.locations)
    forEachInGuard(location.invariant, fn);
  for (Edge& edge : model.edges) {
    forEachInGuard(edge.guard, fn);
    if (edge.deadline)
      forEachInGuard(*edge.deadline, fn);
    for (Update& update : edge.updates)
      fn(update.value, false);
    for (Reset& reset : edge.resets)
      fn(reset.value, true);
    optional(edge.minDuration, true);
    optional(edge.maxDuration, true);
    optional(edge.jitter, true);
  }
  for (TimingGroup& group : model.groups)
    optional(group.timeout, true);
  for (Automaton& automaton : model.automata)
    optional(automaton.initialCondition, false);
  for (System& system : model.systems)
    for (Component& component : system.components)
      for (ExprId& argument : component.arguments)
        optional(argument, false);
}

} // namespace tioc::ir
