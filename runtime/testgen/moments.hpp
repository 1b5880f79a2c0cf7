#pragma once

#include "runtime/semantics/symbolic.hpp"

namespace tioc::testgen {

/// What guards say right before a step.
class Moments {
public:
  /// `network` belongs to the model of `symbols`.
  Moments(semantics::Symbols& symbols, const semantics::Network& network);

  /// Over the unknowns; has a value in any case. Message parameters are the step's values, clocks are read at its time.
  ir::ExprId condition(const ir::Guard& guard, const semantics::SymbolicState& from,
                       const semantics::SymbolicStep& step);

private:
  semantics::Symbols& symbols_;
  const semantics::Network& network_;
  semantics::Substitute put_;
  std::vector<uint32_t> index_; // by variable of the model: its place in the store
};

} // namespace tioc::testgen
