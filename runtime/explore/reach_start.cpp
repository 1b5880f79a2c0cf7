#include "runtime/explore/reach_stepper.hpp"

#include <algorithm>

namespace tioc::explore {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

struct OpenSlot {
  uint32_t slot = 0;
  std::optional<int64_t> low;
  std::optional<int64_t> high;
};

namespace {

/// Finds the slots of variables without initial value, limited by their types and by comparisons with constants that an
/// initial condition makes.
class OpenSlots {
public:
  OpenSlots(const semantics::Network& network, const eval::Layout& layout)
      : model_(network.model()), pool_(model_.exprs), layout_(layout) {
    for (uint32_t i = 0; i < network.size(); ++i)
      for (ExprId part : pool_.conjuncts(model_[network.component(i)].initialCondition))
        conditions_.push_back(part);
  }

  /// False: not limited to finitely many.
  bool add(ir::VariableId id) {
    const size_t first = slots.size();
    const bool numbers = addSlots(model_[id].type, layout_.offsetOf(id));
    if (model_.types[model_[id].type].kind == TypeKind::Int)
      for (ExprId part : conditions_)
        limit(id, part, slots[first]);
    return numbers && std::all_of(slots.begin() + static_cast<ptrdiff_t>(first), slots.end(),
                                  [](const OpenSlot& open) { return open.low && open.high; });
  }

  std::vector<OpenSlot> slots;

private:
  bool addSlots(ir::TypeId id, uint32_t slot) {
    const ir::Type& type = model_.types[id];
    bool numbers = true;
    switch (type.kind) {
    case TypeKind::Bool:
      slots.push_back({slot, 0, 1});
      break;
    case TypeKind::Enum:
      slots.push_back({slot, 0, static_cast<int64_t>(model_[type.enumeration].literals.size()) - 1});
      break;
    case TypeKind::Int:
      slots.push_back({slot, type.range ? type.range->first.toInt64() : std::nullopt,
                       type.range ? type.range->last.toInt64() : std::nullopt});
      break;
    case TypeKind::Real:
      return false;
    case TypeKind::Record:
      for (const ir::Member& field : model_[type.record].fields) {
        numbers &= addSlots(field.type, slot);
        slot += layout_.sizeOf(field.type);
      }
      break;
    case TypeKind::Array:
      for (uint32_t i = 0; i < type.size; ++i, slot += layout_.sizeOf(type.element))
        numbers &= addSlots(type.element, slot);
      break;
    }
    return numbers;
  }

  /// Reads `v == c`, `v <= c`, `v < c` and their mirrors.
  void limit(ir::VariableId id, ExprId condition, OpenSlot& open) const {
    const Op op = pool_.op(condition);
    if (op != Op::Equal && op != Op::Less && op != Op::LessEqual)
      return;
    for (int side = 0; side < 2; ++side) {
      const ExprId variable = pool_.operands(condition)[side];
      const ir::Rational* const number = pool_.number(pool_.operands(condition)[1 - side]);
      if (pool_.op(variable) != Op::Variable || pool_.payload(variable) != id.value || !number)
        continue;
      const auto value = number->toInt64();
      if (!value)
        continue;
      // Limits may be too wide by one: the condition itself is asked as well.
      if ((op == Op::Equal || side == 0) && (!open.high || *value < *open.high))
        open.high = *value;
      if ((op == Op::Equal || side == 1) && (!open.low || *value > *open.low))
        open.low = *value;
    }
  }

  const ir::Model& model_;
  const ir::ExprPool& pool_;
  const eval::Layout& layout_;
  std::vector<ExprId> conditions_;
};

} // namespace

/// The valuations that the network may start with.
Stepper::Frames Stepper::startFrames() {
  const ir::Model& model = network_.model();
  std::vector<eval::Slot> frame(layout_.frameSize(), 0);
  OpenSlots open(network_, layout_);
  for (size_t i = 0; i < model.variables.size(); ++i)
    layout_.store(model.variables[i].type, eval::defaultValue(model, model.variables[i].type),
                  frame.data() + layout_.offsetOf(ir::VariableId(i)));
  for (ir::VariableId id : network_.variables()) {
    const ir::Variable& variable = model[id];
    if (!variable.initial.valid()) {
      if (!open.add(id)) {
        fail(variable.span, "variable '" + variable.name +
                                "' starts with any value: give it one, limit it by `init … when`, or explore "
                                "symbolically");
        return {};
      }
      continue;
    }
    const eval::Result value = eval::evaluate(layout_, variable.initial, nullptr, frame.data());
    if (!value.ok() || !eval::fits(model, variable.type, value.value))
      return {};
    if (!layout_.store(variable.type, value.value, frame.data() + layout_.offsetOf(id))) {
      fail(variable.span, "the initial value of '" + variable.name + "' does not fit into 64 bits");
      return {};
    }
  }
  return startFrames(frame, open.slots);
}

Stepper::Frames Stepper::startFrames(std::vector<eval::Slot> frame, std::span<const OpenSlot> open) {
  const ir::Model& model = network_.model();
  for (const OpenSlot& slot : open) {
    if (*slot.low > *slot.high)
      return {};
    frame[slot.slot] = *slot.low;
  }
  Frames result;
  for (uint64_t tried = 1;; ++tried) {
    if (tried > options_.starts) {
      fail(model[network_.component(0)].initialSpan,
           "more than " + std::to_string(options_.starts) +
               " initial valuations to try: give variables initial values, or explore symbolically");
      return {};
    }
    const bool allowed = [&] {
      for (uint32_t i = 0; i < network_.size(); ++i) {
        const ExprId condition = model[network_.component(i)].initialCondition;
        const eval::Result value = eval::evaluate(layout_, condition, nullptr, frame.data());
        if (!value.ok() || !value.value.isTrue())
          return false;
      }
      return true;
    }();
    if (allowed)
      result.push_back(frame);
    size_t at = 0;
    for (; at < open.size() && frame[open[at].slot] == *open[at].high; ++at)
      frame[open[at].slot] = *open[at].low;
    if (at == open.size())
      return result;
    ++frame[open[at].slot];
  }
}

} // namespace tioc::explore
