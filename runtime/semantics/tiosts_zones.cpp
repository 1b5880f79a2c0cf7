#include "runtime/semantics/tiosts.hpp"

#include <algorithm>

// Waiting and resetting where time is held in zones.
namespace tioc::semantics {

using ir::EdgeId;
using ir::ExprId;

/// Goes on with the part of the draft where the condition holds and with the rest.
void Tiosts::split(SymbolicState&& draft, ExprId condition, const Branch& yes, const Branch& no) {
  if (pool_.isTrue(condition) || symbols_.isAssumed(draft, condition))
    return yes(std::move(draft));
  const ExprId opposite = pool_.negation(condition);
  if (pool_.isTrue(opposite) || symbols_.isAssumed(draft, opposite))
    return no(std::move(draft));
  SymbolicState other = draft;
  if (symbols_.assume(draft, condition) && symbols_.isFeasible(draft))
    yes(std::move(draft));
  if (symbols_.assume(other, opposite) && symbols_.isFeasible(other))
    no(std::move(other));
}

/// Settles which of the chances from `at` on bind, then lets time pass.
void Tiosts::waitInZone(SymbolicState&& draft, const Limits& limits, size_t at, std::vector<const Binding*>& bindings,
                        const Branch& sink) {
  if (limits.stopped)
    return sink(std::move(draft));
  if (at == limits.chances.size())
    return waitAtLocations(std::move(draft), limits, bindings, sink);
  const Chance& chance = limits.chances[at];
  const Binding& binding = waiting_.of({chance.urgency, chance.edges});
  const bool never = binding.never || (!binding.diagonal && binding.urgency == zones::Urgency::Delayable &&
                                       std::none_of(binding.guard.begin(), binding.guard.end(),
                                                    [](const zones::Constraint& c) { return c.right == 0; }));
  if (never) // no last instant
    return waitInZone(std::move(draft), limits, at + 1, bindings, sink);
  split(
      std::move(draft), chance.enabled,
      [&](SymbolicState&& binds) {
        bindings.push_back(&binding);
        waitInZone(std::move(binds), limits, at + 1, bindings, sink);
        bindings.pop_back();
      },
      [&](SymbolicState&& free) { waitInZone(std::move(free), limits, at + 1, bindings, sink); });
}

void Tiosts::waitAtLocations(SymbolicState&& draft, const Limits& limits, std::vector<const Binding*>& bindings,
                             const Branch& sink) {
  if (limits.locations.empty())
    return elapse(std::move(draft), bindings, {}, sink);
  std::vector<std::vector<bool>> ready(limits.locations.size());
  decideEdges(std::move(draft), limits, 0, 0, ready, [&](SymbolicState&& known) {
    elapse(std::move(known), bindings, limitsOfLocations(limits, ready), sink);
  });
}

void Tiosts::decideEdges(SymbolicState&& draft, const Limits& limits, size_t location, size_t edge,
                         std::vector<std::vector<bool>>& ready, const Branch& sink) {
  if (location == limits.locations.size())
    return sink(std::move(draft));
  if (edge == limits.locations[location].edges.size())
    return decideEdges(std::move(draft), limits, location + 1, 0, ready, sink);
  const auto go = [&](bool answer) {
    return [&, answer](SymbolicState&& known) {
      ready[location].push_back(answer);
      decideEdges(std::move(known), limits, location, edge + 1, ready, sink);
      ready[location].pop_back();
    };
  };
  split(std::move(draft), limits.locations[location].edges[edge].enabled, go(true), go(false));
}

std::vector<zones::Limit> Tiosts::limitsOfLocations(const Limits& limits,
                                                    const std::vector<std::vector<bool>>& ready) const {
  std::vector<zones::Limit> result;
  std::vector<EdgeId> edges;
  for (size_t i = 0; i < limits.locations.size(); ++i) {
    edges.clear();
    for (size_t e = 0; e < limits.locations[i].edges.size(); ++e)
      if (ready[i][e])
        edges.push_back(limits.locations[i].edges[e].edges[0]);
    if (auto limit = locationDeadlines_.limit(edges, identity_.data(), network_.dim()))
      result.push_back(std::move(*limit));
  }
  return result;
}

void Tiosts::elapse(SymbolicState&& draft, std::span<const Binding* const> bindings,
                    std::span<const zones::Limit> limits, const Branch& sink) {
  std::vector<zones::Constraint> invariants;
  for (ir::LocationId id : draft.at)
    invariants.insert(invariants.end(), clocks_.invariant(id).begin(), clocks_.invariant(id).end());
  zones::Federation several(network_.dim());
  std::vector<zones::Bound> matrix(draft.zone.data(), draft.zone.data() + zones::dbm::size(network_.dim()));
  switch (waiting_.wait(matrix.data(), network_.dim(), identity_.data(), bindings, invariants, limits, several)) {
  case Waiting::Shape::One:
    draft.zone = zones::Zone::copyOf(network_.dim(), matrix.data());
    return sink(std::move(draft));
  case Waiting::Shape::OutOfRange:
    if (!problem_)
      problem_ =
          Problem{model_[draft.at[0]].span, "a clock bound leaves the range that zones can hold; use symbolic time"};
    return;
  case Waiting::Shape::Several:
    break;
  }
  for (size_t i = 0; i < several.size(); ++i) {
    SymbolicState part = i + 1 < several.size() ? draft : std::move(draft);
    part.zone = zones::Zone::copyOf(network_.dim(), several[i]);
    sink(std::move(part));
  }
}

/// The edges from `at` on cannot receive the broadcast: by data, or because their clock guards do not hold.
void Tiosts::silence(SymbolicState&& draft, std::span<const EdgeId> silent, size_t at, const Branch& sink) {
  if (at == silent.size())
    return sink(std::move(draft));
  const std::vector<ExprId> locals = locals_;
  put_.begin(draft.store, index_, locals_);
  const ExprId data = put_(model_[silent[at]].guard.data);
  const ExprId holds = pool_.conjunction(symbols_.terms().defined(data), data);
  const auto next = [&](SymbolicState&& rest) {
    locals_ = locals;
    silence(std::move(rest), silent, at + 1, sink);
  };
  split(
      std::move(draft), holds,
      [&](SymbolicState&& able) {
        zones::Zone guard = zones::Zone::universe(network_.dim());
        guard.constrain(clocks_.guard(silent[at]));
        zones::Federation rest(able.zone);
        if (!guard.isEmpty())
          rest.subtract(guard.data());
        for (size_t i = 0; i < rest.size(); ++i) {
          SymbolicState part = able;
          part.zone = zones::Zone::copyOf(network_.dim(), rest[i]);
          next(std::move(part));
        }
      },
      next);
}

bool Tiosts::resetZone(SymbolicState& draft, EdgeId edge) const {
  if (clocks_.resets(edge).empty())
    return true;
  const zones::Dim dim = network_.dim();
  std::vector<uint16_t> source = identity_;
  std::vector<int32_t> offset(dim, 0);
  for (const ClockReset& reset : clocks_.resets(edge)) {
    source[reset.clock] = static_cast<uint16_t>(reset.source);
    offset[reset.clock] = reset.value;
  }
  std::vector<zones::Bound> matrix(zones::dbm::size(dim));
  assignClocks(draft.zone.data(), dim, matrix.data(), dim, source.data(), offset.data());
  draft.zone = zones::Zone::closed(dim, matrix);
  return !draft.zone.isEmpty();
}

} // namespace tioc::semantics
