// Part of z3.cpp: the operators in the terms of Z3, for Flattening.

/// Ends the question like Z3 itself would.
void endIfExpired(const Watchdog& watchdog) {
  if (watchdog.isExpired())
    throw z3::exception("timeout");
}

z3::expr conjunctionOf(z3::context& context, const std::vector<z3::expr>& list) {
  z3::expr_vector operands(context);
  for (const z3::expr& operand : list)
    operands.push_back(operand);
  return z3::mk_and(operands);
}

z3::expr disjunctionOf(z3::context& context, const std::vector<z3::expr>& list) {
  z3::expr_vector operands(context);
  for (const z3::expr& operand : list)
    operands.push_back(operand);
  return z3::mk_or(operands);
}

/// The name of a constant; a bar would end the quotes that SMT-LIB puts around it.
std::string symbolOf(Terms& terms, Place place) {
  std::string name = terms.nameOf(place);
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '|' || c == '\\'; }, '_');
  return name;
}

/// Integers and enums are Int, reals Real: exact, whatever their size.
class NumberAlgebra {
public:
  using Scalar = z3::expr;

  NumberAlgebra(z3::context& context, Terms& terms, const Watchdog& watchdog)
      : context_(context), terms_(terms), watchdog_(watchdog) {}

  void tick() { endIfExpired(watchdog_); }

  z3::expr constant(ir::TypeId type, const Rational& value) {
    switch (terms_.types()[type].kind) {
    case TypeKind::Bool:
      return context_.bool_val(!value.isZero());
    case TypeKind::Real:
      return context_.real_val((value.numerator().toString() + "/" + value.denominator().toString()).c_str());
    default:
      return context_.int_val(value.toString().c_str());
    }
  }
  z3::expr unknown(Place place) {
    const std::string name = symbolOf(terms_, place);
    switch (terms_.types()[terms_.typeOf(place)].kind) {
    case TypeKind::Bool:
      return context_.bool_const(name.c_str());
    case TypeKind::Real:
      return context_.real_const(name.c_str());
    default:
      return context_.int_const(name.c_str());
    }
  }
  z3::expr negation(const z3::expr& a) { return !a; }
  z3::expr conjunction(const std::vector<z3::expr>& list) { return conjunctionOf(context_, list); }
  z3::expr disjunction(const std::vector<z3::expr>& list) { return disjunctionOf(context_, list); }
  z3::expr equal(const z3::expr& a, const z3::expr& b) { return a == b; }
  z3::expr less(const z3::expr& a, const z3::expr& b) { return a < b; }
  z3::expr lessEqual(const z3::expr& a, const z3::expr& b) { return a <= b; }
  z3::expr negate(const z3::expr& a) { return -a; }
  z3::expr add(const std::vector<z3::expr>& list) {
    const std::vector<Z3_ast> operands(list.begin(), list.end());
    return take(Z3_mk_add(context_, static_cast<unsigned>(operands.size()), operands.data()));
  }
  z3::expr multiply(const std::vector<z3::expr>& list) {
    const std::vector<Z3_ast> operands(list.begin(), list.end());
    return take(Z3_mk_mul(context_, static_cast<unsigned>(operands.size()), operands.data()));
  }
  z3::expr divide(const z3::expr& a, const z3::expr& b) { return take(Z3_mk_div(context_, a, b)); }
  // SMT-LIB's div and mod are Euclidean, as ours.
  z3::expr quotient(const z3::expr& a, const z3::expr& b) { return take(Z3_mk_div(context_, a, b)); }
  z3::expr remainder(const z3::expr& a, const z3::expr& b) { return take(Z3_mk_mod(context_, a, b)); }
  z3::expr toReal(const z3::expr& a) { return take(Z3_mk_int2real(context_, a)); }
  z3::expr floor(const z3::expr& a) { return take(Z3_mk_real2int(context_, a)); }
  z3::expr choose(const z3::expr& condition, const z3::expr& yes, const z3::expr& no) {
    return z3::ite(condition, yes, no);
  }

  Rational read(const std::string& numeral) { return Rational::parse(numeral).value(); }

private:
  z3::expr take(Z3_ast ast) {
    context_.check_error();
    return {context_, ast};
  }

  z3::context& context_;
  Terms& terms_;
  const Watchdog& watchdog_;
};

