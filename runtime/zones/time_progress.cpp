#include "runtime/zones/time_predecessors.hpp"

#include <utility>

namespace tioc::zones {

namespace {

/// A set of start points that the same edges bind, and the set that their waiting must stay in.
struct Part {
  Federation start;
  Federation limit;
};

/// Where an eager guard has not been passed yet. Waiting enters the guard when the last of its lower bounds is met, so
/// up to and including that instant some clock is not above its bound; this is (down(G) \ G) ∪ entry(G) without a
/// subtraction.
Federation untilEntry(const Zone& guard, const Zone& before) {
  Federation limit(guard.dim());
  for (Clock x = 1; x < guard.dim(); ++x)
    if (guard.at(0, x) != Bound::zero()) // no delay leads to where x is 0
      limit.unite(Zone(before).constrain({x, 0, Bound::atMost(-guard.at(0, x).value())}));
  return limit;
}

/// Splits every part by where the limit binds.
std::vector<Part> split(std::vector<Part> parts, const Limit& limit, Federation& stuck) {
  std::vector<Part> result;
  const auto keep = [&](Part part) {
    if (!part.start.isEmpty())
      result.push_back(std::move(part));
  };
  for (Part& part : parts) {
    stuck.unite(Federation(part.start).intersect(limit.stuck));
    Federation bound = Federation(part.start).intersect(limit.bound);
    if (!bound.isEmpty())
      keep({bound.intersect(limit.within), Federation(part.limit).intersect(limit.within)});
    part.start.subtract(limit.bound);
    keep(std::move(part));
  }
  return result;
}

} // namespace

Limit limitOf(const BindingEdge& edge) {
  Zone before = Zone(edge.guard).down();
  if (edge.urgency == Urgency::Delayable)
    return {Federation(edge.guard.dim()), before, before};
  Federation within = untilEntry(edge.guard, before);
  return {edge.guard, before, std::move(within)};
}

Federation timeProgress(const Federation& from, std::span<const Limit> limits) {
  Federation result(from.dim());
  std::vector<Part> parts;
  parts.push_back({from, Zone::universe(from.dim())});
  for (const Limit& limit : limits)
    parts = split(std::move(parts), limit, result);
  for (Part& part : parts)
    result.unite(part.start.up().intersect(part.limit));
  return result;
}

Federation timePredecessors(const Federation& target, std::span<const Limit> limits) {
  Federation stuck(target.dim());
  std::vector<Part> parts;
  parts.push_back({Zone::universe(target.dim()), Zone::universe(target.dim())});
  for (const Limit& limit : limits)
    parts = split(std::move(parts), limit, stuck);
  Federation result = stuck.intersect(target);
  for (Part& part : parts)
    result.unite(Federation(target).intersect(part.limit).down().intersect(part.start));
  return result;
}

Federation timeProgress(const Federation& from, std::span<const BindingEdge> edges) {
  std::vector<Limit> limits;
  for (const BindingEdge& edge : edges) {
    if (edge.guard.isOutOfRange())
      return edge.guard;
    if (!edge.guard.isEmpty())
      limits.push_back(limitOf(edge));
  }
  return timeProgress(from, limits);
}

} // namespace tioc::zones
