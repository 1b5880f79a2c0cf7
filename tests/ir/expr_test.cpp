#include "ir/expr.hpp"

#include "ir/reference.hpp"
#include "ir/verify.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tioc::ir {
namespace {

using reference::Value;

struct Fixture : testing::Test {
  Model model;
  ExprPool& pool = model.exprs;
  TypeId integer = model.types.integer();
  TypeId boolean = model.types.boolean();

  ExprId variable(TypeId type) {
    model.variables.push_back({.name = "v" + std::to_string(model.variables.size()), .type = type});
    return pool.variable(VariableId(model.variables.size() - 1), type);
  }
};

using ExprPoolTest = Fixture;

TEST_F(ExprPoolTest, EqualExpressionsHaveEqualIds) {
  ExprId x = variable(integer), y = variable(integer);
  EXPECT_EQ(pool.add({{x, y}}), pool.add({{x, y}}));
  EXPECT_NE(pool.add({{x, y}}), pool.add({{y, x}}));
  EXPECT_NE(pool.integer(5), pool.real(5));
}

TEST_F(ExprPoolTest, FoldsConstantsAndNeutralElements) {
  ExprId x = variable(integer), p = variable(boolean);
  EXPECT_EQ(pool.add({{x, pool.integer(0)}}), x);
  EXPECT_EQ(pool.add({{x, pool.negate(x)}}), pool.integer(0));
  EXPECT_EQ(pool.multiply({{pool.integer(0), x}}), pool.integer(0));
  EXPECT_EQ(pool.conjunction(p, pool.boolean(true)), p);
  EXPECT_EQ(pool.conjunction(p, pool.negation(p)), pool.boolean(false));
  EXPECT_EQ(pool.disjunction(p, pool.negation(p)), pool.boolean(true));
  EXPECT_EQ(pool.negation(pool.less(x, pool.integer(3))), pool.lessEqual(pool.integer(3), x));
  EXPECT_EQ(pool.equal(p, pool.boolean(false)), pool.negation(p));
  EXPECT_EQ(pool.ifThenElse(p, x, x), x);
}

TEST_F(ExprPoolTest, KeepsADivisionByZeroInsteadOfInventingAValue) {
  ExprId broken = pool.divide(pool.integer(1), pool.integer(0));
  EXPECT_EQ(pool.op(broken), Op::Divide);
  EXPECT_FALSE(pool.isConstant(broken));
}

TEST_F(ExprPoolTest, ReadsBackWhatWasWrittenIntoAnArray) {
  TypeId type = model.types.array(integer, 3);
  ExprId a = variable(type), i = variable(integer), v = variable(integer);
  EXPECT_EQ(pool.element(pool.setElement(a, pool.integer(1), v), pool.integer(1)), v);
  EXPECT_EQ(pool.element(pool.setElement(a, pool.integer(1), v), pool.integer(2)), pool.element(a, pool.integer(2)));
  // The index may be out of range, and that must not be forgotten.
  EXPECT_EQ(pool.op(pool.element(pool.setElement(a, i, v), i)), Op::Element);
}

TEST_F(ExprPoolTest, LongChainsNeedNoStack) {
  ExprId x = variable(integer);
  ExprId sum = x;
  for (int i = 0; i < 100000; ++i)
    sum = pool.ifThenElse(pool.less(sum, pool.integer(i)), pool.integer(i), sum);
  ExprId y = variable(integer);
  ExprId moved = pool.substitute(sum, [&](ExprId leaf) { return leaf == x ? y : ExprId(); });
  EXPECT_NE(moved, sum);
  size_t visited = 0;
  pool.visit(moved, [&](ExprId) { ++visited; });
  EXPECT_GT(visited, 100000U);
}

/// Builds random expressions twice: as a plain tree that is evaluated as it stands, and in the pool that folds. Both
/// must mean the same.
class RandomExpressions : public Fixture {
protected:
  struct Node {
    Op op;
    int64_t value = 0; // leaf: number or variable
    std::vector<Node> operands;
    bool isBool = false;
  };

  std::mt19937 random{7};
  std::vector<ExprId> integers, booleans;

  void SetUp() override {
    for (int i = 0; i < 3; ++i)
      integers.push_back(variable(integer));
    for (int i = 0; i < 2; ++i)
      booleans.push_back(variable(boolean));
  }

