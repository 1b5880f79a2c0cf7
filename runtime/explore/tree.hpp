#pragma once

#include "ir/graph.hpp"
#include "runtime/explore/inclusion.hpp"
#include "runtime/explore/limits.hpp"
#include "runtime/semantics/step_relation.hpp"

#include <deque>
#include <functional>

namespace tioc::explore {

struct TreeOptions {
  Limits limits;
  uint32_t loops = UINT32_MAX; ///< how often the same edges may step on one path
  bool inclusion = true;       ///< do not follow a state that another one includes (B, definition 5.5)
  bool quiescence = false;     ///< say where no output can follow (A, definition 12)
  bool keepStates = true;      ///< false: counts only
  bool depthFirst = false;
};

/// A node of the symbolic execution tree: a state and the step that led to it.
struct TreeNode {
  uint32_t parent = UINT32_MAX; ///< none for the root and its siblings
  semantics::SymbolicStep step;
  semantics::SymbolicState state; ///< empty where states are not kept
  std::optional<uint32_t> coveredBy;
  bool open = false;                   ///< a limit stopped the exploration here
  std::optional<ir::ExprId> quiescent; ///< the part of the state from which no output follows
};

struct TreeStats {
  uint64_t states = 0;
  uint64_t steps = 0;   ///< feasible ones
  uint64_t visited = 0; ///< states whose steps were computed
  uint64_t covered = 0;
  uint64_t uncertain = 0; ///< states of which the solver could not tell whether they exist
  uint64_t looped = 0;    ///< steps left out by the loop bound
  uint32_t depth = 0;
  double seconds = 0;
};

/// The symbolic execution tree (A, definition 11; B, algorithm 1): states with symbolic data, time in zones or as
/// unknowns. Breadth first unless asked otherwise.
class Tree {
public:
  Tree(semantics::Symbols& symbols, semantics::StepRelation& relation, const semantics::Network& network,
       TreeOptions options);

  /// Called with every new node; false stops the exploration.
  using Visit = std::function<bool(uint32_t node)>;
  void run(const Visit& visit = {});

  const std::deque<TreeNode>& nodes() const { return nodes_; }
  const TreeStats& stats() const { return stats_; }
  /// States that are still to be followed.
  uint64_t waiting() const { return waiting_.size(); }
  const solver::Counts& inclusionCounts() const { return inclusion_.counts(); }
  /// Which limit ended the exploration, or empty.
  const std::string& stopped() const { return stopped_; }

private:
  void add(uint32_t parent, semantics::SymbolicStep&& step, semantics::SymbolicState&& state);
  bool isLooping(uint32_t node, const std::vector<ir::EdgeId>& edges) const;
  void expand(uint32_t node);

  semantics::Symbols& symbols_;
  semantics::StepRelation& relation_;
  TreeOptions options_;
  Inclusion inclusion_;
  std::deque<TreeNode> nodes_;
  std::deque<uint32_t> waiting_;
  const Visit* visit_ = nullptr;
  TreeStats stats_;
  std::string stopped_;
};

} // namespace tioc::explore
