#pragma once

#include "driver/driver.hpp"

#include "runtime/conformance/signal_log.hpp"
#include "runtime/conformance/trace.hpp"

#include <optional>
#include <string>

namespace tioc::driver {

/// A VDTA in the form that fits how its outputs are seen, and the way from a recorded table to events.
struct SignalSubject {
  ir::Model model;
  conformance::SignalRow start;         ///< what the signals are at the start; of tables and samples
  std::optional<ir::Rational> sampling; ///< looks at the outputs so often; 0: at every row
  ir::ChannelId inputs;
  ir::ChannelId outputs;

  /// The last one says that the rest of the table was silence.
  std::vector<conformance::SignalEvent> eventsOf(const std::vector<conformance::SignalRow>& rows) const;
  conformance::Event event(const conformance::SignalEvent& signal) const;
};

/// `instance` is a result of `ir::instantiate`; with a purpose, the product of both is followed. `sample` is as on the
/// command line, empty: not sampled. Nothing after a message.
std::optional<SignalSubject> signalSubject(const ir::Model& instance, const std::string& purpose, bool table,
                                           const std::string& sample, Io& io);

} // namespace tioc::driver
