#include "runtime/testgen/observer.hpp"

#include "ir/print.hpp"

#include <algorithm>
#include <limits>

namespace tioc::testgen {

using ir::ExprId;
using semantics::SymbolicState;
using semantics::SymbolicStep;

namespace {

bool isProduct(const ir::Automaton& automaton) {
  return automaton.kind != ir::AutomatonKind::Purpose;
}

} // namespace

Observer::Observer(semantics::Symbols& symbols, ir::AutomatonId purpose, std::span<const ir::VariableId> variables,
                   std::span<const ir::ClockId> clocks)
    : symbols_(symbols), purpose_(purpose), systemClocks_(static_cast<uint32_t>(clocks.size())),
      systemVariables_(variables.size()), put_(symbols) {
  const ir::Model& model = symbols.model();
  index_.assign(model.variables.size(), UINT32_MAX);
  clocks_.assign(model.clocks.size(), UINT32_MAX);
  for (uint32_t i = 0; i < variables.size(); ++i)
    index_[variables[i].value] = i;
  for (uint32_t i = 0; i < clocks.size(); ++i)
    clocks_[clocks[i].value] = i;
  if (!purpose.valid())
    return;
  const ir::Automaton& automaton = model[purpose];
  for (uint32_t i = 0; !isProduct(automaton) && i < automaton.variables.size(); ++i)
    index_[automaton.variables[i].value] = static_cast<uint32_t>(systemVariables_) + i;
  for (uint32_t i = 0; !isProduct(automaton) && i < automaton.clocks.size(); ++i)
    clocks_[automaton.clocks[i].value] = systemClocks_ + i;
  distance_.assign(model.locations.size(), UINT32_MAX / 2);
  for (ir::LocationId id : automaton.locations)
    if (model[id].mark == ir::Mark::Accept)
      distance_[id.value] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (ir::EdgeId id : automaton.edges) {
      uint32_t& own = distance_[model[id].source.value];
      const uint32_t over = distance_[model[id].target.value] + 1;
      if (over < own) {
        own = over;
        changed = true;
      }
    }
  }
}

PurposeState Observer::initial() const {
  PurposeState state;
  if (!purpose_.valid())
    return state;
  ir::Model& model = symbols_.model();
  const ir::Automaton& automaton = model[purpose_];
  state.at = automaton.initial;
  if (isProduct(automaton))
    return state;
  for (ir::VariableId id : automaton.variables)
    state.store.push_back(model[id].initial.valid()
                              ? model[id].initial
                              : symbols_.unknown(0, static_cast<uint32_t>(id.value + systemVariables_ + 1),
                                                 model[id].type, model[id].name));
  state.since.assign(automaton.clocks.size(), model.exprs.real(0));
  return state;
}

ir::Mark Observer::mark(const PurposeState& state) const {
  return state.at.valid() ? symbols_.model()[state.at].mark : ir::Mark::None;
}

uint32_t Observer::distance(const PurposeState& state) const {
  return state.at.valid() ? distance_[state.at.value] : 0;
}

bool Observer::matches(const ir::Edge& edge, const SymbolicStep& step) const {
  if (edge.action == ir::ActionKind::Otherwise)
    return true;
  const bool input = step.visibility == semantics::Visibility::Input;
  return edge.channel == step.channel && edge.action == (input ? ir::ActionKind::Receive : ir::ActionKind::Send);
}

/// As a condition that always has a value. Sees the system before its step.
ExprId Observer::guardOf(const ir::Edge& edge, const SymbolicState& from, const PurposeState& purpose,
                         std::span<const ExprId> values, ExprId time) {
  ir::ExprPool& pool = symbols_.pool();
  store_ = from.store;
  store_.insert(store_.end(), purpose.store.begin(), purpose.store.end());
  put_.begin(store_, index_, values);
  std::vector<ExprId> parts;
  const auto add = [&](ExprId condition) {
    parts.push_back(symbols_.terms().defined(condition));
    parts.push_back(condition);
  };
  add(put_(edge.guard.data));
  const auto valueOf = [&](ir::ClockId clock) {
    const uint32_t at = clocks_[clock.value];
    if (clock == ir::Model::zeroClock())
      return pool.real(0);
    const ExprId since = at < systemClocks_ ? symbols_.expr(from.since[at]) : purpose.since[at - systemClocks_];
    return pool.add(std::vector<ExprId>{time, pool.negate(since)});
  };
  for (const ir::ClockConstraint& c : edge.guard.clocks) {
    const ExprId left = valueOf(c.left), right = valueOf(c.right), bound = put_(c.bound);
    const ExprId limit = pool.add(std::vector<ExprId>{right, bound});
    add(c.strict ? pool.less(left, limit) : pool.lessEqual(left, limit));
  }
  return pool.conjunction(parts);
}

/// Precondition: `put_` and `store_` are as `guardOf` left them for this edge.
PurposeState Observer::take(const ir::Edge& edge, const PurposeState& purpose, ExprId time) {
  PurposeState next = purpose;
  next.at = edge.target;
  for (const ir::Update& update : edge.updates)
    next.store[index_[update.variable.value] - systemVariables_] = put_(update.value);
  ir::ExprPool& pool = symbols_.pool();
  for (const ir::Reset& reset : edge.resets) {
    ExprId& since = next.since[clocks_[reset.clock.value] - systemClocks_];
    if (reset.source.valid() && clocks_[reset.source.value] >= systemClocks_)
      since = purpose.since[clocks_[reset.source.value] - systemClocks_];
    else
      since = pool.add(std::vector<ExprId>{time, pool.negate(put_(reset.value))});
  }
  return next;
}

