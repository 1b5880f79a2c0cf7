#include "runtime/execute/ests_walk.hpp"

#include <algorithm>

namespace tioc::execute {

using ir::Rational;
using semantics::EstsState;
using Input = semantics::EstsConcrete::Input;

EstsWalk::EstsWalk(const ir::Model& model, uint64_t seed, Strategy strategy, semantics::EstsOptions options)
    : model_(model), network_(model_), concrete_(network_, std::move(options)),
      chance_([this] { return dice_.next(); }), dice_(seed), strategy_(strategy), taken_(model_.edges.size()) {}

semantics::EstsConcrete::Sink EstsWalk::keep() {
  return [this](EstsState&& state, std::vector<ir::EdgeId>&& trace) {
    state_ = std::move(state);
    outputs_ = std::move(state_.pending);
    state_.pending.clear();
    state_.now = state_.busy; // the environment's turn
    for (ir::EdgeId edge : trace)
      taken_[edge.value] = true;
    trace_ = std::move(trace);
  };
}

bool EstsWalk::start() {
  bool started = false;
  concrete_.start(dice_.next(), chance_, [&](EstsState&& state, std::vector<ir::EdgeId>&& trace) {
    started = true;
    keep()(std::move(state), std::move(trace));
  });
  return started && !problem();
}

/// Leaves what was done least often here.
void EstsWalk::guide() {
  const auto times = [&](ir::EdgeId edge) {
    const auto it = done_.find({state_.at, edge});
    return it == done_.end() ? 0 : it->second;
  };
  uint32_t least = times({});
  for (const Input& input : inputs_)
    least = std::min(least, times(input.edge));
  mayWait_ = times({}) == least;
  std::erase_if(inputs_, [&](const Input& input) { return times(input.edge) != least; });
}

/// Weights are normalised over what is possible; nothing: a wait, which weighs as much as one edge.
const Input* EstsWalk::choose() {
  mayWait_ = true;
  if (strategy_ == Strategy::Coverage)
    guide();
  Rational sum = mayWait_ ? 1 : 0;
  for (const Input& input : inputs_)
    sum = sum + model_[input.edge].weight;
  // Weights are exact; chance needs no more parts than this.
  constexpr uint64_t kParts = 1 << 20;
  Rational pick = sum * Rational(static_cast<int64_t>(dice_.below(kParts)), kParts);
  for (const Input& input : inputs_) {
    if (pick < model_[input.edge].weight)
      return &input;
    pick = pick - model_[input.edge].weight;
  }
  return nullptr;
}

void EstsWalk::wait(const std::optional<Rational>& due) {
  constexpr int64_t kParts = 4, kForever = 10;
  const Rational most = due ? *due - state_.now : Rational(kForever);
  // Who looks for something new waits until it comes, mostly.
  const bool whole = strategy_ == Strategy::Coverage && dice_.chance(80);
  const auto part = whole ? kParts : static_cast<int64_t>(dice_.below(kParts + 1));
  state_.now = state_.now + most * Rational(part, kParts);
  if (due && part == kParts)
    concrete_.wake(state_, chance_, keep());
}

std::vector<eval::Value> EstsWalk::values(const Input& input) const {
  const eval::Layout& layout = concrete_.layout();
  const eval::Slot* slot = input.message.data();
  std::vector<eval::Value> values;
  for (const ir::Member& parameter : model_[input.channel].parameters) {
    values.push_back(layout.load(parameter.type, slot));
    slot += layout.sizeOf(parameter.type);
  }
  return values;
}

bool EstsWalk::step() {
  outputs_.clear();
  trace_.clear();
  const std::optional<Rational> due = concrete_.nextTimeout(state_);
  concrete_.inputs(state_, dice_.next(), inputs_);
  input_.reset();
  const Input* input = choose();
  if (strategy_ == Strategy::Coverage)
    ++done_[{state_.at, input ? input->edge : ir::EdgeId()}];
  if (input) {
    input_ = *input;
    concrete_.receive(state_, *input, chance_, keep());
  } else {
    wait(due);
  }
  return !problem();
}

} // namespace tioc::execute
