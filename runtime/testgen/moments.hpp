#pragma once

#include "runtime/semantics/symbolic.hpp"

namespace tioc::testgen {

/// What guards say right before a step.
class Moments {
public:
  /// `network` belongs to the model of `symbols`.
  Moments(semantics::Symbols& symbols, const semantics::Network& network);

  /// Right before an edge of the step is taken. Over the unknowns; has a value in any case. Clocks are read at the time
  /// of the step. False where nothing can be told: for what an ESTS did before its output is seen.
  ir::ExprId condition(const ir::Guard& guard, const semantics::SymbolicState& from,
                       const semantics::SymbolicStep& step, ir::EdgeId edge);
  /// The same where there is no such edge: message parameters are the step's values.
  ir::ExprId condition(const ir::Guard& guard, const semantics::SymbolicState& from,
                       const semantics::SymbolicStep& step) {
    return condition(guard, from, step, from.store, step.values);
  }

private:
  ir::ExprId condition(const ir::Guard& guard, const semantics::SymbolicState& from,
                       const semantics::SymbolicStep& step, const std::vector<ir::ExprId>& store,
                       const std::vector<ir::ExprId>& message);

  semantics::Symbols& symbols_;
  const semantics::Network& network_;
  semantics::Substitute put_;
  std::vector<uint32_t> index_; // by variable of the model: its place in the store
};

} // namespace tioc::testgen
