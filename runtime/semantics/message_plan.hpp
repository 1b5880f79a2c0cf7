#pragma once

#include "runtime/semantics/symbolic.hpp"

#include <map>

namespace tioc::semantics {

/// How edges that step together read and write one message: every parameter is a term over the variables and earlier
/// parameters where some guard says so (`p == e`), else it is open.
struct MessagePlan {
  struct Parameter {
    uint32_t index = 0;
    ir::TypeId type;
    std::string name;
    ir::ExprId term; ///< invalid: open
  };
  std::vector<Parameter> parameters;  ///< in an order in which terms are known
  std::vector<ir::ExprId> conditions; ///< the other conjuncts of the guards
  bool hasOpen = false;
};

class MessagePlans {
public:
  explicit MessagePlans(Symbols& symbols) : symbols_(symbols) {}

  /// For the guards of the edges, or for what their urgency is about.
  const MessagePlan& guards(std::span<const ir::EdgeId> edges) { return plan(edges, false); }
  const MessagePlan& deadlines(std::span<const ir::EdgeId> edges) { return plan(edges, true); }

  /// Some values of the open parameters satisfy the conditions of the plan, as a condition over the unknowns that
  /// always has a value. `locals` becomes the parameters' terms, open ones invalid. Nothing where it cannot be said
  /// without quantifiers.
  std::optional<ir::ExprId> exists(const MessagePlan& plan, const SymbolicState& state, std::span<const uint32_t> index,
                                   Substitute& put, std::vector<ir::ExprId>& locals);

private:
  const MessagePlan& plan(std::span<const ir::EdgeId> edges, bool deadlines);
  MessagePlan make(std::span<const ir::EdgeId> edges, bool deadlines);
  bool mentions(ir::ExprId expr, ir::ExprId leaf);
  bool eliminate(ir::ExprId unknown, ir::TypeId type, std::vector<ir::ExprId>& conditions);
  bool eliminateByBounds(ir::ExprId unknown, std::span<const ir::ExprId> own, std::vector<ir::ExprId>& result);
  bool eliminateByValues(ir::ExprId unknown, ir::TypeId type, std::span<const ir::ExprId> own,
                         std::vector<ir::ExprId>& result);

  Symbols& symbols_;
  std::map<std::pair<std::vector<ir::EdgeId>, bool>, MessagePlan> plans_;
  std::vector<ir::EdgeId> key_;
};

} // namespace tioc::semantics
