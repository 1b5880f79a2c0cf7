#include "runtime/execute/player.hpp"

#include "execute/support.hpp"
#include "semantics/random_models.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tioc::execute {
namespace {

using ir::Rational;
using Lines = std::vector<std::string>;

const std::string kStart = R"({"start":"tio/1","time":"virtual"})";

/// A conversation in virtual time.
Lines talk(Machine& machine, const PlayOptions& options, const Lines& said) {
  Player player(machine, options);
  Lines answers;
  for (const std::string& line : said)
    player.hear(line, 0, answers);
  return answers;
}

std::unique_ptr<Machine> spec1() {
  return test::exampleMachine("spec1.tio", "Spec1");
}

Lines askSpec1(PlayOptions options) {
  const auto machine = spec1();
  return talk(*machine, options, {kStart, R"({"advance":"1"})", R"({"input":"a"})", R"({"advance":"20"})"});
}

TEST(Player, PoliciesChooseTheEnds) {
  PlayOptions options;
  options.policy = Policy::Earliest;
  EXPECT_EQ(askSpec1(options), (Lines{R"({"ready":"tio/1"})", R"({"now":"1"})", R"({"output":"b","args":[],"at":"3"})",
                                      R"({"now":"3"})"}));
  options.policy = Policy::Latest;
  EXPECT_EQ(askSpec1(options).at(2), R"({"output":"b","args":[],"at":"9"})");
}

TEST(Player, ChanceReachesBothEndsAndTheMiddleAndNeverLeavesTheWindow) {
  std::set<Rational> times;
  const auto machine = spec1();
  for (PlayOptions options; options.seed < 300; ++options.seed) {
    const Lines lines = talk(*machine, options, {kStart, R"({"input":"a"})", R"({"advance":"8"})"});
    ASSERT_EQ(lines.size(), 3U);
    const auto reading = wire::read(machine->model(), lines[1]);
    times.insert(*std::get<wire::Message>(std::get<wire::Line>(reading)).at);
  }
  EXPECT_EQ(*times.begin(), Rational(2));
  EXPECT_EQ(*times.rbegin(), Rational(8));
  EXPECT_GT(times.size(), 100U);
}

TEST(Player, TheSameSeedGivesTheSameLines) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    PlayOptions options;
    options.seed = seed;
    EXPECT_EQ(askSpec1(options), askSpec1(options));
  }
  PlayOptions other;
  other.seed = 1;
  EXPECT_NE(askSpec1({}), askSpec1(other));
}

TEST(Player, HowTimeIsCutUpChangesNothing) {
  const auto machine = spec1();
  for (PlayOptions options; options.seed < 50; ++options.seed) {
    Lines whole = talk(*machine, options, {kStart, R"({"input":"a"})", R"({"advance":"8"})"});
    Lines pieces{kStart, R"({"input":"a"})"};
    for (int i = 0; i < 24; ++i)
      pieces.push_back(R"({"advance":"1/3"})");
    const auto output = [](const Lines& lines) {
      for (const std::string& line : lines)
        if (line.find("output") != std::string::npos)
          return line;
      return std::string();
    };
    EXPECT_EQ(output(talk(*machine, options, pieces)), output(whole));
  }
}

TEST(Player, IgnoresAnInputThatTheModelRefusesOrStops) {
  const auto machine = spec1();
  PlayOptions options;
  const Lines said{kStart, R"({"input":"a"})", R"({"input":"a"})", R"({"advance":"1"})"};
  EXPECT_EQ(talk(*machine, options, said).back(), R"({"now":"1"})");
  options.refusal = Refusal::Stop;
  EXPECT_EQ(talk(*machine, options, said).back(), R"({"error":"the model does not accept 'a' at 0"})");
}

