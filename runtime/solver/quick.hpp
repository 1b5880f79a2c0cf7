#pragma once

#include "runtime/solver/assignment.hpp"

#include <optional>

namespace tioc::solver {

class Terms;

/// Evaluates conditions as they mostly are, small and about scalars of the unknowns: by recursion, in machine words,
/// without a single allocation. What it says is what the interpreter says; what it leaves open (large or deep
/// conditions, overflows, operators that build records or arrays) is for the interpreter.
class QuickEvaluation {
public:
  QuickEvaluation(const Terms& terms, const Assignment& at);

  /// Whether the condition evaluates to true without a fault; nothing: left open.
  std::optional<bool> holds(ir::ExprId condition);
  /// The value of an expression of a numeric type; nothing: it has none, or left open.
  std::optional<ir::Rational> number(ir::ExprId expr);

private:
  enum class Outcome : uint8_t { Done, Fault, Open };

  bool isSmall(ir::ExprId expr) const;
  /// Bools, integers and enum literals.
  Outcome whole(ir::ExprId expr, int64_t& result);
  Outcome connective(ir::ExprId expr, int64_t& result);
  Outcome comparison(ir::ExprId expr, int64_t& result);
  Outcome equality(ir::ExprId expr, int64_t& result);
  Outcome arithmetic(ir::ExprId expr, int64_t& result);
  Outcome quotient(ir::ExprId expr, int64_t& result);
  Outcome real(ir::ExprId expr, ir::Rational& result);
  /// Any type; the value stays where it is.
  Outcome place(ir::ExprId expr, const eval::Value*& result);
  bool isReal(ir::ExprId expr) const { return pool_.type(expr) == real_; }

  const Terms& terms_;
  const ir::ExprPool& pool_;
  const Assignment& at_;
  const ir::TypeId real_;
};

} // namespace tioc::solver
