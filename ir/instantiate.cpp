#include "ir/copy.hpp"
#include "ir/passes.hpp"

#include <algorithm>
#include <cassert>

namespace tioc::ir {

namespace {

/// Copies a whole automaton, locations, groups and edges included.
AutomatonId copyAutomaton(Copy& copy, AutomatonId from, const std::string& name) {
  const Automaton& source = copy.source[from];
  Model& target = copy.target;
  AutomatonId self(target.automata.size());
  target.automata.push_back({.name = name, .kind = source.kind, .deadlines = source.deadlines, .span = source.span});
  Automaton automaton = target[self];
  for (VariableId id : source.variables)
    automaton.variables.push_back(copy.addVariable(id, self, copy.source[id].name));
  for (ClockId id : source.clocks)
    automaton.clocks.push_back(copy.addClock(id, self, copy.source[id].name));
  automaton.initialCondition = copy.expr(source.initialCondition);

  std::unordered_map<LocationId, LocationId> locations;
  for (LocationId id : source.locations) {
    LocationId fresh(target.locations.size());
    locations[id] = fresh;
    automaton.locations.push_back(fresh);
    Location location = copy.source[id];
    location.automaton = self;
    location.invariant = copy.guard(copy.source[id].invariant);
    target.locations.push_back(std::move(location));
  }
  automaton.initial = locations.at(source.initial);

  std::unordered_map<GroupId, GroupId> groups;
  for (GroupId id : source.groups) {
    GroupId fresh(target.groups.size());
    groups[id] = fresh;
    automaton.groups.push_back(fresh);
    TimingGroup group = copy.source[id];
    group.automaton = self;
    group.clock = copy.clock(group.clock);
    group.timeout = copy.expr(group.timeout);
    for (LocationId& location : group.locations)
      location = locations.at(location);
    target.groups.push_back(std::move(group));
  }

  for (EdgeId id : source.edges) {
    Edge edge = copy.edge(copy.source[id]);
    edge.source = locations.at(edge.source);
    edge.target = locations.at(edge.target);
    if (edge.delayGroup.valid())
      edge.delayGroup = groups.at(edge.delayGroup);
    for (GroupId& group : edge.restarts)
      group = groups.at(group);
    automaton.edges.push_back(EdgeId(target.edges.size()));
    target.edges.push_back(std::move(edge));
  }
  target[self] = std::move(automaton);
  return self;
}

} // namespace

Model instantiate(const Model& model, SystemId systemId) {
  Copy copy(model);
  const System& from = model[systemId];
  System system = from;
  for (Component& component : system.components) {
    assert(std::all_of(component.arguments.begin(), component.arguments.end(),
                       [&](ExprId id) { return model.exprs.isConstant(id); }));
    copy.setArguments(component.arguments);
    component.automaton = copyAutomaton(copy, component.automaton, component.name);
    component.arguments.clear();
  }
  copy.setArguments({});
  std::unordered_map<AutomatonId, AutomatonId> purposes;
  for (size_t i = 0; i < model.automata.size(); ++i) {
    if (model.automata[i].kind != AutomatonKind::Purpose || model.automata[i].subject != systemId)
      continue;
    AutomatonId fresh = copyAutomaton(copy, AutomatonId(i), model.automata[i].name);
    copy.target[fresh].subject = SystemId(0);
    purposes[AutomatonId(i)] = fresh;
  }
  copy.target.systems.push_back(std::move(system));
  for (const Suite& suite : model.suites) {
    if (suite.subject != systemId)
      continue;
    Suite fresh = suite;
    fresh.subject = SystemId(0);
    for (AutomatonId& purpose : fresh.purposes)
      purpose = purposes.at(purpose);
    copy.target.suites.push_back(std::move(fresh));
  }
  return std::move(copy.target);
}

} // namespace tioc::ir
