#include "frontend/lowering.hpp"

#include "ir/decide.hpp"

#include <algorithm>

namespace tioc::frontend {

using namespace syntax;
using ir::Guard;
using ir::Rational;

namespace {

constexpr size_t kMaxAlternatives = 64;

} // namespace

Guard Lowering::trueGuard() {
  return {model_.exprs.boolean(true), {}};
}

/// The clock that the expression names, if it names one. `test`: it counts as used.
std::optional<ir::ClockId> Lowering::clockNamed(const Expr& expr, Scope& scope, bool test) {
  auto take = [&](LocalSymbol* local) -> std::optional<ir::ClockId> {
    if (!local || local->kind != LocalSymbol::Kind::Clock)
      return std::nullopt;
    local->tested |= test;
    local->used = true;
    return ir::ClockId(local->index);
  };
  auto takeShared = [&](Symbol* symbol) -> std::optional<ir::ClockId> {
    if (!symbol || symbol->kind != SymbolKind::Clock)
      return std::nullopt;
    symbol->tested |= test;
    return ir::ClockId(symbol->index);
  };
  if (expr.kind == ExprKind::Name) {
    if (scope.bound)
      for (const BoundName& bound : *scope.bound)
        if (bound.name.text == expr.text)
          return std::nullopt;
    if (scope.automaton)
      if (LocalSymbol* local = localOf(*scope.automaton, expr.text))
        return take(local);
    // A name of several subjects or imports is left to the check of names, which reports it.
    LocalSymbol* ofSubject = nullptr;
    size_t subjects = 0;
    for (AutomatonScope* subject : scope.subjects)
      if (LocalSymbol* local = localOf(*subject, expr.text)) {
        ofSubject = local;
        ++subjects;
      }
    if (subjects > 0)
      return subjects == 1 ? take(ofSubject) : std::nullopt;
    return takeShared(findSimple(expr.text, expr.span, scope.module, true));
  }
  if (expr.kind == ExprKind::Field) {
    const Expr& base = tree(scope).exprs[tree(scope).child(expr, 0)];
    auto subject = base.kind == ExprKind::Name ? scope.namedSubjects.find(base.text) : scope.namedSubjects.end();
    if (subject != scope.namedSubjects.end())
      return take(localOf(*subject->second, expr.text));
    QualifiedName name = asQualified(tree(scope), static_cast<ExprRef>(&expr - tree(scope).exprs.data()));
    bool local = !name.parts.empty() && scope.automaton && localOf(*scope.automaton, name.parts[0].text);
    if (!name.parts.empty() && !local)
      return takeShared(find(name, scope.module, true));
  }
  return std::nullopt;
}

bool Lowering::mentionsClock(ExprRef ref, Scope& scope) {
  const Module& source = tree(scope);
  std::vector<int8_t>& memo = clockMemo_[scope.module];
  if (memo[ref] >= 0)
    return memo[ref] == 1;
  const Expr& expr = source.exprs[ref];
  bool result = clockNamed(expr, scope, false).has_value();
  for (uint32_t i = 0; i < expr.childCount && !result; ++i)
    result = mentionsClock(source.child(expr, i), scope);
  memo[ref] = result ? 1 : 0;
  return result;
}

namespace {

/// Clocks with their signs, and the rest of a sum.
struct Linear {
  std::vector<std::pair<ir::ClockId, int>> clocks;
  std::vector<std::pair<ExprRef, bool>> rest; // with true: subtracted
};

} // namespace

/// `x - y + e ~ x' + e'`: the clocks go to the left, everything else to the right.
std::vector<Guard> Lowering::comparison(const Expr& expr, Scope& scope, bool positive, bool& ok) {
  const Module& source = tree(scope);
  Linear sum;
  auto collect = [&](auto&& self, ExprRef ref, bool negative) -> bool {
    const Expr& part = source.exprs[ref];
    if (std::optional<ir::ClockId> clock = clockNamed(part, scope, true)) {
      sum.clocks.emplace_back(*clock, negative ? -1 : 1);
      return true;
    }
    if (!mentionsClock(ref, scope)) {
      sum.rest.emplace_back(ref, negative);
      return true;
    }
    if (part.kind == ExprKind::Negate)
      return self(self, source.child(part, 0), !negative);
    if (part.kind != ExprKind::Sum)
      return false;
    for (uint32_t i = 0; i < part.childCount; ++i)
      if (!self(self, source.child(part, i), negative != source.signs[part.extra + i]))
        return false;
    return true;
  };
  bool shape = collect(collect, source.child(expr, 0), false) && collect(collect, source.child(expr, 1), true);
  ir::ClockId plus = ir::Model::zeroClock();
  ir::ClockId minus = ir::Model::zeroClock();
  for (auto [clock, sign] : sum.clocks) {
    ir::ClockId& slot = sign > 0 ? plus : minus;
    shape &= slot == ir::Model::zeroClock();
    slot = clock;
  }
  if (!shape || plus == minus) {
    diagnostics_.report(Kind::BadClockConstraint, expr.span);
    ok = false;
    return {};
  }
  std::vector<ExprId> terms;
  for (auto [ref, negative] : sum.rest) {
    ExprId term = convert(check(ref, scope), model_.types.real(), source.exprs[ref].span);
    if (!term.valid()) {
      ok = false;
      return {};
    }
    terms.push_back(negative ? term
                             : model_.exprs.negate(term)); // what is added on the left is subtracted on the right
  }
  ExprId bound = terms.empty() ? model_.exprs.real(0) : limited(model_.exprs.add(terms), expr.span);
  if (!bound.valid()) {
    ok = false;
    return {};
  }
  auto below = [&](bool strict) { return ir::ClockConstraint{plus, minus, strict, bound, expr.span}; };
  auto above = [&](bool strict) {
    return ir::ClockConstraint{minus, plus, strict, model_.exprs.negate(bound), expr.span};
  };
  ExprId yes = model_.exprs.boolean(true);
  ExprKind kind = expr.kind;
  if (!positive)
    kind = kind == ExprKind::Less           ? ExprKind::GreaterEqual
           : kind == ExprKind::LessEqual    ? ExprKind::Greater
           : kind == ExprKind::Greater      ? ExprKind::LessEqual
           : kind == ExprKind::GreaterEqual ? ExprKind::Less
           : kind == ExprKind::Equal        ? ExprKind::NotEqual
                                            : ExprKind::Equal;
  switch (kind) {
  case ExprKind::Less:
    return {{yes, {below(true)}}};
  case ExprKind::LessEqual:
    return {{yes, {below(false)}}};
  case ExprKind::Greater:
    return {{yes, {above(true)}}};
  case ExprKind::GreaterEqual:
    return {{yes, {above(false)}}};
  case ExprKind::Equal:
    return {{yes, {below(false), above(false)}}};
  default:
    return {{yes, {below(true)}}, {yes, {above(true)}}};
  }
}

/// The guard as a union of conjunctions. Parts without clocks stay whole.
std::vector<Guard> Lowering::alternatives(ExprRef ref, Scope& scope, bool positive, bool& ok) {
  const Module& source = tree(scope);
  const Expr& expr = source.exprs[ref];
  if (!mentionsClock(ref, scope)) {
    ExprId data = condition(ref, scope);
    if (!data.valid()) {
      ok = false;
      return {};
    }
    return {{positive ? data : model_.exprs.negation(data), {}}};
  }
  auto all = [&](const std::vector<std::pair<ExprRef, bool>>& parts) {
    std::vector<Guard> result{trueGuard()};
    for (auto [part, sign] : parts) {
      std::vector<Guard> more = alternatives(part, scope, sign, ok);
      std::vector<Guard> next;
      for (const Guard& a : result)
        for (const Guard& b : more)
          next.push_back(ir::conjunction(model_, a, b));
      if (next.size() > kMaxAlternatives) {
        diagnostics_.report(Kind::TooManyAlternatives, expr.span, {std::to_string(kMaxAlternatives)});
        ok = false;
        return std::vector<Guard>{};
      }
      result = std::move(next);
    }
    return result;
  };
  auto any = [&](const std::vector<std::pair<ExprRef, bool>>& parts) {
    std::vector<Guard> result;
    ExprId data = model_.exprs.boolean(false);
    for (auto [part, sign] : parts)
      for (Guard& guard : alternatives(part, scope, sign, ok)) {
        // Alternatives without clocks are one condition on data.
        if (guard.clocks.empty())
          data = model_.exprs.disjunction(data, guard.data);
        else
          result.push_back(std::move(guard));
      }
    if (!model_.exprs.isFalse(data))
      result.push_back({data, {}});
    return result;
  };
  std::vector<std::pair<ExprRef, bool>> parts;
  for (uint32_t i = 0; i < expr.childCount; ++i)
    parts.emplace_back(source.child(expr, i), positive);
  switch (expr.kind) {
  case ExprKind::And:
    return positive ? all(parts) : any(parts);
  case ExprKind::Or:
    return positive ? any(parts) : all(parts);
  case ExprKind::Implies:
    parts[0].second = !positive;
    return positive ? any(parts) : all(parts);
  case ExprKind::Not:
    return alternatives(source.child(expr, 0), scope, !positive, ok);
  case ExprKind::Conditional: {
    std::vector<Guard> result = all({{source.child(expr, 0), true}, {source.child(expr, 1), positive}});
    std::vector<Guard> other = all({{source.child(expr, 0), false}, {source.child(expr, 2), positive}});
    result.insert(result.end(), other.begin(), other.end());
    return result;
  }
  case ExprKind::Less:
  case ExprKind::LessEqual:
  case ExprKind::Greater:
  case ExprKind::GreaterEqual:
  case ExprKind::Equal:
  case ExprKind::NotEqual:
    return comparison(expr, scope, positive, ok);
  default:
    diagnostics_.report(Kind::BadClockConstraint, expr.span);
    ok = false;
    return {};
  }
}

std::vector<Guard> Lowering::guards(ExprRef ref, Scope& scope, bool disjunctions, const char* what) {
  bool ok = true;
  scope.inGuard = true;
  std::vector<Guard> result = alternatives(ref, scope, true, ok);
  scope.inGuard = false;
  if (!ok)
    return {};
  if (result.size() > 1 && !disjunctions) {
    diagnostics_.report(Kind::ClockDisjunction, tree(scope).exprs[ref].span, {what});
    return {};
  }
  return result;
}

ExprId Lowering::time(ExprRef ref, Scope& scope, const char* what) {
  Span at = tree(scope).exprs[ref].span;
  ExprId id = limited(convert(check(ref, scope), model_.types.real(), at), at);
  if (!id.valid())
    return {};
  if (const Rational* number = model_.exprs.number(id); number && number->sign() < 0) {
    diagnostics_.report(Kind::NegativeTime, at, {what});
    return {};
  }
  return id;
}

} // namespace tioc::frontend
