#include "execute/support.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "runtime/conformance/make_tracker.hpp"
#include "runtime/conformance/verdict.hpp"
#include "runtime/semantics/tiosts.hpp"
#include "runtime/testgen/offline.hpp"
#include "runtime/testgen/offline_log.hpp"
#include "runtime/testgen/search.hpp"
#include "support/support.hpp"
#include "testgen/digital_reference.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

namespace tioc::testgen {
namespace {

std::string example(const std::string& file) {
  return test::readFile(test::sourceDir() + "/examples/" + file);
}

ir::Model systemOf(const std::string& text, const std::string& name) {
  const ir::Model model = test::compileOk(text);
  for (size_t i = 0; i < model.systems.size(); ++i)
    if (model.systems[i].name == name)
      return ir::resolvePriorities(ir::instantiate(model, ir::SystemId(i)));
  ADD_FAILURE() << "no system " << name;
  return {};
}

GenerateOptions forPurposes(const ir::Model& model) {
  GenerateOptions options;
  for (size_t i = 0; i < model.automata.size(); ++i)
    if (model.automata[i].kind == ir::AutomatonKind::Purpose)
      options.purposes.emplace_back(i);
  return options;
}

/// The times and channels of the inputs of a case.
std::string inputs(const ir::TestSuite& suite, const ir::TestCase& test) {
  std::string text;
  ir::TestText words(suite);
  words.enter(test);
  std::string time = "0";
  for (ir::TestNodeId at(0); !std::holds_alternative<ir::VerdictNode>(test[at]);) {
    if (const auto* send = std::get_if<ir::SendNode>(&test[at])) {
      text += time + " " + suite.model[send->channel].name + " ";
      at = send->next;
    } else {
      time = words.time(std::get<ir::AwaitNode>(test[at]).until);
      at = std::get<ir::AwaitNode>(test[at]).timeout;
    }
  }
  return text;
}

conformance::Verdict judge(const ir::Model& specification, const Trace& trace, const std::string& purpose = "") {
  conformance::TrackOptions options;
  options.purpose = purpose;
  conformance::MadeTracker made = conformance::makeTracker(specification, options);
  conformance::Judge judge(*std::get<0>(made), !purpose.empty());
  judge.begin();
  for (const conformance::Event& event : trace)
    if (!judge.take(event))
      break;
  return judge.end().verdict;
}

// ---- the trajectory module of A

TEST(OfflineTrajectory, OneLoopPassesEightTransitions) {
  ir::Model model = systemOf(example("trajectory.tio"), "Trajectory");
  const GenerateOptions options = forPurposes(model);
  const semantics::Network network(model);
  semantics::Symbols symbols(model, {});
  semantics::Tiosts relation(symbols, network, semantics::TimeKind::Symbolic);
  std::vector<ir::ClockId> clocks;
  for (zones::Clock x = 0; x < network.dim(); ++x)
    clocks.push_back(network.clockId(x));
  Observer observer(symbols, options.purposes.at(0), network.variables(), clocks);
  Search search(symbols, relation, observer, {});
  std::optional<Path> path;
  search.run([&](uint32_t node) {
    if (observer.mark(search[node].purpose) == ir::Mark::Accept)
      path = search.path(node);
    return !path;
  });
  ASSERT_TRUE(path);
  std::vector<std::string> actions, bounds;
  for (const Path::Step& one : path->steps)
    for (ir::EdgeId id : one.step.edges) {
      actions.push_back(model[model[id].channel].name + (model[id].action == ir::ActionKind::Send ? "!" : "?"));
      for (const ir::ClockConstraint& c : model[id].guard.clocks)
        bounds.push_back(model[c.left].name + (c.strict ? "<" : "<=") + model.exprs.number(c.bound)->toString());
    }
  EXPECT_EQ(actions,
            (std::vector<std::string>{"location?", "plan!", "plan?", "param!", "param?", "calc!", "calc?", "nCmd!"}));
  EXPECT_EQ(bounds, (std::vector<std::string>{"fClock<1", "fClock<2", "dClock<1", "dClock<1", "cClock<1", "cClock<2",
                                              "aClock<9"}));
}

TEST(OfflineTrajectory, SaysWhereACorrectSystemMayLeaveTheLoop) {
  const ir::Model model = systemOf(example("trajectory.tio"), "Trajectory");
  GenerateOptions options = forPurposes(model);
  const Generated made = generateOffline(ir::Model(model), options);
  ASSERT_EQ(made.suite.cases.size(), 1U);
  ASSERT_TRUE(ir::verify(made.suite).empty()) << ir::verify(made.suite)[0];
  // Parameters must come less than 1 behind the request for them, which has 1 to come itself.
  ASSERT_FALSE(made.notes.empty());
  for (const std::string& note : made.notes)
    EXPECT_NE(note.find("behind param! (step 4)"), std::string::npos) << note;
}

TEST(OfflineTrajectory, MergeOfThePrintedProjectionsFails) {
  const ir::Model model = test::compileOk(example("trajectory.tio"));
  const auto read = [&](const std::string& text) {
    std::istringstream in(text);
    conformance::TraceReader reader(model, in);
    Trace trace;
    conformance::Event event;
    while (reader.next(event) == conformance::TraceReader::Got::Event)
      trace.push_back(event);
    EXPECT_EQ(reader.error(), "");
    return trace;
  };
  const Trace inputs = read("0.1 location?4 2.8 plan?5 1.8 param?2 1 calc?1");
  const Trace outputs = read("0.2 plan!8 2.1 error!6 0.1 nCmd!3 4.3");
  const Trace merged = merge(inputs, outputs);
  EXPECT_EQ(notation(model, merged),
            "0.1 location?(4) 0.1 plan!(8) 2.1 error!(6) 0.1 nCmd!(3) 0.5 plan?(5) 1.8 param?(2) "
            "1 calc?(1) 1");
  EXPECT_EQ(judge(systemOf(example("trajectory.tio"), "Trajectory"), merged), conformance::Verdict::Fail);
  EXPECT_EQ(notation(model, merge(inputsOf(merged), outputsOf(merged))), notation(model, merged));
}

TEST(OfflineLog, AnOutputComesBeforeAnInputOfTheSameTime) {
  const ir::Model model = test::compileOk(example("spec1.tio"));
  using Kind = conformance::Event::Kind;
  const ir::ChannelId a(0), b(1);
  const Trace merged = merge({{Kind::Input, a, {}, 1}, {Kind::Input, a, {}, 2}}, {{Kind::Output, b, {}, 2}});
  EXPECT_EQ(notation(model, merged), "1 a? 1 b! a?");
}

TEST(OfflineLog, LinesAreReadBackAsTheyWere) {
  const ir::Model model = test::compileOk(example("trajectory.tio"));
  using Kind = conformance::Event::Kind;
  const Trace trace{{Kind::Input, ir::ChannelId(0), {{4, {}}}, ir::Rational(1, 10)}, {Kind::Silence, {}, {}, 7}};
  std::istringstream in(lines(model, trace) + lines(model, trace));
  conformance::TraceReader reader(model, in);
  Trace read;
  conformance::Event event;
  for (int run = 0; run < 2; ++run) {
    read.clear();
    while (reader.next(event) == conformance::TraceReader::Got::Event)
      read.push_back(event);
    EXPECT_EQ(notation(model, read), "0.1 location?(4) 6.9") << reader.error();
  }
}

// ---- forcing

TEST(OfflineForcing, ChoosesDataThatLeaveNoOtherAnswer) {
  // Whatever the balance is, it is at least 1: only a withdrawal of 1 must succeed.
  const ir::Model model = systemOf(example("atm.tio"), "Atm");
  GenerateOptions options = forPurposes(model);
  std::erase_if(options.purposes, [&](ir::AutomatonId id) { return model[id].name != "Success"; });
  const Generated made = generateOffline(ir::Model(model), options);
  ASSERT_EQ(made.suite.cases.size(), 1U);
  EXPECT_NE(made.suite.cases[0].about.find("Withdrawal?(1); a correct system follows the path"), std::string::npos)
      << made.suite.cases[0].about;
  execute::ModelAdapter adapter(test::exampleMachine("atm.tio", "Atm"), {});
  for (int i = 0; i < 50; ++i) {
    const Trace trace = traceOf(execute::execute(made.suite, made.suite.cases[0], adapter, {}));
    EXPECT_EQ(judge(model, trace, "Success"), conformance::Verdict::Pass) << notation(model, trace);
  }
}

TEST(OfflineForcing, ChoosesTimesAtWhichTheSystemHasAnsweredInAnyCase) {
  const std::string text =
      "module m; input go, next; output ready, late; tiosts S { clock x; init Idle; "
      "state Idle { go? do x := 0 -> Busy; } "
      "state Busy { ready! when x < 3 do x := 0 -> Ready; } "
      "state Ready { next? when x < 5 -> Done; late! when 5 <= x && x <= 6 -> Done; } state Done { } }"
      "purpose P for S { state A { next? -> accept; } }";
  const ir::Model model = systemOf(text, "S");
  for (ir::Timing timing :
       {ir::Timing::Earliest, ir::Timing::Latest, ir::Timing::Middle, ir::Timing::Boundary, ir::Timing::Random}) {
    GenerateOptions options = forPurposes(model);
    options.timings = {timing};
    const Generated made = generateOffline(ir::Model(model), options);
    ASSERT_EQ(made.suite.cases.size(), 1U);
    EXPECT_TRUE(made.notes.empty()) << made.notes[0];
    if (timing == ir::Timing::Earliest) {
      EXPECT_EQ(inputs(made.suite, made.suite.cases[0]), "0 go 3 next ");
    }
    execute::PlayOptions play;
    for (execute::Policy policy : {execute::Policy::Random, execute::Policy::Earliest, execute::Policy::Latest}) {
      play.policy = policy;
      execute::ModelAdapter adapter(test::machineOf(text, "S"), play);
      for (int i = 0; i < 20; ++i) {
        const Trace trace = traceOf(execute::execute(made.suite, made.suite.cases[0], adapter, {}));
        EXPECT_EQ(judge(model, trace, "P"), conformance::Verdict::Pass)
            << ir::word(timing) << ": " << notation(model, trace);
      }
    }
  }
}

TEST(OfflineForcing, EarliestStaysEarlyWhereTheWindowHasGaps) {
  const ir::Model model = systemOf(example("light.tio"), "Light");
  const Generated made = generateOffline(ir::Model(model), forPurposes(model));
  ASSERT_EQ(made.suite.cases.size(), 1U);
  // A touch, then dim within 3: from then on the lamp takes the next order.
  EXPECT_EQ(made.suite.cases[0].about.find("inputs earliest: touch? 3."), std::string("purpose BackToDim, ").size())
      << made.suite.cases[0].about;
}

TEST(OfflineForcing, SystemsFollowEveryPathThatClaimsToBeForced) {
  const uint64_t models = std::getenv("TIOC_LONG") ? 1000 : 60;
  size_t forced = 0, free = 0;
  for (uint64_t seed = 0; seed < models; ++seed) {
    std::mt19937_64 dice(seed);
    const std::string text = test::randomPlain(dice).text();
    ir::Model model = systemOf(text, "A");
    GenerateOptions options;
    options.random = 3;
    options.length = 4;
    options.seed = seed;
    options.timings = {ir::Timing::Random};
    const Generated made = generateOffline(std::move(model), options);
    ASSERT_TRUE(ir::verify(made.suite).empty()) << ir::verify(made.suite)[0];
    execute::PlayOptions play;
    play.seed = seed;
    execute::ModelAdapter adapter(test::machineOf(text, "A"), play);
    for (const ir::TestCase& test : made.suite.cases) {
      const bool isForced = test.about.find("follows the path") != std::string::npos;
      ++(isForced ? forced : free);
      if (!isForced)
        continue;
      // All runs show the same events as far as the path goes, in the same order.
      std::optional<std::string> first;
      for (int i = 0; i < 20; ++i) {
        const execute::Outcome outcome = execute::execute(made.suite, test, adapter, {});
        if (outcome.broken)
          continue; // time cannot pass in the model
        std::string seen;
        const size_t inputs = static_cast<size_t>(std::count_if(
            outcome.log.begin(), outcome.log.end(), [](const execute::LogEntry& entry) { return !entry.output; }));
        size_t given = 0;
        for (const execute::LogEntry& entry : outcome.log) {
          given += entry.output ? 0 : 1;
          seen += made.suite.model[entry.channel].name + " ";
          if (given == inputs)
            break;
        }
        if (!first)
          first = seen;
        EXPECT_EQ(seen, *first) << test.about << "\n" << text;
      }
    }
  }
  EXPECT_GT(forced, 10U);
  EXPECT_GT(free, 10U);
}

// ---- end to end

struct Subject {
  std::string file;
  std::string system;
};

void PrintTo(const Subject& subject, std::ostream* out) {
  *out << subject.system;
}

class OfflineExamples : public testing::TestWithParam<Subject> {};

TEST_P(OfflineExamples, LogsOfCorrectSystemsNeverFail) {
  const ir::Model model = systemOf(example(GetParam().file), GetParam().system);
  GenerateOptions options = forPurposes(model);
  options.goals = {ir::Goal::Edges};
  options.timings = {ir::Timing::Earliest, ir::Timing::Random};
  options.data = {ir::DataChoice::Boundary};
  options.limits.states = 300;
  options.limits.seconds = 5;
  const Generated made = generateOffline(ir::Model(model), options);
  ASSERT_FALSE(made.problem);
  ASSERT_TRUE(ir::verify(made.suite).empty()) << ir::verify(made.suite)[0];
  ASSERT_FALSE(made.suite.cases.empty());
  for (uint64_t seed = 0; seed < (std::getenv("TIOC_LONG") ? 60 : 3); ++seed) {
    execute::PlayOptions play;
    play.seed = seed;
    execute::ModelAdapter adapter(test::exampleMachine(GetParam().file, GetParam().system), play);
    for (const ir::TestCase& test : made.suite.cases) {
      const execute::Outcome outcome = execute::execute(made.suite, test, adapter, {});
      ASSERT_FALSE(outcome.broken) << outcome.reason;
      ASSERT_EQ(outcome.verdict, ir::Verdict::Inconclusive);
      const Trace trace = traceOf(outcome);
      ASSERT_NE(judge(model, trace), conformance::Verdict::Fail) << test.about << "\n" << notation(model, trace);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Models, OfflineExamples,
                         testing::Values(Subject{"atm.tio", "Atm"}, Subject{"spec1.tio", "Spec1"},
                                         Subject{"spec2.tio", "Spec2"}, Subject{"light.tio", "Light"},
                                         Subject{"trajectory.tio", "Trajectory"}),
                         [](const auto& subject) { return subject.param.system; });

TEST(OfflineTrajectory, LogsOfWrongSystemsFail) {
  const std::string right = example("trajectory.tio");
  const ir::Model model = systemOf(right, "Trajectory");
  GenerateOptions options = forPurposes(model);
  options.timings = {ir::Timing::Earliest, ir::Timing::Middle};
  const Generated made = generateOffline(ir::Model(model), options);
  for (const auto& [from, to] :
       {std::pair<std::string, std::string>{"plan!(askPlan) when fClock < 1", "plan!(askPlan) when fClock < 3"},
        {"calc!(request(position, route, parameters))", "calc!(request(position, route, 7))"},
        {"route := message, dClock := 0", "route := message + 1, dClock := 0"},
        {"param!(askParam) when dClock < 1 do dClock := 0 -> WaitParam",
         "notif!(askParam) when dClock < 1 do dClock := 0 -> WaitParam"}}) {
    std::string wrong = right;
    ASSERT_NE(wrong.find(from), std::string::npos) << from;
    wrong.replace(wrong.find(from), from.size(), to);
    size_t failed = 0;
    for (uint64_t seed = 0; seed < 20 && failed == 0; ++seed) {
      execute::PlayOptions play;
      play.seed = seed;
      execute::ModelAdapter adapter(test::machineOf(wrong, "Trajectory"), play);
      for (const ir::TestCase& test : made.suite.cases)
        failed += judge(model, traceOf(execute::execute(made.suite, test, adapter, {}))) == conformance::Verdict::Fail;
    }
    EXPECT_GT(failed, 0U) << to;
  }
}

} // namespace
} // namespace tioc::testgen
