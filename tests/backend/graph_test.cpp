#include "backend/graph_dot.hpp"
#include "backend/graph_html.hpp"
#include "backend/graph_json.hpp"
#include "samples.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tioc {
namespace {

using nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

size_t occurrences(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

TEST(GraphJson, HoldsAllThatTheGraphHolds) {
  json graph = json::parse(backend::graphJson(samples::atmTree()));
  EXPECT_EQ(graph["format"], "tioc-graph/1");
  EXPECT_EQ(graph["title"], "Atm");
  EXPECT_EQ(graph["tree"], true);
  EXPECT_EQ(graph["stopped"], "depth 5");
  EXPECT_EQ(graph["facts"][0], (json{{"name", "solver queries"}, {"value", "31"}}));
  ASSERT_EQ(graph["nodes"].size(), 9u);
  const json& covered = graph["nodes"][5];
  EXPECT_EQ(covered["id"], 5);
  EXPECT_EQ(covered["place"], "Idle");
  EXPECT_EQ(covered["store"][1], (json{{"name", "requested"}, {"value", "amount#1"}}));
  EXPECT_EQ(covered["condition"], (json{"balance#0 > 0", "amount#1 > 0", "amount#1 > balance#0"}));
  EXPECT_EQ(covered["time"], json{"t >= 0"});
  EXPECT_EQ(covered["notes"], json{"quiescent"});
  EXPECT_EQ(covered["coveredBy"], 0);
  EXPECT_TRUE(covered["mark"].is_null());
  EXPECT_TRUE(graph["nodes"][0]["coveredBy"].is_null());
  EXPECT_EQ(graph["nodes"][6]["mark"], "accept");
  EXPECT_EQ(graph["nodes"][8]["mark"], "reject");
  EXPECT_EQ(graph["nodes"][7]["open"], true);
  EXPECT_EQ(graph["nodes"][3]["uncertain"], true);
  ASSERT_EQ(graph["edges"].size(), 8u);
  EXPECT_EQ(graph["edges"][0]["action"], "input");
  EXPECT_EQ(graph["edges"][1]["action"], "output");
  EXPECT_EQ(graph["edges"][3]["action"], "unobservable");
  EXPECT_EQ(graph["edges"][1]["from"], 1);
  EXPECT_EQ(graph["edges"][1]["to"], 2);
  EXPECT_EQ(graph["edges"][1]["label"], "DispenseCash!(amount#1)");
  EXPECT_EQ(graph["edges"][1]["edges"].size(), 1u);
}

TEST(GraphJson, HasEveryKeyForEveryStateInOneOrder) {
  const std::string text = backend::graphJson(samples::lightGraph());
  EXPECT_TRUE(contains(text, "{\"id\":3,\"place\":\"Ready, Dimming\",\"store\":[{\"name\":\"taps\",\"value\":\"1\"}],"
                             "\"condition\":[],\"time\":[\"x - y == 1\",\"y <= 2\"],\"notes\":[],\"mark\":null,"
                             "\"coveredBy\":null,\"uncertain\":false,\"open\":false}"));
  EXPECT_TRUE(contains(text, "\"stopped\":\"\""));
}

TEST(GraphJson, GivesTextsBackUnchanged) {
  ir::Graph hostile = samples::hostileGraph();
  json graph = json::parse(backend::graphJson(hostile));
  EXPECT_EQ(graph["title"], hostile.title);
  EXPECT_EQ(graph["nodes"][0]["store"][0]["name"], hostile.title);
  EXPECT_EQ(graph["edges"][0]["edges"][0], hostile.title);
}

TEST(GraphJson, ReplacesBytesThatAreNoUtf8) {
  ir::Graph graph;
  graph.title = "a\xff";
  EXPECT_EQ(json::parse(backend::graphJson(graph))["title"], "a\uFFFD");
}

TEST(GraphDot, QuotesEveryText) {
  const std::string dot = backend::graphDot(samples::hostileGraph());
  EXPECT_FALSE(contains(dot, "</script>\"")) << "an unescaped quote ends the label";
  EXPECT_TRUE(contains(dot, "</script>\\\"'&amp;\\\\n{{graph}}<!--\\n"));
  EXPECT_EQ(occurrences(dot, "\n"), 11u) << "a line break in a text must not break a line of the file";
}

TEST(GraphDot, DrawsStatesStepsAndCoveringLinks) {
  const std::string dot = backend::graphDot(samples::atmTree());
  EXPECT_TRUE(contains(dot, "stopped: depth 5"));
  EXPECT_TRUE(contains(dot,
                       "s2 [label=\"Idle\\nbalance = balance#0 - amount#1\\nrequested = amount#1\\nbalance#0 > 0\\n"
                       "amount#1 > 0\\namount#1 <= balance#0\\nt >= 0\\nquiescent\""));
  EXPECT_TRUE(contains(dot, "s1 -> s2 [label=\"DispenseCash!(amount#1)\""));
  EXPECT_TRUE(contains(dot, "s5 -> s0 [style=dashed"));
  EXPECT_EQ(occurrences(dot, " -> "), 8u + 1u);
}

TEST(GraphHtml, CannotBeLeftByATextOfTheModel) {
  const std::string plain = backend::graphHtml(ir::Graph{});
  const std::string page = backend::graphHtml(samples::hostileGraph());
  EXPECT_EQ(occurrences(page, "<script"), occurrences(plain, "<script"));
  EXPECT_EQ(occurrences(page, "</script"), occurrences(plain, "</script"));
  EXPECT_EQ(occurrences(page, "<!--"), 0u);
}

TEST(GraphHtml, NamesNoOtherResource) {
  std::string page = backend::graphHtml(samples::atmTree());
  const std::string svgName = "http://www.w3.org/2000/svg"; // a name, never loaded
  ASSERT_TRUE(contains(page, svgName));
  page.erase(page.find(svgName), svgName.size());
  for (const char* reference : {"http:", "https:", "src=", "@import", "url(h", "fetch(", "XMLHttpRequest"})
    EXPECT_FALSE(contains(page, reference)) << reference;
}

TEST(GraphPictures, AreTheSameEveryTime) {
  EXPECT_EQ(backend::graphJson(samples::largeGraph(300)), backend::graphJson(samples::largeGraph(300)));
  EXPECT_EQ(backend::graphDot(samples::largeTree(300)), backend::graphDot(samples::largeTree(300)));
  EXPECT_EQ(backend::graphHtml(samples::atmTree()), backend::graphHtml(samples::atmTree()));
}

} // namespace
} // namespace tioc
