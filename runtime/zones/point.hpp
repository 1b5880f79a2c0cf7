#pragma once

#include "ir/rational.hpp"
#include "runtime/zones/dbm.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tioc::zones {

/// A valuation of the clocks; entry 0, the reference clock, is 0.
using Point = std::span<const ir::Rational>;

/// Delays after which a point is in a zone: an interval. `upper` is absent where there is no upper limit.
struct DelayInterval {
  ir::Rational lower;
  bool lowerAttained;
  std::optional<ir::Rational> upper;
  bool upperAttained;
};

/// Precondition of all: the zone is canonical, the point has `dim` entries.
bool contains(const Bound* zone, Dim dim, Point point);
/// Some point of the zone. Clock by clock it takes the smallest integer that fits, or else a fraction.
std::vector<ir::Rational> samplePoint(const Bound* zone, Dim dim);
/// All delays >= 0 that lead from the point into the zone, exactly; none if waiting never gets there.
std::optional<DelayInterval> delaysInto(const Bound* zone, Dim dim, Point point);

} // namespace tioc::zones
