#include "conformance/ests_reference_tracker.hpp"
#include "conformance/runs.hpp"
#include "runtime/conformance/make_tracker.hpp"
#include "runtime/execute/ests_machine.hpp"
#include "semantics/ests_models.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace tioc::conformance {
namespace {

using ir::Rational;
using semantics::Random;
using Plain = EstsReferenceTracker;

const Rational kGrain(1, 4);

bool isLong() {
  return std::getenv("TIOC_LONG") != nullptr;
}

std::vector<ir::ChannelId> offered(const ir::Model& model) {
  const semantics::EstsNet net(model);
  std::vector<ir::ChannelId> result;
  for (size_t c = 0; c < model.channels.size(); ++c)
    if (net.isOffered(ir::ChannelId(c)))
      result.emplace_back(c);
  return result;
}

std::vector<eval::Value> anyMessage(const ir::Model& model, ir::ChannelId channel, Random& random) {
  std::vector<eval::Value> values;
  uint64_t seed = random.below(1U << 30);
  for (const ir::Member& parameter : model[channel].parameters)
    values.push_back(semantics::anyValue(model, parameter.type, seed));
  return values;
}

/// What one world does, seen from outside, with inputs that every world takes.
std::vector<Event> runOf(const ir::Model& model, Random& random, size_t events) {
  Plain plain(model, kGrain);
  std::vector<Event> run;
  const std::vector<ir::ChannelId> inputs = offered(model);
  bool goesOn = plain.start() == Plain::Answer::Yes;
  while (goesOn && run.size() < events) {
    const Plain::World world = plain.worlds()[random.below(static_cast<uint32_t>(plain.worlds().size()))];
    Event event;
    if (!world.pending.empty()) {
      const auto& first = *std::min_element(world.pending.begin(), world.pending.end(),
                                            [](const auto& a, const auto& b) { return a.time < b.time; });
      event = {Event::Kind::Output, first.signal, {}, first.time};
      for (const auto& value : first.values)
        event.values.push_back({value.number, {}});
    } else {
      event = {Event::Kind::Silence, {}, {}, std::max(plain.now(), world.rest) + Rational(random.below(12), 2)};
      if (!inputs.empty() && random.chance(70)) {
        event.channel = inputs[random.below(static_cast<uint32_t>(inputs.size()))];
        event.values = anyMessage(model, event.channel, random);
      }
    }
    // Only a world in which nothing comes before may go there.
    goesOn = plain.wait(event.time) == Plain::Answer::Yes;
    if (goesOn && event.kind == Event::Kind::Silence && event.channel.valid()) {
      event.kind = plain.isAccepted(event.channel, event.values) ? Event::Kind::Input : Event::Kind::Silence;
      if (event.kind == Event::Kind::Silence)
        event = {Event::Kind::Silence, {}, {}, event.time};
    }
    if (goesOn && event.kind != Event::Kind::Silence)
      goesOn = (event.kind == Event::Kind::Output ? plain.output(event.channel, event.values)
                                                  : plain.input(event.channel, event.values)) == Plain::Answer::Yes;
    if (goesOn)
      run.push_back(std::move(event));
  }
  return run;
}

struct Tally {
  size_t yes = 0, no = 0, unknown = 0, skipped = 0, refused = 0;
};

/// The model is wrong somewhere.
bool isEndless(const Tracker& tracker) {
  return tracker.reason().find("it goes round by") != std::string::npos;
}

/// Both along the run, to the first No. `open`: an input counts only where no duration can make a difference to it.
void compare(const ir::Model& model, const std::vector<Event>& run, bool open, Tracker& tracker, Tally& tally) {
  Plain plain(model, kGrain);
  Answer mine = tracker.start();
  Plain::Answer right = plain.start();
  for (size_t i = 0; i <= run.size(); ++i) {
    if (right == Plain::Answer::TooLarge) {
      ++tally.skipped;
      return;
    }
    if (mine == Answer::Unknown) {
      ++(isEndless(tracker) ? tally.skipped : tally.unknown);
      return;
    }
    ASSERT_EQ(mine == Answer::Yes, right == Plain::Answer::Yes) << "before event " << i << "\n" << show(model, run);
    if (mine == Answer::No) {
      ++tally.no;
      return;
    }
    if (i == run.size())
      break;
    const Event& event = run[i];
    mine = tracker.wait(event.time);
    right = plain.wait(event.time);
    if (right == Plain::Answer::TooLarge || mine != Answer::Yes || right != Plain::Answer::Yes ||
        event.kind == Event::Kind::Silence)
      continue;
    if (event.kind == Event::Kind::Output) {
      mine = tracker.output(event.channel, event.values);
      right = plain.output(event.channel, event.values);
      continue;
    }
    const bool surely = tracker.isAccepted(event.channel, event.values);
    if (surely) {
      ASSERT_TRUE(plain.isAccepted(event.channel, event.values)) << "event " << i << "\n" << show(model, run);
    }
    if (!surely && open) {
      ++tally.refused;
      return;
    }
    mine = tracker.input(event.channel, event.values);
    right = plain.input(event.channel, event.values);
  }
  ++tally.yes;
}

TEST(EstsAgreement, TrackerAndReferenceAgreeOnRandomRunsOfRandomCompositions) {
  const uint64_t models = isLong() ? 1500 : 30;
  Tally tally;
  for (uint64_t seed = 0; seed < models; ++seed) {
    Random random(seed);
    const bool open = random.chance(40);
    const std::string text = semantics::randomComposition(
        random,
        {.openSignals = true, .intervals = open, .jitter = open && random.chance(50), .automata = open ? 2U : 3U});
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const ir::Model model = systemOf(text, "Net");
    MadeTracker made = makeTracker(model);
    Tracker& tracker = *std::get<std::unique_ptr<Tracker>>(made);
    for (uint64_t i = 0; i < 4; ++i) {
      const std::vector<Event> run = runOf(model, random, 8);
      compare(model, run, open, tracker, tally);
      if (HasFailure())
        return;
      compare(model, perturbed(model, run, seed * 100 + i, Rational(1, 2)), open, tracker, tally);
      if (HasFailure())
        return;
    }
  }
  std::cout << tally.yes << " allowed, " << tally.no << " refused, " << tally.refused << " with inputs that are not "
            << "surely taken, " << tally.unknown << " unknown, " << tally.skipped << " skipped\n";
  EXPECT_GT(tally.yes, models);
  EXPECT_GT(tally.no, models / 4);
  EXPECT_GT(tally.yes, 10 * tally.unknown);
}

/// A run of the machine, with messages at any time that it takes. `told`: the tracker says which there are.
void playAgainst(const ir::Model& model, Tracker& tracker, uint64_t seed, size_t events, bool told, Tally& tally) {
  execute::EstsMachine machine(model);
  execute::Dice dice(seed);
  Random random(seed);
  const std::vector<ir::ChannelId> inputs = offered(model);
  std::vector<Event> run;
  Rational now;
  if (!machine.start(dice))
    return;
  Answer answer = tracker.start();
  const auto pass = [&](const Rational& delay) {
    machine.advance(delay);
    now = now + delay;
    answer = tracker.wait(now);
  };
  while (run.size() < events && answer == Answer::Yes) {
    const auto outlook = machine.outlook(dice);
    if (!outlook)
      return;
    const Rational most = outlook->delays.high.value_or(Rational(20));
    if (!inputs.empty() && random.chance(60)) {
      pass(most * Rational(random.below(5), 4));
      ir::ChannelId channel = inputs[random.below(static_cast<uint32_t>(inputs.size()))];
      std::vector<eval::Value> values = anyMessage(model, channel, random);
      if (const auto chances = told ? tracker.stimuli(seed + run.size()) : std::vector<Chance>();
          !chances.empty() && random.chance(70)) {
        const Chance& chance = chances[random.below(static_cast<uint32_t>(chances.size()))];
        channel = chance.channel;
        values = chance.values;
      }
      if (answer != Answer::Yes || !tracker.isAccepted(channel, values)) {
        ++tally.refused;
        run.push_back({Event::Kind::Silence, {}, {}, now});
        continue;
      }
      run.push_back({Event::Kind::Input, channel, values, now});
      const auto acceptance = machine.accept(channel, values, dice);
      if (acceptance == execute::Machine::Acceptance::Failed)
        return;
      ASSERT_EQ(acceptance, execute::Machine::Acceptance::Taken) << show(model, run);
      answer = tracker.input(channel, values);
    } else {
      pass(most);
      run.push_back({Event::Kind::Silence, {}, {}, now});
      if (answer == Answer::Yes && !outlook->steps.empty()) {
        const execute::Step& step = outlook->steps[0];
        machine.take(step);
        if (step.output.valid()) {
          run.back() = {Event::Kind::Output, step.output, step.values, now};
          answer = tracker.output(step.output, step.values);
        }
      }
    }
    ASSERT_NE(answer, Answer::No) << show(model, run);
  }
  ++(answer == Answer::Yes ? tally.yes : isEndless(tracker) ? tally.skipped : tally.unknown);
}

TEST(EstsSoundness, NothingThatRandomCompositionsDoIsRefused) {
  const uint64_t models = isLong() ? 2000 : 40;
  Tally tally;
  for (uint64_t seed = 0; seed < models && !HasFailure(); ++seed) {
    Random random(seed);
    const std::string text =
        semantics::randomComposition(random, {.openSignals = true, .intervals = true, .jitter = true});
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    const ir::Model model = systemOf(text, "Net");
    MadeTracker made = makeTracker(model);
    for (uint64_t i = 0; i < 3 && !HasFailure(); ++i)
      playAgainst(model, *std::get<std::unique_ptr<Tracker>>(made), seed * 10 + i, 12, false, tally);
  }
  std::cout << tally.yes << " runs allowed, " << tally.unknown << " unknown, " << tally.refused
            << " inputs held back\n";
  EXPECT_GT(tally.yes, 10 * tally.unknown);
}

class EstsExamples : public testing::TestWithParam<const char*> {};

TEST_P(EstsExamples, NothingThatTheSystemMayDoIsRefused) {
  const std::string name = GetParam();
  const ir::Model model = exampleSystem(name == "Net" ? "ests_pair.tio" : "window_lift.tio", name);
  MadeTracker made = makeTracker(model);
  Tracker& tracker = *std::get<std::unique_ptr<Tracker>>(made);
  Tally tally;
  for (uint64_t seed = 0; seed < (isLong() ? 2000 : 15) && !HasFailure(); ++seed)
    playAgainst(model, tracker, seed, 40, true, tally);
  std::cout << tally.yes << " runs allowed, " << tally.unknown << " unknown, " << tally.refused
            << " inputs held back\n";
  EXPECT_EQ(tally.unknown, 0U);
  EXPECT_GT(std::count(tracker.taken().begin(), tracker.taken().end(), true), 9);
}

INSTANTIATE_TEST_SUITE_P(Models, EstsExamples, testing::Values("Net", "WindowLift"),
                         [](const auto& subject) { return std::string(subject.param); });

} // namespace
} // namespace tioc::conformance
