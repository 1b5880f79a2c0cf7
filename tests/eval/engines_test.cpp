#include "eval/random_edges.hpp"
#include "ir/print.hpp"
#include "ir/reference.hpp"
#include "runtime/eval/edge_code.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tioc::eval {
namespace {

using test::RandomEdges;

namespace plain = ir::reference;

plain::Value toPlain(const Value& value) {
  plain::Value result{value.number, {}};
  for (const Value& part : value.parts)
    result.parts.push_back(toPlain(part));
  return result;
}

plain::Valuation valuation(const Layout& layout, const ir::Edge& edge, const Slot* frame) {
  plain::Valuation at;
  const ir::Model& model = layout.model();
  for (uint32_t i = 0; i < model.variables.size(); ++i)
    at.variables[i] = toPlain(layout.load(model.variables[i].type, frame + layout.offsetOf(ir::VariableId(i))));
  for (uint32_t i = 0; i < edge.parameters.size(); ++i)
    at.locals.push_back(toPlain(layout.load(edge.parameters[i].type, frame + layout.offsetOfLocal(edge, i))));
  return at;
}

TEST(Engines, InterpreterAndCompiledCodeAgreeWithTheReference) {
  // The long form makes more models, each with edges of its own.
  const bool isLong = std::getenv("TIOC_LONG") != nullptr;
  const int models = isLong ? 200 : 3;
  const int edges = 80, valuations = 1200;
  uint64_t pairs = 0, yes = 0, no = 0, stuck = 0, handedBack = 0;
  for (int seed = 0; seed < models; ++seed) {
    RandomEdges random(static_cast<uint64_t>(seed));
    for (int i = 0; i < edges; ++i)
      random.addEdge(2 + i % 4);
    Layout layout(random.model);
    EdgeCode interpreted(layout, Mode::Interpret);
    EdgeCode compiled(layout, Mode::Jit);
    std::vector<Slot> expected(layout.frameSize()), got(layout.frameSize());
    for (int k = 0; k < valuations; ++k) {
      std::vector<Slot> frame = random.frame(layout);
      for (int i = 0; i < edges; ++i) {
        ir::EdgeId id(static_cast<size_t>(i));
        ++pairs;
        bool holds = interpreted.holds(id, frame.data());
        ASSERT_EQ(compiled.holds(id, frame.data()), holds) << ir::printExpr(random.model, random.model[id].guard.data);
        Taken taken = interpreted.update(id, frame.data(), expected.data());
        ASSERT_EQ(compiled.update(id, frame.data(), got.data()), taken);
        if (taken == Taken::Yes) {
          ASSERT_TRUE(std::equal(expected.begin(), expected.begin() + layout.stateSize(), got.begin()));
        }
        ASSERT_EQ(compiled.step(id, frame.data(), got.data()), holds ? taken : Taken::No);
        if (holds && taken == Taken::Yes) {
          ASSERT_TRUE(std::equal(expected.begin(), expected.begin() + layout.stateSize(), got.begin()));
        }
        ++(taken == Taken::Yes ? yes : taken == Taken::No ? no : stuck);
        if (k % 64 == 0) { // the reference is slow
          auto value = plain::evaluate(random.model, random.model[id].guard.data,
                                       valuation(layout, random.model[id], frame.data()));
          ASSERT_EQ(value && !value->number.isZero(), holds);
          for (const ir::Update& update : random.model[id].updates) {
            auto wanted =
                plain::evaluate(random.model, update.value, valuation(layout, random.model[id], frame.data()));
            Result result = evaluate(layout, update.value, &random.model[id], frame.data());
            ASSERT_EQ(wanted.has_value(), result.ok());
            if (wanted) {
              ASSERT_EQ(*wanted, toPlain(result.value));
            }
          }
        }
      }
    }
    EXPECT_EQ(compiled.error(), "");
    EXPECT_EQ(compiled.stats().interpreted, 0U);
    handedBack += compiled.stats().handedBack;
  }
  // Every outcome is met often; otherwise the comparison says little.
  EXPECT_GT(pairs, isLong ? 1'000'000U : 250'000U);
  EXPECT_GT(yes, pairs / 20);
  EXPECT_GT(no, pairs / 20);
  EXPECT_GT(stuck, pairs / 1000);
  EXPECT_GT(handedBack, pairs / 100);
}

TEST(Engines, BatchesGiveTheAnswersOfSingleCalls) {
  RandomEdges random(99);
  for (int i = 0; i < 60; ++i)
    random.addEdge(3);
  Layout layout(random.model);
  EdgeCode interpreted(layout, Mode::Interpret);
  for (Mode mode : {Mode::Interpret, Mode::Jit, Mode::Auto}) {
    EdgeCode code(layout, mode);
    const size_t count = 300;
    std::vector<Slot> frames;
    for (size_t i = 0; i < count; ++i) {
      std::vector<Slot> frame = random.frame(layout);
      frames.insert(frames.end(), frame.begin(), frame.end());
    }
    std::vector<Slot> next(frames.size()), expected(layout.frameSize());
    std::vector<uint8_t> answers(count);
    std::vector<Taken> taken(count);
    for (size_t e = 0; e < random.model.edges.size(); ++e) {
      ir::EdgeId edge(e);
      code.holdsAll(edge, frames.data(), count, answers.data());
      code.stepAll(edge, frames.data(), count, next.data(), taken.data());
      for (size_t i = 0; i < count; ++i) {
        const Slot* frame = frames.data() + i * layout.frameSize();
        ASSERT_EQ(answers[i] == 1, interpreted.holds(edge, frame));
        ASSERT_EQ(taken[i], interpreted.step(edge, frame, expected.data()));
        if (taken[i] == Taken::Yes) {
          ASSERT_TRUE(std::equal(expected.begin(), expected.begin() + layout.stateSize(),
                                 next.begin() + static_cast<ptrdiff_t>(i * layout.frameSize())));
        }
      }
    }
  }
}

TEST(Engines, UpdatesInPlaceReadTheOldValues) {
  RandomEdges random(7);
  for (int i = 0; i < 200; ++i)
    random.addEdge(2);
  Layout layout(random.model);
  for (Mode mode : {Mode::Interpret, Mode::Jit}) {
    EdgeCode code(layout, mode);
    std::vector<Slot> next(layout.frameSize());
    for (int k = 0; k < 20; ++k)
      for (size_t e = 0; e < random.model.edges.size(); ++e) {
        std::vector<Slot> frame = random.frame(layout);
        Taken apart = code.update(ir::EdgeId(e), frame.data(), next.data());
        ASSERT_EQ(code.update(ir::EdgeId(e), frame.data(), frame.data()), apart);
        if (apart == Taken::Yes) {
          ASSERT_TRUE(std::equal(next.begin(), next.begin() + layout.stateSize(), frame.begin()));
        }
      }
  }
}

/// Edges over integer variables a, b, c.
struct Integers : testing::Test {
  ir::Model model;
  ir::ExprPool& pool = model.exprs;
  ir::ExprId a = variable("a"), b = variable("b"), c = variable("c");

  ir::ExprId variable(const char* name, ir::TypeId type = {}) {
    if (!type.valid())
      type = model.types.integer();
    model.variables.push_back({.name = name, .type = type});
    return pool.variable(ir::VariableId(model.variables.size() - 1), type);
  }
  ir::EdgeId edge(ir::ExprId guard, std::vector<ir::Update> updates = {}) {
    model.edges.push_back({.guard = {guard, {}}, .updates = std::move(updates)});
    return ir::EdgeId(model.edges.size() - 1);
  }
};

using EdgeCodeTest = Integers;

TEST_F(EdgeCodeTest, DivisionIsEuclidean) {
  ir::EdgeId quotient = edge(pool.equal(pool.divide(a, b), c));
  ir::EdgeId rest = edge(pool.equal(pool.remainder(a, b), c));
  Layout layout(model);
  for (Mode mode : {Mode::Interpret, Mode::Jit}) {
    EdgeCode code(layout, mode);
    auto holds = [&](ir::EdgeId id, int64_t x, int64_t y, int64_t z) {
      Slot frame[] = {x, y, z};
      return code.holds(id, frame);
    };
    EXPECT_TRUE(holds(quotient, 7, 2, 3) && holds(rest, 7, 2, 1));
    EXPECT_TRUE(holds(quotient, -7, 2, -4) && holds(rest, -7, 2, 1));
    EXPECT_TRUE(holds(quotient, 7, -2, -3) && holds(rest, 7, -2, 1));
    EXPECT_TRUE(holds(quotient, -7, -2, 4) && holds(rest, -7, -2, 1));
    EXPECT_TRUE(holds(quotient, INT64_MIN, INT64_MIN, 1) && holds(rest, INT64_MIN + 1, INT64_MIN, 1));
    EXPECT_TRUE(holds(rest, INT64_MIN, -1, 0));
    EXPECT_FALSE(holds(quotient, INT64_MIN, -1, INT64_MIN)); // 2^63, not what the machine makes of it
    EXPECT_FALSE(holds(quotient, 1, 0, 0) || holds(rest, 1, 0, 0));
  }
}

TEST_F(EdgeCodeTest, WhatIsNotLookedAtCannotFail) {
  ir::ExprId broken = pool.less(pool.divide(a, b), c);
  ir::EdgeId both = edge(pool.conjunction(pool.less(b, a), broken));
  ir::EdgeId either = edge(pool.disjunction(pool.less(a, b), broken));
  ir::EdgeId chosen = edge(pool.ifThenElse(pool.equal(b, pool.integer(0)), pool.less(a, c), broken));
  Layout layout(model);
  for (Mode mode : {Mode::Interpret, Mode::Jit}) {
    EdgeCode code(layout, mode);
    Slot frame[] = {-1, 0, 5};
    EXPECT_FALSE(code.holds(both, frame));
    EXPECT_TRUE(code.holds(either, frame));
    EXPECT_TRUE(code.holds(chosen, frame));
    Slot other[] = {1, 0, 5};
    EXPECT_FALSE(code.holds(either, other)); // now it is looked at
    EXPECT_EQ(code.stats().handedBack, mode == Mode::Jit ? 1U : 0U);
  }
}

TEST_F(EdgeCodeTest, AnOverflowInBetweenDoesNotChangeTheResult) {
  ir::EdgeId id = edge(
      pool.boolean(true),
      {{ir::VariableId(2),
        pool.add({{pool.multiply({{a, b}}), pool.negate(pool.multiply({{a, pool.add({{b, pool.integer(-1)}})}}))}})}});
  Layout layout(model);
  for (Mode mode : {Mode::Interpret, Mode::Jit}) {
    EdgeCode code(layout, mode);
    Slot frame[] = {INT64_MAX, 9, 0}, next[3];
    ASSERT_EQ(code.update(id, frame, next), Taken::Yes);
    EXPECT_EQ(next[2], INT64_MAX);
  }
}

TEST_F(EdgeCodeTest, AResultThatDoesNotFitStopsInsteadOfWrapping) {
  ir::EdgeId id = edge(pool.boolean(true), {{ir::VariableId(2), pool.add({{a, b}})}});
  Layout layout(model);
  for (Mode mode : {Mode::Interpret, Mode::Jit}) {
    EdgeCode code(layout, mode);
    Slot frame[] = {INT64_MAX, 1, 0}, next[3];
    EXPECT_EQ(code.update(id, frame, next), Taken::Stuck);
  }
}

TEST_F(EdgeCodeTest, AValueOutsideItsRangeDisablesTheEdge) {
  ir::ExprId narrow = variable("n", model.types.ranged({0, 7}));
  ir::EdgeId id = edge(pool.boolean(true), {{ir::VariableId(3), pool.add({{narrow, a}})}});
  Layout layout(model);
  for (Mode mode : {Mode::Interpret, Mode::Jit}) {
    EdgeCode code(layout, mode);
    Slot inside[] = {3, 0, 0, 4}, outside[] = {4, 0, 0, 4}, next[4];
    EXPECT_EQ(code.step(id, inside, next), Taken::Yes);
    EXPECT_EQ(next[3], 7);
    EXPECT_EQ(code.step(id, outside, next), Taken::No);
  }
}

TEST_F(EdgeCodeTest, ElementsOfWideArraysAreReadAndWrittenInPlace) {
  ir::TypeId wide = model.types.array(model.types.integer(), 5000);
  ir::ExprId array = variable("w", wide);
  ir::EdgeId id = edge(pool.less(pool.element(array, a), b), {{ir::VariableId(3), pool.setElement(array, a, b)}});
  Layout layout(model);
  std::vector<Slot> frame(layout.frameSize()), next(layout.frameSize());
  frame[0] = 4321;
  frame[1] = 17;
  EdgeCode code(layout, Mode::Jit);
  ASSERT_EQ(code.step(id, frame.data(), next.data()), Taken::Yes);
  EXPECT_EQ(next[3 + 4321], 17);
  EXPECT_EQ(code.stats().interpreted, 0U);
  frame[0] = 5000;
  EXPECT_EQ(code.step(id, frame.data(), next.data()), Taken::No);
}

TEST_F(EdgeCodeTest, EqualBodiesShareTheirCode) {
  for (int i = 0; i < 10; ++i)
    edge(pool.less(a, b), {{ir::VariableId(2), pool.add({{a, b}})}});
  Layout layout(model);
  EdgeCode code(layout, Mode::Jit);
  Slot frame[] = {1, 2, 0}, next[3];
  for (size_t i = 0; i < 10; ++i)
    EXPECT_EQ(code.step(ir::EdgeId(i), frame, next), Taken::Yes);
  EXPECT_EQ(code.stats().functions, 1U);
  EXPECT_EQ(code.stats().reused, 9U);
}

TEST_F(EdgeCodeTest, ShortRunsAreNotCompiledAndLongOnesAre) {
  ir::EdgeId id = edge(pool.less(pool.add({{a, b}}), pool.multiply({{b, c}})));
  Layout layout(model);
  EdgeCode code(layout, Mode::Auto);
  Slot frame[] = {1, 2, 3};
  for (int i = 0; i < 10000; ++i)
    ASSERT_TRUE(code.holds(id, frame));
  EXPECT_EQ(code.stats().functions, 0U);
  for (int i = 0; i < 10'000'000 && code.stats().functions == 0; ++i)
    ASSERT_TRUE(code.holds(id, frame));
  EXPECT_EQ(code.stats().functions, 1U);
}

TEST_F(EdgeCodeTest, DeepAndHugeExpressionsAreInterpreted) {
  ir::ExprId sum = a;
  for (int i = 0; i < 100000; ++i)
    sum = pool.ifThenElse(pool.less(sum, pool.integer(i)), pool.add({{sum, b}}), sum);
  ir::EdgeId id = edge(pool.less(sum, pool.integer(INT64_MAX)));
  Layout layout(model);
  EdgeCode code(layout, Mode::Jit);
  Slot frame[] = {5, 1, 0};
  EXPECT_TRUE(code.holds(id, frame));
  EXPECT_EQ(code.stats().interpreted, 1U);
}

} // namespace
} // namespace tioc::eval
