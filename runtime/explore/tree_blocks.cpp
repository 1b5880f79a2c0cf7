#include "runtime/explore/tree_blocks.hpp"

#include "runtime/explore/tree_reach.hpp"

#include <algorithm>

namespace tioc::explore {

using ir::ExprId;
using semantics::SymbolicState;
using semantics::SymbolicStep;

void TreeBlocks::run(Tree& tree) {
  tree.run([&](uint32_t node) {
    if (tree.nodes()[node].coveredBy)
      return true;
    relation_.wait(tree.nodes()[node].state, [&](SymbolicState&& later) {
      // Where an end is reached, only steps at that instant count. An end that is only neared leaves steps at any time
      // before it, which is a question with quantifiers over time.
      const semantics::Tiosts::Ends ends = relation_.ends(later);
      look(tree, node, later, ends.reached, When::Now);
      if (!found_)
        look(tree, node, later, ends.neared, When::FromNowOn);
    });
    return !found_;
  });
}

void TreeBlocks::look(const Tree& tree, uint32_t node, const SymbolicState& state, ExprId end, When when) {
  if (symbols_.pool().isFalse(end))
    return;
  std::vector<ExprId> conditions = state.conditions;
  conditions.push_back(end);
  solver::Solver& solver = symbols_.solver();
  if (solver.check(conditions, &state.witness).answer == solver::Answer::Unsat)
    return;
  const ExprId some = steps(state, when);
  const std::vector<uint32_t> outer = unknownsOf(state);
  std::vector<uint32_t> inner = symbols_.terms().unknownsOf(some);
  std::erase_if(inner, [&](uint32_t unknown) { return std::binary_search(outer.begin(), outer.end(), unknown); });
  solver::Assignment blocked;
  const ir::Decision decision = solver.includes(conditions, {&some, 1}, inner, &blocked);
  if (decision == ir::Decision::No)
    found_ = runTo(symbols_, network_, tree, node, symbols_.expr(state.now), blocked);
  if (decision == ir::Decision::Unknown || (decision == ir::Decision::No && !found_))
    ++undecided_;
}

/// Those that the state speaks of anywhere, in order.
std::vector<uint32_t> TreeBlocks::unknownsOf(const SymbolicState& state) {
  std::vector<ExprId> terms = state.conditions;
  terms.insert(terms.end(), state.store.begin(), state.store.end());
  for (const semantics::TimeTerm& time : state.since)
    terms.push_back(symbols_.expr(time));
  terms.push_back(symbols_.expr(state.now));
  return symbols_.terms().unknownsOf(terms);
}

/// Some step is possible.
ExprId TreeBlocks::steps(const SymbolicState& state, When when) {
  ir::ExprPool& pool = symbols_.pool();
  std::vector<ExprId> ways;
  relation_.successors(state, [&](SymbolicStep&& step, SymbolicState&& next) {
    std::vector<ExprId> parts(next.conditions.begin() + static_cast<ptrdiff_t>(state.conditions.size()),
                              next.conditions.end());
    const ExprId now = symbols_.expr(state.now);
    if (when == When::Now && step.time != now) {
      ir::ExprPool::Substitution put(pool, [&](ExprId leaf) { return leaf == step.time ? now : ExprId(); });
      std::transform(parts.begin(), parts.end(), parts.begin(), [&](ExprId part) { return put(part); });
    }
    const ExprId way = pool.conjunction(parts);
    ways.push_back(pool.conjunction(symbols_.terms().defined(way), way));
  });
  return pool.disjunction(ways);
}

} // namespace tioc::explore
