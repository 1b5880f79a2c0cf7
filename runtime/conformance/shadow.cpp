#include "runtime/conformance/shadow.hpp"

#include <algorithm>

namespace tioc::conformance {

using ir::ExprId;
using semantics::SymbolicState;
using semantics::SymbolicStep;
using semantics::Visibility;

namespace {

// Beyond these an outlook is not complete.
constexpr size_t kMostStates = 60;
constexpr uint32_t kMostUnseen = 10;

} // namespace

Acceptance acceptance(semantics::Symbols& symbols, const SymbolicState& state,
                      std::span<const std::pair<SymbolicStep, SymbolicState>> successors,
                      std::span<const ExprId> values) {
  ir::ExprPool& pool = symbols.pool();
  Acceptance result;
  std::vector<ExprId> ways;
  for (const auto& [step, behind] : successors) {
    // What the step asks for beyond the state, with the message put in: an open value is an unknown of the step.
    std::vector<ExprId> asked{step.taken};
    if (!step.taken.valid())
      asked.assign(behind.conditions.begin() + static_cast<ptrdiff_t>(state.conditions.size()),
                   behind.conditions.end());
    std::vector<std::pair<ExprId, ExprId>> put;
    for (size_t i = 0; i < values.size(); ++i) {
      const ExprId own = step.values[i];
      const bool open = pool.op(own) == ir::Op::Parameter &&
                        std::none_of(put.begin(), put.end(), [&](const auto& pair) { return pair.first == own; }) &&
                        std::none_of(state.store.begin(), state.store.end(), [&](ExprId term) {
                          const auto& used = symbols.terms().unknownsOf(term);
                          return std::binary_search(used.begin(), used.end(), pool.payload(own));
                        });
      if (open)
        put.emplace_back(own, values[i]);
      else
        asked.push_back(pool.equal(own, values[i]));
    }
    for (const auto& [own, value] : put)
      symbols.terms().ranges(value, symbols.unknowns().type(pool.payload(own)), asked);
    ir::ExprPool::Substitution substitute(pool, [&](ExprId leaf) -> ExprId {
      for (const auto& [own, value] : put)
        if (leaf == own)
          return value;
      return {};
    });
    for (ExprId& condition : asked)
      condition = substitute(condition);
    result.exact &= !behind.uncertain;
    ways.push_back(pool.conjunction(asked));
  }
  result.condition = pool.disjunction(ways);
  return result;
}

/// The unknowns of the start get twins: they are shared by all systems over the same symbols otherwise.
Shadow::States Shadow::initial() {
  States states = relation_.initial();
  for (SymbolicState& state : states) {
    std::unordered_map<uint32_t, ExprId> twins;
    ir::ExprPool::Substitution rename(pool_, [&](ExprId leaf) -> ExprId {
      if (pool_.op(leaf) != ir::Op::Parameter)
        return {};
      const auto [it, isNew] = twins.try_emplace(pool_.payload(leaf));
      if (isNew) {
        it->second = symbols_.twin(pool_.payload(leaf));
        if (const eval::Value* value = state.witness.find(pool_.payload(leaf)))
          state.witness.set(pool_.payload(it->second), eval::Value(*value));
      }
      return it->second;
    });
    semantics::forEachPart(
        state, [&](ExprId& term) { term = rename(term); },
        [&](semantics::TimeTerm& time) {
          if (time.data.valid())
            time.data = rename(time.data);
        });
    for (ExprId& condition : state.conditions)
      condition = rename(condition);
    state.steps = firstStep_;
  }
  return states;
}

Shadow::Outlook Shadow::outlook(const States& states) {
  Outlook result;
  result.states = states;
  std::vector<uint32_t> unseen(states.size());
  for (size_t i = 0; i < result.states.size(); ++i) {
    std::vector<Step> nexts;
    const SymbolicState state = result.states[i];
    relation_.successors(state, [&](SymbolicStep&& step, SymbolicState&& behind) {
      if (step.visibility != Visibility::Unobservable) {
        nexts.emplace_back(std::move(step), std::move(behind));
        return;
      }
      if (result.states.size() >= kMostStates || unseen[i] >= kMostUnseen) {
        result.complete = false;
        return;
      }
      result.states.push_back(std::move(behind));
      unseen.push_back(unseen[i] + 1);
    });
    result.nexts.push_back(std::move(nexts));
  }
  return result;
}

bool Shadow::goBeside(SymbolicState& state, const SymbolicState& beside) {
  state.witness.merge(beside.witness);
  state.settled = 0;
  return std::all_of(beside.conditions.begin(), beside.conditions.end(),
                     [&](ExprId condition) { return symbols_.assume(state, condition); });
}

/// What is seen of it is a term of its own; the witness agrees.
bool Shadow::agree(SymbolicState& state, ExprId own, ExprId seen) {
  if (pool_.op(own) == ir::Op::Parameter) {
    eval::Result value = symbols_.terms().evaluate(seen, state.witness);
    if (value.ok())
      state.witness.set(pool_.payload(own), std::move(value.value));
  }
  return symbols_.assume(state, pool_.equal(own, seen));
}

Shadow::States Shadow::after(const Outlook& outlook, const SymbolicEvent& event, const SymbolicState& beside) {
  States result;
  const auto keep = [&](SymbolicState&& state, ExprId time, std::span<const ExprId> values) {
    bool possible = goBeside(state, beside) && agree(state, time, event.time);
    for (size_t i = 0; possible && i < values.size(); ++i)
      possible = agree(state, values[i], event.values[i]);
    if (possible && symbols_.isFeasible(state))
      result.push_back(std::move(state));
  };
  const Visibility wanted = event.kind == SymbolicEvent::Kind::Input ? Visibility::Input : Visibility::Output;
  for (size_t i = 0; i < outlook.states.size(); ++i) {
    if (event.kind == SymbolicEvent::Kind::Silence) {
      relation_.wait(outlook.states[i], [&](SymbolicState&& later) {
        const ExprId time = symbols_.expr(later.now);
        keep(std::move(later), time, {});
      });
      continue;
    }
    for (const auto& [step, behind] : outlook.nexts[i])
      if (step.visibility == wanted && step.channel == event.channel)
        keep(SymbolicState(behind), step.time, step.values);
  }
  return result;
}

Shadow::States Shadow::refusing(const Outlook& outlook, const SymbolicEvent& input, const SymbolicState& beside,
                                bool& exact) {
  States result;
  for (size_t i = 0; i < outlook.states.size(); ++i) {
    std::vector<Step> takes;
    for (const Step& next : outlook.nexts[i])
      if (next.first.visibility == Visibility::Input && next.first.channel == input.channel)
        takes.push_back(next);
    const Acceptance accepts = acceptance(symbols_, outlook.states[i], takes, input.values);
    exact &= accepts.exact;
    if (pool_.isTrue(accepts.condition))
      continue;
    const ExprId refuses = symbols_.terms().fails(accepts.condition);
    relation_.wait(outlook.states[i], [&](SymbolicState&& later) {
      const ExprId time = symbols_.expr(later.now);
      if (goBeside(later, beside) && agree(later, time, input.time) && symbols_.assume(later, refuses) &&
          symbols_.isFeasible(later))
        result.push_back(std::move(later));
    });
  }
  return result;
}

} // namespace tioc::conformance
