// What the papers say about their own examples (semantics, section 10).

#include "conformance/runs.hpp"
#include "execute/support.hpp"
#include "ir/passes.hpp"
#include "runtime/conformance/make_tracker.hpp"
#include "runtime/conformance/tester.hpp"
#include "runtime/conformance/tiosts_tracker.hpp"
#include "runtime/conformance/verdict.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace tioc::conformance {
namespace {

using ir::Rational;

std::unique_ptr<Tracker> trackerOf(const ir::Model& model, const std::string& purpose = "", bool symbolic = false) {
  if (symbolic)
    return std::make_unique<StepTracker>(tiostsSpecification(model));
  TrackOptions options;
  options.purpose = purpose;
  return std::move(std::get<std::unique_ptr<Tracker>>(makeTracker(model, options)));
}

Judgement judge(Tracker& tracker, const std::string& trace, bool hasPurpose = false) {
  std::istringstream in(trace);
  TraceReader reader(tracker.model(), in);
  Judge judge(tracker, hasPurpose);
  judge.begin();
  Event event;
  TraceReader::Got got{};
  while ((got = reader.next(event)) == TraceReader::Got::Event && judge.take(event)) {
  }
  EXPECT_NE(got, TraceReader::Got::Bad) << reader.error();
  return judge.end();
}

ir::ChannelId channel(const ir::Model& model, const std::string& name) {
  for (size_t i = 0; i < model.channels.size(); ++i)
    if (model.channels[i].name == name)
      return ir::ChannelId(i);
  ADD_FAILURE() << name;
  return {};
}

// A, example 4.
TEST(KnownAnswers, TrajectoryFailsAtTheCommandAfterTheTimeout) {
  const ir::Model model = exampleSystem("trajectory.tio", "Trajectory");
  const std::string trace = "0.1 location?4 0.1 plan!8 2.1 error!6 0.1 nCmd!2 0.5 plan?5 2 param?2 1 calc?1 1";
  for (const char* purpose : {"", "Loop"}) {
    const auto tracker = trackerOf(model, purpose);
    const Judgement judgement = judge(*tracker, trace, *purpose != '\0');
    EXPECT_EQ(judgement.verdict, Verdict::Fail);
    ASSERT_TRUE(judgement.event);
    EXPECT_EQ(showEvent(model, *judgement.event), "nCmd!(2)");
    EXPECT_EQ(judgement.time, Rational(24, 10));
    ASSERT_TRUE(judgement.explanation);
    ASSERT_EQ(judgement.explanation->states.size(), 1U);
    EXPECT_NE(judgement.explanation->states[0].find("WaitLocation"), std::string::npos);
    EXPECT_TRUE(judgement.explanation->allowed.outputs.empty());
  }
}

// A, section 5: rules 2 to 6.
TEST(KnownAnswers, EveryVerdictOfTheRulesComes) {
  const ir::Model model = exampleSystem("trajectory.tio", "Trajectory");
  const auto tracker = trackerOf(model, "Loop");
  const std::string loop = "0.1 location?4 0.1 plan!8 1 plan?5 0.5 param!3 0.5 param?2 0.5 calc!4005002 1 calc?77 1 ";
  EXPECT_EQ(judge(*tracker, loop + "nCmd!77", true).verdict, Verdict::Pass);
  EXPECT_EQ(judge(*tracker, loop + "nCmd!78", true).verdict, Verdict::Fail);
  EXPECT_EQ(judge(*tracker, loop, true).verdict, Verdict::InconcR);
  EXPECT_EQ(judge(*tracker, "0.1 location?4 0.1 plan!8 2.1 error!6", true).verdict, Verdict::InconcR);
  EXPECT_EQ(judge(*tracker, loop + "location?9", true).verdict, Verdict::InconcI);
  EXPECT_EQ(judge(*tracker, "0.1 location?4 2", true).verdict, Verdict::Fail); // plan! is due before 1.1
}

TEST(KnownAnswers, PurposeThatIsFulfilledOnOneOfSeveralWaysPassesWeakly) {
  const ir::Model model = systemOf("module m; input go; output done;\n"
                                   "tiosts S { var x: int = 0; init A;\n"
                                   "  state A { go? do x := 1 -> B; go? do x := 2 -> B; }\n"
                                   "  state B { done! -> C; }\n  state C { } }\n"
                                   "purpose P for S { state Start { done! when x == 1 -> accept; } }\n",
                                   "S");
  const auto tracker = trackerOf(model, "P");
  const Judgement judgement = judge(*tracker, "1 go? 1 done!", true);
  EXPECT_EQ(judgement.verdict, Verdict::WeakPass) << judgement.reason;
}

// D, section 3: out(S after a 1).
TEST(KnownAnswers, OutputsAndDelaysAfterARequestAndOneUnit) {
  struct Expected {
    const char* system;
    std::optional<Rational> elapse;
    bool answersNow;
  };
  for (bool symbolic : {false, true})
    for (const Expected& expected : std::vector<Expected>{
             {"Spec1", Rational(7), false}, {"Impl3", Rational(4), true}, {"Impl4", std::nullopt, false}}) {
      const ir::Model model = exampleSystem("spec1.tio", expected.system);
      const auto tracker = trackerOf(model, "", symbolic);
      ASSERT_EQ(tracker->start(), Answer::Yes);
      ASSERT_EQ(tracker->input(channel(model, "a"), {}), Answer::Yes);
      ASSERT_EQ(tracker->wait(1), Answer::Yes);
      const Outlook outlook = tracker->outlook();
      EXPECT_TRUE(outlook.complete);
      EXPECT_EQ(outlook.silence.high, expected.elapse ? std::optional(*expected.elapse + Rational(1)) : std::nullopt)
          << expected.system;
      EXPECT_FALSE(outlook.silence.highOpen);
      const bool answersNow = std::any_of(outlook.outputs.begin(), outlook.outputs.end(),
                                          [](const Chance& chance) { return chance.window.contains(1); });
      EXPECT_EQ(answersNow, expected.answersNow) << expected.system;
      EXPECT_EQ(tracker->quiescent(), expected.elapse ? Answer::No : Answer::Yes) << expected.system;
    }
}

size_t failures(const std::string& implementation, const std::string& specification) {
  const ir::Model model = exampleSystem("spec2.tio", specification);
  const auto tracker = trackerOf(model);
  execute::ModelAdapter adapter(test::exampleMachine("spec2.tio", implementation), {});
  size_t failed = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    TesterOptions options;
    options.steps = 6;
    options.seed = seed;
    const TesterRun run = testOnTheFly(*tracker, adapter, options);
    EXPECT_FALSE(run.broken) << run.judgement.reason;
    failed += run.judgement.verdict == Verdict::Fail ? 1 : 0;
  }
  return failed;
}

