#include "vdta/simulator.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace tioc::vdta {

bool State::operator<(const State& other) const {
  return std::tie(location, purpose, variables, clocks) <
         std::tie(other.location, other.purpose, other.variables, other.clocks);
}

bool Change::operator<(const Change& other) const {
  return std::tie(time, outputs) < std::tie(other.time, other.outputs);
}

bool Observation::operator<(const Observation& other) const {
  return std::tie(changes, mark) < std::tie(other.changes, other.mark);
}

namespace {

std::vector<Value> valuesOfType(const ir::Model& model, ir::TypeId id) {
  const ir::Type& type = model.types[id];
  std::vector<Value> result;
  Rational first = 0, last = 1;
  if (type.kind == ir::TypeKind::Enum)
    last = static_cast<int64_t>(model[type.enumeration].literals.size()) - 1;
  else if (type.kind == ir::TypeKind::Int && type.range)
    first = type.range->first, last = type.range->last;
  else if (type.kind != ir::TypeKind::Bool)
    throw std::logic_error("a type with too many values for the simulator");
  for (; first <= last; first = first + 1)
    result.push_back({first, {}});
  return result;
}

/// Every choice of one element of each list.
std::vector<Signals> combinations(const std::vector<std::vector<Value>>& lists) {
  std::vector<Signals> result{{}};
  for (const std::vector<Value>& list : lists) {
    std::vector<Signals> longer;
    for (const Signals& known : result)
      for (const Value& value : list) {
        longer.push_back(known);
        longer.back().push_back(value);
      }
    result = std::move(longer);
  }
  return result;
}

} // namespace

Simulator::Simulator(const ir::Model& model, ir::AutomatonId purpose, Rational grid)
    : model_(model), spec_(model.systems[0].components[0].automaton), purpose_(purpose), grid_(std::move(grid)) {
  for (ir::VariableId id : model[spec_].variables)
    (model[id].role == ir::Role::Input ? inputs_ : outputs_).push_back(id);
}

std::vector<State> Simulator::initial() const {
  std::vector<ir::VariableId> all = model_[spec_].variables;
  std::vector<ir::ClockId> clocks = model_[spec_].clocks;
  if (purpose_.valid()) {
    const ir::Automaton& purpose = model_[purpose_];
    all.insert(all.end(), purpose.variables.begin(), purpose.variables.end());
    clocks.insert(clocks.end(), purpose.clocks.begin(), purpose.clocks.end());
  }
  std::vector<std::vector<Value>> lists;
  for (ir::VariableId id : all)
    lists.push_back(model_[id].initial.valid()
                        ? std::vector<Value>{*ir::reference::evaluate(model_, model_[id].initial, {})}
                        : valuesOfType(model_, model_[id].type));
  std::vector<State> result;
  for (const Signals& values : combinations(lists)) {
    State state;
    state.location = model_[spec_].initial;
    if (purpose_.valid())
      state.purpose = model_[purpose_].initial;
    for (size_t i = 0; i < all.size(); ++i)
      state.variables[all[i].value] = values[i];
    state.clocks[0] = 0;
    for (ir::ClockId id : clocks)
      state.clocks[id.value] = 0;
    const auto condition = ir::reference::evaluate(model_, model_[spec_].initialCondition, {state.variables, {}});
    if (condition && !condition->number.isZero())
      result.push_back(std::move(state));
  }
  return result;
}

std::vector<ir::EdgeId> Simulator::enabled(const State& state, ir::AutomatonId automaton, ir::LocationId at) const {
  std::vector<ir::EdgeId> result;
  if (automaton.valid())
    for (ir::EdgeId id : model_[automaton].edges)
      if (model_[id].source == at &&
          ir::reference::holds(model_, model_[id].guard, {state.variables, {}}, state.clocks))
        result.push_back(id);
  return result;
}

void Simulator::apply(State& to, const State& from, const ir::Edge& edge) const {
  for (const ir::Update& update : edge.updates)
    to.variables[update.variable.value] = ir::reference::evaluate(model_, update.value, {from.variables, {}}).value();
  for (const ir::Reset& reset : edge.resets)
    to.clocks[reset.clock.value] = reset.source.valid()
                                       ? from.clocks.at(reset.source.value)
                                       : ir::reference::evaluate(model_, reset.value, {from.variables, {}})->number;
}

