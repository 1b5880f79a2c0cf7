#pragma once

#include "runtime/semantics/concrete_state.hpp"
#include "runtime/semantics/problem.hpp"

#include <optional>
#include <random>
#include <vector>

namespace tioc::execute {

/// Chance with a seed. The same seed gives the same numbers everywhere.
class Dice {
public:
  explicit Dice(uint64_t seed) : engine_(seed) {}
  uint64_t next() { return engine_(); }
  /// Precondition: `count` is not 0.
  uint64_t below(uint64_t count) { return engine_() % count; }
  bool chance(unsigned percent) { return below(100) < percent; }

private:
  std::mt19937_64 engine_;
};

/// Something that a machine can do by itself.
struct Step {
  ir::ChannelId output; ///< invalid: nobody sees it
  std::vector<eval::Value> values;
  semantics::Window window; ///< delays from now after which it is possible
  size_t index = 0;         ///< for the machine: which one of its outlook
};

/// What a machine can do without its environment.
struct Outlook {
  semantics::Window delays; ///< how long it may wait, from 0 on
  std::vector<Step> steps;  ///< windows within `delays`; every message where these are few, else some
};

/// A system that runs: one concrete state, and the legal ways to go on from it. Each kind of automata implements it;
/// whoever plays a model or tests against one uses nothing else.
///
/// A result that is nothing, or false, means that the run cannot go on: `problem` says why.
class Machine {
public:
  virtual ~Machine() = default;

  /// Goes to a state to start in, chosen by chance where the model leaves a choice.
  virtual bool start(Dice& dice) = 0;
  virtual std::optional<Outlook> outlook(Dice& dice) = 0;
  /// Lets time pass. Precondition: `delay` lies in the outlook's delays.
  virtual void advance(const ir::Rational& delay) = 0;
  /// Does a step of the last outlook, since which `advance` went into its window and nothing else happened.
  virtual void take(const Step& step) = 0;

  enum class Acceptance : uint8_t { Taken, Refused, Failed };
  /// Receives a message now, by chance where there are several ways. Precondition: the values have the channel's types.
  virtual Acceptance accept(ir::ChannelId channel, const std::vector<eval::Value>& values, Dice& dice) = 0;

  virtual const ir::Model& model() const = 0;
  const semantics::Problem& problem() const { return problem_; }

protected:
  semantics::Problem problem_;
};

} // namespace tioc::execute
