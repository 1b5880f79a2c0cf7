#pragma once

#include "runtime/conformance/trace.hpp"
#include "runtime/execute/adapter.hpp"

#include <deque>

namespace tioc::conformance {

/// Plays a recorded run as a system in virtual time, so that a test case can judge it. Where the test does not do what
/// was done in the run, the system ends with an error that says so.
class Replay final : public execute::Adapter {
public:
  Replay(const ir::Model& model, std::vector<Event> events) : model_(model), events_(std::move(events)) {}

  std::optional<std::string> open() override;
  void close() override {}
  bool send(const std::string& line, execute::TimePoint until) override;
  execute::LineStream::Got receive(std::string& line, execute::TimePoint until) override;

private:
  void input(const execute::wire::Message& message);
  void advance(const ir::Rational& delay);
  void say(const execute::wire::Line& line);

  const ir::Model& model_;
  std::vector<Event> events_;
  size_t at_ = 0;
  ir::Rational now_;
  std::deque<std::string> lines_;
};

} // namespace tioc::conformance
