// Single behaviours: the range, the printer, the arena, points by hand.

#include "support.hpp"

#include "runtime/zones/arena.hpp"
#include "runtime/zones/minimal.hpp"
#include "runtime/zones/point.hpp"
#include "runtime/zones/print.hpp"

#include <gtest/gtest.h>

namespace tioc::zones {
namespace {

using ir::Rational;

const std::vector<std::string> names{"0", "x", "y", "z"};

TEST(Range, RejectsValuesThatDoNotFit) {
  EXPECT_TRUE(Bound::make(maxValue, true));
  EXPECT_TRUE(Bound::make(-int64_t{maxValue}, false));
  EXPECT_FALSE(Bound::make(int64_t{maxValue} + 1, true));
  EXPECT_FALSE(Bound::make(-int64_t{maxValue} - 1, false));
  EXPECT_FALSE(Bound::make(INT64_MAX, false));
  EXPECT_FALSE(Bound::make(INT64_MIN, true));
}

TEST(Range, ConstrainReportsASumThatDoesNotFit) {
  // y >= x + max and z >= y + max put z at twice the range.
  Zone zone = Zone::universe(4);
  zone.constrain({1, 2, Bound::atMost(-maxValue)});
  EXPECT_EQ(zone.state(), Outcome::NonEmpty);
  zone.constrain({2, 3, Bound::atMost(-maxValue)});
  EXPECT_EQ(zone.state(), Outcome::OutOfRange);
  EXPECT_EQ(zone.up().constrain({1, 0, Bound::atMost(1)}).state(), Outcome::OutOfRange);
}

TEST(Range, CloseReportsASumThatDoesNotFit) {
  std::vector<Bound> matrix(16, Bound::infinity());
  matrix[1 * 4 + 2] = Bound::atMost(-maxValue);
  matrix[2 * 4 + 3] = Bound::atMost(-maxValue);
  EXPECT_EQ(Zone::closed(4, matrix).state(), Outcome::OutOfRange);
  // A contradiction is found all the same.
  matrix[3 * 4 + 1] = Bound::atMost(maxValue);
  EXPECT_EQ(Zone::closed(4, matrix).state(), Outcome::Empty);
}

TEST(Range, UpperBoundsThatDoNotFitAreNotTakenForInfinity) {
  Zone zone = Zone::universe(4);
  zone.constrain({1, 0, Bound::atMost(maxValue)}).constrain({2, 1, Bound::atMost(maxValue)});
  EXPECT_EQ(zone.state(), Outcome::OutOfRange);
}

TEST(Range, HoldsItsExtremes) {
  Zone zone = Zone::universe(2);
  zone.constrain({1, 0, Bound::atMost(maxValue)}).constrain({0, 1, Bound::atMost(-maxValue)});
  EXPECT_EQ(toString(zone, names), "x==134217727");
  EXPECT_TRUE(zone.constrain({1, 0, Bound::below(maxValue)}).isEmpty());
}

TEST(Range, FederationsCarryTheError) {
  Federation federation(Zone::universe(4).constrain({1, 2, Bound::atMost(-maxValue)}));
  EXPECT_FALSE(federation.isOutOfRange());
  federation.intersect(Federation(Zone::universe(4).constrain({2, 3, Bound::atMost(-maxValue)})));
  EXPECT_TRUE(federation.isOutOfRange());
  EXPECT_FALSE(federation.isEmpty());
  EXPECT_TRUE(Federation(4).unite(federation).isOutOfRange());
}

TEST(Printer, ShowsOnlyTheBoundsThatMatter) {
  EXPECT_EQ(toString(Zone::universe(3), names), "true");
  EXPECT_EQ(toString(Zone::empty(3), names), "false");
  EXPECT_EQ(toString(Zone::zero(3), names), "x==0 && y==0");
  Zone zone = Zone::universe(3);
  zone.constrain({1, 0, Bound::atMost(3)}).constrain({1, 2, Bound::below(2)});
  EXPECT_EQ(toString(zone, names), "x<=3 && x-y<2");
  zone.constrain({0, 2, Bound::below(-1)}).constrain({1, 2, Bound::atMost(-1)});
  EXPECT_EQ(toString(zone, names), "y>1 && x<=3 && y-x>=1");
  EXPECT_EQ(toString(Zone::universe(3).constrain({1, 2, Bound::atMost(4)}).constrain({2, 1, Bound::atMost(-4)}), names),
            "x-y==4");
}

TEST(Printer, JoinsTheZonesOfAFederation) {
  Federation federation(Zone::universe(3).constrain({1, 0, Bound::below(1)}));
  federation.unite(Zone::universe(3).constrain({0, 1, Bound::atMost(-2)}).constrain({2, 0, Bound::atMost(5)}));
  EXPECT_EQ(toString(federation, names), "x<1 || (x>=2 && y<=5)");
  EXPECT_EQ(toString(Federation(3), names), "false");
}

TEST(Arena, KeepsZonesAtTheirAddresses) {
  for (const Dim dim : {1u, 3u, 8u, 33u}) {
    ZoneArena arena(dim);
    std::vector<const Bound*> addresses;
    for (int32_t value = 0; value < 3000; ++value) {
      Zone zone = Zone::universe(dim);
      if (dim > 1)
        zone.reset(1, value);
      ASSERT_EQ(arena.store(zone.data()), static_cast<ZoneId>(value));
      addresses.push_back(arena[static_cast<ZoneId>(value)]);
    }
    ASSERT_EQ(arena.size(), 3000u);
    for (int32_t value = 0; value < 3000; ++value) {
      ASSERT_EQ(arena[static_cast<ZoneId>(value)], addresses[static_cast<size_t>(value)]);
      if (dim > 1) {
        ASSERT_EQ(addresses[static_cast<size_t>(value)][dim], Bound::atMost(value));
      }
    }
  }
}

TEST(Minimal, KeepsOneCycleOfClocksAtFixedDistance) {
  std::vector<PackedConstraint> constraints(16);
  EXPECT_EQ(minimalForm(Zone::zero(4).data(), 4, constraints.data()), 3u);
  EXPECT_EQ(minimalForm(Zone::zero(4).up().data(), 4, constraints.data()), 3u);
  EXPECT_EQ(minimalForm(Zone::universe(4).data(), 4, constraints.data()), 0u);
}

TEST(Delays, AreExactAtStrictBounds) {
  Zone zone = Zone::universe(3);
  zone.constrain({0, 1, Bound::below(-3)}).constrain({2, 0, Bound::atMost(7)});
  const std::vector<Rational> point{0, Rational(1, 3), Rational(5, 2)};
  const std::optional<DelayInterval> delays = delaysInto(zone.data(), 3, point);
  ASSERT_TRUE(delays);
  EXPECT_EQ(delays->lower, Rational(8, 3));
  EXPECT_FALSE(delays->lowerAttained);
  EXPECT_EQ(delays->upper, Rational(9, 2));
  EXPECT_TRUE(delays->upperAttained);
  // The distance of the clocks never changes.
  zone.constrain({2, 1, Bound::atMost(2)});
  EXPECT_FALSE(delaysInto(zone.data(), 3, point));
}

TEST(Sample, TakesAFractionWhereNoIntegerFits) {
  Zone zone = Zone::universe(4);
  zone.constrain({0, 1, Bound::below(0)}).constrain({1, 2, Bound::below(0)}).constrain({2, 3, Bound::below(0)});
  zone.constrain({3, 0, Bound::below(1)});
  const std::vector<Rational> point = samplePoint(zone.data(), 4);
  EXPECT_TRUE(contains(zone.data(), 4, point));
  EXPECT_EQ(samplePoint(Zone::universe(3).constrain({0, 1, Bound::below(-2)}).data(), 3),
            (std::vector<Rational>{0, 3, 0}));
}

} // namespace
} // namespace tioc::zones
