// Operations on one clock or on all clocks together: waiting, resets. None of them adds two stored bounds, so none can leave
// the range.

#include "runtime/zones/dbm.hpp"
#include "runtime/zones/simd.hpp"

#include <algorithm>

namespace tioc::zones::dbm {

namespace {

template <Dim fixed>
TIOC_INLINE void lowerFirstRow(int32_t* zone, Dim runtimeDim) {
  const Dim dim = fixed != 0 ? fixed : runtimeDim;
  constexpr int width = fixed != 0 ? simd::widthFor(fixed) : 8;
  simd::Vector<width> rest{};
  const auto leastFrom = [&](size_t at, simd::Vector<width>& least) TIOC_LAMBDA {
    simd::fill<width>(Bound::zero().raw, least);
    for (Dim i = 1; i < dim; ++i) {
      simd::Vector<width> entries;
      simd::load<width>(zone + size_t{i} * dim + at, entries);
      least = entries < least ? entries : least;
    }
  };
  if (dim % width != 0)
    leastFrom(dim - width, rest);
  for (Dim at = 0; at + width <= dim; at += width) {
    simd::Vector<width> least;
    leastFrom(at, least);
    simd::store<width>(zone + at, least);
  }
  if (dim % width != 0)
    simd::store<width>(zone + dim - width, rest);
}

} // namespace

void up(Bound* zone, Dim dim) {
  const size_t end = size(dim);
  for (size_t at = dim; at < end; at += dim)
    zone[at] = Bound::infinity();
}

TIOC_MULTIVERSION void down(Bound* zone, Dim dim) {
  if (dim == 1)
    return;
  if (dim < 8)
    return simd::withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { lowerFirstRow<fixed>(simd::codes(zone), dim); });
  lowerFirstRow<0>(simd::codes(zone), dim);
}

void reset(Bound* zone, Dim dim, Clock x, int32_t value) {
  const int32_t shift = value * 2;
  Bound* const row = zone + size_t{x} * dim;
#pragma GCC ivdep
  for (Dim j = 0; j < dim; ++j)
    row[j].raw = zone[j].raw + shift;
  Bound* to = zone;
  for (Dim i = 0; i < dim; ++i, to += dim) {
    const int32_t upper = to->raw;
    to[x].raw = upper == infinityRaw ? infinityRaw : upper - shift;
  }
  row[x] = Bound::zero();
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
    simd::withDimension(dim, [&]<Dim fixed>() TIOC_LAMBDA { copyTo<fixed>(zone, dim, x, y); });
}

void free(Bound* zone, Dim dim, Clock x) {
  Bound* const row = zone + size_t{x} * dim;
  for (Dim j = 0; j < dim; ++j)
    row[j] = Bound::infinity();
  Bound* to = zone;
  for (Dim i = 0; i < dim; ++i, to += dim)
    to[x] = *to;
  row[x] = Bound::zero();
}

} // namespace tioc::zones::dbm
