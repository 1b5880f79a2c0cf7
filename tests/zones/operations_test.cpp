// Random walks through the operations of the kernel, every result compared with the reference.

#include "support.hpp"

#include "runtime/zones/federation.hpp"
#include "runtime/zones/minimal.hpp"
#include "runtime/zones/point.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tioc::zones {
namespace {

using ir::Rational;
using test::Random;

/// The same set in both libraries, and the random choices around it.
struct Walk {
  Random random;
  size_t dim;
  int64_t largest;
  reference::Zone expected;
  Zone zone;
  const char* operation = "start";

  Walk(uint64_t seed, size_t dimension, int64_t largestConstant)
      : random(seed), dim(dimension), largest(largestConstant), expected(dimension),
        zone(Zone::empty(static_cast<Dim>(dimension))) {
    restart();
  }

  void restart() {
    do
      expected = test::randomZone(random, dim, largest);
    while (!test::isStorable(expected));
    zone = test::asKernel(expected);
  }

  Clock anyClock() { return static_cast<Clock>(random.between(0, static_cast<int64_t>(dim) - 1)); }
  Clock realClock() { return static_cast<Clock>(random.between(1, static_cast<int64_t>(dim) - 1)); }
  reference::Zone storableZone() {
    while (true)
      if (reference::Zone other = test::randomZone(random, dim, largest); test::isStorable(other))
        return other;
  }

  void constrainOnce() {
    const Clock i = anyClock();
    const Clock j = anyClock();
    if (i == j)
      return;
    const reference::Limit limit = test::randomLimit(random, largest);
    expected = reference::constrained(expected, i, j, limit);
    zone.constrain({i, j, test::asBound(limit)});
  }

  void constrainMany() {
    reference::System system = reference::asSystem(expected);
    std::vector<Constraint> constraints;
    const int64_t count = random.between(0, static_cast<int64_t>(2 * dim));
    for (int64_t c = 0; c < count; ++c) {
      const Clock i = anyClock();
      const Clock j = anyClock();
      if (i == j)
        continue;
      const reference::Limit limit{random.between(-largest / 4, largest), random.chance(40)};
      system.require(i, j, limit);
      constraints.push_back({i, j, test::asBound(limit)});
    }
    // One after the other may leave the range on the way although a later constraint makes the zone empty.
    reference::Zone step = expected;
    for (const Constraint& c : constraints) {
      step = reference::constrained(step, c.left, c.right, {c.bound.value(), !c.bound.isClosed()});
      if (!test::isStorable(step))
        return;
    }
    expected = reference::solve(system);
    zone.constrain(constraints);
  }

  void closeMatrix() {
    reference::System system(dim);
    std::vector<Bound> matrix(dim * dim, Bound::infinity());
    for (size_t i = 0; i < dim; ++i) {
      for (size_t j = 0; j < dim; ++j) {
        if (i == j)
          matrix[i * dim + j] = Bound::zero();
        if (i == j || random.chance(40))
          continue;
        const reference::Limit limit{random.between(-largest / 8, largest), random.chance(40)};
        system.require(i, j, limit);
        matrix[i * dim + j] = test::asBound(limit);
      }
    }
    expected = dim <= 5 && random.chance(10) ? reference::solveByElimination(system) : reference::solve(system);
    zone = Zone::closed(static_cast<Dim>(dim), matrix);
  }

  void intersectOther() {
    const reference::Zone other = storableZone();
    expected = reference::intersection(expected, other);
    zone.intersect(test::asKernel(other));
  }

  void extrapolate() {
    const reference::Constants lower = test::randomConstants(random, dim, largest);
    const reference::Constants upper = test::randomConstants(random, dim, largest);
    reference::Constants larger = lower;
    for (size_t x = 0; x < dim; ++x)
      larger[x] = std::max(lower[x], upper[x]);
    const ClockBounds bounds = test::asClockBounds(lower, upper);
    const reference::Zone before = expected;
    switch (random.between(0, 3)) {
    case 0:
      operation = "extraM";
      expected = reference::extraLU(expected, larger, larger);
      zone.extraM(bounds);
      break;
    case 1:
      operation = "extraMPlus";
      expected = reference::extraLUPlus(expected, larger, larger);
      zone.extraMPlus(bounds);
      break;
    case 2:
      operation = "extraLU";
      expected = reference::extraLU(expected, lower, upper);
      zone.extraLU(bounds);
      break;
    default:
      operation = "extraLUPlus";
      expected = reference::extraLUPlus(expected, lower, upper);
      zone.extraLUPlus(bounds);
    }
    ASSERT_TRUE(reference::subset(before, expected));
  }

