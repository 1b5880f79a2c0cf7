#include "runtime/conformance/tiosts_tracker.hpp"

#include "runtime/execute/executor.hpp"

#include <algorithm>

namespace tioc::conformance {

using ir::Rational;
using semantics::ConcreteState;
using semantics::SymbolicState;
using semantics::Visibility;
using semantics::Window;
using Result = FlatNetwork::Result;

TiostsTracker::TiostsTracker(const ir::Model& model, TrackLimits limits, const solver::Options& options)
    : model_(model), network_(model_), flat_(network_), symbolic_(tiostsSpecification(model_, options), limits),
      rows_(flat_.width()), next_(flat_.width()), limits_(limits), taken_(model_.edges.size()) {}

/// Takes over what the symbolic states said.
Answer TiostsTracker::after(Answer answer) {
  ++counts_.symbolic;
  reason_ = symbolic_.reason();
  if (answer == Answer::No)
    return answer;
  now_ = symbolic_.now();
  for (size_t i = 0; i < taken_.size(); ++i)
    taken_[i] = taken_[i] || symbolic_.taken()[i];
  toConcrete();
  return answer;
}

Answer TiostsTracker::start() {
  now_ = 0;
  nowTicks_ = 0;
  closed_ = false;
  concrete_ = flat_.isUsable() && flat_.start(rows_) == Result::Done;
  if (!concrete_)
    return after(symbolic_.start());
  ++counts_.concrete;
  reason_.clear();
  return Answer::Yes;
}

void TiostsTracker::accept() {
  std::swap(rows_, next_);
  for (ir::EdgeId edge : flat_.edges())
    taken_[edge.value] = true;
  ++counts_.concrete;
}

Answer TiostsTracker::wait(const Rational& time) {
  if (concrete_) {
    Rows* const sets[] = {&rows_};
    const int64_t before = nowTicks_;
    const int64_t length = flat_.ticksPerUnit();
    const std::optional<int64_t> ticks = flat_.ticks(time, sets);
    if (ticks && length != flat_.ticksPerUnit())
      nowTicks_ = before * (flat_.ticksPerUnit() / length);
    if (ticks && *ticks == nowTicks_ && closed_)
      return Answer::Yes;
    const bool done = ticks && flat_.wait(rows_, *ticks - nowTicks_, next_) == Result::Done;
    if (done && next_.size() > 0 && next_.size() <= limits_.states) {
      accept();
      now_ = time;
      nowTicks_ = *ticks;
      closed_ = true;
      return Answer::Yes;
    }
    const bool refused = done && next_.size() == 0;
    toSymbolic();
    const Answer answer = after(symbolic_.wait(time));
    counts_.contradicted += refused && answer == Answer::Yes ? 1 : 0;
    return answer;
  }
  return after(symbolic_.wait(time));
}

Answer TiostsTracker::symbolically(Visibility kind, ir::ChannelId channel, const std::vector<eval::Value>& values) {
  return after(kind == Visibility::Output ? symbolic_.output(channel, values) : symbolic_.input(channel, values));
}

/// Unobservable steps that take no time are in. False: not with concrete states.
bool TiostsTracker::close() {
  if (closed_)
    return true;
  if (flat_.wait(rows_, 0, next_) == Result::Open || next_.size() > limits_.states)
    return false;
  accept();
  return closed_ = true;
}

Answer TiostsTracker::observe(Visibility kind, ir::ChannelId channel, const std::vector<eval::Value>& values) {
  if (!concrete_)
    return symbolically(kind, channel, values);
  bool refused = false;
  if (close() && flat_.observe(rows_, kind, channel, values, next_) == Result::Done && next_.size() <= limits_.states) {
    if (next_.size() > 0) {
      accept();
      closed_ = false;
      return Answer::Yes;
    }
    refused = true;
  }
  toSymbolic();
  const Answer answer = symbolically(kind, channel, values);
  counts_.contradicted += refused && answer == Answer::Yes ? 1 : 0;
  return answer;
}

Answer TiostsTracker::output(ir::ChannelId channel, const std::vector<eval::Value>& values) {
  return observe(Visibility::Output, channel, values);
}

Answer TiostsTracker::input(ir::ChannelId channel, const std::vector<eval::Value>& values) {
  return observe(Visibility::Input, channel, values);
}

// ---- concrete and symbolic states

void TiostsTracker::toSymbolic() {
  semantics::Symbols& symbols = symbolic_.specification().symbols();
  const eval::Layout& layout = flat_.concrete().layout();
  std::vector<SymbolicState> states;
  for (size_t i = 0; i < rows_.size(); ++i) {
    const ConcreteState concrete = flat_.state(rows_[i]);
    SymbolicState state;
    state.at = concrete.locations;
    for (ir::VariableId id : network_.variables())
      state.store.push_back(symbols.terms().constant(
          model_[id].type, layout.load(model_[id].type, concrete.variables.data() + layout.offsetOf(id))));
    for (const Rational& clock : concrete.clocks)
      state.since.push_back({0, -clock, {}});
    states.push_back(std::move(state));
  }
  symbolic_.resume(std::move(states), now_);
  concrete_ = false;
}

void TiostsTracker::toConcrete() {
  if (!flat_.isUsable() || !symbolic_.isConcrete())
    return;
  semantics::Symbols& symbols = symbolic_.specification().symbols();
  const eval::Layout& layout = flat_.concrete().layout();
  rows_.clear();
  Rows* const none[] = {&rows_};
  const std::optional<int64_t> ticks = flat_.ticks(now_, none);
  if (!ticks)
    return;
  for (const SymbolicState& symbolic : symbolic_.states()) {
    ConcreteState state;
    state.locations = symbolic.at;
    state.variables.resize(layout.stateSize());
    for (size_t i = 0; i < symbolic.store.size(); ++i) {
      const ir::VariableId id = network_.variables()[i];
      const eval::Result value = symbols.terms().evaluate(symbolic.store[i], {});
      if (!value.ok() || !layout.store(model_[id].type, value.value, state.variables.data() + layout.offsetOf(id)))
        return;
    }
    for (size_t i = 0; i < symbolic.since.size(); ++i) { // clock 0 is the constant zero
      state.clocks.push_back(i == 0 ? Rational() : -symbolic.since[i].offset);
      if (!flat_.ticks(state.clocks.back(), none))
        return;
    }
    if (!flat_.setRow(state, rows_.draft()))
      return;
    rows_.keep();
  }
  nowTicks_ = *flat_.ticks(now_, none);
  closed_ = false;
  concrete_ = true;
}

// ---- outlook

Outlook TiostsTracker::outlook() {
  const auto symbolically = [&] {
    if (!concrete_)
      return symbolic_.outlook();
    toSymbolic();
    concrete_ = true;
    return symbolic_.outlook();
  };
  if (!concrete_)
    return symbolically();
  struct Later {
    ConcreteState state;
    Rational time;
    bool operator==(const Later&) const = default;
  };
  std::vector<Later> work;
  for (size_t i = 0; i < rows_.size(); ++i)
    work.push_back({flat_.state(rows_[i]), now_});
  Outlook outlook;
  outlook.silence = {now_, false, now_, false};
  for (size_t i = 0; i < work.size(); ++i) {
    const Later from = work[i];
    const std::optional<Window> delays = flat_.concrete().delays(from.state);
    const auto moves = delays ? flat_.concrete().reactions(from.state, 0) : std::nullopt;
    if (!moves)
      return symbolically();
    std::optional<Rational>& end = outlook.silence.high;
    if (!delays->high) {
      end.reset();
    } else if (const Rational last = from.time + *delays->high;
               end && (last > *end || (last == *end && outlook.silence.highOpen))) {
      end = last;
      outlook.silence.highOpen = delays->highOpen;
    }
    for (const semantics::ConcreteMove& move : *moves) {
      Window window = move.window;
      window.intersect(*delays);
      if (window.isEmpty())
        continue;
      if (move.visibility == Visibility::Output) {
        window.low = from.time + window.low;
        if (window.high)
          window.high = from.time + *window.high;
        outlook.outputs.push_back({move.channel, move.edges, std::move(window), move.values,
                                   execute::showMessage(model_, move.channel, move.values)});
        continue;
      }
      if (!window.high || *window.high != window.low)
        return symbolically();
      Later next{flat_.concrete().successor(from.state, move, window.low), from.time + window.low};
      if (std::find(work.begin(), work.end(), next) != work.end())
        continue;
      if (work.size() < limits_.outlook)
        work.push_back(std::move(next));
      else
        outlook.complete = false;
    }
  }
  if (!outlook.complete)
    outlook.silence.high.reset();
  return outlook;
}

/// Inputs that chance finds; all that the solver finds where chance finds none.
std::optional<std::vector<semantics::ConcreteMove>> TiostsTracker::inputsOf(const ConcreteState& state, uint64_t seed) {
  constexpr int kTries = 12; // messages of one channel
  std::vector<ir::ChannelId> channels;
  network_.forEachMove(state.locations, [&](const semantics::Move& move) {
    if (move.visibility == Visibility::Input &&
        std::find(channels.begin(), channels.end(), move.channel) == channels.end())
      channels.push_back(move.channel);
  });
  std::vector<semantics::ConcreteMove> result;
  for (ir::ChannelId channel : channels) {
    const auto& parameters = model_[channel].parameters;
    for (int i = 0; i < (parameters.empty() ? 1 : kTries); ++i) {
      std::vector<eval::Value> values;
      for (const ir::Member& parameter : parameters)
        values.push_back(semantics::anyValue(model_, parameter.type, seed));
      auto moves = flat_.concrete().on(state, Visibility::Input, channel, values);
      if (!moves)
        return std::nullopt;
      for (semantics::ConcreteMove& move : *moves)
        if (std::none_of(result.begin(), result.end(), [&](const auto& other) { return other.edges == move.edges; }))
          result.push_back(std::move(move));
    }
  }
  return result.empty() && !channels.empty() ? flat_.concrete().inputs(state, seed) : std::optional(std::move(result));
}

std::vector<Chance> TiostsTracker::stimuli(uint64_t seed) {
  if (!concrete_)
    return symbolic_.stimuli(seed);
  std::vector<Chance> result;
  for (size_t i = 0; i < rows_.size(); ++i) {
    const ConcreteState state = flat_.state(rows_[i]);
    const std::optional<Window> delays = flat_.concrete().delays(state);
    const auto moves = delays ? inputsOf(state, seed) : std::nullopt;
    if (!moves) {
      toSymbolic();
      concrete_ = true;
      return symbolic_.stimuli(seed);
    }
    for (const semantics::ConcreteMove& move : *moves) {
      Window window = move.window;
      window.intersect(*delays);
      if (window.isEmpty())
        continue;
      window.low = now_ + window.low;
      if (window.high)
        window.high = now_ + *window.high;
      result.push_back({move.channel, move.edges, std::move(window), move.values,
                        execute::showMessage(model_, move.channel, move.values)});
    }
  }
  return result;
}

Answer TiostsTracker::quiescent() {
  if (!concrete_)
    return symbolic_.quiescent();
  const Outlook next = outlook();
  return !next.outputs.empty() ? Answer::No : next.complete ? Answer::Yes : Answer::Unknown;
}

Marks TiostsTracker::marks() const {
  return concrete_ ? Marks{0, 0, rows_.size()} : symbolic_.marks();
}

} // namespace tioc::conformance
