#pragma once

#include "runtime/semantics/clock_code.hpp"
#include "runtime/zones/clock_bounds.hpp"

#include <span>
#include <vector>

namespace tioc::explore {

/// What a clock may still be compared with before it is set again; zones::noBound where it is never compared that way.
struct BoundEntry {
  zones::Clock clock;
  int32_t lower;
  int32_t upper;
  int32_t negatedUpper; ///< as zones::ClockBounds::negatedUpper codes it
};

/// A condition on clocks that is asked in some locations, on top of what the model says.
struct ClockQuestion {
  std::vector<ir::LocationId> locations; ///< empty: everywhere
  std::vector<zones::Constraint> clocks;
};

struct BoundOptions {
  bool bothSides = false; ///< every constant counts as lower and as upper bound
  ClockQuestion question;
};

/// For every location of every component the clocks that are active there, with their L and U bounds: the constants
/// that the component compares them with on the way to their next reset. In a location vector a clock is active if it
/// is for some component, and its bounds are the largest of all components.
///
/// Why abstraction by these bounds is sound. v <= v' (v' simulates v) iff for every clock v'(x) = v(x), or
/// L(x) < v'(x) < v(x), or U(x) < v(x) < v'(x). The relation survives any delay and the resets, and what v satisfies of
/// lower and upper bounds within L and U, v' satisfies as well. Waiting however also depends on guards being *false*:
/// a deadline binds as long as its guard can still hold, and a broadcast leaves out who cannot receive. The constants
/// of such guards therefore count on both sides. Then for each of their clocks either v(x) = v'(x) or both are above
/// every constant; so v + d and v' + d agree on the guard for every d, the instants at which it holds are the same from
/// v and from v', and exactly the same delays are possible.
class LocationBounds {
public:
  LocationBounds(const semantics::Network& network, const semantics::ClockCode& clocks, const BoundOptions& options);

  /// In the order of clocks, the reference clock left out.
  std::span<const BoundEntry> at(ir::LocationId id) const {
    return {entries_.data() + first_[id.value], entries_.data() + first_[id.value + 1]};
  }

private:
  std::vector<BoundEntry> entries_;
  std::vector<uint32_t> first_; // by location, and one more
};

} // namespace tioc::explore
