#pragma once

#include "runtime/zones/bound.hpp"

#include <span>
#include <vector>

namespace tioc::zones {

/// The clock is never compared that way.
inline constexpr int32_t noBound = INT32_MIN;

/// For each clock the largest constants it is compared with: L in lower-bound guards (x > c), U in upper-bound guards
/// (x < c). Made once per location; the codes that the extrapolations compare with are prepared here.
class ClockBounds {
public:
  /// Index 0 is the reference clock and is read as 0. Preconditions: both have `dim` entries, each `noBound` or within
  /// [0, maxValue].
  ClockBounds(std::span<const int32_t> lower, std::span<const int32_t> upper);
  /// The same in the memory of this one.
  void assign(std::span<const int32_t> lower, std::span<const int32_t> upper);

  Dim dim() const { return static_cast<Dim>(lower_.size()); }
  const int32_t* lower() const { return lower_.data(); }
  const int32_t* upper() const { return upper_.data(); }
  /// The larger of the two.
  const int32_t* larger() const { return larger_.data(); }

  /// One choice of bounds for an extrapolation, as codes.
  struct Codes {
    std::vector<int32_t> keep;        // a bound of x_i above keep[i] (`<= L`) is dropped
    std::vector<int32_t> negateKeep;  // a lower bound of x_i below this (`< -L`) frees x_i's row in the + variants
    std::vector<int32_t> negateUpper; // a lower bound of x_j below this (`< -U`) is weakened
    std::vector<int32_t> weakened;    // … to this
    std::vector<int32_t> weakenedRow; // … or, in rows other than the first, to this
  };
  const Codes& lu() const { return lu_; }
  const Codes& m() const { return m_; }
  /// Code of `<= -U`, or infinity where there is no U.
  const int32_t* negatedUpper() const { return negatedUpper_.data(); }

private:
  std::vector<int32_t> lower_;
  std::vector<int32_t> upper_;
  std::vector<int32_t> larger_;
  Codes lu_;
  Codes m_;
  std::vector<int32_t> negatedUpper_;
};

} // namespace tioc::zones
