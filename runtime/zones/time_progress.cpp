#include "runtime/zones/time_progress.hpp"

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

/// Splits every part by where the edge binds. Points in an eager guard, which cannot wait at all, go to `stuck`.
std::vector<Part> split(std::vector<Part> parts, const BindingEdge& edge, Federation& stuck) {
  const Zone before = Zone(edge.guard).down();
  const bool eager = edge.urgency == Urgency::Eager;
  const Federation limit = eager ? untilEntry(edge.guard, before) : Federation(before);
  std::vector<Part> result;
  const auto keep = [&](Part part) {
    if (!part.start.isEmpty())
      result.push_back(std::move(part));
  };
  for (Part& part : parts) {
    if (eager)
      stuck.unite(Federation(part.start).intersect(edge.guard));
    Federation bound = Federation(part.start).intersect(limit);
    if (!bound.isEmpty())
      keep({std::move(bound), Federation(part.limit).intersect(limit)});
    part.start.subtract(before);
    keep(std::move(part));
  }
  return result;
}

} // namespace

Federation timeProgress(const Federation& from, std::span<const BindingEdge> edges) {
  Federation result(from.dim());
  std::vector<Part> parts;
  parts.push_back({from, Zone::universe(from.dim())});
  for (const BindingEdge& edge : edges) {
    if (edge.guard.isOutOfRange())
      result.unite(edge.guard);
    else if (!edge.guard.isEmpty())
      parts = split(std::move(parts), edge, result);
  }
  for (Part& part : parts)
    result.unite(part.start.up().intersect(part.limit));
  return result;
}

} // namespace tioc::zones
