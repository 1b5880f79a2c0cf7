#include "runtime/conformance/refines.hpp"

#include "ir/mutate.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "mutate/brute_force.hpp"
#include "semantics/random_models.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

namespace tioc::mutate {
namespace {

using conformance::Refinement;
using Answer = Refinement::Answer;

ir::Model systemOf(const ir::Model& model, const std::string& name) {
  for (size_t i = 0; i < model.systems.size(); ++i)
    if (model.systems[i].name == name)
      return ir::resolvePriorities(ir::instantiate(model, ir::SystemId(i)));
  ADD_FAILURE() << "no system " << name;
  return {};
}

Refinement compare(const std::string& text, const std::string& candidate, const std::string& specification,
                   uint32_t depth = 6) {
  const ir::Model model = test::compileOk(text);
  conformance::RefineOptions options;
  options.depth = depth;
  options.limits.states = 5000;
  return conformance::refines(systemOf(model, candidate), systemOf(model, specification), options);
}

std::string exampleText(const std::string& name) {
  return test::readFile(test::sourceDir() + "/examples/" + name);
}

std::string traceOf(const std::string& text, const Refinement& result) {
  return conformance::showTrace(test::compileOk(text), result.trace);
}

// D, section 3.
TEST(Refines, ImplementationsOfSpec1) {
  const std::string text = exampleText("spec1.tio");
  for (const char* conforming : {"Spec1", "Impl1", "Impl2"})
    EXPECT_EQ(compare(text, conforming, "Spec1").answer, Answer::Refines) << conforming;
  const Refinement early = compare(text, "Impl3", "Spec1");
  ASSERT_EQ(early.answer, Answer::Differs);
  EXPECT_EQ(traceOf(text, early), "0 a?, 1 b!");
  EXPECT_EQ(early.allowed, "b from 2 until 8; silence until 8");
  const Refinement silent = compare(text, "Impl4", "Spec1");
  ASSERT_EQ(silent.answer, Answer::Differs);
  EXPECT_EQ(silent.trace.back().kind, conformance::TraceEvent::Kind::Silence);
  EXPECT_GT(silent.trace.back().time, silent.trace[0].time + ir::Rational(8));
}

TEST(Refines, ImplementationsOfSpec2) {
  const std::string text = exampleText("spec2.tio");
  for (const char* conforming : {"Spec2", "Impl5", "Impl6"})
    EXPECT_EQ(compare(text, conforming, "Spec2").answer, Answer::Refines) << conforming;
  for (const char* conforming : {"Impl5", "Impl6"})
    EXPECT_EQ(compare(text, conforming, "Spec1").answer, Answer::Refines) << conforming;
  for (const char* other : {"Impl1", "Impl2", "Impl3", "Impl4"})
    EXPECT_EQ(compare(text, other, "Spec2").answer, Answer::Differs) << other;
}

// Frames are records; what is asked of their kind binds nothing that is seen.
TEST(Refines, ProtocolsWhoseMessagesAreRecordsAreDecided) {
  const std::string text = exampleText("session.tio");
  const Refinement same = compare(text, "Sender", "Sender", 4);
  EXPECT_EQ(same.answer, Answer::Refines) << same.why;
}

constexpr const char* kHidden = R"(module hidden;
input a(v: int);
output b(v: int), c;
internal go(v: int);
tiosts First { clock x; var kept: int = 0; init S;
  state S { a?(v) when v > 0 do x := 0, kept := v -> T; }
  state T { lazy go!(kept) when 1 <= x && x <= 2 -> S; } }
tiosts Second { clock y; var held: int = 0; init S;
  state S { go?(v) do y := 0, held := v -> T; }
  state T { b!(held) when y <= 1 -> S; } }
system Spec = First || Second;
tiosts Exact { clock z; var kept: int = 0; init S;
  state S { a?(v) when v > 0 do z := 0, kept := v -> T; }
  state T { lazy b!(kept) when 1 <= z && z <= 3 -> S; } }
tiosts Late { clock z; var kept: int = 0; init S;
  state S { a?(v) when v > 0 do z := 0, kept := v -> T; }
  state T { lazy b!(kept) when 1 <= z && z <= 4 -> S; } }
tiosts Wrong { clock z; var kept: int = 0; init S;
  state S { a?(v) when v > 0 do z := 0, kept := v -> T; }
  state T { lazy b!(kept) when 1 <= z && z <= 3 && kept < 50 -> S;
            lazy b!(kept + 1) when z == 2 && kept >= 50 -> S; } }
)";

TEST(Refines, TimesOfUnobservableStepsAndHiddenValuesAreProjectedOut) {
  EXPECT_EQ(compare(kHidden, "Exact", "Spec", 3).answer, Answer::Refines) << compare(kHidden, "Exact", "Spec", 3).why;
  const Refinement late = compare(kHidden, "Late", "Spec", 3);
  ASSERT_EQ(late.answer, Answer::Differs);
  EXPECT_GT(late.trace[1].time - late.trace[0].time, ir::Rational(3));
  const Refinement wrong = compare(kHidden, "Wrong", "Spec", 3);
  ASSERT_EQ(wrong.answer, Answer::Differs);
  EXPECT_GE(wrong.trace[0].values[0].number, ir::Rational(50));
}

TEST(Refines, InputsThatTheSpecificationMayRefuseAreNotFollowed) {
  constexpr const char* kText = R"(module refused;
input a;
output b, c;
internal step;
tiosts Spec { clock x; init S;
  state S { lazy tau when x <= 1 -> T; }
  state T { a? do x := 0 -> U; }
  state U { b! when x <= 1 -> S; } }
tiosts Other { clock x; init S;
  state S { a? do x := 0 -> U; }
  state U { c! when x <= 1 -> S; } }
)";
  // Nobody knows whether Spec has made its step, so `a` may be lost: then c is not wrong.
  EXPECT_EQ(compare(kText, "Other", "Spec").answer, Answer::Refines);
}

