#pragma once

#include "ir/model.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tioc::eval {

/// A value of any type, exact. Booleans are 0 and 1, enum literals their index; records and arrays have parts instead
/// of a number.
struct Value {
  ir::Rational number;
  std::vector<Value> parts;

  bool isTrue() const { return !number.isZero(); }
  bool operator==(const Value&) const = default;
};

/// Why an expression has no value. An edge can be taken only where its guard and its updates have values.
enum class Fault : uint8_t {
  None,
  DivisionByZero,
  IndexOutOfRange,
  RangeViolation, ///< a value outside the `int[lo..hi]` that it is to be stored in
  TooLarge,       ///< a stored number does not fit into 64 bits: the run cannot go on
};

const char* faultName(Fault fault);

/// Whether the value may be stored in a place of the type: every ranged integer lies in its range.
bool fits(const ir::Model& model, ir::TypeId type, const Value& value);

/// The value that variables start with when any will do: zeros, false, first literals, or the least of a range that has
/// no zero.
Value defaultValue(const ir::Model& model, ir::TypeId type);

/// As `.tio` writes it.
std::string printValue(const ir::Model& model, ir::TypeId type, const Value& value);

} // namespace tioc::eval
