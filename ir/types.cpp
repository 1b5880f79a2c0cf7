#include "ir/types.hpp"

namespace tioc::ir {

TypeTable::TypeTable() {
  intern({.kind = TypeKind::Bool});
  intern({.kind = TypeKind::Int});
  intern({.kind = TypeKind::Real});
}

TypeId TypeTable::ranged(Range range) {
  return intern({.kind = TypeKind::Int, .range = std::move(range)});
}

TypeId TypeTable::enumeration(EnumId id) {
  return intern({.kind = TypeKind::Enum, .enumeration = id});
}

TypeId TypeTable::record(RecordId id) {
  return intern({.kind = TypeKind::Record, .record = id});
}

TypeId TypeTable::array(TypeId element, uint32_t size) {
  return intern({.kind = TypeKind::Array, .element = element, .size = size});
}

bool TypeTable::isNumeric(TypeId id) const {
  return types_[id.value].kind == TypeKind::Int || types_[id.value].kind == TypeKind::Real;
}

TypeId TypeTable::unranged(TypeId id) const {
  return types_[id.value].kind == TypeKind::Int ? integer() : id;
}

TypeId TypeTable::intern(Type type) {
  size_t key = static_cast<size_t>(type.kind);
  for (size_t part :
       {type.range ? type.range->first.hash() : 0, type.range ? type.range->last.hash() : 0,
        size_t(type.enumeration.value), size_t(type.record.value), size_t(type.element.value), size_t(type.size)})
    key = key * 1000003 ^ part;
  auto [begin, end] = index_.equal_range(key);
  for (auto it = begin; it != end; ++it)
    if (types_[it->second.value] == type)
      return it->second;
  TypeId id(types_.size());
  types_.push_back(std::move(type));
  index_.emplace(key, id);
  return id;
}

} // namespace tioc::ir
