#include "runtime/testgen/moments.hpp"

namespace tioc::testgen {

using ir::ExprId;

Moments::Moments(semantics::Symbols& symbols, const semantics::Network& network)
    : symbols_(symbols), network_(network), put_(symbols) {
  index_.assign(symbols.model().variables.size(), UINT32_MAX);
  for (uint32_t i = 0; i < network.variables().size(); ++i)
    index_[network.variables()[i].value] = i;
}

ExprId Moments::condition(const ir::Guard& guard, const semantics::SymbolicState& from,
                          const semantics::SymbolicStep& step, ir::EdgeId edge) {
  for (size_t i = 0; i < step.before.size(); ++i)
    if (step.edges[i] == edge)
      return condition(guard, from, step, step.before[i].store, step.before[i].message);
  const ir::Model& model = symbols_.model();
  if (model[network_.component(network_.componentOf(edge))].kind == ir::AutomatonKind::Ests)
    return symbols_.pool().boolean(false);
  return condition(guard, from, step);
}

ExprId Moments::condition(const ir::Guard& guard, const semantics::SymbolicState& from,
                          const semantics::SymbolicStep& step, const std::vector<ExprId>& store,
                          const std::vector<ExprId>& message) {
  ir::ExprPool& pool = symbols_.pool();
  put_.begin(store, index_, message);
  std::vector<ExprId> parts;
  const auto add = [&](ExprId condition) {
    parts.push_back(symbols_.terms().defined(condition));
    parts.push_back(condition);
  };
  add(put_(guard.data));
  const auto valueOf = [&](ir::ClockId clock) {
    if (clock == ir::Model::zeroClock())
      return pool.real(0);
    return pool.add(std::vector<ExprId>{step.time, pool.negate(symbols_.expr(from.since[network_.clock(clock)]))});
  };
  for (const ir::ClockConstraint& c : guard.clocks) {
    const ExprId left = valueOf(c.left);
    const ExprId limit = pool.add(std::vector<ExprId>{valueOf(c.right), put_(c.bound)});
    add(c.strict ? pool.less(left, limit) : pool.lessEqual(left, limit));
  }
  return pool.conjunction(parts);
}

} // namespace tioc::testgen
