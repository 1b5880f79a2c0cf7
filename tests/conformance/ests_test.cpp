#include "conformance/runs.hpp"
#include "driver/driver.hpp"
#include "runtime/conformance/make_tracker.hpp"
#include "runtime/conformance/refines.hpp"
#include "runtime/execute/ests_walk.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

// Conformance of ESTS: alternating simulation with time windows (C, section 4), right and wrong answers for each.
namespace tioc::conformance {
namespace {

using test::Outcome;
using test::runTioc;

std::string example(const std::string& name) {
  return test::sourceDir() + "/examples/" + name;
}

/// A lamp that answers within a window; what it says and when are the arguments.
std::string lamp(const std::string& name, const std::string& takes, const std::string& more = "") {
  return "ests " + name + R"( {
  var n: int = 0;
  init Off;
  state Off { press?(v) when 0 <= v && v <= 5 do n := v takes 2 -> Lit; }
  state Lit { lamp!(n) takes )" +
         takes + R"( -> On; }
  state On { off? takes 1 -> Dark; after 100 takes 1 -> Dark; )" +
         more + R"( }
  state Dark { dark! takes 1 -> Off; }
}
system )" +
         name + "Net = queue(" + name + ");\n";
}

const std::string kHead = "module lamps;\ninput press(v: int), off;\noutput lamp(v: int), dark;\n";

struct Judged {
  std::string log;
  std::string verdict;
};

class EstsVerdicts : public testing::TestWithParam<Judged> {};

TEST_P(EstsVerdicts, OfALog) {
  test::TemporaryFolder folder;
  folder.write("lamp.tio", kHead + lamp("Lamp", "10 +- 2 jitter 1"));
  folder.write("log", GetParam().log);
  const Outcome outcome = runTioc({"verdict", folder.path() + "/lamp.tio", folder.path() + "/log"});
  EXPECT_EQ(outcome.out.substr(0, outcome.out.find(' ')), GetParam().verdict) << outcome.out << outcome.err;
}

INSTANTIATE_TEST_SUITE_P(
    Logs, EstsVerdicts,
    testing::Values(Judged{"3 press?4 9 lamp!4", "PASS"},              // the first instant: 2 + 8 - 1
                    Judged{"3 press?4 15 lamp!4", "PASS"},             // the last one: 2 + 12 + 1
                    Judged{"3 press?4 8.9 lamp!4", "FAIL"},            // before the window
                    Judged{"3 press?4 15.1 lamp!4", "FAIL"},           // behind it
                    Judged{"3 press?4 15.1", "FAIL"},                  // silence until after it
                    Judged{"3 press?4 9 lamp!5", "FAIL"},              // another value
                    Judged{"3 press?4 9 dark!", "FAIL"},               // another signal
                    Judged{"3 press?6", "INCONC_i"},                   // not specified
                    Judged{"3 press?4 9 lamp!4 5.9 off?", "INCONC_i"}, // the reaction may last until 15
                    Judged{"3 press?4 9 lamp!4 6 off? 2 dark!", "PASS"},
                    // Lit from 14 to 16 then, so the timeout and what follows take until 116 to 118.
                    Judged{"3 press?4 12 lamp!4 101 dark!", "PASS"}, Judged{"3 press?4 12 lamp!4 103 dark!", "PASS"},
                    Judged{"3 press?4 12 lamp!4 100.9 dark!", "FAIL"},
                    Judged{"3 press?4 12 lamp!4 103.1 dark!", "FAIL"}),
    [](const auto& judged) { return "Log" + std::to_string(judged.index); });

