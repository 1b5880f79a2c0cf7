#include "runtime/zones/zone.hpp"

#include <algorithm>

namespace tioc::zones {

Zone Zone::universe(Dim dim) {
  Zone zone(dim, Outcome::NonEmpty);
  dbm::setUniverse(zone.entries_.data(), dim);
  return zone;
}

Zone Zone::zero(Dim dim) {
  return {dim, Outcome::NonEmpty};
}

Zone Zone::empty(Dim dim) {
  return {dim, Outcome::Empty};
}

Zone Zone::closed(Dim dim, std::span<const Bound> matrix) {
  Zone zone(dim, Outcome::NonEmpty);
  std::ranges::copy(matrix, zone.entries_.begin());
  zone.state_ = dbm::close(zone.entries_.data(), dim);
  return zone;
}

Zone Zone::copyOf(Dim dim, const Bound* canonical) {
  Zone zone(dim, Outcome::NonEmpty);
  std::copy_n(canonical, dbm::size(dim), zone.entries_.begin());
  return zone;
}

uint64_t Zone::hash() const {
  return dbm::hash(data(), dim_);
}

Zone& Zone::constrain(Constraint constraint) {
  if (state_ == Outcome::NonEmpty)
    state_ = dbm::constrain(entries_.data(), dim_, constraint);
  return *this;
}

Zone& Zone::constrain(std::span<const Constraint> constraints) {
  if (state_ == Outcome::NonEmpty)
    state_ = dbm::constrain(entries_.data(), dim_, constraints);
  return *this;
}

Zone& Zone::intersect(const Zone& other) {
  if (other.isOutOfRange())
    state_ = Outcome::OutOfRange;
  if (state_ == Outcome::NonEmpty)
    state_ = other.isEmpty() ? Outcome::Empty : dbm::intersect(entries_.data(), other.data(), dim_);
  return *this;
}

Zone& Zone::up() {
  if (state_ == Outcome::NonEmpty)
    dbm::up(entries_.data(), dim_);
  return *this;
}

Zone& Zone::down() {
  if (state_ == Outcome::NonEmpty)
    dbm::down(entries_.data(), dim_);
  return *this;
}

Zone& Zone::reset(Clock x, int32_t value) {
  if (state_ == Outcome::NonEmpty)
    dbm::reset(entries_.data(), dim_, x, value);
  return *this;
}

Zone& Zone::copyClock(Clock x, Clock y) {
  if (state_ == Outcome::NonEmpty)
    dbm::copyClock(entries_.data(), dim_, x, y);
  return *this;
}

Zone& Zone::free(Clock x) {
  if (state_ == Outcome::NonEmpty)
    dbm::free(entries_.data(), dim_, x);
  return *this;
}

Zone& Zone::extraM(const ClockBounds& bounds) {
  if (state_ == Outcome::NonEmpty)
    state_ = dbm::extraM(entries_.data(), dim_, bounds);
  return *this;
}

Zone& Zone::extraMPlus(const ClockBounds& bounds) {
  if (state_ == Outcome::NonEmpty)
    state_ = dbm::extraMPlus(entries_.data(), dim_, bounds);
  return *this;
}

Zone& Zone::extraLU(const ClockBounds& bounds) {
  if (state_ == Outcome::NonEmpty)
    state_ = dbm::extraLU(entries_.data(), dim_, bounds);
  return *this;
}

Zone& Zone::extraLUPlus(const ClockBounds& bounds) {
  if (state_ == Outcome::NonEmpty)
    state_ = dbm::extraLUPlus(entries_.data(), dim_, bounds);
  return *this;
}

bool Zone::isSubsetOf(const Zone& other) const {
  if (isEmpty() || other.isEmpty())
    return isEmpty();
  return dbm::isSubset(data(), other.data(), dim_);
}

bool Zone::isSubsetOfALU(const Zone& other, const ClockBounds& bounds) const {
  if (isEmpty() || other.isEmpty())
    return isEmpty();
  return dbm::isSubsetOfALU(data(), other.data(), dim_, bounds);
}

Relation Zone::relationTo(const Zone& other) const {
  if (isEmpty() || other.isEmpty()) {
    if (isEmpty() == other.isEmpty())
      return Relation::Equal;
    return isEmpty() ? Relation::Subset : Relation::Superset;
  }
  return dbm::relation(data(), other.data(), dim_);
}

bool operator==(const Zone& a, const Zone& b) {
  if (a.dim_ != b.dim_ || a.state_ != b.state_)
    return false;
  return a.state_ != Outcome::NonEmpty || dbm::isEqual(a.data(), b.data(), a.dim_);
}

} // namespace tioc::zones
