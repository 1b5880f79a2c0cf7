#pragma once

#include "ir/expr.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace tioc::solver {

/// The bounds on differences of two real unknowns, or on one, among conditions. What follows from them is found by
/// shortest paths; as the others are passed over, a least value found is a bound and need not be attained.
class Differences {
public:
  explicit Differences(const ir::ExprPool& pool, ir::TypeId real) : pool_(pool), real_(real) {}

  void add(ir::ExprId condition);
  /// A bound that the term, an unknown or its opposite and a number, is never below. Precondition: the conditions have
  /// a model.
  std::optional<ir::Rational> least(ir::ExprId term) const;

private:
  static constexpr uint32_t kZero = UINT32_MAX;
  struct Sum {
    uint32_t plus = kZero, minus = kZero;
    ir::Rational constant;
  };
  struct Bound {
    uint32_t to;
    ir::Rational by; ///< to <= from + by
  };

  bool addTo(Sum& sum, ir::ExprId expr, bool negated) const;

  const ir::ExprPool& pool_;
  const ir::TypeId real_;
  std::unordered_map<uint32_t, std::vector<Bound>> bounds_; // by `from`
};

} // namespace tioc::solver
