#pragma once

#include "ir/model.hpp"

#include <span>

namespace tioc::ir {

bool sameGuard(const Guard& a, const Guard& b);

/// Where none of the guards holds, as disjoint guards. Clocks first: guards on one clock cut its time line into few
/// pieces, instead of every choice of the data on both sides of every bound.
std::vector<Guard> noneOf(Model& model, std::span<const Guard> guards);

} // namespace tioc::ir
