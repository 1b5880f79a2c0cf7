#pragma once

#include "ir/model.hpp"

#include <string>
#include <vector>

namespace tioc::ir {

/// What is wrong with the model's structure: ids out of range, types that do not fit, edges between automata, and so
/// on. Empty for every model that the frontend or a pass delivers; anything else is a bug of this program, not of the
/// user.
std::vector<std::string> verify(const Model& model);

} // namespace tioc::ir
