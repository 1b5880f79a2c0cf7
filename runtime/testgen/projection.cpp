#include "runtime/testgen/projection.hpp"

#include <algorithm>

namespace tioc::testgen {

using ir::ExprId;
using ir::Op;
using ir::Rational;

namespace {

// More alternatives than a test can reasonably show; beyond, conditions are left out.
constexpr size_t kMostCases = 48;
constexpr size_t kMostConditions = 400;

} // namespace

// ---- linear comparisons

/// Adds factor * expr; false if it is not linear.
bool Projection::addLinear(ExprId expr, const Rational& factor, Linear& sum) {
  if (const Rational* value = pool_.number(expr)) {
    sum.constant = sum.constant + factor * *value;
    return true;
  }
  const auto operands = pool_.operands(expr);
  switch (pool_.op(expr)) {
  case Op::Parameter: {
    Rational& own = sum.factors[pool_.payload(expr)];
    own = own + factor;
    if (own.isZero())
      sum.factors.erase(pool_.payload(expr));
    return true;
  }
  case Op::Negate:
    return addLinear(operands[0], -factor, sum);
  case Op::ToReal:
    return addLinear(operands[0], factor, sum);
  case Op::Add:
    return std::all_of(operands.begin(), operands.end(), [&](ExprId part) { return addLinear(part, factor, sum); });
  case Op::Multiply: {
    const Rational* number = pool_.number(operands[0]);
    return number && operands.size() == 2 && addLinear(operands[1], factor * *number, sum);
  }
  default:
    return false;
  }
}

const std::optional<Projection::Linear>& Projection::linear(ExprId condition) {
  const auto [known, isNew] = linear_.try_emplace(condition);
  if (isNew)
    known->second = read(condition);
  return known->second;
}

std::optional<Projection::Linear> Projection::read(ExprId condition) {
  const Op op = pool_.op(condition);
  if (op != Op::Less && op != Op::LessEqual && op != Op::Equal)
    return std::nullopt;
  const ExprId left = pool_.operands(condition)[0], right = pool_.operands(condition)[1];
  const ir::TypeTable& types = symbols_.model().types;
  if (!types.isNumeric(pool_.type(left)))
    return std::nullopt;
  Linear result;
  result.relation = op == Op::Less        ? Linear::Relation::Less
                    : op == Op::LessEqual ? Linear::Relation::LessEqual
                                          : Linear::Relation::Equal;
  result.isReal = pool_.type(left) == types.real();
  if (!addLinear(left, 1, result) || !addLinear(right, -1, result))
    return std::nullopt;
  return result;
}

ExprId Projection::canonical(ExprId condition) {
  const auto [known, isNew] = canonical_.try_emplace(condition, condition);
  if (!isNew)
    return known->second;
  const auto form = linear(condition);
  const ExprId result = form ? expr(*form) : condition;
  canonical_[condition] = result;
  return result;
}

/// Positive summands on the left, negative ones on the right.
ExprId Projection::expr(const Linear& linear, ExprId allowance) {
  std::vector<ExprId> left, right;
  const auto number = [&](const Rational& value) { return linear.isReal ? pool_.real(value) : pool_.integer(value); };
  for (const auto& [unknown, factor] : linear.factors) {
    ExprId leaf = symbols_.unknowns().leaf(pool_, unknown);
    if (linear.isReal && pool_.type(leaf) != symbols_.model().types.real())
      leaf = pool_.toReal(leaf);
    const Rational size = factor.sign() < 0 ? -factor : factor;
    const ExprId part = size == Rational(1) ? leaf : pool_.multiply(std::vector<ExprId>{number(size), leaf});
    (factor.sign() > 0 ? left : right).push_back(part);
  }
  if (linear.constant.sign() > 0)
    left.push_back(number(linear.constant));
  else if (linear.constant.sign() < 0)
    right.push_back(number(-linear.constant));
  if (allowance.valid())
    right.push_back(allowance);
  const auto sum = [&](const std::vector<ExprId>& parts) {
    return parts.empty() ? number(0) : parts.size() == 1 ? parts[0] : pool_.add(parts);
  };
  const ExprId low = sum(left), high = sum(right);
  switch (linear.relation) {
  case Linear::Relation::Less:
    return pool_.less(low, high);
  case Linear::Relation::LessEqual:
    return pool_.lessEqual(low, high);
  case Linear::Relation::Equal:
    break;
  }
  return pool_.equal(low, high);
}

std::optional<Projection::Bound> Projection::boundOf(ExprId condition, uint32_t unknown) {
  std::optional<Linear> form = linear(condition);
  if (!form || !form->factors.contains(unknown))
    return std::nullopt;
  const Rational factor = form->factors.at(unknown);
  form->factors.erase(unknown);
  // factor * unknown + rest < 0
  const Rational scale = Rational(-1) / factor;
  std::vector<ExprId> parts;
  const auto number = [&](const Rational& value) { return form->isReal ? pool_.real(value) : pool_.integer(value); };
  for (const auto& [other, share] : form->factors) {
    const Rational amount = share * scale;
    if (!form->isReal && !amount.isInteger())
      return std::nullopt;
    ExprId leaf = symbols_.unknowns().leaf(pool_, other);
    if (form->isReal && pool_.type(leaf) != symbols_.model().types.real())
      leaf = pool_.toReal(leaf);
    parts.push_back(amount == Rational(1)    ? leaf
                    : amount == Rational(-1) ? pool_.negate(leaf)
                                             : pool_.multiply(std::vector<ExprId>{number(amount), leaf}));
  }
  const Rational rest = form->constant * scale;
  if (!form->isReal && !rest.isInteger())
    return std::nullopt;
  if (!rest.isZero() || parts.empty())
    parts.push_back(number(rest));
  Bound bound;
  bound.term = parts.size() == 1 ? parts[0] : pool_.add(parts);
  bound.strict = form->relation == Linear::Relation::Less;
  bound.upper = factor.sign() > 0 || form->relation == Linear::Relation::Equal;
  bound.lower = factor.sign() < 0 || form->relation == Linear::Relation::Equal;
  return bound;
}

// ---- cases

/// The conditions of which one must hold for the given one to hold; itself if it is no choice.
std::vector<ExprId> Projection::alternatives(ExprId condition) {
  const auto operands = pool_.operands(condition);
  if (pool_.op(condition) == Op::Or)
    return {operands.begin(), operands.end()};
  if (pool_.op(condition) != Op::Not)
    return {condition};
  const ExprId inner = operands[0];
  const std::vector<ExprId> parts(pool_.operands(inner).begin(), pool_.operands(inner).end());
  if (pool_.op(inner) == Op::And) {
    std::vector<ExprId> result;
    for (ExprId part : parts)
      result.push_back(pool_.negation(part));
    return result;
  }
  if (pool_.op(inner) == Op::Equal && symbols_.model().types.isNumeric(pool_.type(parts[0])))
    return {pool_.less(parts[0], parts[1]), pool_.less(parts[1], parts[0])};
  return {condition};
}

bool Projection::needsSplit(ExprId condition, const IsKept& isKept) {
  const auto& unknowns = symbols_.terms().unknownsOf(condition);
  return std::any_of(unknowns.begin(), unknowns.end(), [&](uint32_t unknown) { return !isKept(unknown); });
}

/// Constants out, everything once; false if something is false.
bool Projection::simplify(Conjunction& conditions) {
  conditions = symbols_.terms().conjuncts(conditions);
  Conjunction flat;
  for (ExprId condition : conditions) {
    if (pool_.op(condition) == Op::Not && pool_.op(pool_.operands(condition)[0]) == Op::Or) {
      const ExprId inner = pool_.operands(condition)[0];
      const std::vector<ExprId> parts(pool_.operands(inner).begin(), pool_.operands(inner).end());
      for (ExprId part : parts)
        flat.push_back(pool_.negation(part));
    } else {
      flat.push_back(condition);
    }
  }
  conditions.clear();
  for (ExprId condition : flat) {
    condition = canonical(condition); // in one form, so that equal ones are seen
    if (pool_.isFalse(condition) ||
        std::find(conditions.begin(), conditions.end(), pool_.negation(condition)) != conditions.end())
      return false;
    if (!pool_.isTrue(condition) && std::find(conditions.begin(), conditions.end(), condition) == conditions.end())
      conditions.push_back(condition);
  }
  return true;
}

/// An equality that says what a hidden unknown is.
bool Projection::substituteOne(Conjunction& conditions, const IsKept& isKept) {
  for (size_t i = 0; i < conditions.size(); ++i) {
    uint32_t unknown = UINT32_MAX;
    ExprId value;
    const ExprId condition = conditions[i];
    const bool isNegated = pool_.op(condition) == Op::Not;
    const ExprId inner = isNegated ? pool_.operands(condition)[0] : condition;
    if (pool_.op(inner) == Op::Parameter && !isKept(pool_.payload(inner))) {
      unknown = pool_.payload(inner);
      value = pool_.boolean(!isNegated);
    } else if (pool_.op(condition) == Op::Equal) {
      for (size_t side : {0, 1}) {
        const ExprId leaf = pool_.operands(condition)[side];
        const ExprId other = pool_.operands(condition)[1 - side];
        if (pool_.op(leaf) != Op::Parameter || isKept(pool_.payload(leaf)))
          continue;
        const auto& used = symbols_.terms().unknownsOf(other);
        if (std::binary_search(used.begin(), used.end(), pool_.payload(leaf)))
          continue;
        unknown = pool_.payload(leaf);
        value = other;
        break;
      }
      if (!value.valid())
        if (auto form = linear(condition))
          for (const auto& [candidate, factor] : form->factors) {
            if (isKept(candidate))
              continue;
            if (auto bound = boundOf(condition, candidate)) {
              const bool whole = symbols_.unknowns().type(candidate) != symbols_.model().types.real();
              if (whole && form->isReal)
                continue;
              unknown = candidate;
              value = bound->term;
              break;
            }
          }
    }
    if (!value.valid())
      continue;
    conditions.erase(conditions.begin() + static_cast<ptrdiff_t>(i));
    // Another unknown of the same type keeps to its ranges anyhow.
    if (pool_.op(value) != Op::Parameter ||
        symbols_.unknowns().type(pool_.payload(value)) != symbols_.unknowns().type(unknown))
      symbols_.terms().ranges(value, symbols_.unknowns().type(unknown), conditions);
    conditions.push_back(symbols_.terms().defined(value));
    const ExprId leaf = symbols_.unknowns().leaf(pool_, unknown);
    ir::ExprPool::Substitution put(pool_, [&](ExprId id) { return id == leaf ? value : ExprId(); });
    for (ExprId& other : conditions)
      other = put(other);
    return true;
  }
  return false;
}

/// Fourier–Motzkin on one hidden unknown. False: the case is impossible.
bool Projection::eliminateOne(Conjunction& conditions, uint32_t unknown, bool& exact) {
  const ir::TypeId type = symbols_.unknowns().type(unknown);
  const bool isReal = type == symbols_.model().types.real();
  Conjunction rest;
  std::vector<Linear> lowers, uppers;
  Conjunction all = conditions;
  symbols_.terms().ranges(symbols_.unknowns().leaf(pool_, unknown), type, all);
  for (ExprId condition : all) {
    const auto& used = symbols_.terms().unknownsOf(condition);
    if (!std::binary_search(used.begin(), used.end(), unknown)) {
      rest.push_back(condition);
      continue;
    }
    std::optional<Linear> form = linear(condition);
    if (!form || form->relation == Linear::Relation::Equal) {
      exact = false; // left out
      continue;
    }
    const Rational factor = form->factors.at(unknown);
    exact &= isReal || factor == Rational(1) || factor == Rational(-1);
    (factor.sign() < 0 ? lowers : uppers).push_back(std::move(*form));
  }
  if (lowers.size() * uppers.size() > kMostConditions) {
    exact = false;
    conditions = std::move(rest);
    return true;
  }
  for (const Linear& lower : lowers)
    for (const Linear& upper : uppers) {
      const Rational a = upper.factors.at(unknown), b = -lower.factors.at(unknown);
      Linear sum;
      sum.isReal = lower.isReal || upper.isReal;
      const bool strict = lower.relation == Linear::Relation::Less || upper.relation == Linear::Relation::Less;
      sum.relation = strict ? Linear::Relation::Less : Linear::Relation::LessEqual;
      sum.constant = lower.constant * a + upper.constant * b;
      for (const auto& [other, factor] : lower.factors)
        sum.factors[other] = sum.factors[other] + factor * a;
      for (const auto& [other, factor] : upper.factors)
        sum.factors[other] = sum.factors[other] + factor * b;
      std::erase_if(sum.factors, [](const auto& entry) { return entry.second.isZero(); });
      // Two strict bounds of a whole number leave a gap of two.
      if (!isReal && lower.relation == Linear::Relation::Less && upper.relation == Linear::Relation::Less)
        sum.constant = sum.constant + Rational(1);
      rest.push_back(expr(sum));
    }
  conditions = std::move(rest);
  return simplify(conditions);
}

/// Conditions that are tied to nothing that is kept say no more than that they can hold: the solver is asked where they
/// are not linear. What it cannot decide stays. False: they cannot hold.
bool Projection::dropClosed(Conjunction& conditions, const IsKept& isKept) {
  std::vector<bool> done(conditions.size());
  for (size_t start = 0; start < conditions.size(); ++start) {
    if (done[start] || linear(conditions[start]))
      continue;
    std::vector<size_t> part{start};
    done[start] = true;
    bool closed = true;
    for (size_t next = 0; next < part.size(); ++next) {
      const auto& used = symbols_.terms().unknownsOf(conditions[part[next]]);
      closed &= std::none_of(used.begin(), used.end(), isKept);
      for (size_t other = 0; other < conditions.size(); ++other) {
        const auto& others = symbols_.terms().unknownsOf(conditions[other]);
        if (!done[other] && std::any_of(used.begin(), used.end(), [&](uint32_t unknown) {
              return std::binary_search(others.begin(), others.end(), unknown);
            })) {
          done[other] = true;
          part.push_back(other);
        }
      }
    }
    if (!closed)
      continue;
    Conjunction alone;
    for (size_t index : part)
      alone.push_back(conditions[index]);
    const solver::Answer answer = symbols_.solver().check(alone).answer;
    if (answer == solver::Answer::Unsat)
      return false;
    if (answer == solver::Answer::Sat)
      for (size_t index : part)
        conditions[index] = pool_.boolean(true);
  }
  std::erase_if(conditions, [&](ExprId condition) { return pool_.isTrue(condition); });
  return true;
}

bool Projection::eliminate(Conjunction& conditions, const IsKept& isKept, bool& exact) {
  if (!simplify(conditions))
    return false;
  while (substituteOne(conditions, isKept))
    if (!simplify(conditions))
      return false;
  if (!dropClosed(conditions, isKept))
    return false;
  for (;;) {
    uint32_t next = UINT32_MAX;
    for (uint32_t unknown : symbols_.terms().unknownsOf(conditions))
      if (!isKept(unknown))
        next = unknown; // later ones first: they have fewer conditions
    if (next == UINT32_MAX)
      return true;
    if (!eliminateOne(conditions, next, exact))
      return false;
  }
}

namespace {

/// Puts in the values of hidden unknowns that are plainly determined, before cases are made of choices that these
/// decide. False if something is false.
bool settle(semantics::Symbols& symbols, Conjunction& conditions, const Projection::IsKept& isKept,
            const std::function<bool(Conjunction&)>& simplify) {
  ir::ExprPool& pool = symbols.pool();
  const auto determined = [&](ExprId condition) -> std::pair<ExprId, ExprId> {
    const bool isNegated = pool.op(condition) == Op::Not;
    const ExprId inner = isNegated ? pool.operands(condition)[0] : condition;
    if (pool.op(inner) == Op::Parameter)
      return {inner, pool.boolean(!isNegated)};
    if (pool.op(condition) == Op::Equal)
      for (size_t side : {0, 1})
        if (const ExprId leaf = pool.operands(condition)[side], other = pool.operands(condition)[1 - side];
            pool.op(leaf) == Op::Parameter && pool.isConstant(other))
          return {leaf, other};
    return {};
  };
  for (;;) {
    if (!simplify(conditions))
      return false;
    std::map<ExprId, ExprId> known;
    Conjunction rest;
    for (ExprId condition : conditions) {
      const auto [leaf, value] = determined(condition);
      if (!leaf.valid() || isKept(pool.payload(leaf)) || !known.emplace(leaf, value).second)
        rest.push_back(condition);
    }
    if (known.empty())
      return true;
    ir::ExprPool::Substitution put(pool, [&](ExprId leaf) {
      const auto value = known.find(leaf);
      return value == known.end() ? ExprId() : value->second;
    });
    for (ExprId& condition : rest)
      condition = put(condition);
    for (const auto& [leaf, value] : known)
      symbols.terms().ranges(value, symbols.unknowns().type(pool.payload(leaf)), rest);
    conditions = std::move(rest);
  }
}

} // namespace

Projected Projection::operator()(const Conjunction& conditions, const IsKept& keeps, uint32_t focus) {
  const IsKept isKept = [&](uint32_t unknown) { return unknown != focus && keeps(unknown); };
  Projected result;
  Conjunction all = conditions;
  if (!settle(symbols_, all, keeps, [&](Conjunction& some) { return simplify(some); }))
    return result;
  Conjunction open, settled; // by whether they speak of something hidden
  for (ExprId condition : all)
    (needsSplit(condition, isKept) ? open : settled).push_back(condition);
  if (open.empty()) {
    result.cases.push_back(std::move(settled));
    return result;
  }
  std::vector<Case> work{{std::move(open), {}}};
  while (!work.empty()) {
    Case now = std::move(work.back());
    work.pop_back();
    bool possible = simplify(now.open);
    while (possible && !now.open.empty()) {
      const ExprId condition = now.open.back();
      now.open.pop_back();
      const std::vector<ExprId> ways =
          needsSplit(condition, isKept) ? alternatives(condition) : std::vector<ExprId>{condition};
      if (ways.size() == 1) {
        now.done.push_back(condition);
        continue;
      }
      if (work.size() + result.cases.size() + ways.size() > kMostCases) {
        result.exact = false;
        continue;
      }
      for (size_t i = 1; i < ways.size(); ++i) {
        work.push_back(now);
        work.back().open.push_back(ways[i]);
      }
      now.open.push_back(ways[0]);
      possible = simplify(now.open);
    }
    if (!possible || !eliminate(now.done, keeps, result.exact))
      continue;
    now.done.insert(now.done.begin(), settled.begin(), settled.end());
    if (simplify(now.done) && std::find(result.cases.begin(), result.cases.end(), now.done) == result.cases.end())
      result.cases.push_back(std::move(now.done));
  }
  // A case that asks for all that another asks for and more adds nothing.
  for (Conjunction& one : result.cases)
    std::sort(one.begin(), one.end());
  std::vector<Conjunction> widest;
  for (size_t i = 0; i < result.cases.size(); ++i) {
    const Conjunction& one = result.cases[i];
    bool needless = false;
    for (size_t j = 0; j < result.cases.size() && !needless; ++j)
      needless = i != j && std::includes(one.begin(), one.end(), result.cases[j].begin(), result.cases[j].end()) &&
                 (result.cases[j].size() < one.size() || j < i);
    if (!needless)
      widest.push_back(one);
  }
  result.cases = std::move(widest);
  return result;
}

} // namespace tioc::testgen
