// Operations on single rows and columns, where vectors have nothing to gain. None of them adds two stored bounds, so
// none can leave the range.

#include "runtime/zones/dbm.hpp"

namespace tioc::zones::dbm {

void up(Bound* zone, Dim dim) {
  const size_t end = size(dim);
  for (size_t at = dim; at < end; at += dim)
    zone[at] = Bound::infinity();
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
