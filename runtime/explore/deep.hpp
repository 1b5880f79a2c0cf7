#pragma once

#include "ir/decide.hpp"
#include "runtime/explore/condition.hpp"

#include <chrono>

namespace tioc::explore {

/// Limits of one analysis as a whole.
struct DeepLimits {
  double seconds = 60;
  uint64_t states = 1'000'000; ///< of each search
  uint64_t bytes = uint64_t{4096} << 20;
  std::function<bool()> interrupted; ///< asked now and then; true: stop
};

/// Why an edge is never taken.
enum class Dead : uint8_t {
  SourceUnreachable,
  NeverTrue,    ///< no values satisfy its guard, wherever it is asked
  NoPartner,    ///< nobody is at the other end of its internal channel
  NeverEnabled, ///< whenever its source is reached, something is missing: guard, partner, values, invariant
};

struct DeadEdge {
  ir::EdgeId edge;
  Dead why = Dead::NeverEnabled;
};

/// Edges of a VDTA that can fire one after the other for ever at one instant.
struct UnstableLoop {
  std::vector<ir::EdgeId> edges;
  TimedRun run; ///< to where the loop begins; checked
};

/// Two edges of one location that a message allows both, or two urgent edges of a VDTA that are enabled both.
struct Overlap {
  ir::EdgeId first;
  ir::EdgeId second;
  TimedRun run;     ///< to a state where it is so; checked
  PathStep message; ///< the joint step there, with the first of the two
};

/// Facts about a network that hold in every run of it.
struct Deep {
  bool concrete = false; ///< found on the zone graph; else on the symbolic execution tree
  std::vector<ir::LocationId> unreachable;
  std::vector<DeadEdge> dead;
  std::vector<Overlap> overlaps;
  std::optional<UnstableLoop> unstable;
  std::optional<std::string> openStart;      ///< of a VDTA: two starts that the initial condition allows, in words
  std::optional<TimedRun> timeBlock;         ///< to a state where time cannot pass and nothing can happen; checked
  std::vector<std::string> open;             ///< what could not be decided and why, in words
  bool limited = false;                      ///< a limit is among the reasons
  std::optional<semantics::Problem> problem; ///< the model cannot be explored at all
};

/// The model went through ir::instantiate, ir::scaleTime and ir::resolvePriorities. What is not known is said in
/// `open` and never guessed.
Deep analyse(const ir::Model& model, const DeepLimits& limits);

/// What a location does with an input of the environment.
struct InputUse {
  ir::LocationId location;
  ir::ChannelId channel;
  std::vector<ir::EdgeId> edges;          ///< that receive it; none: it is refused
  ir::Decision always = ir::Decision::No; ///< some edge receives it, whatever the values and the time
};

/// For every location but the unreachable ones, in the order of components: all inputs that its component knows.
std::vector<InputUse> inputUses(const ir::Model& model, const Deep& deep);

} // namespace tioc::explore
