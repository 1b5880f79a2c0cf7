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

/// A limit of waiting in general: points of `stuck` cannot wait, other points of `bound` may wait within `within`,
/// which holds all of them, and the rest is free.
struct Limit {
  Federation stuck;
  Federation bound;
  Federation within;
};
/// Precondition: the guard is NonEmpty.
Limit limitOf(const BindingEdge& edge);

/// The points reachable from `from` by waiting under the edges: a delay d is impossible if a delayable guard is true at
/// some d1 and false at some d2 with 0 <= d1 < d2 <= d, or an eager guard is true at some d1 with 0 <= d1 < d. Exact;
/// invariants are the caller's to intersect.
Federation timeProgress(const Federation& from, std::span<const BindingEdge> edges);

/// The points reachable by waiting under the limits. The start set is split so that every part has one set of limits
/// that bind it, and the future of a part is cut to the intersection of these (semantics, section 3).
Federation timeProgress(const Federation& from, std::span<const Limit> limits);

} // namespace tioc::zones
