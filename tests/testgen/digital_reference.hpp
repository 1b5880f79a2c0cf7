#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

// Digital-clock trees by brute force on regions: no zones, no solver, nothing of the program.
namespace tioc::test {

/// A timed automaton small enough for regions.
struct Plain {
  enum class Action : uint8_t { Input, Output, Internal };
  enum class Urgency : uint8_t { Lazy, Delayable, Eager };
  struct Bound {
    int clock;
    std::string relation; ///< <, <=, ==, >=, >
    int value;
  };
  struct Edge {
    int from;
    int to;
    Action action;
    int channel; ///< of its kind; -1 for internal edges
    std::vector<Bound> guard;
    std::vector<int> resets;
    Urgency urgency;
  };
  int locations = 1;
  int clocks = 1;
  std::vector<Edge> edges;

  /// The automaton `A` as a module; channels are `i0`, `o0`, …
  std::string text() const;
};

/// Number of trees up to the depth under a clock that ticks every unit.
uint64_t countTrees(const Plain& automaton, uint32_t depth, bool earlyStops);

/// An automaton by chance, without what the language refuses.
Plain randomPlain(std::mt19937_64& dice);

/// The lighting device with D = 1, m = 1, M = 2, put together by hand: input 0 is the touch, outputs are the levels.
Plain plainLight();

} // namespace tioc::test
