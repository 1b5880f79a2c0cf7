#pragma once

#include "runtime/explore/reach.hpp"
#include "runtime/explore/reach_packing.hpp"
#include "runtime/explore/reach_store.hpp"

#include <chrono>
#include <deque>

namespace tioc::explore {

/// A stored symbolic state.
struct Node {
  uint32_t next;         // another zone of the same discrete state, or kNone
  uint32_t parent;       // kNone for initial states
  uint32_t state;        // in the table
  uint32_t zone;         // in the store; no zone once it is dropped
  uint32_t ordinal : 29; // which of its parent's successors it is: enough to compute the way here again
  uint32_t width : 2;    // of the zone
  uint32_t dropped : 1;  // a later state covers it
};

ZoneStore::Width width(const Node& node);

/// The states that wait for their visit.
class Frontier {
public:
  struct Entry {
    uint32_t node;
    uint32_t depth;
  };
  explicit Frontier(Order order) : order_(order) {}

  bool isEmpty() const { return list_.empty() && heap_.empty(); }
  size_t size() const { return list_.size() + heap_.size(); }
  size_t bytes() const { return list_.size() * sizeof(Entry) + heap_.capacity() * sizeof(Ranked); }
  /// `key` counts in the order Priority only.
  void push(Entry entry, int64_t key);
  Entry pop();

private:
  struct Ranked {
    int64_t key;
    Entry entry;
  };
  static bool isLater(const Ranked& a, const Ranked& b) {
    return a.key != b.key ? a.key > b.key : a.entry.node > b.entry.node; // of equals the older one first
  }

  Order order_;
  std::deque<Entry> list_;
  std::vector<Ranked> heap_;
};

/// One search: nodes in their order of discovery, found again by their discrete state.
class Reachability::Search {
public:
  Search(const ir::Model& model, ReachOptions options);

  ReachResult run();
  ir::Graph graph() const;

private:
  struct Transition {
    uint32_t from;
    uint32_t to;
    PathStep step;
  };

  struct Visitor;

  void visit(const Frontier::Entry& entry);
  /// Packs locations and data for the next `keep`.
  void identify(const Place& place);
  /// Keeps the state unless a stored one covers it. Returns the node that stands for it.
  uint32_t keep(const Place& place, const zones::Bound* zone, uint32_t parent, uint32_t ordinal, uint32_t depth);
  /// `others`: how many zones the discrete state has already.
  uint32_t add(uint32_t state, const Place& place, const zones::Bound* zone, uint32_t parent, uint32_t ordinal,
               uint32_t depth, uint32_t others);
  void drop(uint32_t node, zones::Dim dim, uint32_t by);
  bool isTarget(const Place& place, const zones::Bound* zone) const;
  bool targetDataHolds(const Place& place) const;
  void checkBlock(uint32_t node, const zones::Bound* zone);
  int64_t keyOf(const Place& place) const;
  void readDistances();
  bool mustStop();
  size_t bytes() const;
  PathStep stepOf(const semantics::Move& move, const Place& from) const;
  /// The way from an initial state, computed again.
  Path pathTo(uint32_t node);
  void finish(ReachResult& result);
  ir::GraphNode describe(uint32_t node) const;

  ReachOptions options_;
  Stepper stepper_;
  StatePacking packing_;
  StateTable table_;
  ZoneStore zones_;
  Chunked<Node> nodes_{1};
  Frontier frontier_;
  Place current_;
  zones::MatrixVector zone_;    // of the visited state
  zones::MatrixVector other_;   // of a stored one
  std::vector<uint64_t> words_; // the identified state
  uint64_t hash_ = 0;
  std::vector<uint8_t> targetLocations_; // by location: wanted
  std::vector<uint8_t> targetComponents_;
  std::optional<semantics::IntProgram> targetProgram_;
  std::vector<uint32_t> distances_; // by location: to the nearest wanted one of its component
  std::chrono::steady_clock::time_point begin_;

  ReachStats stats_;
  std::vector<uint8_t> seenLocations_;
  std::vector<uint8_t> takenEdges_;
  uint64_t visitsPerLook_ = 1;
  uint64_t nextLook_ = 0;
  bool cutByDepth_ = false;
  Stop stop_ = Stop::Complete;
  uint32_t goal_ = kNone;
  std::vector<std::vector<zones::Bound>> blocked_;

  // Kept for the graph only.
  std::vector<Transition> transitions_;
  std::vector<uint32_t> coveredBy_; // by node
};

} // namespace tioc::explore
