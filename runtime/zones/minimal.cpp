#include "runtime/zones/minimal.hpp"

#include "runtime/zones/kernel.hpp"

#include <algorithm>

namespace tioc::zones {

namespace {

/// Whether the two opposite bounds leave one value: both closed, and their values cancel out.
bool isFixedDistance(Bound a, Bound b) {
  return (a.raw & b.raw & 1) != 0 && a.raw + b.raw == 2;
}

/// Smallest clock at a fixed distance of each clock (itself at worst).
void findClasses(const Bound* zone, Dim dim, uint16_t* leader) {
  for (Dim i = 0; i < dim; ++i) {
    Dim j = 0;
    while (j < i && !isFixedDistance(zone[size_t{i} * dim + j], zone[size_t{j} * dim + i]))
      ++j;
    leader[i] = static_cast<uint16_t>(j);
  }
}

/// The lower bound that every clock has.
bool isGiven(Clock left, Bound bound) {
  return left == 0 && bound == Bound::zero();
}

} // namespace

size_t minimalForm(const Bound* zone, Dim dim, PackedConstraint* out) {
  uint16_t leader[maxDim];
  findClasses(zone, dim, leader);
  size_t count = 0;
  // One cycle through each class of more than one clock. In the class of clock 0 it starts with a clock that is 0, if
  // there is one: that step is given.
  for (Dim first = 0; first < dim; ++first) {
    if (leader[first] != first)
      continue;
    Dim last = first;
    const auto visit = [&](Dim next) {
      const Bound bound = zone[size_t{last} * dim + next];
      if (!isGiven(last, bound))
        out[count++] = {static_cast<uint16_t>(last), static_cast<uint16_t>(next), bound};
      last = next;
    };
    Dim start = first + 1;
    while (first == 0 && start < dim && (leader[start] != 0 || zone[start] != Bound::zero()))
      ++start;
    if (start < dim && leader[start] == first)
      visit(start);
    for (Dim next = first + 1; next < dim; ++next)
      if (leader[next] == first && next != start)
        visit(next);
    if (last != first)
      visit(first);
  }
  // A clock that may be 0 gives a lower bound to its whole class.
  uint16_t grounded[maxDim];
  std::fill_n(grounded, dim, 0);
  for (Dim x = 1; x < dim; ++x)
    if (isGiven(0, zone[x]))
      grounded[leader[x]] = 1;
  return count + kernel::boundsBetweenClasses(zone, dim, leader, grounded, out + count);
}

Outcome fromMinimalForm(std::span<const PackedConstraint> constraints, Bound* zone, Dim dim) {
  dbm::setUniverse(zone, dim);
  for (const PackedConstraint& constraint : constraints)
    zone[size_t{constraint.left} * dim + constraint.right] = constraint.bound;
  return dbm::close(zone, dim);
}

bool isSubset(const Bound* zone, Dim dim, std::span<const PackedConstraint> constraints) {
  return std::ranges::all_of(constraints, [&](const PackedConstraint& constraint) {
    return zone[size_t{constraint.left} * dim + constraint.right] <= constraint.bound;
  });
}

} // namespace tioc::zones
