#pragma once

#include "runtime/semantics/waiting.hpp"

namespace tioc::explore {

/// What limits waiting in one place, over the clocks of its zones.
struct TimeLimits {
  bool stopped = false;   ///< no time passes
  zones::Zone invariants; ///< convex; holds now
  std::vector<zones::Limit> limits;
};

/// `index` gives the zone's index of each network clock that is tested.
TimeLimits timeLimits(bool stopped, std::span<const semantics::Binding* const> bindings,
                      std::span<const zones::Constraint> invariants, const uint16_t* index, zones::Dim dim);

/// The points reachable from `from` by waiting.
zones::Federation afterWaiting(const zones::Federation& from, const TimeLimits& time);
/// The points within the invariants from which waiting leads into `to`.
zones::Federation beforeWaiting(const zones::Federation& to, const TimeLimits& time);
/// The points that cannot wait for ever.
zones::Federation boundedWaiting(const TimeLimits& time);

} // namespace tioc::explore
