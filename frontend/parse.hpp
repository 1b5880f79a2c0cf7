#pragma once

#include "frontend/diagnostics.hpp"
#include "frontend/syntax.hpp"

#include <optional>

namespace tioc::frontend {

/// The syntax tree of a file, or nothing if it has syntax errors; those are reported.
std::optional<syntax::Module> parse(const Sources& sources, uint32_t file, Diagnostics& diagnostics);

} // namespace tioc::frontend
