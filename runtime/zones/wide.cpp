#include "runtime/zones/wide.hpp"

#include <limits>
#include <vector>

namespace tioc::zones::wide {

namespace {

constexpr int64_t infinite = std::numeric_limits<int64_t>::max();

int64_t widen(Bound b) {
  return b.isInfinite() ? infinite : b.raw;
}

int64_t sum(int64_t a, int64_t b) {
  if (a == infinite || b == infinite)
    return infinite;
  return a + b - ((a | b) & 1);
}

/// False if the bound is not storable.
bool narrow(int64_t value, Bound& to) {
  if (value == infinite) {
    to = Bound::infinity();
    return true;
  }
  if (value < minRaw || value > maxRaw)
    return false;
  to = Bound{static_cast<int32_t>(value)};
  return true;
}

} // namespace

Outcome close(Bound* zone, Dim dim) {
  std::vector<int64_t> entries(dbm::size(dim));
  for (size_t at = 0; at < entries.size(); ++at)
    entries[at] = widen(zone[at]);
  // A negative cycle shows on the diagonal when its largest clock becomes the pivot; until then every entry is the
  // length of a simple path, so 64 bits suffice.
  for (Dim k = 0; k < dim; ++k) {
    if (entries[k * dim + k] < 1) {
      dbm::setEmpty(zone);
      return Outcome::Empty;
    }
    for (Dim i = 0; i < dim; ++i)
      for (Dim j = 0; j < dim; ++j)
        entries[i * dim + j] = std::min(entries[i * dim + j], sum(entries[i * dim + k], entries[k * dim + j]));
  }
  for (size_t at = 0; at < entries.size(); ++at)
    if (!narrow(entries[at], zone[at]))
      return Outcome::OutOfRange;
  return Outcome::NonEmpty;
}

Outcome tighten(Bound* zone, Dim dim, Constraint constraint) {
  const auto [left, right, bound] = constraint;
  // The row of `left` is updated first and is the pivot of the others, as in the narrow kernel.
  for (Dim j = 0; j < dim; ++j) {
    const int64_t through = sum(bound.raw, widen(zone[right * dim + j]));
    if (through < widen(zone[left * dim + j]) && !narrow(through, zone[left * dim + j]))
      return Outcome::OutOfRange;
  }
  for (Dim i = 0; i < dim; ++i) {
    const int64_t first = widen(zone[i * dim + left]);
    for (Dim j = 0; j < dim; ++j) {
      const int64_t through = sum(first, widen(zone[left * dim + j]));
      if (through < widen(zone[i * dim + j]) && !narrow(through, zone[i * dim + j]))
        return Outcome::OutOfRange;
    }
  }
  return Outcome::NonEmpty;
}

} // namespace tioc::zones::wide
