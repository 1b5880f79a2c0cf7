#include "runtime/testgen/builder.hpp"

#include <algorithm>

// What the tester waits for.
namespace tioc::testgen {

using ir::ExprId;
using ir::Rational;
using ir::TestNodeId;
using semantics::SymbolicState;
using semantics::Visibility;

/// Whether a <= b holds in every run that got here, as far as can be told at once.
bool Builder::isNeverLater(ExprId a, ExprId b) {
  if (a == b)
    return true;
  const auto membersOf = [&](ExprId id, bool largest) -> const std::vector<ExprId>* {
    const auto known = extremes_.find(id);
    return known != extremes_.end() && known->second.largest == largest ? &known->second.of : nullptr;
  };
  const auto beforeB = [&](ExprId id) { return isNeverLater(id, b); };
  const auto behindA = [&](ExprId id) { return isNeverLater(a, id); };
  if (const auto* all = membersOf(a, true))
    return std::all_of(all->begin(), all->end(), beforeB);
  if (const auto* all = membersOf(b, false))
    return std::all_of(all->begin(), all->end(), behindA);
  if (const auto* one = membersOf(a, false); one && std::any_of(one->begin(), one->end(), beforeB))
    return true;
  if (const auto* one = membersOf(b, true); one && std::any_of(one->begin(), one->end(), behindA))
    return true;
  const ExprId order = project_.canonical(pool_.lessEqual(a, b));
  const auto& form = project_.linear(order);
  if (form && form->factors.empty())
    return form->constant.sign() <= 0;
  return pool_.isTrue(order) || isKnown(order) || saysOrderOnly(order);
}

/// The smallest or largest of the terms; those that cannot be it are left out.
ExprId Builder::choose(const std::vector<ExprId>& terms, bool largest) {
  std::vector<ExprId> all;
  for (ExprId term : terms)
    if (const auto known = extremes_.find(term); known != extremes_.end() && known->second.largest == largest)
      all.insert(all.end(), known->second.of.begin(), known->second.of.end());
    else
      all.push_back(term);
  std::vector<ExprId> kept;
  for (ExprId term : all) {
    const auto isCoveredBy = [&](ExprId a, ExprId b) { return largest ? isNeverLater(a, b) : isNeverLater(b, a); };
    if (std::any_of(kept.begin(), kept.end(), [&](ExprId other) { return isCoveredBy(term, other); }))
      continue;
    std::erase_if(kept, [&](ExprId other) { return isCoveredBy(other, term); });
    kept.push_back(term);
  }
  ExprId best = kept[0];
  for (size_t i = 1; i < kept.size(); ++i) {
    const ExprId less = pool_.lessEqual(best, kept[i]);
    best = largest ? pool_.ifThenElse(less, kept[i], best) : pool_.ifThenElse(less, best, kept[i]);
  }
  if (kept.size() > 1)
    extremes_[best] = {largest, std::move(kept)};
  return best;
}

/// Makes one end of a window tighter; what would be too long to read leaves it as it is, which allows more.
void Builder::narrow(ir::TimeBound& bound, ExprId term, bool strict, bool upper) {
  if (!bound.time.valid()) {
    bound = {term, strict};
  } else if (bound.time == term) {
    bound.strict |= strict;
  } else if (pool_.treeSize(bound.time) + pool_.treeSize(term) <= kLargestTerm) {
    // One flag for both: the wider reading, so that nothing legal falls out.
    bound.strict &= strict;
    bound.time = choose({bound.time, term}, !upper);
  }
}

// ---- branches

const std::vector<Conjunction>& Builder::casesOf(Next& next) {
  if (!next.cases)
    next.cases = casesOf(agreed(next)->conditions);
  return *next.cases;
}

/// One branch for each case of what is allowed; all lead to `to`.
void Builder::addBranches(TestNodeId node, ir::ChannelId channel, const std::vector<Conjunction>& cases,
                          TestNodeId to) {
  const uint32_t unknown = pool_.payload(timeOf(event_));
  for (const Conjunction& one : cases) {
    ir::AwaitBranch branch;
    branch.channel = channel;
    branch.next = to;
    std::vector<ExprId> guard;
    for (ExprId condition : one) {
      const auto& used = symbols_.terms().unknownsOf(condition);
      if (!std::binary_search(used.begin(), used.end(), unknown)) {
        guard.push_back(translate(loosen(condition)));
        continue;
      }
      const auto bound = project_.boundOf(condition, unknown);
      if (!bound)
        continue; // more is allowed than needs be
      if (bound->upper)
        narrow(branch.to, bound->term, bound->strict, true);
      if (bound->lower && bound->term != now())
        narrow(branch.from, bound->term, bound->strict, false);
    }
    branch.guard = pool_.conjunction(guard);
    windows_.emplace_back(branch.from, branch.to);
    for (ir::TimeBound* bound : {&branch.from, &branch.to})
      if (bound->time.valid())
        bound->time = translate(bound->time);
    awaitAt(node).branches.push_back(std::move(branch));
  }
}

/// The outputs that are allowed beside those of the path.
void Builder::addOthers(TestNodeId node, std::vector<Next>& nexts) {
  for (Next& next : nexts) {
    if (next.step.visibility != Visibility::Output || !agreed(next))
      continue;
    const TestNodeId to =
        rest_ == Rest::Pass
            ? addVerdict(ir::Verdict::Pass, "an answer that the model allows came in time")
            : addVerdict(ir::Verdict::Inconclusive, symbols_.model()[next.step.channel].name +
                                                        " is allowed here, but leads away from what is tested");
    messageOn(next.step.channel);
    addBranches(node, next.step.channel, casesOf(next), to);
  }
  if (permissive_) {
    const TestNodeId to = addVerdict(ir::Verdict::Inconclusive, "the model has more ways on than were followed here");
    for (uint32_t i = 0; i < symbols_.model().channels.size(); ++i)
      if (const ir::Direction direction = symbols_.model().channels[i].direction;
          direction == ir::Direction::Output || direction == ir::Direction::Inout)
        awaitAt(node).branches.push_back({ir::ChannelId(i), pool_.boolean(true), {}, {}, {}, {}, {}, to});
  }
  message_.clear();
}

/// The branches by which the path goes on, and the states behind them.
std::vector<Builder::Belief> Builder::addPath(TestNodeId node, const std::vector<Belief>& beliefs,
                                              std::vector<Next>& nexts, Conjunction& learnt) {
  std::vector<Belief> behind;
  for (Next& next : nexts) {
    if (next.step.visibility != Visibility::Output)
      continue;
    std::optional<Belief> on = onPath(beliefs, next);
    if (!on || !agreed(next))
      continue;
    const ir::Channel& channel = symbols_.model()[next.step.channel];
    const std::vector<ExprId> message = messageOn(next.step.channel);
    // A purpose may ask for more than the model does.
    next.isPath = on->state.conditions.size() == next.state.conditions.size();
    if (next.isPath) {
      on->state = *agreed(next);
      restore(on->state);
    } else if (!agreeOn(on->state, next.step, message)) {
      continue;
    }
    const std::vector<Conjunction> cases = next.isPath ? casesOf(next) : casesOf(on->state.conditions);
    addBranches(node, next.step.channel, cases, {});
    learnt = cases.size() == 1 ? cases[0] : Conjunction();
    const std::string prefix = channel.name + "_" + std::to_string(event_ + 1);
    for (ir::AwaitBranch& branch : awaitAt(node).branches)
      if (!branch.next.valid() && !branch.stamp.valid()) {
        branch.stamp = variableFor(timeOf(event_), "t" + std::to_string(event_ + 1));
        for (uint32_t i = 0; i < message.size(); ++i)
          branch.updates.push_back({variableFor(message[i], prefix + "_" + channel.parameters[i].name),
                                    pool_.local(i, pool_.type(message[i]))});
      }
    behind.push_back(std::move(*on));
  }
  return behind;
}

/// An output of the path comes next.
bool Builder::await(std::vector<Belief>& beliefs, std::vector<Next>& nexts) {
  const TestNodeId node = addNode(ir::AwaitNode{});
  join(node);
  Conjunction learnt;
  windows_.clear();
  std::vector<Belief> behind = addPath(node, beliefs, nexts, learnt);
  if (behind.empty()) {
    problem_ = "the path cannot be followed with the inputs that were chosen";
    return false;
  }
  const size_t steps = behind.back().at;
  const std::vector<ir::Covered> covers = coveredUntil(steps);
  const size_t count = awaitAt(node).branches.size();
  lastOutput_.clear();
  for (size_t i = 0; i < count; ++i) {
    awaitAt(node).branches[i].covers = covers;
    pending_.push_back({node, i});
    lastOutput_.push_back({pending_.back(), windows_[i].first, windows_[i].second});
  }
  lastOutputEvent_ = event_;
  bool bounded = false;
  const ExprId until = translate(silence(beliefs, bounded));
  addOthers(node, nexts);
  const std::vector<ir::AwaitBranch>& branches = awaitAt(node).branches;
  isForced_ = bounded && std::all_of(branches.begin(), branches.end(), [&](const ir::AwaitBranch& branch) {
                return branch.channel == branches[0].channel;
              });
  awaitAt(node).until = until;
  const TestNodeId late = bounded ? addVerdict(ir::Verdict::Fail, "no output came by the deadline")
                          : rest_ == Rest::Pass
                              ? addVerdict(ir::Verdict::Pass, "the model allows silence here")
                              : addVerdict(ir::Verdict::Inconclusive, "no output came, which the model allows");
  awaitAt(node).timeout = late;
  // Other states that agree with the same output go on beside the path.
  const ir::ChannelId channel = path_->steps[steps - 1].step.channel;
  for (Next& next : nexts)
    if (next.step.visibility == Visibility::Output && next.step.channel == channel && !next.isPath && agreed(next))
      behind.push_back({std::move(*next.agreed), {}, kOff, 0});
  markSeen(timeOf(event_));
  // Only what holds whichever way the path went on.
  if (count == 1) {
    known_.insert(known_.end(), learnt.begin(), learnt.end());
    noteFacts(behind[0].state);
  }
  ++event_;
  beliefs = std::move(behind);
  return true;
}

/// Behind the last input: whatever the model allows is right.
void Builder::finish(std::vector<Belief>& beliefs, std::vector<Next>& nexts) {
  bool bounded = false;
  const ExprId until = translate(silence(beliefs, bounded));
  const TestNodeId node = addNode(ir::AwaitNode{});
  join(node);
  addOthers(node, nexts);
  awaitAt(node).until = until;
  const TestNodeId late = bounded ? addVerdict(ir::Verdict::Fail, "no output came by the deadline")
                                  : addVerdict(ir::Verdict::Pass, "the model allows silence here");
  awaitAt(node).timeout = late;
}

} // namespace tioc::testgen
