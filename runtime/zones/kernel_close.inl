// Canonical form and intersection. Part of kernel.inl.

namespace tioc::zones::TIOC_KERNEL {

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
    relaxRows<fixed>(zone, dim, pivot, k, AllRows{dim});
  }
  return true;
}

#ifdef TIOC_KERNEL_VECTORS
/// The same for all clocks of dimension 8, with the whole zone in registers: through memory, each pivot would wait for
/// the stores of the one before.
TIOC_INLINE bool closeEight(int32_t* zone) {
  using V = Vector<8>;
  V rows[8];
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i)
    load<8>(zone + 8 * i, rows[i]);
#pragma GCC unroll 8
  for (int k = 0; k < 8; ++k) {
    if (rows[k][k] < Bound::zero().raw)
      return false;
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i)
      if (i != k)
        relax<8>(rows[i], rows[k], __builtin_shuffle(rows[i], V{k, k, k, k, k, k, k, k}));
  }
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i)
    store<8>(zone + 8 * i, rows[i]);
  return true;
}
#endif

template <Dim fixed>
TIOC_INLINE bool closeOverAll(int32_t* zone, Dim dim) {
#ifdef TIOC_KERNEL_VECTORS
  if constexpr (fixed == 8)
    return closeEight(zone);
#endif
  return closeOver<fixed>(zone, dim, AllRows{dim});
}

template <Dim fixed>
TIOC_INLINE Outcome closeAll(Bound* zone, Dim runtimeDim) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  int32_t* const raw = codes(zone);
  for (Dim j = 0; j < dim; ++j) {
    if (raw[j] > Bound::zero().raw)
      raw[j] = Bound::zero().raw;
    if (raw[size_t{j} * dim + j] > Bound::zero().raw)
      raw[size_t{j} * dim + j] = Bound::zero().raw;
  }
  if (needsWideSums<fixed>(raw, dim)) [[unlikely]]
    return wide::close(zone, dim);
  if (!closeOverAll<fixed>(raw, dim)) {
    dbm::setEmpty(zone);
    return Outcome::Empty;
  }
  restoreInfinity<fixed != 0 ? flatWidthFor(fixed) : 8>(raw, dbm::size(dim));
  return Outcome::NonEmpty;
}

/// Takes the smaller entries and lists the clocks at either end of an entry that became smaller.
template <Dim fixed>
TIOC_INLINE Dim meet(int32_t* zone, const int32_t* other, Dim runtimeDim, int32_t* columns, Clock* pivots) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? widthFor(fixed) : 8;
  for (Dim j = 0; j < dim; ++j)
    columns[j] = 0;
  for (Dim i = 0; i < dim; ++i) {
    int32_t* const row = zone + size_t{i} * dim;
    const int32_t* const otherRow = other + size_t{i} * dim;
    Vector<width> changed{};
    forVectors<width>(dim, [&](size_t at) TIOC_LAMBDA {
      Vector<width> mine;
      Vector<width> theirs;
      Vector<width> column;
      load<width>(row + at, mine);
      load<width>(otherRow + at, theirs);
      load<width>(columns + at, column);
      const Vector<width> less = theirs < mine;
      changed |= less;
      store<width>(columns + at, column | less);
      store<width>(row + at, less ? theirs : mine);
    });
    pivots[i] = any<width>(changed) ? 1 : 0;
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
  int32_t* const raw = codes(zone);
  int32_t columns[fixed != 0 ? fixed : maxDim];
  Clock pivots[fixed != 0 ? fixed : maxDim];
  if (dbm::haveDisjointRanges(zone, other, dim)) {
    dbm::setEmpty(zone);
    return Outcome::Empty;
  }
  const Dim count = meet<fixed>(raw, codes(other), dim, columns, pivots);
  if (count == 0)
    return Outcome::NonEmpty;
  if (needsWideSums<fixed>(raw, dim)) [[unlikely]]
    return wide::close(zone, dim);
  // The zone was canonical: a shortest path changes direction only at the ends of the new entries.
  if (!closeOver<fixed>(raw, dim, ListedRows<Clock>{pivots, count})) {
    dbm::setEmpty(zone);
    return Outcome::Empty;
  }
  restoreInfinity<fixed != 0 ? flatWidthFor(fixed) : 8>(raw, dbm::size(dim));
  return Outcome::NonEmpty;
}

} // namespace

Outcome close(Bound* zone, Dim dim) {
  if (dim == 1) {
    const bool empty = dbm::isEmpty(zone);
    *zone = empty ? Bound::below(0) : Bound::zero();
    return empty ? Outcome::Empty : Outcome::NonEmpty;
  }
  return withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { return closeAll<fixed>(zone, dim); });
}

Outcome intersect(Bound* zone, const Bound* other, Dim dim) {
  if (dim == 1)
    return Outcome::NonEmpty;
  return withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { return intersectAll<fixed>(zone, other, dim); });
}

} // namespace tioc::zones::TIOC_KERNEL
