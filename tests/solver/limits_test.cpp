// What cannot be decided within the limits is unknown, with the reason, and nothing takes it for a no.

#include "support.hpp"

#include "runtime/solver/watchdog.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace tioc::solver {
namespace {

using ir::ExprId;
using test::World;

// Generous for a machine that does other things too; without a working limit the questions take far longer.
constexpr double kSlack = 5;

double secondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Questions that have an answer, but not soon.
struct Hard : testing::Test {
  World world;
  ExprId x = world.add(world.integer, "x"), y = world.add(world.integer, "y"), z = world.add(world.integer, "z");
  ir::ExprPool& pool = world.pool;

  ExprId cube(ExprId a) { return pool.multiply({{a, a, a}}); }
  /// A sum of three cubes: the smallest solution has sixteen digits.
  std::vector<ExprId> cubes() {
    return {pool.equal(pool.add({{cube(x), cube(y), cube(z)}}), world.number(33)), pool.less(world.number(1000), x)};
  }
  static Options hasty() {
    Options options;
    options.milliseconds = 300;
    return options;
  }
};

using Limits = Hard;

TEST_F(Limits, TimeThatIsOverIsUnknown) {
  Solver solver(world.model, world.unknowns, hasty());
  Reply reply;
  EXPECT_LT(secondsOf([&] { reply = solver.check(cubes()); }), 0.3 + kSlack);
  EXPECT_EQ(reply.answer, Answer::Unknown);
  EXPECT_EQ(reply.reason, "timeout");
  EXPECT_EQ(solver.counts().z3Unknown, 1U);
  // The next question is none the worse for it.
  EXPECT_EQ(solver.check({{pool.less(pool.add({{x, y}}), z), pool.less(z, pool.add({{x, y}}))}}).answer, Answer::Unsat);
}

TEST_F(Limits, TimeCountsForEncodingAndAssertingToo) {
  ExprId sum = x;
  for (int i = 0; i < 20000; ++i)
    sum = pool.ifThenElse(pool.less(sum, world.number(i % 7)), world.number(i % 5), sum);
  Options options = test::plain();
  options.milliseconds = 300;
  Solver solver(world.model, world.unknowns, options);
  Reply reply;
  EXPECT_LT(secondsOf([&] { reply = solver.check({{pool.equal(sum, world.number(900))}}); }), 0.3 + kSlack);
  EXPECT_NE(reply.answer, Answer::Unsat);
}

TEST_F(Limits, ResourcesThatAreSpentAreUnknown) {
  Options options = test::plain();
  options.resources = 2000;
  Solver solver(world.model, world.unknowns, options);
  const Reply reply = solver.check(cubes());
  EXPECT_EQ(reply.answer, Answer::Unknown);
  EXPECT_EQ(reply.reason, "resources");
  EXPECT_EQ(solver.counts().z3Unknown, 1U);
}

TEST_F(Limits, MemoryThatIsSpentIsUnknown) {
  Options options = test::plain();
  options.megabytes = 60;
  options.milliseconds = 20000;
  Reply reply;
  {
    Solver solver(world.model, world.unknowns, options);
    ExprId sum = x;
    for (int i = 0; i < 20000; ++i)
      sum = pool.ifThenElse(pool.less(sum, world.number(i % 7)), world.number(i % 5), sum);
    reply = solver.check({{pool.equal(sum, world.number(900))}});
  }
  EXPECT_EQ(reply.answer, Answer::Unknown);
  EXPECT_EQ(reply.reason, "memory");
  options.megabytes = 12; // too little to begin with
  EXPECT_EQ(Solver(world.model, world.unknowns, options).check({{pool.less(x, y)}}).reason, "memory");
  // The limit is of the process; the next solver sets its own.
  Solver solver(world.model, world.unknowns, test::plain());
  EXPECT_EQ(solver.check({{pool.less(x, y)}}).answer, Answer::Sat);
}

TEST_F(Limits, NothingReadsUnknownAsUnsat) {
  Solver solver(world.model, world.unknowns, hasty());
  const std::vector<ExprId> conditions = cubes();
  EXPECT_EQ(solver.implies(conditions, pool.less(x, world.number(5))), ir::Decision::Unknown);
  EXPECT_EQ(solver.minimise(conditions, x).kind, Optimum::Kind::Unknown);
  EXPECT_EQ(solver.maximise(conditions, x).kind, Optimum::Kind::Unknown);
  EXPECT_EQ(solver.diverse(conditions, 1).answer, Answer::Unknown);
  EXPECT_EQ(solver.extend({}, pool.conjunction(conditions), {}).answer, Answer::Unknown);
  const std::vector<ExprId> all{pool.less(world.number(1000), x)};
  const std::vector<uint32_t> inner{1, 2};
  EXPECT_EQ(solver.includes(all, {{conditions[0]}}, inner), ir::Decision::Unknown);
  EXPECT_EQ(solver.counts().z3Unsat, 0U);
}

TEST_F(Limits, AnUnsatisfiableSliceDecidesBesideAnUnknownOne) {
  const ExprId p = world.add(world.integer, "p"), q = world.add(world.integer, "q");
  Solver solver(world.model, world.unknowns, hasty());
  std::vector<ExprId> conditions = cubes();
  conditions.push_back(pool.less(p, q));
  conditions.push_back(pool.less(pool.add({{q, q}}), pool.add({{p, p}})));
  EXPECT_EQ(solver.check(conditions).answer, Answer::Unsat);
}

TEST(Watchdog, CallsOnceTheTimeIsOverAndNotAfterTheEnd) {
  std::atomic<int> calls = 0;
  Watchdog watchdog;
  watchdog.start(10);
  watchdog.onExpiry([&] { ++calls; });
  for (int i = 0; i < 1000 && calls == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_TRUE(watchdog.isExpired());
  EXPECT_TRUE(watchdog.stop());
  const int before = calls;
  EXPECT_GT(before, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(120));
  EXPECT_EQ(calls, before);
  watchdog.start(0);
  watchdog.onExpiry([&] { ++calls; });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(watchdog.stop());
  watchdog.start(60000);
  EXPECT_FALSE(watchdog.stop());
}

} // namespace
} // namespace tioc::solver
