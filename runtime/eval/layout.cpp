#include "runtime/eval/layout.hpp"

#include <algorithm>

namespace tioc::eval {

using ir::TypeKind;

Layout::Layout(const ir::Model& model) : model_(&model) {
  sizes_.assign(model.types.size(), 0);
  const std::function<uint32_t(ir::TypeId)> size = [&](ir::TypeId id) -> uint32_t {
    uint32_t& known = sizes_[id.value];
    if (known != 0)
      return known;
    const ir::Type& type = model.types[id];
    uint32_t slots = type.kind == TypeKind::Real ? 2 : 1;
    if (type.kind == TypeKind::Record) {
      slots = 0;
      for (const ir::Member& field : model[type.record].fields)
        slots += size(field.type);
    }
    if (type.kind == TypeKind::Array)
      slots = type.size * size(type.element);
    return sizes_[id.value] = slots;
  };
  for (size_t i = 0; i < model.types.size(); ++i)
    size(ir::TypeId(i));

  for (const ir::Variable& variable : model.variables) {
    variables_.push_back(stateSize_);
    stateSize_ += sizeOf(variable.type);
  }
  uint32_t widest = 0;
  for (const ir::Edge& edge : model.edges) {
    uint32_t width = 0;
    for (const ir::Member& parameter : edge.parameters)
      width += sizeOf(parameter.type);
    widest = std::max(widest, width);
  }
  frameSize_ = stateSize_ + widest;
}

uint32_t Layout::offsetOfLocal(const ir::Edge& edge, uint32_t index) const {
  uint32_t offset = stateSize_;
  for (uint32_t i = 0; i < index; ++i)
    offset += sizeOf(edge.parameters[i].type);
  return offset;
}

bool Layout::store(ir::TypeId id, const Value& value, Slot* to) const {
  const ir::Type& type = model_->types[id];
  switch (type.kind) {
  case TypeKind::Real: {
    auto numerator = value.number.numerator().toInt64();
    auto denominator = value.number.denominator().toInt64();
    if (!numerator || !denominator)
      return false;
    to[0] = *numerator;
    to[1] = *denominator;
    return true;
  }
  case TypeKind::Record: {
    const auto& fields = (*model_)[type.record].fields;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (!store(fields[i].type, value.parts[i], to))
        return false;
      to += sizeOf(fields[i].type);
    }
    return true;
  }
  case TypeKind::Array:
    for (const Value& part : value.parts) {
      if (!store(type.element, part, to))
        return false;
      to += sizeOf(type.element);
    }
    return true;
  default: {
    auto number = value.number.toInt64();
    if (!number)
      return false;
    *to = *number;
    return true;
  }
  }
}

Value Layout::load(ir::TypeId id, const Slot* from) const {
  const ir::Type& type = model_->types[id];
  Value value;
  switch (type.kind) {
  case TypeKind::Real:
    value.number = ir::Rational(from[0], from[1]);
    break;
  case TypeKind::Record:
    for (const ir::Member& field : (*model_)[type.record].fields) {
      value.parts.push_back(load(field.type, from));
      from += sizeOf(field.type);
    }
    break;
  case TypeKind::Array:
    for (uint32_t i = 0; i < type.size; ++i, from += sizeOf(type.element))
      value.parts.push_back(load(type.element, from));
    break;
  default:
    value.number = *from;
  }
  return value;
}

} // namespace tioc::eval
