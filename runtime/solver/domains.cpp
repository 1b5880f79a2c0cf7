#include "runtime/solver/domains.hpp"

#include <algorithm>

namespace tioc::solver {

using ir::ExprId;
using ir::Op;
using ir::Rational;

// ---- one domain

void Domain::atMost(const Rational& value, bool isStrict) {
  Rational limit = value;
  if (isWhole_) {
    limit = value.floor();
    if (isStrict && limit == value)
      limit = limit - Rational(1);
    isStrict = false;
  }
  if (!interval_.last || limit < *interval_.last) {
    interval_.last = limit;
    isOpenAbove_ = isStrict;
  } else if (limit == *interval_.last) {
    isOpenAbove_ |= isStrict;
  }
}

void Domain::atLeast(const Rational& value, bool isStrict) {
  Rational limit = value;
  if (isWhole_) {
    limit = -(-value).floor();
    if (isStrict && limit == value)
      limit = limit + Rational(1);
    isStrict = false;
  }
  if (!interval_.first || limit > *interval_.first) {
    interval_.first = limit;
    isOpenBelow_ = isStrict;
  } else if (limit == *interval_.first) {
    isOpenBelow_ |= isStrict;
  }
}

bool Domain::contains(const Rational& value) const {
  if (!interval_.contains(value) || excluded_.contains(value) || (isWhole_ && !value.isInteger()))
    return false;
  return !(isOpenBelow_ && value == *interval_.first) && !(isOpenAbove_ && value == *interval_.last);
}

std::optional<Rational> Domain::pick(const Rational& preferred) const {
  if (contains(preferred))
    return preferred;
  return isWhole_ ? pickWhole(preferred) : pickReal(preferred);
}

std::optional<Rational> Domain::pickWhole(const Rational& preferred) const {
  if (interval_.isBounded() && *interval_.first > *interval_.last)
    return std::nullopt;
  Rational start = preferred.floor();
  if (interval_.first)
    start = std::max(start, *interval_.first);
  if (interval_.last)
    start = std::min(start, *interval_.last);
  // One of so many neighbours on either side is not excluded, if there are as many.
  Rational distance = 0;
  for (size_t i = 0; i <= excluded_.size(); ++i, distance = distance + Rational(1)) {
    if (contains(start + distance))
      return start + distance;
    if (contains(start - distance))
      return start - distance;
  }
  return std::nullopt;
}

std::optional<Rational> Domain::pickReal(const Rational& preferred) const {
  const auto& [first, last] = interval_;
  if (first && contains(*first) && preferred <= *first)
    return *first;
  if (last && contains(*last) && preferred >= *last)
    return *last;
  if (first && last && *first >= *last)
    return *first == *last && contains(*first) ? first : std::nullopt;
  // Inside there are infinitely many; of so many distinct ones, one is not excluded.
  const auto count = static_cast<int64_t>(excluded_.size()) + 1;
  for (int64_t i = 1; i <= count; ++i) {
    Rational candidate = first && last ? *first + (*last - *first) * Rational(i, count + 1)
                         : first       ? *first + Rational(i)
                         : last        ? *last - Rational(i)
                                       : preferred + Rational(i);
    if (contains(candidate))
      return candidate;
  }
  return std::nullopt;
}

// ---- all domains

Domain& Domains::of(Place place) {
  auto it = domains_.find(place);
  if (it == domains_.end()) {
    const ir::TypeId type = terms_.typeOf(place);
    const bool isWhole = terms_.types()[type].kind != ir::TypeKind::Real;
    it = domains_.emplace(place, Domain(intervalOf(terms_.model(), type), isWhole)).first;
  }
  return it->second;
}

std::optional<Domains::Linear> Domains::linear(ExprId expr) {
  const ir::ExprPool& pool = terms_.pool();
  Linear result;
  for (;;) {
    const Op op = pool.op(expr);
    if (op == Op::Negate) {
      result.factor = -result.factor;
      expr = pool.operands(expr)[0];
    } else if (op == Op::ToReal) {
      expr = pool.operands(expr)[0];
    } else if (op == Op::Add || op == Op::Multiply) {
      // The pool keeps at most one constant among the operands.
      auto operands = pool.operands(expr);
      if (operands.size() != 2)
        return std::nullopt;
      const bool isFirst = pool.number(operands[0]) != nullptr;
      const Rational* number = pool.number(operands[isFirst ? 0 : 1]);
      if (!number)
        return std::nullopt;
      if (op == Op::Add)
        result.summand = result.summand + result.factor * *number;
      else
        result.factor = result.factor * *number;
      expr = operands[isFirst ? 1 : 0];
    } else {
      auto place = terms_.placeOf(expr);
      if (!place || terms_.scalarsOf(pool.type(expr)).size() != 1 || result.factor.isZero())
        return std::nullopt;
      result.place = *place;
      return result;
    }
  }
}

bool Domains::add(ExprId conjunct) {
  const ir::ExprPool& pool = terms_.pool();
  bool isNegated = false;
  if (pool.op(conjunct) == Op::Not) {
    isNegated = true;
    conjunct = pool.operands(conjunct)[0];
  }
  const Op op = pool.op(conjunct);
  if (op == Op::Equal || op == Op::Less || op == Op::LessEqual)
    return addComparison(op, pool.operands(conjunct)[0], pool.operands(conjunct)[1], isNegated);
  if (auto place = terms_.placeOf(conjunct)) {
    of(*place).exactly(isNegated ? 0 : 1);
    return true;
  }
  return false;
}

bool Domains::addComparison(Op op, ExprId left, ExprId right, bool isNegated) {
  const ir::ExprPool& pool = terms_.pool();
  auto constant = [&](ExprId expr) -> std::optional<Rational> {
    if (const Rational* number = pool.number(expr))
      return *number;
    if (pool.op(expr) == Op::EnumLiteral)
      return static_cast<int64_t>(pool.payload(expr));
    return std::nullopt;
  };
  auto value = constant(right);
  const bool isSwapped = !value;
  if (isSwapped)
    value = constant(left);
  auto term = value ? linear(isSwapped ? right : left) : std::nullopt;
  if (!term || (isNegated && op != Op::Equal))
    return false;
  const Rational limit = (*value - term->summand) / term->factor;
  Domain& domain = of(term->place);
  if (op == Op::Equal) {
    if (isNegated)
      domain.exclude(limit);
    else
      domain.exactly(limit);
  } else if ((term->factor.sign() < 0) != isSwapped) {
    domain.atLeast(limit, op == Op::Less);
  } else {
    domain.atMost(limit, op == Op::Less);
  }
  return true;
}

} // namespace tioc::solver
