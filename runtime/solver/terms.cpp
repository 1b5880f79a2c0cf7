#include "runtime/solver/terms.hpp"

#include "runtime/solver/quick.hpp"

#include <algorithm>
#include <unordered_set>

namespace tioc::solver {

using eval::Value;
using ir::ExprId;
using ir::Op;
using ir::Rational;
using ir::TypeId;
using ir::TypeKind;

TypeId Terms::typeOf(uint32_t unknown) const {
  if (unknown == kAuxiliaryReal)
    return types().real();
  return unknown == kAuxiliaryInt ? types().integer() : unknowns_.type(unknown);
}

std::string Terms::nameOf(uint32_t unknown) const {
  if (unknown >= kAuxiliaryInt)
    return "bound";
  return "u" + std::to_string(unknown) + " " + unknowns_.name(unknown);
}

std::string Terms::nameOf(Place place) {
  std::string text = nameOf(place.unknown);
  TypeId type = typeOf(place.unknown);
  uint32_t offset = place.offset;
  for (;;) {
    const ir::Type& shape = types()[type];
    if (shape.kind == TypeKind::Record) {
      const auto& fields = model_[shape.record].fields;
      size_t field = 0;
      for (; offset >= scalarsOf(fields[field].type).size(); ++field)
        offset -= static_cast<uint32_t>(scalarsOf(fields[field].type).size());
      text += "." + fields[field].name;
      type = fields[field].type;
    } else if (shape.kind == TypeKind::Array) {
      auto width = static_cast<uint32_t>(scalarsOf(shape.element).size());
      text += "[" + std::to_string(offset / width) + "]";
      offset %= width;
      type = shape.element;
    } else {
      return text;
    }
  }
}

// ---- shapes

const std::vector<TypeId>& Terms::scalarsOf(TypeId type) {
  if (auto it = scalars_.find(type); it != scalars_.end())
    return it->second;
  // Types nest as deep as the source text does, so recursion is safe.
  const ir::Type shape = types()[type];
  std::vector<TypeId> result;
  if (shape.kind == TypeKind::Record) {
    for (const ir::Member& field : model_[shape.record].fields) {
      const auto& inner = scalarsOf(field.type);
      result.insert(result.end(), inner.begin(), inner.end());
    }
  } else if (shape.kind == TypeKind::Array) {
    const auto& inner = scalarsOf(shape.element);
    for (uint32_t i = 0; i < shape.size; ++i)
      result.insert(result.end(), inner.begin(), inner.end());
  } else {
    result.push_back(type);
  }
  return scalars_.emplace(type, std::move(result)).first->second;
}

uint32_t Terms::offsetOfField(TypeId record, uint32_t field) {
  const auto& fields = model_[types()[record].record].fields;
  size_t offset = 0;
  for (uint32_t i = 0; i < field; ++i)
    offset += scalarsOf(fields[i].type).size();
  return static_cast<uint32_t>(offset);
}

std::optional<Place> Terms::placeOf(ExprId expr) {
  const ir::ExprPool& pool = model_.exprs;
  uint32_t offset = 0;
  for (;;) {
    switch (pool.op(expr)) {
    case Op::Parameter:
      return Place{pool.payload(expr), offset};
    case Op::Field: {
      ExprId record = pool.operands(expr)[0];
      offset += offsetOfField(pool.type(record), pool.payload(expr));
      expr = record;
      break;
    }
    case Op::Element: {
      ExprId array = pool.operands(expr)[0];
      const Rational* index = pool.number(pool.operands(expr)[1]);
      const ir::Type& type = types()[pool.type(array)];
      if (!index || index->sign() < 0 || *index >= Rational(type.size))
        return std::nullopt;
      offset += static_cast<uint32_t>(*index->toInt64()) * static_cast<uint32_t>(scalarsOf(type.element).size());
      expr = array;
      break;
    }
    default:
      return std::nullopt;
    }
  }
}

ExprId Terms::exprOf(Place place) {
  TypeId type = typeOf(place.unknown);
  ExprId expr = pool().parameter(place.unknown, type);
  uint32_t offset = place.offset;
  for (;;) {
    const ir::Type shape = types()[type];
    if (shape.kind == TypeKind::Record) {
      const auto& fields = model_[shape.record].fields;
      uint32_t field = 0;
      for (; offset >= scalarsOf(fields[field].type).size(); ++field)
        offset -= static_cast<uint32_t>(scalarsOf(fields[field].type).size());
      type = fields[field].type;
      expr = pool().field(expr, field, type);
    } else if (shape.kind == TypeKind::Array) {
      const auto width = static_cast<uint32_t>(scalarsOf(shape.element).size());
      type = shape.element;
      expr = pool().element(expr, pool().integer(offset / width));
      offset %= width;
    } else {
      return expr;
    }
  }
}

// ---- conditions

const Terms::Support& Terms::supportOf(ExprId expr) {
  if (supportOf_.size() <= expr.value)
    supportOf_.resize(std::max<size_t>(expr.value + 1, pool().size()));
  if (uint32_t known = supportOf_[expr.value]; known != 0)
    return supports_[known - 1];
  Support& support = supports_.emplace_back();
  supportOf_[expr.value] = static_cast<uint32_t>(supports_.size());
  const ir::ExprPool& pool = model_.exprs;
  pool.visit(expr, [&](ExprId id) {
    if (pool.op(id) == Op::Parameter)
      support.unknowns.push_back(pool.payload(id));
    else if (pool.op(id) == Op::Variable || pool.op(id) == Op::Local)
      support.closed = false;
  });
  std::sort(support.unknowns.begin(), support.unknowns.end());
  support.unknowns.erase(std::unique(support.unknowns.begin(), support.unknowns.end()), support.unknowns.end());
  return support;
}

const std::vector<uint32_t>& Terms::unknownsOf(ExprId expr) {
  return supportOf(expr).unknowns;
}

bool Terms::isClosed(ExprId expr) {
  return supportOf(expr).closed;
}

std::vector<uint32_t> Terms::unknownsOf(std::span<const ExprId> conditions) {
  std::vector<uint32_t> result;
  for (ExprId condition : conditions) {
    const auto& inner = unknownsOf(condition);
    result.insert(result.end(), inner.begin(), inner.end());
  }
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

ExprId Terms::defined(ExprId expr) {
  std::vector<ExprId> stack{expr};
  while (!stack.empty()) {
    ExprId id = stack.back();
    if (defined_.size() <= id.value)
      defined_.resize(std::max<size_t>(id.value + 1, pool().size()));
    size_t before = stack.size();
    if (!defined_[id.value].valid())
      for (ExprId operand : pool().operands(id))
        if (!defined_[operand.value].valid())
          stack.push_back(operand);
    if (stack.size() != before)
      continue;
    stack.pop_back();
    if (!defined_[id.value].valid()) {
      ExprId condition = definedHere(id); // may make expressions, but never looks at theirs
      defined_[id.value] = condition;
    }
  }
  return defined_[expr.value];
}

/// Precondition: `defined_` knows the operands.
ExprId Terms::definedHere(ExprId expr) {
  ir::ExprPool& pool = model_.exprs;
  const Op op = pool.op(expr);
  if (op == Op::And || op == Op::Or)
    return definedConnective(expr);
  // A copy: making expressions moves the pool's operands.
  const std::vector<ExprId> operands(pool.operands(expr).begin(), pool.operands(expr).end());
  if (op == Op::IfThenElse)
    return pool.conjunction(defined_[operands[0].value],
                            pool.ifThenElse(operands[0], defined_[operands[1].value], defined_[operands[2].value]));
  std::vector<ExprId> conditions;
  for (ExprId operand : operands)
    if (!pool.isTrue(defined_[operand.value]))
      conditions.push_back(defined_[operand.value]);
  if (op == Op::Divide || op == Op::Remainder) {
    ExprId zero = pool.type(operands[1]) == types().real() ? pool.real(0) : pool.integer(0);
    conditions.push_back(pool.negation(pool.equal(operands[1], zero)));
  } else if (op == Op::Element || op == Op::SetElement) {
    const auto size = static_cast<int64_t>(types()[pool.type(operands[0])].size);
    conditions.push_back(pool.lessEqual(pool.integer(0), operands[1]));
    conditions.push_back(pool.less(operands[1], pool.integer(size)));
  }
  return conditions.empty() ? pool.boolean(true) : pool.conjunction(conditions);
}

/// An operand counts only where those before it left the matter open.
ExprId Terms::definedConnective(ExprId expr) {
  ir::ExprPool& pool = model_.exprs;
  const bool isAnd = pool.op(expr) == Op::And;
  const std::vector<ExprId> operands(pool.operands(expr).begin(), pool.operands(expr).end());
  ExprId rest = pool.boolean(true);
  for (size_t i = operands.size(); i-- > 0;) {
    ExprId decides = isAnd ? pool.negation(operands[i]) : operands[i];
    ExprId here = defined_[operands[i].value];
    rest = pool.isTrue(rest) ? here : pool.conjunction(here, pool.disjunction(decides, rest));
  }
  return rest;
}

ExprId Terms::fails(ExprId condition) {
  ExprId isDefined = defined(condition);
  return pool().disjunction(pool().negation(isDefined), pool().negation(condition));
}

void Terms::ranges(ExprId value, TypeId type, std::vector<ExprId>& conditions) {
  const ir::Type shape = types()[type];
  if (shape.kind == TypeKind::Record) {
    const auto& fields = model_[shape.record].fields;
    for (uint32_t i = 0; i < fields.size(); ++i)
      ranges(pool().field(value, i, fields[i].type), fields[i].type, conditions);
  } else if (shape.kind == TypeKind::Array) {
    for (uint32_t i = 0; i < shape.size; ++i)
      ranges(pool().element(value, pool().integer(i)), shape.element, conditions);
  } else if (shape.range) {
    conditions.push_back(pool().lessEqual(pool().integer(shape.range->first), value));
    conditions.push_back(pool().lessEqual(value, pool().integer(shape.range->last)));
  }
}

std::vector<ExprId> Terms::conjuncts(std::span<const ExprId> conditions) {
  std::vector<ExprId> all;
  for (ExprId condition : conditions)
    if (pool().op(condition) == Op::And)
      all.insert(all.end(), pool().operands(condition).begin(), pool().operands(condition).end());
    else if (!pool().isTrue(condition))
      all.push_back(condition);
  // This is asked with every question, so without a set of many small allocations.
  std::vector<ExprId> sorted = all;
  std::sort(sorted.begin(), sorted.end(), [](ExprId a, ExprId b) { return a.value < b.value; });
  if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end())
    return all;
  std::vector<ExprId> result;
  std::unordered_set<ExprId> seen;
  std::copy_if(all.begin(), all.end(), std::back_inserter(result), [&](ExprId id) { return seen.insert(id).second; });
  return result;
}

std::vector<ExprId> Terms::relevant(std::span<const ExprId> path, std::span<const ExprId> conditions) {
  std::vector<uint32_t> reached = unknownsOf(conditions);
  std::vector<bool> isTaken(path.size());
  // The later conditions of a path speak of the earlier unknowns, so few rounds are enough.
  for (bool isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (size_t i = path.size(); i-- > 0;) {
      if (isTaken[i])
        continue;
      const auto& mentioned = unknownsOf(path[i]);
      if (std::none_of(mentioned.begin(), mentioned.end(),
                       [&](uint32_t unknown) { return std::binary_search(reached.begin(), reached.end(), unknown); }))
        continue;
      isTaken[i] = true;
      for (uint32_t unknown : mentioned)
        if (auto it = std::lower_bound(reached.begin(), reached.end(), unknown);
            it == reached.end() || *it != unknown) {
          reached.insert(it, unknown);
          isGrowing = true;
        }
    }
  }
  std::vector<ExprId> result;
  for (size_t i = 0; i < path.size(); ++i)
    if (isTaken[i])
      result.push_back(path[i]);
  return result;
}

// ---- values

eval::Result Terms::evaluate(ExprId expr, const Assignment& at) const {
  if (types().isNumeric(model_.exprs.type(expr)))
    if (auto number = QuickEvaluation(*this, at).number(expr))
      return {{std::move(*number), {}}, eval::Fault::None};
  return eval::evaluate(model_, expr, [&](ExprId leaf) {
    uint32_t unknown = model_.exprs.payload(leaf);
    const Value* value = at.find(unknown);
    return value ? *value : eval::defaultValue(model_, typeOf(unknown));
  });
}

const Value* Terms::defaultOf(uint32_t unknown) const {
  if (unknown >= unknowns_.size())
    return nullptr;
  while (defaults_.size() <= unknown)
    defaults_.push_back(eval::defaultValue(model_, typeOf(static_cast<uint32_t>(defaults_.size()))));
  return &defaults_[unknown];
}

std::optional<bool> Terms::quicklyHolds(ExprId condition, const Assignment& at) const {
  return QuickEvaluation(*this, at).holds(condition);
}

bool Terms::holds(ExprId condition, const Assignment& at) const {
  if (auto known = quicklyHolds(condition, at))
    return *known;
  eval::Result result = evaluate(condition, at);
  return result.ok() && result.value.isTrue();
}

bool Terms::allHold(std::span<const ExprId> conditions, const Assignment& at) const {
  return std::all_of(conditions.begin(), conditions.end(), [&](ExprId condition) { return holds(condition, at); });
}

bool Terms::isModel(std::span<const ExprId> conditions, const Assignment& at) const {
  return std::all_of(at.begin(), at.end(),
                     [&](const auto& entry) { return eval::fits(model_, typeOf(entry.first), entry.second); }) &&
         allHold(conditions, at);
}

Assignment Terms::complete(std::span<const ExprId> conditions, const Assignment* hint) {
  Assignment result;
  for (uint32_t unknown : unknownsOf(conditions)) {
    const Value* value = hint ? hint->find(unknown) : nullptr;
    const bool usable = value && eval::fits(model_, typeOf(unknown), *value);
    result.set(unknown, usable ? *value : eval::defaultValue(model_, typeOf(unknown)));
  }
  return result;
}

Rational& Terms::scalar(Assignment& at, Place place) {
  Value* value = at.find(place.unknown);
  TypeId type = typeOf(place.unknown);
  uint32_t offset = place.offset;
  while (!value->parts.empty()) {
    const ir::Type& shape = types()[type];
    size_t part = 0;
    auto typeOfPart = [&] {
      return shape.kind == TypeKind::Record ? model_[shape.record].fields[part].type : shape.element;
    };
    for (; offset >= scalarsOf(typeOfPart()).size(); ++part)
      offset -= static_cast<uint32_t>(scalarsOf(typeOfPart()).size());
    type = typeOfPart();
    value = &value->parts[part];
  }
  return value->number;
}

ExprId Terms::constant(TypeId type, const Value& value) {
  const ir::Type shape = types()[type];
  switch (shape.kind) {
  case TypeKind::Bool:
    return pool().boolean(value.isTrue());
  case TypeKind::Int:
    return pool().integer(value.number);
  case TypeKind::Real:
    return pool().real(value.number);
  case TypeKind::Enum:
    return pool().enumLiteral(type, static_cast<uint32_t>(*value.number.toInt64()));
  case TypeKind::Record:
  case TypeKind::Array:
    break;
  }
  std::vector<ExprId> parts;
  for (size_t i = 0; i < value.parts.size(); ++i)
    parts.push_back(
        constant(shape.kind == TypeKind::Array ? shape.element : model_[shape.record].fields[i].type, value.parts[i]));
  return shape.kind == TypeKind::Array ? pool().makeArray(type, parts) : pool().makeRecord(type, parts);
}

} // namespace tioc::solver
