#include "runtime/solver/folding.hpp"

#include <unordered_set>

namespace tioc::solver {

using ir::ExprId;

Reply FoldingLink::ask(const Query& query) {
  if (auto reply = decide(query)) {
    ++counts_.folding;
    return std::move(*reply);
  }
  return next_.ask(query);
}

std::optional<Reply> FoldingLink::decide(const Query& query) {
  ir::ExprPool& pool = terms_.pool();
  const std::unordered_set<ExprId> stated(query.conditions.begin(), query.conditions.end());
  Domains domains(terms_);
  std::vector<ExprId> others;
  for (ExprId condition : query.conditions) {
    // x beside its negation: neither side can be true in both.
    if (pool.op(condition) == ir::Op::Not && stated.contains(pool.operands(condition)[0]))
      return Reply::unsat();
    if (!domains.add(condition))
      others.push_back(condition);
  }
  Assignment model = terms_.complete(query.conditions, query.hint);
  for (const auto& [place, domain] : domains.all()) {
    auto value = domain.pick(terms_.scalar(model, place));
    if (!value)
      return Reply::unsat();
    terms_.scalar(model, place) = std::move(*value);
  }
  bool isOpen = false;
  if (!others.empty()) {
    IntervalAlgebra algebra(terms_);
    for (const auto& [place, domain] : domains.all())
      algebra.restrict(place, domain.interval());
    Flattening<IntervalAlgebra> intervals(terms_, algebra);
    for (ExprId condition : others) {
      // A condition that is false wherever it has a value does not hold.
      const Interval& value = intervals.scalar(condition);
      if (value.isFalse())
        return Reply::unsat();
      isOpen |= !value.isTrue() || !intervals.scalar(terms_.defined(condition)).isTrue();
    }
  }
  if (isOpen || !terms_.isModel(query.conditions, model))
    return std::nullopt;
  return Reply::sat(std::move(model));
}

} // namespace tioc::solver