  void compareWithOther() {
    reference::Zone other = storableZone();
    if (random.chance(50)) {
      other = reference::intersection(expected, other);
      if (!test::isStorable(other))
        return;
    }
    const Zone kernel = test::asKernel(other);
    const bool below = reference::subset(expected, other);
    const bool above = reference::subset(other, expected);
    ASSERT_EQ(zone.isSubsetOf(kernel), below);
    ASSERT_EQ(kernel.isSubsetOf(zone), above);
    const Relation relation =
        below ? (above ? Relation::Equal : Relation::Subset) : (above ? Relation::Superset : Relation::Different);
    ASSERT_EQ(zone.relationTo(kernel), relation);
    ASSERT_EQ(zone == kernel, below && above);
    if (zone == kernel && !zone.isEmpty()) {
      ASSERT_EQ(zone.hash(), kernel.hash());
    }
    if (!zone.isEmpty() && !kernel.isEmpty() && dbm::areDisjoint(zone.data(), kernel.data(), zone.dim())) {
      ASSERT_TRUE(reference::intersection(expected, other).empty);
    }
  }

  void store() {
    if (zone.isEmpty())
      return;
    std::vector<PackedConstraint> constraints(dbm::size(zone.dim()));
    constraints.resize(minimalForm(zone.data(), zone.dim(), constraints.data()));
    std::vector<Bound> matrix(dbm::size(zone.dim()));
    ASSERT_EQ(fromMinimalForm(constraints, matrix.data(), zone.dim()), Outcome::NonEmpty);
    ASSERT_EQ(Zone::copyOf(zone.dim(), matrix.data()), zone);
    // Minimal: without any one of them the zone is larger.
    if (!constraints.empty()) {
      const size_t dropped = static_cast<size_t>(random.between(0, static_cast<int64_t>(constraints.size()) - 1));
      reference::System system(dim);
      for (size_t c = 0; c < constraints.size(); ++c)
        if (c != dropped)
          system.require(constraints[c].left, constraints[c].right,
                         {constraints[c].bound.value(), !constraints[c].bound.isClosed()});
      ASSERT_FALSE(reference::solve(system) == expected);
    }
    const reference::Zone other = storableZone();
    if (!other.empty) {
      ASSERT_EQ(isSubset(test::asKernel(other).data(), zone.dim(), constraints), reference::subset(other, expected));
    }
  }

  void lookAtPoints() {
    if (zone.isEmpty())
      return;
    ASSERT_TRUE(expected.contains(samplePoint(zone.data(), zone.dim())));
    const std::vector<Rational> point = test::randomPointNear(random, expected, largest + 2, 3);
    ASSERT_EQ(contains(zone.data(), zone.dim(), point), expected.contains(point));
    const auto delayed = [&](const Rational& delay) {
      std::vector<Rational> later = point;
      for (size_t x = 1; x < dim; ++x)
        later[x] = later[x] + delay;
      return expected.contains(later);
    };
    const std::optional<DelayInterval> delays = delaysInto(zone.data(), zone.dim(), point);
    const Rational small(1, 7);
    if (!delays) {
      for (int64_t step = 0; step <= std::min<int64_t>(largest, 20) * 6; ++step)
        ASSERT_FALSE(delayed(Rational(step, 6)));
      return;
    }
    ASSERT_EQ(delayed(delays->lower), delays->lowerAttained);
    if (delays->lower >= small) {
      ASSERT_FALSE(delayed(delays->lower - small));
    }
    const Rational inner = delays->upper ? (delays->lower + *delays->upper) / Rational(2) : delays->lower + small;
    ASSERT_TRUE(delayed(inner));
    if (delays->upper) {
      ASSERT_EQ(delayed(*delays->upper), delays->upperAttained);
      ASSERT_FALSE(delayed(*delays->upper + small));
    }
  }

  void subtractOther() {
    reference::Zone hole = storableZone();
    Federation rest{zone};
    const Federation holes{test::asKernel(hole)};
    rest.subtract(holes);
    if (rest.isOutOfRange())
      return;
    for (int tries = 0; tries < 4; ++tries) {
      const std::vector<Rational> point = test::randomPointNear(random, expected, largest + 2, 2);
      ASSERT_EQ(rest.contains(point), expected.contains(point) && !hole.contains(point));
    }
    ASSERT_TRUE(Federation(rest).intersect(holes).isEmpty());
    ASSERT_TRUE(Federation(rest).unite(holes).includes(Federation(zone)));
  }

