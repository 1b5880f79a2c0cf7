// Each link answers what it is there for, and what it answers is what Z3 alone says.

#include "support.hpp"

#include "ir/print.hpp"

#include <gtest/gtest.h>

namespace tioc::solver {
namespace {

using ir::ExprId;
using test::Generator;
using test::World;

TEST(Links, TogetherAndOneByOneTheyAgreeWithZ3Alone) {
  World world;
  for (const char* name : {"i", "j", "k"})
    world.add(world.integer, name);
  world.add(world.real, "r");
  world.add(world.pdu, "m");
  world.add(world.digits, "a");
  Generator generator(world, 5);
  generator.hasNonlinear = false; // Z3 alone must know
  std::vector<Options> settings(5);
  settings[1].folding = settings[2].witness = settings[3].cache = settings[4].independence = false;
  Solver plain(world.model, world.unknowns, test::plain());
  std::vector<std::unique_ptr<Solver>> solvers;
  for (const Options& options : settings)
    solvers.push_back(std::make_unique<Solver>(world.model, world.unknowns, options));
  Counts total;
  for (size_t round = 0; round < test::rounds(12, 1000); ++round) {
    std::vector<ExprId> path;
    Assignment witness;
    for (int i = 0; i < 5; ++i) {
      path.push_back(generator.boolean(2));
      const Reply expected = plain.check(path);
      ASSERT_NE(expected.answer, Answer::Unknown) << expected.reason;
      for (const auto& solver : solvers) {
        const Reply reply = solver->check(path, &witness);
        ASSERT_EQ(reply.answer, expected.answer) << ir::printExpr(world.model, path.back());
        if (reply.answer == Answer::Sat) {
          ASSERT_TRUE(world.terms.isModel(path, reply.model));
        }
      }
      if (expected.answer == Answer::Unsat)
        path.pop_back();
      else
        witness = expected.model;
    }
  }
  const Counts& counts = solvers[0]->counts();
  EXPECT_GT(counts.witness, 0U);
  EXPECT_GT(counts.neighbour, 0U);
  EXPECT_LT(counts.z3(), counts.questions / 2);
  EXPECT_EQ(solvers[2]->counts().witness + solvers[2]->counts().neighbour, 0U);
  EXPECT_EQ(solvers[1]->counts().folding, 0U);
  EXPECT_EQ(solvers[3]->counts().cache, 0U);
  EXPECT_EQ(solvers[4]->counts().independence, 0U);
}

struct Two : testing::Test {
  World world;
  ExprId x = world.add(world.integer, "x"), y = world.add(world.integer, "y");
  ir::ExprPool& pool = world.pool;
  ExprId number(int64_t value) { return world.number(value); }
};

using FoldingTest = Two;
using WitnessTest = Two;
using CacheTest = Two;
using IndependenceTest = Two;
using ExtendTest = Two;

TEST_F(FoldingTest, ContradictionsOfSingleScalarsNeedNoSearch) {
  Options options = test::plain();
  options.folding = true;
  Solver solver(world.model, world.unknowns, options);
  EXPECT_EQ(solver.check({{pool.less(x, number(3)), pool.less(number(2), x)}}).answer, Answer::Unsat);
  EXPECT_EQ(solver.check({{pool.less(x, number(3)), pool.less(number(1), x)}}).answer, Answer::Sat);
  const ExprId doubled = pool.multiply({{number(2), x}});
  EXPECT_EQ(solver.check({{pool.equal(doubled, number(7))}}).answer, Answer::Unsat);
  EXPECT_EQ(solver.counts().folding, 3U);
  EXPECT_EQ(solver.counts().z3(), 0U);
}

TEST_F(WitnessTest, ANeighbourOfTheHintMendsOneCondition) {
  Options options = test::plain();
  options.witness = true;
  Solver solver(world.model, world.unknowns, options);
  Assignment hint;
  hint.set(0, {5, {}});
  hint.set(1, {7, {}});
  const std::vector<ExprId> conditions{pool.less(x, y), pool.less(number(100), y)};
  const Reply reply = solver.check(conditions, &hint);
  EXPECT_EQ(reply.answer, Answer::Sat);
  EXPECT_EQ(reply.model.find(0)->number, 5);
  EXPECT_GT(reply.model.find(1)->number, 100);
  EXPECT_EQ(solver.counts().neighbour, 1U);
  EXPECT_EQ(solver.check(conditions, &reply.model).answer, Answer::Sat);
  EXPECT_EQ(solver.counts().witness, 1U);
  EXPECT_EQ(solver.counts().z3(), 0U);
}

TEST_F(WitnessTest, WhatAChangeBreaksIsMendedInTurn) {
  Options options = test::plain();
  options.witness = true;
  Solver solver(world.model, world.unknowns, options);
  const ExprId z = world.add(world.model.types.integer(), "z");
  Assignment hint;
  hint.set(0, {1, {}}); // the funds
  hint.set(1, {2, {}}); // more than these
  hint.set(2, {1, {}});
  // Only more funds help the last condition, and then the second one needs more as well.
  const std::vector<ExprId> conditions{pool.less(number(0), x), pool.less(x, y), pool.less(number(0), z),
                                       pool.less(z, x)};
  const Reply reply = solver.check(conditions, &hint);
  EXPECT_EQ(reply.answer, Answer::Sat);
  EXPECT_EQ(solver.counts().neighbour, 1U);
  EXPECT_EQ(solver.counts().z3(), 0U);
}

TEST_F(WitnessTest, ARepairReachesUnknownsThatTheWitnessLeavesAtTheirDefaults) {
  Options options = test::plain();
  options.witness = true;
  Solver solver(world.model, world.unknowns, options);
  Assignment witness;
  witness.set(0, {-3, {}});
  // More than 5 in x breaks x < y, and the witness says nothing of y, which is 0 then.
  const std::vector<ExprId> path{pool.less(x, y)};
  const Extension extension = solver.extend(path, pool.less(number(5), x), witness);
  EXPECT_EQ(extension.answer, Answer::Sat);
  ASSERT_NE(extension.changes.find(1), nullptr);
  EXPECT_GT(extension.changes.find(1)->number, extension.changes.find(0)->number);
}

TEST_F(WitnessTest, AHintOutsideItsRangeIsNotBelieved) {
  const ExprId d = world.add(world.digit, "d");
  Solver solver(world.model, world.unknowns);
  Assignment hint;
  hint.set(2, {9, {}});
  EXPECT_EQ(solver.check({{pool.less(number(5), d)}}, &hint).answer, Answer::Unsat);
}

TEST_F(CacheTest, SubsetsAndSupersetsOfDecidedSetsAreKnown) {
  Options options = test::plain();
  options.cache = true;
  Solver solver(world.model, world.unknowns, options);
  const ExprId a = pool.less(x, y), b = pool.less(y, x), c = pool.less(number(10), pool.add({{x, y}}));
  EXPECT_EQ(solver.check({{a, b}}).answer, Answer::Unsat);
  EXPECT_EQ(solver.check({{c, b, a}}).answer, Answer::Unsat);
  EXPECT_EQ(solver.check({{a, c}}).answer, Answer::Sat);
  EXPECT_EQ(solver.check({{c}}).answer, Answer::Sat);
  EXPECT_EQ(solver.counts().cache, 2U);
  EXPECT_EQ(solver.counts().z3(), 2U);
}

TEST_F(IndependenceTest, SlicesAreAskedApartAndAnUnsatisfiableOneDecides) {
  Options options = test::plain();
  options.independence = true;
  Solver solver(world.model, world.unknowns, options);
  const ExprId p = world.add(world.integer, "p");
  const ExprId onX = pool.less(number(0), x), onY = pool.less(y, p), no = pool.less(p, y);
  EXPECT_EQ(solver.check({{onX, onY}}).answer, Answer::Sat);
  EXPECT_EQ(solver.counts().independence, 1U);
  EXPECT_EQ(solver.counts().z3Sat, 2U);
  EXPECT_EQ(solver.check({{onX, onY, no}}).answer, Answer::Unsat);
}

TEST_F(ExtendTest, AWitnessThatServesIsLeftAsItIs) {
  Solver solver(world.model, world.unknowns);
  Assignment witness;
  witness.set(0, {5, {}});
  const std::vector<ExprId> path{pool.less(x, number(9))};
  const Extension extension = solver.extend(path, pool.less(number(3), x), witness);
  EXPECT_EQ(extension.answer, Answer::Sat);
  EXPECT_TRUE(extension.changes.empty());
  EXPECT_EQ(solver.counts().witness, 1U);
}

TEST_F(ExtendTest, OnlyWhatBearsOnTheConditionChanges) {
  Solver solver(world.model, world.unknowns);
  const ExprId z = world.add(world.integer, "z");
  Assignment witness;
  for (uint32_t i = 0; i < 3; ++i)
    witness.set(i, {static_cast<int64_t>(i) + 1, {}});
  const std::vector<ExprId> path{pool.less(x, y), pool.less(number(0), z)};
  const ExprId sum = pool.equal(pool.add({{x, y}}), number(1000));
  const Extension extension = solver.extend(path, sum, witness);
  ASSERT_EQ(extension.answer, Answer::Sat);
  EXPECT_EQ(extension.changes.find(2), nullptr);
  witness.merge(extension.changes);
  EXPECT_TRUE(world.terms.allHold(path, witness) && world.terms.holds(sum, witness));
  EXPECT_EQ(solver.extend(path, pool.less(y, x), witness).answer, Answer::Unsat);
}

TEST_F(ExtendTest, AFaultIsNotSatisfaction) {
  Solver solver(world.model, world.unknowns);
  Assignment witness; // x is 0
  const ExprId broken = pool.equal(pool.divide(number(6), x), number(2));
  const Extension extension = solver.extend({}, broken, witness);
  ASSERT_EQ(extension.answer, Answer::Sat);
  EXPECT_EQ(extension.changes.find(0)->number, 3);
  const std::vector<ExprId> path{pool.equal(x, number(0))};
  EXPECT_EQ(solver.extend(path, broken, witness).answer, Answer::Unsat);
  EXPECT_EQ(solver.extend(path, pool.negation(broken), witness).answer, Answer::Unsat);
}

/// The quick evaluation of links and the interpreter are one.
TEST(QuickEvaluation, SaysWhatTheInterpreterSays) {
  World world;
  world.add(world.integer, "x");
  world.add(world.integer, "y");
  world.add(world.real, "r");
  world.add(world.boolean, "p");
  world.add(world.kind, "k");
  world.add(world.pdu, "m");
  world.add(world.digits, "a");
  world.add(world.pdus, "b");
  Generator generator(world, 11);
  size_t quick = 0, yes = 0, faults = 0;
  const size_t count = test::rounds(60000, 1000000);
  for (size_t i = 0; i < count / 20; ++i) {
    const ExprId condition = generator.boolean(1 + static_cast<int>(generator.below(4)));
    for (int k = 0; k < 20; ++k) {
      const Assignment at = generator.assignment();
      const eval::Result exact =
          eval::evaluate(world.model, condition, [&](ExprId leaf) { return *at.find(world.pool.payload(leaf)); });
      const auto answer = world.terms.quicklyHolds(condition, at);
      quick += answer.has_value();
      yes += exact.ok() && exact.value.isTrue();
      faults += !exact.ok();
      ASSERT_EQ(answer.value_or(exact.ok() && exact.value.isTrue()), exact.ok() && exact.value.isTrue())
          << ir::printExpr(world.model, condition);
    }
  }
  EXPECT_GT(quick, count / 2);
  EXPECT_GT(yes, count / 10);
  EXPECT_GT(faults, count / 50);
}

} // namespace
} // namespace tioc::solver
