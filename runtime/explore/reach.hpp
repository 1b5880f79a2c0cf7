#pragma once

#include "ir/graph.hpp"
#include "runtime/explore/reach_stepper.hpp"

#include <functional>
#include <memory>

namespace tioc::explore {

/// What is looked for: a state in which, for every component that `locations` mention, one of its locations is
/// occupied, and the conditions hold.
struct Target {
  std::vector<ir::LocationId> locations;
  ir::ExprId data;                       ///< over variables; invalid: true
  std::vector<zones::Constraint> clocks; ///< over the network's clocks, see Network::clock
};

enum class Order : uint8_t {
  BreadthFirst,
  DepthFirst,
  Priority, ///< smallest first, by `ReachOptions::priority` or else the distance to the target in the graphs of
            ///< locations
};

/// Why the search ended.
enum class Stop : uint8_t {
  Complete,
  Reached, ///< the target, or a time block
  States,  ///< limits, see ReachOptions
  Depth,
  Memory,
  Seconds,
  Asked,   ///< `ReachOptions::stop` said so
  Problem, ///< the model cannot be explored this way
};
/// In words, for people.
const char* stopName(Stop stop);

struct ReachStats {
  uint64_t stored = 0;      ///< symbolic states that no other covers
  uint64_t covered = 0;     ///< states that were stored until a later one covered them
  uint64_t visited = 0;     ///< symbolic states whose successors were computed
  uint64_t transitions = 0; ///< successors that were computed, covered ones included
  uint64_t discrete = 0;    ///< different location vectors with data
  uint64_t waiting = 0;     ///< not visited yet
  uint32_t depth = 0;       ///< most steps to a visited state
  uint64_t bytes = 0;       ///< of everything stored
  double seconds = 0;

  double bytesPerState() const { return stored == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(stored); }
};

struct ReachOptions {
  Abstraction abstraction = Abstraction::ALu;
  Order order = Order::BreadthFirst;
  eval::Mode eval = eval::Mode::Auto;
  std::optional<Target> target; ///< nothing: visit everything
  bool timeBlocks = false;      ///< stop at a time block; exact zones and bounds on both sides then
  bool graph = false;           ///< keep every transition for `Reachability::graph`
  std::function<int64_t(semantics::Locations, const eval::Slot*)> priority;

  uint64_t maxStates = UINT64_MAX;
  uint32_t maxDepth = UINT32_MAX;
  uint64_t maxBytes = UINT64_MAX;
  double maxSeconds = 1e300;
  uint64_t messages = 100'000; ///< most values of one message
  uint64_t starts = 100'000;   ///< most initial valuations
  std::function<bool()> stop;  ///< asked now and then
  std::function<void(const ReachStats&)> progress;
};

/// A joint step of a path; values lie as in a frame behind the variables.
struct PathStep {
  ir::ChannelId channel;
  semantics::Visibility visibility = semantics::Visibility::Unobservable;
  std::vector<ir::EdgeId> edges; ///< the sender first
  std::vector<eval::Slot> message;
};

struct Path {
  std::vector<eval::Slot> initial; ///< the variables' slots
  std::vector<PathStep> steps;
};

/// A concrete timed run along a path.
struct TimedStep {
  ir::Rational delay; ///< before the step
  PathStep step;
};

struct TimedRun {
  std::vector<eval::Slot> initial;
  std::vector<TimedStep> steps;
  ir::Rational delay; ///< after the last step
};

struct ReachResult {
  Stop stop = Stop::Complete;
  std::optional<semantics::Problem> problem;
  /// What was really used; differs from what was asked where that would be unsound.
  Abstraction abstraction = Abstraction::ALu;
  std::optional<Path> path;                       ///< to the target or time block
  std::vector<std::vector<zones::Bound>> blocked; ///< time block: the blocked points at the end, over all clocks
  std::vector<uint8_t> locations;                 ///< by location id: 1 if some state has it
  std::vector<uint8_t> edges;                     ///< by edge id: 1 if some step takes it
  ReachStats stats;
  eval::EdgeCode::Stats code;

  bool reached() const { return stop == Stop::Reached; }
};

/// `c!(1, true)`, or `tau` for an internal edge.
std::string stepLabel(const ir::Model& model, const eval::Layout& layout, const PathStep& step);

/// Reachability in the zone graph of a TIOSTS network whose data are concrete. The model went through ir::instantiate,
/// ir::scaleTime and ir::resolvePriorities, and must outlive this.
///
/// Symbolic states are closed under waiting; where waiting leads to no single zone, each zone of the result is a state
/// of its own. A stored state that a new one covers is dropped, and not visited if it still waits.
class Reachability {
public:
  Reachability(const ir::Model& model, ReachOptions options);
  ~Reachability();

  /// To be called once.
  ReachResult run();
  /// What was explored, in words; needs ReachOptions::graph.
  ir::Graph graph() const;

private:
  class Search;
  std::unique_ptr<Search> search_;
};

} // namespace tioc::explore
