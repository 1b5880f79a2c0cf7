#include "backend/suite_html.hpp"

#include "backend/graph_json.hpp"
#include "backend/page.hpp"

#include <nlohmann/json.hpp>

namespace tioc::backend {

extern const char* const suitePage;

namespace {

using namespace ir;
using Json = nlohmann::ordered_json;

/// The automata side by side, their edges in the order of the outlines. The first state of each is its initial one.
Graph drawing(const TestSuite& suite) {
  Graph graph;
  graph.title = suite.name;
  for (const Outline& automaton : suite.automata) {
    const auto first = static_cast<uint32_t>(graph.nodes.size());
    const auto add = [&](uint32_t state) {
      GraphNode& node = graph.nodes.emplace_back();
      node.place = (suite.automata.size() > 1 ? automaton.name + "." : "") + automaton.states[state];
    };
    add(automaton.initial);
    for (uint32_t i = 0; i < automaton.states.size(); ++i)
      if (i != automaton.initial)
        add(i);
    const auto node = [&](uint32_t state) {
      return first + (state == automaton.initial ? 0 : state < automaton.initial ? state + 1 : state);
    };
    for (const OutlineEdge& edge : automaton.edges) {
      const auto action = edge.label.ends_with('?')   ? GraphAction::Input
                          : edge.label.ends_with('!') ? GraphAction::Output
                                                      : GraphAction::Unobservable;
      graph.edges.push_back({node(edge.from), node(edge.to), action, edge.label, {edge.edge.what}, edge.edge.span});
    }
  }
  return graph;
}

Json toJson(const CaseRun& run) {
  Json log = Json::array();
  for (const CaseRun::Event& event : run.log)
    log.push_back(
        {{"time", event.time}, {"output", event.output}, {"message", event.message}, {"values", event.values}});
  Json path = Json::array();
  for (const CaseRun::Step& step : run.path)
    path.push_back({{"node", step.node.value}, {"branch", step.branch ? Json(*step.branch) : Json(nullptr)}});
  return {{"name", run.name},
          {"verdict", word(run.verdict)},
          {"reason", run.reason},
          {"seconds", run.seconds},
          {"log", std::move(log)},
          {"path", std::move(path)},
          {"position", run.position.valid() ? Json(run.position.value) : Json(nullptr)}};
}

} // namespace

std::string suiteHtml(const TestSuite& suite, const PlaceName& place, std::span<const CaseRun> runs) {
  Json list = Json::array();
  for (const CaseRun& run : runs)
    list.push_back(toJson(run));
  return fillPage(suitePage, {{"title", markupEscaped(suite.name + " for " + suite.system)},
                              {"graph", scriptEscaped(graphJson(drawing(suite)))},
                              {"suite", scriptEscaped(suiteJson(suite, place))},
                              {"runs", scriptEscaped(list.dump(-1, ' ', false, Json::error_handler_t::replace))}});
}

} // namespace tioc::backend
