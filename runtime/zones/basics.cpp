#include "runtime/zones/dbm.hpp"

#include <algorithm>
#include <cstring>

namespace tioc::zones::dbm {

void setUniverse(Bound* zone, Dim dim) {
  std::fill_n(zone, dim, Bound::zero());
  std::fill(zone + dim, zone + size(dim), Bound::infinity());
  for (size_t at = 0; at < size(dim); at += dim + 1)
    zone[at] = Bound::zero();
}

void setZero(Bound* zone, Dim dim) {
  std::fill_n(zone, size(dim), Bound::zero());
}

Outcome constrain(Bound* zone, Dim dim, std::span<const Constraint> constraints) {
  if (constraints.size() < dim) {
    for (const Constraint& constraint : constraints)
      if (const Outcome outcome = constrain(zone, dim, constraint); outcome != Outcome::NonEmpty)
        return outcome;
    return Outcome::NonEmpty;
  }
  // With as many constraints as clocks one full closure is cheaper.
  bool tighter = false;
  for (const Constraint& constraint : constraints) {
    Bound& entry = zone[size_t{constraint.left} * dim + constraint.right];
    if (constraint.bound < entry) {
      entry = constraint.bound;
      tighter = true;
    }
  }
  return tighter ? close(zone, dim) : Outcome::NonEmpty;
}

bool areDisjoint(const Bound* a, const Bound* b, Dim dim) {
  // The ranges of the clocks first: they tell most disjoint zones apart.
  if (haveDisjointRanges(a, b, dim))
    return true;
  for (Dim i = 1; i < dim; ++i)
    for (Dim j = 1; j < dim; ++j)
      if (add(a[size_t{i} * dim + j], b[size_t{j} * dim + i]) < Bound::zero())
        return true;
  return false;
}

bool isEqual(const Bound* a, const Bound* b, Dim dim) {
  return std::memcmp(a, b, size(dim) * sizeof(Bound)) == 0;
}

namespace {

/// Both halves of the product of two words.
uint64_t fold(uint64_t a, uint64_t b) {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t word(const Bound* at) {
  uint64_t bits;
  std::memcpy(&bits, at, sizeof bits);
  return bits;
}

} // namespace

uint64_t hash(const Bound* zone, Dim dim) {
  constexpr uint64_t k0 = 0x9E3779B97F4A7C15u;
  constexpr uint64_t k1 = 0xD1B54A32D192ED03u;
  constexpr uint64_t k2 = 0x8CB92BA72F3D8DD7u;
  // Independent chains, so that no multiplication waits for the one before.
  uint64_t lanes[4] = {k0 ^ dim, k1, k2, k0 ^ k1};
  const Bound* at = zone;
  const Bound* const end = zone + size(dim);
  for (; end - at >= 16; at += 16)
    for (int lane = 0; lane < 4; ++lane)
      lanes[lane] = fold(word(at + 4 * lane) ^ lanes[lane], word(at + 4 * lane + 2) ^ k1);
  for (; end - at >= 2; at += 2)
    lanes[0] = fold(word(at) ^ lanes[0], k1);
  if (at != end)
    lanes[1] = fold(static_cast<uint32_t>(at->raw) ^ lanes[1], k2);
  return fold(fold(lanes[0] ^ lanes[2] ^ k2, lanes[1] ^ lanes[3] ^ k0), k1);
}

} // namespace tioc::zones::dbm