TEST(EstsTester, PassesTheModelAndFailsAMutant) {
  const std::string file = example("window_lift.tio");
  const auto against = [&](const std::string& sut) {
    return runTioc({"test", file, "--sut", "model:" + sut, "--virtual-time", "--steps", "60", "--runs", "6",
                    "--strategy", "coverage"});
  };
  const Outcome right = against(file);
  EXPECT_EQ(right.code, 0) << right.out << right.err;
  test::TemporaryFolder folder;
  std::string text = test::readFile(file);
  const std::string dead = "const DeadTime = 60;";
  text.replace(text.find(dead), dead.size(), "const DeadTime = 40;");
  folder.write("hasty.tio", text);
  EXPECT_EQ(against(folder.path() + "/hasty.tio").code, driver::kFail);
}

TEST(EstsTester, MutantsOfThePairAreFoundOnTheFly) {
  const std::string file = example("ests_pair.tio");
  test::TemporaryFolder folder;
  const std::string text = test::readFile(file);
  for (const auto& [right, wrong] : {std::pair<std::string, std::string>{"d!(z + 3)", "d!(z + 4)"},
                                     {"after 100 when z < 5", "after 101 when z < 5"},
                                     {"when z < 5", "when z < 6"},
                                     {"x := p1", "x := p2"}}) {
    std::string other = text;
    other.replace(other.find(right), right.size(), wrong);
    folder.write("wrong.tio", other);
    const Outcome outcome = runTioc({"test", file, "--sut", "model:" + folder.path() + "/wrong.tio", "--virtual-time",
                                     "--steps", "60", "--runs", "5", "--seed", "1"});
    EXPECT_EQ(outcome.code, driver::kFail) << wrong << "\n" << outcome.out;
  }
}

/// Of the first system to the second, up to some steps.
std::string refinement(const std::string& text, const std::string& first, const std::string& second) {
  RefineOptions options;
  options.depth = 5;
  options.limits.states = 2000;
  const Refinement result = refines(systemOf(text, first), systemOf(text, second), options);
  switch (result.answer) {
  case Refinement::Answer::Refines:
    return "refines";
  case Refinement::Answer::Differs:
    return showTrace(systemOf(text, first), result.trace) + "; allowed: " + result.allowed;
  case Refinement::Answer::Unknown:
    break;
  }
  return "unknown: " + result.why;
}

TEST(EstsRefines, WindowsMustLieInWindows) {
  const std::string text = kHead + lamp("Wide", "10 +- 2") + lamp("Narrow", "10 +- 1") + lamp("Exact", "10") +
                           lamp("Shaky", "10 jitter 2") + lamp("Late", "13");
  for (const char* conforming : {"WideNet", "NarrowNet", "ExactNet"})
    EXPECT_EQ(refinement(text, conforming, "WideNet"), "refines") << conforming;
  EXPECT_EQ(refinement(text, "LateNet", "WideNet"), "0 press?(0), silence until 15; allowed: lamp from 10 until 14; "
                                                    "silence until 14");
  EXPECT_NE(refinement(text, "WideNet", "NarrowNet"), "refines");
  EXPECT_NE(refinement(text, "NarrowNet", "ExactNet"), "refines");
  EXPECT_EQ(refinement(text, "ExactNet", "ShakyNet"), "refines");
  EXPECT_NE(refinement(text, "ShakyNet", "ExactNet"), "refines");
}

TEST(EstsRefines, InputsThatTheSpecificationTakesMustBeTaken) { // C, equation 15
  const std::string text = kHead + lamp("Lamp", "10") + R"(
ests Deaf { var n: int = 0; init Off;
  state Off { press?(v) when 0 <= v && v <= 4 do n := v takes 2 -> Lit; }
  state Lit { lamp!(n) takes 10 -> On; }
  state On { off? takes 1 -> Dark; after 100 takes 1 -> Dark; }
  state Dark { dark! takes 1 -> Off; } }
system DeafNet = queue(Deaf);
)";
  EXPECT_EQ(refinement(text, "LampNet", "DeafNet"), "refines"); // it may take more
  const std::string deaf = refinement(text, "DeafNet", "LampNet");
  EXPECT_NE(deaf.find("press?(5)"), std::string::npos) << deaf;
}

