#pragma once

#include "ir/model.hpp"

#include <span>

namespace tioc::ir {

/// The type of an operator applied to operands of these types, or an invalid id where they do not fit. `stated` is the
/// type that leaves, records and arrays carry themselves; other operators do not look at it.
TypeId typeOf(const Model& model, Op op, uint32_t payload, TypeId stated, std::span<const TypeId> operands);

} // namespace tioc::ir
