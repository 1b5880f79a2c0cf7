#pragma once

#include "runtime/execute/machine.hpp"
#include "runtime/execute/wire.hpp"

#include <string>

namespace tioc::execute {

enum class Policy : uint8_t { Random, Earliest, Latest };
/// What becomes of an input that the model does not accept.
enum class Refusal : uint8_t { Ignore, Stop };

struct PlayOptions {
  uint64_t seed = 0;
  Policy policy = Policy::Random;
  Refusal refusal = Refusal::Ignore;
  bool virtualOnly = false;        ///< a tester that wants real time is turned away
  ir::Rational grain = {1, 1000};  ///< chance prefers times that are multiples of it
  ir::Rational horizon = 10;       ///< how far chance looks ahead where a window has no end
  unsigned stepsPerGrain = 10'000; ///< more of them while less than a grain passes: the model lets no time pass
};

/// The system's side of the protocol, played by a machine: legal outputs at legal times, chosen by policy and seed.
/// It has no clock and does no input or output: whoever uses it says what time it is.
class Player {
public:
  /// `machine` must outlive it.
  Player(Machine& machine, PlayOptions options);

  /// Takes a line of the tester and adds the answers. `now`: time units since the start; in virtual time it is not
  /// looked at.
  void hear(const std::string& line, const ir::Rational& now, std::vector<std::string>& answers);
  /// Real time: adds what happens up to `now`.
  void run(const ir::Rational& now, std::vector<std::string>& answers);
  /// Real time: when it will do something if nobody speaks; nothing: never.
  std::optional<ir::Rational> next() const;

  /// Seconds per time unit, once a tester has started it in real time.
  const std::optional<ir::Rational>& unit() const { return unit_; }
  /// Nothing more will come: it said why in an error line.
  bool hasEnded() const { return ended_; }

private:
  void start(const wire::Start& start, std::vector<std::string>& answers);
  void input(const wire::Message& message, std::vector<std::string>& answers);
  /// Goes on to `until`, or to the first output if it shall stop there.
  void advance(const ir::Rational& until, bool stopAtOutput, std::vector<std::string>& answers);
  void end(std::string text, std::vector<std::string>& answers);
  bool plan();
  std::optional<ir::Rational> choose(const semantics::Window& window);
  ir::Rational early(const semantics::Window& window) const;
  std::optional<ir::Rational> late(const semantics::Window& window) const;

  Machine& machine_;
  PlayOptions options_;
  Dice dice_;
  bool started_ = false;
  bool ended_ = false;
  std::optional<ir::Rational> unit_;
  ir::Rational now_;
  ir::Rational mark_; // a grain has not passed since
  unsigned stepsSinceMark_ = 0;
  // What it is going to do, and how long it may wait; times since the start.
  bool planned_ = false;
  std::optional<Step> step_;
  ir::Rational at_;
  semantics::Window limit_;
};

} // namespace tioc::execute
