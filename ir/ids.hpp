#pragma once

#include <compare>
#include <cstdint>
#include <functional>

namespace tioc::ir {

/// A 32-bit index into one of the model's vectors. The tag keeps indices of different vectors apart.
template <class Tag>
struct Id {
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(size_t index) : value(static_cast<uint32_t>(index)) {}
  constexpr bool valid() const { return value != kNone; }
  constexpr auto operator<=>(const Id&) const = default;
};

using TypeId = Id<struct TypeTag>;
using ExprId = Id<struct ExprTag>;
using EnumId = Id<struct EnumTag>;
using RecordId = Id<struct RecordTag>;
using ChannelId = Id<struct ChannelTag>;
using VariableId = Id<struct VariableTag>;
using ClockId = Id<struct ClockTag>;
using LocationId = Id<struct LocationTag>;
using EdgeId = Id<struct EdgeTag>;
using GroupId = Id<struct GroupTag>;
using AutomatonId = Id<struct AutomatonTag>;
using SystemId = Id<struct SystemTag>;
using SuiteId = Id<struct SuiteTag>;

/// A place in a source file. Layers below the frontend carry it along and never look inside.
struct Span {
  uint32_t file = UINT32_MAX;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool valid() const { return file != UINT32_MAX; }
};

} // namespace tioc::ir

template <class Tag>
struct std::hash<tioc::ir::Id<Tag>> {
  size_t operator()(tioc::ir::Id<Tag> id) const { return std::hash<uint32_t>()(id.value); }
};
