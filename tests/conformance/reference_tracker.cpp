#include "conformance/reference_tracker.hpp"

namespace tioc::conformance {

namespace reference = semantics::reference;

namespace {

reference::Value toReference(const eval::Value& value) {
  reference::Value result{value.number, {}};
  for (const eval::Value& part : value.parts)
    result.parts.push_back(toReference(part));
  return result;
}

} // namespace

ReferenceTracker::Answer ReferenceTracker::start() {
  now_ = 0;
  states_.clear();
  for (reference::State& state : network_.initialStates())
    states_.insert(std::move(state));
  return close() ? (states_.empty() ? Answer::No : Answer::Yes) : Answer::TooLarge;
}

/// Adds what unobservable steps lead to without time passing.
bool ReferenceTracker::close() {
  std::vector<reference::State> work(states_.begin(), states_.end());
  while (!work.empty()) {
    const reference::State state = std::move(work.back());
    work.pop_back();
    for (const reference::Move& move : network_.moves(state))
      if (move.label.kind == reference::Kind::Unobservable) {
        stepped_ = true;
        if (states_.insert(move.target).second)
          work.push_back(move.target);
      }
    if (states_.size() > kMost)
      return false;
  }
  return true;
}

bool ReferenceTracker::wait(const ir::Rational& delay) {
  for (ir::Rational passed; passed < delay; passed = passed + grain_) {
    States later;
    for (const reference::State& state : states_)
      if (network_.canDelay(state, grain_))
        later.insert(reference::wait(state, grain_));
    states_ = std::move(later);
    if (!close())
      return false;
  }
  return true;
}

ReferenceTracker::Answer ReferenceTracker::take(const Event& event) {
  const ir::Rational delay = event.time - now_;
  now_ = event.time;
  if (!wait(delay))
    return Answer::TooLarge;
  if (event.kind == Event::Kind::Silence || states_.empty())
    return states_.empty() ? Answer::No : Answer::Yes;
  reference::Label label{
      event.kind == Event::Kind::Output ? reference::Kind::Output : reference::Kind::Input, event.channel, {}};
  std::vector<ir::Rational> numbers{0, 1, 2};
  for (const eval::Value& value : event.values) {
    label.values.push_back(toReference(value));
    numbers.push_back(value.number);
  }
  States behind;
  for (const reference::State& state : states_)
    for (const reference::Move& move : network_.moves(state, numbers))
      if (move.label == label)
        behind.insert(move.target);
  states_ = std::move(behind);
  if (states_.empty())
    return Answer::No;
  return close() ? Answer::Yes : Answer::TooLarge;
}

} // namespace tioc::conformance
