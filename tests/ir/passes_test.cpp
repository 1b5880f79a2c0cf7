#include "ir/passes.hpp"

#include "ir/print.hpp"
#include "ir/reference.hpp"
#include "ir/verify.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tioc::ir {
namespace {

using reference::State;
using reference::Value;
using test::compileOk;

template <class List>
uint32_t indexOf(const List& list, const std::string& name) {
  auto it = std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
  EXPECT_NE(it, list.end()) << name;
  return static_cast<uint32_t>(it - list.begin());
}

constexpr const char* kTwoButtons = R"(
module test;
timescale 1 s;
input touch(id: int);
output single(id: int);
tiosts Button(id: int, D: real) {
  clock x;
  init Ready;
  state Ready { touch?(id) do x := 0 -> Touched; }
  state Touched { eager single!(id) when x == D -> Ready; }
}
system Two = Button(1, 0.5) || right: Button(2, 250ms);
)";

TEST(Instantiate, FillsInParametersPerComponent) {
  Model model = compileOk(kTwoButtons);
  Model network = instantiate(model, SystemId(indexOf(model.systems, "Two")));
  EXPECT_TRUE(verify(network).empty());
  ASSERT_EQ(network.automata.size(), 2U);
  EXPECT_EQ(network.automata[0].name, "Button");
  EXPECT_EQ(network.automata[1].name, "right");
  EXPECT_TRUE(network.automata[0].parameters.empty());
  EXPECT_NE(network.automata[0].clocks[0], network.automata[1].clocks[0]);
  std::string text = print(network);
  EXPECT_NE(text.find("touch?(1)"), std::string::npos) << text;
  EXPECT_NE(text.find("single!(2) when x == 0.25"), std::string::npos) << text;
}

TEST(ScaleTime, MakesEveryBoundAnInteger) {
  Model model = compileOk(kTwoButtons);
  Model scaled = scaleTime(instantiate(model, SystemId(indexOf(model.systems, "Two"))));
  EXPECT_TRUE(verify(scaled).empty());
  EXPECT_EQ(scaled.secondsPerUnit, Rational(1, 4));
  forEachExpr(scaled, [&](ExprId& expr, bool isTime) {
    const Rational* value = scaled.exprs.number(expr);
    EXPECT_TRUE(!isTime || !value || value->isInteger());
  });
  std::string text = print(scaled);
  EXPECT_NE(text.find("timescale 250 ms;"), std::string::npos) << text;
  EXPECT_NE(text.find("x == 2"), std::string::npos) << text;
}

