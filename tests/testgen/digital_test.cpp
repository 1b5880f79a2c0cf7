#include "execute/support.hpp"
#include "ir/passes.hpp"
#include "runtime/testgen/digital.hpp"
#include "runtime/testgen/digital_emit.hpp"
#include "support/support.hpp"
#include "testgen/digital_reference.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace tioc::testgen {
namespace {

using Kind = DigitalTree::Kind;

ir::Model systemOf(const std::string& text, const std::string& name) {
  const ir::Model model = test::compileOk(text);
  for (size_t i = 0; i < model.systems.size(); ++i)
    if (model.systems[i].name == name)
      return ir::instantiate(model, ir::SystemId(i));
  ADD_FAILURE() << "no system " << name;
  return {};
}

ir::Model exampleOf(const std::string& file, const std::string& name) {
  return systemOf(test::readFile(test::sourceDir() + "/examples/" + file), name);
}

ir::Model ticking(const std::string& clock) {
  return systemOf("module sampling; import tick; system Clock = " + clock + ";", "Clock");
}

std::vector<uint64_t> countsOf(const ir::Model& specification, const ir::Model& clock, uint32_t depth, bool stops) {
  std::vector<uint64_t> counts;
  for (uint32_t k = 1; k <= depth; ++k) {
    DigitalOptions options;
    options.depth = k;
    options.earlyStops = stops;
    options.most = 0;
    counts.push_back(generateDigital(specification, clock, options).trees);
  }
  return counts;
}

// ---- known answers

TEST(DigitalTrees, TheLightHasTheKnownNumbers) {
  const ir::Model light = exampleOf("light.tio", "Light");
  EXPECT_EQ(countsOf(light, ticking("Tick(1)"), 8, true), (std::vector<uint64_t>{3, 7, 15, 31, 71, 215, 775, 3033}));
  EXPECT_EQ(countsOf(light, ticking("Tick(1)"), 8, false), (std::vector<uint64_t>{2, 4, 8, 16, 32, 76, 220, 780}));
}

TEST(DigitalTrees, AllTreesDiffer) {
  Sampled sampled;
  semantics::Problem problem;
  sampled = std::move(*sample(exampleOf("light.tio", "Light"), ticking("Tick(1)"), problem));
  DigitalStates states(sampled, {});
  const KnowledgeGraph graph(states, 6, {ir::DataChoice::Any}, 1, {});
  DigitalTrees trees(graph, 6, true);
  std::vector<DigitalTree> all;
  for (uint64_t i = 0; i < trees.count(); ++i)
    all.push_back(trees.tree(i));
  EXPECT_EQ(all.size(), 215U);
  for (size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(std::find(all.begin(), all.end(), all[i]) - all.begin(), static_cast<ptrdiff_t>(i));
}

/// A SUT of one answer: `b` at a time, or never.
execute::Outcome answer(const ir::TestSuite& suite, const std::optional<std::string>& at) {
  const std::string text = "module sut; input a; output b; tiosts S { clock x; init Idle; state Idle { a? do x := 0 -> "
                           "Asked; } state Asked { " +
                           (at ? "eager b! when x == " + *at + " -> Done; " : std::string()) +
                           "} state Done { a? -> Done; } }";
  execute::ModelAdapter adapter(test::machineOf(text, "S"), {});
  return execute::execute(suite, suite.cases[0], adapter, {});
}

/// D, figure 4: `a` at once, then `b` is awaited; any answer ends the test.
class Figure4 : public testing::Test {
protected:
  void SetUp() override {
    semantics::Problem problem;
    const ir::Model clock = ticking("Tick(1)");
    std::optional<Sampled> sampled = sample(exampleOf("spec1.tio", "Spec1"), clock, problem);
    DigitalStates states(*sampled, {});
    const KnowledgeGraph graph(states, 10, {ir::DataChoice::Any}, 1, {});
    // The legal ticks and outputs on the way, as the tester sees them.
    DigitalTree tree;
    KnowledgeGraph::Node node = graph[graph.start()].inputs.at(0).behind;
    std::vector<DigitalTree> waits;
    for (; node != KnowledgeGraph::kNone; node = graph[node].behindTick) {
      legal.push_back(!graph[node].outputs.empty());
      const bool ticks = graph[node].tick == KnowledgeGraph::Legal::Yes;
      waits.push_back({Kind::Wait, 0, std::vector<DigitalTree>((ticks ? 1 : 0) + graph[node].outputs.size())});
    }
    for (size_t i = waits.size() - 1; i-- > 0;)
      waits[i].next[0] = waits[i + 1];
    tree = {Kind::Send, 0, {waits[0]}};
    suite.name = "Figure4";
    suite.system = "Spec1";
    suite.cases.push_back(DigitalEmitter(graph, *sampled, *tickTimes(clock, 12, problem)).emit(tree));
    suite.cases[0].name = "figure4";
    suite.model = std::move(sampled->model);
    suite.model.channels.pop_back();
  }

  ir::TestSuite suite;
  std::vector<bool> legal; ///< by number of ticks: whether `b` is
};

TEST_F(Figure4, TheAnswerIsLegalBehindTwoToEightTicks) {
  EXPECT_EQ(legal, (std::vector<bool>{false, false, true, true, true, true, true, true, true}));
}

TEST_F(Figure4, GivesTheVerdictsOfThePaper) {
  for (const char* early : {"0", "0.5", "1", "1.9"})
    EXPECT_EQ(answer(suite, early).verdict, ir::Verdict::Fail) << early;
  for (const char* right : {"2", "2.1", "3", "5.5", "7", "8", "8.9"})
    EXPECT_EQ(answer(suite, right).verdict, ir::Verdict::Pass) << right;
  for (const char* late : {"9", "9.5", "12"})
    EXPECT_EQ(answer(suite, late).verdict, ir::Verdict::Fail) << late;
  EXPECT_EQ(answer(suite, std::nullopt).verdict, ir::Verdict::Fail);
}

TEST_F(Figure4, ChainsOfTicksAreOneWait) {
  ASSERT_TRUE(ir::verify(suite).empty());
  std::vector<std::string> ends;
  ir::TestText text(suite);
  text.enter(suite.cases[0]);
  for (const ir::TestNode& node : suite.cases[0].nodes)
    if (const auto* await = std::get_if<ir::AwaitNode>(&node))
      ends.push_back(text.time(await->until));
  EXPECT_EQ(ends, (std::vector<std::string>{"9", "2"})) << "two ticks, then seven more";
}

// ---- the reference

TEST(DigitalReference, AgreesOnTheLight) {
  const test::Plain light = test::plainLight();
  const std::vector<uint64_t> known{3, 7, 15, 31, 71, 215, 775, 3033};
  for (uint32_t depth = 1; depth <= 8; ++depth)
    EXPECT_EQ(test::countTrees(light, depth, true), known[depth - 1]);
  EXPECT_EQ(countsOf(systemOf(light.text(), "A"), ticking("Tick(1)"), 8, true), known);
}

TEST(DigitalReference, AgreesOnRandomModels) {
  const uint64_t models = std::getenv("TIOC_LONG") ? 3000 : 150;
  const ir::Model clock = ticking("Tick(1)");
  uint64_t largest = 0;
  for (uint64_t seed = 0; seed < models; ++seed) {
    std::mt19937_64 dice(seed);
    const test::Plain plain = test::randomPlain(dice);
    const ir::Model model = systemOf(plain.text(), "A");
    for (bool stops : {true, false})
      for (uint32_t depth : {1U, 3U, 5U}) {
        DigitalOptions options;
        options.depth = depth;
        options.earlyStops = stops;
        options.most = 0;
        const DigitalSuite made = generateDigital(model, clock, options);
        ASSERT_FALSE(made.problem) << made.problem->text << "\n" << plain.text();
        const uint64_t known = test::countTrees(plain, depth, stops);
        // Near the largest number the two may saturate differently.
        if (known > UINT64_MAX / 4)
          continue;
        ASSERT_EQ(made.trees, known) << "seed " << seed << ", depth " << depth << "\n" << plain.text();
        largest = std::max(largest, made.trees);
      }
  }
  EXPECT_GT(largest, 1000U) << "the models are too simple to tell anything";
}

// ---- soundness

void expectSound(const ir::TestSuite& suite, execute::Adapter& adapter, int runs, size_t& passed, size_t& rest) {
  for (const ir::TestCase& test : suite.cases)
    for (int i = 0; i < runs; ++i) {
      const execute::Outcome outcome = execute::execute(suite, test, adapter, {});
      ASSERT_NE(outcome.verdict, ir::Verdict::Fail) << test.name << "\n"
                                                    << test::describe(suite, outcome) << "\n"
                                                    << ir::print(suite);
      ++(outcome.verdict == ir::Verdict::Pass ? passed : rest);
    }
}

struct Subject {
  std::string file;
  std::string system;
  std::string clock;
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.system << " with " << subject.clock;
}

class Examples : public testing::TestWithParam<Subject> {};

TEST_P(Examples, ConformingSystemsNeverFail) {
  const ir::Model specification = exampleOf(GetParam().file, GetParam().system);
  size_t passed = 0, rest = 0;
  for (DigitalOptions::Choice choice :
       {DigitalOptions::Choice::All, DigitalOptions::Choice::Random, DigitalOptions::Choice::Edges}) {
    DigitalOptions options;
    options.choice = choice;
    options.depth = 6;
    options.most = 25;
    options.data = {ir::DataChoice::Any, ir::DataChoice::Boundary};
    const DigitalSuite made = generateDigital(specification, ticking(GetParam().clock), options);
    ASSERT_FALSE(made.problem) << made.problem->text;
    ASSERT_TRUE(ir::verify(made.suite).empty()) << ir::verify(made.suite)[0];
    ASSERT_FALSE(made.suite.cases.empty());
    for (execute::Policy policy : {execute::Policy::Random, execute::Policy::Earliest, execute::Policy::Latest}) {
      execute::PlayOptions play;
      play.policy = policy;
      execute::ModelAdapter adapter(test::exampleMachine(GetParam().file, GetParam().system), play);
      expectSound(made.suite, adapter, std::getenv("TIOC_LONG") ? 100 : 4, passed, rest);
    }
  }
  EXPECT_GT(passed, rest / 20);
}

INSTANTIATE_TEST_SUITE_P(
    Models, Examples,
    testing::Values(Subject{"atm.tio", "Atm", "Tick(1)"}, Subject{"spec1.tio", "Spec1", "Tick(1)"},
                    Subject{"spec2.tio", "Spec2", "Tick(2)"}, Subject{"light.tio", "Light", "Tick(1)"},
                    Subject{"light.tio", "Light", "Tick(0.5)"}, Subject{"light.tio", "Light", "JitteryTick(1, 0.25)"},
                    Subject{"trajectory.tio", "Trajectory", "Tick(0.5)"}, Subject{"session.tio", "Sender", "Tick(1)"},
                    Subject{"infusion_pump.tio", "Pump", "Tick(1)"}));

TEST(DigitalTests, RandomModelsNeverFailTheirOwnTests) {
  const uint64_t models = std::getenv("TIOC_LONG") ? 500 : 40;
  const ir::Model clock = ticking("Tick(1)");
  size_t passed = 0, rest = 0;
  for (uint64_t seed = 0; seed < models; ++seed) {
    std::mt19937_64 dice(seed);
    const std::string text = test::randomPlain(dice).text();
    DigitalOptions options;
    options.choice = DigitalOptions::Choice::Random;
    options.depth = 6;
    options.most = 10;
    const DigitalSuite made = generateDigital(systemOf(text, "A"), clock, options);
    ASSERT_TRUE(ir::verify(made.suite).empty()) << ir::verify(made.suite)[0];
    execute::PlayOptions play;
    play.seed = seed;
    execute::ModelAdapter adapter(test::machineOf(text, "A"), play);
    expectSound(made.suite, adapter, 10, passed, rest);
    if (HasFatalFailure())
      FAIL() << text;
  }
  EXPECT_GT(passed, rest);
}

TEST(DigitalTests, EveryLegalRunOfAJitteryClockIsSound) {
  semantics::Problem problem;
  const ir::Model clock = ticking("JitteryTick(1, 0.25)");
  std::optional<Sampled> sampled = sample(exampleOf("light.tio", "Light"), clock, problem);
  DigitalStates states(*sampled, {});
  const KnowledgeGraph graph(states, 7, {ir::DataChoice::Any}, 1, {});
  DigitalTrees trees(graph, 7, false);
  std::mt19937_64 dice(1);
  std::vector<ir::TestCase> cases;
  for (int i = 0; i < 100; ++i) {
    std::vector<ir::Rational> ticks;
    for (int64_t k = 1; k <= 8; ++k)
      ticks.push_back(ir::Rational(k) + ir::Rational(static_cast<int64_t>(dice() % 501) - 250, 1000));
    cases.push_back(DigitalEmitter(graph, *sampled, ticks).emit(trees.random(dice)));
    cases.back().name = "jitter_" + std::to_string(i);
  }
  ir::TestSuite suite;
  suite.cases = std::move(cases);
  suite.model = std::move(sampled->model);
  execute::ModelAdapter adapter(test::exampleMachine("light.tio", "Light"), {});
  size_t passed = 0, rest = 0;
  expectSound(suite, adapter, 10, passed, rest);
  EXPECT_GT(passed, rest);
}

TEST(DigitalTests, TheImplementationsOfThePaperAreToldApart) {
  DigitalOptions options;
  options.depth = 10;
  const DigitalSuite made = generateDigital(exampleOf("spec1.tio", "Spec1"), ticking("Tick(1)"), options);
  for (const auto& [system, conforms] :
       {std::pair{"Impl1", true}, std::pair{"Impl2", true}, std::pair{"Impl3", false}, std::pair{"Impl4", false}}) {
    execute::ModelAdapter adapter(test::exampleMachine("spec1.tio", system), {});
    size_t failed = 0;
    for (const ir::TestCase& test : made.suite.cases)
      for (int i = 0; i < 20; ++i)
        failed += execute::execute(made.suite, test, adapter, {}).verdict == ir::Verdict::Fail ? 1 : 0;
    EXPECT_EQ(failed == 0, conforms) << system;
  }
}

// ---- choice of trees

TEST(DigitalTests, EdgeCoveringTreesTryEveryInputEdge) {
  DigitalOptions options;
  options.choice = DigitalOptions::Choice::Edges;
  options.depth = 8;
  const DigitalSuite made = generateDigital(exampleOf("light.tio", "Light"), ticking("Tick(1)"), options);
  EXPECT_TRUE(made.suite.uncovered.empty());
  EXPECT_EQ(made.suite.cases.size(), 1U);
  std::set<std::string> tried;
  for (const ir::TestCase& test : made.suite.cases)
    for (const ir::TestNode& node : test.nodes)
      if (const auto* send = std::get_if<ir::SendNode>(&node))
        for (const ir::Covered& covers : send->covers)
          tried.insert(covers.what);
  EXPECT_EQ(tried, (std::set<std::string>{"Button: Ready -> Touched by touch?", "Button: Touched -> Twice by touch?"}));
}

TEST(DigitalTests, WhatCannotBeTriedInTimeIsNamed) {
  DigitalOptions options;
  options.choice = DigitalOptions::Choice::Edges;
  options.depth = 1;
  const DigitalSuite made = generateDigital(exampleOf("light.tio", "Light"), ticking("Tick(1)"), options);
  ASSERT_EQ(made.suite.uncovered.size(), 1U);
  EXPECT_EQ(made.suite.uncovered[0].first.what, "Button: Touched -> Twice by touch?");
}

TEST(DigitalTests, TheSameSeedGivesTheSameSuite) {
  DigitalOptions options;
  options.choice = DigitalOptions::Choice::Random;
  options.most = 20;
  options.depth = 7;
  const ir::Model light = exampleOf("light.tio", "Light");
  const auto once = [&] { return ir::print(generateDigital(light, ticking("Tick(1)"), options).suite); };
  const std::string first = once();
  EXPECT_EQ(first, once());
  options.seed = 2;
  EXPECT_NE(first, once());
}

TEST(DigitalTests, LimitsAreNamedAndKeepTestsSound) {
  DigitalOptions options;
  options.depth = 8;
  options.limits.states = 40;
  const DigitalSuite made = generateDigital(exampleOf("light.tio", "Light"), ticking("Tick(1)"), options);
  ASSERT_FALSE(made.notes.empty());
  EXPECT_NE(made.notes[0].find("limit of states"), std::string::npos) << made.notes[0];
  EXPECT_LT(made.trees, 780U);
  execute::ModelAdapter adapter(test::exampleMachine("light.tio", "Light"), {});
  size_t passed = 0, rest = 0;
  expectSound(made.suite, adapter, 5, passed, rest);
}

// ---- clocks

TEST(TickTimes, ArePeriodicAndInTheMiddleOfAJitter) {
  semantics::Problem problem;
  EXPECT_EQ(*tickTimes(ticking("Tick(0.5)"), 3, problem),
            (std::vector<ir::Rational>{ir::Rational(1, 2), 1, ir::Rational(3, 2)}));
  EXPECT_EQ(*tickTimes(ticking("JitteryTick(2, 0.5)"), 3, problem), (std::vector<ir::Rational>{2, 4, 6}));
}

TEST(TickTimes, SayWhenAClockStops) {
  semantics::Problem problem;
  const ir::Model clock =
      systemOf("module once; output tick; tiosts Once { clock z; init A; state A { eager tick! when "
               "z == 1 -> B; } state B { } }",
               "Once");
  EXPECT_FALSE(tickTimes(clock, 2, problem));
  EXPECT_EQ(problem.text, "the clock stops ticking after 1 ticks");
}

TEST(Sample, RefusesWhatIsNoClock) {
  const ir::Model light = exampleOf("light.tio", "Light");
  const auto refusal = [&](const std::string& text, const std::string& name) {
    semantics::Problem problem;
    EXPECT_FALSE(sample(light, systemOf(text, name), problem));
    return problem.text;
  };
  EXPECT_EQ(
      refusal("module m; output tick, tock; tiosts C { clock z; init A; state A { eager tick! when z == 1 do z := 0 "
              "-> A; tock! when z < 1 -> A; } }",
              "C"),
      "a clock has one output without parameters, its tick, and no inputs");
  EXPECT_EQ(refusal("module m; input go; output tick; tiosts C { clock z; init A; state A { go? do z := 0 -> A; eager "
                    "tick! when z == 1 do z := 0 -> A; } }",
                    "C"),
            "a clock has one output without parameters, its tick, and no inputs");
  EXPECT_EQ(refusal("module m; output tick; clock z; tiosts C { init A; state A { eager tick! when z == 1 do z := 0 -> "
                    "A; } }",
                    "C"),
            "a tester's clock must not touch what others share");
  EXPECT_EQ(
      refusal("module m; output dim; tiosts C { clock z; init A; state A { eager dim! when z == 1 do z := 0 -> A; } "
              "}",
              "C"),
      "the system itself uses 'dim', the tick of the tester's clock");
}

} // namespace
} // namespace tioc::testgen
