// The kernel is compiled for two targets; here both run on the same zones, also on a machine that would pick only one.

#include "support.hpp"

#include "runtime/zones/kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#if defined(TIOC_KERNEL_AVX2) && !defined(TIOC_ZONES_UDBM)

namespace tioc::zones {
namespace {

using test::Random;

/// A zone's matrix and what an operation said about it.
struct Result {
  MatrixVector matrix;
  Outcome outcome;

  friend bool operator==(const Result& a, const Result& b) {
    return a.outcome == b.outcome && (a.outcome != Outcome::NonEmpty || a.matrix == b.matrix);
  }
};

MatrixVector matrixOf(const Zone& zone) {
  return {zone.data(), zone.data() + dbm::size(zone.dim())};
}

template <class Operation>
Result run(MatrixVector matrix, Operation operation) {
  const Outcome outcome = operation(matrix.data());
  return {std::move(matrix), outcome};
}

TEST(Kernel, BothTargetsAgree) {
  if (__builtin_cpu_supports("avx2") == 0)
    GTEST_SKIP() << "needs AVX2";
  Random random(51);
  for (size_t round = 0; round < test::rounds(4000, 100000); ++round) {
    const Dim dim = static_cast<Dim>(random.between(2, round % 10 == 0 ? 40 : 10));
    const int64_t largest = random.chance(80) ? 20 : maxValue / 3;
    const reference::Zone first = test::randomZone(random, dim, largest);
    const reference::Zone second = test::randomZone(random, dim, largest);
    if (first.empty || second.empty || !test::isStorable(first) || !test::isStorable(second))
      continue;
    const MatrixVector a = matrixOf(test::asKernel(first));
    const MatrixVector b = matrixOf(test::asKernel(second));
    const ClockBounds bounds =
        test::asClockBounds(test::randomConstants(random, dim, largest), test::randomConstants(random, dim, largest));
    const Clock x = static_cast<Clock>(random.between(1, dim - 1));
    const Clock y = (x + 1) % dim;
    const Constraint constraint{x, y, test::asBound(test::randomLimit(random, largest))};
    MatrixVector open = a;
    for (size_t at = 0; at < open.size(); ++at)
      open[at] = random.chance(20) ? std::min(b[at], open[at]) : open[at];

#define TIOC_BOTH(matrix, call)                                                                                        \
  ASSERT_EQ(run(matrix, [&](Bound* zone) { return base::call; }), run(matrix, [&](Bound* zone) { return avx2::call; }))
    TIOC_BOTH(open, close(zone, dim));
    TIOC_BOTH(a, constrain(zone, dim, constraint));
    TIOC_BOTH(a, intersect(zone, b.data(), dim));
    TIOC_BOTH(a, extraM(zone, dim, bounds));
    TIOC_BOTH(a, extraMPlus(zone, dim, bounds));
    TIOC_BOTH(a, extraLU(zone, dim, bounds));
    TIOC_BOTH(a, extraLUPlus(zone, dim, bounds));
#undef TIOC_BOTH
    MatrixVector inBase = a;
    MatrixVector inAvx2 = a;
    base::down(inBase.data(), dim);
    avx2::down(inAvx2.data(), dim);
    ASSERT_EQ(inBase, inAvx2);
    base::reset(inBase.data(), dim, x, 3);
    avx2::reset(inAvx2.data(), dim, x, 3);
    ASSERT_EQ(inBase, inAvx2);
    base::free(inBase.data(), dim, x);
    avx2::free(inAvx2.data(), dim, x);
    ASSERT_EQ(inBase, inAvx2);
    base::copyClock(inBase.data(), dim, x, y);
    avx2::copyClock(inAvx2.data(), dim, x, y);
    ASSERT_EQ(inBase, inAvx2);
    ASSERT_EQ(base::isSubset(a.data(), b.data(), dim), avx2::isSubset(a.data(), b.data(), dim));
    ASSERT_EQ(base::relation(a.data(), open.data(), dim), avx2::relation(a.data(), open.data(), dim));
    ASSERT_EQ(base::isSubsetOfALU(a.data(), b.data(), dim, bounds.lower(), bounds.negatedUpper()),
              avx2::isSubsetOfALU(a.data(), b.data(), dim, bounds.lower(), bounds.negatedUpper()));
  }
}

} // namespace
} // namespace tioc::zones

#endif
