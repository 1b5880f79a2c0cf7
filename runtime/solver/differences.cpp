#include "runtime/solver/differences.hpp"

#include <deque>

namespace tioc::solver {

using ir::ExprId;
using ir::Op;
using ir::Rational;

namespace {

constexpr uint32_t kDeepest = 50;

} // namespace

/// False: it is no sum of this form.
bool Differences::addTo(Sum& sum, ExprId expr, bool negated) const {
  if (const Rational* number = pool_.number(expr)) {
    sum.constant = negated ? sum.constant - *number : sum.constant + *number;
    return true;
  }
  switch (pool_.op(expr)) {
  case Op::Parameter: {
    uint32_t &side = negated ? sum.minus : sum.plus, &other = negated ? sum.plus : sum.minus;
    const uint32_t unknown = pool_.payload(expr);
    if (pool_.type(expr) != real_ || (side != kZero && other != unknown))
      return false;
    if (other == unknown)
      other = kZero;
    else
      side = unknown;
    return true;
  }
  case Op::Negate:
    return addTo(sum, pool_.operands(expr)[0], !negated);
  case Op::Add:
    for (ExprId part : pool_.operands(expr))
      if (!addTo(sum, part, negated))
        return false;
    return true;
  default:
    return false;
  }
}

void Differences::add(ExprId condition) {
  const Op op = pool_.op(condition);
  if ((op != Op::Less && op != Op::LessEqual && op != Op::Equal) || pool_.depth(condition) > kDeepest)
    return;
  Sum sum; // at most 0
  if (!addTo(sum, pool_.operands(condition)[0], false) || !addTo(sum, pool_.operands(condition)[1], true) ||
      sum.plus == sum.minus)
    return;
  bounds_[sum.minus].push_back({sum.plus, -sum.constant});
  if (op == Op::Equal)
    bounds_[sum.plus].push_back({sum.minus, sum.constant});
}

std::optional<Rational> Differences::least(ExprId term) const {
  Sum sum;
  if (pool_.depth(term) > kDeepest || !addTo(sum, term, true) || sum.plus == sum.minus)
    return std::nullopt;
  // The greatest value of the opposite: plus <= minus + distance.
  std::unordered_map<uint32_t, Rational> distances{{sum.minus, 0}};
  std::deque<uint32_t> open{sum.minus};
  for (size_t steps = 0; !open.empty(); ++steps) {
    if (steps > (bounds_.size() + 1) * (bounds_.size() + 1))
      return std::nullopt; // against the precondition, or as good as endless
    const uint32_t from = open.front();
    open.pop_front();
    const auto known = bounds_.find(from);
    if (known == bounds_.end())
      continue;
    for (const Bound& bound : known->second) {
      const Rational distance = distances.at(from) + bound.by;
      const auto [to, isNew] = distances.try_emplace(bound.to, distance);
      if (!isNew && to->second <= distance)
        continue;
      to->second = distance;
      open.push_back(bound.to);
    }
  }
  const auto end = distances.find(sum.plus);
  return end == distances.end() ? std::nullopt : std::optional(-(end->second + sum.constant));
}

} // namespace tioc::solver
