#include "runtime/semantics/ests.hpp"

#include <algorithm>

namespace tioc::semantics {

using ir::ExprId;

Ests::Ests(Symbols& symbols, const Network& network, TimeKind time)
    : symbols_(symbols), model_(symbols.model()), pool_(symbols.pool()), network_(network), net_(network.model()),
      terms_(symbols, network, net_), run_(net_, terms_) {
  if (time == TimeKind::Zones)
    problem_ = Problem{model_.systems[0].span, "the timeouts and durations of an ests need symbolic time"};
}

/// Where something happens at the start, that is a step of its own.
std::vector<SymbolicState> Ests::initial() {
  SymbolicState first;
  first.at.assign(network_.initial().begin(), network_.initial().end());
  for (size_t i = 0; i < network_.variables().size(); ++i) {
    const ir::Variable& variable = model_[network_.variables()[i]];
    first.store.push_back(variable.initial.valid()
                              ? variable.initial
                              : symbols_.unknown(0, static_cast<uint32_t>(i), variable.type, variable.name));
  }
  first.since.resize(network_.dim());
  Substitute put(symbols_);
  put.begin(first.store, terms_.index(), {});
  for (uint32_t i = 0; i < net_.size(); ++i) {
    const ExprId condition = model_[net_.component(i)].initialCondition;
    if (condition.valid() && !symbols_.assume(first, put(condition)))
      return {};
  }
  if (!symbols_.isFeasible(first))
    return {};
  std::vector<SymbolicState> result;
  bool reacts = false;
  run_.run(run_.starting(first, {}), [&](Run::Draft&& draft) {
    reacts |= !draft.trace.empty();
    if (!draft.trace.empty())
      return;
    draft.state.busy = {draft.begin.at};
    result.push_back(std::move(draft.state));
  });
  if (reacts || run_.problem())
    result.push_back(std::move(first));
  problem_ = problem_ ? problem_ : run_.problem();
  return result;
}

/// The reaction is over; what it sends is yet to be seen.
void Ests::finish(Run::Draft&& draft, SymbolicStep&& step, const Sink& sink) {
  SymbolicState& state = draft.state;
  step.time = symbols_.expr(draft.begin.at);
  std::vector<ir::EdgeId> seen;
  for (Run::Sent& sent : draft.sent)
    if (sent.seen) {
      seen.push_back(sent.edge);
      state.pending.push_back({sent.edge, std::move(sent.message), sent.time.at});
    }
  // An output is covered when it is seen, the rest with the event.
  size_t next = 0;
  for (size_t i = 0; i < draft.trace.size(); ++i)
    if (next < seen.size() && seen[next] == draft.trace[i]) {
      ++next;
    } else {
      step.edges.push_back(draft.trace[i]);
      step.before.push_back(std::move(draft.before[i]));
    }
  if (step.edges.empty()) {
    step.edges.push_back(draft.trace[0]);
    step.before.push_back(std::move(draft.before[0]));
  }
  state.now = draft.begin.at;
  state.busy.clear();
  for (const OpenTime& end : draft.busy)
    if (std::find(state.busy.begin(), state.busy.end(), end.late) == state.busy.end())
      state.busy.push_back(end.late);
  // What no timeout can be counted from any more does not matter.
  for (ir::GroupId group : net_.idle(state.at)) {
    const zones::Clock clock = network_.clock(model_[group].clock);
    state.since[clock] = state.now;
    state.open.erase(clock);
  }
  sink(std::move(step), std::move(state));
}

/// Lets the witness take the earliest time at which the environment has its turn.
void Ests::guessTime(SymbolicState& state, const TimeTerm& time) {
  ir::Rational guess;
  const auto raise = [&](const TimeTerm& term) {
    if (const eval::Result value = symbols_.terms().evaluate(symbols_.expr(term), state.witness); value.ok())
      guess = std::max(guess, value.value.number);
  };
  raise(state.now);
  for (const TimeTerm& end : state.busy)
    raise(end);
  state.witness.set(pool_.payload(symbols_.timeOf(time.step)), eval::Value{guess, {}});
}

std::optional<Ests::Turn> Ests::turn(const SymbolicState& state, ir::ChannelId id) {
  const auto listens = [&](uint32_t i) { return !net_.receptions(state.at[i], id).empty(); };
  if (std::none_of(net_.receivers(id).begin(), net_.receivers(id).end(), listens))
    return std::nullopt;
  Turn turn{state, {state.steps + 1, 0, {}}, {}, {}};
  SymbolicState& draft = turn.state;
  ++draft.steps;
  guessTime(draft, turn.time);
  for (const ir::Member& parameter : model_[id].parameters)
    turn.message.push_back(
        symbols_.unknown(draft.steps, static_cast<uint32_t>(turn.message.size()), parameter.type, parameter.name));
  std::vector<ExprId> parts{pool_.lessEqual(symbols_.expr(state.now), symbols_.expr(turn.time))};
  for (const TimeTerm& end : state.busy)
    parts.push_back(symbols_.before(end, turn.time, false));
  parts.push_back(run_.mayWait(draft, run_.dues(draft), turn.time, EstsNet::kNobody, false));
  for (ExprId part : parts)
    if (!symbols_.assume(draft, part))
      return std::nullopt;
  if (!symbols_.isFeasible(draft))
    return std::nullopt;
  parts.push_back(run_.taken(draft, id, turn.message, turn.time));
  turn.taken = pool_.conjunction(parts);
  return turn;
}

void Ests::react(const SymbolicState& state, ir::ChannelId id, const Ends& sink) {
  if (std::optional<Turn> turn = this->turn(state, id))
    run_.run(run_.receiving(std::move(turn->state), turn->time, id, std::move(turn->message)), sink);
}

void Ests::react(const SymbolicState& state, const Ends& sink) {
  const std::vector<Run::Due> dues = run_.dues(state);
  for (size_t k = 0; k < dues.size(); ++k) {
    SymbolicState draft = state;
    ++draft.steps;
    bool possible = symbols_.assume(draft, dues[k].ready);
    for (size_t m = 0; possible && m < dues.size(); ++m)
      if (m != k)
        possible = symbols_.assume(draft, pool_.disjunction(pool_.negation(dues[m].ready),
                                                            terms_.before(draft, dues[k].time, dues[m].time, m < k)));
    if (possible && symbols_.isFeasible(draft))
      run_.run(run_.waking(std::move(draft), dues[k].time), sink);
  }
}

/// The next output. Those of one component keep their order; of others that come at the same time either may be first.
void Ests::show(const SymbolicState& state, const Sink& sink) {
  const std::vector<Emission>& pending = state.pending;
  for (size_t k = 0; k < pending.size(); ++k) {
    SymbolicState draft = state;
    bool possible = true;
    for (size_t m = 0; possible && m < pending.size(); ++m) {
      const bool behind = m < k && net_.componentOf(pending[m].edge) == net_.componentOf(pending[k].edge);
      if (m != k)
        possible = symbols_.assume(draft, terms_.before(draft, pending[k].time, pending[m].time, behind));
    }
    if (!possible || !symbols_.isFeasible(draft))
      continue;
    ++draft.steps;
    draft.now = pending[k].time;
    draft.pending.erase(draft.pending.begin() + static_cast<ptrdiff_t>(k));
    SymbolicStep step{Visibility::Output,
                      model_[pending[k].edge].channel,
                      pending[k].values,
                      {pending[k].edge},
                      symbols_.expr(draft.now)};
    sink(std::move(step), std::move(draft));
  }
}

void Ests::successors(const SymbolicState& state, const Sink& sink, const Inputs& inputs) {
  if (!isStarted(state)) {
    SymbolicState draft = state;
    ++draft.steps;
    run_.run(run_.starting(std::move(draft), {}), [&](Run::Draft&& end) {
      if (!end.trace.empty())
        finish(std::move(end), {}, sink);
    });
  } else if (!state.pending.empty()) {
    show(state, sink);
  } else {
    for (uint32_t c = 0; c < model_.channels.size(); ++c) {
      const ir::ChannelId channel(c);
      if (!net_.isOffered(channel) || !inputs.has(channel))
        continue;
      std::optional<Turn> turn = this->turn(state, channel);
      if (!turn)
        continue;
      const SymbolicStep step{Visibility::Input, channel, turn->message, {}, {}, turn->taken};
      run_.run(run_.receiving(std::move(turn->state), turn->time, channel, std::move(turn->message)),
               [&](Run::Draft&& end) { finish(std::move(end), SymbolicStep(step), sink); });
    }
    react(state, [&](Run::Draft&& end) { finish(std::move(end), {}, sink); });
  }
  if (!problem_)
    problem_ = run_.problem();
}

void Ests::wait(const SymbolicState& state, const std::function<void(SymbolicState&& later)>& sink) {
  if (!isStarted(state))
    return;
  SymbolicState draft = state;
  const TimeTerm time{++draft.steps, 0, {}};
  if (const eval::Result now = symbols_.terms().evaluate(symbols_.expr(state.now), draft.witness); now.ok())
    draft.witness.set(pool_.payload(symbols_.timeOf(time.step)), now.value);
  bool possible = symbols_.assume(draft, pool_.lessEqual(symbols_.expr(state.now), symbols_.expr(time)));
  for (const Emission& output : state.pending)
    possible = possible && symbols_.assume(draft, symbols_.before(time, output.time, false));
  if (state.pending.empty())
    for (const Run::Due& due : run_.dues(state))
      possible = possible && symbols_.assume(draft, pool_.disjunction(pool_.negation(due.ready),
                                                                      symbols_.before(time, due.time.at, false)));
  draft.now = time;
  if (possible && symbols_.isFeasible(draft))
    sink(std::move(draft));
}

std::optional<ExprId> Ests::quiescent(const SymbolicState& state) {
  if (!state.pending.empty())
    return pool_.boolean(false);
  if (!isStarted(state))
    return std::nullopt;
  for (const Run::Due& due : run_.dues(state)) {
    const auto& edges = due.timeout->edges;
    // Whether the reaction to it has an output cannot be said in one condition.
    if (std::any_of(edges.begin(), edges.end(), [&](ir::EdgeId id) { return net_.mayAnswer(id); }))
      return std::nullopt;
  }
  return pool_.boolean(true);
}

} // namespace tioc::semantics
