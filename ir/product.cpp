#include "ir/copy.hpp"
#include "ir/decide.hpp"
#include "ir/guards.hpp"
#include "ir/passes.hpp"

#include <algorithm>
#include <set>

namespace tioc::ir {

namespace {

class Product {
public:
  Product(const Model& model, AutomatonId specification, AutomatonId purpose)
      : copy_(model), target_(copy_.target), spec_(model[specification]), purpose_(model[purpose]) {}

  Model run() {
    Automaton start;
    start.name = spec_.name + "_" + purpose_.name;
    start.kind = spec_.kind;
    start.deadlines = spec_.deadlines;
    start.span = purpose_.span;
    target_.automata.push_back(std::move(start));
    declare(spec_);
    declare(purpose_);
    initialCondition();
    groups();
    product().initial = at(spec_.initial, purpose_.initial);
    while (!open_.empty()) {
      auto [l, s] = open_.back();
      open_.pop_back();
      expand(l, s);
    }
    finishGroups();
    System system{.name = product().name, .components = {}, .implicit = true, .span = {}};
    system.components.push_back({product().name, self_, {}, {}});
    target_.systems.push_back(std::move(system));
    return std::move(target_);
  }

private:
  Automaton& product() { return target_[self_]; }

  std::string fresh(std::string name) {
    while (!names_.insert(name).second)
      name += "_";
    return name;
  }

  void declare(const Automaton& part) {
    for (VariableId id : part.variables)
      product().variables.push_back(copy_.addVariable(id, self_, fresh(copy_.source[id].name)));
    for (ClockId id : part.clocks)
      product().clocks.push_back(copy_.addClock(id, self_, fresh(copy_.source[id].name)));
  }

  void initialCondition() {
    product().initialCondition =
        target_.exprs.conjunction(copy_.expr(spec_.initialCondition), copy_.expr(purpose_.initialCondition));
  }

  void groups() {
    for (GroupId id : spec_.groups) {
      groups_[id] = GroupId(target_.groups.size());
      product().groups.push_back(groups_[id]);
      TimingGroup group = copy_.source[id];
      group.automaton = self_;
      group.clock = copy_.clock(group.clock);
      group.timeout = copy_.expr(group.timeout);
      group.locations.clear();
      target_.groups.push_back(std::move(group));
    }
  }

  void finishGroups() {
    for (GroupId id : spec_.groups)
      for (const auto& [pair, location] : locations_) {
        const auto& members = copy_.source[id].locations;
        if (std::find(members.begin(), members.end(), pair.first) != members.end())
          target_[groups_.at(id)].locations.push_back(location);
      }
    // A group none of whose states is reached has nothing to wait for.
    std::erase_if(product().groups, [&](GroupId id) { return target_[id].locations.empty(); });
  }

  LocationId at(LocationId l, LocationId s) {
    auto [it, isNew] = locations_.try_emplace({l, s}, LocationId(target_.locations.size()));
    if (isNew) {
      const Location& from = copy_.source[l];
      Location location;
      location.name = from.name + "__" + copy_.source[s].name;
      location.automaton = self_;
      location.mark = copy_.source[s].mark;
      location.urgent = from.urgent;
      location.committed = from.committed;
      location.invariant = conjunction(target_, copy_.guard(from.invariant), copy_.guard(copy_.source[s].invariant));
      location.span = from.span;
      target_.locations.push_back(std::move(location));
      product().locations.push_back(it->second);
      // A tester of a VDTA has to know what may come while it is not sure yet that the purpose is done.
      if (copy_.source[s].mark == Mark::None || spec_.kind == AutomatonKind::Vdta)
        open_.emplace_back(l, s);
    }
    return it->second;
  }

  void emit(Edge edge, LocationId from, LocationId to) {
    if (satisfiable(target_, edge.guard, &edge) == Decision::No)
      return;
    if (edge.deadline && sameGuard(*edge.deadline, edge.guard))
      edge.deadline.reset();
    edge.source = from;
    edge.target = to;
    if (edge.delayGroup.valid())
      edge.delayGroup = groups_.at(edge.delayGroup);
    for (GroupId& group : edge.restarts)
      group = groups_.at(group);
    product().edges.push_back(EdgeId(target_.edges.size()));
    target_.edges.push_back(std::move(edge));
  }

