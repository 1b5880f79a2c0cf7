#pragma once

#include "runtime/explore/reach.hpp"
#include "runtime/explore/tree.hpp"
#include "runtime/semantics/tiosts.hpp"

namespace tioc::explore {

/// Looks in a tree with symbolic time for a time block: a state in which waiting comes to an end and no step is
/// possible until then.
class TreeBlocks {
public:
  TreeBlocks(semantics::Symbols& symbols, const semantics::Network& network)
      : symbols_(symbols), network_(network), relation_(symbols, network, semantics::TimeKind::Symbolic) {}

  /// Runs the tree until a time block is met. The tree is one of symbolic time that keeps its states.
  void run(Tree& tree);

  /// A run to a time block.
  const std::optional<TimedRun>& found() const { return found_; }
  /// States of which the solver could not tell whether they are blocked: without a run nothing is known then.
  uint64_t undecided() const { return undecided_; }
  /// A limit of waiting that had to be left out; empty: none.
  const std::string& imprecise() const { return relation_.imprecise(); }

private:
  enum class When : uint8_t { Now, FromNowOn };

  void look(const Tree& tree, uint32_t node, const semantics::SymbolicState& state, ir::ExprId end, When when);
  std::vector<uint32_t> unknownsOf(const semantics::SymbolicState& state);
  ir::ExprId steps(const semantics::SymbolicState& state, When when);

  semantics::Symbols& symbols_;
  const semantics::Network& network_;
  semantics::Tiosts relation_; // not the tree's, which may be in the middle of a step
  std::optional<TimedRun> found_;
  uint64_t undecided_ = 0;
};

} // namespace tioc::explore
