#pragma once

// A slow zone library to test the kernel against. It shares nothing with the kernel but the numbering of clocks: bounds
// are pairs of 64-bit numbers, an operation is written down as a system of difference constraints with auxiliary
// variables, and the auxiliary variables are eliminated by Fourier–Motzkin.

#include "ir/rational.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tioc::zones::reference {

/// `< value` or `<= value`; an absent bound is no bound.
struct Limit {
  int64_t value;
  bool strict;

  friend bool operator==(const Limit&, const Limit&) = default;
};
using MaybeLimit = std::optional<Limit>;

bool tighter(const MaybeLimit& a, const MaybeLimit& b);
MaybeLimit plus(const MaybeLimit& a, const MaybeLimit& b);

/// Difference constraints between variables 0 … count-1.
struct System {
  size_t count;
  std::vector<MaybeLimit> limits; // row-major: left - right
  bool contradictory = false;

  explicit System(size_t variables) : count(variables), limits(variables * variables) {}
  MaybeLimit& at(size_t left, size_t right) { return limits[left * count + right]; }
  const MaybeLimit& at(size_t left, size_t right) const { return limits[left * count + right]; }
  void require(size_t left, size_t right, Limit limit);
  void requireEqual(size_t left, size_t right, int64_t distance);
  /// Fourier–Motzkin: the constraints that the others imply on the remaining variables; later variables move down by
  /// one.
  System without(size_t variable) const;
};

/// A set of valuations: clock 0 is zero, no clock is negative. `limits` are the tightest unless the zone is empty.
struct Zone {
  size_t dim;
  bool empty = false;
  std::vector<MaybeLimit> limits;

  explicit Zone(size_t dimension) : dim(dimension), limits(dimension * dimension) {}
  const MaybeLimit& at(size_t i, size_t j) const { return limits[i * dim + j]; }
  bool contains(const std::vector<ir::Rational>& point) const;
  friend bool operator==(const Zone& a, const Zone& b);
};

/// Solves the system over clocks 0 … count-1, adding that no clock is negative.
Zone solve(System system);
/// As `solve`, but each bound by eliminating all other clocks: no closure at all.
Zone solveByElimination(const System& system);
System asSystem(const Zone& zone, size_t extraVariables = 0);

Zone universe(size_t dim);
Zone constrained(const Zone& zone, size_t left, size_t right, Limit limit);
Zone intersection(const Zone& a, const Zone& b);
Zone up(const Zone& zone);
Zone down(const Zone& zone);
Zone reset(const Zone& zone, size_t x, int64_t value);
Zone copied(const Zone& zone, size_t x, size_t y);
Zone freed(const Zone& zone, size_t x);
bool subset(const Zone& a, const Zone& b);

/// Constants of a clock; absent: never compared that way.
using Constants = std::vector<std::optional<int64_t>>;
/// The definitions of Behrmann, Bouyer, Larsen and Pelánek, entry by entry.
Zone extraLU(const Zone& zone, const Constants& lower, const Constants& upper);
Zone extraLUPlus(const Zone& zone, const Constants& lower, const Constants& upper);
/// point ∈ aLU(zone), by the definition: some point of the zone simulates it clock by clock.
bool inALU(const std::vector<ir::Rational>& point, const Zone& zone, const Constants& lower, const Constants& upper);

std::string toString(const Zone& zone);

} // namespace tioc::zones::reference
