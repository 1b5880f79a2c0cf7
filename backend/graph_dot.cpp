#include "backend/graph_dot.hpp"

#include "backend/dot.hpp"

namespace tioc::backend {

namespace {

using namespace ir;

std::string boxText(const GraphNode& node) {
  std::string text = node.place;
  for (const auto& [name, value] : node.store)
    text += "\n" + name + " = " + value;
  for (const auto* lines : {&node.condition, &node.time, &node.notes})
    for (const std::string& line : *lines)
      text += "\n" + line;
  return text;
}

/// The same order of importance as on the page.
const char* fill(const GraphNode& node) {
  if (node.mark == Mark::Accept)
    return "#cdeccd";
  if (node.mark == Mark::Reject)
    return "#f3cccc";
  if (node.open)
    return "#fbe6c2";
  return node.coveredBy ? "#e6dcf5" : "#f4f6fa";
}

const char* look(GraphAction action) {
  switch (action) {
  case GraphAction::Input:
    return "color=\"#1f6fc4\", fontcolor=\"#1f6fc4\"";
  case GraphAction::Output:
    return "color=\"#b4531a\", fontcolor=\"#b4531a\"";
  case GraphAction::Unobservable:
    break;
  }
  return "color=\"#707a8a\", fontcolor=\"#707a8a\", style=dotted";
}

} // namespace

std::string graphDot(const Graph& graph) {
  std::string caption = graph.title;
  if (!graph.stopped.empty())
    caption += "\nstopped: " + graph.stopped;
  std::string out = "digraph " + dotQuoted(graph.title) + " {\n  rankdir=LR;\n  label=" + dotQuoted(caption) +
                    ";\n  labelloc=t;\n  fontname=\"sans-serif\";\n"
                    "  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\", fontsize=11];\n"
                    "  edge [fontname=\"sans-serif\", fontsize=10];\n";
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    const GraphNode& node = graph.nodes[i];
    out += "  s" + std::to_string(i) + " [label=" + dotQuoted(boxText(node)) + ", fillcolor=\"" + fill(node) + "\"" +
           (node.uncertain ? ", style=\"rounded,filled,dashed\"" : "") + "];\n";
  }
  for (const GraphEdge& edge : graph.edges)
    out += "  s" + std::to_string(edge.from) + " -> s" + std::to_string(edge.to) + " [label=" + dotQuoted(edge.label) +
           ", " + look(edge.action) + "];\n";
  for (size_t i = 0; i < graph.nodes.size(); ++i)
    if (graph.nodes[i].coveredBy)
      out += "  s" + std::to_string(i) + " -> s" + std::to_string(*graph.nodes[i].coveredBy) +
             " [style=dashed, color=\"#8250c4\", constraint=false];\n";
  return out + "}\n";
}

} // namespace tioc::backend
