#pragma once

#include "ir/model.hpp"

namespace tioc::ir {

enum class Decision : uint8_t { No, Yes, Unknown };

/// Whether some values of variables, message parameters and clocks satisfy the guard. Exact for boolean combinations of
/// comparisons of single variables with constants and for clock constraints with constant bounds; anything harder is
/// Unknown, never guessed. `edge` gives the types of the message parameters and may be null.
Decision satisfiable(const Model& model, const Guard& guard, const Edge* edge = nullptr);

/// Whether evaluating the expression meets no division by zero and no index out of range, as an expression that always
/// has a value itself: operands are asked in the order of evaluation, and only those that are looked at.
ExprId hasValue(Model& model, ExprId expr);

/// The guards whose union is the complement of `guard`, disjoint from each other. A guard without a value does not hold,
/// so its complement does.
std::vector<Guard> complement(Model& model, const Guard& guard);

/// Both guards at once.
Guard conjunction(Model& model, const Guard& a, const Guard& b);

} // namespace tioc::ir
