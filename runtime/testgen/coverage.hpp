#pragma once

#include "runtime/testgen/goals.hpp"
#include "runtime/testgen/moments.hpp"
#include "runtime/testgen/search.hpp"

namespace tioc::testgen {

/// Which tests cover what is wanted. One search serves all goals: `visit` remembers where each wanted thing is possible
/// first. Then paths are taken, the farthest first, because they cover much of the rest; each is made to meet as many
/// wishes as it can and goes on for some steps that observe what became of its goal.
class Coverage {
public:
  Coverage(semantics::Symbols& symbols, semantics::StepRelation& relation, const semantics::Network& network,
           Moments& moments, std::vector<Wanted> wanted, uint32_t tail);

  size_t size() const { return wanted_.size(); }
  const Wanted& operator[](size_t item) const { return wanted_[item]; }

  /// Looks at a new node of the search. False: looking on makes no sense.
  bool visit(const Search& search, uint32_t node);
  /// What was found, in the order in which tests are to be made for it.
  std::vector<size_t> order() const;
  bool isCovered(size_t item) const { return covered_[item]; }
  /// How many paths to it are known.
  size_t ways(size_t item) const { return 1 + found_[item].others.size(); }
  /// One of the paths to it. Precondition: it was found.
  Path pathTo(const Search& search, size_t item, size_t way);
  /// What a test covers that is sure of the first `length` steps of the path with the inputs of `model`; counts as
  /// covered from now on.
  std::vector<size_t> credit(const Path& path, size_t length, const solver::Assignment& model);
  void fail(size_t item, std::string why) { found_[item].failure = std::move(why); }
  /// Why it is not covered.
  std::string reason(const Search& search, size_t item) const;

private:
  struct Found {
    uint32_t node = UINT32_MAX;
    size_t when = SIZE_MAX; ///< which of the conditions
    uint32_t tries = 0;
    std::vector<uint32_t> others; ///< more nodes where it is possible
    std::string failure;
  };
  /// Written and not read since.
  struct Fresh {
    std::vector<ir::VariableId> variables;
    std::vector<ir::ClockId> clocks;
  };

  static bool isTimed(const Wanted& wanted) {
    return wanted.shape == Wanted::Shape::Moment || wanted.shape == Wanted::Shape::Beside;
  }
  /// `back(i)` is the step i steps before, or null.
  template <class Back>
  bool comesBehind(const Wanted& wanted, Back&& back) const;
  bool holdsAt(const Path& path, size_t at, size_t item) const;
  void look(const SearchNode& from, const SearchNode& node, uint32_t id, size_t item, ir::EdgeId edge);
  bool wish(Path& path, size_t at, ir::EdgeId edge, const ir::Guard& guard);
  ir::EdgeId takenFor(const semantics::SymbolicStep& step, size_t item) const;
  void addWishes(Path& path);
  void addTail(Path& path);
  void note(Fresh& fresh, const semantics::SymbolicStep& step) const;
  uint32_t interest(const Path& path, const Fresh& fresh, const semantics::SymbolicStep& step) const;

  semantics::Symbols& symbols_;
  semantics::StepRelation& relation_;
  const semantics::Network& network_;
  Moments& moments_;
  std::vector<Wanted> wanted_;
  uint32_t tail_;
  std::vector<Touched> touched_;            // by edge
  std::vector<std::vector<size_t>> byEdge_; // what an edge may bear on
  std::vector<Found> found_;                // by item
  std::vector<bool> covered_;               // by item
  std::vector<bool> isTaken_;               // by edge
  size_t open_ = 0;                         // not found
  size_t openPlain_ = 0;                    // of these, those that ask for no condition
  uint32_t lastFind_ = 0;                   // node
};

} // namespace tioc::testgen
