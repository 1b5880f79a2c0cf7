// One constraint, incrementally. Part of kernel.inl.

namespace tioc::zones::TIOC_KERNEL {

namespace {

/// Entries of the pivot row without bound are raised by this, so that adding any finite first step does not sink them.
constexpr int32_t raisedInfinity = infinityRaw + maxRaw;

/// Sums of two bounds of at most this many bits and a sign are storable.
constexpr int plainBits = 27;

/// `bound` plus each entry of `from`, infinite entries raised. Returns whether a sum has more than `plainBits`.
template <Dim fixed>
TIOC_INLINE bool extendRow(const int32_t* from, int32_t bound, Dim runtimeDim, int32_t* to) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? widthFor(fixed) : 8;
  using V = Vector<width>;
  V bits{};
  V raised;
  fill<width>(raisedInfinity, raised);
  forVectors<width>(dim, [&](size_t at) TIOC_LAMBDA {
    V entries;
    load<width>(from + at, entries);
    const V infinite = entries == infinityRaw;
    const V sum = (entries & (bound | ~1)) + (bound & ~1);
    bits |= (sum ^ (sum >> 31)) & ~infinite;
    store<width>(to + at, infinite ? raised : sum);
  });
  return any<width>(bits >> plainBits);
}

/// The sums of a constrain have three terms: none wraps or reaches infinity, so an entry that is not storable can be
/// told afterwards.
Outcome checkRange(const Bound* zone, Dim dim) {
  for (size_t at = 0; at < dbm::size(dim); ++at)
    if (!isStorable(zone[at]))
      return Outcome::OutOfRange;
  return Outcome::NonEmpty;
}

/// For short rows: all of them, without a branch.
template <Dim dim>
TIOC_INLINE Outcome tightenSmall(Bound* zone, Constraint constraint) {
  constexpr int width = widthFor(dim);
  constexpr int chunks = static_cast<int>((dim + width - 1) / width);
  using V = Vector<width>;
  int32_t* const raw = codes(zone);
  const int32_t bound = constraint.bound.raw;
  alignas(32) int32_t pivot[dim];
  const bool wide = extendRow<dim>(raw + constraint.right * dim, bound, dim, pivot);
  V bits{};
  V through[chunks];
  const auto place = [](int c) TIOC_LAMBDA { return c == chunks - 1 ? static_cast<int>(dim) - width : c * width; };
#pragma GCC unroll 8
  for (int c = 0; c < chunks; ++c)
    load<width>(pivot + place(c), through[c]);
#pragma GCC unroll 8
  for (Dim i = 0; i < dim; ++i) {
    int32_t* const row = raw + i * dim;
    V first;
    fill<width>(row[constraint.left], first);
    // Rows that do not get smaller are not changed by relaxing them; only those that do not reach `left` must be left
    // out.
    const V reaches = first != infinityRaw;
    const V finite = first & reaches;
    bits |= finite < 0 ? -finite : finite;
    V entries[chunks];
#pragma GCC unroll 8
    for (int c = 0; c < chunks; ++c)
      load<width>(row + place(c), entries[c]);
#pragma GCC unroll 8
    for (int c = 0; c < chunks; ++c) {
      V relaxed = entries[c];
      relax<width>(relaxed, through[c], finite);
      store<width>(row + place(c), reaches ? relaxed : entries[c]);
    }
  }
  if (wide || any<width>(bits >> plainBits)) [[unlikely]]
    return checkRange(zone, dim);
  return Outcome::NonEmpty;
}

/// Lists the rows that get smaller, then relaxes those. An entry (i, j) gets smaller only if (i, right) does: the zone
/// is canonical.
template <Dim fixed>
TIOC_INLINE Outcome tighten(Bound* zone, Dim runtimeDim, Constraint constraint) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  int32_t* const raw = codes(zone);
  const int32_t bound = constraint.bound.raw;
  const int32_t even = bound & ~1;
  const int32_t strictness = bound | ~1;
  alignas(32) int32_t pivot[fixed != 0 ? fixed : maxDim];
  const bool wide = extendRow<fixed>(raw + size_t{constraint.right} * dim, bound, dim, pivot);

  uint16_t rows[fixed != 0 ? fixed : maxDim];
  Dim count = 0;
  int32_t bits = 0;
  const int32_t* toLeft = raw + constraint.left;
  const int32_t* toRight = raw + constraint.right;
  for (Dim i = 0; i < dim; ++i, toLeft += dim, toRight += dim) {
    const int32_t first = *toLeft;
    const bool smaller = even + (first & strictness) < *toRight && first != infinityRaw;
    rows[count] = static_cast<uint16_t>(i);
    count += smaller ? 1 : 0;
    bits |= smaller ? first ^ (first >> 31) : 0;
  }
  relaxRows<fixed>(raw, dim, pivot, constraint.left, ListedRows<uint16_t>{rows, count});
  if (wide || (bits >> plainBits) != 0) [[unlikely]]
    return checkRange(zone, dim);
  return Outcome::NonEmpty;
}

template <Dim fixed>
TIOC_INLINE Outcome tightenAny(Bound* zone, Dim dim, Constraint constraint) {
  if constexpr (fixed != 0 && fixed <= 16)
    return tightenSmall<fixed>(zone, constraint);
  else
    return tighten<fixed>(zone, dim, constraint);
}

} // namespace

Outcome constrain(Bound* zone, Dim dim, Constraint constraint) {
  const Bound current = zone[size_t{constraint.left} * dim + constraint.right];
  if (current <= constraint.bound)
    return Outcome::NonEmpty;
  if (!dbm::allows(zone, dim, constraint)) {
    dbm::setEmpty(zone);
    return Outcome::Empty;
  }
  return withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { return tightenAny<fixed>(zone, dim, constraint); });
}

} // namespace tioc::zones::TIOC_KERNEL
