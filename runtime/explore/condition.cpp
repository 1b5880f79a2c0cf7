#include "runtime/explore/condition.hpp"

#include "runtime/explore/reach_concrete.hpp"
#include "runtime/explore/reach_run.hpp"

#include <algorithm>

namespace tioc::explore {

std::optional<Target> targetOf(const Condition& condition, const semantics::Network& network) {
  Target target{condition.locations, condition.guard.data, {}};
  for (const ir::ClockConstraint& c : condition.guard.clocks) {
    const ir::Rational* const number = network.model().exprs.number(c.bound);
    const auto value = number ? number->toInt64() : std::nullopt;
    const auto bound = value ? zones::Bound::make(*value, !c.strict) : std::nullopt;
    if (!bound)
      return std::nullopt;
    target.clocks.push_back({network.clock(c.left), network.clock(c.right), *bound});
  }
  return target;
}

Replay replay(const ir::Model& model, const TimedRun& run) {
  Replay result;
  result.complaint = validateRun(model, run);
  if (result.complaint)
    return result;
  ConcreteNetwork network(model);
  const auto note = [&] {
    result.states.push_back({{network.at().begin(), network.at().end()},
                             {network.frame(), network.frame() + network.layout().stateSize()},
                             {network.clocks().begin(), network.clocks().end()}});
  };
  result.complaint = network.start(run.initial);
  note();
  for (size_t i = 0; i < run.steps.size() && !result.complaint; ++i) {
    result.complaint = network.wait(run.steps[i].delay);
    if (!result.complaint)
      result.complaint = network.take(run.steps[i].step);
    note();
  }
  if (!result.complaint)
    result.complaint = network.wait(run.delay);
  note();
  return result;
}

bool holds(const Condition& condition, const semantics::Network& network, const eval::Layout& layout,
           const RunState& state) {
  for (ir::LocationId id : condition.locations) {
    const uint32_t component = network.componentOf(id);
    const bool occupied =
        std::any_of(condition.locations.begin(), condition.locations.end(), [&](ir::LocationId other) {
          return network.componentOf(other) == component && state.at[component] == other;
        });
    if (!occupied)
      return false;
  }
  const auto value = [&](ir::ExprId expr) { return eval::evaluate(layout, expr, nullptr, state.variables.data()); };
  if (condition.guard.data.valid()) {
    const eval::Result data = value(condition.guard.data);
    if (!data.ok() || !data.value.isTrue())
      return false;
  }
  return std::all_of(condition.guard.clocks.begin(), condition.guard.clocks.end(), [&](const ir::ClockConstraint& c) {
    const ir::Rational difference = state.clocks[network.clock(c.left)] - state.clocks[network.clock(c.right)];
    const eval::Result bound = value(c.bound);
    return bound.ok() && (c.strict ? difference < bound.value.number : difference <= bound.value.number);
  });
}

} // namespace tioc::explore