std::vector<State> Simulator::urgent(const State& state) const {
  const std::vector<ir::EdgeId> own = enabled(state, spec_, state.location);
  const std::vector<ir::EdgeId> observers = enabled(state, purpose_, state.purpose);
  std::vector<State> result;
  const auto step = [&](const ir::Edge* edge, const ir::Edge* observer) {
    State next = state;
    if (edge) {
      apply(next, state, *edge);
      next.location = edge->target;
    }
    if (observer) {
      apply(next, state, *observer);
      next.purpose = observer->target;
    }
    result.push_back(std::move(next));
  };
  for (ir::EdgeId id : own) {
    if (observers.empty())
      step(&model_[id], nullptr);
    for (ir::EdgeId other : observers)
      step(&model_[id], &model_[other]);
  }
  if (own.empty())
    for (ir::EdgeId other : observers)
      step(nullptr, &model_[other]);
  return result;
}

std::optional<std::set<State>> Simulator::settle(const State& start) const {
  std::set<State> stable;
  std::set<State> done; // everything behind it is known
  std::vector<State> path{start};
  std::vector<std::vector<State>> todo{urgent(start)};
  if (todo[0].empty())
    stable.insert(start);
  while (!path.empty()) {
    if (todo.back().empty()) {
      done.insert(path.back());
      path.pop_back();
      todo.pop_back();
      continue;
    }
    State next = std::move(todo.back().back());
    todo.back().pop_back();
    if (std::find(path.begin(), path.end(), next) != path.end())
      return std::nullopt;
    if (done.contains(next))
      continue;
    std::vector<State> behind = urgent(next);
    if (behind.empty())
      stable.insert(next);
    path.push_back(std::move(next));
    todo.push_back(std::move(behind));
  }
  return stable;
}

State Simulator::withInputs(State state, const Signals& inputs) const {
  for (size_t i = 0; i < inputs_.size(); ++i)
    state.variables[inputs_[i].value] = inputs[i];
  return state;
}

State Simulator::later(State state) const {
  for (auto& [id, value] : state.clocks)
    if (id != 0)
      value = value + grid_;
  return state;
}

Signals Simulator::valuesOf(const State& state, const std::vector<ir::VariableId>& which) const {
  Signals result;
  for (ir::VariableId id : which)
    result.push_back(state.variables.at(id.value));
  return result;
}

std::vector<Signals> Simulator::allInputs() const {
  std::vector<std::vector<Value>> lists;
  for (ir::VariableId id : inputs_)
    lists.push_back(valuesOfType(model_, model_[id].type));
  return combinations(lists);
}

std::optional<std::set<Observation>> observations(const Simulator& simulator, const Schedule& schedule, unsigned steps,
                                                  const Rational& grid) {
  struct Run {
    State state;
    Signals seen;
    std::vector<Change> changes;
    bool operator<(const Run& other) const {
      return std::tie(state, seen, changes) < std::tie(other.state, other.seen, other.changes);
    }
  };
  std::set<Run> runs;
  for (const State& state : simulator.initial())
    runs.insert({state, simulator.outputs(state), {}});
  const auto settleAll = [&](const Rational& now) {
    std::set<Run> settled;
    for (const Run& run : runs) {
      const auto stable = simulator.settle(run.state);
      if (!stable)
        return false;
      for (const State& state : *stable) {
        Run next{state, run.seen, run.changes};
        if (simulator.outputs(state) != run.seen) {
          next.seen = simulator.outputs(state);
          next.changes.push_back({now, next.seen});
        }
        settled.insert(std::move(next));
      }
    }
    runs = std::move(settled);
    return true;
  };
  Rational now = 0;
  for (unsigned i = 0; i <= steps; ++i, now = now + grid) {
    if (!settleAll(now))
      return std::nullopt;
    std::set<Run> next;
    if (const auto inputs = schedule.find(i); inputs != schedule.end()) {
      for (const Run& run : runs)
        next.insert({simulator.withInputs(run.state, inputs->second), run.seen, run.changes});
      runs = std::move(next);
      if (!settleAll(now))
        return std::nullopt;
      next.clear();
    }
    for (const Run& run : runs)
      next.insert({simulator.later(run.state), run.seen, run.changes});
    if (i < steps)
      runs = std::move(next);
  }
  std::set<Observation> result;
  for (const Run& run : runs)
    result.insert({run.changes, simulator.mark(run.state)});
  return result;
}

} // namespace tioc::vdta
