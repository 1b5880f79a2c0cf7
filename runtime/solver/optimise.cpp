#include "runtime/solver/questions.hpp"

#include "runtime/solver/differences.hpp"
#include "runtime/solver/domains.hpp"

namespace tioc::solver {

using ir::ExprId;
using ir::Rational;

namespace {

constexpr uint32_t kDeepest = 500; // conditions that are walked by recursion
constexpr const char* kNotConfirmed = "the optimum that Z3 proposes could not be confirmed";

/// The least value of one term. Whatever proposes a value, it counts once a model attains it and nothing below has one.
class Minimum {
public:
  Minimum(Chain& chain, std::span<const ExprId> conditions, ExprId term)
      : chain_(chain), terms_(chain.terms()), pool_(terms_.pool()), conditions_(terms_.conjuncts(conditions)),
        term_(term) {
    if (ExprId isDefined = terms_.defined(term); !pool_.isTrue(isDefined))
      conditions_.push_back(isDefined);
  }

  Optimum find(const Assignment* hint) {
    const Reply first = chain_.ask(conditions_, hint);
    if (first.answer != Answer::Sat)
      return failed(first);
    take(first.model);
    return isReal() ? findReal() : findInteger();
  }

private:
  bool isReal() { return pool_.type(term_) == terms_.types().real(); }

  ExprId number(const Rational& value) { return isReal() ? pool_.real(value) : pool_.integer(value); }

  Reply askWith(ExprId condition, const Assignment* hint) {
    std::vector<ExprId> all = conditions_;
    all.push_back(condition);
    return chain_.ask(all, hint);
  }

  /// Whether the term can be at most `value`; if so, the model becomes the best one.
  Reply tryAtMost(const Rational& value) {
    Reply reply = askWith(pool_.lessEqual(term_, number(value)), &best_.model);
    if (reply.answer == Answer::Sat)
      take(reply.model);
    return reply;
  }

  void take(const Assignment& model) {
    std::vector<ExprId> all = conditions_;
    all.push_back(term_);
    best_.kind = Optimum::Kind::Attained;
    best_.model = terms_.complete(all, &model);
    best_.value = terms_.evaluate(term_, best_.model).value.number;
  }

  static Optimum failed(const Reply& reply) {
    Optimum result;
    result.kind = reply.answer == Answer::Unsat ? Optimum::Kind::Unsat : Optimum::Kind::Unknown;
    result.reason = reply.reason;
    return result;
  }

  static Optimum unknown(std::string reason) {
    Optimum result;
    result.reason = std::move(reason);
    return result;
  }

  /// A bound that needs no search: from the types and the conditions about single scalars.
  std::optional<Rational> lowerBound() {
    Domains domains(terms_);
    for (ExprId condition : conditions_)
      domains.add(condition);
    IntervalAlgebra algebra(terms_);
    for (const auto& [place, domain] : domains.all())
      algebra.restrict(place, domain.interval());
    return Flattening<IntervalAlgebra>(terms_, algebra).scalar(term_).first;
  }

  Optimum findInteger() {
    std::optional<Rational> low = lowerBound();
    if (low && *low < best_.value)
      if (Reply reply = tryAtMost(*low); reply.answer == Answer::Unknown)
        return unknown(reply.reason);
    // Without a bound: down in steps that double, until one fails.
    for (Rational step = 1; !low;) {
      const Rational target = best_.value - step;
      const Reply reply = tryAtMost(target);
      if (reply.answer == Answer::Unknown)
        return unknown(reply.reason);
      if (reply.answer == Answer::Unsat)
        low = target + Rational(1);
      step = step + step;
      if (step > Rational(INT64_MAX))
        return hasNoBound() ? unbounded() : unknown("no lower bound was found");
    }
    while (*low < best_.value) {
      const Rational middle = ((*low + best_.value) / Rational(2)).floor();
      const Reply reply = tryAtMost(middle);
      if (reply.answer == Answer::Unknown)
        return unknown(reply.reason);
      if (reply.answer == Answer::Unsat)
        low = middle + Rational(1);
    }
    return best_;
  }

