#include "runtime/zones/point.hpp"

namespace tioc::zones {

using ir::Rational;

namespace {

bool holds(Bound bound, const Rational& difference) {
  if (bound.isInfinite())
    return true;
  const Rational limit(bound.value());
  return difference < limit || (bound.isClosed() && difference == limit);
}

/// An interval that only shrinks.
struct Range {
  Rational lower;
  bool lowerAttained = true;
  std::optional<Rational> upper;
  bool upperAttained = false;

  void atLeast(const Rational& limit, bool attained) {
    if (limit > lower || (limit == lower && !attained)) {
      lower = limit;
      lowerAttained = attained;
    }
  }
  void atMost(const Rational& limit, bool attained) {
    if (!upper || limit < *upper || (limit == *upper && !attained)) {
      upper = limit;
      upperAttained = attained;
    }
  }
  bool holds(const Rational& value) const {
    if (value < lower || (value == lower && !lowerAttained))
      return false;
    return !upper || value < *upper || (value == *upper && upperAttained);
  }
  bool isEmpty() const { return upper && (*upper < lower || (*upper == lower && !(lowerAttained && upperAttained))); }
};

} // namespace

bool contains(const Bound* zone, Dim dim, Point point) {
  for (Dim i = 0; i < dim; ++i)
    for (Dim j = 0; j < dim; ++j)
      if (i != j && !holds(zone[size_t{i} * dim + j], point[i] - point[j]))
        return false;
  return true;
}

std::vector<Rational> samplePoint(const Bound* zone, Dim dim) {
  std::vector<Rational> point(dim);
  // In a canonical zone every choice for the first clocks extends to the others.
  for (Dim i = 1; i < dim; ++i) {
    Range range;
    for (Dim j = 0; j < i; ++j) {
      const Bound above = zone[size_t{i} * dim + j];
      const Bound below = zone[size_t{j} * dim + i];
      if (!above.isInfinite())
        range.atMost(point[j] + Rational(above.value()), above.isClosed());
      if (!below.isInfinite())
        range.atLeast(point[j] - Rational(below.value()), below.isClosed());
    }
    const Rational floor = range.lower.floor();
    if (range.holds(floor))
      point[i] = floor;
    else if (range.holds(floor + Rational(1)))
      point[i] = floor + Rational(1);
    else if (range.lowerAttained)
      point[i] = range.lower;
    else
      point[i] = (range.lower + *range.upper) / Rational(2);
  }
  return point;
}

std::optional<DelayInterval> delaysInto(const Bound* zone, Dim dim, Point point) {
  Range range;
  for (Dim i = 1; i < dim; ++i) {
    for (Dim j = 1; j < dim; ++j)
      if (i != j && !holds(zone[size_t{i} * dim + j], point[i] - point[j]))
        return std::nullopt;
    const Bound above = zone[size_t{i} * dim];
    const Bound below = zone[i];
    if (!above.isInfinite())
      range.atMost(Rational(above.value()) - point[i], above.isClosed());
    range.atLeast(Rational(-below.value()) - point[i], below.isClosed());
  }
  if (range.isEmpty())
    return std::nullopt;
  return DelayInterval{range.lower, range.lowerAttained, range.upper, range.upperAttained};
}

} // namespace tioc::zones
