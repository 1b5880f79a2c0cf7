#include "ir/mutate.hpp"

#include "driver/mutants.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "semantics/random_models.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace tioc::mutate {
namespace {

/// `id: what` of every mutant of the last system in the text whose id starts so.
std::vector<std::string> mutantsOf(const std::string& text, const std::string& prefix) {
  const ir::Model model = test::compileOk(text);
  std::vector<std::string> result;
  for (const ir::Mutant& mutant : driver::mutantsOf(model, ir::SystemId(model.systems.size() - 1)).list)
    if (mutant.id.starts_with(prefix))
      result.push_back(mutant.id + ": " + mutant.what);
  return result;
}

using List = std::vector<std::string>;

/// An automaton that waits for `a` and answers by one edge, which the test is about.
std::string answering(const std::string& edge, const std::string& declarations = "") {
  return "module m;\ninput a(p: int);\noutput b(v: int), c(v: int), d;\n"
         "tiosts M {\n  var n: int = 0, on: bool = false;\n  clock x, y;\n" +
         declarations +
         "  init S;\n  state S { a?(p) when x >= 1 && y <= 9 do n := p, x := 0, y := 0 -> T; }\n  state T { " + edge +
         " }\n}\n";
}

TEST(Mutants, ConjunctsAreDroppedAndNegated) {
  const std::string text = answering("b!(1) when on && n > 3 -> S;");
  EXPECT_EQ(mutantsOf(text, "guard-drop@M.T.b"),
            (List{"guard-drop@M.T.b#1: on && n > 3 becomes n > 3", "guard-drop@M.T.b#2: on && n > 3 becomes on"}));
  EXPECT_EQ(mutantsOf(text, "guard-negate@M.T.b"), (List{"guard-negate@M.T.b#1: on && n > 3 becomes !on && n > 3",
                                                         "guard-negate@M.T.b#2: on && n > 3 becomes on && n <= 3"}));
  EXPECT_EQ(mutantsOf(text, "guard-operator@M.T.b"), (List{"guard-operator@M.T.b#1: on && n > 3 becomes on || n > 3"}));
}

TEST(Mutants, RelationsAreReplacedAndBoundariesShiftedWithoutRepetition) {
  const std::string text = answering("b!(1) when n < 3 -> S;");
  EXPECT_EQ(mutantsOf(text, "guard-relation@M.T.b"),
            (List{"guard-relation@M.T.b#1: n < 3 becomes n <= 3", "guard-relation@M.T.b#2: n < 3 becomes n != 3"}));
  // n < 4 is n <= 3.
  EXPECT_EQ(mutantsOf(text, "guard-shift@M.T.b"), (List{"guard-shift@M.T.b#1: n < 3 becomes n < 2"}));
}

TEST(Mutants, ClockBoundsAreShiftedOpenedAndDropped) {
  const std::string text = answering("b!(1) when x <= 0.5 -> S;");
  EXPECT_EQ(mutantsOf(text, "clock-shift@M.T.b"), (List{"clock-shift@M.T.b#1: x <= 0.5 becomes x <= 0.75",
                                                        "clock-shift@M.T.b#2: x <= 0.5 becomes x <= 0.25"}));
  EXPECT_EQ(mutantsOf(text, "clock-strict@M.T.b"), (List{"clock-strict@M.T.b#1: x <= 0.5 becomes x < 0.5"}));
  EXPECT_EQ(mutantsOf(text, "clock-drop@M.T.b"), (List{"clock-drop@M.T.b#1: x <= 0.5 is gone"}));
}

TEST(Mutants, AnEqualityOfAClockMovesAsAWholeAndWidens) {
  EXPECT_EQ(mutantsOf(answering("b!(1) when x == 5 -> S;"), "clock-shift@M.T.b"),
            (List{"clock-shift@M.T.b#1: x <= 5 becomes x <= 6", "clock-shift@M.T.b#2: x == 5 becomes x == 6",
                  "clock-shift@M.T.b#3: x == 5 becomes x == 4", "clock-shift@M.T.b#4: x >= 5 becomes x >= 4"}));
}

TEST(Mutants, ResetsAreDroppedAndAdded) {
  const std::string text = answering("b!(1) when x <= 5 do y := 0 -> S;");
  EXPECT_EQ(mutantsOf(text, "reset-drop@M.T.b"), (List{"reset-drop@M.T.b#1: reset of y is gone"}));
  EXPECT_EQ(mutantsOf(text, "reset-add@M.T.b"), (List{"reset-add@M.T.b#1: x := 0 is added"}));
}

TEST(Mutants, OutputsChangeChannelAndValue) {
  const std::string text = answering("b!(n) when x <= 5 -> S;");
  EXPECT_EQ(mutantsOf(text, "output-channel@M.T"), (List{"output-channel@M.T.b#1: b! becomes c!"}));
  EXPECT_EQ(mutantsOf(text, "output-value@M.T"),
            (List{"output-value@M.T.b#1: b!: n becomes n + 1", "output-value@M.T.b#2: b!: n becomes n - 1",
                  "output-value@M.T.b#3: b!: n becomes any value"}));
  EXPECT_EQ(mutantsOf(text, "edge-drop@M.T"), (List{"edge-drop@M.T.b#1: b!(n) when x <= 5 -> S is gone"}));
  EXPECT_EQ(mutantsOf(text, "target@M.T"), (List{"target@M.T.b#1: -> S becomes -> T"}));
}

TEST(Mutants, UrgencyChangesWhereTheSystemActs) {
  const std::string text = answering("b!(n) when x <= 5 -> S;");
  EXPECT_EQ(mutantsOf(text, "urgency"),
            (List{"urgency@M.T.b#1: delayable becomes lazy", "urgency@M.T.b#2: delayable becomes eager"}));
  // An eager edge has a first instant.
  EXPECT_EQ(mutantsOf(answering("b!(n) when 1 < x && x <= 5 -> S;"), "urgency"),
            (List{"urgency@M.T.b#1: delayable becomes lazy"}));
}

TEST(Mutants, UpdatesAreDroppedAndChanged) {
  const std::string text = answering("b!(n) do n := n + 2, on := true -> S;");
  EXPECT_EQ(mutantsOf(text, "update-drop@M.T"),
            (List{"update-drop@M.T.b#1: n := n + 2 is gone", "update-drop@M.T.b#2: on := true is gone"}));
  EXPECT_EQ(mutantsOf(text, "update-constant@M.T"), (List{"update-constant@M.T.b#1: n := n + 2 becomes n := n + 3",
                                                          "update-constant@M.T.b#2: n := n + 2 becomes n := n + 1",
                                                          "update-constant@M.T.b#3: on := true becomes on := false"}));
  EXPECT_EQ(mutantsOf(text, "update-operator@M.T"), (List{"update-operator@M.T.b#1: n := n + 2 becomes n := -n + 2",
                                                          "update-operator@M.T.b#2: n := n + 2 becomes n := n - 2"}));
  EXPECT_EQ(mutantsOf(text, "initial"), (List{"initial@M.n#1: n = 0 becomes 1", "initial@M.n#2: n = 0 becomes -1",
                                              "initial@M.on#1: on = false becomes true"}));
}

TEST(Mutants, ValuesKeepToTheirTypes) {
  EXPECT_EQ(mutantsOf(answering("d! do m := 3 -> S;", "  var m: int[0..3] = 0;\n"), "initial@M.m"),
            (List{"initial@M.m#1: m = 0 becomes 1"}));
}

TEST(Mutants, WhatIsWrittenOnceChangesAsOne) {
  const std::string text = R"(module e;
input a; output b, c;
ests E { var n: int = 0; init S;
  state S { a? takes 2 -> T; a? when n > 5 takes 2 -> U; }
  group G {
    state T { a? priority 2 takes 1 -> U; a? when n > 0 priority 1 takes 1 -> S; }
    state U { b! takes 1 -> S; }
    after 5 takes 3 .. 4 -> S;
  } })";
  EXPECT_EQ(mutantsOf(text, "timeout"),
            (List{"timeout-shift@E.G#1: after 5 becomes after 6", "timeout-shift@E.G#2: after 5 becomes after 4"}));
  EXPECT_EQ(mutantsOf(text, "duration-shift@E.T.after"),
            (List{"duration-shift@E.T.after#1: takes 3 .. 4 becomes takes 4 .. 5",
                  "duration-shift@E.T.after#2: takes 3 .. 4 becomes takes 2 .. 3"}));
  EXPECT_TRUE(mutantsOf(text, "duration-shift@E.U.after").empty());
  EXPECT_EQ(
      mutantsOf(text, "priority"),
      (List{"priority@E.T.a#1: priority 2 becomes priority 0", "priority@E.T.a#2: priority 2 becomes priority 3",
            "priority@E.T.a.2#1: priority 1 becomes priority 0", "priority@E.T.a.2#2: priority 1 becomes priority 3"}));
  EXPECT_EQ(mutantsOf(text, "restart-drop"), (List{"restart-drop@E.S.a#1: group G no longer restarts",
                                                   "restart-drop@E.S.a.2#1: group G no longer restarts"}));
  EXPECT_EQ(mutantsOf(text, "restart-add"), (List{"restart-add@E.T.a#1: group G restarts"}));
}

