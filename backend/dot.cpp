#include "backend/dot.hpp"

#include "ir/print.hpp"

namespace tioc::backend {

namespace {

using namespace ir;

/// Long labels are cut at the clauses, one a line.
std::string edgeLabel(const Model& model, const Edge& edge, const Automaton& automaton) {
  std::string text = printEdge(model, edge, automaton);
  text = text.substr(0, text.rfind(" -> "));
  if (text.starts_with("-> "))
    text.clear();
  for (const char* clause : {" when ", " do ", " takes "})
    if (size_t at = text.find(clause); at != std::string::npos)
      text[at] = '\n';
  return text;
}

const char* fill(const Location& location) {
  if (location.mark == Mark::Accept)
    return "#cdeccd";
  if (location.mark == Mark::Reject)
    return "#f3cccc";
  return location.urgent || location.committed ? "#fbe6c2" : "#f4f6fa";
}

} // namespace

std::string dotQuoted(const std::string& text) {
  std::string result = "\"";
  for (char c : text)
    result += c == '"' || c == '\\' ? std::string{'\\', c} : c == '\n' ? std::string("\\n") : std::string{c};
  return result + "\"";
}

std::string dot(const Model& model) {
  std::string out =
      "digraph " + dotQuoted(model.name) +
      " {\n  rankdir=LR;\n  compound=true;\n  node [shape=box, style=\"rounded,filled\", fontname=\"sans-serif\"];\n"
      "  edge [fontname=\"sans-serif\", fontsize=10];\n";
  for (size_t a = 0; a < model.automata.size(); ++a) {
    const Automaton& automaton = model.automata[a];
    std::string id = std::to_string(a);
    out += "  subgraph cluster_" + id +
           " {\n    label=" + dotQuoted(std::string(word(automaton.kind)) + " " + automaton.name) + ";\n";
    out += "    start_" + id + " [shape=point, width=0.12];\n";
    for (LocationId location : automaton.locations) {
      std::string label = model[location].name;
      if (std::string invariant = printGuard(model, model[location].invariant, nullptr, &automaton); !invariant.empty())
        label += "\n" + invariant;
      out += "    l" + std::to_string(location.value) + " [label=" + dotQuoted(label) + ", fillcolor=\"" +
             fill(model[location]) + "\"];\n";
    }
    std::string condition = model.exprs.isTrue(automaton.initialCondition)
                                ? ""
                                : printExpr(model, automaton.initialCondition, nullptr, &automaton);
    out += "    start_" + id + " -> l" + std::to_string(automaton.initial.value) + " [label=" + dotQuoted(condition) +
           "];\n";
    for (EdgeId edge : automaton.edges)
      out += "    l" + std::to_string(model[edge].source.value) + " -> l" + std::to_string(model[edge].target.value) +
             " [label=" + dotQuoted(edgeLabel(model, model[edge], automaton)) + "];\n";
    out += "  }\n";
  }
  return out + "}\n";
}

} // namespace tioc::backend
