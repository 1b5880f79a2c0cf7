#pragma once

#include "runtime/zones/aligned.hpp"
#include "runtime/zones/dbm.hpp"

#include <span>
#include <vector>

namespace tioc::zones {

/// A zone that owns its matrix: a convex set of clock valuations, possibly empty. Canonical whenever it is NonEmpty. A
/// zone that left the range stays OutOfRange, whatever is done to it, so that a chain of operations needs one check at
/// its end.
class Zone {
public:
  /// Precondition of all: 1 <= dim <= maxDim.
  static Zone universe(Dim dim);
  static Zone zero(Dim dim);
  static Zone empty(Dim dim);
  /// Closes the matrix of dim * dim storable bounds.
  static Zone closed(Dim dim, std::span<const Bound> matrix);
  /// Copies a canonical matrix.
  static Zone copyOf(Dim dim, const Bound* canonical);

  Dim dim() const { return dim_; }
  Outcome state() const { return state_; }
  bool isEmpty() const { return state_ == Outcome::Empty; }
  bool isOutOfRange() const { return state_ == Outcome::OutOfRange; }
  /// Precondition of the three: NonEmpty.
  Bound at(Clock i, Clock j) const { return entries_[size_t{i} * dim_ + j]; }
  const Bound* data() const { return entries_.data(); }
  uint64_t hash() const;

  Zone& constrain(Constraint constraint);
  Zone& constrain(std::span<const Constraint> constraints);
  Zone& intersect(const Zone& other);
  Zone& up();
  Zone& down();
  Zone& reset(Clock x, int32_t value = 0);
  Zone& copyClock(Clock x, Clock y);
  Zone& free(Clock x);
  Zone& extraM(const ClockBounds& bounds);
  Zone& extraMPlus(const ClockBounds& bounds);
  Zone& extraLU(const ClockBounds& bounds);
  Zone& extraLUPlus(const ClockBounds& bounds);

  /// Precondition of all: neither zone is OutOfRange.
  bool isSubsetOf(const Zone& other) const;
  bool isSubsetOfALU(const Zone& other, const ClockBounds& bounds) const;
  Relation relationTo(const Zone& other) const;
  friend bool operator==(const Zone& a, const Zone& b);

private:
  Zone(Dim dim, Outcome state) : dim_(dim), state_(state), entries_(dbm::size(dim), Bound::zero()) {}

  Dim dim_;
  Outcome state_;
  MatrixVector entries_;
};

} // namespace tioc::zones
