#pragma once

#include "ir/model.hpp"

#include <optional>
#include <vector>

namespace tioc::explore {

/// A model that shows loops of unstable states as a place that is reached: at any settling location it may take a
/// snapshot of outputs and clocks, goes on in a copy of the settling locations, and finds the loop where everything is
/// again as in the snapshot. Time does not pass meanwhile and no input comes, so that is a loop and nothing else is.
struct LoopWatch {
  ir::Model model;
  ir::LocationId found;
  std::vector<ir::EdgeId> originals; ///< by edge: what it is in the watched model; invalid for added steps
};

/// `model` is a result of `ir::signals`. Nothing where a look at pairs of edges tells that none can go on for ever.
std::optional<LoopWatch> watchLoops(const ir::Model& model);

} // namespace tioc::explore
