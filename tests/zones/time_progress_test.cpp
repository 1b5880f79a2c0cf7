// Time progress against its definition: from a point, a delay d is possible unless a delayable guard is true at some d1
// and false at some d2 with 0 <= d1 < d2 <= d, or an eager guard is true at some d1 with 0 <= d1 < d.

#include "support.hpp"

#include "runtime/zones/print.hpp"
#include "runtime/zones/time_progress.hpp"

#include <gtest/gtest.h>

namespace tioc::zones {
namespace {

using ir::Rational;
using test::Random;

struct Edge {
  Urgency urgency;
  reference::Zone guard;
};

/// Which of the instants `eighths` of a time unit before a point (the last entry is the point itself) lie in the zone.
std::vector<bool> history(const reference::Zone& zone, const std::vector<Rational>& point) {
  Rational age = point[1];
  for (size_t x = 2; x < point.size(); ++x)
    age = std::min(age, point[x]);
  const int64_t eighths = *(age * Rational(8)).floor().toInt64();
  std::vector<bool> inside;
  for (int64_t back = eighths; back >= 0; --back) {
    std::vector<Rational> earlier = point;
    for (size_t x = 1; x < point.size(); ++x)
      earlier[x] = point[x] - Rational(back, 8);
    inside.push_back(zone.contains(earlier));
  }
  return inside;
}

bool mayWait(Urgency urgency, const std::vector<bool>& guard, size_t from) {
  const size_t end = guard.size() - 1;
  for (size_t first = from; first < end; ++first) {
    if (!guard[first])
      continue;
    if (urgency == Urgency::Eager)
      return false;
    for (size_t second = first + 1; second <= end; ++second)
      if (!guard[second])
        return false;
  }
  return true;
}

/// By the definition. The point has coordinates in halves: bounds are crossed at halves, start points are tried at
/// quarters, and between any of those lies an eighth.
bool isReachable(const reference::Zone& from, const std::vector<Edge>& edges, const std::vector<Rational>& point) {
  const std::vector<bool> starts = history(from, point);
  std::vector<std::vector<bool>> guards;
  for (const Edge& edge : edges)
    guards.push_back(history(edge.guard, point));
  for (size_t start = starts.size(); start-- > 0;) {
    if (!starts[start] || (starts.size() - 1 - start) % 2 != 0)
      continue;
    bool possible = true;
    for (size_t e = 0; e < edges.size(); ++e)
      possible = possible && mayWait(edges[e].urgency, guards[e], start);
    if (possible)
      return true;
  }
  return false;
}

Federation progress(const reference::Zone& from, const std::vector<Edge>& edges) {
  std::vector<BindingEdge> binding;
  for (const Edge& edge : edges)
    binding.push_back({edge.urgency, test::asKernel(edge.guard)});
  return timeProgress(Federation(test::asKernel(from)), binding);
}

struct Setting {
  size_t dim;
  size_t shortRounds;
  size_t longRounds;
};

/// How the name of a test shows it.
void PrintTo(const Setting& setting, std::ostream* out) { // NOLINT: gtest's name
  *out << "Dim" << setting.dim;
}

class TimeProgress : public testing::TestWithParam<Setting> {};

TEST_P(TimeProgress, ReachesWhatTheDefinitionAllows) {
  const auto [dim, shortRounds, longRounds] = GetParam();
  Random random(31 + dim);
  const std::vector<std::string> names{"0", "x", "y", "z"};
  size_t blocked = 0;
  for (size_t round = 0; round < test::rounds(shortRounds, longRounds); ++round) {
    const reference::Zone from = test::randomZone(random, dim, 4);
    std::vector<Edge> edges;
    for (int64_t count = random.between(0, 3); count > 0; --count)
      edges.push_back({random.chance(50) ? Urgency::Delayable : Urgency::Eager, test::randomZone(random, dim, 4)});
    const Federation reached = progress(from, edges);
    ASSERT_FALSE(reached.isOutOfRange());
    const auto check = [&](const std::vector<Rational>& point) {
      const bool expected = isReachable(from, edges, point);
      blocked += !expected && reference::up(from).contains(point) ? 1 : 0;
      ASSERT_EQ(reached.contains(point), expected)
          << "from " << reference::toString(from) << "\nreached " << toString(reached, names) << "\nat "
          << point[1].toString() << " " << point.back().toString();
    };
    if (dim == 2) {
      for (int64_t half = 0; half <= 20; ++half)
        check({Rational(0), Rational(half, 2)});
    } else {
      for (int tries = 0; tries < 25; ++tries)
        check(test::randomPointNear(random, reference::up(from), 7, 2));
    }
    if (HasFatalFailure())
      return;
  }
  EXPECT_GT(blocked, 0u);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, TimeProgress,
                         testing::Values(Setting{2, 2000, 40000}, Setting{3, 2500, 60000}, Setting{4, 1500, 40000}),
                         [](const auto& info) { return "Dim" + std::to_string(info.param.dim); });

reference::Zone interval(reference::Limit lower, reference::MaybeLimit upper) {
  reference::System system(2);
  system.require(0, 1, lower);
  if (upper)
    system.require(1, 0, *upper);
  return reference::solve(system);
}

std::string progressText(const reference::Zone& from, const std::vector<Edge>& edges) {
  const std::vector<std::string> names{"0", "x"};
  return toString(progress(from, edges), names);
}

const reference::Zone origin = interval({0, false}, reference::Limit{0, false});

TEST(TimeProgress, DelayableEdgeLetsTimePassToItsLastInstant) {
  const reference::Zone guard = interval({-2, false}, reference::Limit{5, false});
  EXPECT_EQ(progressText(origin, {{Urgency::Delayable, guard}}), "x<=5");
}

TEST(TimeProgress, DelayableEdgeWithStrictBoundIsApproachedOnly) {
  const reference::Zone guard = interval({-2, false}, reference::Limit{5, true});
  EXPECT_EQ(progressText(origin, {{Urgency::Delayable, guard}}), "x<5");
}

TEST(TimeProgress, EagerEdgeStopsTimeAtItsFirstInstant) {
  const reference::Zone guard = interval({-2, false}, reference::Limit{5, false});
  EXPECT_EQ(progressText(origin, {{Urgency::Eager, guard}}), "x<=2");
}

TEST(TimeProgress, EagerEdgeHoldsPointsInItsGuardAndFreesThoseBeyond) {
  const reference::Zone guard = interval({-2, false}, reference::Limit{5, true});
  const Federation reached = progress(interval({-1, false}, reference::Limit{7, false}), {{Urgency::Eager, guard}});
  for (int64_t half = 0; half < 40; ++half)
    EXPECT_EQ(reached.contains(std::vector<Rational>{0, Rational(half, 2)}), half >= 2);
}

TEST(TimeProgress, EdgesOfBothKindsBindTogether) {
  const Edge first{Urgency::Delayable, interval({-2, false}, reference::Limit{5, false})};
  const Edge second{Urgency::Eager, interval({-4, false}, std::nullopt)};
  EXPECT_EQ(progressText(origin, {first, second}), "x<=4");
  const Edge third{Urgency::Delayable, interval({0, false}, reference::Limit{3, true})};
  EXPECT_EQ(progressText(origin, {first, second, third}), "x<3");
}

TEST(TimeProgress, OnePointDoesNotAnswerForAnotherOnItsLine) {
  // From x = 0 the first edge stops time at 1; from x = 2, past the first, the second stops it at 3. Limits taken edge
  // by edge would allow x in (1, 2) for neither start and more than 3 for none, but also 2 < x <= 3 only from the
  // second.
  const Edge first{Urgency::Delayable, interval({0, false}, reference::Limit{1, false})};
  const Edge second{Urgency::Delayable, interval({-2, true}, reference::Limit{3, false})};
  reference::Zone low = interval({0, false}, reference::Limit{0, false});
  reference::Zone high = interval({-2, false}, reference::Limit{2, false});
  Federation from(test::asKernel(low));
  from.unite(test::asKernel(high));
  std::vector<BindingEdge> binding{{first.urgency, test::asKernel(first.guard)},
                                   {second.urgency, test::asKernel(second.guard)}};
  const std::vector<std::string> names{"0", "x"};
  EXPECT_EQ(toString(timeProgress(from, binding), names), "x<=1 || (x>=2 && x<=3)");
}

} // namespace
} // namespace tioc::zones
