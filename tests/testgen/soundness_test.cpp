#include "execute/support.hpp"
#include "ir/passes.hpp"
#include "runtime/testgen/generate.hpp"
#include "runtime/testgen/signal_tests.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tioc::testgen {
namespace {

struct Subject {
  std::string file;
  std::string system;
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.system;
}

class Examples : public testing::TestWithParam<Subject> {};

bool isLong() {
  return std::getenv("TIOC_LONG") != nullptr;
}

Generated generateFor(const Subject& subject) {
  const ir::Model model = test::compileOk(test::readFile(test::sourceDir() + "/examples/" + subject.file));
  GenerateOptions options;
  ir::Model instance;
  for (size_t i = 0; i < model.systems.size(); ++i)
    if (model.systems[i].name == subject.system)
      instance = ir::instantiate(model, ir::SystemId(i));
  for (size_t i = 0; i < instance.automata.size(); ++i)
    if (instance.automata[i].kind == ir::AutomatonKind::Purpose)
      options.purposes.emplace_back(i);
  options.goals = {ir::Goal::Edges, ir::Goal::Boundary};
  options.timings = {ir::Timing::Earliest, ir::Timing::Latest};
  options.random = 3;
  if (isLong()) {
    options.goals = {ir::Goal::States, ir::Goal::Edges,    ir::Goal::EdgePairs,
                     ir::Goal::DefUse, ir::Goal::Boundary, ir::Goal::Conditions};
    options.timings = {ir::Timing::Earliest, ir::Timing::Latest, ir::Timing::Middle, ir::Timing::Boundary,
                       ir::Timing::Random};
    options.data = {ir::DataChoice::Any, ir::DataChoice::Boundary, ir::DataChoice::Random};
    options.random = 10;
  }
  options.length = 8;
  options.limits.states = 400;
  options.limits.seconds = 5;
  const bool ofSignals = instance[instance.systems[0].components[0].automaton].kind == ir::AutomatonKind::Vdta;
  return ofSignals ? generateSignalTests(instance, options)
                   : generate(ir::resolvePriorities(std::move(instance)), options);
}

TEST_P(Examples, ConformingSystemsNeverFail) {
  const Generated made = generateFor(GetParam());
  ASSERT_FALSE(made.problem);
  ASSERT_TRUE(ir::verify(made.suite).empty()) << ir::verify(made.suite)[0];
  ASSERT_FALSE(made.suite.cases.empty());
  const int runs = isLong() ? 60 : 12;
  size_t passed = 0, inconclusive = 0;
  for (execute::Policy policy : {execute::Policy::Random, execute::Policy::Earliest, execute::Policy::Latest}) {
    execute::PlayOptions play;
    play.policy = policy;
    execute::ModelAdapter adapter(test::exampleMachine(GetParam().file, GetParam().system), play);
    for (const ir::TestCase& test : made.suite.cases)
      for (int i = 0; i < runs; ++i) {
        const execute::Outcome outcome = execute::execute(made.suite, test, adapter, {});
        EXPECT_FALSE(outcome.broken) << test.name << ": " << outcome.reason;
        ASSERT_NE(outcome.verdict, ir::Verdict::Fail) << test.name << "\n"
                                                      << test::describe(made.suite, outcome) << "\n"
                                                      << ir::print(made.suite);
        ++(outcome.verdict == ir::Verdict::Pass ? passed : inconclusive);
      }
  }
  if (isLong()) {
    EXPECT_GE(passed + inconclusive, 2000U);
  }
  // Tests that never conclude would be sound as well.
  EXPECT_GT(passed, inconclusive / 20);
  std::cout << made.suite.cases.size() << " tests, " << passed << " runs passed, " << inconclusive << " inconclusive\n";
}

INSTANTIATE_TEST_SUITE_P(Models, Examples,
                         testing::Values(Subject{"atm.tio", "Atm"}, Subject{"spec1.tio", "Spec1"},
                                         Subject{"spec2.tio", "Spec2"}, Subject{"light.tio", "Light"},
                                         Subject{"trajectory.tio", "Trajectory"}, Subject{"session.tio", "Sender"},
                                         Subject{"infusion_pump.tio", "Pump"}, Subject{"crossing.tio", "Crossing"},
                                         Subject{"ests_pair.tio", "Net"}, Subject{"window_lift.tio", "WindowLift"},
                                         Subject{"heater.tio", "Heater"}),
                         [](const auto& subject) { return subject.param.system; });

} // namespace
} // namespace tioc::testgen
