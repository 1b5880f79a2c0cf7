#include "runtime/semantics/message_plan.hpp"

#include <algorithm>
#include <set>

namespace tioc::semantics {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;

namespace {

// Beyond this many values a disjunction is worse than no answer.
constexpr int64_t kMostValues = 32;

std::set<uint32_t> localsOf(const ir::ExprPool& pool, ExprId expr) {
  std::set<uint32_t> result;
  pool.visit(expr, [&](ExprId id) {
    if (pool.op(id) == Op::Local)
      result.insert(pool.payload(id));
  });
  return result;
}

} // namespace

const MessagePlan& MessagePlans::plan(std::span<const ir::EdgeId> edges, bool deadlines) {
  key_.assign(edges.begin(), edges.end());
  auto it = plans_.find({key_, deadlines});
  if (it == plans_.end())
    it = plans_.emplace(std::pair(key_, deadlines), make(edges, deadlines)).first;
  return it->second;
}

MessagePlan MessagePlans::make(std::span<const ir::EdgeId> edges, bool deadlines) {
  const ir::Model& model = symbols_.model();
  const ir::ExprPool& pool = symbols_.pool();
  MessagePlan plan;
  for (ir::EdgeId id : edges) {
    const ir::Edge& edge = model[id];
    const ir::Guard& guard = deadlines && edge.deadline ? *edge.deadline : edge.guard;
    for (ExprId part : pool.conjuncts(guard.data))
      plan.conditions.push_back(part);
  }
  const ir::Edge& first = model[edges[0]];
  const auto count = static_cast<uint32_t>(first.parameters.size());
  std::set<uint32_t> settled;
  // The value that a conjunct gives to a parameter that is not settled yet.
  const auto pins = [&](ExprId conjunct, uint32_t& index, ExprId& term) {
    if (pool.op(conjunct) != Op::Equal)
      return false;
    for (size_t side : {0, 1}) {
      const ExprId leaf = pool.operands(conjunct)[side];
      term = pool.operands(conjunct)[1 - side];
      if (pool.op(leaf) != Op::Local || settled.contains(pool.payload(leaf)))
        continue;
      index = pool.payload(leaf);
      const std::set<uint32_t> used = localsOf(pool, term);
      if (std::includes(settled.begin(), settled.end(), used.begin(), used.end()))
        return true;
    }
    return false;
  };
  const auto settle = [&](uint32_t index, ExprId term) {
    const ir::Member& member = model[first.channel].parameters[index];
    const std::string& own = first.parameters[index].name;
    plan.parameters.push_back({index, member.type, own.empty() || own == "_" ? member.name : own, term});
    plan.hasOpen |= !term.valid();
    settled.insert(index);
  };
  while (settled.size() < count) {
    uint32_t index = 0;
    ExprId term;
    const auto found = std::find_if(plan.conditions.begin(), plan.conditions.end(),
                                    [&](ExprId conjunct) { return pins(conjunct, index, term); });
    if (found != plan.conditions.end()) {
      pins(*found, index, term);
      plan.conditions.erase(found);
      settle(index, term);
      continue;
    }
    for (index = 0; settled.contains(index); ++index) {
    }
    settle(index, {});
  }
  return plan;
}

// ---- some values exist

bool MessagePlans::mentions(ExprId expr, ExprId leaf) {
  const auto& unknowns = symbols_.terms().unknownsOf(expr);
  return std::binary_search(unknowns.begin(), unknowns.end(), symbols_.pool().payload(leaf));
}

/// Lower and upper bounds of a number: each lower one must be below each upper one.
bool MessagePlans::eliminateByBounds(ExprId unknown, std::span<const ExprId> own, std::vector<ExprId>& result) {
  ir::ExprPool& pool = symbols_.pool();
  const bool isReal = pool.type(unknown) == symbols_.model().types.real();
  std::vector<std::pair<ExprId, bool>> lowers, uppers; // the bound, and whether it is strict
  for (ExprId condition : own) {
    const bool strict = pool.op(condition) == Op::Less;
    if (!strict && pool.op(condition) != Op::LessEqual)
      return false;
    const ExprId left = pool.operands(condition)[0], right = pool.operands(condition)[1];
    if (left == unknown && !mentions(right, unknown))
      uppers.emplace_back(right, strict);
    else if (right == unknown && !mentions(left, unknown))
      lowers.emplace_back(left, strict);
    else
      return false;
  }
  for (const auto& [low, lowStrict] : lowers)
    for (const auto& [high, highStrict] : uppers) {
      if (isReal) {
        result.push_back(lowStrict || highStrict ? pool.less(low, high) : pool.lessEqual(low, high));
        continue;
      }
      const int64_t gap = (lowStrict ? 1 : 0) + (highStrict ? 1 : 0);
      result.push_back(gap == 0 ? pool.lessEqual(low, high)
                                : pool.lessEqual(pool.add(std::vector<ExprId>{low, pool.integer(gap)}), high));
    }
  return true;
}

bool MessagePlans::eliminateByValues(ExprId unknown, ir::TypeId id, std::span<const ExprId> own,
                                     std::vector<ExprId>& result) {
  ir::ExprPool& pool = symbols_.pool();
  const ir::Model& model = symbols_.model();
  const ir::Type& type = model.types[id];
  std::vector<ExprId> values;
  if (type.kind == TypeKind::Bool) {
    values = {pool.boolean(false), pool.boolean(true)};
  } else if (type.kind == TypeKind::Enum) {
    for (uint32_t i = 0; i < model[type.enumeration].literals.size(); ++i)
      values.push_back(pool.enumLiteral(id, i));
  } else if (type.range && type.range->last - type.range->first < ir::Rational(kMostValues)) {
    for (ir::Rational value = type.range->first; value <= type.range->last; value = value + 1)
      values.push_back(pool.integer(value));
  } else {
    return false;
  }
  std::vector<ExprId> cases;
  for (ExprId value : values) {
    std::vector<ExprId> parts;
    for (ExprId condition : own)
      parts.push_back(pool.substitute(condition, [&](ExprId leaf) { return leaf == unknown ? value : ExprId(); }));
    cases.push_back(pool.conjunction(parts));
  }
  result.push_back(pool.disjunction(cases));
  return true;
}

bool MessagePlans::eliminate(ExprId unknown, ir::TypeId type, std::vector<ExprId>& conditions) {
  std::vector<ExprId> own, rest;
  for (ExprId condition : conditions)
    (mentions(condition, unknown) ? own : rest).push_back(condition);
  if (own.empty())
    return true;
  // Conditions on the message alone have one answer, whatever the state.
  const auto& terms = symbols_.terms().unknownsOf(own);
  if (terms.size() == 1) {
    const solver::Answer answer = symbols_.solver().check(own).answer;
    if (answer == solver::Answer::Unknown)
      return false;
    rest.push_back(symbols_.pool().boolean(answer == solver::Answer::Sat));
    conditions = std::move(rest);
    return true;
  }
  std::vector<ExprId> ranged = own;
  symbols_.terms().ranges(unknown, type, ranged);
  const bool done = eliminateByBounds(unknown, ranged, rest) || eliminateByValues(unknown, type, own, rest);
  if (done)
    conditions = std::move(rest);
  return done;
}

std::optional<ExprId> MessagePlans::exists(const MessagePlan& plan, const SymbolicState& state,
                                           std::span<const uint32_t> index, Substitute& put,
                                           std::vector<ExprId>& locals) {
  ir::ExprPool& pool = symbols_.pool();
  locals.assign(plan.parameters.size(), {});
  std::vector<ExprId> conditions;
  for (const MessagePlan::Parameter& parameter : plan.parameters) {
    put.begin(state.store, index, locals);
    ExprId& local = locals[parameter.index];
    if (!parameter.term.valid()) {
      local = symbols_.unknown(state.steps + 1, parameter.index, parameter.type, parameter.name);
      continue;
    }
    local = put(parameter.term);
    conditions.push_back(symbols_.terms().defined(local));
    if (pool.type(local) != parameter.type)
      symbols_.terms().ranges(local, parameter.type, conditions);
  }
  put.begin(state.store, index, locals);
  for (ExprId condition : plan.conditions) {
    const ExprId here = put(condition);
    conditions.push_back(symbols_.terms().defined(here));
    conditions.push_back(here);
  }
  if (plan.hasOpen) {
    conditions = symbols_.terms().conjuncts(conditions);
    for (const MessagePlan::Parameter& parameter : plan.parameters) {
      if (parameter.term.valid())
        continue;
      if (!eliminate(locals[parameter.index], parameter.type, conditions))
        return std::nullopt;
      locals[parameter.index] = {};
    }
  }
  return pool.conjunction(conditions);
}

} // namespace tioc::semantics
