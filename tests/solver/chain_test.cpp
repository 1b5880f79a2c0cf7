// The cross-check stops the program on a contradiction, and on nothing else.

#include "support.hpp"

#include "runtime/solver/cross_check.hpp"

#include <gtest/gtest.h>

namespace tioc::solver {
namespace {

using ir::ExprId;
using test::Generator;
using test::World;

/// Says what it was told to say.
struct Parrot final : Link {
  Reply reply;
  explicit Parrot(Reply reply) : reply(std::move(reply)) {}
  Reply ask(const Query&) override { return reply; }
};

struct CrossCheck : testing::Test {
  World world;
  ExprId x = world.add(world.integer, "x");
  ExprId isSmall = world.pool.less(x, world.number(3)), isLarge = world.pool.less(world.number(7), x);
  Options options = test::plain();
  Counts counts;
  Z3 z3{world.terms, options, counts};

  Reply ask(Reply said, std::vector<ExprId> conditions) {
    Parrot parrot(std::move(said));
    return CrossCheckLink(world.terms, parrot, z3).ask({conditions, nullptr});
  }
  static Assignment value(int64_t number) {
    Assignment at;
    at.set(0, {number, {}});
    return at;
  }
};

using CrossCheckDeathTest = CrossCheck;

TEST_F(CrossCheckDeathTest, AWrongUnsatStops) {
  EXPECT_DEATH(ask(Reply::unsat(), {isSmall}), "contradicts itself: the chain says unsat, Z3 alone sat");
}

TEST_F(CrossCheckDeathTest, AModelThatIsNoneStops) {
  EXPECT_DEATH(ask(Reply::sat(value(5)), {isSmall}), "model of a link does not satisfy");
}

TEST_F(CrossCheckDeathTest, AWitnessThatDoesNotSatisfyItsPathStops) {
  options.crossCheck = true;
  Solver solver(world.model, world.unknowns, options);
  const std::vector<ExprId> path{isSmall};
  EXPECT_DEATH(solver.extend(path, isLarge, value(9)), "witness of a path");
}

TEST_F(CrossCheck, RightAnswersAndUnknownPass) {
  EXPECT_EQ(ask(Reply::sat(value(1)), {isSmall}).answer, Answer::Sat);
  EXPECT_EQ(ask(Reply::unsat(), {isSmall, isLarge}).answer, Answer::Unsat);
  EXPECT_EQ(ask(Reply::unknown("tired"), {isSmall}).answer, Answer::Unknown);
}

TEST_F(CrossCheck, TheWholeChainPassesIt) {
  world.add(world.pdu, "m");
  world.add(world.real, "r");
  Generator generator(world, 21);
  generator.hasNonlinear = false;
  Options checked;
  checked.crossCheck = true;
  Solver solver(world.model, world.unknowns, checked);
  for (size_t round = 0; round < test::rounds(15, 1000); ++round) {
    std::vector<ExprId> path;
    Assignment witness;
    for (int i = 0; i < 4; ++i) {
      const ExprId condition = generator.boolean(2);
      const Extension extension = solver.extend(path, condition, witness);
      ASSERT_NE(extension.answer, Answer::Unknown);
      if (extension.answer == Answer::Unsat)
        continue;
      path.push_back(condition);
      witness.merge(extension.changes);
    }
  }
}

} // namespace
} // namespace tioc::solver