TEST(Mutants, AlternativesOfAGuardChangeOneByOne) {
  const std::string text = R"(module v;
vdta V { input i: int[0..9]; output o: bool; clock t; init S when i == 0 && !o;
  state S { when i > 3 || t >= 5 do o := true, t := 0 -> T; }
  state T { when i == 0 do o := false -> S; } })";
  EXPECT_EQ(mutantsOf(text, "clock-shift@V.S").size(), 2U);
  EXPECT_EQ(mutantsOf(text, "update-drop@V.S").size(), 1U);
  EXPECT_EQ(mutantsOf(text, "edge-drop@V").size(), 2U);
}

// ---- all of them

/// Every mutant is a model that the compiler reads, other than the original and other than the rest, and making it
/// twice gives the same.
/// Reading them all takes a while, so only one of `stride` is read.
void checkAll(const std::string& text, const std::string& about, size_t stride) {
  const ir::Model model = test::compileOk(text);
  for (size_t i = 0; i < model.systems.size(); ++i) {
    const ir::Mutants mutants = driver::mutantsOf(model, ir::SystemId(i));
    std::set<std::string> ids, texts{ir::print(model)};
    for (const ir::Mutant& mutant : mutants.list) {
      const std::string where = about + ": " + mutant.id + ": " + mutant.what;
      EXPECT_TRUE(ids.insert(mutant.id).second) << where;
      const ir::Model changed = mutants.make(mutant);
      ASSERT_TRUE(ir::verify(changed).empty()) << where << ": " << ir::verify(changed)[0];
      const std::string printed = ir::print(changed);
      EXPECT_TRUE(texts.insert(printed).second) << where;
      if (ids.size() % stride != 0)
        continue;
      const test::Compiled compiled = test::compile(printed);
      ASSERT_TRUE(compiled.model) << where << "\n" << compiled.text() << printed;
      EXPECT_EQ(ir::print(*compiled.model), printed) << where;
    }
    const ir::Mutants again = driver::mutantsOf(model, ir::SystemId(i));
    ASSERT_EQ(again.list.size(), mutants.list.size());
    for (size_t k = 0; k < again.list.size(); ++k) {
      EXPECT_EQ(again.list[k].id, mutants.list[k].id);
      EXPECT_EQ(again.list[k].what, mutants.list[k].what);
    }
  }
}

TEST(Mutants, OfExamplesAreDifferentModels) {
  for (const std::string& file : test::filesBelow("examples", ".tio"))
    checkAll(test::readFile(test::sourceDir() + "/" + file), file, std::getenv("TIOC_LONG") ? 1 : 17);
}

TEST(Mutants, OfRandomModelsAreDifferentModels) {
  for (uint64_t seed = 0; seed < 6; ++seed)
    checkAll(semantics::randomModel(seed), "seed " + std::to_string(seed), 5);
}

} // namespace
} // namespace tioc::mutate
