#include "runtime/eval/value.hpp"

#include <algorithm>

namespace tioc::eval {

using ir::TypeKind;

const char* faultName(Fault fault) {
  switch (fault) {
  case Fault::None:
    return "none";
  case Fault::DivisionByZero:
    return "division by zero";
  case Fault::IndexOutOfRange:
    return "index out of range";
  case Fault::RangeViolation:
    return "value outside the range of its type";
  case Fault::TooLarge:
    return "number does not fit into 64 bits";
  }
  return "";
}

bool fits(const ir::Model& model, ir::TypeId id, const Value& value) {
  const ir::Type& type = model.types[id];
  switch (type.kind) {
  case TypeKind::Int:
    return !type.range || (type.range->first <= value.number && value.number <= type.range->last);
  case TypeKind::Record: {
    const auto& fields = model[type.record].fields;
    for (size_t i = 0; i < fields.size(); ++i)
      if (!fits(model, fields[i].type, value.parts[i]))
        return false;
    return true;
  }
  case TypeKind::Array:
    return std::all_of(value.parts.begin(), value.parts.end(),
                       [&](const Value& part) { return fits(model, type.element, part); });
  default:
    return true;
  }
}

Value defaultValue(const ir::Model& model, ir::TypeId id) {
  const ir::Type& type = model.types[id];
  Value value;
  if (type.kind == TypeKind::Int && type.range && (type.range->first.sign() > 0 || type.range->last.sign() < 0))
    value.number = type.range->first;
  if (type.kind == TypeKind::Record)
    for (const ir::Member& field : model[type.record].fields)
      value.parts.push_back(defaultValue(model, field.type));
  if (type.kind == TypeKind::Array)
    value.parts.assign(type.size, defaultValue(model, type.element));
  return value;
}

std::string printValue(const ir::Model& model, ir::TypeId id, const Value& value) {
  const ir::Type& type = model.types[id];
  switch (type.kind) {
  case TypeKind::Bool:
    return value.isTrue() ? "true" : "false";
  case TypeKind::Int:
  case TypeKind::Real:
    return value.number.toString();
  case TypeKind::Enum:
    return model[type.enumeration].literals[static_cast<size_t>(*value.number.toInt64())];
  case TypeKind::Record: {
    const ir::Record& record = model[type.record];
    std::string text = record.name + "(";
    for (size_t i = 0; i < value.parts.size(); ++i)
      text += (i ? ", " : "") + record.fields[i].name + ": " + printValue(model, record.fields[i].type, value.parts[i]);
    return text + ")";
  }
  case TypeKind::Array: {
    std::string text = "[";
    for (size_t i = 0; i < value.parts.size(); ++i)
      text += (i ? ", " : "") + printValue(model, type.element, value.parts[i]);
    return text + "]";
  }
  }
  return "";
}

} // namespace tioc::eval
