#include "runtime/testgen/search.hpp"

#include <algorithm>
#include <random>

namespace tioc::testgen {

using semantics::SymbolicState;
using semantics::SymbolicStep;

namespace {

// How much a step of the purpose and a visit of the same place count beside a step of the system.
constexpr uint64_t kPurposeStep = 6;
constexpr uint64_t kVisit = 2;

} // namespace

void Search::add(uint32_t parent, SymbolicStep&& step, SymbolicState&& state, PurposeState&& purpose,
                 const Visit& visit) {
  if (!stopped_.empty())
    return;
  std::vector<ir::LocationId> place = state.at;
  place.push_back(purpose.at);
  const uint32_t distance = observer_.distance(purpose);
  const uint64_t cost = state.steps + kPurposeStep * std::min<uint64_t>(distance, 1000) + kVisit * visits_[place]++;
  if (purpose.at.valid() && distance < nearestDistance_) {
    nearestDistance_ = distance;
    nearest_ = purpose.at;
  }
  const auto id = static_cast<uint32_t>(nodes_.size());
  const bool follow = observer_.mark(purpose) == ir::Mark::None && (!limits_.depth || state.steps < limits_.depth) &&
                      distance < UINT32_MAX / 2;
  nodes_.push_back({parent, std::move(step), std::move(state), std::move(purpose)});
  if (follow)
    waiting_.emplace(cost, id);
  if (!visit(id))
    stopped_ = "found";
}

void Search::run(const Visit& visit) {
  explore::Watch watch(limits_);
  for (SymbolicState& state : relation_.initial())
    add(UINT32_MAX, {}, std::move(state), observer_.initial(), visit);
  while (!waiting_.empty() && stopped_.empty() && !relation_.problem()) {
    if (const char* limit = watch.check(nodes_.size())) {
      stopped_ = limit;
      return;
    }
    const uint32_t node = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    relation_.successors(nodes_[node].state, [&](SymbolicStep&& step, SymbolicState&& state) {
      const SearchNode& from = nodes_[node];
      observer_.follow(from.state, from.purpose, step, std::move(state),
                       [&](SymbolicState&& next, PurposeState&& purpose) {
                         add(node, SymbolicStep(step), std::move(next), std::move(purpose), visit);
                       });
    });
  }
}

const std::vector<uint32_t>& Search::childrenOf(uint32_t node) {
  const auto [known, isNew] = children_.try_emplace(node);
  if (isNew)
    relation_.successors(nodes_[node].state, [&](SymbolicStep&& step, SymbolicState&& state) {
      known->second.push_back(static_cast<uint32_t>(nodes_.size()));
      nodes_.push_back({node, std::move(step), std::move(state), nodes_[node].purpose});
    });
  return known->second;
}

std::optional<uint32_t> Search::along(std::span<const ir::EdgeId> edges) {
  std::vector<SymbolicState> starts = relation_.initial();
  if (starts.empty())
    return std::nullopt;
  nodes_.push_back({UINT32_MAX, {}, std::move(starts[0]), observer_.initial()});
  for (ir::EdgeId edge : edges) {
    const auto from = static_cast<uint32_t>(nodes_.size() - 1);
    std::optional<SearchNode> next;
    relation_.successors(nodes_[from].state, [&](SymbolicStep&& step, SymbolicState&& state) {
      if (next || step.edges[0] != edge)
        return;
      observer_.follow(nodes_[from].state, nodes_[from].purpose, step, std::move(state),
                       [&](SymbolicState&& behind, PurposeState&& purpose) {
                         if (!next)
                           next = SearchNode{from, step, std::move(behind), std::move(purpose)};
                       });
    });
    if (!next)
      return std::nullopt;
    nodes_.push_back(std::move(*next));
  }
  return static_cast<uint32_t>(nodes_.size() - 1);
}

std::optional<uint32_t> Search::walk(uint64_t seed, uint32_t length) {
  std::mt19937_64 random(seed);
  if (starts_.empty())
    for (SymbolicState& state : relation_.initial()) {
      starts_.push_back(static_cast<uint32_t>(nodes_.size()));
      nodes_.push_back({UINT32_MAX, {}, std::move(state), observer_.initial()});
    }
  if (starts_.empty())
    return std::nullopt;
  uint32_t at = starts_[random() % starts_.size()];
  for (uint32_t i = 0; i < length; ++i) {
    const std::vector<uint32_t>& next = childrenOf(at);
    ir::Rational sum = 0;
    const auto weightOf = [&](uint32_t node) -> const ir::Rational& {
      return symbols_.model()[nodes_[node].step.edges[0]].weight;
    };
    for (uint32_t node : next)
      sum = sum + weightOf(node);
    if (next.empty() || sum.isZero())
      break;
    // Weights are exact; chance needs no more than this many steps.
    constexpr int64_t kGrain = 1 << 20;
    ir::Rational pick = sum * ir::Rational(static_cast<int64_t>(random() % kGrain), kGrain);
    size_t chosen = 0;
    while (chosen + 1 < next.size() && pick >= weightOf(next[chosen]))
      pick = pick - weightOf(next[chosen++]);
    at = next[chosen];
  }
  return at;
}

Path Search::path(uint32_t node) const {
  Path result;
  result.end = nodes_[node].state;
  for (; nodes_[node].parent != UINT32_MAX; node = nodes_[node].parent)
    result.steps.push_back({nodes_[node].step, nodes_[nodes_[node].parent].state, nodes_[node].purpose, {}});
  std::reverse(result.steps.begin(), result.steps.end());
  result.goal = result.steps.size();
  return result;
}

} // namespace tioc::testgen
