#pragma once

#include "ir/test.hpp"
#include "runtime/testgen/digital_trees.hpp"

namespace tioc::testgen {

/// Writes trees as test cases. `sampled` is what the graph is about; its model gets the expressions.
class DigitalEmitter {
public:
  /// `ticks`: the times of the ticks, one more than a tree can wait for.
  DigitalEmitter(const KnowledgeGraph& graph, Sampled& sampled, std::vector<ir::Rational> ticks)
      : graph_(graph), model_(sampled.model), tick_(sampled.tick), ticks_(std::move(ticks)) {}

  /// Everything but name and description. Chains of ticks behind which the same is allowed are one wait (`k tick`).
  ir::TestCase emit(const DigitalTree& tree);

private:
  using Node = KnowledgeGraph::Node;
  using Legal = KnowledgeGraph::Legal;

  /// `seen`: ticks so far.
  ir::TestNodeId emit(Node node, const DigitalTree& tree, uint32_t seen);
  ir::TestNodeId wait(Node node, const DigitalTree& tree, uint32_t seen);
  void addLast(ir::AwaitNode& await, Node behindTick, const DigitalTree& then, ir::TestNodeId next, uint32_t seen);
  bool joinChain(ir::AwaitNode& first, ir::TestNodeId next);
  ir::AwaitBranch branch(const KnowledgeGraph::Output& output, ir::TestNodeId next);
  ir::AwaitBranch atInstant(const KnowledgeGraph::Output& output, ir::TestNodeId next, uint32_t seen);
  std::vector<KnowledgeGraph::Output> anyOutput(Legal legal) const;
  ir::TestNodeId verdict(ir::Verdict verdict, std::string reason);
  ir::TestNodeId add(ir::TestNode node);
  std::vector<ir::Covered> covered(const std::vector<ir::EdgeId>& edges) const;
  /// The time of the tick with that number, from 1 on.
  ir::ExprId tick(uint32_t number) { return model_.exprs.real(ticks_[number - 1]); }

  const KnowledgeGraph& graph_;
  ir::Model& model_;
  ir::ChannelId tick_;
  std::vector<ir::Rational> ticks_;
  ir::TestCase test_;
};

} // namespace tioc::testgen
