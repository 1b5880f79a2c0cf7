#pragma once

#include "runtime/testgen/digital_trees.hpp"
#include "runtime/testgen/generate.hpp"

namespace tioc::testgen {

/// Which digital-clock trees to make a suite of.
struct DigitalOptions {
  std::string name = "Digital";
  uint32_t depth = 5; ///< events of a test, ticks included
  enum class Choice : uint8_t {
    All,    ///< every tree; where there are more than `most`, some, evenly spread
    Random, ///< `most` trees by chance
    Edges,  ///< as few as cover the input edges (D, section 5.3)
  };
  Choice choice = Choice::All;
  uint64_t most = 1000;
  bool earlyStops = false; ///< All: also trees that stop before the depth is reached
  std::vector<ir::DataChoice> data = {ir::DataChoice::Any};
  uint64_t seed = 1;
  ir::Rational tolerance;
  explore::Limits limits; ///< of the knowledge that is looked at
  solver::Options solver;
};

struct DigitalSuite : Generated {
  uint64_t trees = 0; ///< how many there are up to the depth; DigitalTrees::kMany: too many to count
};

/// Digital-clock tests (D, section 5.2) of a TIOSTS network that is sampled by `clock`; both are results of
/// `ir::instantiate`. The tester sees outputs and counts ticks.
///
/// In the tests a tick is a point in time: the tester's own clock ticks as `tickTimes` says, which is one of the runs
/// that `clock` allows, and an output counts as seen behind all ticks up to its time. Every tree allows what the
/// specification can show beside any legal run of the clock, so a conforming system never fails.
DigitalSuite generateDigital(const ir::Model& specification, const ir::Model& clock, const DigitalOptions& options);

} // namespace tioc::testgen
