#pragma once

#include "runtime/solver/terms.hpp"

namespace tioc::solver {

/// Reads expressions in an algebra of scalars (intervals, terms of Z3): records and arrays become lists of scalars, an
/// access at an unknown index a choice between elements. Faults are ignored, every expression has some value; where it
/// counts is said by Terms::defined.
///
/// An algebra that has `tick()` is called at every expression, and may end the work by an exception.
///
/// Needs no stack for deep expressions and looks at each expression once.
///
/// Algebra: Scalar; constant(type, number), unknown(place), negation(a), conjunction(list), disjunction(list),
/// equal(a, b), less(a, b), lessEqual(a, b), negate(a), add(list), multiply(list), divide(a, b) on reals, quotient(a,
/// b) and remainder(a, b) on integers, toReal(a), floor(a), choose(condition, yes, no).
template <class Algebra>
class Flattening {
public:
  using Scalar = typename Algebra::Scalar;
  using Parts = std::vector<Scalar>;

  Flattening(Terms& terms, Algebra& algebra) : terms_(terms), pool_(terms.pool()), algebra_(algebra) {}

  const Parts& operator()(ir::ExprId root) {
    if (auto it = known_.find(root); it != known_.end())
      return it->second;
    std::vector<ir::ExprId> stack{root};
    while (!stack.empty()) {
      ir::ExprId id = stack.back();
      size_t before = stack.size();
      const bool isKnown = known_.contains(id);
      if (!isKnown)
        for (ir::ExprId operand : pool_.operands(id))
          if (!known_.contains(operand))
            stack.push_back(operand);
      if (stack.size() != before)
        continue;
      stack.pop_back();
      if (isKnown)
        continue;
      if constexpr (requires { algebra_.tick(); })
        algebra_.tick();
      known_.emplace(id, combine(id));
    }
    return known_.at(root);
  }
  const Scalar& scalar(ir::ExprId expr) { return (*this)(expr)[0]; }

  size_t size() const { return known_.size(); }
  void clear() { known_.clear(); }

private:
  Parts combine(ir::ExprId id) {
    using ir::Op;
    auto operands = pool_.operands(id);
    auto sub = [&](size_t i) -> const Parts& { return known_.at(operands[i]); };
    auto one = [&](size_t i) -> const Scalar& { return sub(i)[0]; };
    switch (pool_.op(id)) {
    case Op::Bool:
    case Op::EnumLiteral:
      return {algebra_.constant(pool_.type(id), static_cast<int64_t>(pool_.payload(id)))};
    case Op::Number:
      return {algebra_.constant(pool_.type(id), *pool_.number(id))};
    case Op::Variable:
    case Op::Local:
    case Op::Parameter:
      return unknown(pool_.payload(id));
    case Op::Not:
      return {algebra_.negation(one(0))};
    case Op::And:
      return {algebra_.conjunction(scalars(operands))};
    case Op::Or:
      return {algebra_.disjunction(scalars(operands))};
    case Op::Equal:
      return {equal(sub(0), sub(1))};
    case Op::Less:
      return {algebra_.less(one(0), one(1))};
    case Op::LessEqual:
      return {algebra_.lessEqual(one(0), one(1))};
    case Op::Negate:
      return {algebra_.negate(one(0))};
    case Op::Add:
      return {algebra_.add(scalars(operands))};
    case Op::Multiply:
      return {algebra_.multiply(scalars(operands))};
    case Op::Divide:
      return {pool_.type(id) == terms_.types().real() ? algebra_.divide(one(0), one(1))
                                                      : algebra_.quotient(one(0), one(1))};
    case Op::Remainder:
      return {algebra_.remainder(one(0), one(1))};
    case Op::ToReal:
      return {algebra_.toReal(one(0))};
    case Op::Floor:
      return {algebra_.floor(one(0))};
    default:
      return composite(id, operands);
    }
  }