// D, section 3.
TEST(KnownAnswers, ImplementationsConformAsThePaperSays) {
  for (const char* conforming : {"Impl1", "Impl2", "Impl5", "Impl6"})
    EXPECT_EQ(failures(conforming, "Spec1"), 0U) << conforming;
  for (const char* wrong : {"Impl3", "Impl4"})
    EXPECT_GT(failures(wrong, "Spec1"), 0U) << wrong;
  for (const char* wrong : {"Impl1", "Impl2", "Impl3", "Impl4"})
    EXPECT_GT(failures(wrong, "Spec2"), 0U) << wrong;
  for (const char* conforming : {"Impl5", "Impl6"})
    EXPECT_EQ(failures(conforming, "Spec2"), 0U) << conforming;
}

TEST(KnownAnswers, CashMachineSaysWhichConjunctWasFalse) {
  const ir::Model model = exampleSystem("atm.tio", "Atm");
  const auto tracker = trackerOf(model);
  const Judgement judgement = judge(*tracker, "1 Withdrawal?100 3 DispenseCash!100 1 Withdrawal?50 1 DispenseCash!51");
  EXPECT_EQ(judgement.verdict, Verdict::Fail);
  const auto lines = showExplanation(*tracker, *judgement.explanation, [](ir::Span) { return std::string(); });
  const auto has = [&](const std::string& text) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const std::string& line) { return line.find(text) != std::string::npos; });
  };
  EXPECT_TRUE(has("last good state, at 6: Verify with balance >= 0, requested = 50, t = 1"));
  EXPECT_TRUE(has("allowed then: DispenseCash!(50) from 6 to 15"));
  EXPECT_TRUE(has("allowed then: silence until 15"));
  EXPECT_TRUE(has("amount == requested is false: requested is 50, amount is 51")) << testing::PrintToString(lines);
}

} // namespace
} // namespace tioc::conformance
