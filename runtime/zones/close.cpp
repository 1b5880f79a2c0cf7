#include "runtime/zones/dbm.hpp"
#include "runtime/zones/simd.hpp"
#include "runtime/zones/wide.hpp"

namespace tioc::zones::dbm {

namespace {

/// Floyd–Warshall over the given pivots; false if the zone is empty. Preconditions: no sum along a path leaves the
/// range, the diagonal is `<= 0`. Entries without bound come out as `sunkInfinity` or above.
template <Dim fixed, class Pivots>
TIOC_INLINE bool closeOver(int32_t* zone, Dim runtimeDim, Pivots pivots) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  for (Dim p = 0; p < pivots.count; ++p) {
    const Dim k = pivots[p];
    const int32_t* const pivot = zone + size_t{k} * dim;
    // A negative cycle shows here when its last clock becomes the pivot, before any sum along it is used.
    if (pivot[k] < Bound::zero().raw)
      return false;
    simd::relaxRows<fixed>(zone, dim, pivot, k, simd::AllRows{dim});
  }
  return true;
}

template <Dim fixed>
TIOC_INLINE Outcome closeAll(Bound* zone, Dim runtimeDim) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  int32_t* const raw = simd::codes(zone);
  for (Dim j = 0; j < dim; ++j) {
    if (raw[j] > Bound::zero().raw)
      raw[j] = Bound::zero().raw;
    if (raw[size_t{j} * dim + j] > Bound::zero().raw)
      raw[size_t{j} * dim + j] = Bound::zero().raw;
  }
  if (simd::needsWideSums<fixed>(raw, dim)) [[unlikely]]
    return wide::close(zone, dim);
  if (!closeOver<fixed>(raw, dim, simd::AllRows{dim})) {
    setEmpty(zone);
    return Outcome::Empty;
  }
  simd::restoreInfinity<fixed != 0 ? simd::flatWidthFor(fixed) : 8>(raw, size(dim));
  return Outcome::NonEmpty;
}

/// Takes the smaller entries and lists the clocks at either end of an entry that became smaller.
template <Dim fixed>
TIOC_INLINE Dim meet(int32_t* zone, const int32_t* other, Dim runtimeDim, int32_t* columns, Clock* pivots) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? simd::widthFor(fixed) : 8;
  for (Dim j = 0; j < dim; ++j)
    columns[j] = 0;
  for (Dim i = 0; i < dim; ++i) {
    int32_t* const row = zone + size_t{i} * dim;
    const int32_t* const otherRow = other + size_t{i} * dim;
    simd::Vector<width> changed{};
    simd::forVectors<width>(dim, [&](size_t at) TIOC_LAMBDA {
      simd::Vector<width> mine;
      simd::Vector<width> theirs;
      simd::Vector<width> column;
      simd::load<width>(row + at, mine);
      simd::load<width>(otherRow + at, theirs);
      simd::load<width>(columns + at, column);
      const simd::Vector<width> less = theirs < mine;
      changed |= less;
      simd::store<width>(columns + at, column | less);
      simd::store<width>(row + at, less ? theirs : mine);
    });
    pivots[i] = simd::any<width>(changed) ? 1 : 0;
  }
  Dim count = 0;
  for (Dim i = 0; i < dim; ++i) {
    const bool touched = pivots[i] != 0 || columns[i] != 0;
    pivots[count] = i;
    count += touched ? 1 : 0;
  }
  return count;
}

template <Dim fixed>
TIOC_INLINE Outcome intersectAll(Bound* zone, const Bound* other, Dim runtimeDim) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  int32_t* const raw = simd::codes(zone);
  int32_t columns[fixed != 0 ? fixed : maxDim];
  Clock pivots[fixed != 0 ? fixed : maxDim];
  if (haveDisjointRanges(zone, other, dim)) {
    setEmpty(zone);
    return Outcome::Empty;
  }
  const Dim count = meet<fixed>(raw, simd::codes(other), dim, columns, pivots);
  if (count == 0)
    return Outcome::NonEmpty;
  if (simd::needsWideSums<fixed>(raw, dim)) [[unlikely]]
    return wide::close(zone, dim);
  // The zone was canonical: a shortest path changes direction only at the ends of the new entries.
  if (!closeOver<fixed>(raw, dim, simd::ListedRows<Clock>{pivots, count})) {
    setEmpty(zone);
    return Outcome::Empty;
  }
  simd::restoreInfinity<fixed != 0 ? simd::flatWidthFor(fixed) : 8>(raw, size(dim));
  return Outcome::NonEmpty;
}

} // namespace

TIOC_MULTIVERSION Outcome close(Bound* zone, Dim dim) {
  if (dim == 1) {
    const bool empty = isEmpty(zone);
    *zone = empty ? Bound::below(0) : Bound::zero();
    return empty ? Outcome::Empty : Outcome::NonEmpty;
  }
  return simd::withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { return closeAll<fixed>(zone, dim); });
}

TIOC_MULTIVERSION Outcome intersect(Bound* zone, const Bound* other, Dim dim) {
  if (dim == 1)
    return Outcome::NonEmpty;
  return simd::withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { return intersectAll<fixed>(zone, other, dim); });
}

} // namespace tioc::zones::dbm
