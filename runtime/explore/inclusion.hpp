#pragma once

#include "runtime/semantics/liveness.hpp"
#include "runtime/semantics/symbolic.hpp"

#include <map>

namespace tioc::explore {

/// Finds stored states that include a new one (B, definition 5.5): the same locations, a larger zone, and every
/// valuation of the live variables that the new state has. The symbolic values of the larger state are existentially
/// quantified, those of the smaller universally. Asked in the order of cost: location, zone, data.
class Inclusion {
public:
  Inclusion(semantics::Symbols& symbols, const semantics::Network& network, semantics::TimeKind time);

  /// The stored state that includes this one, if one surely does.
  std::optional<uint32_t> find(const semantics::SymbolicState& state);
  void store(uint32_t id, const semantics::SymbolicState& state);

  /// Questions about data; those of feasibility are counted elsewhere.
  const solver::Counts& counts() const { return solver_.counts(); }

private:
  /// A state as far as it matters for what follows.
  struct Shape {
    uint32_t id = 0;
    zones::Zone zone;
    std::vector<ir::ExprId> values;     // of live variables, and of clocks and pending outputs where time is symbolic
    std::vector<ir::EdgeId> pending;    // that send these
    std::vector<uint32_t> open;         // clocks with bounds of their own among the values
    std::vector<ir::ExprId> conditions; // those that the values hang on
  };

  Shape shapeOf(const semantics::SymbolicState& state);
  void renameForLarger(Shape& shape);
  bool includes(const Shape& larger, const Shape& smaller);

  semantics::Symbols& symbols_;
  const semantics::Network& network_;
  semantics::TimeKind time_;
  semantics::Liveness liveness_;
  solver::Solver solver_;
  std::map<std::vector<ir::LocationId>, std::vector<Shape>> stored_;
  std::vector<ir::ExprId> renamed_; // by unknown: its double
};

} // namespace tioc::explore