  /// The edge of the specification together with what the purpose does on it.
  Edge joined(const Edge& edge, const Edge& observer) {
    Edge result = copy_.edge(edge);
    Edge other = copy_.edge(observer);
    keepDeadline(result);
    result.guard = conjunction(target_, result.guard, other.guard);
    result.updates.insert(result.updates.end(), other.updates.begin(), other.updates.end());
    result.resets.insert(result.resets.end(), other.resets.begin(), other.resets.end());
    result.urgency = std::max(edge.urgency, observer.urgency);
    for (size_t i = 0; i < result.parameters.size() && i < other.parameters.size(); ++i)
      if (result.parameters[i].name.empty())
        result.parameters[i].name = other.parameters[i].name;
    return result;
  }

  /// The parts into which an edge is cut share its deadline: time may pass from one part into the next, and only the
  /// end of the whole is a last chance.
  static void keepDeadline(Edge& edge) {
    if (!edge.deadline && edge.urgency != Urgency::Lazy)
      edge.deadline = edge.guard;
  }

  /// Where none of `edges` is enabled, as disjoint guards.
  std::vector<Guard> noneEnabled(const std::vector<EdgeId>& edges) {
    std::vector<Guard> guards;
    for (EdgeId id : edges)
      guards.push_back(copy_.guard(copy_.source[id].guard));
    return noneOf(target_, guards);
  }

  void emitWhere(const Edge& edge, const std::vector<Guard>& where, LocationId from, LocationId to) {
    for (const Guard& guard : where) {
      Edge part = edge;
      keepDeadline(part);
      part.guard = conjunction(target_, edge.guard, guard);
      emit(std::move(part), from, to);
    }
  }

  void expand(LocationId l, LocationId s) {
    std::vector<EdgeId> edges = edgesFrom(copy_.source, spec_, l);
    std::vector<EdgeId> observers = edgesFrom(copy_.source, purpose_, s);
    LocationId here = at(l, s);
    if (spec_.kind == AutomatonKind::Vdta) {
      expandSignals(l, s, here, edges, observers);
      return;
    }
    for (EdgeId id : edges)
      expandMessage(copy_.source[id], s, here, observers);
    for (EdgeId id : observers)
      if (copy_.source[id].action == ActionKind::Internal)
        emit(copy_.edge(copy_.source[id]), here, at(l, copy_.source[id].target)); // B, rule 2
  }

  void expandMessage(const Edge& edge, LocationId s, LocationId here, const std::vector<EdgeId>& observers) {
    bool message = edge.action == ActionKind::Receive || edge.action == ActionKind::Send;
    bool hidden =
        message && copy_.source[edge.channel].direction == Direction::Internal && !copy_.source[edge.channel].open;
    if (!message || hidden) {
      emit(copy_.edge(edge), here, at(edge.target, s)); // B, rule 1
      return;
    }
    std::vector<EdgeId> matching;
    const Edge* otherwise = nullptr;
    for (EdgeId id : observers) {
      const Edge& observer = copy_.source[id];
      if (observer.action == edge.action && observer.channel == edge.channel) {
        matching.push_back(id);
        emit(joined(edge, observer), here, at(edge.target, observer.target)); // B, rule 3
      } else if (observer.action == ActionKind::Otherwise) {
        otherwise = &observer;
      }
    }
    std::vector<Guard> rest = noneEnabled(matching);
    if (rest.empty())
      return;
    if (otherwise)
      emitWhere(joined(edge, *otherwise), rest, here, at(edge.target, otherwise->target));
    else
      emitWhere(copy_.edge(edge), rest, here, at(edge.target, s));
  }

  /// E, rules R1 to R3.
  void expandSignals(LocationId l, LocationId s, LocationId here, const std::vector<EdgeId>& edges,
                     const std::vector<EdgeId>& observers) {
    std::vector<Guard> noObserver = noneEnabled(observers);
    std::vector<Guard> noEdge = noneEnabled(edges);
    for (EdgeId id : edges) {
      const Edge& edge = copy_.source[id];
      emitWhere(copy_.edge(edge), noObserver, here, at(edge.target, s));
      for (EdgeId other : observers)
        emit(joined(edge, copy_.source[other]), here, at(edge.target, copy_.source[other].target));
    }
    for (EdgeId other : observers)
      emitWhere(copy_.edge(copy_.source[other]), noEdge, here, at(l, copy_.source[other].target));
  }

  Copy copy_;
  Model& target_;
  const Automaton& spec_;
  const Automaton& purpose_;
  AutomatonId self_{0};
  std::set<std::string> names_;
  std::unordered_map<GroupId, GroupId> groups_;
  std::map<std::pair<LocationId, LocationId>, LocationId> locations_;
  std::vector<std::pair<LocationId, LocationId>> open_;
};

} // namespace

Model product(const Model& model, AutomatonId specification, AutomatonId purpose) {
  return Product(model, specification, purpose).run();
}

} // namespace tioc::ir
