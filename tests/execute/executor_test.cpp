#include "runtime/execute/executor.hpp"

#include "execute/support.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <thread>

namespace tioc::execute {
namespace {

using ir::Rational;
using ir::Verdict;
using test::describe;
using test::runVirtually;

/// How often each verdict comes out of so many runs of a model.
struct Verdicts {
  size_t pass = 0;
  size_t fail = 0;
  size_t inconclusive = 0;
  std::string reason; ///< of the last that failed, or else of the last that did not pass
};

Verdicts against(const ir::TestSuite& suite, std::unique_ptr<Machine> machine, Policy policy, size_t runs) {
  PlayOptions options;
  options.policy = policy;
  ModelAdapter adapter(std::move(machine), options);
  Verdicts result;
  for (size_t i = 0; i < runs; ++i) {
    const Outcome outcome = runVirtually(suite, adapter);
    ++(outcome.verdict == Verdict::Pass   ? result.pass
       : outcome.verdict == Verdict::Fail ? result.fail
                                          : result.inconclusive);
    if (outcome.verdict == Verdict::Fail || (outcome.verdict != Verdict::Pass && result.fail == 0))
      result.reason = describe(suite, outcome);
  }
  return result;
}

TEST(Soundness, ThousandsOfConformingRunsNeverFail) {
  for (Policy policy : {Policy::Random, Policy::Earliest, Policy::Latest}) {
    const Verdicts atm = against(test::withdrawalSuite(), test::exampleMachine("atm.tio", "Atm"), policy, 3000);
    EXPECT_EQ(atm.fail, 0U) << atm.reason;
    EXPECT_GT(atm.pass, 100U);
    EXPECT_GT(atm.inconclusive, 100U);
    const Verdicts spec1 = against(test::requestSuite(), test::exampleMachine("spec1.tio", "Spec1"), policy, 3000);
    EXPECT_EQ(spec1.pass, 3000U) << spec1.reason;
    const Verdicts light = against(test::touchSuite(), test::exampleMachine("light.tio", "Light"), policy, 3000);
    EXPECT_EQ(light.pass, 3000U) << light.reason;
  }
}

TEST(Soundness, ConformingImplementationsPass) {
  for (const char* system : {"Impl1", "Impl2"})
    EXPECT_EQ(against(test::requestSuite(), test::exampleMachine("spec1.tio", system), Policy::Random, 200).pass, 200U);
}

TEST(Strictness, TooEarlyFails) {
  const Verdicts verdicts =
      against(test::requestSuite(), test::exampleMachine("spec1.tio", "Impl3"), Policy::Earliest, 1);
  EXPECT_EQ(verdicts.reason, "fail: b at 2 was not allowed; allowed: b from 3 until 9\n1 a?\n2 b!\n");
  const Verdicts random =
      against(test::requestSuite(), test::exampleMachine("spec1.tio", "Impl3"), Policy::Random, 500);
  EXPECT_GT(random.fail, 100U);
  EXPECT_GT(random.pass, 100U);
}

TEST(Strictness, SilenceFails) {
  const Verdicts verdicts =
      against(test::requestSuite(), test::exampleMachine("spec1.tio", "Impl4"), Policy::Random, 20);
  EXPECT_EQ(verdicts.fail, 20U);
  EXPECT_EQ(verdicts.reason, "fail: no answer within 8\n1 a?\n");
}

/// The cash machine with something replaced.
std::unique_ptr<Machine> brokenAtm(const std::string& what, const std::string& by) {
  std::string text = test::readFile(test::sourceDir() + "/examples/atm.tio");
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos);
  return test::machineOf(text.replace(at, what.size(), by), "Atm");
}

TEST(Strictness, ViolationsOfTheCashMachineFail) {
  const ir::TestSuite suite = test::withdrawalSuite();
  const Verdicts late = against(
      suite, brokenAtm("requested <= balance && t <= 10", "requested <= balance && t == 10.001"), Policy::Random, 300);
  EXPECT_EQ(late.pass, 0U);
  EXPECT_GT(late.fail, 50U);
  const Verdicts wrong =
      against(suite, brokenAtm("DispenseCash!(requested)", "DispenseCash!(requested + 1)"), Policy::Random, 300);
  EXPECT_EQ(wrong.pass, 0U);
  EXPECT_GT(wrong.fail, 50U);
  EXPECT_NE(wrong.reason.find("DispenseCash"), std::string::npos);
  const Verdicts noSlip = against(suite, brokenAtm("t <= 5 -> Idle", "t == 6 -> Idle"), Policy::Random, 300);
  EXPECT_GT(noSlip.fail, 50U);
  EXPECT_GT(noSlip.pass, 50U);
}

TEST(Strictness, OneInstantBehindTheEndIsTooLate) {
  const std::string text = "module m; input a; output b; tiosts M { clock x; init S; state S { a? do x := 0 -> T; } "
                           "state T { b! when x == ";
  const auto run = [&](const std::string& time) {
    return against(test::requestSuite(), test::machineOf(text + time + " -> U; } state U { } }", "M"), Policy::Random,
                   1);
  };
  EXPECT_EQ(run("8").pass, 1U);
  EXPECT_EQ(run("8.000000001").fail, 1U);
  EXPECT_EQ(run("2").pass, 1U);
  EXPECT_EQ(run("1.999999999").fail, 1U);
}

/// A system that says what it is told to. A line begins when a line of the tester has come, or, in real time, at its
/// time.
class Script final : public Adapter {
public:
  struct Entry {
    size_t behind; ///< lines of the tester
    std::string line;
    std::chrono::milliseconds pause{0}; ///< since that line
  };
  explicit Script(std::vector<Entry> entries) : entries_(std::move(entries)) {}

