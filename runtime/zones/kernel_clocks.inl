// Waiting backwards, and what writes one row and one column. None of it adds two stored bounds other than one of a
// clock and 0, so none can leave the range. Part of kernel.inl.

namespace tioc::zones::TIOC_KERNEL {

namespace {

template <Dim fixed>
TIOC_INLINE void lowerFirstRow(int32_t* zone, Dim runtimeDim) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? widthFor(fixed) : 8;
  Vector<width> rest{};
  const auto leastFrom = [&](size_t at, Vector<width>& least) TIOC_LAMBDA {
    fill<width>(Bound::zero().raw, least);
    for (Dim i = 1; i < dim; ++i) {
      Vector<width> entries;
      load<width>(zone + size_t{i} * dim + at, entries);
      least = entries < least ? entries : least;
    }
  };
  if (dim % width != 0)
    leastFrom(dim - width, rest);
  for (Dim at = 0; at + width <= dim; at += width) {
    Vector<width> least;
    leastFrom(at, least);
    store<width>(zone + at, least);
  }
  if (dim % width != 0)
    store<width>(zone + dim - width, rest);
}

} // namespace

void down(Bound* zone, Dim dim) {
  if (dim == 1)
    return;
  if (dim < 8)
    return withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { lowerFirstRow<fixed>(codes(zone), dim); });
  lowerFirstRow<0>(codes(zone), dim);
}

namespace {

template <Dim fixed>
TIOC_INLINE void copyTo(Bound* zone, Dim runtimeDim, Clock x, Clock y) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  std::copy_n(zone + size_t{y} * dim, dim, zone + size_t{x} * dim);
  Bound* to = zone;
#pragma GCC unroll 8
  for (Dim i = 0; i < dim; ++i, to += dim)
    to[x] = to[y];
}

template <Dim fixed>
TIOC_INLINE void resetTo(Bound* zone, Dim runtimeDim, Clock x, int32_t value) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  const int32_t shift = value * 2;
  Bound* const row = zone + size_t{x} * dim;
#pragma GCC ivdep
  for (Dim j = 0; j < dim; ++j)
    row[j].raw = zone[j].raw + shift;
  Bound* to = zone;
#pragma GCC unroll 8
  for (Dim i = 0; i < dim; ++i, to += dim) {
    const int32_t upper = to->raw;
    to[x].raw = upper == infinityRaw ? infinityRaw : upper - shift;
  }
  row[x] = Bound::zero();
}

template <Dim fixed>
TIOC_INLINE void freeClock(Bound* zone, Dim runtimeDim, Clock x) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  Bound* const row = zone + size_t{x} * dim;
  std::fill_n(row, dim, Bound::infinity());
  Bound* to = zone;
#pragma GCC unroll 8
  for (Dim i = 0; i < dim; ++i, to += dim)
    to[x] = *to;
  row[x] = Bound::zero();
}

} // namespace

void copyClock(Bound* zone, Dim dim, Clock x, Clock y) {
  if (x != y)
    withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { copyTo<fixed>(zone, dim, x, y); });
}

void reset(Bound* zone, Dim dim, Clock x, int32_t value) {
  withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { resetTo<fixed>(zone, dim, x, value); });
}

void free(Bound* zone, Dim dim, Clock x) {
  withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { freeClock<fixed>(zone, dim, x); });
}

} // namespace tioc::zones::TIOC_KERNEL
