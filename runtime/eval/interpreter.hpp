#pragma once

#include "runtime/eval/layout.hpp"

#include <functional>
#include <unordered_map>

namespace tioc::eval {

/// Gives the value of a leaf: a Variable, a Local or a Parameter (an unknown of a symbolic run).
using Leaves = std::function<Value(ir::ExprId leaf)>;

/// Either a value or the reason why there is none.
struct Result {
  Value value;
  Fault fault = Fault::None;

  bool ok() const { return fault == Fault::None; }
};

/// Evaluates expressions exactly: integers of any size, rationals. `&&`, `||` and `if` look at no more operands than they
/// need, from left to right. The reference for compiled code and for the solver.
///
/// Needs no stack for deep expressions, and looks at a shared subexpression once.
Result evaluate(const ir::Model& model, ir::ExprId expr, const Leaves& leaves);

/// The same on a frame of slots. `edge` says where the message parameters lie; it may be null where there are none.
Result evaluate(const Layout& layout, ir::ExprId expr, const ir::Edge* edge, const Slot* frame);

/// What became of an attempt to take an edge.
enum class Taken : uint8_t {
  No,    ///< the guard does not hold, or it or an update has no value, or a value leaves its range
  Yes,   ///< the successor was written
  Stuck, ///< a value of the successor does not fit into 64 bits
};

/// Whether the edge's data guard holds; a guard without a value does not.
bool holds(const Layout& layout, const ir::Edge& edge, const Slot* frame);

/// Writes the variables after the edge's updates to `next` (stateSize slots; may be `frame` itself), whatever the guard
/// says. No: some value is missing or out of its range; `next` is then unspecified.
Taken update(const Layout& layout, const ir::Edge& edge, const Slot* frame, Slot* next);

} // namespace tioc::eval
