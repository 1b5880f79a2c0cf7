#include "runtime/conformance/replay.hpp"

namespace tioc::conformance {

namespace wire = execute::wire;
using Got = execute::LineStream::Got;

std::optional<std::string> Replay::open() {
  at_ = 0;
  now_ = 0;
  lines_.clear();
  return std::nullopt;
}

void Replay::say(const wire::Line& line) {
  lines_.push_back(wire::write(model_, line));
}

bool Replay::send(const std::string& line, execute::TimePoint) {
  const wire::Reading reading = wire::read(model_, line);
  const auto* said = std::get_if<wire::Line>(&reading);
  if (!said)
    return false;
  if (std::holds_alternative<wire::Start>(*said))
    say(wire::Ready{});
  else if (const auto* message = std::get_if<wire::Message>(said))
    input(*message);
  else if (const auto* wait = std::get_if<wire::Advance>(said))
    advance(wait->delay);
  return true;
}

Got Replay::receive(std::string& line, execute::TimePoint) {
  if (lines_.empty())
    return Got::Closed;
  line = std::move(lines_.front());
  lines_.pop_front();
  return Got::Line;
}

void Replay::input(const wire::Message& message) {
  const Event wanted{Event::Kind::Input, message.channel, message.values, now_};
  while (at_ < events_.size() && events_[at_].kind == Event::Kind::Silence && events_[at_].time <= now_)
    ++at_;
  if (at_ < events_.size() && events_[at_].kind == Event::Kind::Input && events_[at_].channel == wanted.channel &&
      events_[at_].values == wanted.values && events_[at_].time == now_) {
    ++at_;
    return;
  }
  say(wire::Error{"the trace is no run of this test: the test gives " + showEvent(model_, wanted) + " at " +
                  now_.toString() + ", the trace has " +
                  (at_ < events_.size() ? showEvent(model_, events_[at_]) + " at " + events_[at_].time.toString()
                                        : std::string("nothing more"))});
}

void Replay::advance(const ir::Rational& delay) {
  const ir::Rational until = now_ + delay;
  while (at_ < events_.size() && events_[at_].kind == Event::Kind::Silence && events_[at_].time <= until)
    ++at_;
  if (at_ < events_.size() && events_[at_].kind == Event::Kind::Output && events_[at_].time <= until) {
    const Event& event = events_[at_++];
    now_ = event.time;
    say(wire::Message{true, event.channel, event.values, now_});
    say(wire::Now{now_});
    return;
  }
  if (at_ < events_.size() && events_[at_].kind == Event::Kind::Input && events_[at_].time < until) {
    say(wire::Error{"the trace is no run of this test: it has " + showEvent(model_, events_[at_]) + " at " +
                    events_[at_].time.toString() + ", where the test waits"});
    return;
  }
  if (events_.empty() || events_.back().time < until) {
    say(wire::Error{"the trace ends at " + (events_.empty() ? now_ : events_.back().time).toString() +
                    ", before the test does"});
    return;
  }
  now_ = until;
  say(wire::Now{now_});
}

} // namespace tioc::conformance