  Optimum findReal() {
    // Times are bounded by other times: the bound that follows is mostly attained, often by the hint.
    Differences differences(pool_, terms_.types().real());
    for (ExprId condition : conditions_)
      differences.add(condition);
    if (const auto low = differences.least(term_))
      if (best_.value == *low || tryAtMost(*low).answer == Answer::Sat)
        return best_;
    std::vector<ExprId> closed;
    for (ExprId condition : conditions_)
      closed.push_back(pool_.depth(condition) < kDeepest ? relax(condition) : condition);
    const Z3::Infimum guess = chain_.z3().infimum(closed, term_);
    if (guess.kind == Z3::Infimum::Kind::Unknown)
      return unknown(guess.reason);
    if (guess.kind == Z3::Infimum::Kind::Unbounded)
      return hasNoBound() ? unbounded() : unknown(kNotConfirmed);
    if (askWith(pool_.less(term_, number(guess.value)), nullptr).answer != Answer::Unsat)
      return unknown(kNotConfirmed);
    const Answer isAttained = best_.value == guess.value ? Answer::Sat : tryAtMost(guess.value).answer;
    if (isAttained == Answer::Sat)
      return best_;
    if (isAttained == Answer::Unknown || !comesNear(guess.value))
      return unknown(kNotConfirmed);
    Optimum result;
    result.kind = Optimum::Kind::Limit;
    result.value = guess.value;
    return result;
  }

  /// Strict bounds of reals become weak ones: Z3 finds the infimum of a closed set only.
  ExprId relax(ExprId condition) {
    const ir::Op op = pool_.op(condition);
    const std::vector<ExprId> operands(pool_.operands(condition).begin(), pool_.operands(condition).end());
    if (op == ir::Op::Less && pool_.type(operands[0]) == terms_.types().real())
      return pool_.lessEqual(operands[0], operands[1]);
    if (op != ir::Op::And && op != ir::Op::Or)
      return condition;
    std::vector<ExprId> relaxed;
    for (ExprId operand : operands)
      relaxed.push_back(relax(operand));
    return pool_.rebuild(condition, relaxed);
  }

  static Optimum unbounded() {
    Optimum result;
    result.kind = Optimum::Kind::Unbounded;
    return result;
  }

  /// Whether for each case of `outer` there is a model with `condition`.
  bool isServed(std::vector<ExprId> outer, ExprId condition) {
    std::vector<ExprId> all = conditions_;
    all.push_back(term_);
    const std::vector<uint32_t> inner = terms_.unknownsOf(all);
    all.back() = condition;
    return chain_.z3().checkNone(outer, all, inner).answer == Answer::Unsat;
  }

  /// For every distance there is a value of the term that is nearer.
  bool comesNear(const Rational& value) {
    const ExprId distance = pool_.parameter(Terms::kAuxiliaryReal, terms_.types().real());
    return isServed({pool_.less(pool_.real(0), distance)},
                    pool_.less(term_, pool_.add({{distance, pool_.real(value)}})));
  }

  /// For every number there is a value of the term below it.
  bool hasNoBound() {
    const uint32_t auxiliary = isReal() ? Terms::kAuxiliaryReal : Terms::kAuxiliaryInt;
    return isServed({}, pool_.less(term_, pool_.parameter(auxiliary, terms_.typeOf(auxiliary))));
  }

  Chain& chain_;
  Terms& terms_;
  ir::ExprPool& pool_;
  std::vector<ExprId> conditions_;
  ExprId term_;
  Optimum best_;
};

} // namespace

Optimum minimise(Chain& chain, std::span<const ExprId> conditions, ExprId term, const Assignment* hint) {
  return Minimum(chain, conditions, term).find(hint);
}

} // namespace tioc::solver
