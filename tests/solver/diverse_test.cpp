// Optima, implications, inclusions and models by chance, against trying all values.

#include "support.hpp"

#include "ir/print.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

namespace tioc::solver {
namespace {

using ir::Decision;
using ir::ExprId;
using ir::Rational;
using test::Generator;
using test::World;

struct Small : testing::Test {
  World world;
  ExprId d = world.add(world.digit, "d"), x = world.add(world.range(-2, 2), "x"), p = world.add(world.boolean, "p"),
         k = world.add(world.kind, "k");
  ir::ExprPool& pool = world.pool;
  Generator generator{world, 41};
  Solver solver{world.model, world.unknowns};

  Small() { generator.hasLargeNumbers = generator.hasReals = false; }
  void forAll(const std::function<void(const Assignment&)>& fn) { test::forAll(world, 0, 4, fn); }
};

TEST_F(Small, LeastAndGreatestValuesAreThoseOfTryingAll) {
  size_t attained = 0, none = 0;
  for (size_t i = 0; i < test::rounds(80, 4000); ++i) {
    const ExprId condition = generator.boolean(2), term = generator.integer(2);
    std::optional<Rational> least, most;
    forAll([&](const Assignment& at) {
      const eval::Result value = world.terms.evaluate(term, at);
      if (!world.terms.holds(condition, at) || !value.ok())
        return;
      least = least ? std::min(*least, value.value.number) : value.value.number;
      most = most ? std::max(*most, value.value.number) : value.value.number;
    });
    const Optimum low = solver.minimise({{condition}}, term), high = solver.maximise({{condition}}, term);
    const auto kind = least ? Optimum::Kind::Attained : Optimum::Kind::Unsat;
    ASSERT_EQ(low.kind, kind) << ir::printExpr(world.model, condition) << "\n" << ir::printExpr(world.model, term);
    ASSERT_EQ(high.kind, kind) << high.reason;
    ++(least ? attained : none);
    if (!least)
      continue;
    ASSERT_EQ(low.value, *least) << ir::printExpr(world.model, condition) << "\n" << ir::printExpr(world.model, term);
    ASSERT_EQ(high.value, *most) << ir::printExpr(world.model, condition) << "\n" << ir::printExpr(world.model, term);
    ASSERT_EQ(world.terms.evaluate(term, low.model).value.number, *least);
    ASSERT_TRUE(world.terms.holds(condition, low.model) && world.terms.holds(condition, high.model));
  }
  EXPECT_GT(attained, 20U);
  EXPECT_GT(none, 2U);
}

TEST_F(Small, OptimaOfUnboundedAndRealTermsAreToldApart) {
  const ExprId y = world.add(world.integer, "y"), r = world.add(world.real, "r");
  auto real = [&](int64_t n, int64_t m = 1) { return pool.real(Rational(n, m)); };
  EXPECT_EQ(solver.minimise({{pool.less(y, world.number(9))}}, y).kind, Optimum::Kind::Unbounded);
  EXPECT_EQ(solver.maximise({{pool.less(y, world.number(9))}}, y).value, 8);
  const Optimum open = solver.minimise({{pool.less(real(1, 3), r)}}, r);
  EXPECT_EQ(open.kind, Optimum::Kind::Limit) << open.reason;
  EXPECT_EQ(open.value, Rational(1, 3));
  const Optimum closed = solver.minimise({{pool.lessEqual(real(1, 3), r)}}, r);
  EXPECT_EQ(closed.kind, Optimum::Kind::Attained);
  EXPECT_EQ(closed.value, Rational(1, 3));
  EXPECT_EQ(solver.maximise({{pool.lessEqual(real(1, 3), r)}}, r).kind, Optimum::Kind::Unbounded);
}

TEST_F(Small, OptimaOfTimesHaveNothingBelowAndAreComeNearTo) {
  std::vector<ExprId> times{pool.real(0)};
  for (const char* name : {"t1", "t2", "t3", "t4"})
    times.push_back(world.add(world.real, name));
  std::mt19937_64 random(5);
  const auto below = [&](uint64_t count) { return static_cast<int64_t>(random() % count); };
  const auto bound = [&] {
    const ExprId low = times[random() % 5], shift = pool.real(Rational(below(13) - 4, 2));
    const ExprId high = pool.add(std::vector<ExprId>{times[random() % 5], shift});
    const int64_t kind = below(8);
    return kind == 0 ? pool.equal(low, high) : kind < 3 ? pool.less(low, high) : pool.lessEqual(low, high);
  };
  std::map<Optimum::Kind, size_t> kinds;
  for (size_t i = 0; i < test::rounds(80, 2000); ++i) {
    std::vector<ExprId> conditions{pool.disjunction(bound(), bound())};
    for (int j = 0; j < 6; ++j)
      conditions.push_back(bound());
    const ExprId time = times[1 + random() % 4];
    const ExprId term = i % 3 ? time : pool.add(std::vector<ExprId>{pool.negate(time), pool.real(1)});
    const Optimum low = solver.minimise(conditions, term);
    const auto isPossible = [&](ExprId condition) {
      std::vector<ExprId> all = conditions;
      all.push_back(condition);
      return solver.check(all).answer == Answer::Sat;
    };
    ++kinds[low.kind];
    if (low.kind == Optimum::Kind::Unsat) {
      ASSERT_FALSE(isPossible(pool.boolean(true)));
    } else if (low.kind == Optimum::Kind::Unbounded) {
      ASSERT_TRUE(isPossible(pool.less(term, pool.real(-100))));
    } else {
      const ExprId value = pool.real(low.value);
      ASSERT_FALSE(isPossible(pool.less(term, value)));
      ASSERT_EQ(isPossible(pool.equal(term, value)), low.kind == Optimum::Kind::Attained);
      ASSERT_TRUE(isPossible(pool.lessEqual(term, pool.real(low.value + Rational(1, 100)))));
    }
  }
  for (const Optimum::Kind kind : {Optimum::Kind::Attained, Optimum::Kind::Limit, Optimum::Kind::Unbounded})
    EXPECT_GT(kinds[kind], 3U);
}

TEST_F(Small, ImplicationsAreThoseOfTryingAll) {
  size_t yes = 0;
  for (size_t i = 0; i < test::rounds(150, 6000); ++i) {
    const ExprId condition = generator.boolean(2), conclusion = generator.boolean(2);
    bool expected = true;
    forAll([&](const Assignment& at) {
      expected = expected && (!world.terms.holds(condition, at) || world.terms.holds(conclusion, at));
    });
    ASSERT_EQ(solver.implies({{condition}}, conclusion), expected ? Decision::Yes : Decision::No)
        << ir::printExpr(world.model, condition) << "\n"
        << ir::printExpr(world.model, conclusion);
    yes += expected;
  }
  EXPECT_GT(yes, 10U);
}

TEST_F(Small, InclusionsAreThoseOfTryingAll) {
  const std::vector<uint32_t> inner{0, 3}; // d, k
  size_t yes = 0, no = 0;
  for (size_t i = 0; i < test::rounds(120, 5000); ++i) {
    const ExprId some = generator.boolean(3), other = generator.boolean(1);
    const ExprId all =
        generator.chance(50) ? pool.less(x, world.number(1)) : pool.disjunction(p, pool.equal(x, world.number(2)));
    bool expected = true;
    test::forAll(world, 1, 3, [&](const Assignment& outer) {
      if (!expected || !world.terms.holds(all, outer))
        return;
      bool found = false;
      forAll([&](const Assignment& at) {
        found = found || (*at.find(1) == *outer.find(1) && *at.find(2) == *outer.find(2) &&
                          world.terms.holds(some, at) && world.terms.holds(other, at));
      });
      expected = found;
    });
    ASSERT_EQ(solver.includes({{all}}, {{some, other}}, inner), expected ? Decision::Yes : Decision::No)
        << ir::printExpr(world.model, all) << "\n"
        << ir::printExpr(world.model, some) << "\n"
        << ir::printExpr(world.model, other);
    ++(expected ? yes : no);
  }
  EXPECT_GT(yes, 10U);
  EXPECT_GT(no, 10U);
}

TEST_F(Small, InclusionKeepsTheFaultsOfWhatAValueFoldsAway) {
  // d == 0 && d * (1 / x) == 0: at x == 0 the second has no value, whatever d is.
  const ExprId zero = world.number(0);
  const ExprId product = pool.multiply({{d, pool.divide(world.number(1), x)}});
  const std::vector<uint32_t> inner{0};
  const std::vector<ExprId> some{pool.equal(d, zero), pool.equal(product, zero)};
  EXPECT_EQ(solver.includes({}, some, inner), Decision::No);
  EXPECT_EQ(solver.includes({{pool.less(zero, x)}}, some, inner), Decision::Yes);
}

TEST_F(Small, ModelsByChanceCoverAllAndRepeatBySeed) {
  const std::vector<ExprId> conditions{pool.lessEqual(world.number(1), d),
                                       pool.less(pool.add({{d, x}}), world.number(3))};
  std::set<std::pair<int64_t, int64_t>> seen, all;
  forAll([&](const Assignment& at) {
    if (world.terms.allHold(conditions, at))
      all.insert({*at.find(0)->number.toInt64(), *at.find(1)->number.toInt64()});
  });
  for (uint64_t seed = 0; seed < 150; ++seed) {
    const Reply reply = solver.diverse(conditions, seed);
    ASSERT_EQ(reply.answer, Answer::Sat);
    ASSERT_TRUE(world.terms.isModel(conditions, reply.model));
    seen.insert({*reply.model.find(0)->number.toInt64(), *reply.model.find(1)->number.toInt64()});
  }
  EXPECT_EQ(seen, all);
  Solver one(world.model, world.unknowns), other(world.model, world.unknowns);
  EXPECT_EQ(one.diverse(conditions, 5).model, other.diverse(conditions, 5).model);
}

TEST_F(Small, AModelOtherThanThePreviousOnesIsFoundWhileThereIsOne) {
  const std::vector<ExprId> conditions{pool.less(world.number(0), d), p};
  std::vector<Assignment> previous;
  for (int i = 0; i < 3; ++i) {
    const Reply reply = solver.diverse(conditions, 9, previous);
    ASSERT_EQ(reply.answer, Answer::Sat);
    for (const Assignment& other : previous)
      EXPECT_NE(reply.model, other);
    previous.push_back(reply.model);
  }
  EXPECT_EQ(solver.diverse(conditions, 9, previous).answer, Answer::Sat); // all three are used up: any will do
  EXPECT_EQ(solver.diverse({{pool.less(d, d)}}, 9).answer, Answer::Unsat);
}

} // namespace
} // namespace tioc::solver