TEST(ScaleTime, ScalesBoundsThatDependOnData) {
  Model scaled = scaleTime(compileOk(R"(
module test;
input set(d: int); output done;
tiosts A {
  var limit: int = 1;
  clock x;
  init S;
  state S { set?(d) when d > 0 do limit := d, x := 0 -> S; done! when x >= 0.5 && x <= limit -> S; }
}
)"));
  EXPECT_NE(print(scaled).find("x >= 1 && x <= 2.0 * limit"), std::string::npos) << print(scaled);
}

TEST(Simplify, RemovesWhatCannotMatter) {
  Model model = simplify(compileOk(R"(
module test;
input a; output b;
tiosts A {
  var v: int[0..3] = 0;
  clock x;
  init S;
  state S { a? when x >= 0 && x <= 5 && x <= 3 do v := 1 -> S; b! when v > 3 -> Dead; }
  state Dead { b! when x < 2 && x > 2 -> S; }
}
)"));
  EXPECT_TRUE(verify(model).empty());
  ASSERT_EQ(model.locations.size(), 1U);
  ASSERT_EQ(model.edges.size(), 1U);
  EXPECT_EQ(print(model).find("Dead"), std::string::npos);
  EXPECT_NE(print(model).find("when x <= 3 do"), std::string::npos) << print(model);
}

/// Random specifications and purposes: the product must reach exactly the pairs that both reach when they are moved
/// side by side.
class ProductTest : public testing::Test {
protected:
  std::mt19937 random{11};

  std::string pick(std::initializer_list<const char*> list) { return *(list.begin() + random() % list.size()); }

  std::string guard(const char* clock, const char* variable, bool message) {
    std::string text;
    auto join = [&](std::string part) { text += (text.empty() ? " when " : " && ") + part; };
    if (random() % 2)
      join(std::string(clock) + pick({" <= ", " < ", " >= ", " > ", " == "}) + std::to_string(random() % 4));
    if (random() % 2)
      join(std::string(variable) + pick({" <= ", " != ", " > "}) + std::to_string(random() % 3));
    if (message && random() % 2)
      join("p" + pick({" == ", " < ", " >= "}) + std::to_string(random() % 3));
    return text;
  }

  std::string model() {
    std::string text = "module test;\ninput a(p: int[0..2]); output b(p: int[0..2]);\ntiosts Spec {\n  var v: int = "
                       "0;\n  clock x;\n  init S0;\n";
    for (int s = 0; s < 3; ++s) {
      text += "  state S" + std::to_string(s) + " {\n";
      for (size_t n = 1 + random() % 3; n-- > 0;) {
        bool tau = random() % 5 == 0;
        text +=
            "    lazy " + (tau ? std::string("tau") : pick({"a?(p)", "b!(p)"})) + guard("x", "v", !tau) +
            (random() % 2 ? " do v := " + std::string(tau ? "1" : pick({"p", "v + 1 - p", "2"})) + ", x := 0" : "") +
            " -> S" + std::to_string(random() % 3) + ";\n";
      }
      text += "  }\n";
    }
    text += "}\npurpose P for Spec {\n  var w: int = 0;\n  clock y;\n";
    for (int s = 0; s < 2; ++s) {
      text += "  state T" + std::to_string(s) + " {\n";
      // Disjoint by construction: one edge per action, or two that a constant separates.
      for (const char* action : {"a?(p)", "b!(p)"}) {
        std::string target = pick({"T0", "T1", "accept", "reject"});
        if (random() % 2)
          text += "    " + std::string(action) + guard("y", "w", true) + (random() % 2 ? " do w := p, y := 0" : "") +
                  " -> " + target + ";\n";
        else if (random() % 2)
          text += "    " + std::string(action) + " when p < 1 && y <= 2 -> " + target + ";\n    " +
                  std::string(action) + " when p >= 1 do y := 0 -> T" + std::to_string(random() % 2) + ";\n";
      }
      if (random() % 3 == 0)
        text += "    otherwise do w := 2 -> " + pick({"T0", "T1", "reject"}) + ";\n";
      text += "  }\n";
    }
    return text + "}\n";
  }

  static State start(const Model& model, const Automaton& automaton) {
    State state{automaton.initial, {}, {}};
    for (VariableId id : automaton.variables)
      state.variables[id.value] = *reference::evaluate(model, model[id].initial, {});
    for (ClockId id : automaton.clocks)
      state.clocks[id.value] = 0;
    return state;
  }

  struct Step {
    Rational delay;
    ActionKind action;
    uint32_t channel;
    Value value;
  };

  /// Values of variables, then of clocks, as text that both sides can be compared by.
  static std::string key(const std::string& location, std::initializer_list<const State*> states) {
    std::string text = location;
    for (const State* state : states)
      for (const auto& [id, value] : state->variables)
        text += " " + value.number.toString();
    for (const State* state : states)
      for (const auto& [id, value] : state->clocks)
        text += " @" + value.toString();
    return text;
  }
};

TEST_F(ProductTest, MovesLikeSpecificationAndPurposeSideBySide) {
  size_t judged = 0;
  for (int round = 0; round < 400; ++round) {
    std::string text = model();
    test::Compiled compiled = test::compile(text);
    if (!compiled.model)
      continue; // a purpose that is not deterministic or never accepts
    const Model& m = *compiled.model;
    AutomatonId specId(indexOf(m.automata, "Spec")), purposeId(indexOf(m.automata, "P"));
    Model joint = product(m, specId, purposeId);
    ASSERT_TRUE(verify(joint).empty()) << text;
    const Automaton& spec = m[specId];
    const Automaton& purpose = m[purposeId];

    for (int run = 0; run < 10; ++run) {
      std::set<std::pair<State, State>> pairs{{start(m, spec), start(m, purpose)}};
      std::set<State> states{start(joint, joint.automata[0])};
      for (int depth = 0; depth < 4; ++depth) {
        Step step{Rational(random() % 5, 2),
                  random() % 2 ? ActionKind::Receive : ActionKind::Send,
                  0,
                  {int64_t(random() % 3), {}}};
        if (random() % 5 == 0)
          step.action = ActionKind::Internal;
        step.channel = step.action == ActionKind::Receive ? 0 : 1;
        std::set<std::pair<State, State>> nextPairs;
        for (auto [s, p] : pairs) {
          if (m[p.location].mark != Mark::None)
            continue;
          reference::delay(s, step.delay);
          reference::delay(p, step.delay);
          for (EdgeId id : spec.edges) {
            const Edge& edge = m[id];
            if (edge.action != step.action || (edge.channel.valid() && edge.channel.value != step.channel))
              continue;
            std::optional<State> s2 = reference::take(m, edge, s, {step.value});
            if (!s2)
              continue;
            if (step.action == ActionKind::Internal) {
              nextPairs.emplace(*s2, p);
              continue;
            }
            // B: the matching edge, else `otherwise`, else the purpose stays.
            std::optional<State> p2;
            for (EdgeId other : purpose.edges)
              if (!p2 && m[other].action == step.action && m[other].channel == edge.channel)
                p2 = reference::take(m, m[other], p, {step.value});
            for (EdgeId other : purpose.edges)
              if (!p2 && m[other].action == ActionKind::Otherwise)
                p2 = reference::take(m, m[other], p, {step.value});
            nextPairs.emplace(*s2, p2 ? *p2 : p);
          }
        }
        std::set<State> nextStates;
        for (State state : states) {
          reference::delay(state, step.delay);
          for (EdgeId id : joint.automata[0].edges) {
            const Edge& edge = joint[id];
            if (edge.action != step.action || (edge.channel.valid() && edge.channel.value != step.channel))
              continue;
            if (std::optional<State> next = reference::take(joint, edge, state, {step.value}))
              nextStates.insert(*next);
          }
        }
        std::set<std::string> expected, seen;
        for (const auto& [s, p] : nextPairs)
          expected.insert(key(m[s.location].name + "__" + m[p.location].name, {&s, &p}));
        for (const State& state : nextStates)
          seen.insert(key(joint[state.location].name, {&state}));
        ASSERT_EQ(seen, expected) << text << "\n" << print(joint);
        judged += !expected.empty();
        pairs = std::move(nextPairs);
        states = std::move(nextStates);
      }
    }
  }
  EXPECT_GT(judged, 500U);
}

} // namespace
} // namespace tioc::ir
