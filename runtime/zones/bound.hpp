#pragma once

#include <compare>
#include <cstdint>
#include <optional>

namespace tioc::zones {

/// Number of clocks of a zone, the reference clock 0 (constantly zero) included.
using Dim = uint32_t;
/// The largest dimension; the kernels keep one row of it on the stack.
inline constexpr Dim maxDim = 1024;
/// Index of a clock; 0 is the reference clock.
using Clock = uint32_t;

/// Finite bounds of a stored zone carry values in [-maxValue, maxValue]. With the encoding below, the sum of three
/// finite bounds stays clear of both the sign bit and `infinity`, and twice infinity does not wrap: see docs/zones.md,
/// "Range".
inline constexpr int32_t maxValue = (1 << 27) - 1;

/// Upper bound of a difference of clocks: `< value` or `<= value`, encoded as `value << 1 | closed`, or no bound. The
/// order of the codes is the order of tightness. In a stored zone the value is within [-maxValue, maxValue].
struct Bound {
  int32_t raw;

  /// `<= value`. Precondition: |value| <= maxValue; use `make` for values that come from outside.
  static constexpr Bound atMost(int32_t value) { return {static_cast<int32_t>(value * 2) | 1}; }
  /// `< value`. Precondition as for `atMost`.
  static constexpr Bound below(int32_t value) { return {value * 2}; }
  /// The bound if its value is in range.
  static constexpr std::optional<Bound> make(int64_t value, bool closed) {
    if (value < -maxValue || value > maxValue)
      return std::nullopt;
    return Bound{static_cast<int32_t>(value * 2 + (closed ? 1 : 0))};
  }
  static constexpr Bound infinity();
  static constexpr Bound zero() { return {1}; }

  constexpr bool isInfinite() const;
  /// Precondition: finite.
  constexpr int32_t value() const { return raw >> 1; }
  constexpr bool isClosed() const { return (raw & 1) != 0; }

  /// The bound of the opposite difference that holds exactly where this one does not: not (x - y <= c) is y - x < -c.
  /// Precondition: finite.
  constexpr Bound complement() const { return {1 - raw}; }

  friend constexpr bool operator==(Bound, Bound) = default;
  friend constexpr auto operator<=>(Bound, Bound) = default;
};

#ifdef TIOC_ZONES_UDBM
inline constexpr int32_t infinityRaw = INT32_MAX - 1; // UDBM's code
#else
inline constexpr int32_t infinityRaw = (1 << 30) - 2;
#endif
inline constexpr int32_t maxRaw = maxValue * 2 + 1;
inline constexpr int32_t minRaw = -maxValue * 2;

constexpr Bound Bound::infinity() {
  return {infinityRaw};
}
constexpr bool Bound::isInfinite() const {
  return raw == infinityRaw;
}

/// The exact sum. Two finite operands of stored zones never wrap; their sum may be out of the range of stored zones.
constexpr Bound add(Bound a, Bound b) {
  if (a.isInfinite() || b.isInfinite())
    return Bound::infinity();
  return {a.raw + b.raw - ((a.raw | b.raw) & 1)};
}

constexpr bool isStorable(Bound b) {
  return b.isInfinite() || (b.raw >= minRaw && b.raw <= maxRaw);
}

/// left - right is limited by `bound`.
struct Constraint {
  Clock left;
  Clock right;
  Bound bound;

  friend bool operator==(const Constraint&, const Constraint&) = default;
};

} // namespace tioc::zones
