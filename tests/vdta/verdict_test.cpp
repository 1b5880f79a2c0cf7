#include "driver/signal_subject.hpp"
#include "execute/support.hpp"
#include "ir/passes.hpp"
#include "runtime/conformance/make_tracker.hpp"
#include "runtime/conformance/tester.hpp"
#include "runtime/execute/tiosts_machine.hpp"
#include "support/support.hpp"
#include "vdta/engine.hpp"
#include "vdta/random_vdta.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <sstream>

// Verdicts of controllers (tvco): tables of what the simulator does, and systems that are tested on the fly; sampled
// and not.
namespace tioc::vdta {
namespace {

using conformance::Tracker;
using conformance::Verdict;

constexpr unsigned kSteps = 14;

bool isLong() {
  return std::getenv("TIOC_LONG") != nullptr;
}

driver::SignalSubject subjectOf(const ir::Model& model, bool table, const std::string& sample) {
  std::istringstream in;
  std::ostringstream out, err;
  driver::Io io{in, out, err};
  auto subject = driver::signalSubject(model, "", table, sample, io);
  EXPECT_TRUE(subject) << err.str();
  return std::move(subject).value();
}

std::unique_ptr<Tracker> trackerOf(const driver::SignalSubject& subject) {
  return std::get<std::unique_ptr<Tracker>>(conformance::makeTracker(subject.model));
}

Verdict judged(const ir::Model& model, const std::string& table, const std::string& sample) {
  const driver::SignalSubject subject = subjectOf(model, true, sample);
  const conformance::SignalLog log = conformance::readSignalLog(table, subject.model);
  const auto* rows = std::get_if<std::vector<conformance::SignalRow>>(&log);
  EXPECT_TRUE(rows);
  const std::unique_ptr<Tracker> tracker = trackerOf(subject);
  conformance::Judge judge(*tracker, false);
  judge.begin();
  for (const conformance::SignalEvent& event : subject.eventsOf(*rows))
    if (!judge.take(subject.event(event)))
      break;
  return judge.end().verdict;
}

// ---- recorded tables

/// What a deterministic controller shows at an instant.
struct Instant {
  Signals inputs;
  Signals outputs;          ///< in the end
  std::set<Signals> stable; ///< outputs of all stable states at this instant, and those before it
};

std::optional<std::vector<Instant>> run(const Simulator& simulator, const Schedule& schedule) {
  std::vector<Instant> result;
  State state = simulator.initial().at(0);
  for (unsigned i = 0; i <= kSteps; ++i, state = simulator.later(state)) {
    Instant instant;
    instant.stable.insert(simulator.outputs(state));
    for (const bool given : {false, true}) {
      if (const auto inputs = schedule.find(i); given && inputs != schedule.end())
        state = simulator.withInputs(state, inputs->second);
      const auto stable = simulator.settle(state);
      if (!stable)
        return std::nullopt;
      state = *stable->begin();
      instant.stable.insert(simulator.outputs(state));
    }
    instant.inputs = simulator.inputs(state);
    instant.outputs = simulator.outputs(state);
    result.push_back(std::move(instant));
  }
  return result;
}

std::string table(const std::vector<Instant>& instants) {
  std::string text = "time;a;b;o;p\n";
  for (size_t i = 0; i < instants.size(); ++i) {
    text += (kGrid * Rational(static_cast<int64_t>(i))).toString();
    for (const Signals* signals : {&instants[i].inputs, &instants[i].outputs})
      for (const Value& value : *signals)
        text += ";" + value.number.toString();
    text += "\n";
  }
  // The grid is made of halves.
  for (size_t at = 0; (at = text.find("/2", at)) != std::string::npos;) {
    const size_t begin = text.rfind('\n', at) + 1;
    text.replace(begin, at + 2 - begin, std::to_string(std::stoi(text.substr(begin, at - begin)) / 2) + ",5");
  }
  return text;
}

template <class Check>
void forRuns(unsigned models, const Check& check) {
  RandomOptions options;
  options.deterministic = true;
  unsigned compared = 0;
  for (uint64_t seed = 3000; seed < 3000 + (isLong() ? 40 * models : models); ++seed) {
    const std::string text = randomVdta(seed, options);
    const std::optional<ir::Model> model = compiledVdta(text);
    if (!model)
      continue;
    const Simulator simulator(*model, {}, kGrid);
    const Schedule schedule = randomSchedule(seed, simulator.allInputs(), kSteps);
    if (auto instants = run(simulator, schedule)) {
      check(*model, *instants, seed, text);
      ++compared;
    }
    if (testing::Test::HasFatalFailure())
      return;
  }
  EXPECT_GT(compared, models / 3);
}

/// Another value of one output, at one instant.
size_t disturb(std::vector<Instant>& instants, std::mt19937_64& random) {
  const size_t at = random() % instants.size();
  Value& value = instants[at].outputs[random() % 2];
  value.number = value.number.isZero() ? Rational(1) : Rational(0);
  return at;
}

TEST(Tvco, TableIsAllowedAsItWasAndFailsWithAnyOtherOutput) {
  std::mt19937_64 random(11);
  forRuns(25, [&](const ir::Model& model, std::vector<Instant> instants, uint64_t, const std::string& text) {
    ASSERT_EQ(judged(model, table(instants), ""), Verdict::Pass) << text << table(instants);
    for (int i = 0; i < 3; ++i) {
      std::vector<Instant> wrong = instants;
      disturb(wrong, random);
      ASSERT_EQ(judged(model, table(wrong), ""), Verdict::Fail) << text << table(wrong);
    }
  });
}

TEST(Tvco, SamplesFailExactlyWhereNoStableStateOfTheInstantHasThem) {
  std::mt19937_64 random(12);
  unsigned seen = 0, missed = 0;
  forRuns(25, [&](const ir::Model& model, std::vector<Instant> instants, uint64_t seed, const std::string& text) {
    const unsigned every = 1 + seed % 4;
    const std::string sample = (kGrid * Rational(every)).toString();
    ASSERT_EQ(judged(model, table(instants), sample), Verdict::Pass) << text << sample << table(instants);
    for (int i = 0; i < 3; ++i) {
      std::vector<Instant> wrong = instants;
      const size_t at = disturb(wrong, random);
      const bool right = at % every != 0 || wrong[at].stable.contains(wrong[at].outputs);
      const Verdict verdict = judged(model, table(wrong), sample);
      // Behind new inputs, only what came before them or what they lead to is right.
      if (!right || at % every != 0 || (at > 0 && wrong[at].inputs == wrong[at - 1].inputs)) {
        ASSERT_EQ(verdict, right ? Verdict::Pass : Verdict::Fail) << text << sample << table(wrong);
      }
      ++(right ? missed : seen);
    }
  });
  EXPECT_GT(seen, 5U);
  EXPECT_GT(missed, 5U);
}

// ---- on the fly

conformance::TesterRun tested(const ir::Model& model, execute::Adapter& sut, const std::string& sample,
                              conformance::TesterOptions how) {
  const driver::SignalSubject subject = subjectOf(model, false, sample);
  const std::unique_ptr<Tracker> tracker = trackerOf(subject);
  if (subject.sampling)
    how.looks = {*subject.sampling, subject.outputs, subject.start.outputs};
  return conformance::testOnTheFly(*tracker, sut, how);
}

execute::ModelAdapter played(const ir::Model& model) {
  return {std::make_unique<execute::TiostsMachine>(ir::signals(ir::Model(model))), {}};
}

TEST(Tvco, ConformingControllersNeverFailOnTheFly) {
  unsigned passed = 0;
  for (uint64_t seed = 0; seed < (isLong() ? 600 : 16); ++seed) {
    RandomOptions random;
    random.deterministic = seed % 2 == 0;
    const std::string text = randomVdta(seed, random);
    const std::optional<ir::Model> model = compiledVdta(text);
    if (!model)
      continue;
    execute::ModelAdapter sut = played(*model);
    for (const std::string sample : {"", "0.5", "0.7", "3"}) {
      conformance::TesterOptions how;
      how.steps = 40;
      how.seed = seed;
      how.strategy = seed % 3 == 0 ? conformance::Strategy::Coverage : conformance::Strategy::Random;
      const conformance::TesterRun run = tested(*model, sut, sample, how);
      ASSERT_NE(run.judgement.verdict, Verdict::Fail) << run.judgement.reason << " sampled " << sample << "\n" << text;
      // `check --deep` refuses a controller that goes on for ever at one instant.
      ASSERT_TRUE(!run.broken || run.judgement.reason.find("without end") != std::string::npos)
          << run.judgement.reason << text;
      passed += run.judgement.verdict == Verdict::Pass;
    }
  }
  EXPECT_GT(passed, 30U);
}

ir::Model heater(const std::string& right = "", const std::string& wrong = "") {
  std::string text = test::readFile(test::sourceDir() + "/examples/heater.tio");
  if (!right.empty())
    text.replace(text.find(right), right.size(), wrong);
  return ir::instantiate(test::compileOk(text), ir::SystemId(0));
}

TEST(Tvco, LateActuatorIsFoundOnTheFlyByWhomLooksOftenEnough) {
  const ir::Model model = heater();
  execute::ModelAdapter late = played(heater("Purge = 15s", "Purge = 15.4s"));
  const auto fails = [&](const std::string& sample) {
    unsigned count = 0;
    for (uint64_t seed = 0; seed < 5; ++seed) {
      conformance::TesterOptions how;
      how.steps = sample.empty() ? 100 : 1000;
      how.seed = seed;
      count += tested(model, late, sample, how).judgement.verdict == Verdict::Fail;
    }
    return count;
  };
  EXPECT_GT(fails(""), 2U);
  EXPECT_GT(fails("0.3"), 2U);
}

TEST(Tvco, WhatComesAndGoesBetweenLooksIsNotSeen) {
  const std::string text = R"(module blink;
    vdta Blink {
      input on: bool;
      output lit: bool;
      clock t;
      init Off when !on && !lit;
      state Off { when on do t := 0 -> Due; }
      state Due { when t >= 1 do lit := true -> Lit; }
      state Lit { when t >= 2 do lit := false -> Done; }
      state Done { }
    })";
  std::string early = text;
  early.replace(early.find("t >= 1 do"), 9, "t >= 0.5 do");
  const ir::Model model = ir::instantiate(test::compileOk(text), ir::SystemId(0));
  execute::ModelAdapter sut = played(ir::instantiate(test::compileOk(early), ir::SystemId(0)));
  unsigned fails = 0, missed = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    conformance::TesterOptions how;
    how.steps = 30;
    how.seed = seed;
    fails += tested(model, sut, "", how).judgement.verdict == Verdict::Fail;
    missed += tested(model, sut, "20", how).judgement.verdict == Verdict::Pass;
  }
  EXPECT_GT(fails, 10U);
  EXPECT_GT(missed, 10U);
}

} // namespace
} // namespace tioc::vdta
