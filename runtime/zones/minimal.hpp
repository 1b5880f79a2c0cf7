#pragma once

#include "runtime/zones/dbm.hpp"

#include <span>

namespace tioc::zones {

/// A constraint in 8 bytes.
struct PackedConstraint {
  uint16_t left;
  uint16_t right;
  Bound bound;

  friend bool operator==(const PackedConstraint&, const PackedConstraint&) = default;
};

/// The zone by a smallest set of constraints that, together with "no clock is negative", has the same solutions
/// (Larsen, Larsson, Pettersson and Yi 1997): clocks at fixed distance form a cycle, and between these classes a bound
/// is kept if no path implies it. Writes at most dim * (dim - 1) constraints, in a fixed order, and returns their
/// number; O(n³).
size_t minimalForm(const Bound* zone, Dim dim, PackedConstraint* out);

/// The canonical zone of a minimal form; O(n³).
Outcome fromMinimalForm(std::span<const PackedConstraint> constraints, Bound* zone, Dim dim);

/// zone ⊆ the zone of the minimal form; O(number of constraints).
bool isSubset(const Bound* zone, Dim dim, std::span<const PackedConstraint> constraints);

} // namespace tioc::zones