TEST(Refines, AnInputThatTheCandidateDoesNotTakeLeavesItAsItIs) {
  constexpr const char* kText = R"(module deaf;
input a;
output b;
tiosts Spec { clock x; init S; state S { a? do x := 0 -> T; } state T { b! when x <= 1 -> S; } }
tiosts Deaf { init S; state S { } }
)";
  const Refinement result = compare(kText, "Deaf", "Spec");
  ASSERT_EQ(result.answer, Answer::Differs);
  EXPECT_EQ(result.trace.size(), 2U);
}

TEST(Refines, SaysWhichLimitStoppedIt) {
  const ir::Model model = test::compileOk(exampleText("atm.tio"));
  conformance::RefineOptions options;
  options.depth = 50;
  options.limits.states = 10;
  const Refinement result = conformance::refines(systemOf(model, "Atm"), systemOf(model, "Atm"), options);
  EXPECT_EQ(result.answer, Answer::Unknown);
  EXPECT_EQ(result.why, "the limit of states");
  EXPECT_LT(result.depth, 50U);
}

// ---- against brute force

struct Tally {
  unsigned refines = 0, differs = 0, unknown = 0;
};

constexpr size_t kStride = 17; // one mutant of so many

void compareWithBruteForce(uint64_t seed, Tally& tally) {
  semantics::RandomModelOptions shape;
  shape.components = seed % 3 == 0 ? 2 : 1;
  shape.locations = 3;
  shape.constant = 2;
  shape.priorities = false;
  shape.urgentLocations = false;
  shape.broadcast = false;
  const std::string text = semantics::randomModel(seed, shape);
  const ir::Model model = test::compileOk(text);
  const ir::SystemId system(model.systems.size() - 1);
  ASSERT_EQ(model[system].name, "Net");
  const ir::Model specification = ir::resolvePriorities(ir::instantiate(model, system));
  const ir::Mutants mutants = ir::mutants(model, system);
  for (size_t i = seed % kStride; i < mutants.list.size(); i += kStride) {
    const ir::Mutant& mutant = mutants.list[i];
    const ir::Model candidate = ir::resolvePriorities(ir::instantiate(mutants.make(mutant), system));
    conformance::RefineOptions options;
    options.depth = 3;
    options.limits.states = 150;
    const Refinement result = conformance::refines(candidate, specification, options);
    const std::string about = mutant.id + ": " + mutant.what + "\n" + text;
    if (result.answer == Answer::Differs) {
      ++tally.differs;
      EXPECT_EQ(BruteForce(candidate, specification).judge(result.trace), "")
          << conformance::showTrace(model, result.trace) << "\n"
          << about;
      continue;
    }
    ++(result.answer == Answer::Refines ? tally.refines : tally.unknown);
    if (result.answer != Answer::Refines)
      continue;
    BruteOptions brute;
    brute.depth = options.depth;
    const auto violation = BruteForce(candidate, specification, brute).violation();
    EXPECT_FALSE(violation) << *violation << "\n" << about;
  }
}

TEST(Refines, AgreesWithBruteForceOnMutantsOfRandomModels) {
  const uint64_t count = std::getenv("TIOC_LONG") ? 1500 : 12;
  Tally tally;
  for (uint64_t seed = 0; seed < count && !testing::Test::HasFailure(); ++seed)
    compareWithBruteForce(seed, tally);
  std::cout << tally.refines << " refine, " << tally.differs << " differ, " << tally.unknown << " unknown\n";
  EXPECT_GT(tally.refines, count / 2);
  EXPECT_GT(tally.differs, count / 2);
}

} // namespace
} // namespace tioc::mutate
