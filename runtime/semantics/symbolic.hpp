#pragma once

#include "runtime/semantics/network.hpp"
#include "runtime/semantics/time_term.hpp"
#include "runtime/solver/solver.hpp"
#include "runtime/solver/terms.hpp"
#include "runtime/zones/zone.hpp"

#include <map>
#include <optional>
#include <unordered_map>

namespace tioc::semantics {

/// How a symbolic state holds time (semantics, section 4).
enum class TimeKind : uint8_t {
  Zones,    ///< a zone over the clocks; every bound is a constant
  Symbolic, ///< the times of steps are unknowns of the path condition
};

/// An output on its way to the environment (ESTS).
struct Emission {
  ir::EdgeId edge;
  std::vector<ir::ExprId> values;
  TimeTerm time; ///< when it is seen
  bool operator==(const Emission&) const = default;
};

/// A symbolic state of any kind of model, right behind a step and before time passes: the set of concrete states that
/// the values of the unknowns give which satisfy the path condition.
struct SymbolicState {
  std::vector<ir::LocationId> at; ///< one per component
  std::vector<ir::ExprId> store;  ///< one term over the unknowns per variable
  std::vector<ir::ExprId> conditions;
  solver::Assignment witness; ///< satisfies the first `settled` conditions
  uint32_t settled = 0;
  uint32_t steps = 0;
  bool uncertain = false;        ///< the solver could not tell whether the conditions can hold
  zones::Zone zone;              ///< Zones only
  TimeTerm now;                  ///< Symbolic only, as is the next
  std::vector<TimeTerm> since;   ///< one per clock: its value is the present time minus this
  std::vector<Emission> pending; ///< ESTS: sent and not seen yet
  std::vector<TimeTerm> busy;    ///< ESTS: the reaction to the last event is surely over at the latest of these
  /// ESTS, by clock, where `since` hangs on open durations: with these as short, and as long, as they may be.
  std::map<uint32_t, std::pair<TimeTerm, TimeTerm>> open;

  SymbolicState() : zone(zones::Zone::empty(1)) {}
};

/// Everything that can follow a state hangs on its places, its conditions, and these terms and times.
template <class State, class OnTerm, class OnTime>
void forEachPart(State& state, OnTerm&& onTerm, OnTime&& onTime) {
  for (auto& value : state.store)
    onTerm(value);
  for (auto& time : state.since)
    onTime(time);
  for (auto& [clock, ends] : state.open) {
    onTime(ends.first);
    onTime(ends.second);
  }
  for (auto& time : state.busy)
    onTime(time);
  for (auto& output : state.pending) {
    for (auto& value : output.values)
      onTerm(value);
    onTime(output.time);
  }
  onTime(state.now);
}

/// What happens between two symbolic states: time passes, then the edges step.
struct SymbolicStep {
  /// What an edge saw when it was taken: variables and message.
  struct Before {
    std::vector<ir::ExprId> store;
    std::vector<ir::ExprId> message;
  };

  Visibility visibility = Visibility::Unobservable;
  ir::ChannelId channel;          ///< invalid for an internal edge
  std::vector<ir::ExprId> values; ///< of the message, over the unknowns
  std::vector<ir::EdgeId> edges;
  ir::ExprId time; ///< Symbolic only: since the start
  /// ESTS, input: the state surely takes the message, whatever way the reaction goes. What else a state behind the step
  /// asks for chooses the way.
  ir::ExprId taken = {};
  /// ESTS, an event: for each edge. Elsewhere edges see the state before the step and its values.
  std::vector<Before> before = {};
};

/// What the symbolic steps of all kinds of models share: expressions, unknowns, and questions about path conditions.
class Symbols {
public:
  /// The model is instantiated; its pool grows.
  Symbols(ir::Model& model, solver::Options options)
      : model_(model), terms_(model, unknowns_), solver_(model, unknowns_, std::move(options)) {}
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;

  ir::Model& model() { return model_; }
  ir::ExprPool& pool() { return model_.exprs; }
  solver::Terms& terms() { return terms_; }
  solver::Solver& solver() { return solver_; }
  const solver::Unknowns& unknowns() const { return unknowns_; }

  /// The unknown of a place of a path: step and position in it. Branches share it, so what was found out about one
  /// branch serves the others.
  ir::ExprId unknown(uint32_t step, uint32_t position, ir::TypeId type, const std::string& name);
  /// Another unknown of the same type, for a second copy of a state beside the first.
  ir::ExprId twin(uint32_t unknown);
  bool isTwin(uint32_t unknown) const { return unknown < isTwin_.size() && isTwin_[unknown]; }
  /// The time of a step, of type Real.
  ir::ExprId timeOf(uint32_t step);
  ir::ExprId expr(const TimeTerm& term) {
    return semantics::expr(pool(), term, [&](uint32_t i) { return timeOf(i); });
  }

  /// a <= b, or a < b. Steps are in the order of time, which decides many comparisons at once.
  ir::ExprId before(const TimeTerm& a, const TimeTerm& b, bool strict);

  /// Adds a condition that has no effect yet on what is settled; false if it is plainly false.
  bool assume(SymbolicState& state, ir::ExprId condition);
  /// Adds that the term has a value and keeps to the type.
  bool assumeFits(SymbolicState& state, ir::ExprId value, ir::TypeId type);
  /// Whether the conditions can hold; settles them by a witness. Where the solver cannot tell, the state stays and is
  /// marked.
  bool isFeasible(SymbolicState& state);
  bool isAssumed(const SymbolicState& state, ir::ExprId condition) const;

private:
  ir::Model& model_;
  solver::Unknowns unknowns_;
  solver::Terms terms_;
  solver::Solver solver_;
  std::unordered_map<uint64_t, std::vector<std::pair<ir::TypeId, ir::ExprId>>> places_;
  std::vector<ir::ExprId> times_;
  std::vector<bool> isTwin_; // by unknown
};

/// Puts the values of variables and of a message into expressions of the model.
class Substitute {
public:
  explicit Substitute(Symbols& symbols) : pool_(symbols.pool()) {}

  /// Whatever was put before is forgotten. `index` gives the position in `store` of each variable of the model.
  void begin(std::span<const ir::ExprId> store, std::span<const uint32_t> index, std::span<const ir::ExprId> locals);
  ir::ExprId operator()(ir::ExprId expr);

private:
  ir::ExprId leaf(ir::ExprId expr) const;

  ir::ExprPool& pool_;
  std::span<const ir::ExprId> store_;
  std::span<const uint32_t> index_;
  std::span<const ir::ExprId> locals_;
  std::vector<std::pair<uint32_t, ir::ExprId>> known_; // by expression: the round it was found in, and the result
  uint32_t round_ = 0;
  std::vector<ir::ExprId> operands_; // a stack
};

} // namespace tioc::semantics
