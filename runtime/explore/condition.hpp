#pragma once

#include "runtime/explore/reach.hpp"

namespace tioc::explore {

/// What is looked for, in the terms of the model: for every component that `locations` mention, one of its locations is
/// occupied, and the guard holds.
struct Condition {
  std::vector<ir::LocationId> locations;
  ir::Guard guard;
};

/// The condition as the zone graph wants it. Nothing where a bound is no constant, or too large for zones.
std::optional<Target> targetOf(const Condition& condition, const semantics::Network& network);

/// A run with what holds along it, to be shown.
struct RunState {
  std::vector<ir::LocationId> at;
  std::vector<eval::Slot> variables;
  std::vector<ir::Rational> clocks; ///< by network clock
};

/// The states of a run: at the start, behind every step, and at the end behind the last delay. Checked step by step
/// against the definitions on the way; `complaint` says what is wrong, if anything, and then the states do not count.
struct Replay {
  std::vector<RunState> states;
  std::optional<std::string> complaint;
};
Replay replay(const ir::Model& model, const TimedRun& run);

/// Whether the condition holds in the state.
bool holds(const Condition& condition, const semantics::Network& network, const eval::Layout& layout,
           const RunState& state);

} // namespace tioc::explore
