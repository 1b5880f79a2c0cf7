#include "runtime/semantics/ests_terms.hpp"

#include "ir/print.hpp"

#include <algorithm>

namespace tioc::semantics {

using ir::EdgeId;
using ir::ExprId;

namespace {

// Behind the parameters of a message from outside.
constexpr uint32_t kInReaction = 4096;

} // namespace

EstsTerms::EstsTerms(Symbols& symbols, const Network& network, const EstsNet& net)
    : symbols_(symbols), model_(symbols.model()), pool_(symbols.pool()), network_(network), net_(net), plans_(symbols),
      put_(symbols) {
  index_.assign(model_.variables.size(), UINT32_MAX);
  for (size_t i = 0; i < network.variables().size(); ++i)
    index_[network.variables()[i].value] = static_cast<uint32_t>(i);
}

bool EstsTerms::assume(SymbolicState& state, ExprId condition) {
  return symbols_.assume(state, condition) && symbols_.isFeasible(state);
}

ExprId EstsTerms::before(const SymbolicState& state, const OpenTime& a, const OpenTime& b, bool strict) {
  const ExprId condition = symbols_.before(a.at, b.at, strict);
  return symbols_.isAssumed(state, condition) ? yes() : condition;
}

void EstsTerms::lasts(std::vector<OpenTime>& busy, const OpenTime& from, const OpenTime& to) {
  for (OpenTime& end : busy)
    if (end == from || (end.at.step == to.at.step && end.at.data == to.at.data)) {
      if (end == from || end.at.offset < to.at.offset)
        end = to;
      return;
    }
  busy.push_back(to);
}

TimeTerm EstsTerms::plus(TimeTerm time, ExprId amount) {
  if (const ir::Rational* number = pool_.number(amount))
    return time.plus(*number);
  time.data = time.data.valid() ? pool_.add(std::vector<ExprId>{time.data, amount}) : amount;
  return time;
}

OpenTime EstsTerms::plus(const OpenTime& time, ExprId amount, ExprId least, ExprId most) {
  return {plus(time.at, amount), {plus(time.early, least), plus(time.late, most)}};
}

OpenTime EstsTerms::due(const SymbolicState& state, ir::GroupId id) {
  const ir::TimingGroup& group = model_[id];
  const zones::Clock clock = network_.clock(group.clock);
  const auto open = state.open.find(clock);
  put_.begin(state.store, index_, {});
  const ExprId timeout = put_(group.timeout);
  return plus(open == state.open.end() ? OpenTime(state.since[clock]) : OpenTime(state.since[clock], open->second),
              timeout, timeout, timeout);
}

// ---- edges

void EstsTerms::addHolds(ExprId condition, std::vector<ExprId>& parts) {
  parts.push_back(symbols_.terms().defined(condition));
  parts.push_back(condition);
}

/// The effects have values that fit. Precondition: `put_` has begun.
void EstsTerms::addEffects(EdgeId id, std::vector<ExprId>& parts) {
  const ir::Edge& edge = model_[id];
  for (const ir::Update& update : edge.updates) {
    const ExprId value = put_(update.value);
    parts.push_back(symbols_.terms().defined(value));
    if (pool_.type(value) != model_[update.variable].type)
      symbols_.terms().ranges(value, model_[update.variable].type, parts);
  }
  for (ExprId time : {edge.minDuration, edge.maxDuration})
    if (time.valid())
      parts.push_back(symbols_.terms().defined(put_(time)));
}

ExprId EstsTerms::enabled(const SymbolicState& state, EdgeId id, const Message& message) {
  std::vector<ExprId> parts;
  put_.begin(state.store, index_, message);
  addHolds(put_(model_[id].guard.data), parts);
  addEffects(id, parts);
  return pool_.conjunction(parts);
}

ExprId EstsTerms::enabled(const SymbolicState& state, EdgeId id) {
  if (model_[id].action != ir::ActionKind::Send)
    return enabled(state, id, {});
  const MessagePlan& plan = plans_.guards({&id, 1});
  const std::optional<ExprId> exists = plans_.exists(plan, state, index_, put_, locals_);
  if (exists && !plan.hasOpen) {
    std::vector<ExprId> parts{*exists};
    put_.begin(state.store, index_, locals_);
    addEffects(id, parts);
    return pool_.conjunction(parts);
  }
  if (!exists && imprecise_.empty())
    imprecise_ = "whether '" + ir::printEdge(model_, model_[id], model_[model_[model_[id].source].automaton]) +
                 "' can be taken depends on message values in a way that is not decided; it need not be taken";
  // It never wins and never has to be taken, so that nothing that may happen is left out.
  return exists.value_or(pool_.boolean(false));
}

void EstsTerms::messages(const Draft& draft, EdgeId id, const std::function<void(Message, Condition)>& fn) {
  const ir::Edge& edge = model_[id];
  if (edge.action != ir::ActionKind::Send)
    return fn({}, enabled(draft.state, id, {}));
  const MessagePlan& plan = plans_.guards({&id, 1});
  Message message(plan.parameters.size());
  std::vector<ExprId> parts;
  for (const MessagePlan::Parameter& parameter : plan.parameters) {
    ExprId& value = message[parameter.index];
    if (!parameter.term.valid()) {
      value = unknown(draft, {id, draft.trace.size(), parameter.index, {}, {}}, parameter.type, parameter.name);
      continue;
    }
    put_.begin(draft.state.store, index_, message);
    value = put_(parameter.term);
    parts.push_back(symbols_.terms().defined(value));
    if (pool_.type(value) != parameter.type)
      symbols_.terms().ranges(value, parameter.type, parts);
  }
  put_.begin(draft.state.store, index_, message);
  for (ExprId condition : plan.conditions)
    addHolds(put_(condition), parts);
  addEffects(id, parts);
  const ExprId condition = pool_.conjunction(parts);
  fn(std::move(message), condition);
}

// ---- steps

ExprId EstsTerms::unknown(const Draft& draft, Place place, ir::TypeId type, const std::string& name) {
  const auto position = places_.try_emplace(place, static_cast<uint32_t>(places_.size())).first->second;
  return symbols_.unknown(draft.state.steps, kInReaction + position, type, name);
}

/// A time that is open within the interval.
std::optional<ExprId> EstsTerms::between(Draft& draft, EdgeId id, uint32_t role, ExprId low, ExprId high) {
  if (low == high)
    return low;
  const ExprId leaf = unknown(draft, {id, draft.trace.size(), role, low, high}, model_.types.real(),
                              role == kDuration ? "takes" : "jitter");
  if (!draft.state.witness.find(pool_.payload(leaf)))
    if (eval::Result value = symbols_.terms().evaluate(low, draft.state.witness); value.ok())
      draft.state.witness.set(pool_.payload(leaf), std::move(value.value));
  if (!symbols_.assume(draft.state, pool_.lessEqual(low, leaf)) ||
      !symbols_.assume(draft.state, pool_.lessEqual(leaf, high)) || !symbols_.isFeasible(draft.state))
    return std::nullopt;
  return leaf;
}

bool EstsTerms::take(Draft& draft, EdgeId id, const Message& message) {
  const ir::Edge& edge = model_[id];
  SymbolicState& state = draft.state;
  const std::vector<ExprId> old = state.store;
  put_.begin(old, index_, message);
  const ExprId low = edge.minDuration.valid() ? put_(edge.minDuration) : pool_.real(0);
  const ExprId high = edge.maxDuration.valid() ? put_(edge.maxDuration) : low;
  for (const ir::Update& update : edge.updates)
    state.store[index_[update.variable.value]] = put_(update.value);
  const std::optional<ExprId> duration = between(draft, id, kDuration, low, high);
  if (!duration)
    return false;
  draft.before.push_back({old, message});
  draft.now = plus(draft.now, *duration, low, high);
  state.at[net_.componentOf(id)] = edge.target;
  for (ir::GroupId group : edge.restarts) {
    const zones::Clock clock = network_.clock(model_[group].clock);
    state.since[clock] = draft.now.at;
    state.open.erase(clock);
    if (draft.now.isOpen())
      state.open.emplace(clock, std::pair(draft.now.early, draft.now.late));
  }
  return true;
}

/// C, equation 18; never before the event that it answers.
std::optional<OpenTime> EstsTerms::seenAt(Draft& draft, EdgeId id) {
  const ir::Edge& edge = model_[id];
  if (!edge.jitter.valid())
    return draft.now;
  put_.begin(draft.state.store, index_, {});
  const ExprId most = put_(edge.jitter), least = pool_.negate(most);
  const std::optional<ExprId> jitter = between(draft, id, kJitter, least, most);
  if (!jitter)
    return std::nullopt;
  const OpenTime time = plus(draft.now, *jitter, least, most);
  if (!assume(draft.state, symbols_.before(draft.begin.at, time.at, false)))
    return std::nullopt;
  return time;
}

} // namespace tioc::semantics
