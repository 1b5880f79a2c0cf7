#pragma once

#include "runtime/explore/condition.hpp"
#include "runtime/explore/tree.hpp"

namespace tioc::explore {

/// Looks for a condition in the nodes of a tree with symbolic time, and makes a concrete run of what it finds.
class TreeReach {
public:
  TreeReach(semantics::Symbols& symbols, semantics::StepRelation& relation, const semantics::Network& network,
            Condition condition);

  /// Runs the tree until the condition is met. The tree is one of symbolic time that keeps its states.
  void run(Tree& tree);

  const std::optional<TimedRun>& found() const { return found_; }
  /// Nodes of which the solver could not tell whether they meet the condition: without a run nothing is known then.
  uint64_t undecided() const { return undecided_; }

private:
  bool visit(const Tree& tree, uint32_t node);
  std::optional<ir::ExprId> wanted(const semantics::SymbolicState& state);
  void look(const Tree& tree, uint32_t node, semantics::SymbolicState&& end);

  semantics::Symbols& symbols_;
  semantics::StepRelation& relation_;
  const semantics::Network& network_;
  Condition condition_;
  semantics::Substitute put_;
  std::vector<uint32_t> index_; // by variable of the model: its place in the store
  std::optional<TimedRun> found_;
  uint64_t undecided_ = 0;
};

/// The run of the valuation `model` to a node of a tree with symbolic time, and from there on to the time `end`.
/// Nothing if a value does not fit into 64 bits.
std::optional<TimedRun> runTo(semantics::Symbols& symbols, const semantics::Network& network, const Tree& tree,
                              uint32_t node, ir::ExprId end, const solver::Assignment& model);

/// Follows a run with the step relation on concrete states, whose solver also decides deadlines that hang on messages
/// without number and those of locations, which `validateRun` leaves out. Returns what is wrong, if anything.
std::optional<std::string> confirmRun(const semantics::Network& network, const TimedRun& run);

} // namespace tioc::explore
