#pragma once

#include "runtime/zones/bound.hpp"
#include "runtime/zones/clock_bounds.hpp"

#include <cstddef>
#include <span>

namespace tioc::zones {

/// What an operation made of a zone. OutOfRange: a bound of the exact result is not storable; the zone then holds no
/// meaningful value.
enum class [[nodiscard]] Outcome : uint8_t{Empty, NonEmpty, OutOfRange};

enum class Relation : uint8_t { Different, Subset, Superset, Equal };

/// Zones as difference bound matrices: dim * dim bounds, row-major; entry (i, j) bounds x_i - x_j. The functions work
/// in place on the caller's memory and do not allocate (`close` and what rests on it do, only where constants are so
/// large that 32 bits cannot hold the intermediate sums).
///
/// "Canonical" means: non-empty, the diagonal is `<= 0`, every entry is the tightest, and every clock is at least 0.
/// Unless a contract says otherwise, operations require canonical zones of the same dimension and leave a canonical
/// zone when they return NonEmpty or nothing. An empty result leaves entry (0, 0) below `<= 0` and the rest
/// unspecified.
namespace dbm {

inline size_t size(Dim dim) {
  return static_cast<size_t>(dim) * dim;
}

/// All valuations. Canonical.
void setUniverse(Bound* zone, Dim dim);
/// All clocks are 0. Canonical.
void setZero(Bound* zone, Dim dim);
/// The mark that emptying operations leave.
inline void setEmpty(Bound* zone) {
  *zone = Bound::below(0);
}
inline bool isEmpty(const Bound* zone) {
  return zone->raw < Bound::zero().raw;
}

/// Makes any matrix of storable bounds canonical; O(n³). The diagonal and the lower bounds of clocks are tightened to
/// `<= 0` first.
Outcome close(Bound* zone, Dim dim);
/// Adds one constraint; O(n²). Precondition: left != right, the bound is storable.
Outcome constrain(Bound* zone, Dim dim, Constraint constraint);
/// Adds all constraints; O(n²) for each, at most one full closure.
Outcome constrain(Bound* zone, Dim dim, std::span<const Constraint> constraints);
/// Whether some point of the zone satisfies the constraint; O(1).
inline bool allows(const Bound* zone, Dim dim, Constraint constraint) {
  return add(zone[size_t{constraint.right} * dim + constraint.left], constraint.bound) >= Bound::zero();
}

/// Points reachable by waiting; O(n).
inline void up(Bound* zone, Dim dim) {
  Bound* upper = zone;
  for (Dim x = 1; x < dim; ++x)
    *(upper += dim) = Bound::infinity();
}
/// Points from which waiting leads into the zone; O(n²).
void down(Bound* zone, Dim dim);
/// x := value; O(n). Precondition: x != 0, 0 <= value <= maxValue. The result is always storable: no clock is negative.
void reset(Bound* zone, Dim dim, Clock x, int32_t value);
/// x := y; O(n). Precondition: x != 0.
void copyClock(Bound* zone, Dim dim, Clock x, Clock y);
/// x takes any value; O(n). Precondition: x != 0.
void free(Bound* zone, Dim dim, Clock x);

/// zone ∩ other; O(n²) plus O(n²) for each clock that `other` restricts further.
Outcome intersect(Bound* zone, const Bound* other, Dim dim);
/// Whether some clock's values in one zone are all larger than in the other; O(n).
inline bool haveDisjointRanges(const Bound* a, const Bound* b, Dim dim) {
  for (size_t x = 1; x < dim; ++x)
    if (add(a[x], b[x * dim]) < Bound::zero() || add(b[x], a[x * dim]) < Bound::zero())
      return true;
  return false;
}
/// Whether the intersection is certainly empty, by comparing opposite bounds only; O(n²).
bool areDisjoint(const Bound* a, const Bound* b, Dim dim);

/// a ⊆ b; O(n²). `b` need not be canonical.
bool isSubset(const Bound* a, const Bound* b, Dim dim);
Relation relation(const Bound* a, const Bound* b, Dim dim);
bool isEqual(const Bound* a, const Bound* b, Dim dim);
/// A function of the entries: equal for equal canonical zones, the same in every run.
uint64_t hash(const Bound* zone, Dim dim);

/// The extrapolations of Behrmann, Bouyer, Larsen and Pelánek (2006), made canonical. The M variants take the larger of
/// the two bounds of each clock. Only rows that lost a bound are closed again: O(n²) plus O(n²) for each of them.
Outcome extraM(Bound* zone, Dim dim, const ClockBounds& bounds);
Outcome extraMPlus(Bound* zone, Dim dim, const ClockBounds& bounds);
Outcome extraLU(Bound* zone, Dim dim, const ClockBounds& bounds);
Outcome extraLUPlus(Bound* zone, Dim dim, const ClockBounds& bounds);

/// a ⊆ aLU(b), decided on the matrices without computing the abstraction (Herbreteau, Srivathsan and Walukiewicz 2012,
/// theorem 1 there); O(n²).
inline bool isSubsetOfALU(const Bound* a, const Bound* b, Dim dim, const ClockBounds& bounds);
/// The same on bounds as ClockBounds::lower and ClockBounds::negatedUpper give them.
bool isSubsetOfALU(const Bound* a, const Bound* b, Dim dim, const int32_t* lower, const int32_t* negatedUpper);
inline bool isSubsetOfALU(const Bound* a, const Bound* b, Dim dim, const ClockBounds& bounds) {
  return isSubsetOfALU(a, b, dim, bounds.lower(), bounds.negatedUpper());
}

} // namespace dbm
} // namespace tioc::zones
