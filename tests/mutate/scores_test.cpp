// How many mutants of the examples the generated tests find. The long form scores every mutant and prints the table of
// docs/mutation.md; the short one looks at some.

#include "driver/machine.hpp"
#include "driver/mutants.hpp"
#include "driver/score.hpp"
#include "ir/passes.hpp"
#include "runtime/testgen/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace tioc::mutate {
namespace {

using driver::Fate;

struct Subject {
  std::string file;
  std::string system;
  size_t stride;  ///< the short form takes one mutant of so many
  double atLeast; ///< percent, in the long form
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.system;
}

bool isLong() {
  return std::getenv("TIOC_LONG") != nullptr;
}

class Scores : public testing::TestWithParam<Subject> {
protected:
  void SetUp() override {
    model = test::compileOk(test::readFile(test::sourceDir() + "/examples/" + GetParam().file));
    for (size_t i = 0; i < model.systems.size(); ++i)
      if (model.systems[i].name == GetParam().system)
        system = ir::SystemId(i);
    testgen::GenerateOptions options;
    options.goals = {ir::Goal::Edges, ir::Goal::Boundary};
    options.timings = {ir::Timing::Earliest, ir::Timing::Latest};
    options.data = {ir::DataChoice::Boundary};
    options.limits.states = 400;
    suite = testgen::generate(prepared(model), options).suite;
    ASSERT_FALSE(suite.cases.empty());
    mutants = std::make_unique<ir::Mutants>(driver::mutantsOf(model, system));
    for (size_t i = 0; i < mutants->list.size(); i += isLong() ? 1 : GetParam().stride)
      chosen.push_back(&mutants->list[i]);
    how.kill.randomRuns = 3;
    how.refine.depth = 6;
    how.refine.limits.states = 150;
    how.refine.limits.seconds = 20;
  }
  ir::Model prepared(const ir::Model& whole) const { return ir::resolvePriorities(ir::instantiate(whole, system)); }

  ir::Model model;
  ir::SystemId system;
  ir::TestSuite suite;
  std::unique_ptr<ir::Mutants> mutants;
  std::vector<const ir::Mutant*> chosen;
  driver::ScoreOptions how;
};

TEST_P(Scores, OfEdgeSuites) {
  std::istringstream in;
  std::ostringstream out;
  driver::Io io{in, out, out};
  const std::vector<Fate> fates = driver::score(*mutants, chosen, system, suite, how, io);
  size_t count[4] = {};
  for (const Fate& fate : fates)
    ++count[static_cast<size_t>(fate.kind)];
  const double living = static_cast<double>(count[0] + count[2]);
  const double percent = living == 0 ? 100 : 100 * static_cast<double>(count[0]) / living;
  std::cout << GetParam().system << ": " << suite.cases.size() << " tests, " << fates.size() << " mutants, " << count[0]
            << " killed, " << count[1] << " equivalent, " << count[2] << " alive, " << percent << " %\n";
  EXPECT_EQ(count[3], 0U);
  EXPECT_GT(count[0], 0U);
  if (isLong()) {
    EXPECT_GE(percent, GetParam().atLeast);
  }
}

// Two that share nothing: what a test fails must not conform.
TEST_P(Scores, NoKilledMutantConforms) {
  for (const ir::Mutant* mutant : chosen) {
    const ir::Model changed = mutants->make(*mutant);
    std::istringstream in;
    std::ostringstream out;
    driver::Io io{in, out, out};
    const execute::KillReport report = execute::tryToKill(
        suite, [&] { return driver::makeMachine(changed, system, io); }, how.kill);
    // Longer runs than the check looks at prove nothing. Unobservable steps count too: an event of a network comes with
    // fewer of them than it has components.
    if (!report.kill || report.kill->log.size() * model[system].components.size() > how.refine.depth)
      continue;
    const conformance::Refinement check = conformance::refines(prepared(changed), prepared(model), how.refine);
    EXPECT_NE(check.answer, conformance::Refinement::Answer::Refines)
        << mutant->id << ": " << mutant->what << "\n"
        << report.kill->reason << "\n"
        << execute::showLog(suite.model, report.kill->log);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, Scores,
                         testing::Values(Subject{"spec1.tio", "Spec1", 2, 95}, Subject{"spec2.tio", "Spec2", 6, 95},
                                         Subject{"atm.tio", "Atm", 9, 80}, Subject{"light.tio", "Light", 12, 95},
                                         Subject{"trajectory.tio", "Trajectory", 40, 95},
                                         Subject{"crossing.tio", "Crossing", 60, 95}),
                         [](const auto& subject) { return subject.param.system; });

} // namespace
} // namespace tioc::mutate
