// Operations compared point by point with what they mean, on grids fine enough to meet every region: no algebra of
// bounds is involved on the expecting side.

#include "support.hpp"

#include "runtime/zones/federation.hpp"
#include "runtime/zones/point.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace tioc::zones {
namespace {

using ir::Rational;
using test::Random;
using Valuation = std::vector<Rational>;

constexpr int64_t largest = 4;
/// No bound that constants up to `largest` imply on three clocks is larger.
constexpr int64_t horizon = 4 * largest;

bool holds(const Zone& zone, const Valuation& point) {
  return !zone.isEmpty() && contains(zone.data(), zone.dim(), point);
}

Valuation moved(const Valuation& point, const Rational& delay) {
  Valuation result = point;
  for (size_t x = 1; x < point.size(); ++x)
    result[x] = point[x] + delay;
  return result;
}

bool isValuation(const Valuation& point) {
  for (const Rational& value : point)
    if (value.sign() < 0)
      return false;
  return true;
}

/// Whether `predicate` holds for a value in [0, horizon] on the grid of quarters, which meets every interval whose ends
/// are multiples of a half.
bool someQuarter(const std::function<bool(const Rational&)>& predicate) {
  for (int64_t quarter = 0; quarter <= horizon * 4; ++quarter)
    if (predicate(Rational(quarter, 4)))
      return true;
  return false;
}

TEST(Points, OneClockOperationsHoldWhatTheyMean) {
  Random random(21);
  for (size_t round = 0; round < test::rounds(1500, 30000); ++round) {
    const size_t dim = static_cast<size_t>(random.between(2, 4));
    const reference::Zone expected = test::randomZone(random, dim, largest);
    const Zone zone = test::asKernel(expected);
    const Clock x = static_cast<Clock>(random.between(1, static_cast<int64_t>(dim) - 1));
    const Clock y = static_cast<Clock>(random.between(0, static_cast<int64_t>(dim) - 1));
    const int64_t value = random.between(0, largest);
    const Zone up = Zone(zone).up();
    const Zone down = Zone(zone).down();
    const Zone reset = Zone(zone).reset(x, static_cast<int32_t>(value));
    const Zone copied = Zone(zone).copyClock(x, y);
    const Zone freed = Zone(zone).free(x);
    for (int tries = 0; tries < 6; ++tries) {
      Valuation point = test::randomPointNear(random, expected, largest + 2, 2);
      const auto withX = [&](const Rational& v) {
        Valuation other = point;
        other[x] = v;
        return expected.contains(other);
      };
      ASSERT_EQ(holds(up, point), someQuarter([&](const Rational& delay) {
                  const Valuation before = moved(point, -delay);
                  return isValuation(before) && expected.contains(before);
                }));
      ASSERT_EQ(holds(down, point),
                someQuarter([&](const Rational& delay) { return expected.contains(moved(point, delay)); }));
      ASSERT_EQ(holds(freed, point), someQuarter(withX));
      if (random.chance(70))
        point[x] = Rational(value);
      ASSERT_EQ(holds(reset, point), point[x] == Rational(value) && someQuarter(withX));
      if (random.chance(70))
        point[x] = point[y];
      ASSERT_EQ(holds(copied, point), x == y ? expected.contains(point) : point[x] == point[y] && someQuarter(withX));
    }
  }
}

TEST(Points, ConstrainAndIntersectionAreConjunction) {
  Random random(22);
  for (size_t round = 0; round < test::rounds(4000, 80000); ++round) {
    const size_t dim = static_cast<size_t>(random.between(2, 6));
    const reference::Zone a = test::randomZone(random, dim, largest);
    const reference::Zone b = test::randomZone(random, dim, largest);
    const Zone both = Zone(test::asKernel(a)).intersect(test::asKernel(b));
    const reference::Limit limit = test::randomLimit(random, largest);
    const Clock x = static_cast<Clock>(random.between(0, static_cast<int64_t>(dim) - 1));
    const Clock y = (x + 1) % static_cast<Clock>(dim);
    const Zone constrained = Zone(test::asKernel(a)).constrain({x, y, test::asBound(limit)});
    for (int tries = 0; tries < 6; ++tries) {
      const Valuation point = test::randomPointNear(random, a, largest + 2, 2);
      ASSERT_EQ(holds(both, point), a.contains(point) && b.contains(point));
      const Rational difference = point[x] - point[y];
      const bool satisfied = limit.strict ? difference < Rational(limit.value) : difference <= Rational(limit.value);
      ASSERT_EQ(holds(constrained, point), a.contains(point) && satisfied);
    }
  }
}

/// Calls `body` for every valuation of the clocks on the grid of 1/dim, which has a point in every region, up to `end`.
void forGrid(size_t dim, int64_t end, const std::function<bool(const Valuation&)>& body) {
  const int64_t steps = end * static_cast<int64_t>(dim);
  std::vector<int64_t> at(dim, 0);
  Valuation point(dim);
  while (true) {
    if (!body(point))
      return;
    size_t x = 1;
    while (x < dim && at[x] == steps)
      at[x++] = 0;
    if (x >= dim)
      return;
    ++at[x];
    for (size_t y = 1; y <= x; ++y)
      point[y] = Rational(at[y], static_cast<int64_t>(dim));
  }
}

struct AluCase {
  size_t dim;
  int64_t constants;
  int64_t end;
  size_t shortRounds;
  size_t longRounds;
};

/// How the name of a test shows it.
void PrintTo(const AluCase& setting, std::ostream* out) { // NOLINT: gtest's name
  *out << "Dim" << setting.dim;
}

class AluInclusion : public testing::TestWithParam<AluCase> {};

TEST_P(AluInclusion, IsInclusionInTheAbstraction) {
  const AluCase setting = GetParam();
  Random random(23 + setting.dim);
  size_t included = 0;
  size_t onlyAbstractly = 0;
  for (size_t round = 0; round < test::rounds(setting.shortRounds, setting.longRounds); ++round) {
    const reference::Zone a = test::randomZone(random, setting.dim, setting.constants);
    const reference::Zone b = test::randomZone(random, setting.dim, setting.constants);
    const reference::Constants lower = test::randomConstants(random, setting.dim, setting.constants);
    const reference::Constants upper = test::randomConstants(random, setting.dim, setting.constants);
    bool expected = true;
    forGrid(setting.dim, setting.end, [&](const Valuation& point) {
      expected = !a.contains(point) || reference::inALU(point, b, lower, upper);
      return expected;
    });
    const bool actual = test::asKernel(a).isSubsetOfALU(test::asKernel(b), test::asClockBounds(lower, upper));
    ASSERT_EQ(actual, expected) << "a " << reference::toString(a) << "\nb " << reference::toString(b);
    included += expected ? 1 : 0;
    onlyAbstractly += expected && !reference::subset(a, b) ? 1 : 0;
  }
  // The abstraction must have mattered.
  EXPECT_GT(onlyAbstractly, 0u);
  EXPECT_GT(included, onlyAbstractly);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, AluInclusion,
                         testing::Values(AluCase{2, 5, 12, 1500, 20000}, AluCase{3, 3, 9, 1200, 15000},
                                         AluCase{4, 2, 6, 120, 1500}),
                         [](const auto& info) { return "Dim" + std::to_string(info.param.dim); });

TEST(Points, ExtrapolationStaysInsideTheAbstraction) {
  Random random(24);
  for (size_t round = 0; round < test::rounds(4000, 80000); ++round) {
    const size_t dim = static_cast<size_t>(random.between(2, 5));
    const reference::Zone expected = test::randomZone(random, dim, largest);
    const reference::Constants lower = test::randomConstants(random, dim, largest);
    const reference::Constants upper = test::randomConstants(random, dim, largest);
    const ClockBounds bounds = test::asClockBounds(lower, upper);
    const Zone larger = test::asKernel(expected).extraLUPlus(bounds);
    ASSERT_TRUE(larger.isSubsetOfALU(test::asKernel(expected), bounds));
    for (int tries = 0; tries < 4; ++tries) {
      const Valuation point = test::randomPointNear(random, test::asReference(larger), horizon, 3);
      if (holds(larger, point)) {
        ASSERT_TRUE(reference::inALU(point, expected, lower, upper));
      }
      if (expected.contains(point)) {
        ASSERT_TRUE(holds(larger, point));
      }
    }
  }
}

TEST(Points, FederationInclusionIsExact) {
  Random random(25);
  size_t included = 0;
  for (size_t round = 0; round < test::rounds(1500, 20000); ++round) {
    const size_t dim = static_cast<size_t>(random.between(2, 3));
    const reference::Zone zone = test::randomZone(random, dim, 3);
    std::vector<reference::Zone> parts;
    Federation federation(static_cast<Dim>(dim));
    for (int64_t count = random.between(1, 4); count > 0; --count) {
      parts.push_back(test::randomZone(random, dim, 3));
      federation.unite(test::asKernel(parts.back()));
    }
    bool expected = true;
    forGrid(dim, 10, [&](const Valuation& point) {
      if (!zone.contains(point))
        return true;
      expected = false;
      for (const reference::Zone& part : parts)
        expected |= part.contains(point);
      return expected;
    });
    ASSERT_EQ(federation.includes(Federation(test::asKernel(zone))), expected);
    included += expected ? 1 : 0;
  }
  EXPECT_GT(included, 0u);
}

TEST(Points, FederationOperationsAreSetOperations) {
  Random random(26);
  for (size_t round = 0; round < test::rounds(1500, 30000); ++round) {
    const size_t dim = static_cast<size_t>(random.between(1, 4));
    const auto randomParts = [&] {
      std::vector<reference::Zone> parts;
      for (int64_t count = random.between(0, 3); count > 0; --count)
        parts.push_back(test::randomZone(random, dim, largest));
      return parts;
    };
    const std::vector<reference::Zone> a = randomParts();
    const std::vector<reference::Zone> b = randomParts();
    const auto asFederation = [&](const std::vector<reference::Zone>& parts) {
      Federation federation(static_cast<Dim>(dim));
      for (const reference::Zone& part : parts)
        federation.unite(test::asKernel(part));
      return federation;
    };
    const auto in = [](const std::vector<reference::Zone>& parts, const Valuation& point) {
      for (const reference::Zone& part : parts)
        if (part.contains(point))
          return true;
      return false;
    };
    const Federation fa = asFederation(a);
    const Federation fb = asFederation(b);
    const Federation both = Federation(fa).intersect(fb);
    const Federation either = Federation(fa).unite(fb);
    const Federation difference = Federation(fa).subtract(fb);
    const Federation merged = Federation(either).mergeConvex();
    const Federation later = Federation(fa).up();
    const Federation earlier = Federation(fa).down();
    ASSERT_TRUE(merged.hasSamePoints(either));
    ASSERT_LE(merged.size(), either.size());
    ASSERT_TRUE(Federation(difference).unite(both).hasSamePoints(fa));
    ASSERT_TRUE(Federation(difference).intersect(fb).isEmpty());
    for (int tries = 0; tries < 6; ++tries) {
      const Valuation point = a.empty() ? test::randomPoint(random, dim, largest + 2, 2)
                                        : test::randomPointNear(random, a[0], largest + 2, 2);
      const bool inA = in(a, point);
      const bool inB = in(b, point);
      ASSERT_EQ(both.contains(point), inA && inB);
      ASSERT_EQ(either.contains(point), inA || inB);
      ASSERT_EQ(merged.contains(point), inA || inB);
      ASSERT_EQ(difference.contains(point), inA && !inB);
      ASSERT_EQ(later.contains(point), someQuarter([&](const Rational& delay) {
                  const Valuation before = moved(point, -delay);
                  return isValuation(before) && in(a, before);
                }));
      const bool reaches = someQuarter([&](const Rational& delay) { return in(a, moved(point, delay)); });
      ASSERT_EQ(earlier.contains(point), reaches);
      const std::optional<DelayInterval> delays = fa.earliestDelayInto(point);
      ASSERT_EQ(delays.has_value(), reaches);
      if (delays) {
        ASSERT_EQ(in(a, moved(point, delays->lower)), delays->lowerAttained);
        ASSERT_FALSE(someQuarter([&](const Rational& d) { return d < delays->lower && in(a, moved(point, d)); }));
      }
    }
  }
}

} // namespace
} // namespace tioc::zones
