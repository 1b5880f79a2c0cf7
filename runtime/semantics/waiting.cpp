#include "runtime/semantics/waiting.hpp"

#include <algorithm>

namespace tioc::semantics {

using zones::Bound;
using zones::Constraint;
using zones::Dim;
using zones::Zone;

namespace {

Constraint mapped(Constraint c, const uint16_t* index) {
  return {index[c.left], index[c.right], c.bound};
}

/// Every point of the zone satisfies the constraint.
bool implies(const Bound* zone, Dim dim, Constraint c) {
  return zone[size_t{c.left} * dim + c.right] <= c.bound;
}

Zone zoneOf(const std::vector<Constraint>& constraints, Dim dim, const uint16_t* index) {
  Zone zone = Zone::universe(dim);
  for (const Constraint& c : constraints)
    zone.constrain(mapped(c, index));
  return zone;
}

/// With x <= u for each upper and y >= l for each lower bound: some wait satisfies all iff it satisfies them in pairs.
void readBefore(Binding& binding) {
  for (const Constraint& upper : binding.guard) {
    if (upper.right != 0)
      continue;
    binding.before.push_back(upper);
    for (const Constraint& lower : binding.guard) {
      if (lower.left != 0)
        continue;
      const Bound sum = zones::add(upper.bound, lower.bound);
      if (lower.right == upper.left)
        binding.never |= sum < Bound::zero();
      else if (isStorable(sum))
        binding.before.push_back({upper.left, lower.right, sum});
      else
        binding.diagonal = true; // leave it to the zones, which say what is out of range
    }
  }
  for (const Constraint& lower : binding.guard)
    if (lower.left == 0 && lower.bound != Bound::zero())
      binding.entry.push_back({lower.right, 0, Bound::atMost(-lower.bound.value())});
}

} // namespace

const Binding& Waiting::of(const Deadline& deadline) {
  const uint64_t first = deadline.edges[0].value;
  const uint64_t second = deadline.edges.size() > 1 ? uint64_t{deadline.edges[1].value} + 1 : 0;
  const Binding*& known = known_[first << 32 | second];
  if (known)
    return *known;
  Binding binding;
  binding.urgency = deadline.urgency == ir::Urgency::Eager ? zones::Urgency::Eager : zones::Urgency::Delayable;
  for (ir::EdgeId id : deadline.edges)
    for (const Constraint& c : clocks_.deadline(id))
      binding.guard.push_back(c);
  binding.diagonal = std::any_of(binding.guard.begin(), binding.guard.end(),
                                 [](const Constraint& c) { return c.left != 0 && c.right != 0; });
  if (!binding.diagonal)
    readBefore(binding);
  bindings_.push_back(std::move(binding));
  return *(known = &bindings_.back());
}

Waiting::Shape Waiting::wait(Bound* zone, Dim dim, const uint16_t* index, std::span<const Binding* const> bindings,
                             std::span<const Constraint> invariants, std::span<const zones::Limit> limits,
                             zones::Federation& several) {
  // All start points alike: the result is one zone and needs no federation.
  within_.clear();
  bool alike = limits.empty();
  for (const Binding* binding : bindings) {
    if (!alike || binding->diagonal) {
      alike = false;
      break;
    }
    const auto satisfied = [&](const Constraint& c) { return implies(zone, dim, mapped(c, index)); };
    const auto possible = [&](const Constraint& c) { return zones::dbm::allows(zone, dim, mapped(c, index)); };
    if (!std::all_of(binding->before.begin(), binding->before.end(), possible))
      continue; // passed
    const bool eager = binding->urgency == zones::Urgency::Eager;
    if (eager && std::all_of(binding->guard.begin(), binding->guard.end(), satisfied))
      return Shape::One; // nobody may wait
    alike = std::all_of(binding->before.begin(), binding->before.end(), satisfied) &&
            (!eager || (binding->entry.size() == 1 && satisfied(binding->entry[0])));
    for (const Constraint& c : binding->before)
      within_.push_back(mapped(c, index));
    if (eager && alike)
      within_.push_back(mapped(binding->entry[0], index));
  }
  if (!alike)
    return slow(zone, dim, index, bindings, invariants, limits, several);
  zones::dbm::up(zone, dim);
  for (const Constraint& c : within_)
    if (zones::dbm::constrain(zone, dim, c) == zones::Outcome::OutOfRange)
      return Shape::OutOfRange;
  for (const Constraint& c : invariants)
    if (zones::dbm::constrain(zone, dim, c) == zones::Outcome::OutOfRange)
      return Shape::OutOfRange;
  return Shape::One;
}

Waiting::Shape Waiting::slow(const Bound* zone, Dim dim, const uint16_t* index,
                             std::span<const Binding* const> bindings, std::span<const Constraint> invariants,
                             std::span<const zones::Limit> limits, zones::Federation& several) const {
  std::vector<zones::Limit> all(limits.begin(), limits.end());
  for (const Binding* binding : bindings) {
    Zone guard = zoneOf(binding->guard, dim, index);
    if (guard.isOutOfRange())
      return Shape::OutOfRange;
    if (!guard.isEmpty())
      all.push_back(zones::limitOf({binding->urgency, std::move(guard)}));
  }
  several = zones::timeProgress(zones::Federation(Zone::copyOf(dim, zone)), all);
  Zone holds = Zone::universe(dim);
  holds.constrain(invariants);
  if (holds.isOutOfRange())
    return Shape::OutOfRange;
  several.intersect(holds.data());
  return several.isOutOfRange() ? Shape::OutOfRange : Shape::Several;
}

} // namespace tioc::semantics
