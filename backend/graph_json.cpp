#include "backend/graph_json.hpp"

#include <nlohmann/json.hpp>

namespace tioc::backend {

namespace {

using namespace ir;
using Json = nlohmann::ordered_json;

Json pairs(const std::vector<std::pair<std::string, std::string>>& list) {
  Json result = Json::array();
  for (const auto& [name, value] : list)
    result.push_back({{"name", name}, {"value", value}});
  return result;
}

Json markWord(Mark mark) {
  switch (mark) {
  case Mark::Accept:
    return "accept";
  case Mark::Reject:
    return "reject";
  case Mark::None:
    break;
  }
  return nullptr;
}

const char* word(GraphAction action) {
  switch (action) {
  case GraphAction::Input:
    return "input";
  case GraphAction::Output:
    return "output";
  case GraphAction::Unobservable:
    break;
  }
  return "unobservable";
}

Json toJson(const GraphNode& node, size_t id) {
  return {{"id", id},
          {"place", node.place},
          {"store", pairs(node.store)},
          {"condition", node.condition},
          {"time", node.time},
          {"notes", node.notes},
          {"mark", markWord(node.mark)},
          {"coveredBy", node.coveredBy ? Json(*node.coveredBy) : Json(nullptr)},
          {"uncertain", node.uncertain},
          {"open", node.open}};
}

Json toJson(const GraphEdge& edge) {
  return {{"from", edge.from},
          {"to", edge.to},
          {"action", word(edge.action)},
          {"label", edge.label},
          {"edges", edge.edges}};
}

} // namespace

std::string graphJson(const Graph& graph) {
  Json nodes = Json::array();
  for (const GraphNode& node : graph.nodes)
    nodes.push_back(toJson(node, nodes.size()));
  Json edges = Json::array();
  for (const GraphEdge& edge : graph.edges)
    edges.push_back(toJson(edge));
  Json result = {{"format", "tioc-graph/1"}, {"title", graph.title},        {"tree", graph.isTree},
                 {"stopped", graph.stopped}, {"facts", pairs(graph.facts)}, {"nodes", std::move(nodes)},
                 {"edges", std::move(edges)}};
  return result.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace tioc::backend
