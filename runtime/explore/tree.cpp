#include "runtime/explore/tree.hpp"

#include <algorithm>

namespace tioc::explore {

using semantics::SymbolicState;
using semantics::SymbolicStep;

Tree::Tree(semantics::Symbols& symbols, semantics::StepRelation& relation, const semantics::Network& network,
           TreeOptions options)
    : symbols_(symbols), relation_(relation), options_(std::move(options)),
      inclusion_(symbols, network, relation.time()) {}

bool Tree::isLooping(uint32_t node, const std::vector<ir::EdgeId>& edges) const {
  uint32_t count = 0;
  for (; node != UINT32_MAX && nodes_[node].parent != UINT32_MAX; node = nodes_[node].parent)
    if (nodes_[node].step.edges == edges && ++count >= options_.loops)
      return true;
  return false;
}

void Tree::add(uint32_t parent, SymbolicStep&& step, SymbolicState&& state) {
  if (!stopped_.empty())
    return;
  if (options_.loops != UINT32_MAX && parent != UINT32_MAX && isLooping(parent, step.edges)) {
    ++stats_.looped;
    return;
  }
  const auto id = static_cast<uint32_t>(nodes_.size());
  ++stats_.states;
  stats_.steps += parent != UINT32_MAX ? 1 : 0;
  stats_.uncertain += state.uncertain ? 1 : 0;
  stats_.depth = std::max(stats_.depth, state.steps);
  TreeNode node{parent, std::move(step), std::move(state), {}, false, {}};
  if (options_.inclusion && !node.state.uncertain) {
    node.coveredBy = inclusion_.find(node.state);
    if (!node.coveredBy)
      inclusion_.store(id, node.state);
  }
  if (options_.quiescence && relation_.time() == semantics::TimeKind::Symbolic)
    node.quiescent = relation_.quiescent(node.state);
  const bool tooDeep = options_.limits.depth && node.state.steps >= options_.limits.depth;
  node.open = tooDeep && !node.coveredBy;
  stats_.covered += node.coveredBy ? 1 : 0;
  const bool follow = !node.coveredBy && !tooDeep;
  nodes_.push_back(std::move(node));
  if (follow)
    waiting_.push_back(id);
  else if (!options_.keepStates)
    nodes_.back().state = {};
  if (visit_ && *visit_ && !(*visit_)(id))
    stopped_ = "found";
}

void Tree::expand(uint32_t node) {
  ++stats_.visited;
  relation_.successors(nodes_[node].state, [&](SymbolicStep&& step, SymbolicState&& state) {
    add(node, std::move(step), std::move(state));
  });
  if (!options_.keepStates)
    nodes_[node].state = {};
}

void Tree::run(const Visit& visit) {
  visit_ = &visit;
  Watch watch(options_.limits);
  for (SymbolicState& state : relation_.initial())
    add(UINT32_MAX, {}, std::move(state));
  while (!waiting_.empty() && stopped_.empty() && !relation_.problem()) {
    if (const char* limit = watch.check(stats_.states)) {
      stopped_ = limit;
      break;
    }
    uint32_t node = 0;
    if (options_.depthFirst) {
      node = waiting_.back();
      waiting_.pop_back();
    } else {
      node = waiting_.front();
      waiting_.pop_front();
    }
    expand(node);
  }
  for (uint32_t node : waiting_)
    nodes_[node].open = true;
  if (stopped_.empty() && std::any_of(nodes_.begin(), nodes_.end(), [](const TreeNode& node) { return node.open; }))
    stopped_ = "depth";
  stats_.seconds = watch.seconds();
  visit_ = nullptr;
}

} // namespace tioc::explore
