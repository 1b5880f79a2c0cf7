#pragma once

#include "driver/driver.hpp"

#include "frontend/diagnostics.hpp"
#include "ir/model.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tioc::driver {

/// The options that every command with a model has: where imports are, which warnings, which form of diagnostics.
struct CompileOptions {
  std::vector<std::string> includeDirs;
  std::vector<std::string> warnings; ///< what stood behind each -W
  std::string format = "text";
  size_t maxErrors = 100;

  void addTo(CLI::App& command);
};

/// One use of the compiler: sources and diagnostics of all files that one command names.
class Compilation {
public:
  /// Nothing after a message about a wrong -W option.
  static std::optional<Compilation> create(const CompileOptions& options, Io& io);

  /// The model, or nothing after errors; those wait for `finish`.
  std::optional<ir::Model> compile(const std::string& path, std::string text);
  frontend::Sources& sources() { return *sources_; }
  frontend::Diagnostics& diagnostics() { return *diagnostics_; }

  /// `file:line:column: `, or nothing for no place.
  std::string describe(ir::Span span) const;

  /// Shows the diagnostics and returns the exit code.
  int finish(Io& io);

private:
  Compilation(const CompileOptions& options, frontend::DiagnosticOptions diagnostics);

  std::vector<std::string> includeDirs_;
  std::string format_;
  std::unique_ptr<frontend::Sources> sources_;
  std::unique_ptr<frontend::Diagnostics> diagnostics_;
};

} // namespace tioc::driver
