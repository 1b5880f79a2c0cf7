#include "runtime/testgen/digital_emit.hpp"

#include "runtime/testgen/goals.hpp"

#include <algorithm>

namespace tioc::testgen {

using ir::AwaitBranch;
using ir::AwaitNode;
using ir::TestNodeId;
using ir::Verdict;

namespace {

const char* const kIgnored = "the system may have ignored an input, which the model allows";

/// Whether the branch is about the instant of the tick that ends the wait.
bool isLast(const AwaitBranch& branch) {
  return branch.from.time == branch.to.time;
}

} // namespace

TestNodeId DigitalEmitter::add(ir::TestNode node) {
  test_.nodes.push_back(std::move(node));
  return TestNodeId(test_.nodes.size() - 1);
}

TestNodeId DigitalEmitter::verdict(Verdict verdict, std::string reason) {
  for (size_t i = 1; i < test_.nodes.size(); ++i)
    if (const auto* known = std::get_if<ir::VerdictNode>(&test_.nodes[i]);
        known && known->verdict == verdict && known->reason == reason)
      return TestNodeId(i);
  return add(ir::VerdictNode{verdict, std::move(reason)});
}

std::vector<ir::Covered> DigitalEmitter::covered(const std::vector<ir::EdgeId>& edges) const {
  std::vector<ir::Covered> result;
  for (ir::EdgeId id : edges)
    result.push_back({describe(model_, id), model_[id].span});
  return result;
}

ir::TestCase DigitalEmitter::emit(const DigitalTree& tree) {
  test_ = {};
  // The root comes first and is written last.
  test_.nodes.emplace_back();
  emit(graph_.start(), tree, 0);
  test_.nodes[0] = std::move(test_.nodes.back());
  test_.nodes.pop_back();
  return std::move(test_);
}

TestNodeId DigitalEmitter::emit(Node node, const DigitalTree& tree, uint32_t seen) {
  switch (tree.kind) {
  case DigitalTree::Kind::Stop:
    return verdict(Verdict::Pass, "everything that was seen is allowed");
  case DigitalTree::Kind::Send: {
    const KnowledgeGraph::Input& input = graph_[node].inputs[tree.input];
    const TestNodeId next = emit(input.behind, tree.next[0], seen);
    return add(ir::SendNode{input.message.channel, *input.message.values, {}, covered(input.edges), next});
  }
  case DigitalTree::Kind::Wait:
    break;
  }
  return wait(node, tree, seen);
}

AwaitBranch DigitalEmitter::branch(const KnowledgeGraph::Output& output, TestNodeId next) {
  AwaitBranch result;
  result.channel = output.message.channel;
  std::vector<ir::ExprId> guard;
  if (output.message.values)
    for (uint32_t i = 0; i < output.message.values->size(); ++i) {
      const ir::ExprId value = (*output.message.values)[i];
      guard.push_back(model_.exprs.equal(model_.exprs.local(i, model_.exprs.type(value)), value));
    }
  result.guard = model_.exprs.conjunction(guard);
  result.covers = covered(output.edges);
  result.next = output.legal == Legal::Yes ? next : verdict(Verdict::Inconclusive, kIgnored);
  return result;
}

/// An output at the very instant of the next tick.
AwaitBranch DigitalEmitter::atInstant(const KnowledgeGraph::Output& output, TestNodeId next, uint32_t seen) {
  AwaitBranch result = branch(output, next);
  result.from = result.to = {tick(seen + 1), false};
  return result;
}

std::vector<KnowledgeGraph::Output> DigitalEmitter::anyOutput(Legal legal) const {
  std::vector<KnowledgeGraph::Output> result;
  for (uint32_t i = 0; i < model_.channels.size(); ++i)
    if (ir::isObservable(model_.channels[i]) && i != tick_.value)
      result.push_back({{ir::ChannelId(i), std::nullopt}, legal, KnowledgeGraph::kNone, {}});
  return result;
}

TestNodeId DigitalEmitter::wait(Node node, const DigitalTree& tree, uint32_t seen) {
  const KnowledgeGraph::Knowledge& at = graph_[node];
  AwaitNode result;
  size_t child = at.tick == Legal::Yes ? 1 : 0;
  for (const KnowledgeGraph::Output& output : at.outputs) {
    const bool legal = output.legal == Legal::Yes;
    AwaitBranch one = branch(output, legal ? emit(output.behind, tree.next[child], seen) : TestNodeId());
    child += legal ? 1 : 0;
    if (seen > 0)
      one.from = {tick(seen), false};
    one.to = {tick(seen + 1), true};
    result.branches.push_back(std::move(one));
  }
  result.until = tick(seen + 1);
  if (at.tick == Legal::Yes) {
    const TestNodeId next = emit(at.behindTick, tree.next[0], seen + 1);
    if (joinChain(result, next))
      return add(std::move(result));
    result.timeout = next;
    addLast(result, at.behindTick, tree.next[0], next, seen);
  } else if (at.tick == Legal::IfIgnored) {
    result.timeout = verdict(Verdict::Inconclusive, kIgnored);
    for (const KnowledgeGraph::Output& output : anyOutput(Legal::IfIgnored))
      result.branches.push_back(atInstant(output, {}, seen));
  } else {
    result.timeout =
        verdict(Verdict::Fail, "no output that the model allows came before tick " + std::to_string(seen + 1));
  }
  return add(std::move(result));
}

/// At the very instant of a tick the tick is seen first: an output then is one behind it.
void DigitalEmitter::addLast(AwaitNode& await, Node behindTick, const DigitalTree& then, TestNodeId next,
                             uint32_t seen) {
  if (then.kind == DigitalTree::Kind::Wait) {
    for (AwaitBranch one : std::get<AwaitNode>(test_.nodes[next.value]).branches)
      if (!isLast(one)) {
        one.from = one.to = {tick(seen + 1), false};
        await.branches.push_back(std::move(one));
      }
    return;
  }
  for (const KnowledgeGraph::Output& output :
       graph_[behindTick].known ? graph_[behindTick].outputs : anyOutput(Legal::Yes))
    await.branches.push_back(
        atInstant(output,
                  then.kind == DigitalTree::Kind::Stop
                      ? next
                      : verdict(Verdict::Inconclusive, "an output came at the instant of an input"),
                  seen));
}

/// D, section 5.2: two waits that allow the same and lead to the same nodes are one that is a tick longer.
bool DigitalEmitter::joinChain(AwaitNode& first, TestNodeId next) {
  const auto* second = std::get_if<AwaitNode>(&test_.nodes[next.value]);
  if (!second)
    return false;
  const auto plain = static_cast<size_t>(std::find_if(second->branches.begin(), second->branches.end(), isLast) -
                                         second->branches.begin());
  if (plain != first.branches.size())
    return false;
  for (size_t i = 0; i < plain; ++i) {
    const AwaitBranch &a = first.branches[i], &b = second->branches[i];
    if (a.channel != b.channel || a.guard != b.guard || a.next != b.next)
      return false;
  }
  // The second wait was made for this one, as the last node.
  AwaitNode joined = std::move(std::get<AwaitNode>(test_.nodes[next.value]));
  for (size_t i = 0; i < plain; ++i) {
    joined.branches[i].from = first.branches[i].from;
    for (ir::Covered& covers : first.branches[i].covers)
      if (std::none_of(joined.branches[i].covers.begin(), joined.branches[i].covers.end(),
                       [&](const ir::Covered& known) { return known.what == covers.what; }))
        joined.branches[i].covers.push_back(std::move(covers));
  }
  first = std::move(joined);
  test_.nodes.pop_back();
  return true;
}

} // namespace tioc::testgen
