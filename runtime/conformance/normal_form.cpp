#include "runtime/conformance/normal_form.hpp"

#include <algorithm>

namespace tioc::conformance {

using ir::ExprId;
using ir::Op;
using ir::Rational;
using semantics::SymbolicState;
using semantics::TimeTerm;
using testgen::Conjunction;
using testgen::Projection;

namespace {

/// Positions of step 0 below this belong to variables that start open.
constexpr uint32_t kFirstNumber = 1U << 20;
/// Beyond so many conditions an inexact projection is better than none.
constexpr size_t kMostConditions = 100;

} // namespace

ExprId NormalForm::unknown(semantics::Symbols& symbols, uint32_t number, ir::TypeId type) {
  return symbols.unknown(0, kFirstNumber + number, type, "u" + std::to_string(number));
}

/// Conjuncts, each once; false if one is false.
bool NormalForm::simplify(Conjunction& conditions) {
  conditions = symbols_.terms().conjuncts(conditions);
  return std::none_of(conditions.begin(), conditions.end(), [&](ExprId id) { return pool_.isFalse(id); });
}

/// Of linear comparisons with the same factors only the tightest; two that meet become an equality.
bool NormalForm::tighten(Conjunction& conditions) {
  using Linear = Projection::Linear;
  struct Ends {
    std::optional<Linear> upper; // factors + constant <= 0, the largest constant
    std::optional<Linear> lower; // the same for the negated factors
  };
  // By factors scaled so that the first is 1.
  std::map<std::vector<std::pair<uint32_t, Rational>>, Ends> found;
  Conjunction result;
  for (ExprId condition : conditions) {
    std::optional<Linear> form = project_.linear(condition);
    if (!form || form->relation == Linear::Relation::Equal || form->factors.empty()) {
      result.push_back(form ? project_.expr(*form) : condition);
      continue;
    }
    if (!form->isReal && form->relation == Linear::Relation::Less) { // whole numbers
      const bool whole = std::all_of(form->factors.begin(), form->factors.end(),
                                     [](const auto& entry) { return entry.second.isInteger(); });
      if (whole && form->constant.isInteger()) {
        form->relation = Linear::Relation::LessEqual;
        form->constant = form->constant + Rational(1);
      }
    }
    const Rational first = form->factors.begin()->second;
    const Rational scale = Rational(1) / (first.sign() < 0 ? -first : first);
    std::vector<std::pair<uint32_t, Rational>> key;
    for (const auto& [unknown, factor] : form->factors)
      key.emplace_back(unknown, factor / first);
    const Rational limit = form->constant * scale;
    Ends& ends = found[key];
    std::optional<Linear>& kept = first.sign() > 0 ? ends.upper : ends.lower;
    if (kept) {
      const Rational other = kept->factors.begin()->second;
      const Rational before = kept->constant / (other.sign() < 0 ? -other : other);
      if (before > limit || (before == limit && form->relation != Linear::Relation::Less))
        continue;
    }
    kept = std::move(*form);
  }
  for (auto& [key, ends] : found) {
    if (ends.upper && ends.lower) {
      // a*x <= -u and b*x <= -l with b = -a*k: between l/k and -u there must be room.
      const Rational up = -ends.upper->constant / ends.upper->factors.begin()->second;
      const Rational low = ends.lower->constant / -ends.lower->factors.begin()->second;
      const bool strict =
          ends.upper->relation == Linear::Relation::Less || ends.lower->relation == Linear::Relation::Less;
      if (up < low || (up == low && strict))
        return false;
      if (up == low) {
        ends.upper->relation = Linear::Relation::Equal;
        ends.lower.reset();
      }
    }
    for (const std::optional<Linear>* end : {&ends.upper, &ends.lower})
      if (*end)
        result.push_back(project_.expr(**end));
  }
  conditions = std::move(result);
  return simplify(conditions);
}

/// An unknown that the condition says the value of.
std::optional<std::pair<uint32_t, ExprId>> NormalForm::solved(ExprId condition) {
  const bool negated = pool_.op(condition) == Op::Not;
  const ExprId inner = negated ? pool_.operands(condition)[0] : condition;
  if (pool_.op(inner) == Op::Parameter)
    return std::pair(pool_.payload(inner), pool_.boolean(!negated));
  if (pool_.op(condition) != Op::Equal)
    return std::nullopt;
  const ir::TypeTable& types = symbols_.model().types;
  for (size_t side : {0, 1}) {
    const ExprId leaf = pool_.operands(condition)[side];
    const ExprId other = pool_.operands(condition)[1 - side];
    if (pool_.op(leaf) != Op::Parameter)
      continue;
    const auto& used = symbols_.terms().unknownsOf(other);
    if (!std::binary_search(used.begin(), used.end(), pool_.payload(leaf)))
      return std::pair(pool_.payload(leaf), other);
  }
  const auto form = project_.linear(condition);
  if (!form)
    return std::nullopt;
  for (const auto& [unknown, factor] : form->factors) {
    const bool whole = symbols_.unknowns().type(unknown) != types.real();
    if (whole && form->isReal) {
      const Rational value = -form->constant / factor;
      if (form->factors.size() == 1 && value.isInteger())
        return std::pair(unknown, pool_.integer(value));
      continue;
    }
    if (auto bound = project_.boundOf(condition, unknown))
      return std::pair(unknown, bound->term);
  }
  return std::nullopt;
}

void NormalForm::substitute(Draft& draft, uint32_t unknown, ExprId value) {
  symbols_.terms().ranges(value, symbols_.unknowns().type(unknown), draft.conditions);
  draft.conditions.push_back(symbols_.terms().defined(value));
  const ExprId leaf = symbols_.unknowns().leaf(pool_, unknown);
  ir::ExprPool::Substitution put(pool_, [&](ExprId id) { return id == leaf ? value : ExprId(); });
  for (ExprId& condition : draft.conditions)
    condition = put(condition);
  for (ExprId& term : draft.terms)
    term = put(term);
}

bool NormalForm::solveOne(Draft& draft) {
  for (size_t i = 0; i < draft.conditions.size(); ++i)
    if (const auto found = solved(draft.conditions[i])) {
      draft.conditions.erase(draft.conditions.begin() + static_cast<ptrdiff_t>(i));
      substitute(draft, found->first, found->second);
      return true;
    }
  return false;
}

/// Puts in everything that is determined. False: the conditions cannot hold.
bool NormalForm::settle(Draft& draft) {
  do {
    if (!simplify(draft.conditions) || !tighten(draft.conditions))
      return false;
  } while (solveOne(draft));
  return true;
}

void NormalForm::emit(const SymbolicState& from, Draft&& draft, const Sink& sink) {
  // Unknowns are numbered as they are met, first in the terms, so that equal states look equal.
  std::vector<std::pair<uint32_t, ExprId>> names;
  SymbolicState state;
  const auto meet = [&](ExprId expr) {
    pool_.visit(expr, [&](ExprId leaf) {
      if (pool_.op(leaf) != Op::Parameter)
        return;
      const uint32_t old = pool_.payload(leaf);
      if (std::any_of(names.begin(), names.end(), [&](const auto& entry) { return entry.first == old; }))
        return;
      const ExprId name = unknown(symbols_, static_cast<uint32_t>(names.size()), symbols_.unknowns().type(old));
      names.emplace_back(old, name);
      if (const eval::Value* value = from.witness.find(old))
        state.witness.set(pool_.payload(name), *value);
    });
  };
  for (ExprId term : draft.terms)
    meet(term);
  for (ExprId condition : draft.conditions)
    meet(condition);
  if (!names.empty()) {
    ir::ExprPool::Substitution rename(pool_, [&](ExprId leaf) {
      if (pool_.op(leaf) == Op::Parameter)
        for (const auto& [old, name] : names)
          if (pool_.payload(leaf) == old)
            return name;
      return ExprId();
    });
    for (ExprId& term : draft.terms)
      term = rename(term);
    for (ExprId& condition : draft.conditions)
      condition = rename(condition);
  }
  std::sort(draft.conditions.begin(), draft.conditions.end());

  const auto time = [&](ExprId expr) {
    const Rational* constant = pool_.number(expr);
    return constant ? TimeTerm{0, *constant, {}} : TimeTerm{0, 0, expr};
  };
  state.at = from.at;
  const size_t variables = from.store.size();
  state.store.assign(draft.terms.begin(), draft.terms.begin() + static_cast<ptrdiff_t>(variables));
  for (size_t i = variables; i + 1 < draft.terms.size(); ++i)
    state.since.push_back(time(draft.terms[i]));
  state.now = time(draft.terms.back());
  state.conditions = std::move(draft.conditions);
  state.uncertain = from.uncertain;
  if (symbols_.isFeasible(state))
    sink(std::move(state));
}

void NormalForm::operator()(const SymbolicState& from, const Rational& zero, Present present, const Sink& sink) {
  Draft draft;
  draft.conditions = from.conditions;
  const auto relative = [&](TimeTerm term) {
    term.offset = term.offset - zero;
    return symbols_.expr(term);
  };
  draft.terms = from.store;
  for (const TimeTerm& since : from.since)
    draft.terms.push_back(relative(since));
  draft.terms.push_back(relative(from.now));
  if (present == Present::Is0)
    draft.conditions.push_back(pool_.equal(draft.terms.back(), pool_.real(0)));
  if (!settle(draft))
    return;

  std::vector<uint32_t> kept;
  for (ExprId term : draft.terms)
    if (!pool_.isConstant(term)) {
      const auto& used = symbols_.terms().unknownsOf(term);
      kept.insert(kept.end(), used.begin(), used.end());
    }
  std::sort(kept.begin(), kept.end());
  const auto isKept = [&](uint32_t id) { return std::binary_search(kept.begin(), kept.end(), id); };
  const std::vector<uint32_t> all = symbols_.terms().unknownsOf(draft.conditions);
  if (std::all_of(all.begin(), all.end(), isKept)) {
    emit(from, std::move(draft), sink);
    return;
  }
  testgen::Projected projected = project_(draft.conditions, isKept);
  if (!projected.exact && draft.conditions.size() <= kMostConditions) {
    emit(from, std::move(draft), sink);
    return;
  }
  enlarged_ |= !projected.exact;
  for (Conjunction& conditions : projected.cases) {
    Draft one{draft.terms, std::move(conditions)};
    if (settle(one))
      emit(from, std::move(one), sink);
  }
}

std::optional<semantics::Window> NormalForm::range(uint32_t unknown, const Conjunction& conditions) {
  const testgen::Projected projected = project_(conditions, [&](uint32_t id) { return id == unknown; });
  if (!projected.exact)
    return std::nullopt;
  std::optional<semantics::Window> hull;
  for (const Conjunction& one : projected.cases) {
    semantics::Window window;
    for (ExprId condition : one) {
      const auto bound = project_.boundOf(condition, unknown);
      const Rational* value = bound ? pool_.number(bound->term) : nullptr;
      if (!value)
        return std::nullopt;
      if (bound->lower)
        window.keepFrom(*value, bound->strict);
      if (bound->upper)
        window.keepTo(*value, bound->strict);
    }
    if (window.isEmpty())
      continue;
    if (!hull) {
      hull = window;
      continue;
    }
    if (window.low < hull->low || (window.low == hull->low && hull->lowOpen)) {
      hull->low = window.low;
      hull->lowOpen = window.lowOpen;
    }
    if (!window.high || !hull->high) {
      hull->high.reset();
    } else if (*window.high > *hull->high || (*window.high == *hull->high && hull->highOpen)) {
      hull->high = window.high;
      hull->highOpen = window.highOpen;
    }
  }
  return hull;
}

} // namespace tioc::conformance