TEST(EstsRefines, OutputsAreThoseOfTheSpecification) { // C, equation 16
  const std::string text = kHead + lamp("Lamp", "10") + lamp("Chatty", "10", "when n == 3 do n := 0 takes 5 -> Dark;");
  EXPECT_NE(refinement(text, "ChattyNet", "LampNet"), "refines");
}

TEST(EstsRefines, ControllersAreComparedWhateverTheyAreMadeOf) {
  // The signal travels: 1 for the switch, 1 to take it.
  const std::string two = kHead + "internal go(v: int), stop;\n" + lamp("Lamp", "10") + R"(
ests Switch { var n: int = 0; init Off;
  state Off { press?(v) when 0 <= v && v <= 5 do n := v takes 1 -> Told; }
  state Told { go!(n) -> On; }
  state On { off? takes 1 -> Ended; after 110 takes 1 -> Ended; }
  state Ended { stop! -> Off; } }
ests Bulb { var n: int = 0; init Off;
  state Off { go?(v) do n := v takes 1 -> Lit; stop? -> Dark; }
  state Lit { lamp!(n) takes 10 -> Off; }
  state Dark { dark! takes 1 -> Off; } }
system Pair = queue(Switch, Bulb);
)";
  // Up to the lamp they are the same; the switch counts from elsewhere, so the timeout shows the difference.
  EXPECT_NE(refinement(two, "Pair", "LampNet").find("dark"), std::string::npos) << refinement(two, "Pair", "LampNet");
  std::string equal = two;
  equal.replace(equal.find("after 110"), 9, "after 111");
  EXPECT_EQ(refinement(equal, "Pair", "LampNet"), "refines");
}

TEST(EstsRefines, NonDeterministicSpecificationsAreSetsOfStates) {
  const std::string text = kHead + R"(
ests Free { init Off;
  state Off { press?(v) takes 2 -> Lit; press?(v) takes 2 -> Dark; }
  state Lit { lamp!(1) takes 10 -> Off; }
  state Dark { tau takes 5 -> Darker; off? -> Off; }
  state Darker { dark! takes 1 -> Off; } }
ests One { init Off; state Off { press?(v) takes 2 -> Lit; } state Lit { lamp!(1) takes 10 -> Off; } }
ests None { init Off; state Off { press?(v) takes 2 -> Off; } }
ests Other { init Off; state Off { press?(v) takes 2 -> Lit; } state Lit { lamp!(2) takes 10 -> Off; } }
system FreeNet = queue(Free);
system OneNet = queue(One);
system NoneNet = queue(None);
system OtherNet = queue(Other);
)";
  EXPECT_EQ(refinement(text, "OneNet", "FreeNet"), "refines");
  EXPECT_EQ(refinement(text, "NoneNet", "FreeNet"), "refines"); // tau need not fire
  EXPECT_EQ(refinement(text, "FreeNet", "FreeNet"), "refines");
  EXPECT_NE(refinement(text, "OtherNet", "FreeNet").find("lamp!(2)"), std::string::npos);
  EXPECT_NE(refinement(text, "FreeNet", "OneNet"), "refines");
}

using execute::EstsWalk;

