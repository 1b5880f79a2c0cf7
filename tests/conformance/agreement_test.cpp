#include "conformance/reference_tracker.hpp"
#include "conformance/runs.hpp"
#include "ir/print.hpp"
#include "runtime/conformance/tiosts_tracker.hpp"
#include "semantics/random_models.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace tioc::conformance {
namespace {

using ir::Rational;

struct Tally {
  size_t yes = 0, no = 0, unknown = 0, skipped = 0, concrete = 0, symbolic = 0;
};

/// Fine enough for the unobservable steps between two observations on the coarser grain that runs use.
const Rational kFine(1, 8);
const Rational kCoarse(1, 2);

std::optional<Followed> followReference(ReferenceTracker& tracker, const std::vector<Event>& run) {
  Followed result;
  auto answer = tracker.start();
  for (const Event& event : run) {
    if (answer != ReferenceTracker::Answer::Yes)
      break;
    answer = tracker.take(event);
    if (answer == ReferenceTracker::Answer::Yes)
      ++result.position;
  }
  if (answer == ReferenceTracker::Answer::TooLarge)
    return std::nullopt;
  result.answer = answer == ReferenceTracker::Answer::No ? Answer::No : Answer::Yes;
  return result;
}

void compare(const ir::Model& model, const std::string& text, const std::vector<Event>& run, StepTracker& symbolic,
             TiostsTracker& quick, Tally& tally) {
  ReferenceTracker slow(model, kFine);
  const std::optional<Followed> right = followReference(slow, run);
  if (!right) {
    ++tally.skipped;
    return;
  }
  const std::string about = text + "\n" + show(model, run);
  for (Tracker* tracker : {static_cast<Tracker*>(&symbolic), static_cast<Tracker*>(&quick)}) {
    const Followed found = follow(*tracker, run);
    if (found.answer == Answer::Unknown) {
      ++tally.unknown;
      continue;
    }
    ++(found.answer == Answer::Yes ? tally.yes : tally.no);
    ASSERT_EQ(found.answer == Answer::Yes, right->answer == Answer::Yes)
        << about << "reference stops at " << right->position << ", tracker at " << found.position;
    ASSERT_EQ(found.position, right->position) << about;
    if (found.answer == Answer::No) {
      const Explanation why = tracker->explain();
      EXPECT_FALSE(why.states.empty()) << about;
    }
  }
  EXPECT_EQ(quick.counts().contradicted, 0U) << about;
}

TEST(Agreement, TrackersAndReferenceAgreeOnRandomRunsOfRandomModels) {
  const uint64_t models = std::getenv("TIOC_LONG") ? 600 : 40;
  Tally tally;
  for (uint64_t seed = 0; seed < models; ++seed) {
    const std::string text = semantics::randomModel(seed, semantics::randomOptions(seed));
    const ir::Model model = systemOf(text, "Net");
    SCOPED_TRACE("seed " + std::to_string(seed));
    StepTracker symbolic(tiostsSpecification(model));
    TiostsTracker quick(model);
    execute::TiostsMachine machine(model);
    for (uint64_t i = 0; i < 6; ++i) {
      const std::vector<Event> run = randomRun(machine, seed * 100 + i, 8, kCoarse);
      compare(model, text, run, symbolic, quick, tally);
      if (HasFatalFailure())
        return;
      const std::vector<Event> wrong = perturbed(model, run, seed * 100 + i, kCoarse);
      compare(model, text, wrong, symbolic, quick, tally);
      if (HasFatalFailure())
        return;
    }
    tally.concrete += quick.counts().concrete;
    tally.symbolic += quick.counts().symbolic;
  }
  std::cout << tally.yes << " allowed, " << tally.no << " refused, " << tally.unknown << " unknown, " << tally.skipped
            << " skipped; " << tally.concrete << " observations on concrete states, " << tally.symbolic
            << " on symbolic ones\n";
  EXPECT_GT(tally.yes, 10 * tally.unknown);
  EXPECT_GT(tally.no, models);
  EXPECT_GT(tally.concrete, tally.symbolic);
}

struct Subject {
  std::string file;
  std::string system;
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.system;
}

class Examples : public testing::TestWithParam<Subject> {};

TEST_P(Examples, NothingThatTheSystemMayDoIsRefused) {
  const ir::Model model = exampleSystem(GetParam().file, GetParam().system);
  const uint64_t runs = std::getenv("TIOC_LONG") ? 3000 : 60;
  StepTracker symbolic(tiostsSpecification(model));
  TiostsTracker quick(model);
  execute::TiostsMachine machine(model);
  size_t events = 0, unknown = 0;
  for (uint64_t seed = 0; seed < runs; ++seed) {
    const std::vector<Event> run = randomRun(machine, seed, 30, kCoarse);
    events += run.size();
    std::vector<Tracker*> trackers{&quick};
    if (seed % 10 == 0)
      trackers.push_back(&symbolic);
    for (Tracker* tracker : trackers) {
      const Followed found = follow(*tracker, run);
      ASSERT_NE(found.answer, Answer::No) << "stops at " << found.position << "\n" << show(model, run);
      unknown += found.answer == Answer::Unknown ? 1 : 0;
    }
  }
  EXPECT_GT(events, runs);
  EXPECT_LE(unknown, runs / 20);
  EXPECT_EQ(quick.counts().contradicted, 0U);
  std::cout << events << " events, " << unknown << " runs undecided, " << quick.counts().concrete << " concrete, "
            << quick.counts().symbolic << " symbolic\n";
}

INSTANTIATE_TEST_SUITE_P(Models, Examples,
                         testing::Values(Subject{"atm.tio", "Atm"}, Subject{"spec1.tio", "Spec1"},
                                         Subject{"spec2.tio", "Spec2"}, Subject{"light.tio", "Light"},
                                         Subject{"trajectory.tio", "Trajectory"}, Subject{"session.tio", "Sender"},
                                         Subject{"infusion_pump.tio", "Pump"}, Subject{"crossing.tio", "Crossing"}),
                         [](const auto& subject) { return subject.param.system; });

} // namespace
} // namespace tioc::conformance
