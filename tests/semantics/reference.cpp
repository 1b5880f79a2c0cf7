#include "semantics/reference.hpp"

#include <algorithm>
#include <tuple>

namespace tioc::semantics::reference {

using namespace ir;
using ir::reference::evaluate;
using ir::reference::holds;
using ir::reference::Valuation;

bool State::operator<(const State& other) const {
  return std::tie(locations, variables, clocks) < std::tie(other.locations, other.variables, other.clocks);
}

bool Label::operator<(const Label& other) const {
  return std::tie(kind, channel, values) < std::tie(other.kind, other.channel, other.values);
}

bool Delays::contains(const Rational& delay) const {
  return delay.sign() >= 0 && (!bound || delay < *bound || (delay == *bound && !open));
}

State wait(State state, const Rational& delay) {
  for (auto& [id, value] : state.clocks)
    value = value + delay;
  return state;
}

// ---- the network

Network::Network(const Model& model, std::vector<Rational> numbers) : model_(&model), numbers_(std::move(numbers)) {
  for (const Component& component : model.systems.at(0).components)
    components_.push_back(component.automaton);
  readChannels();
  partnered_ = closed_;
  readConstants();
}

Network::Network(const Network& whole, size_t component)
    : model_(whole.model_), numbers_(whole.numbers_), components_{whole.components_[component]},
      partnered_(whole.partnered_), alone_(true) {
  readChannels();
  readConstants();
}

void Network::readChannels() {
  auto uses = [&](AutomatonId automaton, ActionKind action, ChannelId channel) {
    const auto& edges = (*model_)[automaton].edges;
    return std::any_of(edges.begin(), edges.end(),
                       [&](EdgeId id) { return (*model_)[id].action == action && (*model_)[id].channel == channel; });
  };
  for (size_t c = 0; c < model_->channels.size(); ++c)
    for (AutomatonId sender : components_)
      for (AutomatonId receiver : components_)
        if (sender != receiver && uses(sender, ActionKind::Send, ChannelId(c)) &&
            uses(receiver, ActionKind::Receive, ChannelId(c)))
          closed_.insert(ChannelId(c));
}

void Network::readConstants() {
  auto constant = [&](ExprId expr) {
    const Rational* number = model_->exprs.number(expr);
    if (!number) {
      plainClocks_ = false;
      return;
    }
    grain_ = Rational(1) / lcm(Rational(1) / grain_, number->denominator());
    largest_ = std::max(largest_, number->sign() < 0 ? -*number : *number);
  };
  auto guard = [&](const Guard& guard) {
    for (const ClockConstraint& c : guard.clocks) {
      constant(c.bound);
      plainClocks_ &= c.left == Model::zeroClock() || c.right == Model::zeroClock();
    }
  };
  for (AutomatonId component : components_) {
    for (LocationId id : (*model_)[component].locations)
      guard((*model_)[id].invariant);
    for (EdgeId id : (*model_)[component].edges) {
      const Edge& edge = (*model_)[id];
      guard(edge.guard);
      if (edge.deadline)
        guard(*edge.deadline);
      for (const Reset& reset : edge.resets)
        if (!reset.source.valid())
          constant(reset.value);
    }
  }
}

/// Waits for a partner that the network does not have.
bool Network::isDead(const Edge& edge) const {
  return edge.channel.valid() && (*model_)[edge.channel].direction == Direction::Internal &&
         !partnered_.contains(edge.channel) && !((*model_)[edge.channel].broadcast && edge.action == ActionKind::Send);
}

Kind Network::kindOf(const Edge& edge) const {
  if (!edge.channel.valid())
    return Kind::Unobservable;
  bool internal = (*model_)[edge.channel].direction == Direction::Internal;
  if (closed(edge.channel) || !partnered_.contains(edge.channel)) {
    if (internal)
      return Kind::Unobservable;
    if (closed(edge.channel))
      return Kind::Output;
  }
  return edge.action == ActionKind::Send ? Kind::Output : Kind::Input;
}

size_t Network::componentOf(const Edge& edge) const {
  AutomatonId automaton = (*model_)[edge.source].automaton;
  return static_cast<size_t>(std::find(components_.begin(), components_.end(), automaton) - components_.begin());
}

std::vector<EdgeId> Network::leaving(const State& state, size_t component, ActionKind action, ChannelId channel) const {
  std::vector<EdgeId> result;
  for (EdgeId id : (*model_)[components_[component]].edges) {
    const Edge& edge = (*model_)[id];
    if (edge.source == state.locations[component] && edge.action == action && edge.channel == channel && !isDead(edge))
      result.push_back(id);
  }
  return result;
}

std::vector<EdgeId> Network::receivers(const State& state, ChannelId channel, size_t except) const {
  std::vector<EdgeId> result;
  for (size_t i = 0; i < components_.size(); ++i)
    if (i != except)
      for (EdgeId id : leaving(state, i, ActionKind::Receive, channel))
        result.push_back(id);
  return result;
}

Urgency Network::urgencyOf(EdgeId id) const {
  const Automaton& automaton = (*model_)[components_[componentOf((*model_)[id])]];
  return automaton.deadlines == Deadlines::Location ? Urgency::Lazy : (*model_)[id].urgency;
}

// ---- which edges step together

std::vector<Network::Sync> Network::syncs(const State& state) const {
  std::vector<Sync> result;
  for (size_t i = 0; i < components_.size(); ++i)
    for (EdgeId id : leaving(state, i, ActionKind::Internal, {}))
      result.push_back({Kind::Unobservable, {}, {id}, false});
  for (size_t c = 0; c < model_->channels.size(); ++c) {
    ChannelId channel(c);
    bool broadcast = (*model_)[channel].broadcast;
    for (size_t i = 0; i < components_.size(); ++i)
      for (EdgeId id : leaving(state, i, ActionKind::Send, channel)) {
        Kind kind = kindOf((*model_)[id]);
        if (broadcast)
          result.push_back({kind, channel, {id}, true});
        else if (!closed(channel))
          result.push_back({kind, channel, {id}, false});
        else
          for (EdgeId receiver : receivers(state, channel, i))
            result.push_back({kind, channel, {id, receiver}, false});
      }
    if (closed(channel))
      continue;
    std::vector<EdgeId> listening = receivers(state, channel, components_.size());
    if (broadcast && !listening.empty())
      result.push_back({Kind::Input, channel, {}, true});
    if (!broadcast)
      for (EdgeId id : listening)
        result.push_back({Kind::Input, channel, {id}, false});
  }
  return result;
}

/// The sender of a broadcast does not wait, so its own deadline counts, whoever listens. A receiver adds its own
/// urgency to that while both are ready; a lazy one adds nothing.
std::vector<Network::Binding> Network::bindings(const State& state) const {
  std::vector<Binding> result;
  for (const Sync& sync : syncs(state)) {
    Urgency urgency = Urgency::Lazy;
    for (EdgeId id : sync.edges)
      urgency = std::max(urgency, urgencyOf(id));
    if (!sync.edges.empty())
      result.push_back({urgency, sync.edges});
    if (!sync.broadcast)
      continue;
    size_t sender = sync.edges.empty() ? components_.size() : componentOf((*model_)[sync.edges[0]]);
    for (EdgeId id : receivers(state, sync.channel, sender)) {
      std::vector<EdgeId> pair = sync.edges;
      pair.push_back(id);
      result.push_back({urgencyOf(id), std::move(pair)});
    }
  }
  return result;
}

// ---- values

bool Network::fits(TypeId id, const Value& value) const {
  const Type& type = model_->types[id];
  switch (type.kind) {
  case TypeKind::Bool:
  case TypeKind::Real:
  case TypeKind::Enum:
    return true;
  case TypeKind::Int:
    return value.number.isInteger() &&
           (!type.range || (type.range->first <= value.number && value.number <= type.range->last));
  case TypeKind::Record: {
    const Record& record = (*model_)[type.record];
    for (size_t i = 0; i < record.fields.size(); ++i)
      if (!fits(record.fields[i].type, value.parts.at(i)))
        return false;
    return true;
  }
  case TypeKind::Array:
    return std::all_of(value.parts.begin(), value.parts.end(),
                       [&](const Value& part) { return fits(type.element, part); });
  }
  return false;
}

std::vector<Value> Network::candidates(TypeId id, const std::vector<Rational>& numbers) const {
  constexpr int64_t kSmallRange = 32;
  constexpr size_t kMostCombinations = 256;
  const Type& type = model_->types[id];
  std::vector<Value> result;
  auto upTo = [&](int64_t count, const Rational& first) {
    for (int64_t i = 0; i < count; ++i)
      result.push_back({first + Rational(i), {}});
  };
  auto combine = [&](const std::vector<TypeId>& members) {
    result = {Value{}};
    for (TypeId member : members) {
      std::vector<Value> longer;
      for (const Value& value : result)
        for (const Value& part : candidates(member, numbers)) {
          if (longer.size() == kMostCombinations)
            break;
          longer.push_back(value);
          longer.back().parts.push_back(part);
        }
      result = std::move(longer);
    }
  };
  switch (type.kind) {
  case TypeKind::Bool:
    upTo(2, 0);
    break;
  case TypeKind::Enum:
    upTo(static_cast<int64_t>((*model_)[type.enumeration].literals.size()), 0);
    break;
  case TypeKind::Int:
    if (type.range && type.range->last - type.range->first < Rational(kSmallRange)) {
      upTo(*(type.range->last - type.range->first + Rational(1)).toInt64(), type.range->first);
      break;
    }
    if (type.range)
      result = {{type.range->first, {}}, {type.range->last, {}}};
    [[fallthrough]];
  case TypeKind::Real:
    for (const Rational& number : numbers)
      if (fits(id, {number, {}}))
        result.push_back({number, {}});
    break;
  case TypeKind::Record: {
    std::vector<TypeId> members;
    for (const Member& member : (*model_)[type.record].fields)
      members.push_back(member.type);
    combine(members);
    break;
  }
  case TypeKind::Array:
    combine(std::vector<TypeId>(type.size, type.element));
    break;
  }
  return result;
}

/// The values that a guard names for the parameter behind the `earlier` ones. For Search::Candidates what a top-level
/// `==` asks for; for Search::Derived also what lies around every number that the parameter is compared with.
std::vector<Value> Network::namedValues(const State& state, const Guard& guard, const std::vector<Value>& earlier,
                                        TypeId type, Search search) const {
  const ExprPool& pool = model_->exprs;
  const uint32_t self = static_cast<uint32_t>(earlier.size());
  auto highestLocal = [&](ExprId expr) {
    int64_t highest = -1;
    pool.visit(expr, [&](ExprId id) {
      if (pool.op(id) == Op::Local)
        highest = std::max(highest, static_cast<int64_t>(pool.payload(id)));
    });
    return highest;
  };

  std::vector<ExprId> comparisons;
  if (search == Search::Candidates) {
    for (ExprId id : pool.conjuncts(guard.data))
      if (pool.op(id) == Op::Equal)
        comparisons.push_back(id);
  } else {
    pool.visit(guard.data, [&](ExprId id) {
      if (pool.op(id) == Op::Equal || pool.op(id) == Op::Less || pool.op(id) == Op::LessEqual)
        comparisons.push_back(id);
    });
  }

  std::vector<Value> result;
  std::vector<Rational> roots;
  for (ExprId id : comparisons) {
    if (highestLocal(id) != self)
      continue;
    ExprId left = pool.operands(id)[0];
    ExprId right = pool.operands(id)[1];
    if (pool.op(right) == Op::Local)
      std::swap(left, right);
    Valuation at{state.variables, earlier};
    if (pool.op(left) == Op::Local && pool.payload(left) == self && highestLocal(right) < self) {
      if (auto value = evaluate(*model_, right, at)) {
        result.push_back(*value);
        roots.push_back(value->number);
      }
      continue;
    }
    if (!model_->types.isNumeric(pool.type(left)) || !model_->types.isNumeric(type))
      continue;
    // A straight line through two points, confirmed by a third, crosses zero where the sides are equal.
    auto difference = [&](int64_t local) -> std::optional<Rational> {
      at.locals = earlier;
      at.locals.push_back({local, {}});
      auto a = evaluate(*model_, left, at);
      auto b = evaluate(*model_, right, at);
      return a && b ? std::optional(a->number - b->number) : std::nullopt;
    };
    auto f0 = difference(0);
    auto f1 = difference(1);
    auto f2 = difference(2);
    if (!f0 || !f1 || !f2 || *f1 - *f0 != *f2 - *f1 || *f1 == *f0)
      continue;
    roots.push_back(-*f0 / (*f1 - *f0));
    result.push_back({roots.back(), {}});
  }
  if (search == Search::Candidates || !model_->types.isNumeric(type))
    return result;
  std::sort(roots.begin(), roots.end());
  for (size_t i = 0; i < roots.size(); ++i) {
    for (int64_t offset : {-1, 0, 1})
      result.push_back({roots[i].floor() + Rational(offset), {}});
    if (i > 0)
      result.push_back({(roots[i - 1] + roots[i]) / Rational(2), {}});
  }
  if (!roots.empty()) {
    result.push_back({roots.front() - Rational(1), {}});
    result.push_back({roots.back() + Rational(1), {}});
  }
  return result;
}

/// All messages on the channel worth trying; nobody has checked a guard yet.
std::vector<std::vector<Value>> Network::messages(const State& state, ChannelId channel,
                                                  const std::vector<const Guard*>& guards,
                                                  const std::vector<Rational>& numbers, Search search) const {
  std::vector<std::vector<Value>> result{{}};
  if (!channel.valid())
    return result;
  for (const Member& parameter : (*model_)[channel].parameters) {
    std::vector<std::vector<Value>> longer;
    for (const std::vector<Value>& earlier : result) {
      std::vector<Value> values = candidates(parameter.type, numbers);
      for (const Guard* guard : guards)
        for (Value& value : namedValues(state, *guard, earlier, parameter.type, search))
          values.push_back(std::move(value));
      std::sort(values.begin(), values.end());
      values.erase(std::unique(values.begin(), values.end()), values.end());
      for (const Value& value : values) {
        if (!fits(parameter.type, value))
          continue;
        longer.push_back(earlier);
        longer.back().push_back(value);
      }
    }
    result = std::move(longer);
  }
  return result;
}

// ---- moves

std::vector<State> Network::initialStates(const std::map<VariableId, std::vector<Value>>& open) const {
  State first;
  for (AutomatonId component : components_)
    first.locations.push_back((*model_)[component].initial);
  auto belongs = [&](AutomatonId owner) {
    return !owner.valid() || std::find(components_.begin(), components_.end(), owner) != components_.end();
  };
  for (size_t i = 1; i < model_->clocks.size(); ++i)
    if (belongs(model_->clocks[i].owner))
      first.clocks[static_cast<uint32_t>(i)] = 0;

  std::vector<State> states{first};
  for (size_t i = 0; i < model_->variables.size(); ++i) {
    const Variable& variable = model_->variables[i];
    if (!belongs(variable.owner))
      continue;
    std::vector<Value> values;
    if (variable.initial.valid()) {
      if (auto value = evaluate(*model_, variable.initial, {}))
        values.push_back(*value);
    } else {
      auto given = open.find(VariableId(i));
      values = given != open.end() ? given->second : candidates(variable.type, numbers_);
    }
    std::vector<State> longer;
    for (const State& state : states)
      for (const Value& value : values) {
        if (!fits(variable.type, value))
          continue;
        longer.push_back(state);
        longer.back().variables[static_cast<uint32_t>(i)] = value;
      }
    states = std::move(longer);
  }

  std::erase_if(states, [&](const State& state) {
    for (AutomatonId component : components_) {
      auto condition = evaluate(*model_, (*model_)[component].initialCondition, {state.variables, {}});
      if (!condition || condition->number.isZero())
        return true;
    }
    return !invariantsHold(state);
  });
  return states;
}

/// The guard holds, and that of no edge for the same action with a larger priority.
bool Network::enabled(const State& state, const Edge& edge, const std::vector<Value>& values) const {
  Valuation at{state.variables, values};
  if (!holds(*model_, edge.guard, at, state.clocks))
    return false;
  for (EdgeId id : leaving(state, componentOf(edge), edge.action, edge.channel)) {
    const Edge& other = (*model_)[id];
    if (other.priority > edge.priority && holds(*model_, other.guard, at, state.clocks))
      return false;
  }
  return true;
}

/// Takes the edge's effects over into the state, all evaluated before any of them; false if one of them has no value or
/// leaves its type.
bool Network::apply(State& state, const Edge& edge, const std::vector<Value>& values) const {
  const State before = state;
  const Valuation at{before.variables, values};
  state.locations[componentOf(edge)] = edge.target;
  for (const Update& update : edge.updates) {
    auto value = evaluate(*model_, update.value, at);
    if (!value || !fits((*model_)[update.variable].type, *value))
      return false;
    state.variables[update.variable.value] = *value;
  }
  for (const Reset& reset : edge.resets) {
    if (reset.source.valid()) {
      state.clocks[reset.clock.value] = before.clocks.at(reset.source.value);
      continue;
    }
    auto value = evaluate(*model_, reset.value, at);
    if (!value)
      return false;
    state.clocks[reset.clock.value] = value->number;
  }
  return true;
}

bool Network::invariantsHold(const State& state) const {
  return std::all_of(state.locations.begin(), state.locations.end(), [&](LocationId id) {
    return holds(*model_, (*model_)[id].invariant, {state.variables, {}}, state.clocks);
  });
}

/// The moves of the synchronisation with these values: none or one, or for a broadcast one per choice of edges.
std::vector<Move> Network::complete(const State& state, const Sync& sync, const std::vector<Value>& values) const {
  for (EdgeId id : sync.edges)
    if (!enabled(state, (*model_)[id], values))
      return {};

  std::vector<std::vector<EdgeId>> choices{sync.edges};
  if (sync.broadcast) {
    size_t sender = sync.edges.empty() ? components_.size() : componentOf((*model_)[sync.edges[0]]);
    for (size_t i = 0; i < components_.size(); ++i) {
      if (i == sender)
        continue;
      std::vector<EdgeId> ready = leaving(state, i, ActionKind::Receive, sync.channel);
      std::erase_if(ready, [&](EdgeId id) { return !enabled(state, (*model_)[id], values); });
      if (ready.empty())
        continue;
      std::vector<std::vector<EdgeId>> longer;
      for (const auto& choice : choices)
        for (EdgeId id : ready) {
          longer.push_back(choice);
          longer.back().push_back(id);
        }
      choices = std::move(longer);
    }
  }

  auto committed = [&](LocationId id) { return (*model_)[id].committed; };
  bool hurry = std::any_of(state.locations.begin(), state.locations.end(), committed);
  std::vector<Move> result;
  for (const auto& edges : choices) {
    if (edges.empty())
      continue;
    if (hurry && std::none_of(edges.begin(), edges.end(), [&](EdgeId id) { return committed((*model_)[id].source); }))
      continue;
    State target = state;
    bool works =
        std::all_of(edges.begin(), edges.end(), [&](EdgeId id) { return apply(target, (*model_)[id], values); });
    if (works && invariantsHold(target))
      result.push_back({{sync.kind, sync.channel, values}, edges, std::move(target)});
  }
  return result;
}

std::vector<Move> Network::moves(const State& state, const std::vector<Rational>& numbers, Search search) const {
  std::vector<Move> result;
  for (const Sync& sync : syncs(state)) {
    std::vector<const Guard*> guards;
    for (EdgeId id : sync.edges)
      guards.push_back(&(*model_)[id].guard);
    if (sync.broadcast)
      for (EdgeId id : receivers(state, sync.channel, components_.size()))
        guards.push_back(&(*model_)[id].guard);
    for (const std::vector<Value>& values : messages(state, sync.channel, guards, numbers, search))
      for (Move& move : complete(state, sync, values))
        result.push_back(std::move(move));
  }
  return result;
}

std::vector<Move> Network::moves(const State& state, const std::vector<Rational>& numbers) const {
  return moves(state, numbers, Search::Candidates);
}

std::optional<State> Network::take(const State& state, const std::vector<EdgeId>& edges,
                                   const std::vector<Value>& values) const {
  for (const Sync& sync : syncs(state)) {
    size_t expected = sync.channel.valid() ? (*model_)[sync.channel].parameters.size() : 0;
    if (values.size() != expected)
      continue;
    bool typed = true;
    for (size_t i = 0; i < expected; ++i)
      typed &= fits((*model_)[sync.channel].parameters[i].type, values[i]);
    if (!typed)
      continue;
    // Edges of another synchronisation may not even have as many parameters.
    if (edges.size() < sync.edges.size() || !std::equal(sync.edges.begin(), sync.edges.end(), edges.begin()))
      continue;
    for (const Move& move : complete(state, sync, values))
      if (move.edges == edges)
        return move.target;
  }
  return std::nullopt;
}

// ---- time

/// The delays after which all clock constraints of the guards hold; nothing if there are none or the data do not fit.
std::optional<Network::Window> Network::window(const State& state, const std::vector<const Guard*>& guards,
                                               const std::vector<Value>& values) const {
  const Valuation at{state.variables, values};
  Window result;
  auto value = [&](ClockId id) { return id == Model::zeroClock() ? Rational(0) : state.clocks.at(id.value); };
  for (const Guard* guard : guards) {
    auto data = evaluate(*model_, guard->data, at);
    if (!data || data->number.isZero())
      return std::nullopt;
    for (const ClockConstraint& c : guard->clocks) {
      auto bound = evaluate(*model_, c.bound, at);
      if (!bound)
        return std::nullopt;
      // How far left - right still is from the bound: at least 0, or more than 0 if strict.
      Rational slack = bound->number - (value(c.left) - value(c.right));
      bool leftRuns = c.left != Model::zeroClock();
      bool rightRuns = c.right != Model::zeroClock();
      if (leftRuns == rightRuns) {
        if (c.strict ? slack.sign() <= 0 : slack.sign() < 0)
          return std::nullopt;
      } else if (leftRuns) {
        if (!result.high || slack < *result.high || (slack == *result.high && c.strict)) {
          result.high = slack;
          result.highOpen = c.strict;
        }
      } else if (-slack > result.low || (-slack == result.low && c.strict)) {
        result.low = -slack;
        result.lowOpen = c.strict;
      }
    }
  }
  if (result.high && (*result.high < result.low || (*result.high == result.low && (result.highOpen || result.lowOpen))))
    return std::nullopt;
  return result;
}

/// When these edges can step together, one interval for each choice of values; deadlines count instead of guards.
std::vector<Network::Window> Network::windows(const State& state, const std::vector<EdgeId>& edges) const {
  std::vector<const Guard*> guards;
  for (EdgeId id : edges) {
    const Edge& edge = (*model_)[id];
    guards.push_back(edge.deadline ? &*edge.deadline : &edge.guard);
  }
  std::vector<Window> result;
  for (const auto& values : messages(state, (*model_)[edges[0]].channel, guards, numbers_, Search::Derived))
    if (auto one = window(state, guards, values))
      result.push_back(*one);
  return result;
}

namespace {

void limit(Delays& delays, const Rational& bound, bool open) {
  if (!delays.bound || bound < *delays.bound || (bound == *delays.bound && open))
    delays = {bound, open};
}

} // namespace

void Network::limitByInvariants(const State& state, Delays& delays) const {
  for (LocationId id : state.locations) {
    auto allowed = window(state, {&(*model_)[id].invariant}, {});
    if (!allowed || allowed->low.sign() > 0 || allowed->lowOpen)
      limit(delays, 0, false);
    else if (allowed->high)
      limit(delays, *allowed->high, allowed->highOpen);
  }
}

/// A, definition 8, for one component: time passes as long as one of its edges can still fire, or where it is
/// quiescent. A state becomes quiescent by waiting and stays so, therefore it is enough to look where the last edge has
/// its last chance; then a delay is possible in one piece exactly if it is in two.
void Network::limitByLocation(const State& state, size_t component, Delays& delays) const {
  std::optional<Window> last;
  for (EdgeId id : (*model_)[components_[component]].edges) {
    const Edge& edge = (*model_)[id];
    if (edge.source != state.locations[component] || isDead(edge))
      continue;
    for (const Window& one : windows(state, {id})) {
      if (!one.high)
        return;
      if (!last || *one.high > *last->high || (*one.high == *last->high && last->highOpen))
        last = one;
    }
  }
  Rational bound = last ? *last->high : Rational(0);
  bool open = last && last->highOpen;
  Rational end = bound;
  if (open) {
    Rational before = 0;
    for (const Rational& instant : instants(state))
      if (instant < bound)
        before = instant;
    end = (before + bound) / Rational(2);
  }
  if (!quiescentAlone(wait(state, end), component))
    limit(delays, bound, open);
}

bool Network::quiescentAlone(const State& state, size_t component) const {
  Network single(*this, component);
  State own = state;
  own.locations = {state.locations[component]};
  return single.quiescent(own).value_or(false);
}

Delays Network::delays(const State& state) const {
  Delays result;
  for (LocationId id : state.locations)
    if ((*model_)[id].urgent || (*model_)[id].committed)
      limit(result, 0, false);
  limitByInvariants(state, result);

  for (const Binding& binding : bindings(state)) {
    if (binding.urgency == Urgency::Lazy)
      continue;
    std::vector<Window> chances = windows(state, binding.edges);
    if (chances.empty())
      continue;
    std::sort(chances.begin(), chances.end(),
              [](const Window& a, const Window& b) { return std::tie(a.low, a.lowOpen) < std::tie(b.low, b.lowOpen); });
    Window first = chances[0];
    if (binding.urgency == Urgency::Eager) {
      limit(result, first.low, false);
      continue;
    }
    // The first run of instants without a gap.
    for (const Window& next : chances) {
      if (!first.high || next.low > *first.high || (next.low == *first.high && next.lowOpen && first.highOpen))
        break;
      if (!next.high || *next.high > *first.high || (*next.high == *first.high && first.highOpen)) {
        first.high = next.high;
        first.highOpen = next.highOpen;
      }
    }
    if (first.high)
      limit(result, *first.high, first.highOpen);
  }

  // On its own the question is quiescence, and what is awaited there keeps time open by itself.
  if (!alone_)
    for (size_t i = 0; i < components_.size(); ++i)
      if ((*model_)[components_[i]].deadlines == Deadlines::Location)
        limitByLocation(state, i, result);
  return result;
}

// ---- quiescence

std::vector<Rational> Network::instants(const State& state) const {
  std::set<Rational> turns{0};
  const Rational end = largest_ + grain_;
  for (const auto& [id, value] : state.clocks) {
    Rational next = (value / grain_).floor() * grain_ - value;
    for (; next <= end; next = next + grain_)
      if (next.sign() >= 0)
        turns.insert(next);
  }
  for (size_t i = 0; i < components_.size(); ++i)
    for (EdgeId id : (*model_)[components_[i]].edges)
      if ((*model_)[id].source == state.locations[i])
        for (const Window& one : windows(state, {id})) {
          turns.insert(one.low);
          if (one.high)
            turns.insert(*one.high);
        }
  std::vector<Rational> result;
  for (const Rational& turn : turns) {
    if (!result.empty())
      result.push_back((result.back() + turn) / Rational(2));
    result.push_back(turn);
  }
  result.push_back(result.back() + grain_);
  return result;
}

std::optional<bool> Network::quiescent(const State& state, unsigned depth) const {
  constexpr size_t kMostStates = 5000;
  std::set<State> seen{state};
  std::vector<State> layer{state};
  while (!layer.empty()) {
    std::vector<State> next;
    for (const State& from : layer) {
      Delays possible = delays(from);
      for (const Rational& instant : instants(from)) {
        if (!possible.contains(instant))
          break;
        for (Move& move : moves(wait(from, instant), numbers_, Search::Derived)) {
          if (move.label.kind == Kind::Output)
            return false;
          if (move.label.kind == Kind::Input)
            continue;
          // Behind the largest constant all values of a clock are alike, unless clocks are compared with each other.
          if (plainClocks_)
            for (auto& [id, value] : move.target.clocks)
              value = std::min(value, largest_ + Rational(1));
          if (seen.insert(move.target).second)
            next.push_back(std::move(move.target));
        }
      }
    }
    if (!next.empty() && (depth == 0 || seen.size() > kMostStates))
      return std::nullopt;
    --depth;
    layer = std::move(next);
  }
  return true;
}

} // namespace tioc::semantics::reference
