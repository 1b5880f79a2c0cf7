// `tioc mutate` as a user sees it.

#include "support/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tioc::mutate {
namespace {

using nlohmann::json;

constexpr const char* kLamp = R"(module lamp;
input press(level: int);
output light(level: int), off;
tiosts Lamp {
  var chosen: int = 0;
  clock t;
  init Off;
  state Off { press?(level) when level > 0 do chosen := level, t := 0 -> Going; }
  state Going { light!(chosen) when 1 <= t && t <= 3 do t := 0 -> Lit; }
  state Lit { off! when 2 <= t && t <= 4 -> Off; }
}
suite Edges for Lamp { cover edges; timing earliest, latest; }
)";

class Score : public testing::Test {
protected:
  void SetUp() override {
    folder.write("lamp.tio", kLamp);
    const test::Outcome made = test::runTioc({"gen", model(), "--suite", "Edges", "-o", folder.path()});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  std::string model() const { return folder.path() + "/lamp.tio"; }
  std::string suite() const { return folder.path() + "/Edges.json"; }
  json score(std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"mutate", model(), "--score", suite(), "--format", "json", "--depth", "5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const test::Outcome outcome = test::runTioc(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
  static json find(const json& report, const std::string& id) {
    for (const json& mutant : report["mutants"])
      if (mutant["id"] == id)
        return mutant;
    ADD_FAILURE() << "no mutant " << id;
    return {};
  }

  test::TemporaryFolder folder;
};

TEST_F(Score, TellsKilledFromEquivalentAndAlive) {
  const json report = score();
  const json late = find(report, "clock-shift@Lamp.Going.light#3"); // t <= 3 becomes t <= 4
  EXPECT_EQ(late["change"], "t <= 3 becomes t <= 4");
  EXPECT_EQ(late["fate"], "killed");
  EXPECT_EQ(late["test"].get<std::string>().substr(0, 5), "cover");
  EXPECT_FALSE(late["reason"].get<std::string>().empty());
  EXPECT_EQ(find(report, "output-value@Lamp.Going.light#1")["fate"], "killed");
  // Less freedom is no fault.
  const json early = find(report, "clock-shift@Lamp.Going.light#4");
  EXPECT_EQ(early["change"], "t <= 3 becomes t <= 2");
  EXPECT_EQ(early["fate"], "equivalent");
  EXPECT_EQ(early["depth"], 5);
  EXPECT_EQ(find(report, "urgency@Lamp.Going.light#2")["fate"], "equivalent");
  const size_t total = report["mutants"].size();
  EXPECT_EQ(report["killed"].get<size_t>() + report["equivalent"].get<size_t>() + report["alive"].get<size_t>(), total);
}

TEST_F(Score, ShowsTheTraceThatATestWouldNeed) {
  // Nothing is pressed twice, so the suite cannot see that the second round goes wrong.
  folder.write("Edges.json", [&] {
    json suite = json::parse(test::readFile(this->suite()));
    suite["cases"] = json::array();
    return suite.dump();
  }());
  const json report = score({"--operators", "output-value"});
  EXPECT_EQ(report["killed"], 0);
  const json alive = find(report, "output-value@Lamp.Going.light#1");
  EXPECT_EQ(alive["fate"], "alive");
  EXPECT_EQ(alive["trace"], "0 press?(1), 1 light!(2)");
  EXPECT_EQ(alive["allowed"], "light from 1 until 3; silence until 3");
  EXPECT_EQ(report["score"], "0.0 %");
}

TEST_F(Score, SaysThatTheCheckStoppedAtALimit) {
  const json report = score({"--operators", "urgency", "--bound", "2"});
  const json lazy = find(report, "urgency@Lamp.Going.light#2");
  EXPECT_EQ(lazy["fate"], "alive");
  EXPECT_EQ(lazy["undecided"], "the limit of states");
}

TEST_F(Score, IsTheSameForAnyNumberOfThreads) {
  EXPECT_EQ(score({"--jobs", "1"}), score({"--jobs", "3"}));
}

TEST_F(Score, FailsBelowTheScoreThatIsAskedFor) {
  const test::Outcome outcome = test::runTioc(
      {"mutate", model(), "--score", suite(), "--operators", "urgency", "--min-score", "100", "--depth", "4"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  folder.write("Edges.json", [&] {
    json suite = json::parse(test::readFile(this->suite()));
    suite["cases"] = json::array();
    return suite.dump();
  }());
  EXPECT_EQ(test::runTioc({"mutate", model(), "--score", suite(), "--operators", "edge-drop", "--min-score", "50",
                           "--depth", "4"})
                .code,
            10);
}

TEST_F(Score, WritesAMutantThatCompilesAndFailsTheSuite) {
  const std::string faulty = folder.path() + "/faulty.tio";
  ASSERT_EQ(test::runTioc({"mutate", model(), "--emit", "output-value@Lamp.Going.light#1", "-o", faulty}).code, 0);
  EXPECT_EQ(test::runTioc({"check", faulty}).code, 0);
  EXPECT_EQ(test::runTioc({"run", suite(), "--sut", "model:" + faulty + "#Lamp", "--virtual-time"}).code, 10);
  EXPECT_EQ(test::runTioc({"run", suite(), "--sut", "model:" + model() + "#Lamp", "--virtual-time"}).code, 0);
}

TEST_F(Score, NamesWhatIsWrongWithItsArguments) {
  const test::Outcome unknown = test::runTioc({"mutate", model(), "--emit", "edge-dorp@Lamp.Going.light#1"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("did you mean 'edge-drop@Lamp.Going.light#1'?"), std::string::npos) << unknown.err;
  EXPECT_EQ(test::runTioc({"mutate", model(), "--emit", "0"}).code, 2);
  EXPECT_EQ(test::runTioc({"mutate", model(), "--operators", "nonsense"}).code, 2);
  EXPECT_EQ(test::runTioc({"mutate", model(), "--score", model()}).code, 2);
  EXPECT_EQ(test::runTioc({"mutate", model(), "--list", "--score", suite()}).code, 2);
}

TEST_F(Score, ListsInTextAndJson) {
  const test::Outcome text = test::runTioc({"mutate", model(), "--operators", "edge-drop,target"});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("edge-drop@Lamp.Off.press#1"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("9 mutants"), std::string::npos) << text.out;
  const json list = json::parse(test::runTioc({"mutate", model(), "--operators", "edge", "--format", "json"}).out);
  ASSERT_EQ(list["mutants"].size(), 3U);
  EXPECT_EQ(list["mutants"][0]["place"], model() + ":8:15");
}

} // namespace
} // namespace tioc::mutate
