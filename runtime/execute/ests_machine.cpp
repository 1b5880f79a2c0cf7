#include "runtime/execute/ests_machine.hpp"

namespace tioc::execute {

using semantics::EstsState;

EstsMachine::EstsMachine(const ir::Model& model, semantics::EstsOptions options)
    : model_(model), network_(model_), concrete_(network_, std::move(options)) {}

semantics::EstsConcrete::Sink EstsMachine::keep() {
  reacted_ = false;
  return [this](EstsState&& state, std::vector<ir::EdgeId>&& trace) {
    reacted_ = true;
    state_ = std::move(state);
    trace_ = std::move(trace);
  };
}

bool EstsMachine::hasFailed() {
  if (concrete_.problem())
    problem_ = *concrete_.problem();
  return concrete_.problem().has_value();
}

bool EstsMachine::start(Dice& dice) {
  concrete_.start(
      dice.next(), [&] { return dice.next(); }, keep());
  return !hasFailed() && reacted_;
}

std::optional<Outlook> EstsMachine::outlook(Dice& dice) {
  if (hasFailed())
    return std::nullopt;
  Outlook outlook;
  const auto at = [&](const ir::Rational& time) {
    semantics::Window window{time - state_.now, false, time - state_.now, false};
    outlook.delays.high = window.high;
    return window;
  };
  if (!state_.pending.empty()) {
    const EstsState::Output& output = state_.pending.front();
    outlook.steps.push_back({model_[output.edge].channel, output.values, at(output.time), 0});
  } else if (const std::optional<ir::Rational> due = concrete_.nextTimeout(state_)) {
    outlook.steps.push_back({{}, {}, at(*due), 0});
    seed_ = dice.next();
  }
  return outlook;
}

void EstsMachine::take(const Step&) {
  if (!state_.pending.empty()) {
    state_.pending.erase(state_.pending.begin());
    return;
  }
  Dice dice(seed_);
  concrete_.wake(
      state_, [&] { return dice.next(); }, keep());
}

Machine::Acceptance EstsMachine::accept(ir::ChannelId channel, const std::vector<eval::Value>& values, Dice& dice) {
  if (!concrete_.isResting(state_))
    return Acceptance::Refused;
  concrete_.receive(
      state_, channel, values, [&] { return dice.next(); }, keep());
  return hasFailed() ? Acceptance::Failed : reacted_ ? Acceptance::Taken : Acceptance::Refused;
}

} // namespace tioc::execute
