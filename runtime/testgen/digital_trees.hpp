#pragma once

#include "runtime/explore/limits.hpp"
#include "runtime/testgen/digital_states.hpp"

#include <map>
#include <memory>
#include <random>
#include <set>

namespace tioc::testgen {

/// What a tester with a digital clock can know: a graph whose edges are events. Grown to a depth, then fixed.
class KnowledgeGraph {
public:
  using Node = uint32_t;
  static constexpr Node kNone = UINT32_MAX;

  /// Whether an event is legal. A system that took no notice of an earlier input, where the model lets it, may do what
  /// another must not.
  enum class Legal : uint8_t { No, IfIgnored, Yes };

  struct Output {
    Message message;
    Legal legal = Legal::Yes;
    Node behind = kNone; ///< kNone unless legal is Yes
    std::vector<ir::EdgeId> edges;
  };
  struct Input {
    Message message;
    Node behind = kNone;
    std::vector<ir::EdgeId> edges;
  };
  struct Knowledge {
    bool known = false; ///< the rest is filled in; else a limit came first
    Legal tick = Legal::No;
    Node behindTick = kNone;
    std::vector<Output> outputs; ///< the surely legal ones first
    std::vector<Input> inputs;
  };

  /// Looks at everything within `depth` events, and one further where only outputs and ticks are of interest.
  KnowledgeGraph(DigitalStates& states, uint32_t depth, std::vector<ir::DataChoice> data, uint64_t seed,
                 const explore::Limits& limits);

  const Knowledge& operator[](Node node) const { return entries_[node].knowledge; }
  /// The node where nothing was seen yet, or kNone if the model has no start.
  Node start() const { return start_; }
  size_t size() const { return entries_.size(); }
  /// Which limit ended the growth, or empty.
  const std::string& stopped() const { return stopped_; }

private:
  struct Entry {
    StateSet states;
    StateSet ignoring; ///< states of a system that ignored an input which some other state takes
    Knowledge knowledge;
  };

  Node add(StateSet states, StateSet ignoring);
  void expand(Node node);

  DigitalStates& states_;
  std::vector<ir::DataChoice> data_;
  uint64_t seed_;
  std::vector<Entry> entries_;
  std::map<std::vector<uint32_t>, Node> index_;
  Node start_ = kNone;
  std::string stopped_;
};

/// What a tester does at every point, as a tree (D, section 5.2).
struct DigitalTree {
  enum class Kind : uint8_t { Stop, Wait, Send };
  Kind kind = Kind::Stop;
  uint32_t input = 0; ///< Send: which input of the node
  /// Send: one. Wait: behind the tick if that is legal, then behind each legal output.
  std::vector<DigitalTree> next;

  bool operator==(const DigitalTree&) const = default;
};

/// All the trees over a graph up to its depth.
class DigitalTrees {
public:
  /// `earlyStops`: a tester may also stop before the depth is reached.
  DigitalTrees(const KnowledgeGraph& graph, uint32_t depth, bool earlyStops)
      : graph_(graph), depth_(depth), earlyStops_(earlyStops) {}

  /// Beyond this, trees are not counted.
  static constexpr uint64_t kMany = UINT64_MAX;
  uint64_t count() { return count(graph_.start(), depth_); }
  /// The tree with that number. Precondition: `rank` < `count()`.
  DigitalTree tree(uint64_t rank) { return tree(graph_.start(), depth_, rank); }
  /// Waits and inputs have the same chance everywhere; never stops early.
  DigitalTree random(std::mt19937_64& dice) const { return random(graph_.start(), depth_, dice); }
  /// Trees in which every input edge is tried that can be tried within the depth (D, section 5.3). `covered` gets those
  /// edges.
  std::vector<DigitalTree> cover(std::set<ir::EdgeId>& covered);

private:
  using Node = KnowledgeGraph::Node;
  static constexpr uint32_t kNever = UINT32_MAX;

  uint64_t count(Node node, uint32_t depth);
  DigitalTree tree(Node node, uint32_t depth, uint64_t rank);
  DigitalTree random(Node node, uint32_t depth, std::mt19937_64& dice) const;
  /// Events up to and with an input that covers something new.
  uint32_t distance(Node node, uint32_t depth, const std::set<ir::EdgeId>& covered);
  DigitalTree towards(Node node, uint32_t depth, const std::set<ir::EdgeId>& covered, std::set<ir::EdgeId>& now);
  std::vector<Node> observations(Node node) const;

  const KnowledgeGraph& graph_;
  uint32_t depth_;
  bool earlyStops_;
  std::map<std::pair<Node, uint32_t>, uint64_t> counts_;
  std::map<std::pair<Node, uint32_t>, uint32_t> distances_;
};

} // namespace tioc::testgen
