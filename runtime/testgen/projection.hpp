#pragma once

#include "runtime/semantics/symbolic.hpp"

#include <functional>
#include <map>

namespace tioc::testgen {

/// Conditions that hold together.
using Conjunction = std::vector<ir::ExprId>;

struct Projected {
  std::vector<Conjunction> cases; ///< their union; none: nothing is possible
  bool exact = true;              ///< false: the union may be too large, never too small
};

/// What conditions say about some unknowns when the others are not seen: "there are values of the others such that". By
/// substituting equalities and by Fourier–Motzkin elimination on the linear conditions, case by case; a condition that
/// resists is left out, which makes the result larger.
class Projection {
public:
  explicit Projection(semantics::Symbols& symbols) : symbols_(symbols), pool_(symbols.pool()) {}

  using IsKept = std::function<bool(uint32_t unknown)>;
  /// What is said about `focus` is told in cases without choices, too.
  Projected operator()(const Conjunction& conditions, const IsKept& isKept, uint32_t focus = UINT32_MAX);

  /// A comparison as sum of factor * unknown + constant against zero.
  struct Linear {
    enum class Relation : uint8_t { Less, LessEqual, Equal };
    Relation relation = Relation::LessEqual;
    std::map<uint32_t, ir::Rational> factors;
    ir::Rational constant;
    bool isReal = false;
  };
  /// Nothing if the condition is no comparison of linear terms.
  const std::optional<Linear>& linear(ir::ExprId condition);
  /// As a comparison; `allowance`, if there, is added to its larger side.
  ir::ExprId expr(const Linear& linear, ir::ExprId allowance = {});
  /// A comparison in the one form that equal ones share; anything else as it is.
  ir::ExprId canonical(ir::ExprId condition);
  /// The bound that a comparison is for the unknown, as a term without it: unknown <= term (`upper`) or term <=
  /// unknown.
  struct Bound {
    ir::ExprId term;
    bool upper = false;
    bool lower = false; ///< both: an equality
    bool strict = false;
  };
  std::optional<Bound> boundOf(ir::ExprId condition, uint32_t unknown);

private:
  /// One case under work; conditions not looked at yet stand in `open`.
  struct Case {
    Conjunction open;
    Conjunction done;
  };

  bool needsSplit(ir::ExprId condition, const IsKept& isKept);
  std::vector<ir::ExprId> alternatives(ir::ExprId condition);
  bool eliminate(Conjunction& conditions, const IsKept& isKept, bool& exact);
  bool dropClosed(Conjunction& conditions, const IsKept& isKept);
  bool substituteOne(Conjunction& conditions, const IsKept& isKept);
  bool eliminateOne(Conjunction& conditions, uint32_t unknown, bool& exact);
  bool addLinear(ir::ExprId expr, const ir::Rational& factor, Linear& sum);
  bool simplify(Conjunction& conditions);

  semantics::Symbols& symbols_;
  ir::ExprPool& pool_;
  std::optional<Linear> read(ir::ExprId condition);

  std::unordered_map<ir::ExprId, ir::ExprId> canonical_; // what was found before
  std::unordered_map<ir::ExprId, std::optional<Linear>> linear_;
};

} // namespace tioc::testgen
