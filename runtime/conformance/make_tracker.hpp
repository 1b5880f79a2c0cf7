#pragma once

#include "runtime/conformance/step_tracker.hpp"

#include <variant>

namespace tioc::conformance {

struct TrackOptions {
  TrackLimits limits;
  solver::Options solver;
  std::string purpose;    ///< its name; empty: none
  bool product = false;   ///< the system is itself the product with a purpose: its own locations bear the marks
  ir::Rational tolerance; ///< of measured times, in time units
};

/// A tracker for the system of an instantiated model (`ir::instantiate`) that fits its kind of automata, or why there
/// is none. The tracker has a copy of the model.
using MadeTracker = std::variant<std::unique_ptr<Tracker>, semantics::Problem>;
MadeTracker makeTracker(const ir::Model& model, const TrackOptions& options = {});

} // namespace tioc::conformance