  Parts composite(ir::ExprId id, std::span<const ir::ExprId> operands) {
    using ir::Op;
    auto sub = [&](size_t i) -> const Parts& { return known_.at(operands[i]); };
    switch (pool_.op(id)) {
    case Op::IfThenElse: {
      Parts result;
      for (size_t i = 0; i < sub(1).size(); ++i)
        result.push_back(algebra_.choose(sub(0)[0], sub(1)[i], sub(2)[i]));
      return result;
    }
    case Op::Field: {
      auto begin = sub(0).begin() + terms_.offsetOfField(pool_.type(operands[0]), pool_.payload(id));
      return {begin, begin + static_cast<ptrdiff_t>(terms_.scalarsOf(pool_.type(id)).size())};
    }
    case Op::SetField: {
      Parts result = sub(0);
      std::copy(sub(1).begin(), sub(1).end(),
                result.begin() + terms_.offsetOfField(pool_.type(operands[0]), pool_.payload(id)));
      return result;
    }
    case Op::Element:
      return element(operands);
    case Op::SetElement:
      return setElement(operands);
    default: { // MakeRecord, MakeArray
      Parts result;
      for (size_t i = 0; i < operands.size(); ++i)
        result.insert(result.end(), sub(i).begin(), sub(i).end());
      return result;
    }
    }
  }

  Parts scalars(std::span<const ir::ExprId> operands) {
    Parts result;
    for (ir::ExprId operand : operands)
      result.push_back(known_.at(operand)[0]);
    return result;
  }

  Parts unknown(uint32_t index) {
    Parts result;
    const auto count = static_cast<uint32_t>(terms_.scalarsOf(terms_.typeOf(index)).size());
    for (uint32_t offset = 0; offset < count; ++offset)
      result.push_back(algebra_.unknown(Place{index, offset}));
    return result;
  }

  Scalar equal(const Parts& a, const Parts& b) {
    Parts parts;
    for (size_t i = 0; i < a.size(); ++i)
      parts.push_back(algebra_.equal(a[i], b[i]));
    return parts.size() == 1 ? parts[0] : algebra_.conjunction(parts);
  }

  Scalar at(const Scalar& index, uint32_t position) {
    return algebra_.equal(index, algebra_.constant(terms_.types().integer(), static_cast<int64_t>(position)));
  }

  /// The position that a constant index means; that of the last element where it is out of range, as for unknown
  /// indices.
  std::optional<size_t> position(ir::ExprId index, uint32_t size) {
    const ir::Rational* number = pool_.number(index);
    if (!number)
      return std::nullopt;
    auto value = number->toInt64();
    return value && *value >= 0 && *value < size ? static_cast<size_t>(*value) : size - 1;
  }

  Parts element(std::span<const ir::ExprId> operands) {
    const Parts& array = known_.at(operands[0]);
    const uint32_t size = terms_.types()[pool_.type(operands[0])].size;
    const size_t width = array.size() / size;
    auto slice = [&](size_t i) {
      auto begin = array.begin() + static_cast<ptrdiff_t>(i * width);
      return Parts(begin, begin + static_cast<ptrdiff_t>(width));
    };
    if (auto fixed = position(operands[1], size))
      return slice(*fixed);
    const Scalar& index = known_.at(operands[1])[0];
    Parts result = slice(size - 1);
    for (uint32_t i = size - 1; i-- > 0;) {
      const Scalar here = at(index, i);
      for (size_t part = 0; part < width; ++part)
        result[part] = algebra_.choose(here, array[i * width + part], result[part]);
    }
    return result;
  }

  Parts setElement(std::span<const ir::ExprId> operands) {
    Parts result = known_.at(operands[0]);
    const Parts& value = known_.at(operands[2]);
    const uint32_t size = terms_.types()[pool_.type(operands[0])].size;
    const size_t width = value.size();
    if (auto fixed = position(operands[1], size)) {
      std::copy(value.begin(), value.end(), result.begin() + static_cast<ptrdiff_t>(*fixed * width));
      return result;
    }
    const Scalar& index = known_.at(operands[1])[0];
    for (uint32_t i = 0; i < size; ++i) {
      const Scalar here = at(index, i);
      for (size_t part = 0; part < width; ++part)
        result[i * width + part] = algebra_.choose(here, value[part], result[i * width + part]);
    }
    return result;
  }

  Terms& terms_;
  const ir::ExprPool& pool_;
  Algebra& algebra_;
  std::unordered_map<ir::ExprId, Parts> known_;
};

} // namespace tioc::solver
