#pragma once

#include "driver/compile.hpp"

#include <string>

namespace tioc::driver {

/// What `tioc check --deep` was asked for.
struct DeepOptions {
  bool deep = false;
  bool completeness = false;
  double seconds = 60;
  uint64_t megabytes = 4096;
  std::string system; ///< empty: all that the file declares

  void addTo(CLI::App& command);
};

struct DeepReport {
  std::string text;     ///< what does not belong to a place of the source
  bool limited = false; ///< a limit left something open
  bool failed = false;  ///< after a message: there is no such system
};

/// Explores the systems of the model, or the automata where it declares none, and adds what it finds to the
/// diagnostics.
DeepReport checkDeep(const ir::Model& model, const DeepOptions& options, Compilation& compilation, Io& io);

} // namespace tioc::driver