  void step() {
    const int64_t choice = dim == 1 ? random.between(6, 13) : random.between(0, 16);
    switch (choice) {
    case 0:
    case 14:
      operation = "constrain";
      return constrainOnce();
    case 1:
      operation = "reset";
      {
        const Clock x = realClock();
        const int64_t value = random.chance(50) ? 0 : random.between(0, largest);
        expected = reference::reset(expected, x, value);
        zone.reset(x, static_cast<int32_t>(value));
      }
      return;
    case 2:
      operation = "copy";
      {
        const Clock x = realClock();
        const Clock y = anyClock();
        expected = x == y ? expected : reference::copied(expected, x, y);
        zone.copyClock(x, y);
      }
      return;
    case 3:
      operation = "free";
      {
        const Clock x = realClock();
        expected = reference::freed(expected, x);
        zone.free(x);
      }
      return;
    case 4:
      operation = "constrain many";
      return constrainMany();
    case 5:
    case 15:
    case 16:
      return extrapolate();
    case 6:
      operation = "up";
      expected = reference::up(expected);
      zone.up();
      return;
    case 7:
      operation = "down";
      expected = reference::down(expected);
      zone.down();
      return;
    case 8:
      operation = "close";
      return closeMatrix();
    case 9:
      operation = "intersect";
      return intersectOther();
    case 10:
      operation = "compare";
      return compareWithOther();
    case 11:
      operation = "minimal form";
      return store();
    case 12:
      operation = "points";
      return lookAtPoints();
    default:
      operation = "subtract";
      return subtractOther();
    }
  }

  void check() {
    if (!test::isStorable(expected)) {
      ASSERT_EQ(zone.state(), Outcome::OutOfRange);
      return restart();
    }
    ASSERT_FALSE(zone.isOutOfRange());
    ASSERT_EQ(test::asReference(zone), expected) << "kernel:    " << reference::toString(test::asReference(zone))
                                                 << "\nreference: " << reference::toString(expected);
    // Empty zones stay a while, but not for good.
    if (expected.empty && random.chance(70))
      restart();
  }
};

void walk(uint64_t seed, size_t dim, int64_t largest, size_t steps) {
  Walk walk(seed, dim, largest);
  for (size_t step = 0; step < steps; ++step) {
    const reference::Zone before = walk.expected;
    walk.step();
    if (!testing::Test::HasFatalFailure())
      walk.check();
    ASSERT_FALSE(testing::Test::HasFatalFailure())
        << "seed " << seed << ", dimension " << dim << ", constants up to " << largest << ", step " << step << ": "
        << walk.operation << "\nbefore:    " << reference::toString(before);
  }
}

struct Campaign {
  size_t dim;
  size_t shortSteps;
  size_t longSteps;
};

/// How the name of a test shows it.
void PrintTo(const Campaign& campaign, std::ostream* out) { // NOLINT: gtest's name
  *out << "Dim" << campaign.dim;
}

class RandomOperations : public testing::TestWithParam<Campaign> {};

TEST_P(RandomOperations, AgreeWithTheReference) {
  const auto [dim, shortSteps, longSteps] = GetParam();
  const int64_t sizes[] = {2, 6, 40, 5000, 1 << 22, 1 << 25, maxValue / 2, maxValue};
  const size_t steps = test::rounds(shortSteps, longSteps) / std::size(sizes) + 1;
  for (const int64_t largest : sizes) {
    walk(7919 * dim + static_cast<uint64_t>(largest), dim, largest, steps);
    if (HasFatalFailure())
      return;
  }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, RandomOperations,
                         testing::Values(Campaign{1, 4000, 50000}, Campaign{2, 50000, 300000},
                                         Campaign{3, 50000, 300000}, Campaign{4, 50000, 300000},
                                         Campaign{5, 50000, 300000}, Campaign{6, 40000, 300000},
                                         Campaign{7, 40000, 300000}, Campaign{8, 40000, 300000},
                                         Campaign{9, 30000, 300000}, Campaign{12, 2000, 20000},
                                         Campaign{16, 2000, 20000}, Campaign{17, 1000, 10000}, Campaign{33, 200, 2000},
                                         Campaign{64, 40, 400}),
                         [](const auto& info) { return "Dim" + std::to_string(info.param.dim); });

TEST(Reference, ClosureAgreesWithElimination) {
  Random random(11);
  for (size_t round = 0; round < test::rounds(2000, 40000); ++round) {
    const size_t dim = static_cast<size_t>(random.between(2, 5));
    reference::System system(dim);
    for (size_t i = 0; i < dim; ++i)
      for (size_t j = 0; j < dim; ++j)
        if (i != j && random.chance(50))
          system.require(i, j, {random.between(-3, 8), random.chance(40)});
    ASSERT_EQ(reference::solve(system), reference::solveByElimination(system));
  }
}

} // namespace
} // namespace tioc::zones
