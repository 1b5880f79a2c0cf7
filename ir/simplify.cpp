#include "ir/decide.hpp"
#include "ir/passes.hpp"

#include <algorithm>

namespace tioc::ir {

namespace {

/// Keeps the tightest constant bound for each pair of clocks and drops what holds anyway.
void tighten(const Model& model, std::vector<ClockConstraint>& constraints) {
  std::vector<ClockConstraint> kept;
  for (const ClockConstraint& c : constraints) {
    const Rational* bound = model.exprs.number(c.bound);
    if (!bound) {
      kept.push_back(c);
      continue;
    }
    bool trivial = c.left == Model::zeroClock() && (bound->sign() > 0 || (bound->isZero() && !c.strict));
    auto same = std::find_if(kept.begin(), kept.end(), [&](const ClockConstraint& k) {
      return k.left == c.left && k.right == c.right && model.exprs.number(k.bound);
    });
    if (trivial)
      continue;
    if (same == kept.end()) {
      kept.push_back(c);
      continue;
    }
    const Rational& known = *model.exprs.number(same->bound);
    if (*bound < known || (*bound == known && c.strict))
      *same = c;
  }
  constraints = std::move(kept);
}

/// Locations that edges reach from the initial one, whatever their guards.
std::vector<bool> reachable(const Model& model, const Automaton& automaton) {
  std::unordered_map<LocationId, std::vector<LocationId>> next;
  for (EdgeId id : automaton.edges)
    next[model[id].source].push_back(model[id].target);
  std::vector<bool> seen(model.locations.size());
  std::vector<LocationId> stack{automaton.initial};
  seen[automaton.initial.value] = true;
  while (!stack.empty()) {
    LocationId here = stack.back();
    stack.pop_back();
    for (LocationId there : next[here])
      if (!seen[there.value]) {
        seen[there.value] = true;
        stack.push_back(there);
      }
  }
  return seen;
}

/// Removes the entries for which `keep` is false; `newId` tells where the others went.
template <class T, class Tag>
std::vector<Id<Tag>> compact(std::vector<T>& items, const std::vector<bool>& keep, Id<Tag>) {
  std::vector<Id<Tag>> newId(items.size());
  size_t next = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    if (!keep[i])
      continue;
    newId[i] = Id<Tag>(next);
    if (next != i)
      items[next] = std::move(items[i]);
    ++next;
  }
  items.resize(next);
  return newId;
}

template <class Tag>
void renumber(std::vector<Id<Tag>>& ids, const std::vector<Id<Tag>>& newId) {
  for (Id<Tag>& id : ids)
    id = newId[id.value];
  std::erase_if(ids, [](Id<Tag> id) { return !id.valid(); });
}

} // namespace

Model simplify(Model model) {
  for (Location& location : model.locations)
    tighten(model, location.invariant.clocks);
  std::vector<bool> keepEdge(model.edges.size());
  for (size_t i = 0; i < model.edges.size(); ++i) {
    tighten(model, model.edges[i].guard.clocks);
    keepEdge[i] = satisfiable(model, model.edges[i].guard, &model.edges[i]) != Decision::No;
  }
  for (Automaton& automaton : model.automata)
    std::erase_if(automaton.edges, [&](EdgeId id) { return !keepEdge[id.value]; });

  std::vector<bool> keepLocation(model.locations.size());
  for (const Automaton& automaton : model.automata) {
    std::vector<bool> seen = reachable(model, automaton);
    for (LocationId id : automaton.locations)
      keepLocation[id.value] = seen[id.value];
  }
  // A timing group keeps its first state, so that it never becomes empty.
  for (const TimingGroup& group : model.groups)
    if (std::none_of(group.locations.begin(), group.locations.end(),
                     [&](LocationId id) { return keepLocation[id.value]; }))
      keepLocation[group.locations.front().value] = true;
  for (size_t i = 0; i < model.edges.size(); ++i)
    keepEdge[i] = keepEdge[i] && keepLocation[model.edges[i].source.value] && keepLocation[model.edges[i].target.value];

  std::vector<LocationId> newLocation = compact(model.locations, keepLocation, LocationId());
  std::vector<EdgeId> newEdge = compact(model.edges, keepEdge, EdgeId());
  for (Edge& edge : model.edges) {
    edge.source = newLocation[edge.source.value];
    edge.target = newLocation[edge.target.value];
  }
  for (TimingGroup& group : model.groups)
    renumber(group.locations, newLocation);
  for (Automaton& automaton : model.automata) {
    renumber(automaton.locations, newLocation);
    renumber(automaton.edges, newEdge);
    automaton.initial = newLocation[automaton.initial.value];
  }
  return model;
}

} // namespace tioc::ir
