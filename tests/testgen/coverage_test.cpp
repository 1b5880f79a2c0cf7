#include "execute/support.hpp"
#include "ir/passes.hpp"
#include "runtime/testgen/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tioc::testgen {
namespace {

ir::Model instanceOf(const std::string& text, const std::string& system) {
  const ir::Model model = test::compileOk(text);
  for (size_t i = 0; i < model.systems.size(); ++i)
    if (model.systems[i].name == system)
      return ir::resolvePriorities(ir::instantiate(model, ir::SystemId(i)));
  ADD_FAILURE() << "no system " << system;
  return {};
}

Generated coverText(const std::string& text, const std::string& system, std::vector<ir::Goal> goals) {
  GenerateOptions options;
  options.goals = std::move(goals);
  options.limits.states = 2000;
  options.limits.seconds = 20;
  Generated made = generate(instanceOf(text, system), options);
  EXPECT_FALSE(made.problem);
  EXPECT_TRUE(ir::verify(made.suite).empty());
  return made;
}

/// How many of the cases fail in some of several runs against a system.
size_t failing(const ir::TestSuite& suite, const std::string& text, const std::string& system) {
  size_t count = 0;
  for (const ir::TestCase& test : suite.cases) {
    bool fails = false;
    for (execute::Policy policy : {execute::Policy::Random, execute::Policy::Earliest, execute::Policy::Latest}) {
      execute::PlayOptions play;
      play.policy = policy;
      execute::ModelAdapter adapter(test::machineOf(text, system), play);
      for (int i = 0; i < 6 && !fails; ++i)
        fails = execute::execute(suite, test, adapter, {}).verdict == ir::Verdict::Fail;
    }
    count += fails ? 1 : 0;
  }
  return count;
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string kGate = R"(module gate;
input open(code: int[0..99]), knock;
output granted, denied, closed;
tiosts Gate {
  var tries: int[0..3] = 0;
  clock t;
  init Shut;
  state Shut {
    open?(code) when code >= 40 && code <= 60 do t := 0, tries := 0 -> Granting;
    open?(code) when code < 40 || code > 60 do t := 0 -> Denying;
  }
  state Granting { granted! when 1 <= t && t <= 2 do t := 0 -> Open; }
  state Denying { denied! when t <= 1 -> Shut; }
  state Open {
    knock? when t <= 5 do t := 0 -> Open;
    closed! when 8 <= t && t <= 9 -> Shut;
  }
}
)";

TEST(Coverage, BoundarySuiteFindsEveryShiftedBound) {
  const Generated made = coverText(kGate, "Gate", {ir::Goal::Edges, ir::Goal::Boundary});
  ASSERT_FALSE(made.suite.cases.empty());
  EXPECT_EQ(failing(made.suite, kGate, "Gate"), 0U);
  const std::vector<std::pair<std::string, std::string>> faults = {
      {"code >= 40 && code <= 60", "code >= 41 && code <= 60"},
      {"code >= 40 && code <= 60", "code >= 40 && code < 60"},
      {"code < 40 ||", "code < 39 ||"},
      {"|| code > 60", "|| code > 61"},
      {"1 <= t && t <= 2", "0 <= t && t <= 2"},
      {"1 <= t && t <= 2", "1 <= t && t <= 3"},
      {"8 <= t && t <= 9", "7 <= t && t <= 9"},
      {"8 <= t && t <= 9", "8 <= t && t <= 10"},
      {"t <= 5 do t := 0", "t <= 5"},
      {"do t := 0 -> Open", "-> Open"},
      {"denied! when t <= 1 -> Shut", "denied! when t <= 1 -> Open"}};
  for (const auto& [from, to] : faults)
    EXPECT_GT(failing(made.suite, changed(kGate, from, to), "Gate"), 0U) << from << " became " << to;
}

TEST(Coverage, InputsComeExactlyAtTheBoundsOfTheirGuards) {
  const Generated made = coverText(kGate, "Gate", {ir::Goal::Boundary});
  const std::string text = ir::print(made.suite);
  for (const char* value : {"open(40)", "open(41)", "open(39)", "open(59)", "open(60)", "open(61)"})
    EXPECT_NE(text.find(value), std::string::npos) << value << "\n" << text;
}

TEST(Coverage, UnreachableThingsAreListedWithTheReason) {
  const std::string text =
      changed(kGate, "state Denying {", "state Lost { closed! when t <= 1 -> Shut; }\n  state Denying {");
  const Generated made = coverText(text, "Gate", {ir::Goal::Edges, ir::Goal::States});
  ASSERT_EQ(made.suite.uncovered.size(), 1U);
  EXPECT_NE(made.suite.uncovered[0].first.what.find("Lost -> Shut"), std::string::npos);
  EXPECT_NE(made.suite.uncovered[0].second.find("not found"), std::string::npos) << made.suite.uncovered[0].second;
}

TEST(Coverage, PairsUsesAndConditionsAreCovered) {
  for (ir::Goal goal : {ir::Goal::EdgePairs, ir::Goal::DefUse, ir::Goal::Conditions}) {
    const Generated made = coverText(kGate, "Gate", {goal});
    EXPECT_FALSE(made.suite.cases.empty());
    for (const auto& [what, why] : made.suite.uncovered)
      ADD_FAILURE() << what.what << ": " << why;
    EXPECT_EQ(failing(made.suite, kGate, "Gate"), 0U);
  }
}

TEST(Coverage, NoTestRepeatsAnother) {
  const Generated made = coverText(kGate, "Gate", {ir::Goal::Edges, ir::Goal::EdgePairs, ir::Goal::Boundary});
  for (const ir::TestCase& a : made.suite.cases)
    EXPECT_EQ(std::count_if(made.suite.cases.begin(), made.suite.cases.end(),
                            [&](const ir::TestCase& b) { return a.name == b.name; }),
              1);
  EXPECT_LT(made.suite.cases.size(), 25U);
}

TEST(Coverage, AwaitsSayInWordsWhatTheyAllow) {
  const Generated made = coverText(kGate, "Gate", {ir::Goal::Edges});
  bool found = false;
  for (const ir::TestCase& test : made.suite.cases)
    for (const ir::TestNode& node : test.nodes)
      if (const auto* await = std::get_if<ir::AwaitNode>(&node)) {
        EXPECT_FALSE(await->allows.empty());
        found |= await->allows.find("granted from t") != std::string::npos;
      }
  EXPECT_TRUE(found);
}

} // namespace
} // namespace tioc::testgen
