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
// How much an input to a busy system counts: as much as a few answers to wait for.
constexpr uint64_t kHaste = 5;

} // namespace

void Search::add(SearchNode&& node, const Visit& visit) {
  if (!stopped_.empty())
    return;
  std::vector<ir::LocationId> place = node.state.at;
  place.push_back(node.purpose.at);
  const uint32_t distance = observer_.distance(node.purpose);
  const uint64_t cost = node.state.steps + kHaste * node.haste + kPurposeStep * std::min<uint64_t>(distance, 1000) +
                        kVisit * visits_[place]++;
  if (node.purpose.at.valid() && distance < nearestDistance_) {
    nearestDistance_ = distance;
    nearest_ = node.purpose.at;
  }
  const auto id = static_cast<uint32_t>(nodes_.size());
  if (observer_.mark(node.purpose) == ir::Mark::None && (!limits_.depth || node.state.steps < limits_.depth) &&
      distance < UINT32_MAX / 2)
    waiting_.emplace(cost, id);
  nodes_.push_back(std::move(node));
  if (!visit(id))
    stopped_ = "found";
}

void Search::run(const Visit& visit) {
  explore::Watch watch(limits_);
  for (SymbolicState& state : relation_.initial())
    add({UINT32_MAX, {}, std::move(state), observer_.initial()}, visit);
  std::vector<std::pair<SymbolicStep, SymbolicState>> behind;
  while (!waiting_.empty() && stopped_.empty() && !relation_.problem()) {
    if (const char* limit = watch.check(nodes_.size())) {
      stopped_ = limit;
      return;
    }
    const uint32_t id = waiting_.begin()->second;
    waiting_.erase(waiting_.begin());
    const SearchNode& from = nodes_[id];
    behind.clear();
    relation_.successors(from.state, [&](SymbolicStep&& step, SymbolicState&& state) {
      behind.emplace_back(std::move(step), std::move(state));
    });
    const bool isBusy = std::any_of(behind.begin(), behind.end(), [](const auto& next) {
      return next.first.visibility != semantics::Visibility::Input;
    });
    for (auto& [step, state] : behind) {
      const bool isHasty = isBusy && step.visibility == semantics::Visibility::Input;
      observer_.follow(from.state, from.purpose, step, std::move(state),
                       [&](SymbolicState&& next, PurposeState&& purpose) {
                         add({id, step, std::move(next), std::move(purpose), from.haste + (isHasty ? 1 : 0)}, visit);
                       });
    }
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
