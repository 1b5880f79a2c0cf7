#include "runtime/explore/reach_time.hpp"

namespace tioc::explore {

using zones::Constraint;
using zones::Federation;
using zones::Zone;

TimeLimits timeLimits(bool stopped, std::span<const semantics::Binding* const> bindings,
                      std::span<const Constraint> invariants, const uint16_t* index, zones::Dim dim) {
  TimeLimits result{stopped, Zone::universe(dim).constrain(invariants), {}};
  for (const semantics::Binding* binding : bindings) {
    Zone guard = Zone::universe(dim);
    for (const Constraint& c : binding->guard)
      guard.constrain({index[c.left], index[c.right], c.bound});
    if (guard.isOutOfRange())
      result.invariants = guard; // the mark spreads to every answer
    else if (!guard.isEmpty())
      result.limits.push_back(zones::limitOf({binding->urgency, std::move(guard)}));
  }
  return result;
}

Federation afterWaiting(const Federation& from, const TimeLimits& time) {
  const Federation invariants(time.invariants);
  const Federation start = Federation(from).intersect(invariants);
  if (time.stopped)
    return start;
  return zones::timeProgress(start, time.limits).intersect(invariants);
}

Federation beforeWaiting(const Federation& to, const TimeLimits& time) {
  const Federation goal = Federation(to).intersect(Federation(time.invariants));
  if (time.stopped)
    return goal;
  // Start points split as in zones::timeProgress: what is bound must find its goal within the limit. That limit is
  // closed under going back in time, so a wait that ends within it stays within it.
  struct Part {
    Federation start;
    Federation goal;
  };
  Federation result(to.dim());
  std::vector<Part> parts;
  parts.push_back({time.invariants, goal});
  for (const zones::Limit& limit : time.limits) {
    std::vector<Part> next;
    for (Part& part : parts) {
      result.unite(Federation(part.start).intersect(limit.stuck).intersect(part.goal));
      Federation bound = Federation(part.start).intersect(limit.bound).subtract(limit.stuck);
      if (!bound.isEmpty())
        next.push_back({std::move(bound), Federation(part.goal).intersect(limit.within)});
      part.start.subtract(limit.bound);
      if (!part.start.isEmpty())
        next.push_back(std::move(part));
    }
    parts = std::move(next);
  }
  for (Part& part : parts)
    result.unite(part.goal.down().intersect(part.start));
  return result;
}

Federation boundedWaiting(const TimeLimits& time) {
  const zones::Dim dim = time.invariants.dim();
  bool bounded = time.stopped || time.invariants.state() != zones::Outcome::NonEmpty;
  for (zones::Clock x = 1; x < dim && !bounded; ++x)
    bounded = !time.invariants.at(x, 0).isInfinite();
  if (bounded)
    return time.invariants;
  Federation result(dim);
  for (const zones::Limit& limit : time.limits) {
    // A limit whose every zone ends: some clock has an upper bound there. One that never ends binds nobody.
    const bool endless = [&] {
      for (size_t i = 0; i < limit.within.size(); ++i) {
        bool ends = false;
        for (zones::Clock x = 1; x < dim; ++x)
          ends |= !limit.within[i][size_t{x} * dim].isInfinite();
        if (!ends)
          return true;
      }
      return false;
    }();
    result.unite(endless ? limit.stuck : limit.bound);
  }
  return result.intersect(Federation(time.invariants));
}

} // namespace tioc::explore
