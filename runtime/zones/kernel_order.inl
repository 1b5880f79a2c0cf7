// Inclusion and relation. Part of kernel.inl.

namespace tioc::zones::TIOC_KERNEL {

namespace {

/// Vectors compared between two looks at the result.
constexpr size_t stride = 8;

/// Whether some entry of `a` is larger than that of `b`.
template <Dim fixed>
TIOC_INLINE bool exceeds(const int32_t* a, const int32_t* b, Dim runtimeDim) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? flatWidthFor(fixed) : 8;
  using V = Vector<width>;
  const size_t count = size_t{dim} * dim;
  const auto compare = [&](size_t at, V& larger) TIOC_LAMBDA {
    V mine;
    V theirs;
    load<width>(a + at, mine);
    load<width>(b + at, theirs);
    larger |= mine > theirs;
  };
  size_t at = 0;
  // Inclusion mostly fails early if it fails: look once before the long stride begins.
  if (dim >= 8) {
    V larger{};
    compare(0, larger);
    compare(width, larger);
    if (any<width>(larger))
      return true;
    at = 2 * width;
  }
  for (; at + stride * width <= count; at += stride * width) {
    V larger{};
    for (size_t v = 0; v < stride; ++v)
      compare(at + v * width, larger);
    if (any<width>(larger))
      return true;
  }
  if (at == count)
    return false;
  V larger{};
  for (; at + width <= count; at += width)
    compare(at, larger);
  compare(count - width, larger);
  return any<width>(larger);
}

} // namespace

bool isSubset(const Bound* a, const Bound* b, Dim dim) {
  if (dim == 1)
    return true;
  return withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { return !exceeds<fixed>(codes(a), codes(b), dim); });
}

Relation relation(const Bound* a, const Bound* b, Dim dim) {
  if (dim == 1)
    return Relation::Equal;
  return withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA {
    const bool subset = !exceeds<fixed>(codes(a), codes(b), dim);
    const bool superset = !exceeds<fixed>(codes(b), codes(a), dim);
    if (subset)
      return superset ? Relation::Equal : Relation::Subset;
    return superset ? Relation::Superset : Relation::Different;
  });
}

} // namespace tioc::zones::TIOC_KERNEL
