#pragma once

#include "runtime/explore/tree.hpp"

namespace tioc::explore {

/// Names for people: unknowns by the variable or parameter they stand for and the step they appear at.
class Namer {
public:
  Namer(semantics::Symbols& symbols, const semantics::Network& network);

  std::string expr(ir::ExprId expr) const;
  std::string place(const semantics::SymbolicState& state) const;
  std::string label(const semantics::SymbolicStep& step) const;
  std::string variable(ir::VariableId id) const;
  std::string edge(ir::EdgeId id) const;
  std::vector<std::string> clocks() const; ///< by network clock

private:
  semantics::Symbols& symbols_;
  const semantics::Network& network_;
  mutable ir::Automaton names_; // its parameters are the unknowns
};

ir::Graph graphOf(const Tree& tree, semantics::Symbols& symbols, const semantics::Network& network,
                  semantics::TimeKind time);

} // namespace tioc::explore