TEST(Player, SaysWhyItCannotGoOn) {
  const auto last = [](const char* model, const Lines& said) {
    const auto machine = test::machineOf(model, "M");
    return talk(*machine, {}, said).back();
  };
  EXPECT_NE(last("module m; tiosts M { clock x; init S; state S invariant x <= 3 { } }", {kStart, R"({"advance":"4"})"})
                .find("lets no time pass behind 3"),
            std::string::npos);
  EXPECT_NE(last("module m; tiosts M { init S; state S { tau -> S; } }", {kStart, R"({"advance":"4"})"})
                .find("steps without end behind 0"),
            std::string::npos);
  // Infinitely many steps before an instant that is never reached.
  EXPECT_NE(
      last("module m; tiosts M { clock x, y; init S; state S { delayable tau when x > 0 && y < 1 do x := 0 -> S; } }",
           {kStart, R"({"advance":"4"})"})
          .find("steps without end behind 0.99"),
      std::string::npos);
  EXPECT_NE(last("module m; tiosts M { var n: int; init S when n > 3 && n * n < 4; state S { } }", {kStart})
                .find("no values"),
            std::string::npos);
}

TEST(Player, AnswersBadTestersWithAnError) {
  const auto machine = spec1();
  const auto last = [&](const Lines& said) { return talk(*machine, {}, said).back(); };
  EXPECT_EQ(last({R"({"input":"a"})"}), R"({"error":"the first line must be a start"})");
  EXPECT_EQ(last({kStart, kStart}), R"({"error":"started twice"})");
  EXPECT_EQ(last({kStart, R"({"now":"1"})"}), R"({"error":"a tester does not say that"})");
  EXPECT_EQ(last({kStart, R"({"output":"b"})"}), R"({"error":"a tester does not say that"})");
  EXPECT_EQ(last({kStart, "a"}), R"({"error":"bad line: not JSON: trouble at character 1"})");
  EXPECT_EQ(last({R"({"start":"tio/1","time":"real"})", R"({"advance":"1"})"}),
            R"({"error":"time is real here and passes by itself"})");
  PlayOptions options;
  options.virtualOnly = true;
  EXPECT_EQ(talk(*machine, options, {R"({"start":"tio/1","time":"real"})"}),
            Lines{R"({"error":"this system runs in virtual time only"})"});
}

TEST(Player, RealTimeFollowsTheClockItIsTold) {
  const auto machine = spec1();
  PlayOptions options;
  options.policy = Policy::Earliest;
  Player player(*machine, options);
  Lines answers;
  player.hear(R"({"start":"tio/1","time":"real","unit":"0.5"})", 0, answers);
  EXPECT_EQ(player.unit(), Rational(1, 2));
  EXPECT_EQ(player.next(), std::nullopt);
  player.hear(R"({"input":"a"})", Rational(7, 3), answers);
  EXPECT_EQ(player.next(), Rational(13, 3));
  player.run(4, answers);
  EXPECT_EQ(answers.size(), 1U);
  player.run(5, answers);
  ASSERT_EQ(answers.size(), 2U);
  EXPECT_EQ(answers[1], R"({"output":"b","args":[],"at":"13/3"})");
}

/// Whatever the model, a run either goes on or says why not, and time never runs backwards.
TEST(Player, PlaysRandomModels) {
  size_t outputs = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const auto machine = test::machineOf(semantics::randomModel(seed, semantics::randomOptions(seed, true)), "Net");
    PlayOptions options;
    options.seed = seed;
    options.stepsPerGrain = 200;
    Player player(*machine, options);
    Lines answers;
    player.hear(kStart, 0, answers);
    Dice dice(seed);
    Rational now = 0;
    for (int i = 0; i < 20 && !player.hasEnded(); ++i) {
      answers.clear();
      player.hear(wire::write(machine->model(), wire::Advance{Rational(static_cast<int64_t>(dice.below(30)), 10)}), 0,
                  answers);
      for (const std::string& line : answers) {
        const auto reading = wire::read(machine->model(), line);
        ASSERT_TRUE(std::holds_alternative<wire::Line>(reading)) << line;
        const auto& said = std::get<wire::Line>(reading);
        const auto* message = std::get_if<wire::Message>(&said);
        const auto* time = std::get_if<wire::Now>(&said);
        outputs += message != nullptr;
        if (message || time) {
          const Rational at = message ? *message->at : time->time;
          EXPECT_GE(at, now);
          now = at;
        }
      }
    }
  }
  EXPECT_GT(outputs, 500U);
}

} // namespace
} // namespace tioc::execute
