#include "runtime/testgen/outline.hpp"

#include "ir/passes.hpp"
#include "runtime/testgen/goals.hpp"

#include <algorithm>

namespace tioc::testgen {

namespace {

std::string labelOf(const ir::Model& model, const ir::Edge& edge) {
  if (!edge.channel.valid())
    return "";
  return model[edge.channel].name + (edge.action == ir::ActionKind::Send ? "!" : "?");
}

} // namespace

std::vector<ir::Outline> outline(const ir::Model& model) {
  std::vector<ir::Outline> result;
  for (const ir::Automaton& automaton : model.automata) {
    if (automaton.kind == ir::AutomatonKind::Purpose)
      continue;
    ir::Outline& one = result.emplace_back();
    one.name = automaton.name;
    const auto index = [&](ir::LocationId id) {
      return static_cast<uint32_t>(std::find(one.states.begin(), one.states.end(), ir::sourceName(model[id])) -
                                   one.states.begin());
    };
    for (ir::LocationId id : automaton.locations)
      if (!ir::isImplicit(model[id]))
        one.states.push_back(model[id].name);
    one.initial = index(automaton.initial);
    for (ir::EdgeId id : automaton.edges) {
      const ir::Edge& edge = model[id];
      if (ir::isImplicit(edge))
        continue;
      one.edges.push_back(
          {{describe(model, id), edge.span}, labelOf(model, edge), index(edge.source), index(edge.target)});
    }
  }
  return result;
}

} // namespace tioc::testgen
