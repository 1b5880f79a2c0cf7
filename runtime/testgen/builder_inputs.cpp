#include "runtime/testgen/builder.hpp"

#include <algorithm>

// What the tester sends, and when.
namespace tioc::testgen {

using ir::ExprId;
using ir::Rational;
using ir::TestNodeId;
using semantics::SymbolicState;
using semantics::Visibility;

/// Conditions on what was seen before an input: the last output of the path must satisfy them, else the path ends
/// there.
bool Builder::require(ExprId condition) {
  const auto& form = project_.linear(condition);
  if (pool_.isTrue(condition) || saysOrderOnly(condition) ||
      (form && form->factors.empty() &&
       form->constant.sign() < (form->relation == Projection::Linear::Relation::Less ? 0 : 1)))
    return true;
  if (lastOutput_.empty())
    return true; // only inputs so far, whose times and values were chosen to suit
  const uint32_t last = pool_.payload(timeOf(lastOutputEvent_));
  const auto& used = symbols_.terms().unknownsOf(condition);
  // Events after the last output are the tester's own; their times are what it made them.
  for (uint32_t event = lastOutputEvent_ + 1; event < event_; ++event)
    if (std::binary_search(used.begin(), used.end(), pool_.payload(timeOf(event))))
      return true;
  const bool timed = std::binary_search(used.begin(), used.end(), last);
  const auto bound = timed ? project_.boundOf(condition, last) : std::nullopt;
  if (timed && !bound)
    return false;
  for (LastOutput& last : lastOutput_) {
    ir::AwaitBranch& branch = awaitAt(last.at.node).branches[last.at.branch];
    // The values of that output are its message, not yet variables.
    const auto put = [&](ExprId expr) {
      return pool_.substitute(translate(expr), [&](ExprId leaf) -> ExprId {
        if (pool_.op(leaf) == ir::Op::Variable)
          for (const ir::Update& update : branch.updates)
            if (update.variable.value == pool_.payload(leaf))
              return update.value;
        return {};
      });
    };
    if (!bound) {
      branch.guard = pool_.conjunction(branch.guard, put(loosen(condition)));
      continue;
    }
    const auto tighten = [&](ir::TimeBound& own, ir::TimeBound& written, bool upper) {
      narrow(own, bound->term, bound->strict, upper);
      written = {put(own.time), own.strict};
    };
    if (bound->upper)
      tighten(last.to, branch.to, true);
    if (bound->lower)
      tighten(last.from, branch.from, false);
  }
  return true;
}

/// When the input is due, as a term over what was seen.
bool Builder::timeToSend(const SymbolicState& behind, ExprId& until) {
  const uint32_t unknown = pool_.payload(timeOf(event_));
  for (const Conjunction& conditions : casesOf(behind.conditions)) {
    if (!symbols_.terms().allHold(conditions, behind.witness))
      continue;
    std::vector<ir::TimeBound> lowers{{now(), false}}, uppers;
    bool enforced = true;
    for (ExprId condition : conditions) {
      const auto bound = project_.boundOf(condition, unknown);
      if (!bound) {
        const auto& used = symbols_.terms().unknownsOf(condition);
        enforced &= !std::binary_search(used.begin(), used.end(), unknown) && require(condition);
        continue;
      }
      if (bound->lower && bound->term != now())
        lowers.push_back({bound->term, bound->strict});
      if (bound->upper)
        uppers.push_back({bound->term, bound->strict});
    }
    for (const ir::TimeBound& low : lowers)
      for (const ir::TimeBound& high : uppers)
        enforced &=
            require(low.strict || high.strict ? pool_.less(low.time, high.time) : pool_.lessEqual(low.time, high.time));
    if (!enforced)
      continue;
    until = instantWithin(lowers, uppers, behind.witness);
    if (pool_.treeSize(until) > kLargestTerm)
      continue;
    // Where the rest of the path needs another time, that of the model it is; what it depends on must allow it.
    const eval::Result planned = symbols_.terms().evaluate(until, behind.witness);
    const eval::Result chosen = symbols_.terms().evaluate(timeOf(event_), behind.witness);
    const eval::Result before = symbols_.terms().evaluate(now(), behind.witness);
    if (planned.ok() && chosen.ok() && before.ok() && planned.value.number != chosen.value.number) {
      until = pool_.add(std::vector<ExprId>{now(), pool_.real(chosen.value.number - before.value.number)});
      for (ExprId condition : conditions)
        enforced &= require(
            pool_.substitute(condition, [&](ExprId leaf) { return leaf == timeOf(event_) ? until : ExprId(); }));
      if (!enforced)
        continue;
    }
    known_.insert(known_.end(), conditions.begin(), conditions.end());
    return true;
  }
  problem_ = "no time for an input could be told from what the tester sees";
  return false;
}

/// An end of the interval, as the timing asks; near to it where it does not belong to the interval.
ExprId Builder::instantWithin(const std::vector<ir::TimeBound>& lowers, const std::vector<ir::TimeBound>& uppers,
                              const solver::Assignment& witness) {
  std::vector<ExprId> low, high;
  bool open = false, openAbove = false;
  for (const ir::TimeBound& bound : lowers) {
    low.push_back(bound.time);
    open |= bound.strict;
    for (const ir::TimeBound& other : uppers)
      if (other.time == bound.time)
        return bound.time;
  }
  for (const ir::TimeBound& bound : uppers) {
    high.push_back(bound.time);
    openAbove |= bound.strict;
  }
  const ExprId from = choose(low, true);
  if (high.empty())
    return open ? pool_.add(std::vector<ExprId>{from, pool_.real(options_.nearness)}) : from;
  const ExprId to = choose(high, false);
  const ExprId middle =
      pool_.multiply(std::vector<ExprId>{pool_.real(Rational(1, 2)), pool_.add(std::vector<ExprId>{from, to})});
  const bool late = isLate(event_);
  if (options_.timing == ir::Timing::Middle)
    return middle;
  if (!(late ? openAbove : open))
    return late ? to : from;
  const ExprId near =
      pool_.add(std::vector<ExprId>{late ? to : from, pool_.real(late ? -options_.nearness : options_.nearness)});
  const ExprId fits = pool_.conjunction(pool_.less(from, near), pool_.less(near, to));
  return symbols_.terms().holds(fits, witness) ? near : middle;
}

/// Whether an input is to come at the end of its time.
bool Builder::isLate(size_t event) const {
  return options_.timing == ir::Timing::Latest ||
         (options_.timing == ir::Timing::Boundary && ((options_.seed + event) & 1) != 0);
}

/// The values to send, and the state in which they and the time are chosen. What is wished for bears on this choice
/// only: the system may be where it does not hold.
bool Builder::chooseInput(const Belief& from, const Next& next, const Belief& on, ir::SendNode& input,
                          SymbolicState& wished) {
  wished = on.state;
  for (const auto& [edge, wish] : path_->steps[on.at - 1].wishes)
    if (!symbols_.assume(wished, moments_.condition(wish, from.state, next.step, edge)) ||
        !symbols_.isFeasible(wished)) {
      problem_ = "the path cannot be followed with the inputs that were chosen";
      return false;
    }
  input.channel = next.step.channel;
  const ir::Channel& channel = symbols_.model()[input.channel];
  for (uint32_t i = 0; i < next.step.values.size(); ++i) {
    const eval::Result value = symbols_.terms().evaluate(next.step.values[i], wished.witness);
    input.arguments.push_back(symbols_.terms().constant(channel.parameters[i].type, value.value));
  }
  if (!agreeOn(wished, next.step, input.arguments)) {
    problem_ = "the values that were chosen for " + channel.name + " do not suit";
    return false;
  }
  return true;
}

bool Builder::send(std::vector<Belief>& beliefs, std::vector<Next>& nexts) {
  const Next* chosen = nullptr;
  std::optional<Belief> on;
  for (const Next& next : nexts)
    if (next.step.visibility == Visibility::Input && (on = onPath(beliefs, next))) {
      chosen = &next;
      break;
    }
  if (!chosen) {
    problem_ = "the path cannot be followed with the inputs that were chosen";
    return false;
  }
  const bool isWhole = on->state.conditions.size() == chosen->state.conditions.size();
  ir::SendNode input;
  SymbolicState wished;
  ExprId until;
  if (!chooseInput(beliefs[chosen->from], *chosen, *on, input, wished) || !timeToSend(wished, until) ||
      !agreeOn(on->state, chosen->step, input.arguments))
    return false;
  const bool mayAnswer = std::any_of(nexts.begin(), nexts.end(),
                                     [](const Next& next) { return next.step.visibility == Visibility::Output; });
  isForced_ = true;
  if (mayAnswer || until != now()) {
    const TestNodeId node = addNode(ir::AwaitNode{});
    const std::vector<Pending> before = pending_;
    join(node);
    addOthers(node, nexts);
    isForced_ = awaitAt(node).branches.empty();
    awaitAt(node).until = translate(until);
    // With nothing to wait for, the way leads past it; it is pruned in the end.
    if (awaitAt(node).branches.empty() && until == now() && !before.empty())
      pending_ = before;
    else
      pending_.push_back({node, kOff});
  }
  permissive_ |= mayRefuse(beliefs, nexts, input.channel, until);
  std::vector<Belief> behind;
  for (Next& next : nexts) {
    // The purpose may have asked for more than the model does.
    if ((&next == chosen && isWhole) || next.step.visibility != Visibility::Input || next.step.channel != input.channel)
      continue;
    if (agreeOn(next.state, next.step, input.arguments) && isPossibleAt(next.state, until))
      behind.push_back({std::move(next.state), {}, kOff, 0});
  }
  input.stamp = variableFor(timeOf(event_), "t" + std::to_string(event_ + 1));
  input.covers = coveredUntil(on->at);
  behind.insert(behind.begin(), std::move(*on));
  const TestNodeId node = addNode(std::move(input));
  join(node);
  pending_.push_back({node, kOff});
  markSeen(timeOf(event_));
  for (ExprId condition : givenAt(until))
    known_.push_back(project_.canonical(condition));
  noteFacts(behind[0].state);
  ++event_;
  beliefs = std::move(behind);
  return true;
}

} // namespace tioc::testgen
