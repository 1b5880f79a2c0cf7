// Waiting backwards, and the copy of a clock. Part of kernel.inl.

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

} // namespace

void copyClock(Bound* zone, Dim dim, Clock x, Clock y) {
  if (x != y)
    withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { copyTo<fixed>(zone, dim, x, y); });
}

} // namespace tioc::zones::TIOC_KERNEL
