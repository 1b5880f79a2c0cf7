#include "runtime/zones/clock_bounds.hpp"

#include <algorithm>

namespace tioc::zones {

namespace {

void encode(std::span<const int32_t> lower, std::span<const int32_t> upper, ClockBounds::Codes& codes) {
  const size_t dim = lower.size();
  // Without a constant every bound is dropped, which comparing with the ends of the range does.
  codes.keep.assign(dim, INT32_MIN);
  codes.negateKeep.assign(dim, infinityRaw);
  codes.negateUpper.assign(dim, infinityRaw);
  codes.weakened.assign(dim, Bound::zero().raw);
  codes.weakenedRow.assign(dim, infinityRaw);
  for (size_t x = 0; x < dim; ++x) {
    if (lower[x] != noBound) {
      codes.keep[x] = Bound::atMost(lower[x]).raw;
      codes.negateKeep[x] = Bound::below(-lower[x]).raw;
    }
    if (upper[x] != noBound)
      codes.negateUpper[x] = codes.weakened[x] = codes.weakenedRow[x] = Bound::below(-upper[x]).raw;
  }
  codes.keep[0] = infinityRaw;
  codes.negateKeep[0] = codes.negateUpper[0] = INT32_MIN;
}

} // namespace

ClockBounds::ClockBounds(std::span<const int32_t> lower, std::span<const int32_t> upper) {
  assign(lower, upper);
}

void ClockBounds::assign(std::span<const int32_t> lower, std::span<const int32_t> upper) {
  lower_.assign(lower.begin(), lower.end());
  upper_.assign(upper.begin(), upper.end());
  larger_.resize(lower.size());
  lower_[0] = upper_[0] = 0;
  std::ranges::transform(lower_, upper_, larger_.begin(), [](int32_t l, int32_t u) { return std::max(l, u); });
  encode(lower_, upper_, lu_);
  encode(larger_, larger_, m_);
  negatedUpper_.resize(upper_.size());
  std::ranges::transform(upper_, negatedUpper_.begin(),
                         [](int32_t u) { return u == noBound ? infinityRaw : Bound::atMost(-u).raw; });
}

} // namespace tioc::zones
