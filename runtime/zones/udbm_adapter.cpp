// UDBM behind dbm.hpp, in place of our kernel, where CMake finds it. The two agree on the code of a bound, and
// bound.hpp takes UDBM's infinity in this build, so zones are passed as they are. UDBM does not look at overflow: what
// might leave the range is found here first and goes the exact way.

#include "runtime/zones/dbm.hpp"
#include "runtime/zones/wide.hpp"

#include <dbm/dbm.h>

#include <algorithm>
#include <bit>
#include <vector>

namespace tioc::zones::dbm {

static_assert(infinityRaw == dbm_LS_INFINITY);
static_assert(sizeof(Bound) == sizeof(raw_t));

namespace {

raw_t* raw(Bound* zone) {
  return reinterpret_cast<raw_t*>(zone);
}
const raw_t* raw(const Bound* zone) {
  return reinterpret_cast<const raw_t*>(zone);
}

/// Whether a sum along a path through the matrix may be out of range.
bool needsWideSums(const Bound* zone, Dim dim) {
  uint32_t bits = 0;
  for (size_t at = 0; at < size(dim); ++at)
    if (!zone[at].isInfinite())
      bits |= static_cast<uint32_t>(zone[at].raw ^ (zone[at].raw >> 31));
  return (bits >> (28 - std::bit_width(dim - 1))) != 0;
}

Outcome outcome(Bound* zone, bool nonEmpty) {
  if (nonEmpty)
    return Outcome::NonEmpty;
  setEmpty(zone);
  return Outcome::Empty;
}

/// Extrapolates by `run` where the closure that it ends with stays in range. Where it may not, UDBM's dropping of
/// bounds cannot be had without its closure, so the entries are dropped here.
template <class Run>
Outcome extrapolate(Bound* zone, Dim dim, const ClockBounds::Codes& codes, bool plus, Run run) {
  if (!needsWideSums(zone, dim)) {
    run();
    return Outcome::NonEmpty;
  }
  const std::vector<Bound> first(zone, zone + dim);
  for (Dim i = 0; i < dim; ++i) {
    for (Dim j = 0; j < dim; ++j) {
      int32_t& entry = zone[size_t{i} * dim + j].raw;
      if (i == j)
        continue;
      const int32_t lower = plus ? first[j].raw : entry;
      const bool freed = plus && i != 0 && (first[i].raw < codes.negateKeep[i] || lower < codes.negateUpper[j]);
      if (entry > codes.keep[i] || freed)
        entry = infinityRaw;
      else if (lower < codes.negateUpper[j])
        entry = i == 0 ? codes.weakened[j] : codes.weakenedRow[j];
    }
  }
  return wide::close(zone, dim);
}

/// UDBM's mark for "never compared".
std::vector<int32_t> constants(const int32_t* values, Dim dim) {
  std::vector<int32_t> result(values, values + dim);
  std::ranges::replace(result, noBound, -dbm_INFINITY);
  return result;
}

} // namespace

Outcome close(Bound* zone, Dim dim) {
  for (Dim x = 0; x < dim; ++x) {
    zone[x] = std::min(zone[x], Bound::zero());
    zone[size_t{x} * dim + x] = std::min(zone[size_t{x} * dim + x], Bound::zero());
  }
  for (Dim x = 0; x < dim; ++x)
    if (zone[size_t{x} * dim + x] < Bound::zero())
      return outcome(zone, false);
  if (dim == 1)
    return Outcome::NonEmpty;
  if (needsWideSums(zone, dim))
    return wide::close(zone, dim);
  return outcome(zone, dbm_close(raw(zone), dim));
}

Outcome constrain(Bound* zone, Dim dim, Constraint constraint) {
  const auto [left, right, bound] = constraint;
  if (zone[size_t{left} * dim + right] <= bound)
    return Outcome::NonEmpty;
  if (!allows(zone, dim, constraint))
    return outcome(zone, false);
  const int32_t magnitude = bound.raw ^ (bound.raw >> 31);
  if ((magnitude >> 25) != 0 || needsWideSums(zone, dim))
    return wide::tighten(zone, dim, constraint);
  return outcome(zone, dbm_constrain1(raw(zone), dim, left, right, bound.raw));
}

void down(Bound* zone, Dim dim) {
  dbm_down(raw(zone), dim);
}

void reset(Bound* zone, Dim dim, Clock x, int32_t value) {
  dbm_updateValue(raw(zone), dim, x, value);
}

void copyClock(Bound* zone, Dim dim, Clock x, Clock y) {
  if (y == 0)
    dbm_updateValue(raw(zone), dim, x, 0);
  else if (x != y)
    dbm_updateClock(raw(zone), dim, x, y);
}

void free(Bound* zone, Dim dim, Clock x) {
  dbm_freeClock(raw(zone), dim, x);
}

Outcome intersect(Bound* zone, const Bound* other, Dim dim) {
  if (dim == 1)
    return Outcome::NonEmpty;
  if (needsWideSums(zone, dim) || needsWideSums(other, dim)) {
    std::transform(zone, zone + size(dim), other, zone, [](Bound a, Bound b) { return std::min(a, b); });
    return wide::close(zone, dim);
  }
  return outcome(zone, dbm_intersection(raw(zone), raw(other), dim));
}

bool isSubset(const Bound* a, const Bound* b, Dim dim) {
  return dbm_isSubsetEq(raw(a), raw(b), dim);
}

Relation relation(const Bound* a, const Bound* b, Dim dim) {
  switch (dbm_relation(raw(a), raw(b), dim)) {
  case base_EQUAL:
    return Relation::Equal;
  case base_SUBSET:
    return Relation::Subset;
  case base_SUPERSET:
    return Relation::Superset;
  default:
    return Relation::Different;
  }
}

Outcome extraM(Bound* zone, Dim dim, const ClockBounds& bounds) {
  return extrapolate(zone, dim, bounds.m(), false,
                     [&] { dbm_extrapolateMaxBounds(raw(zone), dim, constants(bounds.larger(), dim).data()); });
}

Outcome extraMPlus(Bound* zone, Dim dim, const ClockBounds& bounds) {
  return extrapolate(zone, dim, bounds.m(), true,
                     [&] { dbm_diagonalExtrapolateMaxBounds(raw(zone), dim, constants(bounds.larger(), dim).data()); });
}

Outcome extraLU(Bound* zone, Dim dim, const ClockBounds& bounds) {
  return extrapolate(zone, dim, bounds.lu(), false, [&] {
    dbm_extrapolateLUBounds(raw(zone), dim, constants(bounds.lower(), dim).data(),
                            constants(bounds.upper(), dim).data());
  });
}

Outcome extraLUPlus(Bound* zone, Dim dim, const ClockBounds& bounds) {
  return extrapolate(zone, dim, bounds.lu(), true, [&] {
    dbm_diagonalExtrapolateLUBounds(raw(zone), dim, constants(bounds.lower(), dim).data(),
                                    constants(bounds.upper(), dim).data());
  });
}

} // namespace tioc::zones::dbm
