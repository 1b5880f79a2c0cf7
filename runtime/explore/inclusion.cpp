#include "runtime/explore/inclusion.hpp"

#include <algorithm>

namespace tioc::explore {

using ir::ExprId;
using semantics::SymbolicState;
using semantics::TimeKind;

Inclusion::Inclusion(semantics::Symbols& symbols, const semantics::Network& network, TimeKind time)
    : symbols_(symbols), network_(network), time_(time), liveness_(network),
      solver_(symbols.model(), symbols.unknowns(), symbols.solver().options()) {}

Inclusion::Shape Inclusion::shapeOf(const SymbolicState& state) {
  Shape shape{0, state.zone, {}, {}, {}, {}};
  for (size_t i = 0; i < state.store.size(); ++i)
    if (liveness_.isLive(state.at, network_.variables()[i]))
      shape.values.push_back(state.store[i]);
  ir::ExprPool& pool = symbols_.pool();
  const auto addAge = [&](const semantics::TimeTerm& time) {
    shape.values.push_back(pool.add(std::vector<ExprId>{symbols_.expr(state.now), pool.negate(symbols_.expr(time))}));
  };
  if (time_ == TimeKind::Symbolic)
    for (zones::Clock x = 1; x < state.since.size(); ++x)
      addAge(state.since[x]);
  for (const semantics::Emission& output : state.pending) {
    shape.pending.push_back(output.edge);
    shape.values.insert(shape.values.end(), output.values.begin(), output.values.end());
    addAge(output.time);
  }
  for (const semantics::TimeTerm& end : state.busy)
    addAge(end);
  for (const auto& [clock, ends] : state.open) {
    shape.open.push_back(clock);
    addAge(ends.first);
    addAge(ends.second);
  }
  // The rest of the path condition shares no unknown with what matters; as the state exists it can be met.
  std::vector<uint32_t> reached = symbols_.terms().unknownsOf(shape.values);
  std::vector<ExprId> rest = state.conditions;
  for (bool changed = true; changed;) {
    changed = false;
    std::erase_if(rest, [&](ExprId condition) {
      const auto& used = symbols_.terms().unknownsOf(condition);
      const bool touches = std::any_of(used.begin(), used.end(), [&](uint32_t unknown) {
        return std::binary_search(reached.begin(), reached.end(), unknown);
      });
      if (!touches)
        return false;
      shape.conditions.push_back(condition);
      std::vector<uint32_t> all;
      std::set_union(reached.begin(), reached.end(), used.begin(), used.end(), std::back_inserter(all));
      reached = std::move(all);
      return changed = true;
    });
  }
  return shape;
}

/// Gives the larger side unknowns of its own: branches of a tree share theirs.
void Inclusion::renameForLarger(Shape& shape) {
  ir::ExprPool& pool = symbols_.pool();
  ir::ExprPool::Substitution put(pool, [&](ExprId leaf) -> ExprId {
    if (pool.op(leaf) != ir::Op::Parameter)
      return {};
    const uint32_t unknown = pool.payload(leaf);
    if (renamed_.size() <= unknown)
      renamed_.resize(unknown + 1);
    if (!renamed_[unknown].valid())
      renamed_[unknown] = symbols_.twin(unknown);
    return renamed_[unknown];
  });
  for (ExprId& value : shape.values)
    value = put(value);
  for (ExprId& condition : shape.conditions)
    condition = put(condition);
}

bool Inclusion::includes(const Shape& larger, const Shape& smaller) {
  if (time_ == TimeKind::Zones && !smaller.zone.isSubsetOf(larger.zone))
    return false;
  if (larger.pending != smaller.pending || larger.open != smaller.open || larger.values.size() != smaller.values.size())
    return false;
  ir::ExprPool& pool = symbols_.pool();
  std::vector<ExprId> some = larger.conditions;
  for (size_t i = 0; i < larger.values.size(); ++i)
    some.push_back(pool.equal(larger.values[i], smaller.values[i]));
  std::erase_if(some, [&](ExprId id) { return pool.isTrue(id); });
  if (some.empty())
    return true;
  std::vector<uint32_t> inner;
  for (uint32_t unknown : symbols_.terms().unknownsOf(some))
    if (symbols_.isTwin(unknown))
      inner.push_back(unknown);
  return solver_.includes(smaller.conditions, some, inner) == ir::Decision::Yes;
}

std::optional<uint32_t> Inclusion::find(const SymbolicState& state) {
  const auto it = stored_.find(state.at);
  if (it == stored_.end())
    return std::nullopt;
  const Shape shape = shapeOf(state);
  for (const Shape& other : it->second)
    if (includes(other, shape))
      return other.id;
  return std::nullopt;
}

void Inclusion::store(uint32_t id, const SymbolicState& state) {
  Shape shape = shapeOf(state);
  shape.id = id;
  renameForLarger(shape);
  stored_[state.at].push_back(std::move(shape));
}

} // namespace tioc::explore
