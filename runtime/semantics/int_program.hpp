#pragma once

#include "runtime/eval/layout.hpp"

#include <optional>

namespace tioc::semantics {

/// An expression over bools, enums and integers as a short program on slots: needs neither the interpreter's exact
/// numbers nor a compiler, which matters where a search ends before compiling pays. What it cannot answer exactly (an
/// overflow, a division by zero, an index out of range) it hands back.
class IntProgram {
public:
  /// Nothing if the expression holds other types, or is too deep. `edge` says where message parameters lie.
  static std::optional<IntProgram> compile(const eval::Layout& layout, ir::ExprId expr, const ir::Edge* edge);

  /// False: handed back. Precondition: the result of `compile`.
  bool run(const eval::Slot* frame, eval::Slot& result) const;

private:
  enum class Code : uint8_t {
    Constant,
    Slot,
    SlotEqualsConstant, // what guards mostly ask
    SlotEqualsSlot,
    Not,
    Equal,
    Less,
    LessEqual,
    Negate,
    Add,
    Multiply,
    Divide,
    Remainder,
    Element,     // of an array: a is its first slot, b its size
    SkipIfFalse, // keeps the condition if it skips, drops it otherwise
    SkipIfTrue,
    BranchIfFalse, // drops the condition
    Jump,
  };
  struct Instruction {
    Code code;
    uint32_t a = 0; // slot or target
    uint32_t b = 0;
    eval::Slot constant = 0;
  };
  static constexpr uint32_t kMostDepth = 16;

  class Writer;

  std::vector<Instruction> code_;
};

} // namespace tioc::semantics
