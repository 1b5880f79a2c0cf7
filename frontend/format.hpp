#pragma once

#include "frontend/diagnostics.hpp"

#include <optional>
#include <string>

namespace tioc::frontend {

/// The file in the one layout that all models have: two spaces of indentation, lines of at most 100 characters where
/// the text allows it, every comment kept. A block that was written on one line stays there if it fits. Formatting the
/// result again changes nothing. Returns nothing if the file has syntax errors; those are reported.
std::optional<std::string> format(const Sources& sources, uint32_t file, Diagnostics& diagnostics);

} // namespace tioc::frontend
