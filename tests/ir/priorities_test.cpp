#include "ir/decide.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "ir/reference.hpp"
#include "ir/verify.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace tioc::ir {
namespace {

using test::compileOk;

/// The edges of the first automaton after the pass, one per line, each behind its state and urgency.
std::string resolved(const std::string& body) {
  Model model = resolvePriorities(compileOk("module test;\ninput a(n: int), b; output c(n: int);\n" + body));
  EXPECT_EQ(verify(model), std::vector<std::string>{});
  std::string text;
  for (EdgeId id : model.automata[0].edges) {
    const Edge& edge = model[id];
    EXPECT_EQ(edge.priority, 0U);
    text += model[edge.source].name + ": " + printEdge(model, edge, model.automata[0]);
    if (edge.deadline)
      text += " [" + printGuard(model, *edge.deadline, &edge) + "]";
    text += "\n";
  }
  return text;
}

TEST(Priorities, LeaveEdgesOfEqualPriorityAlone) {
  EXPECT_EQ(resolved("tiosts A { clock x; init S; state S { b? when x < 3 priority 2 -> S; b? priority 2 -> S; } }"),
            "S: b? when x < 3 -> S\nS: b? -> S\n");
}

TEST(Priorities, AddTheComplementOfStrongerGuards) {
  EXPECT_EQ(resolved("tiosts A { var v: int = 0; init S; state S { b? when v > 2 priority 1 -> S; b? -> S; } }"),
            "S: b? when v > 2 -> S\nS: b? when v <= 2 -> S []\n");
}

TEST(Priorities, CutAnEdgeWhereTheComplementIsADisjunction) {
  EXPECT_EQ(
      resolved(
          "tiosts A { clock x; init S; state S { b? when 1 <= x && x <= 2 priority 1 -> S; b? when x < 5 -> S; } }"),
      "S: b? when x >= 1 && x <= 2 -> S\nS: b? when x < 5 && x < 1 -> S [x < 5]\nS: b? when x < 5 && x >= 1 && x > 2 "
      "-> S [x < 5]\n");
}

TEST(Priorities, KeepTheDeadlineOfEdgesThatNothingIsLeftOf) {
  EXPECT_EQ(resolved("tiosts A { init S; state S { b? priority 1 -> S; b? -> S; } }"),
            "S: b? -> S\nS: b? when false -> S []\n");
}

TEST(Priorities, CompareEdgesOfOneActionOnly) {
  EXPECT_EQ(resolved("tiosts A { init S; state S { b? priority 1 -> S; a?(_) -> T; tau -> T; } state T { b? -> S; } }"),
            "S: b? -> S\nS: a?(_) -> T\nS: tau -> T\nT: b? -> S\n");
}

TEST(Priorities, KeepTheGuardThatUrgencyIsAbout) {
  EXPECT_EQ(resolved("tiosts A { clock x; init S; state S { c!(1) when x <= 2 priority 1 -> S; "
                     "c!(n) when n < 3 && x <= 4 -> S; } }"),
            "S: c!(1) when x <= 2 -> S\n"
            "S: c!(n) when n < 3 && n != 1 && x <= 4 -> S [n < 3 && x <= 4]\n"
            "S: c!(n) when n < 3 && n == 1 && x <= 4 && x > 2 -> S [n < 3 && x <= 4]\n");
}

TEST(Priorities, TakeAStrongerGuardWithoutValueForFalse) {
  Model model =
      resolvePriorities(compileOk("module test; input b; tiosts A { var v: int = 0; init S; state S { b? when "
                                  "10 / v > 2 priority 1 -> S; b? -> S; } }"));
  ASSERT_EQ(model.automata[0].edges.size(), 2U);
  const Guard& weak = model[model.automata[0].edges[1]].guard;
  for (int v = -6; v <= 6; ++v) {
    reference::Valuation at;
    at.variables[0] = {v, {}};
    auto holds = reference::evaluate(model, weak.data, at);
    ASSERT_TRUE(holds) << v;
    EXPECT_EQ(!holds->number.isZero(), v == 0 || !(euclideanQuotient(10, v) > Rational(2))) << v;
  }
}

} // namespace
} // namespace tioc::ir
