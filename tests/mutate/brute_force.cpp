#include "mutate/brute_force.hpp"

namespace tioc::mutate {

using conformance::TraceEvent;
using ir::Rational;
using semantics::reference::Kind;
using semantics::reference::Move;

BruteForce::BruteForce(const ir::Model& candidate, const ir::Model& specification, BruteOptions options)
    : options_(std::move(options)), candidate_(candidate), specification_(specification) {}

BruteForce::States BruteForce::closed(const Network& network, States states) {
  std::vector<State> open(states.begin(), states.end());
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    for (const Move& move : network.moves(state))
      if (move.label.kind == Kind::Unobservable && states.insert(move.target).second)
        open.push_back(move.target);
  }
  return states;
}

BruteForce::States BruteForce::later(const Network& network, States states, const Rational& delay,
                                     const Rational& step) {
  for (Rational passed = 0; passed < delay; passed = passed + step) {
    States next;
    for (const State& state : states)
      if (network.canDelay(state, step))
        next.insert(semantics::reference::wait(state, step));
    states = closed(network, std::move(next));
  }
  return states;
}

BruteForce::States BruteForce::after(const Network& network, const States& states, const Label& label) const {
  States result;
  for (const State& state : states)
    for (const Move& move : network.moves(state, numbers_))
      if (move.label == label)
        result.insert(move.target);
  return closed(network, std::move(result));
}

bool BruteForce::allTake(const States& states, const Label& label) const {
  for (const State& state : states) {
    bool takes = false;
    for (const Move& move : specification_.moves(state, numbers_))
      takes |= move.label == label;
    if (!takes)
      return false;
  }
  return true;
}

void BruteForce::push(const Node& from, const State& candidate, States specification, const Label* label) {
  Node next{candidate, std::move(specification), from.steps, from.since, from.trace, from.now};
  if (label) {
    ++next.steps;
    next.since = 0;
    next.trace += " " + from.now.toString() + " " + show(candidate_.model(), *label);
  } else {
    next.since = from.since + options_.step;
    next.now = from.now + options_.step;
  }
  if (seen_.emplace(next.candidate, next.specification).second)
    open_.push_back(std::move(next));
}

void BruteForce::tryInputs(const Node& node, const std::vector<Move>& moves) {
  std::set<Label> inputs;
  for (const State& state : node.specification)
    for (const Move& move : specification_.moves(state, numbers_))
      if (move.label.kind == Kind::Input)
        inputs.insert(move.label);
  for (const Label& label : inputs) {
    if (!allTake(node.specification, label))
      continue;
    const States next = after(specification_, node.specification, label);
    bool takes = false;
    for (const Move& move : moves)
      if (move.label == label) {
        takes = true;
        push(node, move.target, next, &label);
      }
    if (!takes)
      push(node, node.candidate, next, &label);
  }
}

void BruteForce::look(const Node& node) {
  if (node.since < options_.horizon && candidate_.canDelay(node.candidate, options_.step)) {
    States next = later(specification_, node.specification, options_.step, options_.step / Rational(options_.finer));
    if (next.empty()) {
      found_ = node.trace + " silence until " + (node.now + options_.step).toString();
      return;
    }
    push(node, semantics::reference::wait(node.candidate, options_.step), std::move(next), nullptr);
  }
  if (node.steps >= options_.depth)
    return;
  const std::vector<Move> moves = candidate_.moves(node.candidate, numbers_);
  for (const Move& move : moves) {
    if (move.label.kind == Kind::Unobservable)
      push(node, move.target, node.specification, &move.label);
    if (move.label.kind != Kind::Output)
      continue;
    States next = after(specification_, node.specification, move.label);
    if (next.empty()) {
      found_ = node.trace + " " + node.now.toString() + " " + show(candidate_.model(), move.label);
      return;
    }
    push(node, move.target, std::move(next), &move.label);
  }
  tryInputs(node, moves);
}

std::optional<std::string> BruteForce::violation() {
  States start;
  for (const State& state : specification_.initialStates())
    start.insert(state);
  start = closed(specification_, std::move(start));
  for (const State& state : candidate_.initialStates())
    open_.push_back({state, start, 0, 0, "", 0});
  // Breadth first, so that a state is met first with most steps left.
  for (size_t i = 0; i < open_.size() && !found_ && ++nodes_ <= options_.nodes; ++i) {
    const Node node = open_[i];
    look(node);
  }
  return found_;
}

std::string BruteForce::judge(const std::vector<TraceEvent>& trace) {
  Rational denominators = 1;
  for (const TraceEvent& event : trace) {
    if (!(event.time * denominators).isInteger())
      denominators = denominators * event.time.denominator();
    for (const eval::Value& value : event.values)
      numbers_.push_back(value.number);
  }
  const Rational grain = Rational(1, 4) / denominators;
  States candidate, specification;
  for (const State& state : candidate_.initialStates())
    candidate.insert(state);
  for (const State& state : specification_.initialStates())
    specification.insert(state);
  candidate = closed(candidate_, std::move(candidate));
  specification = closed(specification_, std::move(specification));
  Rational now;
  for (size_t i = 0; i < trace.size(); ++i) {
    const bool last = i + 1 == trace.size();
    const TraceEvent& event = trace[i];
    candidate = later(candidate_, std::move(candidate), event.time - now, grain);
    specification = later(specification_, std::move(specification), event.time - now, grain);
    now = event.time;
    if (event.kind == TraceEvent::Kind::Silence)
      return candidate.empty() ? "the candidate cannot wait" : !specification.empty() ? "the silence is allowed" : "";
    if (specification.empty())
      return "the specification cannot wait until " + now.toString();
    Label label{event.kind == TraceEvent::Kind::Input ? Kind::Input : Kind::Output, event.channel, {}};
    for (const eval::Value& value : event.values)
      label.values.push_back({value.number, {}});
    if (event.kind == TraceEvent::Kind::Input) {
      if (!allTake(specification, label))
        return "the specification need not take an input";
      States next;
      for (const State& state : candidate) {
        const States taken = after(candidate_, {state}, label);
        next.insert(taken.begin(), taken.end());
        if (taken.empty())
          next.insert(state);
      }
      candidate = std::move(next);
    } else {
      candidate = after(candidate_, candidate, label);
    }
    specification = after(specification_, specification, label);
    if (candidate.empty())
      return "the candidate does not do that at " + now.toString();
    if (last)
      return specification.empty() ? "" : "the output is allowed";
    if (specification.empty())
      return "the specification does not follow";
  }
  return "the trace ends with an input";
}

} // namespace tioc::mutate
