#include "eval/random_edges.hpp"

namespace tioc::eval::test {

using ir::ExprId;
using ir::TypeId;
using ir::TypeKind;

RandomEdges::RandomEdges(uint64_t seed) : random_(seed) {
  ir::TypeTable& types = model.types;
  model.enums.push_back({"Color", {"red", "green", "blue"}, {}});
  color_ = types.enumeration(ir::EnumId(0));
  TypeId small = types.ranged({-3, 12});
  model.records.push_back({"Pair", {{"left", small}, {"flag", types.boolean()}, {"rate", types.real()}}, {}});
  pair_ = types.record(ir::RecordId(0));
  list_ = types.array(types.integer(), 4);
  pairs_ = types.array(pair_, 3);
  flags_ = types.array(types.boolean(), 2);
  types_ = {types.boolean(), types.integer(), small, types.real(), color_, pair_, list_, pairs_, flags_};
  for (TypeId type : types_)
    for (int i = 0; i < 2; ++i) {
      ir::Variable variable;
      variable.name = "v" + std::to_string(model.variables.size());
      variable.type = type;
      model.variables.push_back(variable);
    }
  parameters_ = {{"p", types.integer()}, {"q", pair_}, {"r", types.boolean()}, {"s", types.real()}};
  model.locations.push_back({.name = "only"});
}

int64_t RandomEdges::integer() {
  static constexpr int64_t kEdges[] = {INT64_MIN,     INT64_MIN + 1, INT64_MAX,  INT64_MAX - 1, INT64_MIN / 2, INT64_MAX / 2,
                                       int64_t{1} << 32, -(int64_t{1} << 32), 3037000499, -3037000500};
  if (below(6) == 0)
    return kEdges[below(std::size(kEdges))];
  return static_cast<int64_t>(below(13)) - 6;
}

Value RandomEdges::value(TypeId id) {
  const ir::Type& type = model.types[id];
  switch (type.kind) {
  case TypeKind::Bool:
    return {static_cast<int64_t>(below(2)), {}};
  case TypeKind::Enum:
    return {static_cast<int64_t>(below(3)), {}};
  case TypeKind::Int:
    if (type.range)
      return {static_cast<int64_t>(below(16)) - 3, {}};
    return {integer(), {}};
  case TypeKind::Real:
    return {ir::Rational(integer(), static_cast<int64_t>(below(5)) + 1), {}};
  case TypeKind::Record: {
    Value all;
    for (const ir::Member& field : model[type.record].fields)
      all.parts.push_back(value(field.type));
    return all;
  }
  case TypeKind::Array: {
    Value all;
    for (uint32_t i = 0; i < type.size; ++i)
      all.parts.push_back(value(type.element));
    return all;
  }
  }
  return {};
}

std::vector<Slot> RandomEdges::frame(const Layout& layout) {
  std::vector<Slot> slots(layout.frameSize());
  uint32_t at = 0;
  auto put = [&](TypeId type) {
    while (!layout.store(type, value(type), slots.data() + at)) {
    }
    at += layout.sizeOf(type);
  };
  for (const ir::Variable& variable : model.variables)
    put(variable.type);
  for (const ir::Member& parameter : parameters_)
    put(parameter.type);
  return slots;
}

ExprId RandomEdges::leaf(TypeId type) {
  TypeId wanted = model.types.unranged(type);
  ir::ExprPool& pool = model.exprs;
  std::vector<ExprId> choices;
  for (size_t i = 0; i < model.variables.size(); ++i)
    if (model.types.unranged(model.variables[i].type) == wanted)
      choices.push_back(pool.variable(ir::VariableId(i), model.variables[i].type));
  for (uint32_t i = 0; i < parameters_.size(); ++i)
    if (model.types.unranged(parameters_[i].type) == wanted)
      choices.push_back(pool.local(i, parameters_[i].type));
  return choices[below(choices.size())];
}

ExprId RandomEdges::boolean(int depth) {
  ir::ExprPool& pool = model.exprs;
  switch (below(6)) {
  case 0:
    return pool.negation(boolean(depth - 1));
  case 1:
    return pool.conjunction({{expr(model.types.boolean(), depth - 1), expr(model.types.boolean(), depth - 1),
                              expr(model.types.boolean(), depth - 2)}});
  case 2:
    return pool.disjunction(expr(model.types.boolean(), depth - 1), expr(model.types.boolean(), depth - 1));
  case 3: {
    TypeId type = types_[below(types_.size())];
    return pool.equal(expr(type, depth - 1), expr(type, depth - 1));
  }
  default: {
    TypeId type = below(3) == 0 ? model.types.real() : model.types.integer();
    ExprId a = expr(type, depth - 1), b = expr(type, depth - 1);
    return below(2) ? pool.less(a, b) : pool.lessEqual(a, b);
  }
  }
}

ExprId RandomEdges::number(TypeId type, int depth) {
  ir::ExprPool& pool = model.exprs;
  bool isReal = type == model.types.real();
  auto sub = [&] { return expr(type, depth - 1); };
  switch (below(isReal ? 6 : 7)) {
  case 0:
    return pool.negate(sub());
  case 1:
    return pool.add({{sub(), sub()}});
  case 2:
    return pool.multiply({{sub(), sub()}});
  case 3:
    return pool.divide(sub(), sub());
  case 4:
    return isReal ? pool.toReal(expr(model.types.integer(), depth - 1)) : pool.remainder(sub(), sub());
  case 5:
    return isReal ? pool.real(ir::Rational(integer(), static_cast<int64_t>(below(4)) + 1))
                  : pool.floor(expr(model.types.real(), depth - 1));
  default:
    return pool.integer(below(20) == 0 ? ir::Rational(INT64_MAX) * ir::Rational(3) : ir::Rational(integer()));
  }
}

/// A value taken out of a record or an array.
ExprId RandomEdges::part(TypeId type, int depth) {
  ir::ExprPool& pool = model.exprs;
  TypeId wanted = model.types.unranged(type);
  auto index = [&](int64_t size) {
    return below(3) ? pool.integer(static_cast<int64_t>(below(static_cast<size_t>(size))))
                    : expr(model.types.integer(), depth - 1);
  };
  if (wanted == pair_)
    return pool.element(expr(pairs_, depth - 1), index(3));
  if (wanted == model.types.boolean())
    return below(2) ? pool.field(expr(pair_, depth - 1), 1, wanted) : pool.element(expr(flags_, depth - 1), index(2));
  if (wanted == model.types.real())
    return pool.field(expr(pair_, depth - 1), 2, wanted);
  if (wanted == model.types.integer())
    return below(2) ? pool.field(expr(pair_, depth - 1), 0, model[ir::RecordId(0)].fields[0].type)
                    : pool.element(expr(list_, depth - 1), index(4));
  return leaf(type);
}

ExprId RandomEdges::expr(TypeId id, int depth) {
  ir::ExprPool& pool = model.exprs;
  TypeId type = model.types.unranged(id);
  if (depth <= 0)
    return leaf(type);
  if (below(7) == 0)
    return pool.ifThenElse(boolean(depth - 1), expr(type, depth - 1), expr(type, depth - 1));
  if (below(5) == 0)
    return part(type, depth);
  switch (model.types[type].kind) {
  case TypeKind::Bool:
    return boolean(depth);
  case TypeKind::Int:
  case TypeKind::Real:
    return number(type, depth);
  case TypeKind::Enum:
    return below(2) ? pool.enumLiteral(type, static_cast<uint32_t>(below(3))) : leaf(type);
  case TypeKind::Record: {
    const auto& fields = model[model.types[type].record].fields;
    if (below(2)) {
      auto at = static_cast<uint32_t>(below(fields.size()));
      return pool.setField(expr(type, depth - 1), at, expr(fields[at].type, depth - 1));
    }
    std::vector<ExprId> parts;
    for (const ir::Member& field : fields)
      parts.push_back(expr(field.type, depth - 1));
    return pool.makeRecord(type, parts);
  }
  case TypeKind::Array: {
    ir::Type array = model.types[type];
    if (below(3))
      return pool.setElement(expr(type, depth - 1), expr(model.types.integer(), below(3) ? 0 : depth - 1),
                             expr(array.element, depth - 1));
    std::vector<ExprId> parts;
    for (uint32_t i = 0; i < array.size; ++i)
      parts.push_back(expr(array.element, depth - 1));
    return pool.makeArray(type, parts);
  }
  }
  return leaf(type);
}

ir::EdgeId RandomEdges::addEdge(int depth) {
  ir::Edge edge;
  edge.source = edge.target = ir::LocationId(0);
  edge.parameters = parameters_;
  edge.guard.data = expr(model.types.boolean(), depth);
  size_t first = below(model.variables.size());
  for (size_t i = 0; i < 3; ++i) {
    ir::VariableId variable((first + i * 5) % model.variables.size());
    edge.updates.push_back({variable, expr(model[variable].type, depth - 1)});
  }
  model.edges.push_back(std::move(edge));
  return ir::EdgeId(model.edges.size() - 1);
}

} // namespace tioc::eval::test
