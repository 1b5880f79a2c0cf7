#include "execute/support.hpp"
#include "ir/passes.hpp"
#include "runtime/execute/tiosts_machine.hpp"
#include "runtime/testgen/signal_tests.hpp"
#include "support/support.hpp"
#include "vdta/engine.hpp"
#include "vdta/random_vdta.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

// Tests of controllers: a conforming one never fails, and the purposes are reached.
namespace tioc::vdta {
namespace {

testgen::GenerateOptions optionsFor(const ir::Model& model) {
  testgen::GenerateOptions options;
  for (size_t i = 0; i < model.automata.size(); ++i)
    if (model.automata[i].kind == ir::AutomatonKind::Purpose)
      options.purposes.emplace_back(i);
  options.goals = {ir::Goal::Edges};
  options.timings = {ir::Timing::Earliest, ir::Timing::Latest};
  options.limits.states = 300;
  options.limits.seconds = 5;
  return options;
}

struct Count {
  size_t passed = 0;
  size_t inconclusive = 0;
};

/// Runs all tests against the model itself.
void runAll(const ir::TestSuite& suite, const ir::Model& instance, const std::string& text, Count& count) {
  for (execute::Policy policy : {execute::Policy::Random, execute::Policy::Earliest, execute::Policy::Latest}) {
    execute::PlayOptions play;
    play.policy = policy;
    play.refusal = execute::Refusal::Stop;
    execute::ModelAdapter adapter(std::make_unique<execute::TiostsMachine>(ir::signals(ir::Model(instance))), play);
    for (const ir::TestCase& test : suite.cases) {
      const execute::Outcome outcome = execute::execute(suite, test, adapter, {});
      EXPECT_FALSE(outcome.broken) << test.name << ": " << outcome.reason << text;
      ASSERT_NE(outcome.verdict, ir::Verdict::Fail) << test.name << "\n"
                                                    << test::describe(suite, outcome) << "\n"
                                                    << ir::print(suite) << text;
      ++(outcome.verdict == ir::Verdict::Pass ? count.passed : count.inconclusive);
    }
  }
}

TEST(SignalTests, HeaterPassesEveryTestOfItsPurposesAndEdges) {
  const ir::Model model = test::compileOk(test::readFile(test::sourceDir() + "/examples/heater.tio"));
  const ir::Model instance = ir::instantiate(model, ir::SystemId(0));
  testgen::GenerateOptions options = optionsFor(instance);
  options.limits.states = 2000;
  options.limits.seconds = 20;
  const testgen::Generated made = testgen::generateSignalTests(instance, options);
  ASSERT_FALSE(made.problem);
  ASSERT_TRUE(ir::verify(made.suite).empty()) << ir::verify(made.suite)[0];
  for (const auto& [what, why] : made.suite.uncovered)
    ADD_FAILURE() << what.what << ": " << why;
  Count count;
  runAll(made.suite, instance, "", count);
  EXPECT_EQ(count.inconclusive, 0U); // it is deterministic, so the tester can bring everything about
  EXPECT_GT(count.passed, 0U);
}

TEST(SignalTests, RandomControllersNeverFailTheirOwnTests) {
  RandomOptions random;
  random.purpose = true;
  random.deterministic = true;
  Count count;
  for (uint64_t seed = 0; seed < (std::getenv("TIOC_LONG") ? 200 : 12); ++seed) {
    const std::string text = randomVdta(seed, random);
    const std::optional<ir::Model> instance = compiledVdta(text);
    if (!instance || !observations(Simulator(*instance, {}, kGrid), {}, 2, kGrid))
      continue;
    const testgen::Generated made = testgen::generateSignalTests(*instance, optionsFor(*instance));
    ASSERT_FALSE(made.problem) << made.problem->text << text;
    ASSERT_TRUE(ir::verify(made.suite).empty()) << ir::verify(made.suite)[0] << text;
    runAll(made.suite, *instance, text, count);
    if (testing::Test::HasFatalFailure())
      return;
  }
  EXPECT_GT(count.passed, count.inconclusive);
}

TEST(SignalTests, PurposeThatNoRunFulfilsIsReportedAsSuch) {
  const ir::Model model = test::compileOk(R"(module never;
    vdta Lamp {
      input button: bool;
      output lit: bool;
      clock t;
      init Off when !button && !lit;
      state Off { when button do lit := true, t := 0 -> On; }
      state On { when t >= 3 do lit := false -> Waiting; }
      state Waiting { when !button -> Off; }
    }
    purpose Long for Lamp { clock k; state S { when lit && t == 0 do k := 0 -> Lit; } state Lit { when lit && k >= 4 -> accept; } })");
  const ir::Model instance = ir::instantiate(model, ir::SystemId(0));
  const testgen::Generated made = testgen::generateSignalTests(instance, optionsFor(instance));
  ASSERT_EQ(made.suite.uncovered.size(), 1U);
  EXPECT_EQ(made.suite.uncovered[0].first.what, "purpose Long");
  EXPECT_EQ(made.suite.uncovered[0].second, "no run gets to accept");
}

// ---- verdicts of recorded tables

test::Outcome verdict(const std::vector<std::string>& arguments) {
  std::vector<std::string> all{"verdict", test::sourceDir() + "/examples/heater.tio"};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return test::runTioc(all);
}

std::string logFile(const std::string& name) {
  return test::sourceDir() + "/tests/vdta/logs/" + name;
}

TEST(SignalVerdicts, RecordedRunOfTheHeaterPasses) {
  const test::Outcome outcome = verdict({logFile("heater.csv")});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  const test::Outcome sampled = verdict({logFile("heater.csv"), "--sample", "0.3"});
  EXPECT_EQ(sampled.code, 0) << sampled.out << sampled.err;
}

TEST(SignalVerdicts, LateActuatorFailsAtTheInstantAtWhichItWasDue) {
  const test::Outcome outcome = verdict({logFile("heater_late.csv")});
  EXPECT_EQ(outcome.code, 10) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("outputs(true, true, true, false, 0)"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("17"), std::string::npos) << outcome.out;
}

TEST(SignalVerdicts, TesterThatLooksSeldomSeesNoMoreThanItCan) {
  EXPECT_EQ(verdict({logFile("heater_late.csv"), "--sample", "0.5"}).code, 0);
  EXPECT_EQ(verdict({logFile("heater_late.csv"), "--sample", "0.1"}).code, 10);
}

} // namespace
} // namespace tioc::vdta
