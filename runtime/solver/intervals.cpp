#include "runtime/solver/intervals.hpp"

#include <algorithm>

namespace tioc::solver {

using ir::Rational;

namespace {

Interval truth(bool canBeFalse, bool canBeTrue) {
  return {Rational(canBeFalse ? 0 : 1), Rational(canBeTrue ? 1 : 0)};
}

/// Whether every value of `a` is below every value of `b`.
bool isBelow(const Interval& a, const Interval& b) {
  return a.last && b.first && *a.last < *b.first;
}

bool isNotAbove(const Interval& a, const Interval& b) {
  return a.last && b.first && *a.last <= *b.first;
}

Interval hull(const Interval& a, const Interval& b) {
  Interval result;
  if (a.first && b.first)
    result.first = std::min(*a.first, *b.first);
  if (a.last && b.last)
    result.last = std::max(*a.last, *b.last);
  return result;
}

Interval product(const Interval& a, const Interval& b) {
  const Interval zero = Interval::point(0);
  if (a.isPoint() && a.first->isZero())
    return zero;
  if (b.isPoint() && b.first->isZero())
    return zero;
  if (a.isBounded() && b.isBounded()) {
    const auto [least, most] =
        std::minmax({*a.first * *b.first, *a.first * *b.last, *a.last * *b.first, *a.last * *b.last});
    return {least, most};
  }
  // Half-infinite operands: only the sign is worth keeping.
  if (a.first && b.first && a.first->sign() >= 0 && b.first->sign() >= 0)
    return {*a.first * *b.first, std::nullopt};
  return {};
}

/// The quotient by divisors of one sign, given as their sizes.
Interval quotientBy(const Interval& a, const Rational& least, const std::optional<Rational>& most, bool isNegative) {
  // Floor and division by a positive number are monotone, so the ends decide.
  auto end = [&](const Rational& value, bool towardsZero) -> Rational {
    if (towardsZero && !most)
      return value.sign() < 0 ? Rational(-1) : Rational(0);
    return (value / (towardsZero ? *most : least)).floor();
  };
  Interval result;
  if (a.first)
    result.first = end(*a.first, a.first->sign() >= 0);
  if (a.last)
    result.last = end(*a.last, a.last->sign() < 0);
  return isNegative ? Interval{result.last ? std::optional(-*result.last) : std::nullopt,
                               result.first ? std::optional(-*result.first) : std::nullopt}
                    : result;
}

} // namespace

Interval intervalOf(const ir::Model& model, ir::TypeId scalar) {
  const ir::Type& type = model.types[scalar];
  if (type.kind == ir::TypeKind::Bool)
    return Interval::boolean();
  if (type.kind == ir::TypeKind::Enum)
    return {Rational(0), Rational(static_cast<int64_t>(model[type.enumeration].literals.size()) - 1)};
  return type.range ? Interval{type.range->first, type.range->last} : Interval{};
}

Interval IntervalAlgebra::unknown(Place place) {
  if (auto it = known_.find(place); it != known_.end())
    return it->second;
  return intervalOf(terms_.model(), terms_.typeOf(place));
}

Interval IntervalAlgebra::negation(const Interval& a) {
  return truth(!a.isFalse(), !a.isTrue());
}

Interval IntervalAlgebra::conjunction(const std::vector<Interval>& list) {
  return truth(!std::all_of(list.begin(), list.end(), [](const Interval& a) { return a.isTrue(); }),
               std::none_of(list.begin(), list.end(), [](const Interval& a) { return a.isFalse(); }));
}

Interval IntervalAlgebra::disjunction(const std::vector<Interval>& list) {
  return truth(std::none_of(list.begin(), list.end(), [](const Interval& a) { return a.isTrue(); }),
               !std::all_of(list.begin(), list.end(), [](const Interval& a) { return a.isFalse(); }));
}

Interval IntervalAlgebra::equal(const Interval& a, const Interval& b) {
  return truth(!(a.isPoint() && b.isPoint() && *a.first == *b.first), !isBelow(a, b) && !isBelow(b, a));
}

Interval IntervalAlgebra::less(const Interval& a, const Interval& b) {
  return truth(!isBelow(a, b), !isNotAbove(b, a));
}

Interval IntervalAlgebra::lessEqual(const Interval& a, const Interval& b) {
  return truth(!isNotAbove(a, b), !isBelow(b, a));
}

Interval IntervalAlgebra::negate(const Interval& a) {
  return {a.last ? std::optional(-*a.last) : std::nullopt, a.first ? std::optional(-*a.first) : std::nullopt};
}

Interval IntervalAlgebra::add(const std::vector<Interval>& list) {
  Interval sum = Interval::point(0);
  for (const Interval& a : list) {
    sum.first = sum.first && a.first ? std::optional(*sum.first + *a.first) : std::nullopt;
    sum.last = sum.last && a.last ? std::optional(*sum.last + *a.last) : std::nullopt;
  }
  return sum;
}

Interval IntervalAlgebra::multiply(const std::vector<Interval>& list) {
  Interval result = list[0];
  for (size_t i = 1; i < list.size(); ++i)
    result = product(result, list[i]);
  return result;
}

Interval IntervalAlgebra::divide(const Interval& a, const Interval& b) {
  if (!a.isBounded() || !b.isBounded() || b.contains(0))
    return {};
  const auto [least, most] =
      std::minmax({*a.first / *b.first, *a.first / *b.last, *a.last / *b.first, *a.last / *b.last});
  return {least, most};
}

Interval IntervalAlgebra::quotient(const Interval& a, const Interval& b) {
  std::optional<Interval> result;
  if (!b.last || b.last->sign() > 0)
    result = quotientBy(a, b.first && b.first->sign() > 0 ? *b.first : Rational(1), b.last, false);
  if (!b.first || b.first->sign() < 0) {
    const std::optional<Rational> most = b.first ? std::optional(-*b.first) : std::nullopt;
    const Interval part = quotientBy(a, b.last && b.last->sign() < 0 ? -*b.last : Rational(1), most, true);
    result = result ? hull(*result, part) : part;
  }
  return result.value_or(Interval{}); // by zero: no value at all
}

Interval IntervalAlgebra::remainder(const Interval& a, const Interval& b) {
  if (!b.isBounded())
    return {Rational(0), std::nullopt};
  const Rational most = std::max(*b.last, -*b.first) - Rational(1);
  const bool staysBelow = b.first->sign() > 0 && a.isBounded() && a.first->sign() >= 0 && *a.last < *b.first;
  return staysBelow ? a : Interval{Rational(0), std::max(most, Rational(0))};
}

Interval IntervalAlgebra::floor(const Interval& a) {
  return {a.first ? std::optional(a.first->floor()) : std::nullopt,
          a.last ? std::optional(a.last->floor()) : std::nullopt};
}

Interval IntervalAlgebra::choose(const Interval& condition, const Interval& yes, const Interval& no) {
  return condition.isTrue() ? yes : condition.isFalse() ? no : hull(yes, no);
}

} // namespace tioc::solver