TEST(EstsWalks, EverythingSeenOnAWalkIsAllowed) {
  for (const auto& [file, name] : {std::pair("ests_pair.tio", "Net"), std::pair("window_lift.tio", "WindowLift")}) {
    const ir::Model model = exampleSystem(file, name);
    MadeTracker made = makeTracker(model);
    Tracker& tracker = *std::get<std::unique_ptr<Tracker>>(made);
    size_t outputs = 0;
    for (uint64_t seed = 0; seed < 30; ++seed) {
      EstsWalk walk(model, seed);
      ASSERT_TRUE(walk.start());
      ASSERT_EQ(tracker.start(), Answer::Yes);
      std::vector<Event> run;
      Answer answer = Answer::Yes;
      for (int i = 0; i < 40 && answer == Answer::Yes; ++i) {
        const ir::Rational before = walk.state().now;
        ASSERT_TRUE(walk.step());
        if (const auto& input = walk.input()) {
          answer = tracker.wait(before);
          ASSERT_EQ(answer, Answer::Yes);
          run.push_back({Event::Kind::Input, input->channel, walk.values(*input), before});
          answer = tracker.input(input->channel, run.back().values);
          if (answer == Answer::No) // as long as a duration could have been longer
            break;
        }
        for (const auto& output : walk.outputs()) {
          run.push_back({Event::Kind::Output, model[output.edge].channel, output.values, output.time});
          ASSERT_NE(tracker.wait(output.time), Answer::No) << show(model, run);
          ASSERT_NE(tracker.output(run.back().channel, output.values), Answer::No) << show(model, run);
          ++outputs;
        }
      }
    }
    EXPECT_GT(outputs, 20U);
  }
}

TEST(EstsWalks, WeightsAreNormalisedOverWhatIsPossible) {
  const ir::Model model = systemOf(R"(module w; input a, b, never;
ests A { init I; state I { a? weight 3 -> I; b? -> I; never? when false weight 100 -> I; } }
system Net = queue(A);)",
                                   "Net");
  EstsWalk walk(model, 1);
  ASSERT_TRUE(walk.start());
  int counts[2] = {}, waits = 0;
  constexpr int kSteps = 20'000;
  for (int i = 0; i < kSteps; ++i) {
    ASSERT_TRUE(walk.step());
    ++(walk.input() ? counts[walk.input()->channel.value] : waits);
  }
  EXPECT_NEAR(counts[0], kSteps * 3 / 5, kSteps / 50); // of 3, 1, and 1 for a wait
  EXPECT_NEAR(counts[1], kSteps / 5, kSteps / 50);
  EXPECT_NEAR(waits, kSteps / 5, kSteps / 50);
}

TEST(EstsWalks, WaitsEndAtTheSmallestTimeout) {
  const ir::Model model = systemOf(R"(module w; input a; output o;
ests A { init I; state I { after 8 -> J; } state J { o! -> K; } state K { a? -> K; } }
ests B { init I; state I { after 12 -> J; } state J { a? -> J; } }
system Net = queue(A, B);)",
                                   "Net");
  EstsWalk walk(model, 3);
  ASSERT_TRUE(walk.start());
  for (bool fired = false; !fired;) {
    ASSERT_TRUE(walk.step());
    EXPECT_LE(walk.state().now, ir::Rational(8));
    fired = !walk.trace().empty();
  }
  ASSERT_EQ(walk.outputs().size(), 1U);
  EXPECT_EQ(walk.outputs()[0].time, ir::Rational(8));
}

TEST(EstsWalks, GuidedOnesTakeMoreEdges) {
  const ir::Model model = exampleSystem("window_lift.tio", "WindowLift");
  const auto taken = [&](EstsWalk::Strategy strategy) {
    size_t sum = 0;
    for (uint64_t seed = 0; seed < 20; ++seed) {
      EstsWalk walk(model, seed, strategy);
      for (int i = 0; i < 300; ++i) {
        if (i % 50 == 0)
          walk.start();
        walk.step();
      }
      sum += static_cast<size_t>(std::count(walk.taken().begin(), walk.taken().end(), true));
    }
    return sum;
  };
  EXPECT_GT(taken(EstsWalk::Strategy::Coverage), taken(EstsWalk::Strategy::Random));
}

TEST(EstsRefines, ExamplesConformToThemselves) {
  for (const auto& [file, name] : {std::pair("ests_pair.tio", "Net"), std::pair("window_lift.tio", "WindowLift")}) {
    const Outcome outcome = runTioc({"check", example(file), "--refines", name, name, "--refine-depth", "3"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  }
}

} // namespace
} // namespace tioc::conformance
