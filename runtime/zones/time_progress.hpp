#pragma once

#include "runtime/zones/federation.hpp"

#include <span>

namespace tioc::zones {

/// How an enabled edge limits waiting. (Lazy edges do not.)
enum class Urgency : uint8_t {
  Delayable, // time may not pass the last instant of the guard
  Eager,     // time may not pass the first instant of the guard
};

/// A data-enabled edge that limits waiting, with its clock guard.
struct BindingEdge {
  Urgency urgency;
  Zone guard;
};

/// The points reachable from `from` by waiting under the edges: a delay d is impossible if a delayable guard is true at
/// some d1 and false at some d2 with 0 <= d1 < d2 <= d, or an eager guard is true at some d1 with 0 <= d1 < d. Exact;
/// invariants are the caller's to intersect.
Federation timeProgress(const Federation& from, std::span<const BindingEdge> edges);

} // namespace tioc::zones