  Node tree(bool isBool, int depth) {
    auto leaf = [&] {
      if (random() % 2)
        return Node{
            isBool ? Op::Bool : Op::Number, isBool ? int64_t(random() % 2) : int64_t(random() % 7) - 3, {}, isBool};
      return Node{Op::Variable, int64_t(random() % (isBool ? 2 : 3)), {}, isBool};
    };
    if (depth == 0)
      return leaf();
    auto make = [&](Op op, std::vector<bool> types) {
      Node node{op, 0, {}, isBool};
      for (bool t : types)
        node.operands.push_back(tree(t, depth - 1));
      return node;
    };
    if (isBool)
      switch (random() % 8) {
      case 0:
        return make(Op::Not, {true});
      case 1:
        return make(Op::And, {true, true, true});
      case 2:
        return make(Op::Or, {true, true});
      case 3:
        return make(Op::Equal, {false, false});
      case 4:
        return make(Op::Less, {false, false});
      case 5:
        return make(Op::LessEqual, {false, false});
      case 6:
        return make(Op::IfThenElse, {true, true, true});
      default:
        return leaf();
      }
    switch (random() % 8) {
    case 0:
      return make(Op::Negate, {false});
    case 1:
      return make(Op::Add, {false, false, false});
    case 2:
      return make(Op::Multiply, {false, false});
    case 3:
      return make(Op::Divide, {false, false});
    case 4:
      return make(Op::Remainder, {false, false});
    case 5:
      return make(Op::IfThenElse, {true, false, false});
    default:
      return leaf();
    }
  }

  ExprId build(const Node& node) {
    std::vector<ExprId> ops;
    for (const Node& operand : node.operands)
      ops.push_back(build(operand));
    switch (node.op) {
    case Op::Bool:
      return pool.boolean(node.value == 1);
    case Op::Number:
      return pool.integer(node.value);
    case Op::Variable:
      return node.isBool ? booleans[node.value] : integers[node.value];
    case Op::Not:
      return pool.negation(ops[0]);
    case Op::And:
      return pool.conjunction(ops);
    case Op::Or:
      return pool.disjunction(ops);
    case Op::Equal:
      return pool.equal(ops[0], ops[1]);
    case Op::Less:
      return pool.less(ops[0], ops[1]);
    case Op::LessEqual:
      return pool.lessEqual(ops[0], ops[1]);
    case Op::Negate:
      return pool.negate(ops[0]);
    case Op::Add:
      return pool.add(ops);
    case Op::Multiply:
      return pool.multiply(ops);
    case Op::Divide:
      return pool.divide(ops[0], ops[1]);
    case Op::Remainder:
      return pool.remainder(ops[0], ops[1]);
    default:
      return pool.ifThenElse(ops[0], ops[1], ops[2]);
    }
  }

  /// Machine integers suffice: the numbers are small.
  std::optional<int64_t> value(const Node& node, const std::vector<int64_t>& ints, const std::vector<int64_t>& bools) {
    std::vector<int64_t> v;
    for (const Node& operand : node.operands) {
      // Every operand must have a value: folding may not be blamed for looking at less.
      auto one = value(operand, ints, bools);
      if (!one)
        return std::nullopt;
      v.push_back(*one);
    }
    switch (node.op) {
    case Op::Bool:
    case Op::Number:
      return node.value;
    case Op::Variable:
      return node.isBool ? bools[node.value] : ints[node.value];
    case Op::Not:
      return !v[0];
    case Op::And:
      return v[0] && v[1] && v[2];
    case Op::Or:
      return v[0] || v[1];
    case Op::Equal:
      return v[0] == v[1];
    case Op::Less:
      return v[0] < v[1];
    case Op::LessEqual:
      return v[0] <= v[1];
    case Op::Negate:
      return -v[0];
    case Op::Add:
      return v[0] + v[1] + v[2];
    case Op::Multiply:
      return v[0] * v[1];
    case Op::Divide:
    case Op::Remainder: {
      if (v[1] == 0)
        return std::nullopt;
      int64_t r = v[0] % v[1];
      if (r < 0)
        r += v[1] < 0 ? -v[1] : v[1];
      return node.op == Op::Remainder ? r : (v[0] - r) / v[1];
    }
    default:
      return v[0] ? v[1] : v[2];
    }
  }
};

TEST_F(RandomExpressions, FoldingKeepsTheValue) {
  size_t compared = 0;
  for (int round = 0; round < 20000; ++round) {
    bool isBool = random() % 2;
    Node node = tree(isBool, 4);
    ExprId id = build(node);
    for (int sample = 0; sample < 4; ++sample) {
      std::vector<int64_t> ints, bools;
      reference::Valuation at;
      for (size_t i = 0; i < integers.size(); ++i) {
        ints.push_back(int64_t(random() % 9) - 4);
        at.variables[pool.payload(integers[i])] = {ints.back(), {}};
      }
      for (size_t i = 0; i < booleans.size(); ++i) {
        bools.push_back(random() % 2);
        at.variables[pool.payload(booleans[i])] = {bools.back(), {}};
      }
      std::optional<int64_t> expected = value(node, ints, bools);
      if (!expected)
        continue;
      std::optional<Value> seen = reference::evaluate(model, id, at);
      ASSERT_TRUE(seen);
      ASSERT_EQ(seen->number, Rational(*expected));
      ++compared;
    }
  }
  EXPECT_GT(compared, 30000U);
  EXPECT_TRUE(verify(model).empty());
}

} // namespace
} // namespace tioc::ir
