#pragma once

#include "ir/model.hpp"

#include <string>

namespace tioc::backend {

/// The automata of a model as one Graphviz drawing, a cluster each.
std::string dot(const ir::Model& model);

} // namespace tioc::backend
