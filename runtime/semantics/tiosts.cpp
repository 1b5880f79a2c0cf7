#include "runtime/semantics/tiosts.hpp"

#include "ir/print.hpp"

#include <algorithm>
#include <numeric>

namespace tioc::semantics {

using ir::EdgeId;
using ir::ExprId;

Tiosts::Tiosts(Symbols& symbols, const Network& network, TimeKind time)
    : symbols_(symbols), model_(symbols.model()), pool_(symbols.pool()), network_(network), time_(time),
      clocks_(network), waiting_(network, clocks_), locationDeadlines_(network, clocks_), plans_(symbols),
      put_(symbols) {
  if (time == TimeKind::Zones && clocks_.problem())
    problem_ = clocks_.problem();
  index_.assign(model_.variables.size(), UINT32_MAX);
  for (size_t i = 0; i < network.variables().size(); ++i)
    index_[network.variables()[i].value] = static_cast<uint32_t>(i);
  identity_.resize(network.dim());
  std::iota(identity_.begin(), identity_.end(), uint16_t{0});
}

std::vector<SymbolicState> Tiosts::initial() {
  SymbolicState state;
  state.at.assign(network_.initial().begin(), network_.initial().end());
  for (size_t i = 0; i < network_.variables().size(); ++i) {
    const ir::Variable& variable = model_[network_.variables()[i]];
    state.store.push_back(variable.initial.valid()
                              ? variable.initial
                              : symbols_.unknown(0, static_cast<uint32_t>(i), variable.type, variable.name));
  }
  if (time_ == TimeKind::Zones)
    state.zone = zones::Zone::zero(network_.dim());
  else
    state.since.resize(network_.dim());
  put_.begin(state.store, index_, {});
  for (uint32_t i = 0; i < network_.size(); ++i) {
    const ExprId condition = model_[network_.component(i)].initialCondition;
    if (condition.valid() && !symbols_.assume(state, put_(condition)))
      return {};
  }
  std::vector<SymbolicState> result;
  if (enter(state) && symbols_.isFeasible(state))
    result.push_back(std::move(state));
  return result;
}

/// The invariants of the locations, now. False: they cannot hold.
bool Tiosts::enter(SymbolicState& draft) {
  put_.begin(draft.store, index_, {});
  for (ir::LocationId id : draft.at) {
    const ir::Guard& invariant = model_[id].invariant;
    if (!symbols_.assume(draft, put_(invariant.data)))
      return false;
    if (time_ == TimeKind::Zones)
      draft.zone.constrain(clocks_.invariant(id));
    else if (!symbols_.assume(draft, within(windowOf(draft, invariant.clocks), draft.now)))
      return false;
  }
  if (time_ == TimeKind::Zones && draft.zone.isOutOfRange() && !problem_)
    problem_ =
        Problem{model_[draft.at[0]].span, "a clock bound leaves the range that zones can hold; use symbolic time"};
  return time_ == TimeKind::Symbolic || !draft.zone.isEmpty();
}

// ---- what limits waiting

void Tiosts::noteImprecise(EdgeId id, const std::string& what) {
  if (imprecise_.empty())
    imprecise_ = "whether '" + ir::printEdge(model_, model_[id], model_[model_[model_[id].source].automaton]) + "' " +
                 what + "; it does not limit waiting";
}

/// Whether the data parts of what binds can hold; `locals_` becomes the message.
std::optional<ExprId> Tiosts::enabledData(const SymbolicState& state, std::span<const EdgeId> edges) {
  std::optional<ExprId> result = plans_.exists(plans_.deadlines(edges), state, index_, put_, locals_);
  // Where a bound is an open value of the message, the window is not one interval.
  for (EdgeId id : edges)
    if (!areSettled((model_[id].deadline ? *model_[id].deadline : model_[id].guard).clocks))
      result.reset();
  if (!result)
    noteImprecise(edges[0], "can be taken depends on message values in a way that is not decided");
  return result;
}

/// False: what binds cannot be said.
bool Tiosts::addChance(const SymbolicState& state, ir::Urgency urgency, std::span<const EdgeId> edges,
                       std::vector<Chance>& chances) {
  const std::optional<ExprId> enabled = enabledData(state, edges);
  if (!enabled)
    return false;
  if (pool_.isFalse(*enabled))
    return true;
  Chance chance{urgency, {edges.begin(), edges.end()}, *enabled, {}};
  if (time_ == TimeKind::Symbolic) {
    put_.begin(state.store, index_, locals_);
    for (EdgeId id : edges) {
      const ir::Guard& guard = model_[id].deadline ? *model_[id].deadline : model_[id].guard;
      Window window = windowOf(state, guard.clocks);
      auto append = [](auto& to, auto& from) { to.insert(to.end(), from.begin(), from.end()); };
      append(chance.window.lowers, window.lowers);
      append(chance.window.uppers, window.uppers);
      append(chance.window.fixed, window.fixed);
    }
    if (!chance.window.fixed.empty()) {
      chance.window.fixed.push_back(chance.enabled);
      chance.enabled = pool_.conjunction(chance.window.fixed);
      chance.window.fixed.clear();
    }
  }
  chances.push_back(std::move(chance));
  return true;
}

Tiosts::Limits Tiosts::limitsOf(const SymbolicState& state) {
  Limits limits;
  limits.stopped = network_.stopsTime(state.at);
  if (limits.stopped || !network_.mayBind(state.at))
    return limits;
  network_.forEachDeadline(
      state.at, [&](const Deadline& deadline) { addChance(state, deadline.urgency, deadline.edges, limits.chances); });
  if (!network_.hasLocationDeadlines())
    return limits;
  for (uint32_t i = 0; i < network_.size(); ++i) {
    if (!network_.hasLocationDeadlines(i))
      continue;
    LocationChances location;
    bool known = true;
    for (EdgeId id : network_.edges(state.at[i])) {
      // Whether an output follows an unobservable step hangs on what comes then.
      if (locationDeadlines_.isOpen(id)) {
        known = false;
        noteImprecise(id, "is followed by an output is not decided");
      }
      known = addChance(state, ir::Urgency::Delayable, {&id, 1}, location.edges) && known;
      if (location.leadsOut.size() < location.edges.size())
        location.leadsOut.push_back(locationDeadlines_.leadsOut(id));
    }
    if (known)
      limits.locations.push_back(std::move(location));
  }
  return limits;
}

// ---- steps

/// Fills `locals_` and assumes what the guards ask of data.
bool Tiosts::choose(const MessagePlan& plan, SymbolicState& draft, const SymbolicState& from) {
  locals_.assign(plan.parameters.size(), {});
  for (const MessagePlan::Parameter& parameter : plan.parameters) {
    ExprId& local = locals_[parameter.index];
    if (!parameter.term.valid()) {
      local = symbols_.unknown(from.steps + 1, parameter.index, parameter.type, parameter.name);
      continue;
    }
    put_.begin(from.store, index_, locals_);
    local = put_(parameter.term);
    if (!symbols_.assumeFits(draft, local, parameter.type))
      return false;
  }
  put_.begin(from.store, index_, locals_);
  return std::all_of(plan.conditions.begin(), plan.conditions.end(),
                     [&](ExprId condition) { return symbols_.assume(draft, put_(condition)); });
}

/// Updates and resets of all edges, one edge after the other, at the draft's present.
bool Tiosts::apply(SymbolicState& draft, std::span<const EdgeId> edges) {
  for (EdgeId id : edges) {
    const ir::Edge& edge = model_[id];
    draft.at[network_.componentOf(id)] = edge.target;
    const std::vector<ExprId> old = draft.store;
    put_.begin(old, index_, locals_);
    for (const ir::Update& update : edge.updates) {
      const ExprId value = put_(update.value);
      if (!symbols_.assumeFits(draft, value, model_[update.variable].type))
        return false;
      draft.store[index_[update.variable.value]] = value;
    }
    if (time_ == TimeKind::Zones) {
      if (!resetZone(draft, id))
        return false;
      continue;
    }
    const std::vector<TimeTerm> since = draft.since;
    for (const ir::Reset& reset : edge.resets) {
      TimeTerm& to = draft.since[network_.clock(reset.clock)];
      if (reset.source.valid()) {
        to = since[network_.clock(reset.source)];
        continue;
      }
      const ExprId value = put_(reset.value);
      to = draft.now;
      if (const ir::Rational* number = pool_.number(value))
        to.offset = to.offset - *number;
      else
        to.data = to.data.valid() ? pool_.add(std::vector<ExprId>{to.data, pool_.negate(value)}) : pool_.negate(value);
    }
  }
  return enter(draft);
}

void Tiosts::take(const SymbolicState& state, const Move& move, const Limits& limits, const Sink& sink) {
  const MessagePlan& plan = plans_.guards(move.edges);
  SymbolicState draft = state;
  if (!choose(plan, draft, state))
    return;
  ++draft.steps;
  const std::vector<EdgeId> edges(move.edges.begin(), move.edges.end());
  const std::vector<EdgeId> silent(move.silent.begin(), move.silent.end());
  const std::vector<ExprId> locals = locals_;
  const auto finish = [&](SymbolicState&& ready, ExprId time) {
    locals_ = locals;
    if (!apply(ready, edges) || !symbols_.isFeasible(ready))
      return;
    SymbolicStep step{move.visibility, move.channel, locals, edges, time};
    sink(std::move(step), std::move(ready));
  };
  if (time_ == TimeKind::Zones) {
    // A step that is impossible at any time, or with these data, ends here.
    std::vector<zones::Constraint> guard;
    for (EdgeId id : edges)
      guard.insert(guard.end(), clocks_.guard(id).begin(), clocks_.guard(id).end());
    if (!symbols_.isFeasible(draft))
      return;
    std::vector<const Binding*> bindings;
    waitInZone(std::move(draft), limits, 0, bindings, [&](SymbolicState&& later) {
      later.zone.constrain(guard);
      if (later.zone.isEmpty())
        return;
      locals_ = locals;
      silence(std::move(later), silent, 0, [&](SymbolicState&& ready) { finish(std::move(ready), {}); });
    });
    return;
  }
  const TimeTerm time = limits.stopped ? state.now : TimeTerm{draft.steps, 0, {}};
  put_.begin(state.store, index_, locals_);
  std::vector<ir::ClockConstraint> guard;
  for (EdgeId id : edges)
    guard.insert(guard.end(), model_[id].guard.clocks.begin(), model_[id].guard.clocks.end());
  const Window window = windowOf(state, guard);
  if (!limits.stopped)
    guessTime(draft, window, time);
  if (!waitUntil(draft, limits, time) || !symbols_.assume(draft, within(window, time)))
    return;
  put_.begin(state.store, index_, locals_);
  for (EdgeId id : silent) {
    const ExprId data = put_(model_[id].guard.data);
    const ExprId clocks = within(windowOf(state, model_[id].guard.clocks), time);
    if (!symbols_.assume(draft, pool_.disjunction(symbols_.terms().fails(data), pool_.negation(clocks))))
      return;
  }
  draft.now = time;
  finish(std::move(draft), symbols_.expr(time));
}

void Tiosts::successors(const SymbolicState& state, const Sink& sink, const Inputs& inputs) {
  const Limits limits = limitsOf(state);
  network_.forEachMove(state.at, [&](const Move& move) {
    if (move.visibility == Visibility::Input && !inputs.has(move.channel))
      return;
    if (!move.broadcast) {
      take(state, move, limits, sink);
      return;
    }
    network_.forEachReception(
        state.at, move, reception_, [](EdgeId) { return Readiness::Perhaps; },
        [&](const Move& chosen) { take(state, chosen, limits, sink); });
  });
}

void Tiosts::wait(const SymbolicState& state, const std::function<void(SymbolicState&& later)>& sink) {
  const Limits limits = limitsOf(state);
  SymbolicState draft = state;
  ++draft.steps;
  if (time_ == TimeKind::Zones) {
    std::vector<const Binding*> bindings;
    waitInZone(std::move(draft), limits, 0, bindings, sink);
    return;
  }
  const TimeTerm time = limits.stopped ? state.now : TimeTerm{draft.steps, 0, {}};
  if (!limits.stopped)
    guessTime(draft, {}, time);
  if (!waitUntil(draft, limits, time))
    return;
  draft.now = time;
  if (symbols_.isFeasible(draft))
    sink(std::move(draft));
}

} // namespace tioc::semantics
