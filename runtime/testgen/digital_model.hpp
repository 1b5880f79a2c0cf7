#pragma once

#include "ir/model.hpp"
#include "runtime/semantics/problem.hpp"

#include <optional>
#include <vector>

namespace tioc::testgen {

/// A specification beside the clock that its tester looks at (D, section 5.2: the product with Tick). They share
/// nothing but time.
struct Sampled {
  ir::Model model; ///< one system, ready for zones
  ir::ChannelId tick;
  uint32_t components = 0; ///< of the specification; those of the clock stand behind them
  ir::ClockId since;       ///< no edge touches it: whoever resets it knows how much time has passed
};

/// Both are results of `ir::instantiate`. Nothing, and the reason in `problem`, if `clock` is no clock for it: its only
/// part of the interface must be one output without parameters, which the specification does not know; and it must
/// not touch shared variables and clocks. Committed locations are refused, because in a product they hold back the
/// ticks.
std::optional<Sampled> sample(const ir::Model& specification, const ir::Model& clock, semantics::Problem& problem);

/// When ticks 1 to `count` come in one legal run of the clock: each as near to the middle of its window as can be.
std::optional<std::vector<ir::Rational>> tickTimes(const ir::Model& clock, uint32_t count, semantics::Problem& problem);

} // namespace tioc::testgen