/// The purpose after the edge, if it can be taken from `state`, which then has its guard among the conditions.
std::optional<PurposeState> Observer::tryEdge(ir::EdgeId id, const SymbolicState& from, const PurposeState& purpose,
                                              std::span<const ExprId> values, ExprId time, SymbolicState& state,
                                              ExprId* guard) {
  const ir::Edge edge = symbols_.model()[id];
  const ExprId condition = guardOf(edge, from, purpose, values, time);
  if (guard)
    *guard = condition;
  if (symbols_.pool().isFalse(condition) || !symbols_.assume(state, condition))
    return std::nullopt;
  PurposeState next = take(edge, purpose, time);
  next.via = id;
  if (!symbols_.isFeasible(state))
    return std::nullopt;
  taken_.resize(std::max<size_t>(taken_.size(), id.value + 1));
  taken_[id.value] = true;
  return next;
}

/// Remembers why an edge could not be taken.
void Observer::refuse(ir::EdgeId id, const SymbolicState& from, const PurposeState& purpose,
                      std::span<const ExprId> values, ExprId time, const SymbolicState& state) {
  if (wasTaken(id) ||
      std::any_of(refusals_.begin(), refusals_.end(), [&](const Refusal& known) { return known.edge == id; }))
    return;
  const ir::Model& model = symbols_.model();
  const ir::Edge edge = model[id];
  Refusal refusal{id, "", edge.span, from.at};
  const auto isImpossible = [&](const ir::Guard& part) {
    ir::Edge alone = edge;
    alone.guard = part;
    SymbolicState copy = state;
    const ExprId condition = guardOf(alone, from, purpose, values, time);
    return !symbols_.assume(copy, condition) || !symbols_.isFeasible(copy);
  };
  for (ExprId part : model.exprs.conjuncts(edge.guard.data))
    if (refusal.what.empty() && isImpossible({part, {}}))
      refusal.what = ir::printExpr(model, part, &edge, &model[purpose_]);
  for (const ir::ClockConstraint& part : edge.guard.clocks)
    if (refusal.what.empty() && isImpossible({symbols_.pool().boolean(true), {part}})) {
      refusal.what = ir::printGuard(model, {symbols_.pool().boolean(true), {part}}, &edge, &model[purpose_]);
      refusal.span = part.span;
    }
  refusals_.push_back(std::move(refusal));
}

/// The purpose stays where it is, or goes on by internal edges at the given time.
void Observer::rest(const SymbolicState& from, const PurposeState& purpose, std::span<const ExprId> values, ExprId time,
                    SymbolicState&& to, uint32_t depth, const Sink& sink) {
  // A loop of internal edges says nothing new.
  constexpr uint32_t kMostInternal = 4;
  const ir::Model& model = symbols_.model();
  if (depth < kMostInternal && model[purpose.at].mark == ir::Mark::None)
    for (ir::EdgeId id : ir::edgesFrom(model, model[purpose_], purpose.at)) {
      if (model[id].action != ir::ActionKind::Internal)
        continue;
      SymbolicState taken = to;
      if (const auto next = tryEdge(id, from, purpose, values, time, taken))
        rest(from, *next, values, time, std::move(taken), depth + 1, sink);
      else
        refuse(id, from, purpose, values, time, to);
    }
  sink(std::move(to), PurposeState(purpose));
}

/// The edge that the action takes the purpose along, if there is one.
void Observer::match(const SymbolicState& from, const PurposeState& purpose, const SymbolicStep& step,
                     SymbolicState&& to, const Sink& sink) {
  const ir::Model& model = symbols_.model();
  SymbolicState rest = std::move(to); // where no edge has matched so far
  const std::vector<ir::EdgeId> edges = ir::edgesFrom(model, model[purpose_], purpose.at);
  // `otherwise` comes last, whatever its place.
  for (bool otherwise : {false, true})
    for (ir::EdgeId id : edges) {
      const ir::ActionKind action = model[id].action;
      if ((action == ir::ActionKind::Otherwise) != otherwise || action == ir::ActionKind::Internal ||
          !matches(model[id], step))
        continue;
      SymbolicState taken = rest;
      ExprId guard;
      if (auto next = tryEdge(id, from, purpose, step.values, step.time, taken, &guard))
        sink(std::move(taken), std::move(*next));
      else
        refuse(id, from, purpose, step.values, step.time, rest);
      if (!symbols_.assume(rest, symbols_.pool().negation(guard)) || !symbols_.isFeasible(rest))
        return;
    }
  sink(std::move(rest), PurposeState(purpose));
}

void Observer::follow(const SymbolicState& from, const PurposeState& purpose, const SymbolicStep& step,
                      SymbolicState&& to, const Sink& sink) {
  if (purpose_.valid() && isProduct(symbols_.model()[purpose_])) {
    PurposeState state;
    state.at = to.at[0];
    if (!step.edges.empty())
      state.via = step.edges[0];
    return sink(std::move(to), std::move(state));
  }
  if (!purpose.at.valid() || step.visibility == semantics::Visibility::Unobservable)
    return sink(std::move(to), PurposeState(purpose));
  rest(from, purpose, step.values, step.time, std::move(to), 0, [&](SymbolicState&& before, PurposeState&& ready) {
    if (symbols_.model()[ready.at].mark != ir::Mark::None)
      return sink(std::move(before), std::move(ready));
    match(from, ready, step, std::move(before), [&](SymbolicState&& behind, PurposeState&& moved) {
      const SymbolicState after = behind;
      rest(after, moved, {}, step.time, std::move(behind), 0, sink);
    });
  });
}

} // namespace tioc::testgen