/// Integers and enums are signed bit-vectors of one width, wide enough for every part of the question. Sums and products are
/// right modulo the width, so only results have to fit.
class BitAlgebra {
public:
  using Scalar = z3::expr;

  BitAlgebra(z3::context& context, Terms& terms, const Watchdog& watchdog, uint32_t width)
      : context_(context), terms_(terms), watchdog_(watchdog), width_(width) {}

  void tick() { endIfExpired(watchdog_); }

  z3::expr constant(ir::TypeId type, const Rational& value) {
    if (terms_.types()[type].kind == TypeKind::Bool)
      return context_.bool_val(!value.isZero());
    return context_.bv_val(value.toInt64().value_or(0), width_);
  }
  z3::expr unknown(Place place) {
    const std::string name = symbolOf(terms_, place);
    if (terms_.types()[terms_.typeOf(place)].kind == TypeKind::Bool)
      return context_.bool_const(name.c_str());
    return context_.bv_const(name.c_str(), width_);
  }
  z3::expr negation(const z3::expr& a) { return !a; }
  z3::expr conjunction(const std::vector<z3::expr>& list) { return conjunctionOf(context_, list); }
  z3::expr disjunction(const std::vector<z3::expr>& list) { return disjunctionOf(context_, list); }
  z3::expr equal(const z3::expr& a, const z3::expr& b) { return a == b; }
  z3::expr less(const z3::expr& a, const z3::expr& b) { return z3::slt(a, b); }
  z3::expr lessEqual(const z3::expr& a, const z3::expr& b) { return z3::sle(a, b); }
  z3::expr negate(const z3::expr& a) { return -a; }
  z3::expr add(const std::vector<z3::expr>& list) {
    z3::expr sum = list[0];
    for (size_t i = 1; i < list.size(); ++i)
      sum = sum + list[i];
    return sum;
  }
  z3::expr multiply(const std::vector<z3::expr>& list) {
    z3::expr product = list[0];
    for (size_t i = 1; i < list.size(); ++i)
      product = product * list[i];
    return product;
  }
  z3::expr quotient(const z3::expr& a, const z3::expr& b) {
    if (auto shift = powerOfTwo(b))
      return z3::ashr(a, context_.bv_val(*shift, width_));
    const z3::expr truncated = a / b;
    const z3::expr down = truncated - one();
    const z3::expr up = truncated + one();
    return z3::ite(isNegative(z3::srem(a, b)), z3::ite(isNegative(b), up, down), truncated);
  }
  z3::expr remainder(const z3::expr& a, const z3::expr& b) {
    if (auto shift = powerOfTwo(b))
      return a & context_.bv_val((uint64_t{1} << *shift) - 1, width_);
    const z3::expr truncated = z3::srem(a, b);
    const z3::expr size = z3::ite(isNegative(b), -b, b);
    return z3::ite(isNegative(truncated), truncated + size, truncated);
  }
  z3::expr choose(const z3::expr& condition, const z3::expr& yes, const z3::expr& no) {
    return z3::ite(condition, yes, no);
  }
  // Questions with reals are not put in bit-vectors.
  z3::expr divide(const z3::expr& a, const z3::expr&) { return a; }
  z3::expr toReal(const z3::expr& a) { return a; }
  z3::expr floor(const z3::expr& a) { return a; }

  Rational read(const std::string& numeral) {
    const Rational value = Rational::parse(numeral).value();
    const Rational half = Rational(int64_t{1} << (width_ / 2)) * Rational(int64_t{1} << (width_ - 1 - width_ / 2));
    return value < half ? value : value - half - half;
  }

private:
  z3::expr one() { return context_.bv_val(1, width_); }
  z3::expr isNegative(const z3::expr& a) { return z3::slt(a, context_.bv_val(0, width_)); }
  /// The exponent, if `a` is a constant power of two.
  std::optional<unsigned> powerOfTwo(const z3::expr& a) {
    uint64_t value = 0;
    if (!a.is_numeral_u64(value) || !std::has_single_bit(value) || value >> (width_ - 1) != 0)
      return std::nullopt;
    return static_cast<unsigned>(std::countr_zero(value));
  }

  z3::context& context_;
  Terms& terms_;
  const Watchdog& watchdog_;
  uint32_t width_;
};
