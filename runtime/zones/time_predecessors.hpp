#pragma once

#include "runtime/zones/time_progress.hpp"

namespace tioc::zones {

/// The points from which waiting under the limits leads into `target`.
Federation timePredecessors(const Federation& target, std::span<const Limit> limits);

} // namespace tioc::zones
