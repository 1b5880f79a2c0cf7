#pragma once

#include "driver/compile.hpp"

#include "runtime/testgen/digital.hpp"

namespace tioc::driver {

/// The options of `tioc gen` that are about testers with a digital clock.
struct DigitalFlags {
  bool wanted = false;
  std::string tick;         ///< the system that ticks; empty: a plain clock
  std::string period = "1"; ///< of a plain clock
  bool earlyStops = false;
  uint64_t most = 1000;

  void addTo(CLI::App& command);
  /// The number of events of a test: the limit on the depth, or a small one.
  static uint32_t depthOf(const explore::Limits& limits) { return limits.depth ? limits.depth : 5; }
};

/// The suite of that depth, chosen as `how` says. Without a tick system of the model the clock is the library's, as
/// exact as the tolerance says. After a message the exit code is in `code`.
testgen::Generated digitalSuite(const ir::Model& model, ir::SystemId system, uint32_t depth, const DigitalFlags& flags,
                                const testgen::GenerateOptions& how, Compilation& compilation, Io& io, int& code);

} // namespace tioc::driver
