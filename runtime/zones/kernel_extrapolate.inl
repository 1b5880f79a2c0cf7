// The extrapolations. Part of kernel.inl.

namespace tioc::zones::TIOC_KERNEL {

namespace {

/// What is left to close after bounds were dropped from a canonical zone: only rows that lost a bound can have entries
/// that are not the tightest, and only clocks with finite bounds both ways can lie on a path.
template <Dim fixed>
struct Reclosure {
  Clock rows[fixed != 0 ? fixed : maxDim];
  Clock pivots[fixed != 0 ? fixed : maxDim];
  Dim rowCount = 0;
  Dim pivotCount = 0;

  TIOC_INLINE void addRow(Clock i, bool when) {
    rows[rowCount] = i;
    rowCount += when ? 1 : 0;
  }
  TIOC_INLINE void addPivot(Clock k, bool when) {
    pivots[pivotCount] = k;
    pivotCount += when ? 1 : 0;
  }

  /// `wideSums`: some path may have a sum that is not storable.
  TIOC_INLINE Outcome run(Bound* zone, Dim runtimeDim, bool wideSums) const {
    const Dim dim = fixed != 0 ? fixed : runtimeDim;
    if (rowCount == 0)
      return Outcome::NonEmpty;
    if (wideSums) [[unlikely]]
      return wide::close(zone, dim);
    int32_t* const raw = codes(zone);
    for (Dim p = 0; p < pivotCount; ++p) {
      const Clock k = pivots[p];
      relaxRows<fixed>(raw, dim, raw + size_t{k} * dim, k, ListedRows<Clock>{rows, rowCount});
    }
    for (Dim r = 0; r < rowCount; ++r)
      restoreInfinity<fixed != 0 ? widthFor(fixed) : 8>(raw + size_t{rows[r]} * dim, dim);
    return Outcome::NonEmpty;
  }
};

/// Extra_LU and Extra_M: d(i,j) > L_i is dropped, -d(i,j) > U_j is weakened to U_j.
template <Dim fixed>
TIOC_INLINE Outcome extrapolate(Bound* zone, Dim runtimeDim, const ClockBounds::Codes& limits) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? widthFor(fixed) : 8;
  using V = Vector<width>;
  int32_t* const raw = codes(zone);
  V infinite;
  fill<width>(infinityRaw, infinite);
  V bits{};
  Reclosure<fixed> reclosure;
  for (Dim i = 0; i < dim; ++i) {
    int32_t* const row = raw + size_t{i} * dim;
    const int32_t keep = limits.keep[i];
    const int32_t* const weakened = i == 0 ? limits.weakened.data() : limits.weakenedRow.data();
    V lost{};
    forVectors<width>(dim, [&](size_t at) TIOC_LAMBDA {
      V entries;
      V limit;
      V weak;
      load<width>(row + at, entries);
      load<width>(limits.negateUpper.data() + at, limit);
      load<width>(weakened + at, weak);
      V result = entries < limit ? weak : entries;
      result = entries > keep ? infinite : result;
      lost |= result ^ entries;
      addMagnitude<width>(result, bits);
      store<width>(row + at, result);
    });
    row[i] = Bound::zero().raw;
    reclosure.addRow(i, any<width>(lost));
    reclosure.addPivot(i, true);
  }
  return reclosure.run(zone, dim, any<width>(bits >> safeBits(dim)));
}

/// Extra_LU+ and Extra_M+: besides d(i,j) > L_i, all bounds of x_i from above go where x_i > L_i everywhere, and all
/// bounds of x_j from below where x_j > U_j everywhere, except x_j > U_j itself.
template <Dim fixed>
TIOC_INLINE Outcome extrapolatePlus(Bound* zone, Dim runtimeDim, const ClockBounds::Codes& limits) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? widthFor(fixed) : 8;
  using V = Vector<width>;
  int32_t* const raw = codes(zone);
  V infinite;
  fill<width>(infinityRaw, infinite);
  V bits{};

  int32_t above[fixed != 0 ? fixed : maxDim]; // infinity where x_j > U_j everywhere, else below every code
  int32_t keeps[fixed != 0 ? fixed : maxDim]; // as limits.keep, but below every code where x_i > L_i everywhere
  V none;
  fill<width>(INT32_MIN, none);
  forVectors<width>(dim, [&](size_t at) TIOC_LAMBDA {
    V first;
    V upper;
    V lower;
    V keep;
    load<width>(raw + at, first);
    load<width>(limits.negateUpper.data() + at, upper);
    load<width>(limits.negateKeep.data() + at, lower);
    load<width>(limits.keep.data() + at, keep);
    store<width>(above + at, first < upper ? infinite : none);
    store<width>(keeps + at, first < lower ? none : keep);
  });

  Reclosure<fixed> reclosure;
  reclosure.addPivot(0, true);
  for (Dim i = 1; i < dim; ++i) {
    int32_t* const row = raw + size_t{i} * dim;
    const int32_t keep = keeps[i];
    V lost{};
    forVectors<width>(dim, [&](size_t at) TIOC_LAMBDA {
      V entries;
      V dropped;
      load<width>(row + at, entries);
      load<width>(above + at, dropped);
      V result = entries > dropped ? entries : dropped;
      result = entries > keep ? infinite : result;
      lost |= result ^ entries;
      addMagnitude<width>(result, bits);
      store<width>(row + at, result);
    });
    row[i] = Bound::zero().raw;
    // A row without any bound stays so: every path from i starts with an entry of it.
    const bool bounded = keep != INT32_MIN;
    reclosure.addRow(i, bounded && any<width>(lost));
    reclosure.addPivot(i, bounded && above[i] == INT32_MIN);
  }
  forVectors<width>(dim, [&](size_t at) TIOC_LAMBDA {
    V first;
    V dropped;
    V weak;
    load<width>(raw + at, first);
    load<width>(above + at, dropped);
    load<width>(limits.weakened.data() + at, weak);
    first = dropped == infinityRaw ? weak : first;
    addMagnitude<width>(first, bits);
    store<width>(raw + at, first);
  });
  return reclosure.run(zone, dim, any<width>(bits >> safeBits(dim)));
}

} // namespace

Outcome extraM(Bound* zone, Dim dim, const ClockBounds& bounds) {
  if (dim == 1)
    return Outcome::NonEmpty;
  return withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { return extrapolate<fixed>(zone, dim, bounds.m()); });
}

Outcome extraLU(Bound* zone, Dim dim, const ClockBounds& bounds) {
  if (dim == 1)
    return Outcome::NonEmpty;
  return withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { return extrapolate<fixed>(zone, dim, bounds.lu()); });
}

Outcome extraMPlus(Bound* zone, Dim dim, const ClockBounds& bounds) {
  if (dim == 1)
    return Outcome::NonEmpty;
  return withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { return extrapolatePlus<fixed>(zone, dim, bounds.m()); });
}

Outcome extraLUPlus(Bound* zone, Dim dim, const ClockBounds& bounds) {
  if (dim == 1)
    return Outcome::NonEmpty;
  return withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { return extrapolatePlus<fixed>(zone, dim, bounds.lu()); });
}

} // namespace tioc::zones::TIOC_KERNEL
