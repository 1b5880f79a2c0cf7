#pragma once

#include "ir/graph.hpp"

#include <string>

namespace tioc::backend {

/// An explored graph as one page for a browser, which needs nothing but itself: pan, zoom, search, collapse, and every
/// state in full.
std::string graphHtml(const ir::Graph& graph);

} // namespace tioc::backend
