#pragma once

// What the zone tests share: random zones in both libraries at once, and the way from one to the other.

#include "reference.hpp"

#include "runtime/zones/zone.hpp"

#include <ostream>
#include <random>
#include <vector>

namespace tioc::zones {

/// How gtest shows a zone.
void PrintTo(const Zone& zone, std::ostream* out); // NOLINT: gtest's name

namespace test {

/// True when TIOC_LONG is set: the long campaigns.
bool isLong();
/// `shortCount`, or `longCount` in the long form.
size_t rounds(size_t shortCount, size_t longCount);

class Random {
public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  /// Uniform in [low, high].
  int64_t between(int64_t low, int64_t high);
  bool chance(int percent) { return between(0, 99) < percent; }

private:
  std::mt19937_64 engine_;
};

/// The kernel's zone as the reference holds it.
reference::Zone asReference(const Zone& zone);
/// Whether every bound of the zone is within the kernel's range.
bool isStorable(const reference::Zone& zone);
/// The same set in the kernel. Precondition: storable.
Zone asKernel(const reference::Zone& zone);
Bound asBound(const reference::MaybeLimit& limit);

/// A zone built by random constraints with values up to `largest`; sometimes empty, sometimes a point, sometimes
/// everything.
reference::Zone randomZone(Random& random, size_t dim, int64_t largest);
reference::Limit randomLimit(Random& random, int64_t largest);
reference::Constants randomConstants(Random& random, size_t dim, int64_t largest);
ClockBounds asClockBounds(const reference::Constants& lower, const reference::Constants& upper);
/// A point with coordinates in steps of 1/denominator up to `largest`.
std::vector<ir::Rational> randomPoint(Random& random, size_t dim, int64_t largest, int64_t denominator);
/// A point of the zone if one of a few tries hits, else any point.
std::vector<ir::Rational> randomPointNear(Random& random, const reference::Zone& zone, int64_t largest,
                                          int64_t denominator);

} // namespace test
} // namespace tioc::zones
