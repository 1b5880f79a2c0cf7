#pragma once

#include "runtime/solver/intervals.hpp"

#include <set>

namespace tioc::solver {

/// The values that are left for one scalar: an interval with open or closed ends, without some numbers. Those of
/// integers, enums and booleans (0 and 1) are whole.
class Domain {
public:
  Domain(Interval interval, bool isWhole) : interval_(std::move(interval)), isWhole_(isWhole) {}

  void atMost(const ir::Rational& value, bool isStrict);
  void atLeast(const ir::Rational& value, bool isStrict);
  void exclude(const ir::Rational& value) { excluded_.insert(value); }
  void exactly(const ir::Rational& value) {
    atMost(value, false);
    atLeast(value, false);
  }

  bool contains(const ir::Rational& value) const;
  /// Some value, `preferred` or one near it if possible; nothing if none is left.
  std::optional<ir::Rational> pick(const ir::Rational& preferred) const;
  const Interval& interval() const { return interval_; }

private:
  std::optional<ir::Rational> pickWhole(const ir::Rational& preferred) const;
  std::optional<ir::Rational> pickReal(const ir::Rational& preferred) const;

  Interval interval_;
  bool isWhole_;
  bool isOpenBelow_ = false;
  bool isOpenAbove_ = false;
  std::set<ir::Rational> excluded_;
};

/// The domains of scalars after conjuncts about single ones: `x < 3`, `2 * x + 1 != 7`, `!p.flag`.
class Domains {
public:
  explicit Domains(Terms& terms) : terms_(terms) {}

  /// False, and nothing happens, if the conjunct is not of that form.
  bool add(ir::ExprId conjunct);
  Domain& of(Place place);
  const std::map<Place, Domain>& all() const { return domains_; }

private:
  /// factor * place + summand
  struct Linear {
    Place place;
    ir::Rational factor = 1;
    ir::Rational summand;
  };

  std::optional<Linear> linear(ir::ExprId expr);
  bool addComparison(ir::Op op, ir::ExprId left, ir::ExprId right, bool isNegated);

  Terms& terms_;
  std::map<Place, Domain> domains_;
};

} // namespace tioc::solver
