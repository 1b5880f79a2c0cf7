#include "runtime/explore/reach_packing.hpp"

#include <bit>
#include <set>

namespace tioc::explore {

using ir::TypeKind;

StatePacking::StatePacking(const semantics::Network& network, const eval::Layout& layout) {
  addPlaces(network);
  const ir::Model& model = network.model();
  std::set<ir::VariableId> changed;
  for (uint32_t i = 0; i < network.size(); ++i)
    for (ir::EdgeId id : model[network.component(i)].edges)
      for (const ir::Update& update : model[id].updates)
        changed.insert(update.variable);
  for (ir::VariableId id : network.variables())
    if (!model[id].initial.valid() || changed.contains(id))
      addSlots(layout, model[id].type, layout.offsetOf(id));
}

void StatePacking::addPlaces(const semantics::Network& network) {
  const ir::Model& model = network.model();
  codes_.assign(model.locations.size(), 0);
  for (uint32_t i = 0; i < network.size(); ++i) {
    const std::vector<ir::LocationId>& own = model[network.component(i)].locations;
    Field field;
    field.base = static_cast<int64_t>(locations_.size());
    for (size_t code = 0; code < own.size(); ++code)
      codes_[own[code].value] = static_cast<uint32_t>(code);
    locations_.insert(locations_.end(), own.begin(), own.end());
    place(field, own.size() - 1, places_);
  }
}

void StatePacking::place(Field field, uint64_t last, std::vector<Field>& list) {
  const uint32_t bits = static_cast<uint32_t>(std::bit_width(last));
  if (used_ + bits > 64) {
    ++words_;
    used_ = 0;
  }
  field.word = words_ - 1;
  field.shift = bits == 0 ? 0 : used_;
  field.mask = bits == 64 ? UINT64_MAX : (uint64_t{1} << bits) - 1;
  used_ += bits;
  list.push_back(field);
}

void StatePacking::addSlots(const eval::Layout& layout, ir::TypeId id, uint32_t slot) {
  const ir::Model& model = layout.model();
  const ir::Type& type = model.types[id];
  Field field;
  field.slot = slot;
  switch (type.kind) {
  case TypeKind::Bool:
    return place(field, 1, fields_);
  case TypeKind::Enum:
    return place(field, model[type.enumeration].literals.size() - 1, fields_);
  case TypeKind::Int: {
    const auto first = type.range ? type.range->first.toInt64() : std::nullopt;
    const auto last = type.range ? type.range->last.toInt64() : std::nullopt;
    if (!first || !last)
      return place(field, UINT64_MAX, fields_);
    field.base = *first;
    return place(field, static_cast<uint64_t>(*last) - static_cast<uint64_t>(*first), fields_);
  }
  case TypeKind::Real:
    place(field, UINT64_MAX, fields_);
    ++field.slot;
    return place(field, UINT64_MAX, fields_);
  case TypeKind::Record:
    for (const ir::Member& member : model[type.record].fields) {
      addSlots(layout, member.type, slot);
      slot += layout.sizeOf(member.type);
    }
    return;
  case TypeKind::Array:
    for (uint32_t i = 0; i < type.size; ++i, slot += layout.sizeOf(type.element))
      addSlots(layout, type.element, slot);
    return;
  }
}

} // namespace tioc::explore
