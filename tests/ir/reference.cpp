#include "ir/reference.hpp"

#include <tuple>

namespace tioc::ir::reference {

std::strong_ordering Value::operator<=>(const Value& other) const {
  if (auto order = number <=> other.number; order != 0)
    return order;
  for (size_t i = 0; i < parts.size() && i < other.parts.size(); ++i)
    if (auto order = parts[i] <=> other.parts[i]; order != 0)
      return order;
  return parts.size() <=> other.parts.size();
}

bool State::operator<(const State& other) const {
  return std::tie(location, variables, clocks) < std::tie(other.location, other.variables, other.clocks);
}

std::optional<Value> evaluate(const Model& model, ExprId expr, const Valuation& at) {
  const ExprPool& pool = model.exprs;
  auto sub = [&](size_t i) { return evaluate(model, pool.operands(expr)[i], at); };
  auto truth = [](bool value) { return Value{value ? 1 : 0, {}}; };
  size_t count = pool.operands(expr).size();
  switch (pool.op(expr)) {
  case Op::Bool:
  case Op::EnumLiteral:
    return Value{static_cast<int64_t>(pool.payload(expr)), {}};
  case Op::Number:
    return Value{*pool.number(expr), {}};
  case Op::Variable:
    return at.variables.at(pool.payload(expr));
  case Op::Local:
    return at.locals.at(pool.payload(expr));
  case Op::Parameter:
    return std::nullopt;
  case Op::Not: {
    auto a = sub(0);
    return a ? std::optional(truth(a->number.isZero())) : std::nullopt;
  }
  case Op::And:
  case Op::Or: {
    bool isAnd = pool.op(expr) == Op::And;
    for (size_t i = 0; i < count; ++i) {
      auto a = sub(i);
      if (!a)
        return std::nullopt;
      if (a->number.isZero() == isAnd)
        return truth(!isAnd);
    }
    return truth(isAnd);
  }
  case Op::Equal:
  case Op::Less:
  case Op::LessEqual: {
    auto a = sub(0);
    auto b = sub(1);
    if (!a || !b)
      return std::nullopt;
    return truth(pool.op(expr) == Op::Equal  ? *a == *b
                 : pool.op(expr) == Op::Less ? a->number < b->number
                                             : a->number <= b->number);
  }
  case Op::Negate: {
    auto a = sub(0);
    return a ? std::optional(Value{-a->number, {}}) : std::nullopt;
  }
  case Op::Add:
  case Op::Multiply: {
    Rational result = pool.op(expr) == Op::Add ? 0 : 1;
    for (size_t i = 0; i < count; ++i) {
      auto a = sub(i);
      if (!a)
        return std::nullopt;
      result = pool.op(expr) == Op::Add ? result + a->number : result * a->number;
    }
    return Value{result, {}};
  }
  case Op::Divide:
  case Op::Remainder: {
    auto a = sub(0);
    auto b = sub(1);
    if (!a || !b || b->number.isZero())
      return std::nullopt;
    if (pool.type(expr) == model.types.real())
      return Value{a->number / b->number, {}};
    // Count up and down until the remainder is right: slow, and plainly the definition.
    Rational q = (a->number / b->number).floor();
    for (Rational candidate = q - 1; candidate <= q + 1; candidate = candidate + 1) {
      Rational r = a->number - candidate * b->number;
      Rational size = b->number.sign() < 0 ? -b->number : b->number;
      if (r.sign() >= 0 && r < size)
        return Value{pool.op(expr) == Op::Divide ? candidate : r, {}};
    }
    return std::nullopt;
  }
  case Op::ToReal:
    return sub(0);
  case Op::Floor: {
    auto a = sub(0);
    return a ? std::optional(Value{a->number.floor(), {}}) : std::nullopt;
  }
  case Op::IfThenElse: {
    auto c = sub(0);
    return c ? sub(c->number.isZero() ? 2 : 1) : std::nullopt;
  }
  case Op::MakeRecord:
  case Op::MakeArray: {
    Value result;
    for (size_t i = 0; i < count; ++i) {
      auto a = sub(i);
      if (!a)
        return std::nullopt;
      result.parts.push_back(*a);
    }
    return result;
  }
  case Op::Field: {
    auto a = sub(0);
    return a ? std::optional(a->parts.at(pool.payload(expr))) : std::nullopt;
  }
  case Op::SetField: {
    auto a = sub(0);
    auto v = sub(1);
    if (!a || !v)
      return std::nullopt;
    a->parts.at(pool.payload(expr)) = *v;
    return a;
  }
  case Op::Element:
  case Op::SetElement: {
    auto a = sub(0);
    auto i = sub(1);
    if (!a || !i || i->number.sign() < 0 || i->number >= Rational(static_cast<int64_t>(a->parts.size())))
      return std::nullopt;
    size_t index = static_cast<size_t>(*i->number.toInt64());
    if (pool.op(expr) == Op::Element)
      return a->parts[index];
    auto v = sub(2);
    if (!v)
      return std::nullopt;
    a->parts[index] = *v;
    return a;
  }
  }
  return std::nullopt;
}

bool holds(const Model& model, const Guard& guard, const Valuation& at, const std::map<uint32_t, Rational>& clocks) {
  auto data = evaluate(model, guard.data, at);
  if (!data || data->number.isZero())
    return false;
  auto value = [&](ClockId id) { return id == Model::zeroClock() ? Rational(0) : clocks.at(id.value); };
  for (const ClockConstraint& c : guard.clocks) {
    auto bound = evaluate(model, c.bound, at);
    if (!bound)
      return false;
    Rational difference = value(c.left) - value(c.right);
    if (c.strict ? difference >= bound->number : difference > bound->number)
      return false;
  }
  return true;
}

void delay(State& state, const Rational& time) {
  for (auto& [id, value] : state.clocks)
    value = value + time;
}

std::optional<State> take(const Model& model, const Edge& edge, const State& state, const std::vector<Value>& values) {
  Valuation at{state.variables, values};
  if (edge.source != state.location || !holds(model, edge.guard, at, state.clocks))
    return std::nullopt;
  State next = state;
  next.location = edge.target;
  for (const Update& update : edge.updates) {
    auto value = evaluate(model, update.value, at);
    if (!value)
      return std::nullopt;
    next.variables[update.variable.value] = *value;
  }
  for (const Reset& reset : edge.resets)
    next.clocks[reset.clock.value] =
        reset.source.valid() ? state.clocks.at(reset.source.value) : evaluate(model, reset.value, at)->number;
  return next;
}

} // namespace tioc::ir::reference
