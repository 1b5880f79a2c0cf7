#include "support.hpp"

#include <cstdlib>

namespace tioc::zones {

void PrintTo(const Zone& zone, std::ostream* out) {
  if (zone.isOutOfRange())
    *out << "out of range";
  else
    *out << reference::toString(test::asReference(zone));
}

namespace test {

using ir::Rational;

bool isLong() {
  return std::getenv("TIOC_LONG") != nullptr;
}

size_t rounds(size_t shortCount, size_t longCount) {
  return isLong() ? longCount : shortCount;
}

int64_t Random::between(int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(engine_);
}

reference::Zone asReference(const Zone& zone) {
  reference::Zone result(zone.dim());
  result.empty = zone.isEmpty();
  if (result.empty)
    return result;
  for (Dim i = 0; i < zone.dim(); ++i)
    for (Dim j = 0; j < zone.dim(); ++j)
      if (const Bound bound = zone.at(i, j); !bound.isInfinite())
        result.limits[i * result.dim + j] = reference::Limit{bound.value(), !bound.isClosed()};
  return result;
}

bool isStorable(const reference::Zone& zone) {
  for (const reference::MaybeLimit& limit : zone.limits)
    if (!zone.empty && limit && (limit->value < -maxValue || limit->value > maxValue))
      return false;
  return true;
}

Bound asBound(const reference::MaybeLimit& limit) {
  return limit ? Bound::make(limit->value, !limit->strict).value() : Bound::infinity();
}

Zone asKernel(const reference::Zone& zone) {
  if (zone.empty)
    return Zone::empty(static_cast<Dim>(zone.dim));
  std::vector<Bound> matrix;
  for (const reference::MaybeLimit& limit : zone.limits)
    matrix.push_back(asBound(limit));
  return Zone::copyOf(static_cast<Dim>(zone.dim), matrix.data());
}

reference::Limit randomLimit(Random& random, int64_t largest) {
  return {random.between(-largest, largest), random.chance(40)};
}

reference::Zone randomZone(Random& random, size_t dim, int64_t largest) {
  reference::System system(dim);
  if (dim == 1)
    return reference::solve(system);
  const int64_t shape = random.between(0, 19);
  // A hidden point keeps most zones from being empty.
  std::vector<int64_t> inside(dim, 0);
  for (size_t x = 1; x < dim; ++x)
    inside[x] = random.between(0, largest);
  const int64_t count = shape == 0 ? 0 : random.between(1, static_cast<int64_t>(dim * 2));
  for (int64_t c = 0; c < count; ++c) {
    const size_t i = static_cast<size_t>(random.between(0, static_cast<int64_t>(dim) - 1));
    const size_t j = static_cast<size_t>(random.between(0, static_cast<int64_t>(dim) - 1));
    if (i == j)
      continue;
    const int64_t difference = inside[i] - inside[j];
    if (shape <= 2)
      system.require(i, j, randomLimit(random, largest));
    else if (shape <= 5)
      system.requireEqual(i, j, difference);
    else
      system.require(i, j, {difference + random.between(0, largest / 2 + 1), random.chance(40)});
  }
  return reference::solve(system);
}

reference::Constants randomConstants(Random& random, size_t dim, int64_t largest) {
  reference::Constants constants(dim, 0);
  for (size_t x = 1; x < dim; ++x) {
    if (random.chance(20))
      constants[x] = std::nullopt;
    else
      constants[x] = random.between(0, largest);
  }
  return constants;
}

ClockBounds asClockBounds(const reference::Constants& lower, const reference::Constants& upper) {
  std::vector<int32_t> l;
  std::vector<int32_t> u;
  for (size_t x = 0; x < lower.size(); ++x) {
    l.push_back(lower[x] ? static_cast<int32_t>(*lower[x]) : noBound);
    u.push_back(upper[x] ? static_cast<int32_t>(*upper[x]) : noBound);
  }
  return {l, u};
}

std::vector<Rational> randomPoint(Random& random, size_t dim, int64_t largest, int64_t denominator) {
  std::vector<Rational> point(dim);
  for (size_t x = 1; x < dim; ++x)
    point[x] = Rational(random.between(0, largest * denominator), denominator);
  return point;
}

std::vector<Rational> randomPointNear(Random& random, const reference::Zone& zone, int64_t largest,
                                      int64_t denominator) {
  std::vector<Rational> point;
  for (int tries = 0; tries < 8; ++tries) {
    point = randomPoint(random, zone.dim, largest, denominator);
    if (zone.contains(point))
      break;
  }
  return point;
}

} // namespace test
} // namespace tioc::zones
