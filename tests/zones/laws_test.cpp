// Algebraic laws of the operations, on random zones of any dimension.

#include "support.hpp"

#include "runtime/zones/federation.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tioc::zones {
namespace {

using test::Random;

class Laws : public testing::TestWithParam<Dim> {
protected:
  /// Calls `law` with random pairs of zones.
  template <class Law>
  void forPairs(size_t shortRounds, size_t longRounds, Law law) {
    Random random(41 + GetParam());
    for (size_t round = 0; round < test::rounds(shortRounds, longRounds); ++round) {
      const int64_t largest = random.chance(50) ? 5 : 1000;
      const Zone a = test::asKernel(test::randomZone(random, GetParam(), largest));
      const Zone b = test::asKernel(test::randomZone(random, GetParam(), largest));
      law(a, b, random);
      if (HasFatalFailure())
        return;
    }
  }
};

TEST_P(Laws, ClosureIsIdempotent) {
  forPairs(500, 20000, [](const Zone& a, const Zone&, Random&) {
    if (!a.isEmpty()) {
      ASSERT_EQ(Zone::closed(a.dim(), {a.data(), dbm::size(a.dim())}), a);
    }
  });
}

TEST_P(Laws, WaitingBackAndForthOnlyAdds) {
  forPairs(500, 20000, [](const Zone& a, const Zone&, Random&) {
    const Zone up = Zone(a).up();
    const Zone down = Zone(a).down();
    ASSERT_TRUE(a.isSubsetOf(up));
    ASSERT_TRUE(a.isSubsetOf(down));
    ASSERT_TRUE(a.isSubsetOf(Zone(up).down()));
    ASSERT_TRUE(a.isSubsetOf(Zone(down).up()));
    ASSERT_EQ(Zone(up).up(), up);
    ASSERT_EQ(Zone(down).down(), down);
  });
}

TEST_P(Laws, IntersectionIsTheGreatestLowerBound) {
  forPairs(500, 20000, [](const Zone& a, const Zone& b, Random&) {
    const Zone both = Zone(a).intersect(b);
    ASSERT_TRUE(both.isSubsetOf(a));
    ASSERT_TRUE(both.isSubsetOf(b));
    ASSERT_EQ(both, Zone(b).intersect(a));
    ASSERT_EQ(Zone(a).intersect(a), a);
    ASSERT_EQ(a.isSubsetOf(b), both == a);
  });
}

TEST_P(Laws, SubtractionAndIntersectionPartition) {
  forPairs(200, 5000, [](const Zone& a, const Zone& b, Random&) {
    const Federation outside = Federation(a).subtract(Federation(b));
    const Federation inside = Federation(a).intersect(Federation(b));
    ASSERT_TRUE(Federation(outside).intersect(inside).isEmpty());
    ASSERT_TRUE(Federation(outside).unite(inside).hasSamePoints(Federation(a)));
    ASSERT_EQ(outside.isEmpty(), a.isSubsetOf(b));
    for (size_t i = 0; i < outside.size(); ++i)
      for (size_t j = i + 1; j < outside.size(); ++j)
        ASSERT_TRUE(Federation(Zone::copyOf(a.dim(), outside[i])).intersect(outside[j]).isEmpty());
  });
}

TEST_P(Laws, UnionIncludesBothAndNothingElse) {
  forPairs(200, 5000, [](const Zone& a, const Zone& b, Random&) {
    const Federation either = Federation(a).unite(b);
    ASSERT_TRUE(either.includes(Federation(a)));
    ASSERT_TRUE(either.includes(Federation(b)));
    ASSERT_TRUE(Federation(either).subtract(Federation(a)).subtract(Federation(b)).isEmpty());
  });
}

TEST_P(Laws, ExtrapolationsGrowInOrder) {
  forPairs(500, 20000, [](const Zone& a, const Zone&, Random& random) {
    const ClockBounds bounds =
        test::asClockBounds(test::randomConstants(random, a.dim(), 6), test::randomConstants(random, a.dim(), 6));
    const Zone m = Zone(a).extraM(bounds);
    const Zone mPlus = Zone(a).extraMPlus(bounds);
    const Zone lu = Zone(a).extraLU(bounds);
    const Zone luPlus = Zone(a).extraLUPlus(bounds);
    ASSERT_TRUE(a.isSubsetOf(m));
    ASSERT_TRUE(m.isSubsetOf(mPlus));
    ASSERT_TRUE(m.isSubsetOf(lu));
    ASSERT_TRUE(mPlus.isSubsetOf(luPlus));
    ASSERT_TRUE(lu.isSubsetOf(luPlus));
    // What the abstraction adds does not matter to aLU.
    ASSERT_TRUE(luPlus.isSubsetOfALU(a, bounds));
  });
}

TEST_P(Laws, AluInclusionIsReflexiveAndWeakerThanInclusion) {
  forPairs(500, 20000, [](const Zone& a, const Zone& b, Random& random) {
    const ClockBounds bounds =
        test::asClockBounds(test::randomConstants(random, a.dim(), 6), test::randomConstants(random, a.dim(), 6));
    ASSERT_TRUE(a.isSubsetOfALU(a, bounds));
    const Zone both = Zone(a).intersect(b);
    ASSERT_TRUE(both.isSubsetOfALU(a, bounds));
    if (a.isSubsetOfALU(b, bounds)) {
      ASSERT_TRUE(both.isSubsetOfALU(b, bounds));
    }
  });
}

TEST_P(Laws, ResetAndFreeForgetTheOldValue) {
  forPairs(500, 20000, [](const Zone& a, const Zone&, Random& random) {
    if (a.dim() == 1)
      return;
    const Clock x = static_cast<Clock>(random.between(1, a.dim() - 1));
    const int32_t value = static_cast<int32_t>(random.between(0, 9));
    ASSERT_EQ(Zone(a).free(x).reset(x, value), Zone(a).reset(x, value));
    ASSERT_EQ(Zone(a).reset(x, value).free(x), Zone(a).free(x));
    ASSERT_EQ(Zone(a).reset(x, 0), Zone(a).copyClock(x, 0));
    ASSERT_TRUE(a.isSubsetOf(Zone(a).free(x)));
  });
}

INSTANTIATE_TEST_SUITE_P(Dimensions, Laws, testing::Values(1, 2, 3, 4, 5, 6, 7, 8, 11, 16),
                         [](const auto& info) { return "Dim" + std::to_string(info.param); });

} // namespace
} // namespace tioc::zones
