#include "vdta/regions.hpp"

#include <algorithm>
#include <utility>

namespace tioc::vdta {

Region regionOf(const std::vector<Rational>& clocks, int64_t limit) {
  Region region;
  std::set<Rational> fractions;
  for (const Rational& value : clocks)
    if (value <= Rational(limit))
      fractions.insert(value - value.floor());
  fractions.insert(0);
  for (const Rational& value : clocks) {
    const bool beyond = value > Rational(limit);
    region.whole.push_back(beyond ? limit + 1 : *value.floor().toInt64());
    region.rank.push_back(
        beyond ? 0 : static_cast<int>(std::distance(fractions.begin(), fractions.find(value - value.floor()))));
  }
  return region;
}

Region successor(const Region& region, int64_t limit) {
  Region next = region;
  const size_t count = region.whole.size();
  bool onWhole = false;
  int highest = 0;
  for (size_t i = 0; i < count; ++i)
    if (region.whole[i] <= limit) {
      onWhole |= region.rank[i] == 0;
      highest = std::max(highest, region.rank[i]);
    }
  for (size_t i = 0; i < count; ++i) {
    if (region.whole[i] > limit)
      continue;
    if (onWhole && region.rank[i] == 0 && region.whole[i] == limit)
      next.whole[i] = limit + 1; // and no fraction any more
    else if (onWhole)
      ++next.rank[i];
    else if (region.rank[i] == highest)
      ++next.whole[i], next.rank[i] = 0;
  }
  return regionOf(pointOf(next), limit);
}

std::vector<Rational> pointOf(const Region& region) {
  const int parts = *std::max_element(region.rank.begin(), region.rank.end()) + 1;
  std::vector<Rational> point;
  for (size_t i = 0; i < region.whole.size(); ++i)
    point.push_back(Rational(region.whole[i]) + Rational(region.rank[i], parts));
  return point;
}

namespace {

/// The state with its clocks at the point of their region, or of the next region.
State atRegion(State state, int64_t limit, bool next) {
  std::vector<Rational> clocks;
  for (const auto& [id, value] : state.clocks)
    if (id != 0)
      clocks.push_back(value);
  if (clocks.empty())
    return state;
  Region region = regionOf(clocks, limit);
  if (next)
    region = successor(region, limit);
  const std::vector<Rational> point = pointOf(region);
  size_t i = 0;
  for (auto& [id, value] : state.clocks)
    if (id != 0)
      value = point[i++];
  return state;
}

} // namespace

std::map<State, bool> canAccept(const Simulator& simulator, const std::vector<State>& starts, int64_t limit) {
  std::map<State, bool> accepts;
  std::map<State, std::vector<State>> before;
  std::vector<State> open, good;
  const std::vector<Signals> inputs = simulator.allInputs();
  const auto reach = [&](State state) {
    const auto [known, isNew] = accepts.try_emplace(state, false);
    if (isNew)
      open.push_back(std::move(state));
  };
  for (const State& state : starts)
    reach(atRegion(state, limit, false));
  while (!open.empty()) {
    const State state = std::move(open.back());
    open.pop_back();
    if (simulator.mark(state) == ir::Mark::Accept)
      good.push_back(state);
    if (simulator.mark(state) != ir::Mark::None)
      continue;
    const auto follow = [&](State next) {
      before[next].push_back(state);
      reach(std::move(next));
    };
    const std::vector<State> urgent = simulator.urgent(state);
    for (const State& next : urgent)
      follow(atRegion(next, limit, false));
    if (!urgent.empty())
      continue;
    for (const Signals& values : inputs)
      follow(simulator.withInputs(state, values));
    follow(atRegion(state, limit, true));
  }
  while (!good.empty()) {
    const State state = std::move(good.back());
    good.pop_back();
    if (std::exchange(accepts.at(state), true))
      continue;
    const auto known = before.find(state);
    if (known != before.end())
      good.insert(good.end(), known->second.begin(), known->second.end());
  }
  return accepts;
}

} // namespace tioc::vdta
