#include "reference.hpp"

#include <utility>

namespace tioc::zones::reference {

using ir::Rational;

bool tighter(const MaybeLimit& a, const MaybeLimit& b) {
  if (!a)
    return false;
  return !b || a->value < b->value || (a->value == b->value && a->strict && !b->strict);
}

MaybeLimit plus(const MaybeLimit& a, const MaybeLimit& b) {
  if (!a || !b)
    return std::nullopt;
  return Limit{a->value + b->value, a->strict || b->strict};
}

void System::require(size_t left, size_t right, Limit limit) {
  if (left == right) {
    contradictory |= limit.value < 0 || (limit.value == 0 && limit.strict);
    return;
  }
  if (tighter(limit, at(left, right)))
    at(left, right) = limit;
}

void System::requireEqual(size_t left, size_t right, int64_t distance) {
  require(left, right, {distance, false});
  require(right, left, {-distance, false});
}

System System::without(size_t variable) const {
  System result(count - 1);
  result.contradictory = contradictory;
  const auto place = [&](size_t v) { return v < variable ? v : v - 1; };
  for (size_t i = 0; i < count; ++i) {
    for (size_t j = 0; j < count; ++j) {
      if (i == variable || j == variable)
        continue;
      if (i != j && at(i, j))
        result.require(place(i), place(j), *at(i, j));
      if (const MaybeLimit through = plus(at(i, variable), at(variable, j)))
        result.require(place(i), place(j), *through);
    }
  }
  return result;
}

namespace {

void requireClocks(System& system) {
  for (size_t x = 1; x < system.count; ++x)
    system.require(0, x, {0, false});
}

} // namespace

Zone solve(System system) {
  requireClocks(system);
  Zone zone(system.count);
  const size_t n = system.count;
  zone.empty = system.contradictory;
  for (size_t i = 0; i < n; ++i)
    system.at(i, i) = Limit{0, false};
  for (size_t k = 0; k < n && !zone.empty; ++k) {
    for (size_t i = 0; i < n; ++i)
      for (size_t j = 0; j < n; ++j)
        if (const MaybeLimit through = plus(system.at(i, k), system.at(k, j)); tighter(through, system.at(i, j)))
          system.at(i, j) = through;
    for (size_t i = 0; i < n; ++i)
      zone.empty |= tighter(system.at(i, i), Limit{0, false});
  }
  zone.limits = system.limits;
  return zone;
}

Zone solveByElimination(const System& given) {
  System system = given;
  requireClocks(system);
  Zone zone(system.count);
  for (size_t i = 0; i < system.count; ++i) {
    zone.limits[i * zone.dim + i] = Limit{0, false};
    for (size_t j = 0; j < system.count; ++j) {
      if (i == j)
        continue;
      System pair = system;
      for (size_t k = system.count; k-- > 0;)
        if (k != i && k != j)
          pair = pair.without(k);
      const size_t first = i < j ? 0 : 1;
      zone.limits[i * zone.dim + j] = pair.at(first, 1 - first);
      zone.empty |= pair.without(1).contradictory;
    }
  }
  zone.empty |= system.contradictory;
  return zone;
}

System asSystem(const Zone& zone, size_t extraVariables) {
  System system(zone.dim + extraVariables);
  system.contradictory = zone.empty;
  for (size_t i = 0; i < zone.dim; ++i)
    for (size_t j = 0; j < zone.dim; ++j)
      if (i != j && !zone.empty)
        system.at(i, j) = zone.at(i, j);
  return system;
}

bool Zone::contains(const std::vector<Rational>& point) const {
  if (empty)
    return false;
  for (size_t i = 0; i < dim; ++i) {
    for (size_t j = 0; j < dim; ++j) {
      if (i == j || !at(i, j))
        continue;
      const Rational difference = point[i] - point[j];
      const Rational limit(at(i, j)->value);
      if (difference > limit || (at(i, j)->strict && difference == limit))
        return false;
    }
  }
  return true;
}

bool operator==(const Zone& a, const Zone& b) {
  return a.dim == b.dim && a.empty == b.empty && (a.empty || a.limits == b.limits);
}

Zone universe(size_t dim) {
  return solve(System(dim));
}

Zone constrained(const Zone& zone, size_t left, size_t right, Limit limit) {
  System system = asSystem(zone);
  system.require(left, right, limit);
  return solve(system);
}

Zone intersection(const Zone& a, const Zone& b) {
  System system = asSystem(a);
  system.contradictory |= b.empty;
  for (size_t i = 0; i < a.dim; ++i)
    for (size_t j = 0; j < a.dim; ++j)
      if (i != j && !b.empty && b.at(i, j))
        system.require(i, j, *b.at(i, j));
  return solve(system);
}

namespace {

/// The zone seen from a zero that lies `variable` (the last one) away: clocks keep their distances to the old zero.
System movedOrigin(const Zone& zone) {
  System system(zone.dim + 1);
  system.contradictory = zone.empty;
  const size_t origin = zone.dim;
  const auto place = [&](size_t v) { return v == 0 ? origin : v; };
  for (size_t i = 0; i < zone.dim; ++i)
    for (size_t j = 0; j < zone.dim; ++j)
      if (i != j && !zone.empty && zone.at(i, j))
        system.require(place(i), place(j), *zone.at(i, j));
  return system;
}

} // namespace

Zone up(const Zone& zone) {
  System system = movedOrigin(zone);
  system.require(0, zone.dim, {0, false}); // the old zero is the delay, at least 0
  return solve(system.without(zone.dim));
}

Zone down(const Zone& zone) {
  System system = movedOrigin(zone);
  system.require(zone.dim, 0, {0, false});
  for (size_t x = 1; x < zone.dim; ++x)
    system.require(0, x, {0, false});
  return solve(system.without(zone.dim));
}

namespace {

/// Clock x gets what `define` requires of the new variable; its old value is forgotten.
template <class Define>
Zone assigned(const Zone& zone, size_t x, Define define) {
  System system = asSystem(zone, 1);
  const size_t fresh = zone.dim;
  define(system, fresh);
  for (size_t v = 0; v <= fresh; ++v) {
    std::swap(system.at(x, v), system.at(fresh, v));
  }
  for (size_t v = 0; v <= fresh; ++v)
    std::swap(system.at(v, x), system.at(v, fresh));
  return solve(system.without(fresh));
}

} // namespace

Zone reset(const Zone& zone, size_t x, int64_t value) {
  return assigned(zone, x, [&](System& system, size_t fresh) { system.requireEqual(fresh, 0, value); });
}

Zone copied(const Zone& zone, size_t x, size_t y) {
  return assigned(zone, x, [&](System& system, size_t fresh) { system.requireEqual(fresh, y, 0); });
}

Zone freed(const Zone& zone, size_t x) {
  return assigned(zone, x, [](System&, size_t) {});
}

bool subset(const Zone& a, const Zone& b) {
  if (a.empty || b.empty)
    return a.empty;
  for (size_t at = 0; at < a.limits.size(); ++at)
    if (tighter(b.limits[at], a.limits[at]))
      return false;
  return true;
}

namespace {

bool exceeds(const MaybeLimit& limit, const std::optional<int64_t>& constant) {
  return !limit || !constant || limit->value > *constant;
}

/// -limit > constant
bool liesBeyond(const MaybeLimit& limit, const std::optional<int64_t>& constant) {
  return limit && (!constant || -limit->value > *constant);
}

MaybeLimit beyond(const std::optional<int64_t>& constant) {
  if (!constant)
    return std::nullopt;
  return Limit{-*constant, true};
}

template <class Entry>
Zone entrywise(const Zone& zone, Entry entry) {
  if (zone.empty)
    return zone;
  System system(zone.dim);
  for (size_t i = 0; i < zone.dim; ++i)
    for (size_t j = 0; j < zone.dim; ++j)
      if (i != j)
        system.at(i, j) = entry(i, j);
  return solve(system);
}

} // namespace

Zone extraLU(const Zone& zone, const Constants& lower, const Constants& upper) {
  return entrywise(zone, [&](size_t i, size_t j) -> MaybeLimit {
    if (i != 0 && exceeds(zone.at(i, j), lower[i]))
      return std::nullopt;
    if (j != 0 && liesBeyond(zone.at(i, j), upper[j]))
      return beyond(upper[j]);
    return zone.at(i, j);
  });
}

Zone extraLUPlus(const Zone& zone, const Constants& lower, const Constants& upper) {
  return entrywise(zone, [&](size_t i, size_t j) -> MaybeLimit {
    if (i != 0 && (exceeds(zone.at(i, j), lower[i]) || liesBeyond(zone.at(0, i), lower[i])))
      return std::nullopt;
    if (j != 0 && liesBeyond(zone.at(0, j), upper[j]))
      return i == 0 ? beyond(upper[j]) : std::nullopt;
    return zone.at(i, j);
  });
}

bool inALU(const std::vector<Rational>& point, const Zone& zone, const Constants& lower, const Constants& upper) {
  if (zone.empty)
    return false;
  // The simulating point agrees with `point` on each clock, or lies below it but above L, or lies above it where it
  // is above U already. Both conditions together are an interval around each coordinate; scaled, they are limits.
  int64_t scale = 1;
  while (true) {
    bool integral = true;
    for (const Rational& value : point)
      integral &= (value * Rational(scale)).isInteger();
    if (integral)
      break;
    ++scale;
  }
  System system(zone.dim);
  for (size_t i = 0; i < zone.dim; ++i)
    for (size_t j = 0; j < zone.dim; ++j)
      if (i != j && zone.at(i, j))
        system.require(i, j, {zone.at(i, j)->value * scale, zone.at(i, j)->strict});
  for (size_t x = 1; x < zone.dim; ++x) {
    const int64_t value = *(point[x] * Rational(scale)).toInt64();
    if (!lower[x])
      system.require(0, x, {0, false});
    else if (value > *lower[x] * scale)
      system.require(0, x, {-*lower[x] * scale, true});
    else
      system.require(0, x, {-value, false});
    if (upper[x] && value <= *upper[x] * scale)
      system.require(x, 0, {value, false});
  }
  return !solve(system).empty;
}

std::string toString(const Zone& zone) {
  if (zone.empty)
    return "empty";
  std::string text;
  for (const MaybeLimit& limit : zone.limits)
    text += limit ? (limit->strict ? "<" : "<=") + std::to_string(limit->value) + " " : "inf ";
  return text;
}

} // namespace tioc::zones::reference
