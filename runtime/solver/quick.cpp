#include "runtime/solver/quick.hpp"

#include "runtime/solver/terms.hpp"

namespace tioc::solver {

using eval::Value;
using ir::ExprId;
using ir::Op;
using ir::Rational;

namespace {

// Beyond these the interpreter, which needs no stack and looks at shared parts once, is the better one.
constexpr uint32_t kDeepest = 100;
constexpr uint32_t kLargest = 500; // nodes as a tree

} // namespace

QuickEvaluation::QuickEvaluation(const Terms& terms, const Assignment& at)
    : terms_(terms), pool_(terms.model().exprs), at_(at), real_(terms.types().real()) {}

bool QuickEvaluation::isSmall(ExprId expr) const {
  return pool_.depth(expr) <= kDeepest && pool_.treeSize(expr) <= kLargest;
}

std::optional<Rational> QuickEvaluation::number(ExprId expr) {
  if (!isSmall(expr))
    return std::nullopt;
  Rational result;
  int64_t integer = 0;
  if ((isReal(expr) ? real(expr, result) : whole(expr, integer)) != Outcome::Done)
    return std::nullopt;
  return isReal(expr) ? result : Rational(integer);
}

std::optional<bool> QuickEvaluation::holds(ExprId condition) {
  if (!isSmall(condition))
    return std::nullopt;
  int64_t truth = 0;
  const Outcome outcome = whole(condition, truth);
  if (outcome == Outcome::Open)
    return std::nullopt;
  return outcome == Outcome::Done && truth != 0;
}

QuickEvaluation::Outcome QuickEvaluation::whole(ExprId expr, int64_t& result) {
  switch (pool_.op(expr)) {
  case Op::Bool:
  case Op::EnumLiteral:
    result = pool_.payload(expr);
    return Outcome::Done;
  case Op::Number: {
    const auto number = pool_.number(expr)->toInt64();
    result = number.value_or(0);
    return number ? Outcome::Done : Outcome::Open;
  }
  case Op::Parameter:
  case Op::Field:
  case Op::Element: {
    const Value* value = nullptr;
    if (const Outcome outcome = place(expr, value); outcome != Outcome::Done)
      return outcome;
    const auto number = value->number.toInt64();
    result = number.value_or(0);
    return number ? Outcome::Done : Outcome::Open;
  }
  case Op::Not: {
    const Outcome outcome = whole(pool_.operands(expr)[0], result);
    result = result == 0;
    return outcome;
  }
  case Op::And:
  case Op::Or:
    return connective(expr, result);
  case Op::Equal:
    return equality(expr, result);
  case Op::Less:
  case Op::LessEqual:
    return comparison(expr, result);
  case Op::IfThenElse: {
    if (const Outcome outcome = whole(pool_.operands(expr)[0], result); outcome != Outcome::Done)
      return outcome;
    return whole(pool_.operands(expr)[result != 0 ? 1 : 2], result);
  }
  default:
    return arithmetic(expr, result);
  }
}

QuickEvaluation::Outcome QuickEvaluation::connective(ExprId expr, int64_t& result) {
  const bool isOr = pool_.op(expr) == Op::Or;
  for (ExprId operand : pool_.operands(expr)) {
    const Outcome outcome = whole(operand, result);
    if (outcome != Outcome::Done || (result != 0) == isOr)
      return outcome;
  }
  return Outcome::Done;
}

QuickEvaluation::Outcome QuickEvaluation::comparison(ExprId expr, int64_t& result) {
  const auto operands = pool_.operands(expr);
  const bool isStrict = pool_.op(expr) == Op::Less;
  Outcome outcome = Outcome::Done;
  if (isReal(operands[0])) {
    Rational a, b;
    if (outcome = real(operands[0], a); outcome == Outcome::Done)
      outcome = real(operands[1], b);
    result = outcome == Outcome::Done && (isStrict ? a < b : a <= b);
    return outcome;
  }
  int64_t a = 0, b = 0;
  if (outcome = whole(operands[0], a); outcome == Outcome::Done)
    outcome = whole(operands[1], b);
  result = isStrict ? a < b : a <= b;
  return outcome;
}

QuickEvaluation::Outcome QuickEvaluation::equality(ExprId expr, int64_t& result) {
  const auto operands = pool_.operands(expr);
  const ir::TypeKind kind = terms_.types()[pool_.type(operands[0])].kind;
  Outcome outcome = Outcome::Done;
  if (kind == ir::TypeKind::Record || kind == ir::TypeKind::Array) {
    const Value *a = nullptr, *b = nullptr;
    if (outcome = place(operands[0], a); outcome == Outcome::Done)
      outcome = place(operands[1], b);
    result = outcome == Outcome::Done && *a == *b;
    return outcome;
  }
  if (kind == ir::TypeKind::Real) {
    Rational a, b;
    if (outcome = real(operands[0], a); outcome == Outcome::Done)
      outcome = real(operands[1], b);
    result = outcome == Outcome::Done && a == b;
    return outcome;
  }
  int64_t a = 0, b = 0;
  if (outcome = whole(operands[0], a); outcome == Outcome::Done)
    outcome = whole(operands[1], b);
  result = a == b;
  return outcome;
}

QuickEvaluation::Outcome QuickEvaluation::arithmetic(ExprId expr, int64_t& result) {
  const auto operands = pool_.operands(expr);
  const Op op = pool_.op(expr);
  if (op == Op::Divide || op == Op::Remainder)
    return quotient(expr, result);
  if (op == Op::Floor) {
    Rational number;
    if (const Outcome outcome = real(operands[0], number); outcome != Outcome::Done)
      return outcome;
    const auto rounded = number.floor().toInt64();
    result = rounded.value_or(0);
    return rounded ? Outcome::Done : Outcome::Open;
  }
  if (op != Op::Negate && op != Op::Add && op != Op::Multiply)
    return Outcome::Open;
  if (const Outcome outcome = whole(operands[0], result); outcome != Outcome::Done)
    return outcome;
  if (op == Op::Negate)
    return __builtin_sub_overflow(int64_t{0}, result, &result) ? Outcome::Open : Outcome::Done;
  for (size_t i = 1; i < operands.size(); ++i) {
    int64_t next = 0;
    if (const Outcome outcome = whole(operands[i], next); outcome != Outcome::Done)
      return outcome;
    if (op == Op::Add ? __builtin_add_overflow(result, next, &result) : __builtin_mul_overflow(result, next, &result))
      return Outcome::Open;
  }
  return Outcome::Done;
}

/// Euclidean: the remainder is never negative.
QuickEvaluation::Outcome QuickEvaluation::quotient(ExprId expr, int64_t& result) {
  const auto operands = pool_.operands(expr);
  int64_t a = 0, b = 0;
  Outcome outcome = whole(operands[0], a);
  if (outcome == Outcome::Done)
    outcome = whole(operands[1], b);
  if (outcome != Outcome::Done)
    return outcome;
  if (b == 0)
    return Outcome::Fault;
  if (a == INT64_MIN || b == INT64_MIN)
    return Outcome::Open;
  const int64_t rest = a % b;
  if (pool_.op(expr) == Op::Remainder)
    result = rest < 0 ? rest + (b < 0 ? -b : b) : rest;
  else
    result = a / b - (rest < 0 ? (b < 0 ? -1 : 1) : 0);
  return Outcome::Done;
}

QuickEvaluation::Outcome QuickEvaluation::real(ExprId expr, Rational& result) {
  const auto operands = pool_.operands(expr);
  switch (pool_.op(expr)) {
  case Op::Number:
    result = *pool_.number(expr);
    return Outcome::Done;
  case Op::Parameter:
  case Op::Field:
  case Op::Element: {
    const Value* value = nullptr;
    const Outcome outcome = place(expr, value);
    if (outcome == Outcome::Done)
      result = value->number;
    return outcome;
  }
  case Op::ToReal: {
    int64_t number = 0;
    const Outcome outcome = whole(operands[0], number);
    result = number;
    return outcome;
  }
  case Op::IfThenElse: {
    int64_t truth = 0;
    if (const Outcome outcome = whole(operands[0], truth); outcome != Outcome::Done)
      return outcome;
    return real(operands[truth != 0 ? 1 : 2], result);
  }
  case Op::Negate: {
    const Outcome outcome = real(operands[0], result);
    result = -result;
    return outcome;
  }
  case Op::Add:
  case Op::Multiply:
  case Op::Divide: {
    const Op op = pool_.op(expr);
    if (const Outcome outcome = real(operands[0], result); outcome != Outcome::Done)
      return outcome;
    for (size_t i = 1; i < operands.size(); ++i) {
      Rational next;
      if (const Outcome outcome = real(operands[i], next); outcome != Outcome::Done)
        return outcome;
      if (op == Op::Divide && next.isZero())
        return Outcome::Fault;
      result = op == Op::Add ? result + next : op == Op::Multiply ? result * next : result / next;
    }
    return Outcome::Done;
  }
  default:
    return Outcome::Open;
  }
}

QuickEvaluation::Outcome QuickEvaluation::place(ExprId expr, const Value*& result) {
  switch (pool_.op(expr)) {
  case Op::Parameter: {
    const uint32_t unknown = pool_.payload(expr);
    result = at_.find(unknown);
    if (!result)
      result = terms_.defaultOf(unknown);
    return result ? Outcome::Done : Outcome::Open;
  }
  case Op::Field: {
    const Outcome outcome = place(pool_.operands(expr)[0], result);
    if (outcome == Outcome::Done)
      result = &result->parts[pool_.payload(expr)];
    return outcome;
  }
  case Op::Element: {
    if (const Outcome outcome = place(pool_.operands(expr)[0], result); outcome != Outcome::Done)
      return outcome;
    int64_t index = 0;
    if (const Outcome outcome = whole(pool_.operands(expr)[1], index); outcome != Outcome::Done)
      return outcome;
    if (index < 0 || static_cast<uint64_t>(index) >= result->parts.size())
      return Outcome::Fault;
    result = &result->parts[static_cast<size_t>(index)];
    return Outcome::Done;
  }
  default:
    return Outcome::Open;
  }
}

} // namespace tioc::solver
