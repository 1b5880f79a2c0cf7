#pragma once

#include "runtime/explore/limits.hpp"
#include "runtime/testgen/observer.hpp"

#include <deque>
#include <map>

namespace tioc::testgen {

/// A step on the way from the start, with the state behind it.
struct SearchNode {
  uint32_t parent = UINT32_MAX;
  semantics::SymbolicStep step;
  semantics::SymbolicState state;
  PurposeState purpose;
  uint32_t haste = 0; ///< inputs on the way that came while the system had something left to do
};

/// A run from the start, step by step, and what a test of it is to add.
struct Path {
  struct Step {
    semantics::SymbolicStep step;
    semantics::SymbolicState from;
    PurposeState purpose; ///< behind it
    /// Asked of the step beside what the model asks, right before an edge of it.
    std::vector<std::pair<ir::EdgeId, ir::Guard>> wishes;
  };
  std::vector<Step> steps;
  semantics::SymbolicState end; ///< wishes are among its conditions
  size_t goal = 0;              ///< so many steps reach what the test is for; the others observe what became of it
};

/// Looks for paths that reach `accept` of a purpose, or that take certain edges. Times are unknowns. Best first: near
/// to `accept`, short, patient (a busy system may refuse an input), and where few have been before; nothing is left out
/// but what the limits cut off.
class Search {
public:
  Search(semantics::Symbols& symbols, semantics::StepRelation& relation, Observer& observer, explore::Limits limits)
      : symbols_(symbols), relation_(relation), observer_(observer), limits_(std::move(limits)) {}

  /// Called with every new node; false ends the search. Nodes behind `accept` and `reject` are not followed.
  using Visit = std::function<bool(uint32_t node)>;
  void run(const Visit& visit);

  /// The path that takes these edges, one at each step; gives its end. Nothing where that is not possible. Single
  /// automata only.
  std::optional<uint32_t> along(std::span<const ir::EdgeId> edges);

  /// One random path of at most `length` steps, by the weights of the edges; gives its end. Nothing if there is no
  /// start. Walks share what they have in common: what can follow a node is found out once.
  std::optional<uint32_t> walk(uint64_t seed, uint32_t length);

  const SearchNode& operator[](uint32_t node) const { return nodes_[node]; }
  size_t size() const { return nodes_.size(); }
  Path path(uint32_t node) const;
  /// Which limit ended the search, `found`, or empty when everything was seen.
  const std::string& stopped() const { return stopped_; }
  /// The location of the purpose that came nearest to `accept`.
  ir::LocationId nearest() const { return nearest_; }

private:
  void add(SearchNode&& node, const Visit& visit);

  semantics::Symbols& symbols_;
  semantics::StepRelation& relation_;
  Observer& observer_;
  explore::Limits limits_;
  const std::vector<uint32_t>& childrenOf(uint32_t node);

  std::deque<SearchNode> nodes_;
  std::vector<uint32_t> starts_;                                 // of walks
  std::unordered_map<uint32_t, std::vector<uint32_t>> children_; // of nodes that walks came by
  std::multimap<uint64_t, uint32_t> waiting_;
  std::map<std::vector<ir::LocationId>, uint32_t> visits_;
  std::string stopped_;
  ir::LocationId nearest_;
  uint32_t nearestDistance_ = UINT32_MAX;
};

} // namespace tioc::testgen
