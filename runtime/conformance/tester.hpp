#pragma once

#include "runtime/conformance/verdict.hpp"
#include "runtime/execute/session.hpp"

#include <functional>

namespace tioc::conformance {

enum class Strategy : uint8_t {
  Random,
  Coverage, ///< towards edges that surely were not taken yet
};

/// A tester that looks at the outputs of a controller now and then, and does not see when they change.
struct Looks {
  ir::Rational period;            ///< more than 0
  ir::ChannelId outputs;          ///< the channel with the values of all output signals
  std::vector<eval::Value> start; ///< of them
};

struct TesterOptions {
  execute::SessionOptions session;
  ir::Rational tolerance; ///< of measured times, in time units; that of the tracker
  uint64_t steps = 100;   ///< observations and inputs, after which the test ends
  uint64_t seed = 0;
  Strategy strategy = Strategy::Random;
  ir::Rational patience = 10;     ///< how long silence is listened to that may last for ever
  ir::Rational grain = {1, 1000}; ///< times are chosen among its multiples
  std::optional<Looks> looks;     ///< the tracker is on a model that tells samples (`ir::SignalView::Samples`)
};

struct TesterRun {
  Judgement judgement;
  bool broken = false; ///< inconclusive because the system or the way to it failed
  std::vector<Event> events;
  std::vector<uint32_t> nanoseconds; ///< of the processor for the tester's own work, by step
};

/// The analog-clock test of D, section 5.1: chooses inputs that the specification accepts and times for them while it
/// runs, and follows what the system does. The same seed and the same answers of the system give the same run.
/// `onEvent` sees every event at once.
TesterRun testOnTheFly(Tracker& tracker, execute::Adapter& adapter, const TesterOptions& options,
                       const std::function<void(const Event&)>& onEvent = {});

/// The run as lines of `tio/1`, which TraceReader reads back.
std::string logLine(const ir::Model& model, const Event& event);

} // namespace tioc::conformance
