#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tioc::semantics {

class Random {
public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint32_t below(uint32_t count) { return static_cast<uint32_t>(engine_() % count); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  const std::string& of(const std::vector<std::string>& list) {
    return list[below(static_cast<uint32_t>(list.size()))];
  }

private:
  std::mt19937_64 engine_;
};

struct CompositionOptions {
  bool openSignals = false; ///< the environment may send and see what is internal
  bool intervals = false;   ///< some durations are intervals
  bool jitter = false;
  uint32_t automata = 3; ///< at most
};

/// Some small automata on one queue, with every kind of transition: system Net.
std::string randomComposition(Random& random, const CompositionOptions& options);

} // namespace tioc::semantics
