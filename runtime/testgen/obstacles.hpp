#pragma once

#include "runtime/testgen/moments.hpp"
#include "runtime/testgen/search.hpp"

namespace tioc::testgen {

/// What stands in the way.
struct Obstacle {
  std::string text;
  ir::Span span; ///< of what cannot be met
};

/// Why no run that the search has seen brings the purpose to `accept`: the edge of the purpose that was never taken,
/// and what keeps the system from the action that it waits for, or the part of its guard that never holds.
Obstacle obstacleOf(semantics::Symbols& symbols, const semantics::Network& network, Moments& moments,
                    const Observer& observer, const Search& search, ir::AutomatonId purpose);

} // namespace tioc::testgen
