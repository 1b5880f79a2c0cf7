#include "semantics/ests_reference.hpp"

#include <algorithm>
#include <numeric>

namespace tioc::semantics::reference {

using ir::ActionKind;
using ir::EdgeId;
using ir::LocationId;

namespace {

// A reaction with more transitions counts as endless.
constexpr size_t kLongest = 1000;

ir::reference::Valuation valuation(const Configuration& at, const std::vector<Value>& values) {
  return {at.attributes, values};
}

bool fits(const ir::Model& model, ir::TypeId id, const Value& value) {
  const ir::Type& type = model.types[id];
  return !type.range || (type.range->first <= value.number && value.number <= type.range->last);
}

} // namespace

Composition::Composition(const ir::Model& model, Rational grain) : model_(model), grain_(std::move(grain)) {
  for (const ir::Component& component : model.systems[0].components)
    components_.push_back(component.automaton);
}

Rational Composition::World::time() const {
  return std::accumulate(spent.begin(), spent.end(), begin);
}

Rational Composition::World::latest() const {
  Rational time = begin, most = begin;
  for (const Rational& amount : spent) {
    time = time + amount;
    most = std::max(most, time);
  }
  for (const Observable& signal : seen)
    most = std::max(most, signal.time);
  return most;
}

std::vector<EdgeId> Composition::out(const Configuration& at, uint32_t component) const {
  std::vector<EdgeId> result;
  for (EdgeId id : model_[components_[component]].edges)
    if (model_[id].source == at.at[component])
      result.push_back(id);
  return result;
}

/// Where the edge leads, its time aside; nothing if it is not enabled.
std::optional<Configuration> Composition::after(const Configuration& at, EdgeId id,
                                                const std::vector<Value>& values) const {
  const ir::Edge& edge = model_[id];
  if (!ir::reference::holds(model_, edge.guard, valuation(at, values), {}))
    return std::nullopt;
  Configuration result = at;
  for (const ir::Update& update : edge.updates) {
    const auto value = ir::reference::evaluate(model_, update.value, valuation(at, values));
    if (!value || !fits(model_, model_[update.variable].type, *value))
      return std::nullopt;
    result.attributes[update.variable.value] = *value;
  }
  const auto owner = std::find(components_.begin(), components_.end(), model_[edge.source].automaton);
  result.at[static_cast<size_t>(owner - components_.begin())] = edge.target;
  return result;
}

/// What an output sends: each parameter stands in a conjunct `p == term`.
std::vector<Value> Composition::sent(const Configuration& at, EdgeId id) const {
  const ir::Edge& edge = model_[id];
  std::vector<Value> values(edge.parameters.size());
  for (ir::ExprId part : model_.exprs.conjuncts(edge.guard.data)) {
    if (model_.exprs.op(part) != ir::Op::Equal)
      continue;
    for (size_t side : {0, 1}) {
      const ir::ExprId leaf = model_.exprs.operands(part)[side], term = model_.exprs.operands(part)[1 - side];
      if (model_.exprs.op(leaf) == ir::Op::Local && model_.exprs.op(term) != ir::Op::Local)
        if (const auto value = ir::reference::evaluate(model_, term, valuation(at, {})))
          values[model_.exprs.payload(leaf)] = *value;
    }
  }
  return values;
}

std::vector<EdgeId> Composition::strongest(const Configuration& at, std::vector<EdgeId> edges,
                                           const std::vector<Value>* values) const {
  std::erase_if(edges, [&](EdgeId id) { return !after(at, id, values ? *values : sent(at, id)); });
  uint32_t most = 0;
  for (EdgeId id : edges)
    most = std::max(most, model_[id].priority);
  std::erase_if(edges, [&](EdgeId id) { return model_[id].priority < most; });
  return edges;
}

/// Groups that wait for their timeout and have a delay transition whose guard holds, with the time when it is due.
std::vector<Composition::Overdue> Composition::timeouts(const Configuration& at) const {
  std::vector<Overdue> result;
  for (uint32_t i = 0; i < components_.size(); ++i)
    for (ir::GroupId group : model_[components_[i]].groups) {
      bool ready = false;
      for (EdgeId id : out(at, i))
        ready |= model_[id].action == ActionKind::Delay && model_[id].delayGroup == group && after(at, id, {});
      if (!ready)
        continue;
      const auto timeout = ir::reference::evaluate(model_, model_[group].timeout, valuation(at, {}));
      result.push_back({i, group, at.zero.at(group.value) + timeout->number});
    }
  return result;
}

std::vector<Rational> Composition::choices(const Rational& low, const Rational& high) const {
  std::vector<Rational> result{low};
  while (!grain_.isZero() && result.back() < high)
    result.push_back(std::min(high, result.back() + grain_));
  return result;
}

/// Rules 2 to 6. `due`: the edge is a delay transition, due then.
std::vector<Composition::World> Composition::traverse(const World& world, uint32_t component, EdgeId id,
                                                      const std::vector<Value>& values,
                                                      std::optional<Rational> due) const {
  const ir::Edge& edge = model_[id];
  const std::optional<Configuration> behind = after(world.now, id, values);
  if (!behind)
    return {};
  const auto timeOf = [&](ir::ExprId expr, const Configuration& at) {
    return expr.valid() ? ir::reference::evaluate(model_, expr, valuation(at, values))->number : Rational();
  };
  const Rational low = timeOf(edge.minDuration, world.now);
  const Rational high = edge.maxDuration.valid() ? timeOf(edge.maxDuration, world.now) : low;
  std::vector<World> result;
  for (Rational spent : choices(low, high)) {
    World next = world;
    next.now = *behind;
    // Equation 9: the delay, less what has already passed in the group. What passed before the event cannot be taken
    // back.
    if (due)
      spent = spent + std::max(*due, world.begin) - world.time();
    next.trace.push_back(id);
    next.spent.push_back(spent);
    for (ir::GroupId group : edge.restarts)
      next.now.zero[group.value] = next.time();
    if (edge.action != ActionKind::Send) {
      result.push_back(std::move(next));
      continue;
    }
    const ir::Channel& channel = model_[edge.channel];
    const bool external = channel.direction != ir::Direction::Internal || channel.open;
    next.queue.push_back({edge.channel, values, component});
    if (!external) {
      next.hidden.push_back({edge.channel, values, next.time(), component});
      result.push_back(std::move(next));
      continue;
    }
    // Equation 18, never before the event.
    const Rational jitter = timeOf(edge.jitter, next.now), end = next.time();
    std::optional<Rational> before;
    for (const Rational& shift : choices(-jitter, jitter)) {
      const Rational time = std::max(world.begin, end + shift);
      if (before == time)
        continue;
      before = time;
      result.push_back(next);
      result.back().seen.push_back({edge.channel, values, time, component});
    }
  }
  return result;
}

/// Equation 7. A tau leaves source and destination (rule 6); everything else fires as soon as it can.
std::vector<Composition::World> Composition::complete(const World& world, uint32_t component) {
  endless_ |= world.trace.size() > kLongest;
  if (endless_ || ++work_ > kMostWork)
    return {};
  std::map<std::pair<ActionKind, uint32_t>, std::vector<EdgeId>> bySignal;
  for (EdgeId id : out(world.now, component))
    if (const ir::Edge& edge = model_[id];
        edge.action == ActionKind::Send || edge.action == ActionKind::Completion || edge.action == ActionKind::Internal)
      bySignal[{edge.action, edge.channel.value}].push_back(id);
  std::vector<World> result;
  bool mayStay = true;
  for (const auto& [signal, edges] : bySignal)
    for (EdgeId id : strongest(world.now, edges, nullptr)) {
      mayStay &= signal.first == ActionKind::Internal;
      for (const World& next : traverse(world, component, id, sent(world.now, id))) {
        for (World& end : complete(next, component))
          result.push_back(std::move(end));
        if (endless_ || hasGivenUp())
          return {};
      }
    }
  if (mayStay)
    result.push_back(world);
  return result;
}

/// Gives the signal to the others, one after the other; each runs until it blocks.
std::vector<Composition::World> Composition::deliver(const World& world, const Signal& signal, bool& taken) {
  std::vector<World> worlds{world};
  for (uint32_t i = 0; i < components_.size(); ++i) {
    if (signal.sender == i)
      continue;
    std::vector<World> next;
    for (const World& here : worlds) {
      std::vector<EdgeId> edges = out(here.now, i);
      std::erase_if(edges, [&](EdgeId id) {
        return model_[id].action != ActionKind::Receive || model_[id].channel != signal.name;
      });
      edges = strongest(here.now, edges, &signal.values);
      // Rule 2: what the environment sends must come before the timeout.
      if (!signal.sender)
        for (const Overdue& timeout : timeouts(here.now))
          if (timeout.component == i && timeout.due <= here.begin)
            edges.clear();
      if (edges.empty())
        next.push_back(here);
      taken |= !edges.empty();
      for (EdgeId id : edges)
        for (const World& behind : traverse(here, i, id, signal.values))
          for (World& end : complete(behind, i))
            next.push_back(std::move(end));
    }
    worlds = std::move(next);
  }
  return worlds;
}

/// Equation 8: the queue is emptied before anything else happens.
std::vector<Composition::World> Composition::drain(const World& world) {
  if (world.queue.empty() || endless_)
    return {world};
  World rest = world;
  const Signal signal = rest.queue.front();
  rest.queue.pop_front();
  std::vector<World> result;
  bool taken = false;
  for (const World& next : deliver(rest, signal, taken))
    for (World& end : drain(next))
      result.push_back(std::move(end));
  return result;
}

/// Then the delay transition runs that is overdue most, and so on.
std::vector<Composition::World> Composition::settle(const World& world) {
  std::vector<World> result;
  for (const World& here : drain(world)) {
    if (here.trace.size() > kLongest)
      endless_ = true;
    if (endless_ || hasGivenUp())
      return {};
    std::vector<Overdue> overdue = timeouts(here.now);
    std::erase_if(overdue, [&](const Overdue& timeout) { return timeout.due > here.latest(); });
    const auto most = std::min_element(overdue.begin(), overdue.end(),
                                       [](const Overdue& a, const Overdue& b) { return a.due < b.due; });
    if (most == overdue.end()) {
      result.push_back(here);
      continue;
    }
    std::vector<EdgeId> edges = out(here.now, most->component);
    std::erase_if(edges, [&](EdgeId id) { return model_[id].delayGroup != most->group; });
    for (EdgeId id : strongest(here.now, edges, nullptr))
      for (const World& fired : traverse(here, most->component, id, {}, most->due))
        for (const World& next : complete(fired, most->component))
          for (World& end : settle(next))
            result.push_back(std::move(end));
  }
  return result;
}

std::vector<Reaction> Composition::finish(const std::vector<World>& worlds) const {
  std::vector<Reaction> result;
  for (const World& world : worlds)
    result.push_back({world.now, world.trace, world.seen, world.hidden, world.latest()});
  return result;
}

std::vector<Reaction> Composition::start() {
  World world;
  for (ir::AutomatonId id : components_)
    world.now.at.push_back(model_[id].initial);
  for (size_t i = 0; i < model_.variables.size(); ++i)
    if (model_.variables[i].initial.valid())
      world.now.attributes[static_cast<uint32_t>(i)] =
          *ir::reference::evaluate(model_, model_.variables[i].initial, {});
  for (size_t i = 0; i < model_.groups.size(); ++i)
    world.now.zero[static_cast<uint32_t>(i)] = 0;
  std::vector<World> worlds{world};
  for (uint32_t i = 0; i < components_.size(); ++i) {
    std::vector<World> next;
    for (const World& here : worlds)
      for (World& end : complete(here, i))
        next.push_back(std::move(end));
    worlds = std::move(next);
  }
  std::vector<World> ends;
  for (const World& here : worlds)
    for (World& end : settle(here))
      ends.push_back(std::move(end));
  return finish(ends);
}

std::vector<Reaction> Composition::send(const Configuration& from, const Rational& time, ir::ChannelId signal,
                                        const std::vector<Value>& values) {
  World world;
  world.now = from;
  world.begin = time;
  bool taken = false;
  const std::vector<World> behind = deliver(world, {signal, values, std::nullopt}, taken);
  std::vector<World> ends;
  for (const World& here : behind)
    if (taken)
      for (World& end : settle(here))
        ends.push_back(std::move(end));
  return finish(ends);
}

std::optional<Rational> Composition::nextTimeout(const Configuration& from) const {
  std::optional<Rational> first;
  for (const Overdue& timeout : timeouts(from))
    if (!first || timeout.due < *first)
      first = timeout.due;
  return first;
}

std::vector<Reaction> Composition::wait(const Configuration& from) {
  World world;
  world.now = from;
  world.begin = *nextTimeout(from);
  return finish(settle(world));
}

} // namespace tioc::semantics::reference
