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

std::optional<NormalForm::Half> NormalForm::halfOf(ExprId condition) {
  using Relation = Projection::Linear::Relation;
  std::optional<Projection::Linear> form = project_.linear(condition);
  if (!form || form->relation == Relation::Equal || form->factors.empty())
    return std::nullopt;
  const auto isWhole = [](const auto& entry) { return entry.second.isInteger(); };
  if (!form->isReal && form->relation == Relation::Less && form->constant.isInteger() &&
      std::all_of(form->factors.begin(), form->factors.end(), isWhole)) {
    form->relation = Relation::LessEqual;
    form->constant = form->constant + Rational(1);
  }
  const Rational first = form->factors.begin()->second;
  Half half;
  for (const auto& [unknown, factor] : form->factors)
    half.combination.emplace_back(unknown, factor / first);
  half.upper = first.sign() > 0;
  half.strict = form->relation == Relation::Less;
  half.value = -form->constant / first;
  half.form = std::move(*form);
  return half;
}

/// Whether `a` says at least what `b` says. Precondition: both bound the same combination from the same side.
bool NormalForm::implies(const Half& a, const Half& b) {
  if (a.value == b.value)
    return a.strict || !b.strict;
  return a.upper ? a.value < b.value : a.value > b.value;
}

/// Leaves out alternatives that cannot hold between the ends, or that another one contains; true if one always holds.
ExprId NormalForm::reduce(ExprId choice, const std::map<Combination, Ends>& known) {
  std::vector<std::pair<ExprId, std::optional<Half>>> kept;
  const std::vector<ExprId> alternatives(pool_.operands(choice).begin(), pool_.operands(choice).end());
  for (ExprId alternative : alternatives) {
    std::optional<Half> half = halfOf(alternative);
    if (half) {
      const auto it = known.find(half->combination);
      const Ends none;
      const Ends& ends = it == known.end() ? none : it->second;
      const std::optional<Half>& same = half->upper ? ends.upper : ends.lower;
      const std::optional<Half>& other = half->upper ? ends.lower : ends.upper;
      if (same && implies(*same, *half))
        return pool_.boolean(true);
      if (other && (half->upper ? half->value < other->value : half->value > other->value))
        continue;
      if (other && half->value == other->value && (half->strict || other->strict))
        continue;
      const auto contains = [&](const auto& entry, const Half& inner) {
        return entry.second && entry.second->combination == inner.combination && entry.second->upper == inner.upper &&
               implies(inner, *entry.second);
      };
      if (std::any_of(kept.begin(), kept.end(), [&](const auto& entry) { return contains(entry, *half); }))
        continue;
      std::erase_if(kept, [&](const auto& entry) {
        return entry.second && contains(std::pair(alternative, half), *entry.second);
      });
    }
    kept.emplace_back(alternative, std::move(half));
  }
  std::vector<ExprId> rest;
  for (const auto& [alternative, half] : kept)
    rest.push_back(half ? project_.expr(half->form) : alternative);
  return pool_.disjunction(rest);
}

/// Of linear comparisons of the same combination only the tightest; two that meet become an equality. Choices without
/// what these decide.
bool NormalForm::tighten(Conjunction& conditions) {
  std::map<Combination, Ends> known;
  Conjunction result, choices;
  for (ExprId condition : conditions) {
    if (pool_.op(condition) == Op::Or) {
      choices.push_back(condition);
      continue;
    }
    std::optional<Half> half = halfOf(condition);
    if (!half) {
      const auto form = project_.linear(condition);
      result.push_back(form ? project_.expr(*form) : condition);
      continue;
    }
    Ends& ends = known[half->combination];
    std::optional<Half>& kept = half->upper ? ends.upper : ends.lower;
    if (!kept || !implies(*kept, *half))
      kept = std::move(half);
  }
  for (ExprId choice : choices)
    result.push_back(reduce(choice, known));
  for (auto& [combination, ends] : known) {
    if (ends.upper && ends.lower) {
      const auto order = ends.upper->value <=> ends.lower->value;
      if (order < 0 || (order == 0 && (ends.upper->strict || ends.lower->strict)))
        return false;
      if (order == 0) {
        ends.upper->form.relation = Projection::Linear::Relation::Equal;
        ends.lower.reset();
      }
    }
    for (const std::optional<Half>* end : {&ends.upper, &ends.lower})
      if (*end)
        result.push_back(project_.expr((*end)->form));
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
  for (Conjunction before;;) {
    if (!simplify(draft.conditions) || !tighten(draft.conditions))
      return false;
    if (solveOne(draft))
      continue;
    // A choice that was reduced may tighten others.
    std::sort(draft.conditions.begin(), draft.conditions.end());
    if (draft.conditions == before)
      return true;
    before = draft.conditions;
  }
}

/// A reaction that is over has been over for no matter how long.
void NormalForm::forgetPast(SymbolicState& state) {
  if (state.now.data.valid())
    return;
  for (TimeTerm& end : state.busy)
    if (!end.data.valid() && end.offset < state.now.offset)
      end = state.now;
  std::vector<TimeTerm> ends;
  for (const TimeTerm& end : state.busy)
    if (std::find(ends.begin(), ends.end(), end) == ends.end())
      ends.push_back(end);
  state.busy = std::move(ends);
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

  state.at = from.at;
  state.store = from.store;
  state.since = from.since;
  state.open = from.open;
  state.busy = from.busy;
  state.pending = from.pending;
  const ExprId* next = draft.terms.data();
  semantics::forEachPart(
      state, [&](ExprId& term) { term = *next++; },
      [&](TimeTerm& time) {
        const Rational* constant = pool_.number(*next);
        time = constant ? TimeTerm{0, *constant, {}} : TimeTerm{0, 0, *next};
        ++next;
      });
  state.conditions = std::move(draft.conditions);
  state.uncertain = from.uncertain;
  forgetPast(state);
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
  semantics::forEachPart(
      from, [&](ExprId term) { draft.terms.push_back(term); },
      [&](const TimeTerm& time) { draft.terms.push_back(relative(time)); });
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
