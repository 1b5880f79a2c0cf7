#pragma once

#include "runtime/semantics/step_relation.hpp"

namespace tioc::testgen {

/// Where a purpose is, on one path.
struct PurposeState {
  ir::LocationId at; ///< invalid: there is no purpose
  ir::EdgeId via;    ///< the edge by which it got there; invalid: it did not move yet
  std::vector<ir::ExprId> store;
  std::vector<ir::ExprId> since; ///< by clock of the purpose: its value is the present time minus this
};

/// Why a purpose did not take an edge although the action was the right one.
struct Refusal {
  ir::EdgeId edge;
  std::string what; ///< the part of its guard that cannot hold, or empty: it fails only together with the rest
  ir::Span span;
  std::vector<ir::LocationId> at; ///< where the system was
};

/// Follows a purpose beside the steps of a system (B, definition 3.4): both take every observable action together; an
/// action that the purpose does not mention leaves it where it is. Its internal edges it may take whenever the system
/// does something, right before and right behind it.
class Observer {
public:
  /// An invalid `purpose` accepts nothing; a product as the whole system has marks itself. `variables`: in its store.
  Observer(semantics::Symbols& symbols, ir::AutomatonId purpose, std::span<const ir::VariableId> variables,
           std::span<const ir::ClockId> clocks);

  PurposeState initial() const;
  ir::Mark mark(const PurposeState& state) const;
  /// Steps of the purpose to `accept` at least, guards aside; 0 without purpose.
  uint32_t distance(const PurposeState& state) const;

  using Sink = std::function<void(semantics::SymbolicState&& state, PurposeState&& purpose)>;
  /// The purpose takes part in a step from `from` to `to`. Gives the parts of `to` by what the purpose does then.
  void follow(const semantics::SymbolicState& from, const PurposeState& purpose, const semantics::SymbolicStep& step,
              semantics::SymbolicState&& to, const Sink& sink);

  /// The first refusal of each edge that never could be taken.
  const std::vector<Refusal>& refusals() const { return refusals_; }
  bool wasTaken(ir::EdgeId edge) const { return edge.value < taken_.size() && taken_[edge.value]; }

private:
  void match(const semantics::SymbolicState& from, const PurposeState& purpose, const semantics::SymbolicStep& step,
             semantics::SymbolicState&& to, const Sink& sink);
  void rest(const semantics::SymbolicState& from, const PurposeState& purpose, std::span<const ir::ExprId> values,
            ir::ExprId time, semantics::SymbolicState&& to, uint32_t depth, const Sink& sink);
  std::optional<PurposeState> tryEdge(ir::EdgeId id, const semantics::SymbolicState& from, const PurposeState& purpose,
                                      std::span<const ir::ExprId> values, ir::ExprId time,
                                      semantics::SymbolicState& state, ir::ExprId* guard = nullptr);
  void refuse(ir::EdgeId id, const semantics::SymbolicState& from, const PurposeState& purpose,
              std::span<const ir::ExprId> values, ir::ExprId time, const semantics::SymbolicState& state);
  ir::ExprId guardOf(const ir::Edge& edge, const semantics::SymbolicState& from, const PurposeState& purpose,
                     std::span<const ir::ExprId> values, ir::ExprId time);
  bool matches(const ir::Edge& edge, const semantics::SymbolicStep& step) const;
  PurposeState take(const ir::Edge& edge, const PurposeState& purpose, ir::ExprId time);

  semantics::Symbols& symbols_;
  ir::AutomatonId purpose_;
  std::vector<uint32_t> index_;  // by variable of the model: place in the joint store
  std::vector<uint32_t> clocks_; // by clock of the model: its index in the system, or behind them in the purpose
  uint32_t systemClocks_;
  size_t systemVariables_;
  std::vector<uint32_t> distance_; // by location
  semantics::Substitute put_;
  std::vector<ir::ExprId> store_;
  std::vector<Refusal> refusals_;
  std::vector<bool> taken_; // by edge
};

} // namespace tioc::testgen
