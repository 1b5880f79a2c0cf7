#include "runtime/testgen/digital_trees.hpp"

#include <algorithm>

namespace tioc::testgen {

using Kind = DigitalTree::Kind;

// ---- what can be known

KnowledgeGraph::KnowledgeGraph(DigitalStates& states, uint32_t depth, std::vector<ir::DataChoice> data, uint64_t seed,
                               const explore::Limits& limits)
    : states_(states), data_(std::move(data)), seed_(seed) {
  StateSet first = states_.initial();
  if (first.empty())
    return;
  start_ = add(std::move(first), {});
  explore::Watch watch(limits);
  // Nodes are added in the order of their distance from the start.
  size_t level = 0;
  for (uint32_t distance = 0; distance <= depth; ++distance) {
    const size_t end = entries_.size();
    for (; level < end; ++level) {
      const char* reached = limits.states && level >= limits.states ? "states" : watch.check(level);
      if (!reached && limits.interrupted && limits.interrupted())
        reached = "interrupted";
      if (reached) {
        stopped_ = reached;
        return;
      }
      expand(static_cast<Node>(level));
      if (states_.problem())
        return;
    }
  }
}

KnowledgeGraph::Node KnowledgeGraph::add(StateSet states, StateSet ignoring) {
  std::vector<uint32_t> key = DigitalStates::keyOf(states);
  const std::vector<uint32_t> more = DigitalStates::keyOf(ignoring);
  key.push_back(static_cast<uint32_t>(key.size()));
  key.insert(key.end(), more.begin(), more.end());
  const auto [it, isNew] = index_.try_emplace(std::move(key), static_cast<Node>(entries_.size()));
  if (isNew)
    entries_.push_back({std::move(states), std::move(ignoring), {}});
  return it->second;
}

void KnowledgeGraph::expand(Node node) {
  Outlook sure = states_.outlook(entries_[node].states, data_, seed_);
  std::vector<Message> given;
  for (const Outlook::Stimulus& input : sure.inputs)
    given.push_back(input.message);
  const Outlook ignoring = states_.outlook(entries_[node].ignoring, {}, seed_, given);
  Knowledge result;
  result.known = sure.complete && ignoring.complete;
  if (!sure.tick.empty()) {
    result.tick = Legal::Yes;
    result.behindTick = add(std::move(sure.tick), ignoring.tick);
  } else if (!ignoring.tick.empty()) {
    result.tick = Legal::IfIgnored;
  }
  for (Outlook::Step& step : sure.outputs) {
    StateSet others;
    for (const Outlook::Step& other : ignoring.outputs)
      if (other.message.agreesWith(step.message))
        others.insert(others.end(), other.behind.begin(), other.behind.end());
    result.outputs.push_back(
        {step.message, Legal::Yes, add(std::move(step.behind), states_.normal(std::move(others))), step.edges});
  }
  for (const Outlook::Step& other : ignoring.outputs)
    if (std::none_of(sure.outputs.begin(), sure.outputs.end(), [&](const Outlook::Step& step) {
          return step.message == other.message || (!step.message.values && step.message.agreesWith(other.message));
        }))
      result.outputs.push_back({other.message, Legal::IfIgnored, kNone, {}});
  for (size_t i = 0; i < sure.inputs.size(); ++i) {
    Outlook::Stimulus& input = sure.inputs[i];
    if (input.behind.empty())
      continue;
    StateSet others = std::move(input.refusing);
    const Outlook::Stimulus& other = ignoring.inputs[i];
    others.insert(others.end(), other.behind.begin(), other.behind.end());
    others.insert(others.end(), other.refusing.begin(), other.refusing.end());
    result.inputs.push_back(
        {input.message, add(std::move(input.behind), states_.normal(std::move(others))), input.edges});
  }
  entries_[node].knowledge = std::move(result);
}

// ---- trees

std::vector<KnowledgeGraph::Node> DigitalTrees::observations(Node node) const {
  std::vector<Node> result;
  const KnowledgeGraph::Knowledge& at = graph_[node];
  if (at.tick == KnowledgeGraph::Legal::Yes)
    result.push_back(at.behindTick);
  for (const KnowledgeGraph::Output& output : at.outputs)
    if (output.legal == KnowledgeGraph::Legal::Yes)
      result.push_back(output.behind);
  return result;
}

uint64_t DigitalTrees::count(Node node, uint32_t depth) {
  if (depth == 0 || !graph_[node].known)
    return 1;
  const auto it = counts_.find({node, depth});
  if (it != counts_.end())
    return it->second;
  uint64_t waiting = 1;
  for (Node next : observations(node))
    if (__builtin_mul_overflow(waiting, count(next, depth - 1), &waiting))
      waiting = kMany;
  uint64_t sum = earlyStops_ ? 1 : 0;
  const auto add = [&](uint64_t more) {
    if (__builtin_add_overflow(sum, more, &sum))
      sum = kMany;
  };
  add(waiting);
  for (const KnowledgeGraph::Input& input : graph_[node].inputs)
    add(count(input.behind, depth - 1));
  counts_[{node, depth}] = sum;
  return sum;
}

DigitalTree DigitalTrees::tree(Node node, uint32_t depth, uint64_t rank) {
  if (depth == 0 || !graph_[node].known)
    return {};
  for (uint32_t i = 0; i < graph_[node].inputs.size(); ++i) {
    const Node next = graph_[node].inputs[i].behind;
    const uint64_t trees = count(next, depth - 1);
    if (rank < trees)
      return {Kind::Send, i, {tree(next, depth - 1, rank)}};
    rank -= trees;
  }
  if (earlyStops_ && rank-- == 0)
    return {};
  DigitalTree result{Kind::Wait, 0, {}};
  for (Node next : observations(node)) {
    const uint64_t trees = count(next, depth - 1);
    result.next.push_back(tree(next, depth - 1, rank % trees));
    rank /= trees;
  }
  return result;
}

DigitalTree DigitalTrees::random(Node node, uint32_t depth, std::mt19937_64& dice) const {
  if (depth == 0 || !graph_[node].known)
    return {};
  const std::vector<KnowledgeGraph::Input>& inputs = graph_[node].inputs;
  const auto choice = static_cast<uint32_t>(dice() % (inputs.size() + 1));
  if (choice < inputs.size())
    return {Kind::Send, choice, {random(inputs[choice].behind, depth - 1, dice)}};
  DigitalTree result{Kind::Wait, 0, {}};
  for (Node next : observations(node))
    result.next.push_back(random(next, depth - 1, dice));
  return result;
}

// ---- coverage

namespace {

bool isNew(const KnowledgeGraph::Input& input, const std::set<ir::EdgeId>& covered) {
  return std::any_of(input.edges.begin(), input.edges.end(), [&](ir::EdgeId id) { return !covered.contains(id); });
}

} // namespace

uint32_t DigitalTrees::distance(Node node, uint32_t depth, const std::set<ir::EdgeId>& covered) {
  if (depth == 0 || !graph_[node].known)
    return kNever;
  const auto it = distances_.find({node, depth});
  if (it != distances_.end())
    return it->second;
  uint32_t best = kNever;
  const auto through = [&](Node next) {
    if (const uint32_t rest = distance(next, depth - 1, covered); rest != kNever)
      best = std::min(best, rest + 1);
  };
  for (const KnowledgeGraph::Input& input : graph_[node].inputs)
    if (isNew(input, covered))
      best = 1;
  if (best != 1) {
    for (const KnowledgeGraph::Input& input : graph_[node].inputs)
      through(input.behind);
    for (Node next : observations(node))
      through(next);
  }
  distances_[{node, depth}] = best;
  return best;
}

/// The shortest way to an input that covers something new, from every point that the system may lead to.
DigitalTree DigitalTrees::towards(Node node, uint32_t depth, const std::set<ir::EdgeId>& covered,
                                  std::set<ir::EdgeId>& now) {
  if (depth == 0 || !graph_[node].known)
    return {};
  const std::vector<KnowledgeGraph::Input>& inputs = graph_[node].inputs;
  const uint32_t best = distance(node, depth, covered);
  for (uint32_t i = 0; best != kNever && i < inputs.size(); ++i) {
    const bool first = best == 1 && isNew(inputs[i], covered);
    if (!first && (best == 1 || distance(inputs[i].behind, depth - 1, covered) != best - 1))
      continue;
    now.insert(inputs[i].edges.begin(), inputs[i].edges.end());
    return {Kind::Send, i, {towards(inputs[i].behind, depth - 1, covered, now)}};
  }
  DigitalTree result{Kind::Wait, 0, {}};
  for (Node next : observations(node))
    result.next.push_back(towards(next, depth - 1, covered, now));
  return result;
}

std::vector<DigitalTree> DigitalTrees::cover(std::set<ir::EdgeId>& covered) {
  std::vector<DigitalTree> result;
  while (true) {
    distances_.clear();
    if (distance(graph_.start(), depth_, covered) == kNever)
      return result;
    std::set<ir::EdgeId> now;
    result.push_back(towards(graph_.start(), depth_, covered, now));
    covered.insert(now.begin(), now.end());
  }
}

} // namespace tioc::testgen
