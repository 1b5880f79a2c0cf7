#include "runtime/semantics/symbolic.hpp"

#include <algorithm>

namespace tioc::semantics {

using ir::ExprId;
using ir::Op;

ExprId Symbols::unknown(uint32_t step, uint32_t position, ir::TypeId type, const std::string& name) {
  auto& list = places_[uint64_t{step} << 32 | position];
  for (const auto& [known, leaf] : list)
    if (known == type)
      return leaf;
  const uint32_t index = unknowns_.add(type, step == 0 ? name : name + "#" + std::to_string(step));
  return list.emplace_back(type, unknowns_.leaf(pool(), index)).second;
}

ExprId Symbols::twin(uint32_t unknown) {
  const uint32_t index = unknowns_.add(unknowns_.type(unknown), unknowns_.name(unknown) + "'");
  isTwin_.resize(index + 1);
  isTwin_[index] = true;
  return unknowns_.leaf(pool(), index);
}

ExprId Symbols::timeOf(uint32_t step) {
  while (times_.size() <= step) {
    const uint32_t index = unknowns_.add(model_.types.real(), "t#" + std::to_string(times_.size()));
    times_.push_back(unknowns_.leaf(pool(), index));
  }
  return times_[step];
}

ExprId Symbols::before(const TimeTerm& a, const TimeTerm& b, bool strict) {
  if (a.data == b.data) {
    const bool ordered = strict ? a.offset < b.offset : a.offset <= b.offset;
    if (a.step == b.step || (a.step < b.step && ordered) || (a.step > b.step && !ordered))
      return pool().boolean(ordered);
  }
  TimeTerm left = a, right = b;
  const ir::Rational gap = b.offset - a.offset;
  left.offset = gap.sign() < 0 ? -gap : ir::Rational(0);
  right.offset = gap.sign() < 0 ? ir::Rational(0) : gap;
  const ExprId low = expr(left), high = expr(right);
  return strict ? pool().less(low, high) : pool().lessEqual(low, high);
}

bool Symbols::isAssumed(const SymbolicState& state, ExprId condition) const {
  return std::find(state.conditions.begin(), state.conditions.end(), condition) != state.conditions.end();
}

bool Symbols::assume(SymbolicState& state, ExprId condition) {
  if (pool().isTrue(condition))
    return true;
  if (pool().isFalse(condition))
    return false;
  if (pool().op(condition) == Op::And) {
    for (ExprId part : pool().operands(condition))
      if (!isAssumed(state, part))
        state.conditions.push_back(part);
  } else if (!isAssumed(state, condition)) {
    state.conditions.push_back(condition);
  }
  return true;
}

bool Symbols::assumeFits(SymbolicState& state, ExprId value, ir::TypeId type) {
  if (pool().type(value) != type) {
    std::vector<ExprId> ranges;
    terms_.ranges(value, type, ranges);
    for (ExprId range : ranges)
      if (!assume(state, range))
        return false;
  }
  return assume(state, terms_.defined(value));
}

bool Symbols::isFeasible(SymbolicState& state) {
  if (state.uncertain) {
    solver::Reply reply = solver_.check(state.conditions, &state.witness);
    state.uncertain = reply.answer == solver::Answer::Unknown;
    if (reply.answer == solver::Answer::Sat) {
      state.witness.merge(reply.model);
      state.settled = static_cast<uint32_t>(state.conditions.size());
    }
    return reply.answer != solver::Answer::Unsat;
  }
  for (; state.settled < state.conditions.size(); ++state.settled) {
    const auto path = std::span<const ExprId>(state.conditions).first(state.settled);
    solver::Extension next = solver_.extend(path, state.conditions[state.settled], state.witness);
    if (next.answer == solver::Answer::Unsat)
      return false;
    if (next.answer == solver::Answer::Unknown) {
      state.uncertain = true;
      return true;
    }
    if (!next.changes.empty())
      state.witness.merge(next.changes);
  }
  return true;
}

// ---- substitution

void Substitute::begin(std::span<const ExprId> store, std::span<const uint32_t> index, std::span<const ExprId> locals) {
  store_ = store;
  index_ = index;
  locals_ = locals;
  ++round_;
}

ExprId Substitute::leaf(ExprId expr) const {
  if (pool_.op(expr) == Op::Variable)
    return store_[index_[pool_.payload(expr)]];
  if (pool_.op(expr) == Op::Local)
    return locals_[pool_.payload(expr)];
  return expr;
}

ExprId Substitute::operator()(ExprId expr) {
  // Deeper than any written guard: by a way that needs no stack.
  constexpr uint32_t kDeep = 500;
  if (pool_.isConstant(expr))
    return expr;
  if (pool_.operands(expr).empty())
    return leaf(expr);
  if (pool_.depth(expr) > kDeep)
    return pool_.substitute(expr, [&](ExprId id) { return leaf(id); });
  if (expr.value < known_.size() && known_[expr.value].first == round_)
    return known_[expr.value].second;
  const size_t base = operands_.size();
  const size_t count = pool_.operands(expr).size();
  for (size_t i = 0; i < count; ++i) {
    const ExprId operand = (*this)(pool_.operands(expr)[i]);
    operands_.push_back(operand);
  }
  const ExprId result = pool_.rebuild(expr, std::span(operands_).subspan(base));
  operands_.resize(base);
  if (known_.size() <= expr.value)
    known_.resize(std::max<size_t>(expr.value + 1, known_.size() * 2));
  known_[expr.value] = {round_, result};
  return result;
}

} // namespace tioc::semantics