  std::optional<std::string> open() override {
    left_.assign(entries_.begin(), entries_.end());
    heard_.clear();
    return std::nullopt;
  }
  void close() override {}
  bool send(const std::string&, TimePoint) override {
    heard_.push_back(Clock::now());
    return true;
  }
  LineStream::Got receive(std::string& line, TimePoint until) override {
    if (left_.empty() || left_.front().behind > heard_.size()) {
      std::this_thread::sleep_until(until);
      return LineStream::Got::Nothing;
    }
    const TimePoint at = heard_[left_.front().behind - 1] + left_.front().pause;
    std::this_thread::sleep_until(std::min(at, until));
    if (at > until)
      return LineStream::Got::Nothing;
    line = left_.front().line;
    left_.pop_front();
    return line == "gone" ? LineStream::Got::Closed : LineStream::Got::Line;
  }

private:
  std::vector<Entry> entries_;
  std::deque<Entry> left_;
  std::vector<TimePoint> heard_;
};

const char* const kReady = R"({"ready":"tio/1"})";

/// The verdict of the request test, whose lines are: start, advance 1, a, advance 8.
Outcome scripted(std::vector<Script::Entry> entries) {
  Script script(std::move(entries));
  return runVirtually(test::requestSuite(), script, 50);
}

TEST(BadSystems, AreInconclusiveWithTheReason) {
  const auto reason = [](std::vector<Script::Entry> entries) {
    const Outcome outcome = scripted(std::move(entries));
    EXPECT_EQ(outcome.verdict, Verdict::Inconclusive);
    EXPECT_TRUE(outcome.broken);
    return outcome.reason;
  };
  const Script::Entry ready{1, kReady};
  const Script::Entry one{2, R"({"now":"1"})"};
  EXPECT_EQ(reason({}), "the system did not answer within 50 ms");
  EXPECT_EQ(reason({{1, "gone"}}), "the system closed the connection");
  EXPECT_EQ(reason({{1, "Hello!\a"}}), "bad line 'Hello!?': not JSON: trouble at character 1");
  EXPECT_EQ(reason({{1, R"({"error":"no paper"})"}}), "the system says: no paper");
  EXPECT_EQ(reason({{1, R"({"now":"0"})"}}), R"(not ready: '{"now":"0"}')");
  EXPECT_EQ(reason({ready}), "the system did not answer within 50 ms");
  EXPECT_EQ(reason({ready, {2, "{"}}), "bad line '{': not JSON: trouble at character 2");
  EXPECT_EQ(reason({ready, {2, R"({"now":"2"})"}}), "time is at 2 after an advance to 1");
  EXPECT_EQ(reason({ready, {2, R"({"now":"0.5"})"}}), "time is at 0.5 after an advance to 1");
  EXPECT_EQ(reason({ready, one, {4, R"({"output":"b"})"}}), R"(no time in '{"output":"b"}')");
  EXPECT_EQ(reason({ready, one, {4, R"({"output":"b","at":"0.5"})"}}),
            R"(time runs backwards in '{"output":"b","at":"0.5"}')");
  EXPECT_EQ(reason({ready, one, {4, R"({"output":"c","at":"5"})"}}),
            R"(bad line '{"output":"c","at":"5"}': there is no output "c")");
  EXPECT_EQ(reason({ready, one, {4, R"({"ready":"tio/1"})"}}), R"(a system does not say '{"ready":"tio/1"}' here)");
}

TEST(BadSystems, FloodsEndSomewhere) {
  std::vector<Script::Entry> entries{{1, kReady}, {2, R"({"now":"1"})"}};
  for (int i = 0; i < 10'010; ++i)
    entries.push_back({4, R"({"output":"b","at":"5"})"});
  const Outcome outcome = scripted(entries);
  EXPECT_EQ(outcome.verdict, Verdict::Inconclusive);
  EXPECT_EQ(outcome.reason, "more than 10000 outputs before the system says how late it is");
}

TEST(BadSystems, WhoDoesNotStopBehindAnOutputIsStillJudged) {
  EXPECT_EQ(
      scripted({{1, kReady}, {2, R"({"now":"1"})"}, {4, R"({"output":"b","at":"5"})"}, {4, R"({"now":"9"})"}}).verdict,
      Verdict::Pass);
  // An output that comes before the test has sent anything was not asked for.
  const Outcome early = scripted({{1, kReady}, {2, R"({"output":"b","at":"0.5"})"}, {2, R"({"now":"1"})"}});
  EXPECT_EQ(early.verdict, Verdict::Fail);
  EXPECT_EQ(early.reason, "b at 0.5 was not allowed; allowed: nothing");
}

// ---- measured times

using namespace std::chrono_literals;

/// The verdict of the request test with units of 20 ms and a tolerance of 1 of them; its lines are start and a. A busy
/// machine may make the tester itself late; then it says so, and is asked again.
Verdict measured(const std::vector<Script::Entry>& entries) {
  const ir::TestSuite suite = test::requestSuite();
  ExecuteOptions options;
  options.session.unit = Rational(1, 50);
  options.tolerance = 1;
  Outcome outcome;
  for (int attempt = 0; attempt < 10; ++attempt) {
    Script script(entries);
    outcome = execute(suite, suite.cases[0], script, options);
    if (outcome.reason.find("the tester was late") == std::string::npos)
      break;
  }
  return outcome.verdict;
}

TEST(RealTime, JudgesMeasuredTimes) {
  const std::string b = R"({"output":"b"})";
  EXPECT_EQ(measured({{1, kReady}, {2, b, 100ms}}), Verdict::Pass);
  EXPECT_EQ(measured({{1, kReady}, {2, b, 30ms}}), Verdict::Pass); // 1.5, within the tolerance of 2
  EXPECT_EQ(measured({{1, kReady}, {2, b, 400ms}}), Verdict::Fail);
  EXPECT_EQ(measured({{1, kReady}}), Verdict::Fail);
}

TEST(RealTime, AnOutputThatMayHaveCrossedAnInputIsInconclusive) {
  EXPECT_EQ(measured({{1, kReady}, {2, R"({"output":"b"})", 2ms}}), Verdict::Inconclusive);
  EXPECT_EQ(measured({{1, kReady}, {1, R"({"output":"b"})", 15ms}}), Verdict::Inconclusive);
}

} // namespace
} // namespace tioc::execute
