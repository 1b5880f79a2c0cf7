// The reduction behind the minimal form. Part of kernel.inl.

namespace tioc::zones::TIOC_KERNEL {

namespace {

/// Lists the bounds between classes that no path through a third class implies.
template <Dim fixed>
TIOC_INLINE size_t reduce(const int32_t* raw, Dim runtimeDim, const uint16_t* leader, const uint16_t* grounded,
                          PackedConstraint* out) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? widthFor(fixed) : 8;
  using V = Vector<width>;
  int32_t implied[fixed != 0 ? fixed : maxDim];
  size_t count = 0;
  for (Dim i = 0; i < dim; ++i) {
    if (leader[i] != i)
      continue;
    const int32_t* const row = raw + size_t{i} * dim;
    std::fill_n(implied, dim, 0);
    for (Dim k = 0; k < dim; ++k) {
      if (k == i || leader[k] != k || row[k] == infinityRaw)
        continue;
      const int32_t* const pivot = raw + size_t{k} * dim;
      const int32_t own = implied[k];
      V first;
      fill<width>(row[k], first);
      forVectors<width>(dim, [&](size_t at) TIOC_LAMBDA {
        V through;
        V direct;
        V mark;
        load<width>(pivot + at, through);
        load<width>(row + at, direct);
        load<width>(implied + at, mark);
        const V bounded = through != infinityRaw;
        const V sum = (through & bounded & (first | ~1)) + (first & ~1);
        store<width>(implied + at, mark | ((sum <= direct) & bounded));
      });
      implied[k] = own;
    }
    for (Dim j = 0; j < dim; ++j) {
      const bool given = i == 0 && grounded[j] != 0;
      if (j != i && leader[j] == j && row[j] != infinityRaw && implied[j] == 0 && !given)
        out[count++] = {static_cast<uint16_t>(i), static_cast<uint16_t>(j), Bound{row[j]}};
    }
  }
  return count;
}

} // namespace

size_t boundsBetweenClasses(const Bound* zone, Dim dim, const uint16_t* leader, const uint16_t* grounded,
                            PackedConstraint* out) {
  if (dim == 1)
    return 0;
  return withDimension(dim,
                       [&]<Dim fixed>() TIOC_LAMBDA { return reduce<fixed>(codes(zone), dim, leader, grounded, out); });
}

} // namespace tioc::zones::TIOC_KERNEL
