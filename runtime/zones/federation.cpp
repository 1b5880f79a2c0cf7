#include "runtime/zones/federation.hpp"

#include "runtime/zones/minimal.hpp"

#include <algorithm>
#include <utility>

namespace tioc::zones {

Federation::Federation(const Zone& zone) : dim_(zone.dim()), outOfRange_(zone.isOutOfRange()) {
  if (zone.state() == Outcome::NonEmpty)
    append(zone.data());
}

void Federation::removeAt(size_t at) {
  const size_t width = dbm::size(dim_);
  std::copy(entries_.end() - static_cast<ptrdiff_t>(width), entries_.end(),
            entries_.begin() + static_cast<ptrdiff_t>(at * width));
  entries_.resize(entries_.size() - width);
}

Federation& Federation::unite(const Bound* zone) {
  for (size_t at = 0; at < size();) {
    switch (dbm::relation((*this)[at], zone, dim_)) {
    case Relation::Equal:
    case Relation::Superset:
      return *this;
    case Relation::Subset:
      removeAt(at);
      break;
    case Relation::Different:
      ++at;
      break;
    }
  }
  append(zone);
  return *this;
}

Federation& Federation::unite(const Zone& zone) {
  outOfRange_ |= zone.isOutOfRange();
  return zone.state() == Outcome::NonEmpty ? unite(zone.data()) : *this;
}

Federation& Federation::unite(const Federation& other) {
  if (&other == this)
    return *this;
  outOfRange_ |= other.outOfRange_;
  for (size_t at = 0; at < other.size(); ++at)
    unite(other[at]);
  return *this;
}

Federation& Federation::intersect(const Bound* zone) {
  const Federation before = std::exchange(*this, Federation(dim_));
  outOfRange_ = before.outOfRange_;
  std::vector<Bound> part(dbm::size(dim_));
  for (size_t at = 0; at < before.size(); ++at) {
    std::copy_n(before[at], part.size(), part.begin());
    switch (dbm::intersect(part.data(), zone, dim_)) {
    case Outcome::NonEmpty:
      unite(part.data());
      break;
    case Outcome::OutOfRange:
      outOfRange_ = true;
      break;
    case Outcome::Empty:
      break;
    }
  }
  return *this;
}

Federation& Federation::intersect(const Federation& other) {
  Federation result(dim_);
  result.outOfRange_ = outOfRange_ || other.outOfRange_;
  for (size_t at = 0; at < other.size(); ++at)
    result.unite(Federation(*this).intersect(other[at]));
  return *this = std::move(result);
}

void Federation::appendDifference(const Bound* zone, const Bound* hole) {
  if (dbm::areDisjoint(zone, hole, dim_))
    return append(zone);
  std::vector<PackedConstraint> constraints(dbm::size(dim_));
  constraints.resize(minimalForm(hole, dim_, constraints.data()));
  // Cut off what violates the first constraint, then the second in the rest, and so on: the parts are disjoint.
  std::vector<Bound> rest(zone, zone + dbm::size(dim_));
  std::vector<Bound> part(dbm::size(dim_));
  for (const auto& [left, right, bound] : constraints) {
    if (rest[size_t{left} * dim_ + right] <= bound)
      continue;
    part = rest;
    const Outcome outside = dbm::constrain(part.data(), dim_, Constraint{right, left, bound.complement()});
    if (outside == Outcome::NonEmpty)
      append(part.data());
    const Outcome inside = dbm::constrain(rest.data(), dim_, Constraint{left, right, bound});
    outOfRange_ |= outside == Outcome::OutOfRange || inside == Outcome::OutOfRange;
    if (inside != Outcome::NonEmpty)
      return;
  }
}

Federation& Federation::subtract(const Bound* zone) {
  const Federation before = std::exchange(*this, Federation(dim_));
  outOfRange_ = before.outOfRange_;
  for (size_t at = 0; at < before.size(); ++at)
    appendDifference(before[at], zone);
  return *this;
}

Federation& Federation::subtract(const Federation& other) {
  if (&other == this)
    return *this = Federation(dim_);
  outOfRange_ |= other.outOfRange_;
  for (size_t at = 0; at < other.size() && !entries_.empty(); ++at)
    subtract(other[at]);
  return *this;
}

Federation& Federation::up() {
  Federation before = std::exchange(*this, Federation(dim_));
  outOfRange_ = before.outOfRange_;
  for (size_t at = 0; at < before.size(); ++at) {
    Bound* const zone = before.entries_.data() + at * dbm::size(dim_);
    dbm::up(zone, dim_);
    unite(zone);
  }
  return *this;
}

Federation& Federation::down() {
  Federation before = std::exchange(*this, Federation(dim_));
  outOfRange_ = before.outOfRange_;
  for (size_t at = 0; at < before.size(); ++at) {
    Bound* const zone = before.entries_.data() + at * dbm::size(dim_);
    dbm::down(zone, dim_);
    unite(zone);
  }
  return *this;
}

Federation& Federation::mergeConvex() {
  std::vector<Bound> hull(dbm::size(dim_));
  for (size_t a = 0; a < size(); ++a) {
    for (size_t b = a + 1; b < size(); ++b) {
      // The larger entries of two canonical zones are canonical again: the smallest zone around both.
      std::ranges::transform(std::span((*this)[a], hull.size()), std::span((*this)[b], hull.size()), hull.begin(),
                             [](Bound x, Bound y) { return std::max(x, y); });
      Federation rest(dim_);
      rest.append(hull.data());
      rest.subtract((*this)[a]).subtract((*this)[b]);
      if (!rest.isEmpty())
        continue;
      removeAt(b);
      removeAt(a);
      unite(hull.data());
      // The hull may now merge with zones already looked at.
      a = static_cast<size_t>(-1);
      break;
    }
  }
  return *this;
}

bool Federation::includes(const Bound* zone) const {
  for (size_t at = 0; at < size(); ++at)
    if (dbm::isSubset(zone, (*this)[at], dim_))
      return true;
  Federation rest(dim_);
  rest.append(zone);
  return rest.subtract(*this).isEmpty();
}

bool Federation::includes(const Federation& other) const {
  for (size_t at = 0; at < other.size(); ++at)
    if (!includes(other[at]))
      return false;
  return true;
}

bool Federation::contains(Point point) const {
  for (size_t at = 0; at < size(); ++at)
    if (zones::contains((*this)[at], dim_, point))
      return true;
  return false;
}

std::optional<DelayInterval> Federation::earliestDelayInto(Point point) const {
  std::optional<DelayInterval> earliest;
  for (size_t at = 0; at < size(); ++at) {
    const std::optional<DelayInterval> delays = delaysInto((*this)[at], dim_, point);
    if (!delays)
      continue;
    const bool earlier = !earliest || delays->lower < earliest->lower ||
                         (delays->lower == earliest->lower && delays->lowerAttained && !earliest->lowerAttained);
    if (earlier)
      earliest = delays;
  }
  return earliest;
}

} // namespace tioc::zones
