#include "runtime/execute/session.hpp"

#include <algorithm>

namespace tioc::execute {

using ir::Rational;
using Got = LineStream::Got;

namespace {

std::string quoted(const std::string& line) {
  constexpr size_t kMost = 200;
  std::string text;
  for (char c : line.substr(0, kMost))
    text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return "'" + text + (line.size() > kMost ? "...'" : "'");
}

} // namespace

Session::Session(const ir::Model& model, Adapter& adapter, SessionOptions options)
    : model_(model), adapter_(adapter), options_(std::move(options)) {}

bool Session::fail(std::string text) {
  trouble_ = std::move(text);
  return false;
}

bool Session::closed(Got got) {
  switch (got) {
  case Got::Closed:
    return fail("the system closed the connection");
  case Got::TooLong:
    return fail("the system sent a line of more than " + std::to_string(LineStream::kMostBytes) + " bytes");
  default:
    return fail("the system did not answer within " + std::to_string(options_.patience.count()) + " ms");
  }
}

bool Session::start() {
  if (const auto wrong = adapter_.open())
    return fail("the system cannot be reached: " + *wrong);
  const TimePoint until = Clock::now() + options_.patience;
  const bool taken = adapter_.send(wire::write(model_, wire::Start{options_.unit}), until);
  std::string line;
  // What a system says that takes no lines tells more.
  if (const Got got = adapter_.receive(line, taken ? until : Clock::now()); got != Got::Line)
    return taken || got == Got::Closed ? closed(got) : fail("the system takes no lines");
  zero_ = Clock::now();
  const wire::Reading reading = wire::read(model_, line);
  if (const auto* wrong = std::get_if<std::string>(&reading))
    return fail("bad line " + quoted(line) + ": " + *wrong);
  const auto& said = std::get<wire::Line>(reading);
  if (const auto* error = std::get_if<wire::Error>(&said))
    return fail("the system says: " + error->text);
  return std::holds_alternative<wire::Ready>(said) || fail("not ready: " + quoted(line));
}

Rational Session::now() const {
  return isVirtual() ? virtualNow_ : unitsSince(zero_, Clock::now(), *options_.unit);
}

std::optional<Rational> Session::send(ir::ChannelId channel, const std::vector<eval::Value>& values) {
  const Rational time = now();
  if (adapter_.send(wire::write(model_, wire::Message{false, channel, values, time}), Clock::now() + options_.patience))
    return time;
  lost();
  return std::nullopt;
}

/// A line could not be sent; what the system said before it went tells more.
bool Session::lost() {
  std::string line;
  const Got got = adapter_.receive(line, Clock::now());
  if (got == Got::Closed)
    return closed(got);
  return (got == Got::Line && !keep(line)) ? false : fail("the system takes no lines");
}

bool Session::keep(const std::string& line) {
  wire::Reading reading = wire::read(model_, line);
  if (const auto* wrong = std::get_if<std::string>(&reading))
    return fail("bad line " + quoted(line) + ": " + *wrong);
  auto& said = std::get<wire::Line>(reading);
  if (const auto* error = std::get_if<wire::Error>(&said))
    return fail("the system says: " + error->text);
  auto* message = std::get_if<wire::Message>(&said);
  if (!message || !message->output)
    return fail("a system does not say " + quoted(line) + " here");
  Seen seen{message->channel, std::move(message->values), now()};
  if (isVirtual()) {
    if (!message->at)
      return fail("no time in " + quoted(line));
    if (*message->at < (seen_.empty() ? virtualNow_ : seen_.back().time))
      return fail("time runs backwards in " + quoted(line));
    seen.time = std::move(*message->at);
  }
  seen_.push_back(std::move(seen));
  return true;
}

/// Lets virtual time pass. The system stops behind its first output, or at the end.
bool Session::advance(const Rational& until) {
  const TimePoint patience = Clock::now() + options_.patience;
  if (!adapter_.send(wire::write(model_, wire::Advance{until - virtualNow_}), patience))
    return lost();
  std::string line;
  for (size_t outputs = 0; outputs <= options_.outputsPerAnswer; ++outputs) {
    if (const Got got = adapter_.receive(line, patience); got != Got::Line)
      return closed(got);
    const wire::Reading reading = wire::read(model_, line);
    const auto* said = std::get_if<wire::Line>(&reading);
    if (const auto* now = said ? std::get_if<wire::Now>(said) : nullptr) {
      if (now->time > until || now->time < (seen_.empty() ? virtualNow_ : seen_.back().time) ||
          (seen_.empty() && now->time != until))
        return fail("time is at " + now->time.toString() + " after an advance to " + until.toString());
      virtualNow_ = now->time;
      return true;
    }
    if (!keep(line))
      return false;
  }
  return fail("more than " + std::to_string(options_.outputsPerAnswer) +
              " outputs before the system says how late it is");
}

Session::Next Session::await(const Rational& until, Seen& seen) {
  if (isVirtual()) {
    if (seen_.empty() && until >= virtualNow_ && !advance(until))
      return Next::Trouble;
  } else if (seen_.empty()) {
    std::string line;
    const Got got = adapter_.receive(line, instantOf(zero_, until, *options_.unit));
    if (got == Got::Nothing)
      return Next::Timeout;
    if (got != Got::Line ? !closed(got) : !keep(line))
      return Next::Trouble;
    // The tester woke up late: the line was there when the time was over.
    seen_.front().time = std::min(seen_.front().time, until);
  }
  if (seen_.empty() || seen_.front().time > until)
    return Next::Timeout;
  seen = std::move(seen_.front());
  seen_.pop_front();
  return Next::Output;
}

const Seen* Session::pending() {
  if (!isVirtual() && seen_.empty()) {
    std::string line;
    if (adapter_.receive(line, Clock::now()) == Got::Line)
      keep(line);
  }
  return seen_.empty() ? nullptr : &seen_.front();
}

} // namespace tioc::execute
