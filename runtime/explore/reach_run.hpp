#pragma once

#include "runtime/explore/reach.hpp"

namespace tioc::explore {

/// Where a run along a path is to end: at some point of one of `zones` over all clocks (any if empty) that satisfies
/// `clocks`.
struct RunGoal {
  std::vector<zones::Constraint> clocks;
  std::vector<std::vector<zones::Bound>> zones;
};

struct RunResult {
  std::optional<TimedRun> run;
  std::optional<semantics::Problem> problem; ///< why there is none
};

/// A concrete run along the path, with exact delays, each as small as the rest of the path allows. Forward along the
/// path with exact zones, backward to the points from which the rest can be done, forward again with numbers.
RunResult concreteRun(const ir::Model& model, const Path& path, const RunGoal& goal);

/// Checks a run step by step against the definitions of the step relation and of time progress, with exact rationals.
/// Knows nothing of zones. Returns what is wrong, if anything.
std::optional<std::string> validateRun(const ir::Model& model, const TimedRun& run);

} // namespace tioc::explore
