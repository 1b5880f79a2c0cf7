#include "ir/decide.hpp"

#include "ir/reference.hpp"

#include <gtest/gtest.h>

namespace tioc::ir {
namespace {

/// Random guards over a few small variables and clocks, compared with trying every point of a grid.
class Decide : public testing::Test {
protected:
  Model model;
  ExprPool& pool = model.exprs;
  std::mt19937 random{3};
  std::vector<ExprId> ints;
  ExprId flag, color;
  TypeId colorType;
  std::vector<ClockId> clocks;

  void SetUp() override {
    TypeId small = model.types.ranged({0, 3});
    for (int i = 0; i < 2; ++i) {
      model.variables.push_back({.name = "x", .type = small});
      ints.push_back(pool.variable(VariableId(model.variables.size() - 1), small));
    }
    model.variables.push_back({.name = "flag", .type = model.types.boolean()});
    flag = pool.variable(VariableId(2), model.types.boolean());
    model.enums.push_back({.name = "Color", .literals = {"red", "green", "blue"}});
    colorType = model.types.enumeration(EnumId(0));
    model.variables.push_back({.name = "color", .type = colorType});
    color = pool.variable(VariableId(3), colorType);
    for (int i = 0; i < 2; ++i) {
      clocks.emplace_back(model.clocks.size());
      model.clocks.push_back({.name = "c"});
    }
  }

  ExprId condition(int depth) {
    if (depth > 0)
      switch (random() % 3) {
      case 0:
        return pool.conjunction(condition(depth - 1), condition(depth - 1));
      case 1:
        return pool.disjunction(condition(depth - 1), condition(depth - 1));
      default:
        return pool.negation(condition(depth - 1));
      }
    ExprId x = ints[random() % 2];
    ExprId k = pool.integer(int64_t(random() % 6) - 1);
    switch (random() % 6) {
    case 0:
      return pool.less(x, k);
    case 1:
      return pool.lessEqual(k, x);
    case 2:
      return pool.equal(x, k);
    case 3:
      return flag;
    case 4:
      return pool.equal(color, pool.enumLiteral(colorType, random() % 3));
    default:
      return pool.less(ints[0], ints[1]); // beyond what is decided exactly
    }
  }

  Guard guard() {
    Guard result{condition(static_cast<int>(random() % 3)), {}};
    for (size_t n = random() % 5; n-- > 0;) {
      ClockId all[] = {Model::zeroClock(), clocks[0], clocks[1]};
      size_t a = random() % 3;
      size_t b = (a + 1 + random() % 2) % 3;
      result.clocks.push_back({all[a], all[b], random() % 2 == 0, pool.real(int64_t(random() % 5) - 2), {}});
    }
    return result;
  }

  /// Constants up to 2 and at most two clocks: quarters up to 6 meet every nonempty region.
  bool somePointHolds(const Guard& guard) {
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < 4; ++b)
        for (int f = 0; f < 2; ++f)
          for (int c = 0; c < 3; ++c) {
            reference::Valuation at;
            at.variables = {{0, {a, {}}}, {1, {b, {}}}, {2, {f, {}}}, {3, {c, {}}}};
            auto data = reference::evaluate(model, guard.data, at);
            if (!data || data->number.isZero())
              continue;
            Guard times{pool.boolean(true), guard.clocks};
            for (int t = 0; t <= 24; ++t)
              for (int u = 0; u <= 24; ++u)
                if (reference::holds(model, times, at,
                                     {{clocks[0].value, Rational(t, 4)}, {clocks[1].value, Rational(u, 4)}}))
                  return true;
          }
    return false;
  }
};

TEST_F(Decide, AgreesWithTryingEveryPoint) {
  size_t decided = 0;
  for (int round = 0; round < 3000; ++round) {
    Guard g = guard();
    Decision decision = satisfiable(model, g);
    if (decision == Decision::Unknown)
      continue;
    ++decided;
    ASSERT_EQ(decision == Decision::Yes, somePointHolds(g));
  }
  EXPECT_GT(decided, 1500U);
}

TEST_F(Decide, ComplementIsDisjointAndCoversTheRest) {
  for (int round = 0; round < 300; ++round) {
    Guard g = guard();
    std::vector<Guard> outside = complement(model, g);
    for (int sample = 0; sample < 50; ++sample) {
      reference::Valuation at;
      at.variables = {{0, {int64_t(random() % 4), {}}},
                      {1, {int64_t(random() % 4), {}}},
                      {2, {int64_t(random() % 2), {}}},
                      {3, {int64_t(random() % 3), {}}}};
      std::map<uint32_t, Rational> time = {{clocks[0].value, Rational(random() % 25, 4)},
                                           {clocks[1].value, Rational(random() % 25, 4)}};
      int count = reference::holds(model, g, at, time);
      for (const Guard& part : outside)
        count += reference::holds(model, part, at, time);
      ASSERT_EQ(count, 1);
    }
  }
}

TEST_F(Decide, NeverGuessesWhatItCannotDecide) {
  Guard g{pool.less(ints[0], ints[1]), {}};
  EXPECT_EQ(satisfiable(model, g), Decision::Unknown);
  g.data = pool.conjunction(g.data, pool.less(ints[0], pool.integer(0)));
  EXPECT_EQ(satisfiable(model, g), Decision::No); // the range of the variable alone excludes it
}

} // namespace
} // namespace tioc::ir
