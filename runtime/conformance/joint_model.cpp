#include "runtime/conformance/joint_model.hpp"

#include <algorithm>
#include <unordered_map>

namespace tioc::conformance {

using ir::ExprId;

namespace {

/// Adds one model to another; ids move by what is there already. The reference clock is shared.
class Joiner {
public:
  Joiner(ir::Model& to, const ir::Model& from)
      : to_(to), from_(from), variables_(to.variables.size()), clocks_(to.clocks.size() - 1),
        locations_(to.locations.size()), edges_(to.edges.size()), groups_(to.groups.size()),
        automata_(to.automata.size()) {}

  void run() {
    for (ir::Variable variable : from_.variables) {
      move(variable.owner, automata_);
      variable.initial = expr(variable.initial);
      to_.variables.push_back(std::move(variable));
    }
    for (size_t i = 1; i < from_.clocks.size(); ++i) {
      ir::Clock clock = from_.clocks[i];
      move(clock.owner, automata_);
      to_.clocks.push_back(std::move(clock));
    }
    for (ir::Location location : from_.locations) {
      move(location.automaton, automata_);
      location.invariant = guard(location.invariant);
      to_.locations.push_back(std::move(location));
    }
    for (const ir::Edge& edge : from_.edges)
      add(edge);
    for (ir::TimingGroup group : from_.groups) {
      move(group.automaton, automata_);
      group.clock = clock(group.clock);
      for (ir::LocationId& id : group.locations)
        move(id, locations_);
      group.timeout = expr(group.timeout);
      to_.groups.push_back(std::move(group));
    }
    for (const ir::Automaton& automaton : from_.automata)
      add(automaton);
    for (ir::System system : from_.systems) {
      for (ir::Component& component : system.components)
        move(component.automaton, automata_);
      to_.systems.push_back(std::move(system));
    }
  }

private:
  template <class Id>
  static void move(Id& id, size_t by) {
    if (id.valid())
      id = Id(id.value + by);
  }

  ir::ClockId clock(ir::ClockId id) const {
    return id.valid() && id != ir::Model::zeroClock() ? ir::ClockId(id.value + clocks_) : id;
  }

  ExprId expr(ExprId root) {
    if (!root.valid())
      return root;
    const ir::ExprPool& pool = from_.exprs;
    pool.visit(root, [&](ExprId id) {
      if (known_.contains(id))
        return;
      std::vector<ExprId> operands;
      for (ExprId operand : pool.operands(id))
        operands.push_back(known_.at(operand));
      known_[id] = pool.op(id) == ir::Op::Variable
                       ? to_.exprs.variable(ir::VariableId(pool.payload(id) + variables_), pool.type(id))
                       : to_.exprs.adopt(pool, id, operands);
    });
    return known_.at(root);
  }

  ir::Guard guard(const ir::Guard& guard) {
    ir::Guard result{expr(guard.data), guard.clocks};
    for (ir::ClockConstraint& c : result.clocks)
      c = {clock(c.left), clock(c.right), c.strict, expr(c.bound), c.span};
    return result;
  }

  void add(ir::Edge edge) {
    move(edge.source, locations_);
    move(edge.target, locations_);
    edge.guard = guard(edge.guard);
    if (edge.deadline)
      edge.deadline = guard(*edge.deadline);
    for (ir::Update& update : edge.updates) {
      move(update.variable, variables_);
      update.value = expr(update.value);
    }
    for (ir::Reset& reset : edge.resets)
      reset = {clock(reset.clock), clock(reset.source), expr(reset.value)};
    for (ExprId* time : {&edge.minDuration, &edge.maxDuration, &edge.jitter})
      *time = expr(*time);
    move(edge.delayGroup, groups_);
    for (ir::GroupId& id : edge.restarts)
      move(id, groups_);
    to_.edges.push_back(std::move(edge));
  }

  void add(ir::Automaton automaton) {
    for (ir::VariableId& id : automaton.variables)
      move(id, variables_);
    for (ir::ClockId& id : automaton.clocks)
      id = clock(id);
    for (ir::LocationId& id : automaton.locations)
      move(id, locations_);
    for (ir::EdgeId& id : automaton.edges)
      move(id, edges_);
    for (ir::GroupId& id : automaton.groups)
      move(id, groups_);
    move(automaton.initial, locations_);
    automaton.initialCondition = expr(automaton.initialCondition);
    to_.automata.push_back(std::move(automaton));
  }

  ir::Model& to_;
  const ir::Model& from_;
  size_t variables_, clocks_, locations_, edges_, groups_, automata_;
  std::unordered_map<ExprId, ExprId> known_;
};

} // namespace

bool haveSameInterface(const ir::Model& first, const ir::Model& second) {
  if (first.types.size() != second.types.size() || first.enums.size() != second.enums.size() ||
      first.records.size() != second.records.size())
    return false;
  for (size_t i = 0; i < first.types.size(); ++i)
    if (!(first.types[ir::TypeId(i)] == second.types[ir::TypeId(i)]))
      return false;
  return std::equal(first.channels.begin(), first.channels.end(), second.channels.begin(), second.channels.end(),
                    [](const ir::Channel& a, const ir::Channel& b) {
                      return a.name == b.name && a.direction == b.direction && a.broadcast == b.broadcast &&
                             a.open == b.open &&
                             std::equal(a.parameters.begin(), a.parameters.end(), b.parameters.begin(),
                                        b.parameters.end(),
                                        [](const ir::Member& x, const ir::Member& y) { return x.type == y.type; });
                    });
}

ir::Model jointModel(const ir::Model& first, const ir::Model& second) {
  ir::Model joint = first;
  Joiner(joint, second).run();
  joint.suites.clear();
  return joint;
}

} // namespace tioc::conformance
