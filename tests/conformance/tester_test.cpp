#include "conformance/runs.hpp"
#include "driver/driver.hpp"
#include "execute/support.hpp"
#include "runtime/conformance/make_tracker.hpp"
#include "runtime/conformance/tester.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>

namespace tioc::conformance {
namespace {

using test::Outcome;
using test::runTioc;

std::string example(const std::string& name) {
  return test::sourceDir() + "/examples/" + name;
}

struct Subject {
  std::string file;
  std::string system;
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.system;
}

class Testers : public testing::TestWithParam<Subject> {};

TEST_P(Testers, ConformingSystemsNeverFailAndLogsGetTheSameVerdict) {
  const ir::Model model = exampleSystem(GetParam().file, GetParam().system);
  const uint64_t runs = std::getenv("TIOC_LONG") ? 500 : 10;
  for (const Strategy strategy : {Strategy::Random, Strategy::Coverage})
    for (const execute::Policy policy : {execute::Policy::Random, execute::Policy::Earliest, execute::Policy::Latest}) {
      MadeTracker made = makeTracker(model);
      Tracker& tracker = *std::get<std::unique_ptr<Tracker>>(made);
      execute::PlayOptions play;
      play.policy = policy;
      execute::ModelAdapter adapter(test::exampleMachine(GetParam().file, GetParam().system), play);
      for (uint64_t seed = 0; seed < runs; ++seed) {
        TesterOptions options;
        options.steps = 30;
        options.seed = seed;
        options.strategy = strategy;
        const TesterRun run = testOnTheFly(tracker, adapter, options);
        ASSERT_NE(run.judgement.verdict, Verdict::Fail) << run.judgement.reason << "\n" << show(model, run.events);
        EXPECT_FALSE(run.broken) << run.judgement.reason;
        const Followed again = follow(tracker, run.events);
        EXPECT_EQ(again.answer == Answer::Yes, run.judgement.verdict == Verdict::Pass);
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Models, Testers,
                         testing::Values(Subject{"atm.tio", "Atm"}, Subject{"spec2.tio", "Spec2"},
                                         Subject{"light.tio", "Light"}, Subject{"trajectory.tio", "Trajectory"},
                                         Subject{"session.tio", "Sender"}, Subject{"infusion_pump.tio", "Pump"},
                                         Subject{"crossing.tio", "Crossing"}),
                         [](const auto& subject) { return subject.param.system; });

TEST(Tester, SameSeedGivesTheSameBytesAndTheLogTheSameVerdict) {
  test::TemporaryFolder folder;
  const std::string dir = folder.path() + "/";
  const auto run = [&](const std::string& log, const std::string& seed) {
    return runTioc({"test", example("session.tio"), "--sut", "model:" + example("session.tio") + "#Sender",
                    "--virtual-time", "--steps", "200", "--seed", seed, "--log", dir + log});
  };
  const Outcome first = run("a", "7"), second = run("b", "7"), other = run("c", "8");
  EXPECT_EQ(first.code, 0) << first.out << first.err;
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(test::readFile(dir + "a"), test::readFile(dir + "b"));
  EXPECT_NE(test::readFile(dir + "a"), test::readFile(dir + "c"));
  EXPECT_EQ(runTioc({"verdict", example("session.tio"), dir + "a"}).code, 0);
}

TEST(Tester, FailsWhatIsWrongAndTheLogFailsAtTheSamePlace) {
  test::TemporaryFolder folder;
  std::string text = test::readFile(example("atm.tio"));
  const std::string right = "DispenseCash!(requested)";
  text.replace(text.find(right), right.size(), "DispenseCash!(requested + 1)");
  folder.write("wrong.tio", text);
  const std::string log = folder.path() + "/log";
  const Outcome outcome = runTioc({"test", example("atm.tio"), "--sut", "model:" + folder.path() + "/wrong.tio#Atm",
                                   "--virtual-time", "--steps", "50", "--log", log});
  EXPECT_EQ(outcome.code, driver::kFail) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("is not allowed"), std::string::npos) << outcome.out;
  const Outcome again = runTioc({"verdict", example("atm.tio"), log});
  EXPECT_EQ(again.code, driver::kFail);
  const size_t reason = outcome.out.find("DispenseCash!(");
  EXPECT_NE(again.out.find(outcome.out.substr(reason, 20)), std::string::npos) << again.out << outcome.out;
}

TEST(Tester, CoverageTakesMoreEdgesThanChance) {
  const ir::Model model = exampleSystem("session.tio", "Sender");
  const auto taken = [&](Strategy strategy) {
    MadeTracker made = makeTracker(model);
    Tracker& tracker = *std::get<std::unique_ptr<Tracker>>(made);
    execute::ModelAdapter adapter(test::exampleMachine("session.tio", "Sender"), {});
    for (uint64_t seed = 0; seed < 10; ++seed) {
      TesterOptions options;
      options.steps = 60;
      options.seed = seed;
      options.strategy = strategy;
      testOnTheFly(tracker, adapter, options);
    }
    return std::count(tracker.taken().begin(), tracker.taken().end(), true);
  };
  const auto random = taken(Strategy::Random), guided = taken(Strategy::Coverage);
  EXPECT_GE(guided, random);
  std::cout << random << " by chance, " << guided << " guided\n";
}

TEST(Tester, MeasuredTimesAreReadWithinTheTolerance) {
  const ir::Model model = exampleSystem("spec1.tio", "Spec1");
  const auto answer = [&](const std::string& tolerance, const ir::Rational& at) {
    TrackOptions options;
    options.tolerance = *ir::Rational::parse(tolerance);
    MadeTracker made = makeTracker(model, options);
    Tracker& tracker = *std::get<std::unique_ptr<Tracker>>(made);
    const auto channel = [&](const std::string& name) {
      return ir::ChannelId(static_cast<size_t>(
          std::find_if(model.channels.begin(), model.channels.end(), [&](const auto& c) { return c.name == name; }) -
          model.channels.begin()));
    };
    return follow(tracker, {{Event::Kind::Input, channel("a"), {}, 1}, {Event::Kind::Output, channel("b"), {}, at}})
        .answer;
  };
  // b comes from 2 to 8 behind a; both times may be off by the tolerance.
  EXPECT_EQ(answer("0", ir::Rational(29, 10)), Answer::No);
  EXPECT_EQ(answer("0.05", ir::Rational(29, 10)), Answer::Yes);
  EXPECT_EQ(answer("0.05", ir::Rational(289, 100)), Answer::No);
  EXPECT_EQ(answer("0.05", ir::Rational(91, 10)), Answer::Yes);
  EXPECT_EQ(answer("0.05", ir::Rational(911, 100)), Answer::No);
}

TEST(Tester, ProcessesAreTestedAsModelsAre) {
  test::TemporaryFolder folder;
  const auto run = [&](const std::string& sut, const std::string& log) {
    return runTioc({"test", example("infusion_pump.tio"), "--sut", sut, "--virtual-time", "--steps", "40", "--seed",
                    "5", "--log", folder.path() + "/" + log});
  };
  const std::string file = example("infusion_pump.tio");
  const Outcome process = run(std::string("exec:") + TIOC_PROGRAM + " sim " + file + " --seed 5", "process");
  EXPECT_EQ(process.code, 0) << process.out << process.err;
  EXPECT_EQ(run("model:" + file + "#Pump", "model").out, process.out);
  EXPECT_EQ(test::readFile(folder.path() + "/process"), test::readFile(folder.path() + "/model"));
}

TEST(Tester, SystemsThatBreakTheProtocolAreInconclusive) {
  const Outcome outcome = runTioc({"test", example("atm.tio"), "--sut", "exec:echo nonsense", "--virtual-time"});
  EXPECT_EQ(outcome.code, driver::kInconclusive) << outcome.out;
  EXPECT_NE(outcome.out.find("bad line 'nonsense'"), std::string::npos) << outcome.out;
}

TEST(Tester, RealTimeRunsAgainstAModelPass) {
  const Outcome outcome =
      runTioc({"test", example("light.tio"), "--system", "Light", "--sut", "model:" + example("light.tio") + "#Light",
               "--steps", "6", "--time-scale", "10", "--tolerance", "0.8", "--patience", "3"});
  EXPECT_NE(outcome.code, driver::kFail) << outcome.out << outcome.err;
  EXPECT_EQ(runTioc({"test", example("light.tio"), "--sut", "model:" + example("light.tio") + "#Light"}).code,
            driver::kUsage);
}

} // namespace
} // namespace tioc::conformance
