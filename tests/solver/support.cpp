#include "support.hpp"

#include "runtime/solver/intervals.hpp"

#include <cstdlib>

namespace tioc::solver::test {

using ir::ExprId;
using ir::Rational;
using ir::TypeId;
using ir::TypeKind;

World::World() {
  model.enums.push_back({.name = "Kind", .literals = {"red", "green", "blue"}});
  kind = model.types.enumeration(ir::EnumId(0));
  digit = range(0, 3);
  model.records.push_back({.name = "Pdu", .fields = {{"kind", kind}, {"seq", digit}, {"value", range(-2, 2)}}});
  pdu = model.types.record(ir::RecordId(0));
  digits = model.types.array(digit, 3);
  pdus = model.types.array(pdu, 2);
}

Options plain() {
  Options options;
  options.folding = options.witness = options.cache = options.independence = false;
  options.bitvectors = Bitvectors::Off;
  options.reuse = Reuse::Fresh;
  return options;
}

size_t rounds(size_t few, size_t many) {
  return std::getenv("TIOC_LONG") ? many : few;
}

Rational Generator::number() {
  if (!hasLargeNumbers || chance(70))
    return below(9) - 4;
  static constexpr int64_t kEdges[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1, INT32_MIN, INT32_MAX, int64_t{1} << 32};
  return Rational(kEdges[below(std::size(kEdges))]) + Rational(below(3) - 1);
}

ExprId Generator::leaf(TypeId type) {
  std::vector<uint32_t> fitting;
  for (uint32_t i = 0; i < world_.unknowns.size(); ++i)
    if (world_.model.types.unranged(world_.unknowns.type(i)) == type)
      fitting.push_back(i);
  if (!fitting.empty() && chance(70))
    return world_.unknowns.leaf(world_.pool, fitting[static_cast<size_t>(below(static_cast<int64_t>(fitting.size())))]);
  switch (world_.model.types[type].kind) {
  case TypeKind::Bool:
    return world_.pool.boolean(chance(50));
  case TypeKind::Int:
    return world_.pool.integer(number());
  case TypeKind::Real:
    return world_.pool.real(Rational(below(13) - 6, below(4) + 1));
  default:
    return world_.terms.constant(type, value(type));
  }
}

ExprId Generator::integer(int depth) {
  ir::ExprPool& pool = world_.pool;
  if (depth <= 0)
    return leaf(world_.integer);
  auto sub = [&] { return integer(depth - 1); };
  auto divisor = [&] { return hasNonlinear ? sub() : pool.integer(below(2) == 0 ? below(5) + 1 : -below(5) - 1); };
  switch (below(hasReals ? 12 : 11)) {
  case 0:
    return pool.negate(sub());
  case 1:
    return pool.add({{sub(), sub(), sub()}});
  case 2:
    return pool.add({{sub(), pool.negate(sub())}});
  case 3:
    return pool.multiply({{divisor(), sub()}});
  case 4:
    return pool.divide(sub(), divisor());
  case 5:
    return pool.remainder(sub(), divisor());
  case 6:
    return pool.ifThenElse(boolean(depth - 1), sub(), sub());
  case 7:
    return pool.field(composite(world_.pdu, depth - 1), 1, world_.digit);
  case 8:
    return pool.field(composite(world_.pdu, depth - 1), 2, world_.range(-2, 2));
  case 9:
    return pool.element(composite(world_.digits, depth - 1), sub());
  case 10:
    return leaf(world_.integer);
  default:
    return pool.floor(real(depth - 1));
  }
}

ExprId Generator::real(int depth) {
  ir::ExprPool& pool = world_.pool;
  if (depth <= 0)
    return leaf(world_.real);
  auto sub = [&] { return real(depth - 1); };
  auto factor = [&] { return hasNonlinear ? sub() : pool.real(Rational(below(9) - 4, 3)); };
  switch (below(6)) {
  case 0:
    return pool.negate(sub());
  case 1:
    return pool.add({{sub(), sub()}});
  case 2:
    return pool.multiply({{factor(), sub()}});
  case 3:
    return pool.divide(sub(), factor());
  case 4:
    return pool.toReal(integer(depth - 1));
  default:
    return pool.ifThenElse(boolean(depth - 1), sub(), sub());
  }
}

ExprId Generator::comparison(int depth) {
  ir::ExprPool& pool = world_.pool;
  const int64_t choice = below(8);
  if (choice < 4) {
    ExprId a = integer(depth - 1), b = integer(depth - 1);
    return choice == 0 ? pool.equal(a, b) : choice < 3 ? pool.less(a, b) : pool.lessEqual(a, b);
  }
  if (choice < 6 && hasReals) {
    ExprId a = real(depth - 1), b = real(depth - 1);
    return chance(30) ? pool.equal(a, b) : chance(50) ? pool.less(a, b) : pool.lessEqual(a, b);
  }
  const TypeId types[] = {world_.kind, world_.pdu, world_.digits, world_.pdus, world_.boolean};
  TypeId type = types[below(std::size(types))];
  return pool.equal(any(type, depth - 1), any(type, depth - 1));
}

ExprId Generator::boolean(int depth) {
  ir::ExprPool& pool = world_.pool;
  if (depth <= 0)
    return leaf(world_.boolean);
  auto sub = [&] { return boolean(depth - 1); };
  switch (below(9)) {
  case 0:
    return pool.negation(sub());
  case 1:
    return pool.conjunction(std::vector<ExprId>{sub(), sub(), sub()});
  case 2:
    return pool.disjunction(std::vector<ExprId>{sub(), sub(), sub()});
  case 3:
    return pool.ifThenElse(sub(), sub(), sub());
  default:
    return comparison(depth);
  }
}

ExprId Generator::composite(TypeId type, int depth) {
  ir::ExprPool& pool = world_.pool;
  if (depth <= 0 || chance(25))
    return leaf(type);
  auto sub = [&] { return composite(type, depth - 1); };
  if (chance(25))
    return pool.ifThenElse(boolean(depth - 1), sub(), sub());
  if (type == world_.pdu) {
    switch (below(4)) {
    case 0:
      return pool.makeRecord(type, {{any(world_.kind, depth - 1), integer(depth - 1), integer(depth - 1)}});
    case 1:
      return pool.setField(sub(), 0, any(world_.kind, depth - 1));
    case 2:
      return pool.setField(sub(), 1, integer(depth - 1));
    default:
      return pool.element(composite(world_.pdus, depth - 1), integer(depth - 1));
    }
  }
  const TypeId element = type == world_.pdus ? world_.pdu : world_.integer;
  if (chance(30)) {
    std::vector<ExprId> elements;
    for (uint32_t i = 0; i < world_.model.types[type].size; ++i)
      elements.push_back(any(element, depth - 1));
    return pool.makeArray(type, elements);
  }
  return pool.setElement(sub(), integer(depth - 1), any(element, depth - 1));
}

ExprId Generator::any(TypeId type, int depth) {
  ir::ExprPool& pool = world_.pool;
  switch (world_.model.types[type].kind) {
  case TypeKind::Bool:
    return boolean(depth);
  case TypeKind::Int:
    return integer(depth);
  case TypeKind::Real:
    return real(depth);
  case TypeKind::Enum:
    if (depth > 0 && chance(40))
      return pool.field(composite(world_.pdu, depth - 1), 0, world_.kind);
    return depth > 0 && chance(30) ? pool.ifThenElse(boolean(depth - 1), any(type, depth - 1), any(type, depth - 1))
                                   : leaf(type);
  default:
    return composite(type, depth);
  }
}

eval::Value Generator::value(TypeId type) {
  const ir::Type shape = world_.model.types[type];
  eval::Value result;
  switch (shape.kind) {
  case TypeKind::Real:
    result.number = Rational(below(13) - 6, below(4) + 1);
    break;
  case TypeKind::Record:
    for (const ir::Member& field : world_.model[shape.record].fields)
      result.parts.push_back(value(field.type));
    break;
  case TypeKind::Array:
    for (uint32_t i = 0; i < shape.size; ++i)
      result.parts.push_back(value(shape.element));
    break;
  default: {
    const Interval range = intervalOf(world_.model, type);
    if (!range.isBounded())
      result.number = number();
    else if (chance(30))
      result.number = chance(50) ? *range.first : *range.last;
    else
      result.number = *range.first + ir::euclideanRemainder(Rational(below(INT64_MAX)), *range.last - *range.first + 1);
  }
  }
  return result;
}

Assignment Generator::assignment() {
  Assignment result;
  for (uint32_t i = 0; i < world_.unknowns.size(); ++i)
    result.set(i, value(world_.unknowns.type(i)));
  return result;
}

void forAll(World& world, uint32_t first, uint32_t last, const std::function<void(const Assignment&)>& fn) {
  std::vector<Place> places;
  Assignment at;
  for (uint32_t unknown = first; unknown < last; ++unknown) {
    at.set(unknown, eval::defaultValue(world.model, world.unknowns.type(unknown)));
    for (uint32_t i = 0; i < world.terms.scalarsOf(world.unknowns.type(unknown)).size(); ++i)
      places.push_back({unknown, i});
  }
  auto rangeOf = [&](Place place) { return intervalOf(world.model, world.terms.typeOf(place)); };
  for (Place place : places)
    world.terms.scalar(at, place) = *rangeOf(place).first;
  for (;;) {
    fn(at);
    size_t i = 0;
    for (; i < places.size(); ++i) {
      Rational& number = world.terms.scalar(at, places[i]);
      if (number < *rangeOf(places[i]).last) {
        number = number + Rational(1);
        break;
      }
      number = *rangeOf(places[i]).first;
    }
    if (i == places.size())
      return;
  }
}

} // namespace tioc::solver::test
