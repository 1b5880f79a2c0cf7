#include "runtime/explore/reach_search.hpp"

#include "ir/print.hpp"
#include "runtime/zones/print.hpp"

#include <algorithm>

namespace tioc::explore {

namespace {

ir::GraphAction actionOf(semantics::Visibility visibility) {
  switch (visibility) {
  case semantics::Visibility::Input:
    return ir::GraphAction::Input;
  case semantics::Visibility::Output:
    return ir::GraphAction::Output;
  default:
    return ir::GraphAction::Unobservable;
  }
}

/// The name of a variable or clock, with its component's where another one is called the same.
template <class Entity>
std::string nameOf(const ir::Model& model, const std::vector<Entity>& all, const Entity& entity) {
  const auto same =
      std::count_if(all.begin(), all.end(), [&](const Entity& other) { return other.name == entity.name; });
  return (entity.owner.valid() && same > 1 ? model[entity.owner].name + "." : "") + entity.name;
}

} // namespace

std::string stepLabel(const ir::Model& model, const eval::Layout& layout, const PathStep& step) {
  if (!step.channel.valid())
    return "tau";
  std::string text = model[step.channel].name;
  text += step.visibility == semantics::Visibility::Input    ? "?"
          : step.visibility == semantics::Visibility::Output ? "!"
                                                             : "";
  const eval::Slot* slot = step.message.data();
  std::string values;
  for (const ir::Member& member : model[step.channel].parameters) {
    values += (values.empty() ? "" : ", ") + eval::printValue(model, member.type, layout.load(member.type, slot));
    slot += layout.sizeOf(member.type);
  }
  return values.empty() ? text : text + "(" + values + ")";
}

ir::GraphNode Reachability::Search::describe(uint32_t node) const {
  const semantics::Network& network = stepper_.network();
  const ir::Model& model = network.model();
  Place place = current_;
  packing_.unpack(table_.state(nodes_[node]->state), place.at.data(), place.frame.data());
  stepper_.readClocks(place);
  ir::GraphNode result;
  for (ir::LocationId id : place.at)
    result.place += (result.place.empty() ? "" : ", ") + model[id].name;
  for (ir::VariableId id : network.variables())
    result.store.emplace_back(
        nameOf(model, model.variables, model[id]),
        eval::printValue(model, model[id].type,
                         stepper_.layout().load(model[id].type, place.frame.data() + stepper_.layout().offsetOf(id))));
  std::vector<std::string> names;
  for (zones::Clock x = 0; x < place.dim; ++x)
    names.push_back(nameOf(model, model.clocks, model[network.clockId(place.clocks[x])]));
  if (place.dim > 1) {
    zones::MatrixVector scratch(zones::dbm::size(place.dim), zones::Bound::zero());
    result.time = {zones::toString(zones_.load(nodes_[node]->zone, place.dim, width(*nodes_[node]), scratch.data()),
                                   place.dim, names)};
  }
  if (coveredBy_[node] != kNone)
    result.coveredBy = coveredBy_[node];
  return result;
}

ir::Graph Reachability::Search::graph() const {
  ir::Graph result;
  const ir::Model& model = stepper_.network().model();
  result.title = model.systems[0].name;
  for (uint32_t i = 0; i < coveredBy_.size(); ++i)
    result.nodes.push_back(describe(i));
  for (const Transition& transition : transitions_) {
    ir::GraphEdge edge;
    edge.from = transition.from;
    edge.to = transition.to;
    edge.action = actionOf(transition.step.visibility);
    edge.label = stepLabel(model, stepper_.layout(), transition.step);
    for (ir::EdgeId id : transition.step.edges) {
      const ir::Automaton& automaton = model[model[model[id].source].automaton];
      edge.edges.push_back(model[id].name.empty() ? ir::printEdge(model, model[id], automaton) : model[id].name);
      if (!edge.span.valid())
        edge.span = model[id].span;
    }
    result.edges.push_back(std::move(edge));
  }
  if (stop_ != Stop::Complete && stop_ != Stop::Reached)
    result.stopped = stopName(stop_);
  result.facts = {{"states", std::to_string(stats_.stored)}, {"transitions", std::to_string(stats_.transitions)}};
  return result;
}

} // namespace tioc::explore
