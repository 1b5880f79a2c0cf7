#pragma once

#include "ir/model.hpp"

#include <string>

namespace tioc::backend {

/// The automata of a model as one Graphviz drawing, a cluster each.
std::string dot(const ir::Model& model);

/// A text as a quoted string of the DOT language; line breaks stay line breaks.
std::string dotQuoted(const std::string& text);

} // namespace tioc::backend
