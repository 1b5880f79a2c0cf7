// `tioc explore` as scripts use it.

#include "support/support.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

namespace tioc {
namespace {

using test::Outcome;
using test::runTioc;

const std::string kLamp = "module lamp; input press; output light;"
                          "tiosts Lamp { var n: int[0..3] = 0; clock t; init Off;"
                          "state Off { press? when n < 3 do t := 0, n := n + 1 -> Pressed; }"
                          "state Pressed { light! when t <= 2 -> Off; } }";
const std::string kAccount = "module account; input take(n: int); output cash;"
                             "tiosts Account { var left: int; clock t; init Open when left > 0;"
                             "state Open { take?(n) when n > 0 && n <= left do left := left - n, t := 0 -> Busy; }"
                             "state Busy { cash! when t <= 2 -> Open; } }";

nlohmann::json explored(const std::string& text, std::vector<std::string> arguments, int code = 0) {
  arguments.insert(arguments.begin(), {"explore", "-", "--stats", "json"});
  const Outcome outcome = runTioc(arguments, text);
  EXPECT_EQ(outcome.code, code) << outcome.err;
  return outcome.out.empty() ? nlohmann::json() : nlohmann::json::parse(outcome.out);
}

std::set<std::string> keys(const nlohmann::json& json) {
  std::set<std::string> result;
  for (const auto& [key, value] : json.items())
    result.insert(key);
  return result;
}

TEST(ExploreCli, KeysOfStatisticsAreStable) {
  const std::set<std::string> common{"system",  "mode",         "time",           "states", "covered",
                                     "visited", "transitions",  "waiting",        "depth",  "stopped",
                                     "seconds", "memory_bytes", "bytes_per_state"};
  std::set<std::string> graph = common;
  graph.insert({"abstraction", "discrete", "eval"});
  EXPECT_EQ(keys(explored(kLamp, {})), graph);
  std::set<std::string> tree = common;
  tree.insert({"uncertain", "feasibility", "inclusion"});
  EXPECT_EQ(keys(explored(kLamp, {"--as", "tree"})), tree);
  graph.insert({"reachable", "run"});
  EXPECT_EQ(keys(explored(kLamp, {"--reach", "n == 3"})), graph);
}

TEST(ExploreCli, AnswersTrueFalseAndNull) {
  EXPECT_EQ(explored(kLamp, {"--reach", "n == 3"})["reachable"], true);
  EXPECT_EQ(explored(kLamp, {"--reach", "n == 3 && Lamp.Pressed && t > 2"})["reachable"], false);
  EXPECT_TRUE(explored(kLamp, {"--reach", "n == 3", "--depth", "2"}, 12)["reachable"].is_null());
  EXPECT_EQ(explored(kLamp, {"--reach", "n == 3", "--as", "tree"})["reachable"], true);
  EXPECT_EQ(explored(kLamp, {"--reach", "n == 3 && Lamp.Pressed && t > 2", "--as", "tree"})["reachable"], false);
}

TEST(ExploreCli, RunsAreWrittenInTheFilesUnits) {
  const auto run = explored(kLamp, {"--reach", "Lamp.Pressed && n == 2 && t > 0.25"})["run"];
  ASSERT_EQ(run.size(), 5U);
  EXPECT_EQ(run[0]["places"], (nlohmann::json{{"Lamp", "Off"}}));
  EXPECT_EQ(run[1]["step"], "press?");
  EXPECT_EQ(run[3]["variables"], (nlohmann::json{{"n", "2"}}));
  EXPECT_EQ(run[4]["step"], nullptr);
  EXPECT_EQ(run[4]["at"], "0.5");
}

TEST(ExploreCli, TakesTheTreeWhereDataAreOpen) {
  const auto json = explored(kAccount, {});
  EXPECT_EQ(json["mode"], "tree");
  EXPECT_TRUE(json["stopped"].is_null());
  EXPECT_NE(json["because"].get<std::string>().find("'left'"), std::string::npos);
  EXPECT_EQ(explored(kLamp, {})["mode"], "graph");
}

TEST(ExploreCli, SaysWhichLimitStoppedIt) {
  EXPECT_EQ(explored(kLamp, {"--bound", "2"}, 12)["stopped"], "states");
  EXPECT_EQ(explored(kLamp, {"--depth", "2"}, 12)["stopped"], "depth");
  EXPECT_EQ(explored(kLamp, {"--as", "tree", "--depth", "2"}, 12)["stopped"], "depth");
  EXPECT_EQ(explored(kLamp, {"--as", "tree", "--loops", "1"}, 12)["stopped"], "loops");
  EXPECT_EQ(explored(kAccount, {"--no-inclusion", "--seconds", "0.05"}, 12)["stopped"], "time");
}

TEST(ExploreCli, WritesPicturesAndCode) {
  const test::TemporaryFolder folder;
  const std::string base = folder.path() + "/lamp";
  explored(kLamp,
           {"--html", base + ".html", "--dot", base + ".dot", "--json", base + ".json", "--dump-llvm", base + ".ll"});
  EXPECT_NE(test::readFile(base + ".html").find("<html"), std::string::npos);
  EXPECT_NE(test::readFile(base + ".dot").find("digraph"), std::string::npos);
  EXPECT_NE(test::readFile(base + ".ll").find("define i8"), std::string::npos);
  const auto json = nlohmann::json::parse(test::readFile(base + ".json"));
  EXPECT_EQ(json["tree"], false);
  EXPECT_EQ(json["nodes"].size(), explored(kLamp, {})["states"].get<size_t>());
}

TEST(ExploreCli, SameInputGivesTheSamePicture) {
  const test::TemporaryFolder folder;
  const std::string a = folder.path() + "/a.json", b = folder.path() + "/b.json";
  explored(kAccount, {"--json", a});
  explored(kAccount, {"--json", b});
  EXPECT_EQ(test::readFile(a), test::readFile(b));
}

// ---- the benchmark models

std::string generated(const std::string& arguments) {
  const std::string command = "python3 " + test::sourceDir() + "/bench/reach/models.py " + arguments;
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  for (char buffer[4096]; const size_t count = fread(buffer, 1, sizeof buffer, pipe);)
    text.append(buffer, count);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

TEST(ExploreCli, StoresAsManyStatesAsTChecker) {
  std::ifstream lines(test::sourceDir() + "/tests/explore/tchecker_counts.txt");
  size_t compared = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string model, n, stored, visited, transitions, storedAlu;
    if (line[0] == '#' || !(words >> model >> n >> stored >> visited >> transitions >> storedAlu) ||
        std::stoul(stored) > 8000)
      continue;
    const std::string text = generated(model + " " + n);
    const auto extra = explored(text, {"--system", "Network", "--abstraction", "extra-lu"});
    EXPECT_EQ(extra["states"].dump(), stored) << model << " " << n;
    if (storedAlu != "-") {
      EXPECT_EQ(explored(text, {"--system", "Network"})["states"].dump(), storedAlu) << model << " " << n << ", aLU";
    }
    ++compared;
  }
  EXPECT_GT(compared, 25U);
}

TEST(ExploreCli, VerdictsOfTheBenchmarkTargets) {
  size_t asked = 0;
  for (const char* model : {"fischer", "csmacd", "fddi", "critical_region", "philosophers", "train_gate"}) {
    const std::string text = generated(std::string(model) + " 3");
    std::istringstream targets(generated(std::string(model) + " 3 --targets"));
    for (std::string verdict, condition, labels; std::getline(targets, verdict, '\t') &&
                                                 std::getline(targets, condition, '\t') &&
                                                 std::getline(targets, labels);) {
      EXPECT_EQ(explored(text, {"--system", "Network", "--reach", condition})["reachable"], verdict == "reachable")
          << model << ": " << condition;
      ++asked;
    }
  }
  EXPECT_GE(asked, 12U);
}

// ---- known answers

/// The block of the documentation behind a line that begins so.
std::string block(const std::string& text, const std::string& fence) {
  const size_t begin = text.find(fence) + fence.size();
  return text.substr(begin, text.find("```", begin) - begin);
}

TEST(ExploreCli, PrintsWhatTheDocumentationShows) {
  const std::string guide = test::readFile(test::sourceDir() + "/docs/exploration.md");
  const Outcome outcome =
      runTioc({"explore", "-", "--reach", "Lamp.Pressed && count == 2 && t > 1.25"}, block(guide, "```tio\n"));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find(block(guide, "```text\n")), std::string::npos) << outcome.out;
}

std::string example(const std::string& name) {
  return test::readFile(test::sourceDir() + "/examples/" + name + ".tio");
}

TEST(ExploreCli, AtmClosesToAFiniteTree) {
  const auto json = explored(example("atm"), {"--as", "tree"});
  EXPECT_TRUE(json["stopped"].is_null());
  EXPECT_EQ(json["uncertain"], 0);
  // Idle with any balance, with what is left of one, and with a balance that a refusal proved too small differ.
  EXPECT_GT(json["states"].get<int>(), 3);
  EXPECT_EQ(explored(example("atm"), {"--reach", "balance < 0"})["reachable"], false);
  EXPECT_EQ(explored(example("atm"), {"--reach", "Atm.Idle && balance == 0"})["reachable"], true);
}

TEST(ExploreCli, AnswersOfTheTimedExamplesOfTioco) {
  const auto reachable = [](const std::string& system, const std::string& condition) {
    return explored(example("spec1"), {"--system", system, "--reach", condition})["reachable"];
  };
  for (const auto& [system, at, expected] :
       std::vector<std::tuple<std::string, std::string, bool>>{{"Spec1", "x < 2", false},
                                                               {"Spec1", "x == 2", true},
                                                               {"Impl1", "x < 5", false},
                                                               {"Impl1", "x == 5", true},
                                                               {"Impl2", "x < 4", false},
                                                               {"Impl2", "x == 4", true},
                                                               {"Impl3", "x < 1", false},
                                                               {"Impl3", "x == 1", true}})
    EXPECT_EQ(reachable(system, system + ".Done && " + at), expected) << system << " " << at;
  // The answer must come: nobody waits longer than the bound.
  EXPECT_EQ(reachable("Spec1", "Spec1.Asked && x > 8"), false);
  EXPECT_EQ(reachable("Spec1", "Spec1.Asked && x == 8"), true);
  EXPECT_EQ(reachable("Impl1", "Impl1.Asked && x > 5"), false);
  EXPECT_EQ(reachable("Impl3", "Impl3.Asked && x > 5"), false);
}

} // namespace
} // namespace tioc
