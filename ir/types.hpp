#pragma once

#include "ir/ids.hpp"
#include "ir/rational.hpp"

#include <unordered_map>
#include <vector>

namespace tioc::ir {

enum class TypeKind : uint8_t { Bool, Int, Real, Enum, Record, Array };

struct Range {
  Rational first;
  Rational last;
  bool operator==(const Range&) const = default;
};

struct Type {
  TypeKind kind = TypeKind::Bool;
  std::optional<Range> range; // Int only
  EnumId enumeration;         // Enum only
  RecordId record;            // Record only
  TypeId element;             // Array only
  uint32_t size = 0;          // Array only
  bool operator==(const Type&) const = default;
};

/// The interned types of a model: equal types have equal ids.
class TypeTable {
public:
  TypeTable();

  TypeId boolean() const { return TypeId(0); }
  TypeId integer() const { return TypeId(1); }
  TypeId real() const { return TypeId(2); }
  TypeId ranged(Range range);
  TypeId enumeration(EnumId id);
  TypeId record(RecordId id);
  TypeId array(TypeId element, uint32_t size);

  const Type& operator[](TypeId id) const { return types_[id.value]; }
  size_t size() const { return types_.size(); }
  bool isNumeric(TypeId id) const;
  /// The type that arithmetic works in: a range of integers becomes `int`.
  TypeId unranged(TypeId id) const;

private:
  TypeId intern(Type type);

  std::vector<Type> types_;
  std::unordered_multimap<size_t, TypeId> index_;
};

} // namespace tioc::ir
