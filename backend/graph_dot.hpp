#pragma once

#include "ir/graph.hpp"

#include <string>

namespace tioc::backend {

/// An explored graph as a Graphviz drawing: a box for each state with its place, store, condition, time and notes.
/// Covering links are dashed and do not shape the layout.
std::string graphDot(const ir::Graph& graph);

} // namespace tioc::backend
