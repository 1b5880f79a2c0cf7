// The terms that Z3 gets mean what the exact evaluator says.

#include "support.hpp"

#include "ir/print.hpp"
#include "runtime/solver/z3.hpp"

#include <gtest/gtest.h>

namespace tioc::solver {
namespace {

using ir::ExprId;
using test::Generator;
using test::World;

/// The conditions that leave one value for every unknown.
std::vector<ExprId> pinned(World& world, const Assignment& at) {
  std::vector<ExprId> conditions;
  for (const auto& [unknown, value] : at)
    conditions.push_back(world.pool.equal(world.unknowns.leaf(world.pool, unknown),
                                          world.terms.constant(world.unknowns.type(unknown), value)));
  return conditions;
}

void fill(World& world, bool isBounded) {
  world.add(isBounded ? world.range(-9, 9) : world.integer, "x");
  world.add(isBounded ? world.range(-100000, 100000) : world.integer, "y");
  world.add(world.digit, "d");
  if (!isBounded) {
    world.add(world.real, "r");
    world.add(world.real, "s");
  }
  world.add(world.boolean, "p");
  world.add(world.kind, "k");
  world.add(world.pdu, "m");
  world.add(world.digits, "a");
  world.add(world.pdus, "b");
}

struct Tally {
  size_t yes = 0, no = 0, faults = 0, bits = 0;
};

/// Many conditions are asked about at one valuation: what holds there as it is, of what does not that it fails. All
/// together are satisfiable iff Z3 agrees on each.
Tally compare(bool isBounded, Options options, uint64_t seed, size_t count) {
  constexpr size_t kTogether = 40;
  Tally tally;
  options.milliseconds = 0;
  for (size_t round = 0; round < count; round += 5 * kTogether) {
    // A fresh world now and then keeps the pool small.
    World world;
    fill(world, isBounded);
    Generator generator(world, seed + round);
    generator.hasLargeNumbers = generator.hasReals = !isBounded;
    Solver solver(world.model, world.unknowns, options);
    for (size_t i = 0; i < 5; ++i) {
      const Assignment at = generator.assignment();
      std::vector<ExprId> all = pinned(world, at);
      for (size_t k = 0; k < kTogether; ++k) {
        const ExprId condition = generator.boolean(1 + static_cast<int>(generator.below(isBounded ? 3 : 4)));
        const eval::Result result = world.terms.evaluate(condition, at);
        const bool expected = result.ok() && result.value.isTrue();
        ++(!result.ok() ? tally.faults : expected ? tally.yes : tally.no);
        EXPECT_TRUE(world.terms.evaluate(world.terms.defined(condition), at).ok());
        EXPECT_EQ(world.terms.holds(world.terms.fails(condition), at), !expected)
            << ir::printExpr(world.model, condition);
        all.push_back(expected ? condition : world.terms.fails(condition));
      }
      const Reply reply = solver.check(all);
      EXPECT_EQ(reply.answer, Answer::Sat) << reply.reason;
      all.back() = world.terms.fails(all.back());
      EXPECT_EQ(solver.check(all).answer, Answer::Unsat); // so Sat was not said of anything
      if (testing::Test::HasFailure())
        return tally;
    }
    tally.bits += solver.counts().bitvectors;
  }
  return tally;
}

TEST(Encoding, NumbersAgreeWithTheEvaluator) {
  const Tally tally = compare(false, test::plain(), 1, test::rounds(2000, 500000));
  EXPECT_GT(tally.yes, 300U);
  EXPECT_GT(tally.no, 300U);
  EXPECT_GT(tally.faults, 300U);
}

TEST(Encoding, BitVectorsAgreeWithTheEvaluator) {
  Options options = test::plain();
  options.bitvectors = Bitvectors::On;
  const Tally tally = compare(true, options, 2, test::rounds(1000, 500000));
  EXPECT_GT(tally.bits, 0U);
  EXPECT_GT(tally.faults, 100U);
}

TEST(Encoding, TheWholeChainAgreesWithTheEvaluator) {
  compare(false, Options{}, 3, test::rounds(2000, 100000));
  compare(true, Options{}, 4, test::rounds(2000, 100000));
}

TEST(Encoding, DivisionIsEuclidean) {
  World world;
  const ExprId q = world.add(world.integer, "q"), r = world.add(world.integer, "r");
  const ExprId a = world.add(world.integer, "a"), b = world.add(world.integer, "b");
  Options options = test::plain();
  options.reuse = Reuse::Stack;
  Solver solver(world.model, world.unknowns, options);
  for (int64_t x = -7; x <= 7; ++x)
    for (int64_t y = -3; y <= 3; ++y) {
      const std::vector<ExprId> conditions{world.pool.equal(a, world.number(x)), world.pool.equal(b, world.number(y)),
                                           world.pool.equal(q, world.pool.divide(a, b)),
                                           world.pool.equal(r, world.pool.remainder(a, b))};
      const Reply reply = solver.check(conditions);
      if (y == 0) {
        EXPECT_EQ(reply.answer, Answer::Unsat);
        continue;
      }
      ASSERT_EQ(reply.answer, Answer::Sat);
      EXPECT_EQ(reply.model.find(0)->number, ir::euclideanQuotient(x, y));
      EXPECT_EQ(reply.model.find(1)->number, ir::euclideanRemainder(x, y));
    }
}

TEST(Encoding, AnOperandThatIsNotLookedAtCannotFault) {
  World world;
  const ExprId x = world.add(world.integer, "x");
  const ExprId zero = world.number(0);
  const ExprId broken = world.pool.equal(world.pool.divide(world.number(6), x), world.number(2));
  const ExprId isZero = world.pool.equal(x, zero);
  Solver solver(world.model, world.unknowns, test::plain());
  auto ask = [&](ExprId condition) { return solver.check({{isZero, condition}}).answer; };
  EXPECT_EQ(ask(world.pool.disjunction(isZero, broken)), Answer::Sat);
  EXPECT_EQ(ask(world.pool.disjunction(broken, isZero)), Answer::Unsat);
  EXPECT_EQ(ask(world.pool.negation(broken)), Answer::Unsat);
  EXPECT_EQ(ask(world.pool.negation(world.pool.conjunction(world.pool.negation(isZero), broken))), Answer::Sat);
  EXPECT_EQ(ask(world.pool.ifThenElse(isZero, isZero, broken)), Answer::Sat);
}

TEST(Encoding, RangesOfUnknownsHoldEverywhere) {
  World world;
  const ExprId m = world.add(world.pdu, "m"), a = world.add(world.digits, "a"), k = world.add(world.kind, "k");
  Solver solver(world.model, world.unknowns, test::plain());
  auto isSat = [&](ExprId condition) { return solver.check({{condition}}).answer == Answer::Sat; };
  const ExprId value = world.pool.field(m, 2, world.range(-2, 2));
  EXPECT_TRUE(isSat(world.pool.equal(value, world.number(-2))));
  EXPECT_FALSE(isSat(world.pool.less(value, world.number(-2))));
  EXPECT_FALSE(isSat(world.pool.less(world.number(3), world.pool.element(a, world.number(1)))));
  std::vector<ExprId> none;
  for (uint32_t i = 0; i < 3; ++i)
    none.push_back(world.pool.negation(world.pool.equal(k, world.pool.enumLiteral(world.kind, i))));
  EXPECT_EQ(solver.check(none).answer, Answer::Unsat);
}

/// `900` out of a chain of choices that is `depth` deep.
Reply askDeep(int depth, Options options) {
  World world;
  const ExprId x = world.add(world.range(0, 1000), "x");
  ExprId sum = x;
  for (int i = 0; i < depth; ++i)
    sum = world.pool.ifThenElse(world.pool.less(sum, world.number(i % 7)), world.number(i % 5), sum);
  Solver solver(world.model, world.unknowns, std::move(options));
  return solver.check({{world.pool.equal(sum, world.number(900)), world.pool.less(x, world.number(950))}});
}

TEST(Encoding, DeepExpressionsNeedNoStack) {
  const Reply reply = askDeep(1000, test::plain());
  EXPECT_EQ(reply.answer, Answer::Sat) << reply.reason;
  // Far beyond what Z3 decides soon: it may give up, but neither crash nor say no.
  Options hasty = test::plain();
  hasty.milliseconds = 500;
  EXPECT_NE(askDeep(20000, hasty).answer, Answer::Unsat);
}

TEST(Encoding, ConditionsOnVariablesAreNotAnswered) {
  World world;
  const ExprId v = world.pool.variable(ir::VariableId(0), world.integer);
  Solver solver(world.model, world.unknowns);
  EXPECT_EQ(solver.check({{world.pool.less(v, world.number(3))}}).answer, Answer::Unknown);
}

} // namespace
} // namespace tioc::solver
