// Inclusion in the abstraction aLU. Part of kernel.inl.

namespace tioc::zones::TIOC_KERNEL {

namespace {

/// a is not included iff clocks x and y exist with a(0,x) >= (<=,-U_x), b(y,x) < a(y,x) and b(y,x) + (<,-L_y) < a(0,x):
/// then a point of `a` that b(y,x) excludes needs x or y moved across a constant to get into `b`, which aLU does not
/// allow.
template <Dim fixed>
TIOC_INLINE bool hasWitness(const int32_t* a, const int32_t* b, Dim runtimeDim, const int32_t* lowers,
                            const int32_t* negatedUppers) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? widthFor(fixed) : 8;
  using V = Vector<width>;
  V never;
  fill<width>(INT32_MIN, never);
  for (Dim y = 0; y < dim; ++y) {
    if (lowers[y] == noBound)
      continue;
    const int32_t lower = lowers[y] * 2;
    const int32_t* const mine = a + size_t{y} * dim;
    const int32_t* const theirs = b + size_t{y} * dim;
    V found{};
    forVectors<width>(dim, [&](size_t at) TIOC_LAMBDA {
      V first;
      V negatedUpper;
      V inA;
      V inB;
      load<width>(a + at, first);
      load<width>(negatedUppers + at, negatedUpper);
      load<width>(mine + at, inA);
      load<width>(theirs + at, inB);
      const V limit = first >= negatedUpper ? first : never;
      found |= (inB < inA) & (((inB & ~1) - lower) < limit);
    });
    if (any<width>(found))
      return true;
  }
  return false;
}

} // namespace

bool isSubsetOfALU(const Bound* a, const Bound* b, Dim dim, const int32_t* lower, const int32_t* negatedUpper) {
  if (dim == 1)
    return true;
  return withDimension(
      dim, [&]<Dim fixed>() TIOC_LAMBDA { return !hasWitness<fixed>(codes(a), codes(b), dim, lower, negatedUpper); });
}

} // namespace tioc::zones::TIOC_KERNEL
