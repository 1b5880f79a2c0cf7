#include "ir/typing.hpp"

#include <algorithm>

namespace tioc::ir {

namespace {

TypeId compound(const Model& model, Op op, uint32_t payload, TypeId stated, std::span<const TypeId> operands) {
  auto kind = [&](TypeId type) { return model.types[type].kind; };
  auto unranged = [&](TypeId type) { return model.types.unranged(type); };
  switch (op) {
  case Op::MakeRecord: {
    if (kind(stated) != TypeKind::Record)
      return {};
    const auto& fields = model[model.types[stated].record].fields;
    bool fits = std::equal(operands.begin(), operands.end(), fields.begin(), fields.end(),
                           [&](TypeId type, const Member& field) { return type == unranged(field.type); });
    return fits ? stated : TypeId();
  }
  case Op::Field:
  case Op::SetField: {
    if (operands.size() != (op == Op::Field ? 1 : 2) || kind(operands[0]) != TypeKind::Record)
      return {};
    const auto& fields = model[model.types[operands[0]].record].fields;
    if (payload >= fields.size())
      return {};
    TypeId field = unranged(fields[payload].type);
    if (op == Op::Field)
      return field;
    return operands[1] == field ? operands[0] : TypeId();
  }
  case Op::MakeArray: {
    if (kind(stated) != TypeKind::Array || operands.size() != model.types[stated].size)
      return {};
    TypeId element = unranged(model.types[stated].element);
    bool fits = std::all_of(operands.begin(), operands.end(), [&](TypeId type) { return type == element; });
    return fits ? stated : TypeId();
  }
  case Op::Element:
  case Op::SetElement: {
    if (operands.size() != (op == Op::Element ? 2 : 3) || kind(operands[0]) != TypeKind::Array ||
        operands[1] != model.types.integer())
      return {};
    TypeId element = unranged(model.types[operands[0]].element);
    if (op == Op::Element)
      return element;
    return operands[2] == element ? operands[0] : TypeId();
  }
  default:
    return {};
  }
}

} // namespace

TypeId typeOf(const Model& model, Op op, uint32_t payload, TypeId stated, std::span<const TypeId> operands) {
  TypeId boolean = model.types.boolean();
  TypeId integer = model.types.integer();
  TypeId real = model.types.real();
  size_t count = operands.size();
  TypeId first = count ? operands[0] : TypeId();
  bool same = std::all_of(operands.begin(), operands.end(), [&](TypeId type) { return type == first; });
  bool numbers = same && (first == integer || first == real);
  auto when = [](bool fits, TypeId type) { return fits ? type : TypeId(); };
  switch (op) {
  case Op::Bool:
    return when(count == 0, boolean);
  case Op::Number:
    return when(count == 0 && (stated == integer || stated == real), stated);
  case Op::EnumLiteral:
    return when(count == 0 && model.types[stated].kind == TypeKind::Enum &&
                    payload < model[model.types[stated].enumeration].literals.size(),
                stated);
  case Op::Variable:
  case Op::Local:
  case Op::Parameter:
    return when(count == 0, stated);
  case Op::Not:
    return when(count == 1 && first == boolean, boolean);
  case Op::And:
  case Op::Or:
    return when(count >= 2 && same && first == boolean, boolean);
  case Op::Equal:
    return when(count == 2 && same, boolean);
  case Op::Less:
  case Op::LessEqual:
    return when(count == 2 && numbers, boolean);
  case Op::Negate:
    return when(count == 1 && numbers, first);
  case Op::Add:
  case Op::Multiply:
    return when(count >= 2 && numbers, first);
  case Op::Divide:
    return when(count == 2 && numbers, first);
  case Op::Remainder:
    return when(count == 2 && same && first == integer, integer);
  case Op::ToReal:
    return when(count == 1 && first == integer, real);
  case Op::Floor:
    return when(count == 1 && first == real, integer);
  case Op::IfThenElse:
    return when(count == 3 && first == boolean && operands[1] == operands[2], count == 3 ? operands[1] : TypeId());
  default:
    return compound(model, op, payload, stated, operands);
  }
}

} // namespace tioc::ir
