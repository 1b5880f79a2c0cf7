#pragma once

#include "runtime/solver/flatten.hpp"

#include <map>

namespace tioc::solver {

/// All numbers between two ends, which belong to it; a missing end is infinite. Booleans are 0 and 1.
struct Interval {
  std::optional<ir::Rational> first;
  std::optional<ir::Rational> last;

  static Interval point(ir::Rational value) { return {value, value}; }
  static Interval boolean() { return {ir::Rational(0), ir::Rational(1)}; }
  bool isPoint() const { return first && last && *first == *last; }
  bool isBounded() const { return first && last; }
  bool contains(const ir::Rational& value) const { return (!first || *first <= value) && (!last || value <= *last); }
  /// Booleans only.
  bool isTrue() const { return first->sign() > 0; }
  bool isFalse() const { return last->isZero(); }
};

/// The algebra of intervals, for Flattening. Each result holds every value that the operator can have on the operands.
class IntervalAlgebra {
public:
  using Scalar = Interval;

  explicit IntervalAlgebra(Terms& terms) : terms_(terms) {}

  /// Replaces what the type says about a place.
  void restrict(Place place, Interval interval) { known_[place] = std::move(interval); }

  Interval constant(ir::TypeId, const ir::Rational& value) { return Interval::point(value); }
  Interval unknown(Place place);
  Interval negation(const Interval& a);
  Interval conjunction(const std::vector<Interval>& list);
  Interval disjunction(const std::vector<Interval>& list);
  Interval equal(const Interval& a, const Interval& b);
  Interval less(const Interval& a, const Interval& b);
  Interval lessEqual(const Interval& a, const Interval& b);
  Interval negate(const Interval& a);
  Interval add(const std::vector<Interval>& list);
  Interval multiply(const std::vector<Interval>& list);
  Interval divide(const Interval& a, const Interval& b);
  Interval quotient(const Interval& a, const Interval& b);
  Interval remainder(const Interval& a, const Interval& b);
  Interval toReal(const Interval& a) { return a; }
  Interval floor(const Interval& a);
  Interval choose(const Interval& condition, const Interval& yes, const Interval& no);

private:
  Terms& terms_;
  std::map<Place, Interval> known_;
};

/// What the declared type says about the values of a scalar.
Interval intervalOf(const ir::Model& model, ir::TypeId scalar);

} // namespace tioc::solver
