#include "support/support.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tioc {
namespace {

using nlohmann::json;

constexpr const char* kBroken =
    "module m;\ninput go;\ntiosts A {\n  var unused: int;\n  init S;\n  state S { go? when x > 1 -> S; }\n}\n";

TEST(Json, NamesPlaceSeverityAndKind) {
  test::Outcome outcome = test::runTioc({"check", "--diagnostics=json", "-"}, kBroken);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, "");
  json all = json::parse(outcome.out);
  EXPECT_EQ(all["errors"], 1);
  json first = all["diagnostics"][0];
  EXPECT_EQ(first["id"], "unknown-name");
  EXPECT_EQ(first["severity"], "error");
  EXPECT_EQ(first["file"], "<stdin>");
  EXPECT_EQ(first["startLine"], 6);
  EXPECT_EQ(first["startColumn"], 22);
  EXPECT_EQ(first["endColumn"], 23);
}

/// The required properties of SARIF 2.1.0: sarifLog (version, runs), run (tool), tool (driver), toolComponent (name),
/// result (message), message (text or id), and what its enumerations allow.
TEST(Sarif, HasWhatTheSchemaRequires) {
  for (const char* text : {kBroken, "module ok;\n"}) {
    json log = json::parse(test::runTioc({"check", "--diagnostics=sarif", "-"}, text).out);
    EXPECT_EQ(log["version"], "2.1.0");
    ASSERT_TRUE(log["runs"].is_array());
    for (const json& run : log["runs"]) {
      EXPECT_TRUE(run["tool"]["driver"]["name"].is_string());
      EXPECT_EQ(run["columnKind"], "unicodeCodePoints");
      ASSERT_TRUE(run["results"].is_array());
      for (const json& result : run["results"]) {
        EXPECT_TRUE(result["message"]["text"].is_string());
        EXPECT_TRUE(result["level"] == "error" || result["level"] == "warning");
        size_t rule = result["ruleIndex"];
        EXPECT_EQ(run["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
        for (const json& location : result["locations"]) {
          EXPECT_TRUE(location["physicalLocation"]["artifactLocation"]["uri"].is_string());
          const json& region = location["physicalLocation"]["region"];
          EXPECT_GE(region["startLine"], 1);
          EXPECT_GE(region["startColumn"], 1);
          EXPECT_GE(region["endLine"], region["startLine"]);
        }
      }
    }
  }
}

TEST(Text, PointsBehindCharactersNotBytes) {
  test::Compiled compiled =
      test::compile("module m;\ninput gö;\ntiosts Ä {\n  init S;\n  state S { gö? when öx > 1 -> S; }\n}\n");
  EXPECT_NE(compiled.text().find("test.tio:5:22: error: nothing here is called 'öx'\n    5 |   state S { gö? when öx > "
                                 "1 -> S; }\n      |                      ^~\n"),
            std::string::npos)
      << compiled.text();
}

TEST(Text, CountsErrorsBeyondTheLimit) {
  std::string text = "module m;\n";
  for (int i = 0; i < 10; ++i)
    text += "const c" + std::to_string(i) + " = nothing;\n";
  test::Outcome outcome = test::runTioc({"check", "--max-errors", "3", "-"}, text);
  EXPECT_NE(outcome.err.find("7 more errors not shown"), std::string::npos) << outcome.err;
}

TEST(DidYouMean, SuggestsNearNamesOnly) {
  EXPECT_EQ(frontend::didYouMean("cuont", {"count", "amount"}), "count");
  EXPECT_EQ(frontend::didYouMean("x", {"y", "zz"}), std::nullopt);
  EXPECT_EQ(frontend::didYouMean("balance", {"t", "requested"}), std::nullopt);
}

} // namespace
} // namespace tioc
