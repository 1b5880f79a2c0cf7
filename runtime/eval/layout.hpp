#pragma once

#include "runtime/eval/value.hpp"

#include <span>

namespace tioc::eval {

/// One 64-bit place of a flat valuation. Bool, int and enum take one slot; a real takes two, numerator and positive
/// denominator in lowest terms; records and arrays take the slots of their parts in order.
using Slot = int64_t;

/// Where the values of a model lie in a flat array of slots: first all variables, then the message parameters of the
/// step that is looked at. Edges that synchronise share the parameters.
class Layout {
public:
  explicit Layout(const ir::Model& model);

  const ir::Model& model() const { return *model_; }
  /// Slots of the variables: what a state stores.
  uint32_t stateSize() const { return stateSize_; }
  /// Slots of a whole frame: variables and the widest message.
  uint32_t frameSize() const { return frameSize_; }
  uint32_t sizeOf(ir::TypeId type) const { return sizes_[type.value]; }
  uint32_t offsetOf(ir::VariableId id) const { return variables_[id.value]; }
  /// First slot of the edge's message parameter `index`. Edges of one channel agree on it.
  uint32_t offsetOfLocal(const ir::Edge& edge, uint32_t index) const;

  /// Writes the value; false if a number does not fit into 64 bits.
  bool store(ir::TypeId type, const Value& value, Slot* to) const;
  Value load(ir::TypeId type, const Slot* from) const;

private:
  const ir::Model* model_;
  std::vector<uint32_t> sizes_;     // by type
  std::vector<uint32_t> variables_; // by variable
  uint32_t stateSize_ = 0;
  uint32_t frameSize_ = 0;
};

} // namespace tioc::eval
