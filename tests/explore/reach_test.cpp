#include "explore/reach_support.hpp"

#include <gtest/gtest.h>

namespace tioc::explore {
namespace {

using namespace test;

TEST(Reach, FindsTheShortestWayAndItsDelays) {
  Prepared net("module m; output a, b;"
               "tiosts P { clock x, y; init S;"
               "state S { a! when x >= 2 && x <= 5 do x := 0 -> T; }"
               "state T { b! when y == 9 && x <= 7 -> U; } state U { } }");
  ReachOptions options;
  options.target = at(net.model, "P", "U");
  const ReachResult result = reach(net.model, options);
  ASSERT_TRUE(result.reached());
  const RunResult run = concreteRun(net.model, *result.path, {});
  ASSERT_TRUE(run.run);
  EXPECT_EQ(delays(*run.run), "2 7 0");
  EXPECT_FALSE(validateRun(net.model, *run.run));
}

} // namespace
} // namespace tioc::explore
