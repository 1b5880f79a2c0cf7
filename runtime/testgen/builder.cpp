#include "runtime/testgen/builder.hpp"

#include "runtime/testgen/goals.hpp"

#include "ir/passes.hpp"

#include <algorithm>

namespace tioc::testgen {

using ir::ExprId;
using ir::Rational;
using ir::TestNodeId;
using semantics::SymbolicState;
using semantics::Visibility;

Builder::Builder(semantics::Symbols& symbols, semantics::StepRelation& relation, Observer& observer, Moments& moments,
                 Projection& project, BuildOptions options)
    : symbols_(symbols), relation_(relation), observer_(observer), moments_(moments), project_(project),
      options_(std::move(options)), pool_(symbols.pool()) {}

// ---- nodes

TestNodeId Builder::addNode(ir::TestNode node) {
  test_.nodes.push_back(std::move(node));
  return TestNodeId(test_.nodes.size() - 1);
}

TestNodeId Builder::addVerdict(ir::Verdict verdict, std::string reason) {
  for (size_t i = 0; i < test_.nodes.size(); ++i)
    if (const auto* known = std::get_if<ir::VerdictNode>(&test_.nodes[i]);
        known && known->verdict == verdict && known->reason == reason)
      return TestNodeId(i);
  return addNode(ir::VerdictNode{verdict, std::move(reason)});
}

void Builder::join(TestNodeId to) {
  for (const Pending& from : pending_) {
    ir::TestNode& node = test_.nodes[from.node.value];
    if (auto* send = std::get_if<ir::SendNode>(&node))
      send->next = to;
    else if (from.branch == kOff)
      std::get<ir::AwaitNode>(node).timeout = to;
    else
      std::get<ir::AwaitNode>(node).branches[from.branch].next = to;
  }
  pending_.clear();
}

/// What the steps of the path up to `step` exercise and no node has named yet.
std::vector<ir::Covered> Builder::coveredUntil(size_t step) {
  std::vector<ir::Covered> result;
  for (; coveredSteps_ < step; ++coveredSteps_)
    for (ir::EdgeId id : path_->steps[coveredSteps_].step.edges)
      if (!ir::isImplicit(symbols_.model()[id]))
        result.push_back({describe(symbols_.model(), id), symbols_.model()[id].span});
  return result;
}

// ---- the whole

/// Drops branches that an equal one before them shadows, and nodes that no branch leads to.
void Builder::prune() {
  const auto equal = [](const ir::TimeBound& a, const ir::TimeBound& b) {
    return a.time == b.time && a.strict == b.strict;
  };
  for (ir::TestNode& node : test_.nodes)
    if (auto* await = std::get_if<ir::AwaitNode>(&node)) {
      std::vector<ir::AwaitBranch> kept;
      for (ir::AwaitBranch& branch : await->branches)
        if (std::none_of(kept.begin(), kept.end(), [&](const ir::AwaitBranch& other) {
              return other.channel == branch.channel && other.guard == branch.guard && equal(other.from, branch.from) &&
                     equal(other.to, branch.to);
            }))
          kept.push_back(std::move(branch));
      await->branches = std::move(kept);
    }
  std::vector<TestNodeId> kept(test_.nodes.size());
  std::vector<TestNodeId> order{TestNodeId(0)};
  kept[0] = TestNodeId(0);
  const auto visit = [&](TestNodeId& id) {
    if (!kept[id.value].valid()) {
      kept[id.value] = TestNodeId(order.size());
      order.push_back(id);
    }
    id = kept[id.value];
  };
  for (size_t i = 0; i < order.size(); ++i) {
    ir::TestNode& node = test_.nodes[order[i].value];
    if (auto* send = std::get_if<ir::SendNode>(&node))
      visit(send->next);
    if (auto* await = std::get_if<ir::AwaitNode>(&node)) {
      for (ir::AwaitBranch& branch : await->branches)
        visit(branch.next);
      visit(await->timeout);
    }
  }
  std::vector<ir::TestNode> nodes;
  for (TestNodeId id : order)
    nodes.push_back(std::move(test_.nodes[id.value]));
  test_.nodes = std::move(nodes);
}

/// Goes along the path. Nothing if a test could be made, else the step at which it failed.
std::optional<size_t> Builder::follow() {
  test_ = {};
  problem_.clear();
  event_ = 0;
  permissive_ = isWeak_ = false;
  certain_ = 0;
  isSeen_.clear();
  variables_.clear();
  slack_ = {};
  message_.clear();
  pending_.clear();
  lastOutput_.clear();
  coveredSteps_ = 0;
  known_.clear();
  facts_.clear();
  std::vector<Belief> beliefs;
  for (SymbolicState& state : relation_.initial()) {
    state.witness = plan_;
    beliefs.push_back({std::move(state), observer_.initial(), 0, 0});
  }
  std::vector<Next> nexts;
  bool endsInOutput = false, forced = true;
  for (size_t i = 0; i < length_; ++i) {
    const Visibility visibility = path_->steps[i].step.visibility;
    if (visibility == Visibility::Unobservable) {
      if (i < path_->goal || forced)
        certain_ = i + 1;
      continue;
    }
    endsInOutput = visibility == Visibility::Output;
    close(beliefs, nexts, {false, endsInOutput ? ir::ChannelId() : path_->steps[i].step.channel});
    rest_ = i < path_->goal ? Rest::Inconclusive : Rest::Pass;
    if (endsInOutput ? !await(beliefs, nexts) : !send(beliefs, nexts))
      return i;
    forced &= isForced_;
    if (i < path_->goal)
      isWeak_ = permissive_;
    if (rest_ == Rest::Inconclusive || forced)
      certain_ = i + 1;
  }
  if (endsInOutput && options_.endsAtGoal) {
    join(addVerdict(ir::Verdict::Pass, "the system did what was asked for"));
  } else {
    rest_ = Rest::Pass;
    close(beliefs, nexts, semantics::kNoInputs);
    finish(beliefs, nexts);
  }
  return std::nullopt;
}

std::optional<ir::TestCase> Builder::build(const Path& path) {
  path_ = &path;
  length_ = path.steps.size();
  if (!chooseModel()) {
    problem_ = "the solver could not find values for the path";
    return std::nullopt;
  }
  readPlan();
  while (const std::optional<size_t> failed = follow()) {
    if (*failed < path.goal)
      return std::nullopt;
    length_ = *failed;
  }
  prune();
  return std::move(test_);
}

} // namespace tioc::testgen
