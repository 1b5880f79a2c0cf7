#pragma once

#include "frontend/diagnostics.hpp"
#include "frontend/syntax.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tioc::frontend {

/// Where texts come from; the driver gives the file system, tests what they like.
struct FileAccess {
  /// The text of the file, or nothing if it cannot be read.
  std::function<std::optional<std::string>(const std::string& path)> read;
  std::vector<std::string> includeDirs;
  /// The text of a module of the standard library by its path (`tick.tio`), or nothing.
  std::function<std::optional<std::string>(const std::string& name)> library;
};

struct LoadedModule {
  syntax::Module syntax;
  std::vector<size_t> imports; ///< indices into Program::modules
};

/// A module and all it imports; a module stands behind those it imports, so the root is the last.
struct Program {
  std::vector<LoadedModule> modules;
  std::vector<std::string> files; ///< every file that was read, root first
};

/// Parses `path` with all its imports. Returns nothing after errors; they are reported.
std::optional<Program> load(const std::string& path, std::string text, const FileAccess& access, Sources& sources,
                            Diagnostics& diagnostics);

} // namespace tioc::frontend
