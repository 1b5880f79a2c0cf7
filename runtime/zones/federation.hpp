#pragma once

#include "runtime/zones/point.hpp"
#include "runtime/zones/zone.hpp"

#include <optional>
#include <vector>

namespace tioc::zones {

/// A finite union of canonical zones of one dimension, none of them empty and none included in another. Like a Zone, a
/// federation that left the range stays so; its set is then meaningless.
class Federation {
public:
  /// The empty set.
  explicit Federation(Dim dim) : dim_(dim) {}
  Federation(const Zone& zone); // NOLINT: a zone is a federation

  Dim dim() const { return dim_; }
  bool isEmpty() const { return entries_.empty() && !outOfRange_; }
  bool isOutOfRange() const { return outOfRange_; }
  /// Number of zones.
  size_t size() const { return entries_.size() / dbm::size(dim_); }
  const Bound* operator[](size_t at) const { return entries_.data() + at * dbm::size(dim_); }

  /// Union; zones that another single zone includes are dropped.
  Federation& unite(const Bound* zone);
  Federation& unite(const Zone& zone);
  Federation& unite(const Federation& other);
  Federation& intersect(const Bound* zone);
  Federation& intersect(const Federation& other);
  /// Exact. The parts of a zone that a subtraction leaves are disjoint.
  Federation& subtract(const Bound* zone);
  Federation& subtract(const Federation& other);
  Federation& up();
  Federation& down();
  /// Replaces pairs of zones whose union is convex by that union, until there is none; same set.
  Federation& mergeConvex();

  /// Precondition of all: not OutOfRange. Exact, by subtraction.
  bool includes(const Bound* zone) const;
  bool includes(const Federation& other) const;
  bool hasSamePoints(const Federation& other) const { return includes(other) && other.includes(*this); }
  bool contains(Point point) const;
  /// The smallest delay that leads from the point into the federation (its lower end), with the interval it begins.
  std::optional<DelayInterval> earliestDelayInto(Point point) const;

private:
  /// Appends `zone` minus `hole`, as disjoint zones.
  void appendDifference(const Bound* zone, const Bound* hole);
  void append(const Bound* zone) { entries_.insert(entries_.end(), zone, zone + dbm::size(dim_)); }
  void removeAt(size_t at);

  Dim dim_;
  bool outOfRange_ = false;
  MatrixVector entries_;
};

} // namespace tioc::zones
