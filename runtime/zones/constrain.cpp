#include "runtime/zones/dbm.hpp"
#include "runtime/zones/simd.hpp"
#include "runtime/zones/wide.hpp"

namespace tioc::zones::dbm {

namespace {

/// Entries of the pivot row without bound are raised by this, so that adding any finite first step does not sink them.
constexpr int32_t raisedInfinity = infinityRaw + maxRaw;

/// `bound` plus each entry of `from`, infinite entries raised. Returns the magnitudes' bits.
template <Dim fixed>
TIOC_INLINE uint32_t extendRow(const int32_t* from, int32_t bound, Dim runtimeDim, int32_t* to) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? simd::widthFor(fixed) : 8;
  const int32_t even = bound & ~1;
  const int32_t strictness = bound | ~1;
  uint32_t all = 0;
  using V = simd::Vector<width>;
  V bits{};
  V raised;
  simd::fill<width>(raisedInfinity, raised);
  simd::forVectors<width>(dim, [&](size_t at) TIOC_LAMBDA {
    V entries;
    simd::load<width>(from + at, entries);
    const V infinite = entries == infinityRaw;
    const V sum = (entries & strictness) + even;
    bits |= (sum ^ (sum >> 31)) & ~infinite;
    simd::store<width>(to + at, infinite ? raised : sum);
  });
  for (int lane = 0; lane < width; ++lane)
    all |= static_cast<uint32_t>(bits[lane]);
  return all;
}

template <Dim fixed>
TIOC_INLINE Outcome tighten(Bound* zone, Dim runtimeDim, Constraint constraint) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  int32_t* const raw = simd::codes(zone);
  const int32_t bound = constraint.bound.raw;
  const int32_t even = bound & ~1;
  const int32_t strictness = bound | ~1;

  alignas(32) int32_t pivot[fixed != 0 ? fixed : maxDim];
  uint32_t bits = extendRow<fixed>(raw + size_t{constraint.right} * dim, bound, dim, pivot);

  // An entry (i, j) gets smaller only if (i, right) does: the zone is canonical.
  uint16_t rows[fixed != 0 ? fixed : maxDim];
  Dim count = 0;
  const int32_t* toLeft = raw + constraint.left;
  const int32_t* toRight = raw + constraint.right;
  for (Dim i = 0; i < dim; ++i, toLeft += dim, toRight += dim) {
    const int32_t first = *toLeft;
    const bool smaller = even + (first & strictness) < *toRight && first != infinityRaw;
    rows[count] = static_cast<uint16_t>(i);
    count += smaller ? 1 : 0;
    bits |= smaller ? static_cast<uint32_t>(first ^ (first >> 31)) : 0;
  }
  if ((bits >> 27) != 0) [[unlikely]]
    return wide::tighten(zone, dim, constraint);
  simd::relaxRows<fixed>(raw, dim, pivot, constraint.left, simd::ListedRows<uint16_t>{rows, count});
  return Outcome::NonEmpty;
}

} // namespace

TIOC_MULTIVERSION Outcome constrain(Bound* zone, Dim dim, Constraint constraint) {
  const Bound current = zone[size_t{constraint.left} * dim + constraint.right];
  if (current <= constraint.bound)
    return Outcome::NonEmpty;
  if (!allows(zone, dim, constraint)) {
    setEmpty(zone);
    return Outcome::Empty;
  }
  return simd::withDimension(
      dim, [&]<Dim fixed>() TIOC_LAMBDA { return tighten<fixed>(zone, dim, constraint); });
}

} // namespace tioc::zones::dbm
