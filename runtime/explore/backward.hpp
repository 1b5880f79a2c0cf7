#pragma once

#include "runtime/explore/limits.hpp"
#include "runtime/semantics/problem.hpp"
#include "runtime/semantics/symbolic.hpp"
#include "runtime/zones/time_predecessors.hpp"

#include <map>

namespace tioc::explore {

/// What brings a state nearer to `accept`.
enum class Toward : uint8_t {
  Here,  ///< it is there
  Edge,  ///< an urgent edge that is enabled
  Input, ///< other inputs
  Wait,  ///< time
};

/// States of one location from which `accept` can be reached: all data for which `data` holds with all clocks of the
/// zone. Its first step leads into the set `next`.
struct BackwardSet {
  ir::LocationId at;
  std::vector<ir::ExprId> data; ///< conjuncts over `Backward::unknowns` and `inner`
  std::vector<uint32_t> inner;  ///< unknowns of which some values will do: inputs that are set later
  zones::Zone zone;
  Toward how = Toward::Here;
  ir::EdgeId edge; ///< Edge only
  uint32_t next = UINT32_MAX;
  uint32_t rank = 0; ///< steps to `accept`
};

/// Backward reachability of `accept` in a VDTA (E, section 2), on zones with conditions on data. The predecessors are
/// those of the definition: by an urgent edge, by other inputs where no edge is enabled, and by waiting as long as none
/// is.
class Backward {
public:
  /// `model` is the product of a VDTA and a purpose (`ir::product`) after `ir::scaleTime`, and must outlive it; its
  /// pool grows.
  Backward(ir::Model& model, Limits limits, solver::Options options = {});

  void run();

  /// The model has something that is not treated: a bound that depends on data.
  const std::optional<semantics::Problem>& problem() const { return problem_; }
  /// The limit that ended it, or empty: then a state that no set has cannot reach `accept`.
  const std::string& stopped() const { return stopped_; }
  /// Where the solver could not tell, a set was kept that may be empty.
  bool isUncertain() const { return uncertain_; }

  size_t size() const { return sets_.size(); }
  const BackwardSet& operator[](uint32_t set) const { return sets_[set]; }
  /// Of that location, nearest first.
  const std::vector<uint32_t>& setsAt(ir::LocationId at) const;
  /// By variable of the automaton, in its order.
  std::span<const ir::ExprId> unknowns() const { return unknowns_; }
  semantics::Symbols& symbols() { return symbols_; }

  /// Whether some start of the model can reach `accept`.
  ir::Decision fromStart();
  /// The nearest set that has the state; nothing: none. Values by variable of the automaton; clocks by its order, the
  /// reference clock first.
  std::optional<uint32_t> find(ir::LocationId at, std::span<const eval::Value> values, zones::Point clocks);
  /// Inputs that lead from the state into the set `next`; the state is in a set whose step is Input.
  std::optional<std::vector<eval::Value>> inputsFor(uint32_t set, std::span<const eval::Value> values);

  /// The set as text: `water >= 75 && !enabled && t < 15`.
  std::string show(uint32_t set);

private:
  struct Guard {
    ir::ExprId data; ///< over the unknowns
    zones::Zone zone;
  };
  struct Leaving {
    ir::EdgeId id;
    Guard guard;
  };
  struct Place {
    std::vector<Leaving> edges;
    std::vector<Guard> bound;  ///< what limits waiting: the edges as a whole, where a product cut them up
    std::vector<Guard> stable; ///< where no edge is enabled
    std::vector<ir::EdgeId> entering;
    std::vector<uint32_t> sets;
  };

  void readModel();
  ir::ExprId put(ir::ExprId expr);
  Guard guardOf(const ir::Guard& guard);
  zones::Clock clockOf(ir::ClockId id) const { return clocks_.at(id); }
  void expand(uint32_t set);
  void byEdge(uint32_t set, ir::EdgeId id);
  void byInput(uint32_t set);
  void byWaiting(uint32_t set);
  void byWaiting(uint32_t set, size_t guard, std::vector<ir::ExprId> data, std::vector<zones::Limit> limits);
  bool unreset(zones::Zone& zone, const ir::Edge& edge);
  void add(BackwardSet set);
  bool isCovered(const BackwardSet& set);
  bool isImplied(const std::vector<ir::ExprId>& data, const BackwardSet& by);
  /// Leaves out what holds for some values of the inner unknowns whatever the others are; false: the data cannot hold.
  bool simplify(BackwardSet& set);
  bool canHold(std::span<const ir::ExprId> data);
  std::vector<ir::ExprId> at(const std::vector<ir::ExprId>& data, std::span<const eval::Value> values);

  ir::Model& model_;
  const ir::AutomatonId self_;
  semantics::Symbols symbols_;
  ir::ExprPool& pool_;
  Limits limits_;
  std::vector<ir::ExprId> unknowns_;
  std::map<ir::ClockId, zones::Clock> clocks_;
  std::map<ir::LocationId, Place> places_;
  std::vector<BackwardSet> sets_;
  std::optional<semantics::Problem> problem_;
  std::string stopped_;
  bool uncertain_ = false;
};

} // namespace tioc::explore
