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

namespace {

// Unknowns of what is seen come behind those of any path.
constexpr uint32_t kSeen = 1U << 24;

} // namespace

Builder::Builder(semantics::Symbols& symbols, semantics::StepRelation& relation, Observer& observer,
                 BuildOptions options)
    : symbols_(symbols), relation_(relation), observer_(observer), options_(std::move(options)), pool_(symbols.pool()),
      project_(symbols) {}

// ---- what is seen

/// Position 0 is the time of the next event, the others are its values.
ExprId Builder::seen(uint32_t position, ir::TypeId type, const std::string& name) {
  const ExprId leaf = symbols_.unknown(kSeen + event_, position, type, name);
  if (const uint32_t id = pool_.payload(leaf); std::find(seen_.begin(), seen_.end(), id) == seen_.end())
    seen_.push_back(id);
  return leaf;
}

ExprId Builder::timeOf(uint32_t event) {
  if (event == times_.size())
    times_.push_back(symbols_.unknown(kSeen + event, 0, symbols_.model().types.real(), "time"));
  return times_[event];
}

ir::VariableId Builder::variableFor(ExprId unknown, const std::string& name) {
  const auto [it, isNew] =
      variables_.try_emplace(pool_.payload(unknown), static_cast<uint32_t>(test_.variables.size()));
  if (isNew)
    test_.variables.push_back({name, pool_.type(unknown), {}});
  return ir::VariableId(it->second);
}

/// From unknowns that were seen to variables of the test, and to the message at hand.
ExprId Builder::translate(ExprId expr) {
  return pool_.substitute(expr, [&](ExprId leaf) -> ExprId {
    if (pool_.op(leaf) != ir::Op::Parameter)
      return {};
    const auto local = std::find(message_.begin(), message_.end(), leaf);
    if (local != message_.end())
      return pool_.local(static_cast<uint32_t>(local - message_.begin()), pool_.type(leaf));
    const auto variable = variables_.find(pool_.payload(leaf));
    return variable == variables_.end() ? ExprId() : pool_.variable(ir::VariableId(variable->second), pool_.type(leaf));
  });
}

/// The term is what was seen; the witness agrees.
bool Builder::agree(SymbolicState& state, ExprId term, ExprId unknown) {
  if (pool_.op(unknown) == ir::Op::Parameter) {
    eval::Result value = symbols_.terms().evaluate(term, state.witness);
    if (value.ok())
      state.witness.set(pool_.payload(unknown), std::move(value.value));
  }
  return symbols_.assume(state, pool_.equal(term, unknown)) && symbols_.isFeasible(state);
}

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
  permissive_ = false;
  certain_ = 0;
  times_.clear();
  seen_.clear();
  variables_.clear();
  message_.clear();
  pending_.clear();
  lastOutput_.clear();
  coveredSteps_ = 0;
  known_.clear();
  std::vector<Belief> beliefs;
  for (SymbolicState& state : relation_.initial()) {
    state.witness = model_;
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
    close(beliefs, nexts);
    endsInOutput = visibility == Visibility::Output;
    rest_ = i < path_->goal ? Rest::Inconclusive : Rest::Pass;
    if (endsInOutput ? !await(beliefs, nexts) : !send(beliefs, nexts))
      return i;
    forced &= isForced_;
    if (rest_ == Rest::Inconclusive || forced)
      certain_ = i + 1;
  }
  if (endsInOutput && options_.endsAtGoal) {
    join(addVerdict(ir::Verdict::Pass, "the system did what was asked for"));
  } else {
    rest_ = Rest::Pass;
    close(beliefs, nexts);
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
  while (const std::optional<size_t> failed = follow()) {
    if (*failed < path.goal)
      return std::nullopt;
    length_ = *failed;
  }
  prune();
  return std::move(test_);
}

} // namespace tioc::testgen
