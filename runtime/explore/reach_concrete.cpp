#include "runtime/explore/reach_concrete.hpp"

#include "runtime/explore/reach_run.hpp"

#include <algorithm>

namespace tioc::explore {

using ir::EdgeId;
using ir::LocationId;
using ir::Rational;
using semantics::Deadline;
using semantics::Move;
using semantics::Readiness;

namespace {

constexpr uint64_t kMostMessages = 1'000'000;

} // namespace

ConcreteNetwork::ConcreteNetwork(const ir::Model& model)
    : model_(model), network_(model), layout_(model), messages_(network_, layout_, kMostMessages),
      at_(network_.initial().begin(), network_.initial().end()), frame_(layout_.frameSize(), 0),
      clocks_(network_.dim()) {}

bool ConcreteNetwork::holds(ir::ExprId data, const ir::Edge* edge) const {
  const eval::Result result = eval::evaluate(layout_, data, edge, frame_.data());
  return result.ok() && result.value.isTrue();
}

bool ConcreteNetwork::holds(const std::vector<ir::ClockConstraint>& constraints) const {
  return std::all_of(constraints.begin(), constraints.end(), [&](const ir::ClockConstraint& c) {
    const Rational difference = clocks_[network_.clock(c.left)] - clocks_[network_.clock(c.right)];
    const eval::Result bound = eval::evaluate(layout_, c.bound, nullptr, frame_.data());
    return bound.ok() && (c.strict ? difference < bound.value.number : difference <= bound.value.number);
  });
}

bool ConcreteNetwork::isEnabled(EdgeId id) const {
  const ir::Edge& edge = model_[id];
  return holds(edge.guard.data, &edge) && holds(edge.guard.clocks);
}

bool ConcreteNetwork::invariantsHold() const {
  return std::all_of(at_.begin(), at_.end(), [&](LocationId id) {
    return holds(model_[id].invariant.data, nullptr) && holds(model_[id].invariant.clocks);
  });
}

// ---- steps

ConcreteNetwork::Complaint ConcreteNetwork::start(std::span<const eval::Slot> variables) {
  std::copy(variables.begin(), variables.end(), frame_.begin());
  std::copy(network_.initial().begin(), network_.initial().end(), at_.begin());
  std::fill(clocks_.begin(), clocks_.end(), Rational(0));
  for (ir::VariableId id : network_.variables()) {
    const eval::Value value = layout_.load(model_[id].type, frame_.data() + layout_.offsetOf(id));
    if (!eval::fits(model_, model_[id].type, value))
      return "variable '" + model_[id].name + "' starts outside its type";
    if (!model_[id].initial.valid())
      continue;
    const eval::Result initial = eval::evaluate(layout_, model_[id].initial, nullptr, frame_.data());
    if (!initial.ok() || !(initial.value == value))
      return "variable '" + model_[id].name + "' does not start with its initial value";
  }
  for (uint32_t i = 0; i < network_.size(); ++i)
    if (!holds(model_[network_.component(i)].initialCondition, nullptr))
      return "the initial condition of '" + model_[network_.component(i)].name + "' does not hold";
  if (!invariantsHold())
    return "an invariant does not hold at the start";
  return std::nullopt;
}

ConcreteNetwork::Complaint ConcreteNetwork::wait(const Rational& delay) {
  const Delays allowed = delays();
  if (!allowed.contains(delay))
    return "a delay of " + delay.toString() + " is not possible, only up to " +
           (allowed.limit ? allowed.limit->toString() : "infinity");
  for (size_t i = 1; i < clocks_.size(); ++i)
    clocks_[i] = clocks_[i] + delay;
  if (!invariantsHold())
    return "an invariant does not hold after a delay of " + delay.toString();
  return std::nullopt;
}

/// Whether the edges step together with these values, which are in the frame.
bool ConcreteNetwork::isMove(const PathStep& step) {
  bool found = false;
  semantics::Network::Reception memory;
  const auto same = [&](std::span<const EdgeId> edges) {
    return std::equal(edges.begin(), edges.end(), step.edges.begin(), step.edges.end());
  };
  network_.forEachMove(at_, [&](const Move& move) {
    if (move.channel != step.channel)
      return;
    if (!move.broadcast) {
      found |= same(move.edges) &&
               std::all_of(move.edges.begin(), move.edges.end(), [&](EdgeId id) { return isEnabled(id); });
      return;
    }
    if (!std::all_of(move.edges.begin(), move.edges.end(), [&](EdgeId id) { return isEnabled(id); }))
      return;
    network_.forEachReception(
        at_, move, memory, [&](EdgeId id) { return isEnabled(id) ? Readiness::Yes : Readiness::No; },
        [&](const Move& joint) { found |= same(joint.edges); });
  });
  return found;
}

ConcreteNetwork::Complaint ConcreteNetwork::apply(EdgeId id) {
  const ir::Edge& edge = model_[id];
  const std::vector<Rational> before = clocks_;
  for (const ir::Reset& reset : edge.resets) {
    const eval::Result value = eval::evaluate(layout_, reset.value, &edge, frame_.data());
    if (!reset.source.valid() && !value.ok())
      return "a clock is set to what has no value";
    clocks_[network_.clock(reset.clock)] =
        reset.source.valid() ? before[network_.clock(reset.source)] : value.value.number;
  }
  if (eval::update(layout_, edge, frame_.data(), frame_.data()) != eval::Taken::Yes)
    return "an assignment has no value or leaves its range";
  at_[network_.componentOf(id)] = edge.target;
  return std::nullopt;
}

ConcreteNetwork::Complaint ConcreteNetwork::take(const PathStep& step) {
  std::copy(step.message.begin(), step.message.end(), frame_.begin() + layout_.stateSize());
  if (step.channel.valid()) {
    const eval::Slot* slot = frame_.data() + layout_.stateSize();
    for (const ir::Member& member : model_[step.channel].parameters) {
      if (!eval::fits(model_, member.type, layout_.load(member.type, slot)))
        return "a value of the message is outside its type";
      slot += layout_.sizeOf(member.type);
    }
  }
  if (step.edges.empty() || !isMove(step))
    return "the edges cannot step together here";
  for (EdgeId id : step.edges)
    if (Complaint complaint = apply(id))
      return complaint;
  if (!invariantsHold())
    return "an invariant does not hold after the step";
  return std::nullopt;
}

// ---- time

std::optional<ConcreteNetwork::Window>
ConcreteNetwork::window(std::span<const std::vector<ir::ClockConstraint>* const> constraints) const {
  Window result;
  for (const std::vector<ir::ClockConstraint>* list : constraints)
    for (const ir::ClockConstraint& c : *list) {
      const eval::Result bound = eval::evaluate(layout_, c.bound, nullptr, frame_.data());
      if (!bound.ok())
        return std::nullopt;
      const zones::Clock left = network_.clock(c.left);
      const zones::Clock right = network_.clock(c.right);
      const Rational slack = bound.value.number - (clocks_[left] - clocks_[right]);
      if ((left == 0) == (right == 0)) { // stays as it is
        if (slack.sign() < 0 || (slack.sign() == 0 && c.strict))
          return std::nullopt;
      } else if (left != 0) {
        if (!result.high || slack < *result.high || (slack == *result.high && c.strict)) {
          result.high = slack;
          result.highOpen = c.strict;
        }
      } else if (-slack > result.low || (-slack == result.low && c.strict)) {
        result.low = -slack;
        result.lowOpen = c.strict;
      }
    }
  const bool empty =
      result.high && (*result.high < result.low || (*result.high == result.low && (result.lowOpen || result.highOpen)));
  return empty ? std::nullopt : std::optional(result);
}

bool ConcreteNetwork::isReady(const Deadline& deadline) {
  const auto& plan =
      messages_.plan(model_[deadline.edges[0]].channel, deadline.edges, semantics::Messages::By::Deadline, false);
  bool found = false;
  messages_.forEach(plan, frame_.data(), [&] {
    found = std::all_of(deadline.edges.begin(), deadline.edges.end(), [&](EdgeId id) {
      const ir::Edge& edge = model_[id];
      return holds(edge.deadline ? edge.deadline->data : edge.guard.data, &edge);
    });
    return !found;
  });
  return found;
}

Delays ConcreteNetwork::delays() {
  Delays result;
  if (network_.stopsTime(at_))
    result.atMost(0, false);
  for (LocationId id : at_) {
    const std::vector<ir::ClockConstraint>* const invariant = &model_[id].invariant.clocks;
    if (const auto allowed = window({&invariant, 1}); allowed && allowed->high)
      result.atMost(*allowed->high, allowed->highOpen);
  }
  network_.forEachDeadline(at_, [&](const Deadline& deadline) {
    std::vector<const std::vector<ir::ClockConstraint>*> constraints;
    for (EdgeId id : deadline.edges)
      constraints.push_back(model_[id].deadline ? &model_[id].deadline->clocks : &model_[id].guard.clocks);
    const auto chance = window(constraints);
    if (!chance || !isReady(deadline))
      return;
    if (deadline.urgency == ir::Urgency::Eager)
      result.atMost(chance->low, false);
    else if (chance->high)
      result.atMost(*chance->high, chance->highOpen);
  });
  for (uint32_t i = 0; i < network_.size(); ++i)
    if (network_.hasLocationDeadlines(i))
      limitByLocation(i, result);
  return result;
}

/// A, definition 8: until the last edge that can still fire, if that is an output.
void ConcreteNetwork::limitByLocation(uint32_t component, Delays& delays) {
  const auto endsLater = [](const Window& a, const Window& b) {
    return b.high && (!a.high || *a.high > *b.high || (*a.high == *b.high && b.highOpen && !a.highOpen));
  };
  std::optional<Window> output, input; // those that end last
  for (EdgeId id : network_.edges(at_[component])) {
    const ir::Edge& edge = model_[id];
    const std::vector<ir::ClockConstraint>* const guard = edge.deadline ? &edge.deadline->clocks : &edge.guard.clocks;
    const auto chance = window({&guard, 1});
    if (!chance || !isReady({ir::Urgency::Delayable, {&id, 1}}))
      continue;
    std::optional<Window>& last = network_.visibility(edge) == semantics::Visibility::Output ? output : input;
    if (!last || endsLater(*chance, *last))
      last = chance;
  }
  if (output && output->high && !(input && endsLater(*input, *output)))
    delays.atMost(*output->high, output->highOpen);
}

std::optional<std::string> validateRun(const ir::Model& model, const TimedRun& run) {
  ConcreteNetwork network(model);
  if (auto complaint = network.start(run.initial))
    return complaint;
  for (size_t i = 0; i < run.steps.size(); ++i) {
    const std::string place = "step " + std::to_string(i + 1) + ": ";
    if (auto complaint = network.wait(run.steps[i].delay))
      return place + *complaint;
    if (auto complaint = network.take(run.steps[i].step))
      return place + *complaint;
  }
  if (auto complaint = network.wait(run.delay))
    return "at the end: " + *complaint;
  return std::nullopt;
}

} // namespace tioc::explore
