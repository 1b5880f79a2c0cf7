#include "runtime/testgen/builder.hpp"

#include <algorithm>

// What the tester waits for.
namespace tioc::testgen {

using ir::ExprId;
using ir::Rational;
using ir::TestNodeId;
using semantics::SymbolicState;
using semantics::Visibility;

ExprId Builder::choose(const std::vector<ExprId>& terms, bool largest) {
  ExprId best = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    ExprId less = pool_.lessEqual(best, terms[i]);
    if (const auto form = project_.linear(less); form && form->factors.empty())
      less = pool_.boolean(form->constant.sign() <= 0);
    else if (form && saysOrderOnly(less))
      less = pool_.boolean(true);
    else if (saysOrderOnly(pool_.lessEqual(terms[i], best)))
      less = pool_.boolean(false);
    best = largest ? pool_.ifThenElse(less, terms[i], best) : pool_.ifThenElse(less, best, terms[i]);
  }
  return best;
}

/// Makes one end of a window tighter.
void Builder::narrow(ir::TimeBound& bound, ExprId term, bool strict, bool upper) {
  if (!bound.time.valid()) {
    bound = {term, strict};
  } else if (bound.time == term) {
    bound.strict |= strict;
  } else {
    // One flag for both: the wider reading, so that nothing legal falls out.
    bound.strict &= strict;
    bound.time = choose({bound.time, term}, !upper);
  }
}

// ---- branches

/// One branch for each case of what is allowed; all lead to `to`.
Conjunction Builder::addBranches(TestNodeId node, const Next& next, const Conjunction& conditions, TestNodeId to) {
  const uint32_t unknown = pool_.payload(timeOf(event_));
  const std::vector<Conjunction> cases = casesOf(conditions);
  for (const Conjunction& one : cases) {
    ir::AwaitBranch branch;
    branch.channel = next.step.channel;
    branch.next = to;
    std::vector<ExprId> guard;
    for (ExprId condition : one) {
      const auto& used = symbols_.terms().unknownsOf(condition);
      if (!std::binary_search(used.begin(), used.end(), unknown)) {
        guard.push_back(translate(condition));
        continue;
      }
      const auto bound = project_.boundOf(condition, unknown);
      if (!bound)
        continue; // more is allowed than needs be
      const ExprId term = translate(bound->term);
      if (bound->upper)
        narrow(branch.to, term, bound->strict, true);
      if (bound->lower && bound->term != now())
        narrow(branch.from, term, bound->strict, false);
    }
    branch.guard = pool_.conjunction(guard);
    awaitAt(node).branches.push_back(std::move(branch));
  }
  return cases.size() == 1 ? cases[0] : Conjunction();
}

/// The outputs that are allowed beside those of the path.
void Builder::addOthers(TestNodeId node, const std::vector<Next>& nexts) {
  for (const Next& next : nexts) {
    if (next.step.visibility != Visibility::Output)
      continue;
    SymbolicState state = next.state;
    const ir::Channel& channel = symbols_.model()[next.step.channel];
    message_.clear();
    bool possible = agree(state, next.step.time, timeOf(event_));
    for (uint32_t i = 0; possible && i < next.step.values.size(); ++i) {
      message_.push_back(seen(i + 1, channel.parameters[i].type, channel.parameters[i].name));
      possible = agree(state, next.step.values[i], message_[i]);
    }
    if (!possible)
      continue;
    const TestNodeId to = rest_ == Rest::Pass
                              ? addVerdict(ir::Verdict::Pass, "an answer that the model allows came in time")
                              : addVerdict(ir::Verdict::Inconclusive,
                                           channel.name + " is allowed here, but leads away from what is tested");
    addBranches(node, next, state.conditions, to);
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

/// An output of the path comes next.
bool Builder::await(std::vector<Belief>& beliefs, std::vector<Next>& nexts) {
  const TestNodeId node = addNode(ir::AwaitNode{});
  join(node);
  std::vector<Belief> behind;
  size_t steps = 0;
  Conjunction learnt;
  for (const Next& next : nexts) {
    std::optional<Belief> on = onPath(beliefs, next);
    if (!on || next.step.visibility != Visibility::Output)
      continue;
    const ir::Channel& channel = symbols_.model()[next.step.channel];
    message_.clear();
    bool possible = agree(on->state, next.step.time, timeOf(event_));
    for (uint32_t i = 0; possible && i < next.step.values.size(); ++i) {
      message_.push_back(seen(i + 1, channel.parameters[i].type, channel.parameters[i].name));
      possible = agree(on->state, next.step.values[i], message_[i]);
    }
    if (!possible)
      continue;
    steps = on->at;
    learnt = addBranches(node, next, on->state.conditions, {});
    const std::vector<ExprId> message = message_;
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
  if (behind.empty()) {
    problem_ = "the path cannot be followed with the inputs that were chosen";
    return false;
  }
  const std::vector<ir::Covered> covers = coveredUntil(steps);
  const size_t count = awaitAt(node).branches.size();
  lastOutput_.clear();
  for (size_t i = 0; i < count; ++i) {
    awaitAt(node).branches[i].covers = covers;
    pending_.push_back({node, i});
  }
  lastOutput_ = pending_;
  lastOutputEvent_ = event_;
  bool bounded = false;
  const ExprId until = translate(silence(beliefs, bounded));
  addOthers(node, nexts);
  isForced_ = bounded && std::all_of(awaitAt(node).branches.begin(), awaitAt(node).branches.end(),
                                     [&](const ir::AwaitBranch& branch) {
                                       return branch.channel == awaitAt(node).branches[0].channel;
                                     });
  const ir::ChannelId channel = behind[0].at > 0 ? path_->steps[steps - 1].step.channel : ir::ChannelId();
  awaitAt(node).until = until;
  const TestNodeId late = bounded ? addVerdict(ir::Verdict::Fail, "no output came by the deadline")
                          : rest_ == Rest::Pass
                              ? addVerdict(ir::Verdict::Pass, "the model allows silence here")
                              : addVerdict(ir::Verdict::Inconclusive, "no output came, which the model allows");
  awaitAt(node).timeout = late;
  // Other states that agree with the same output go on beside the path.
  for (Next& next : nexts) {
    if (next.step.visibility != Visibility::Output || next.step.channel != channel)
      continue;
    bool possible = agree(next.state, next.step.time, timeOf(event_));
    const ir::Channel& known = symbols_.model()[channel];
    for (uint32_t i = 0; possible && i < next.step.values.size(); ++i)
      possible =
          agree(next.state, next.step.values[i], seen(i + 1, known.parameters[i].type, known.parameters[i].name));
    if (possible)
      behind.push_back({std::move(next.state), {}, kOff, 0});
  }
  // Only what holds whichever way the path went on.
  if (count == 1)
    known_.insert(known_.end(), learnt.begin(), learnt.end());
  seen_.push_back(pool_.payload(timeOf(event_)));
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
