#include "runtime/solver/questions.hpp"

#include <algorithm>

namespace tioc::solver {

using ir::Decision;
using ir::ExprId;
using ir::Op;

namespace {

// Instances are found and used up quickly or hardly ever; then quantifiers are tried.
constexpr int kMostInstances = 12;

/// Whether for all values of the other unknowns with `all` there are values of `inner` with `some`.
class Inclusion {
public:
  Inclusion(Chain& chain, std::span<const ExprId> all, std::span<const ExprId> some, std::span<const uint32_t> inner,
            Assignment* counterexample)
      : chain_(chain), terms_(chain.terms()), pool_(terms_.pool()), all_(terms_.conjuncts(all)),
        some_(terms_.conjuncts(withValues(some))), inner_(inner.begin(), inner.end()), counterexample_(counterexample) {
  }

  Decision decide() {
    while (eliminate()) {
    }
    // What speaks of no inner unknown must follow on its own.
    std::vector<ExprId> rest;
    bool isUnknown = false;
    for (ExprId condition : some_) {
      if (mentionsInner(condition)) {
        rest.push_back(condition);
        continue;
      }
      std::vector<ExprId> against = all_;
      against.push_back(terms_.fails(condition));
      const Reply reply = chain_.ask(against);
      if (reply.answer == Answer::Sat)
        return refuted(reply.model);
      isUnknown |= reply.answer == Answer::Unknown;
    }
    if (isUnknown || rest.empty())
      return isUnknown ? Decision::Unknown : Decision::Yes;
    some_ = std::move(rest);
    const Decision decision = byInstances();
    return decision == Decision::Unknown ? byQuantifiers() : decision;
  }

private:
  /// Values put in the place of unknowns can fold away a part that has none (0 * (1 / y)), so that it is said apart
  /// that all have one.
  std::vector<ExprId> withValues(std::span<const ExprId> conditions) {
    std::vector<ExprId> result(conditions.begin(), conditions.end());
    for (ExprId condition : conditions)
      result.push_back(terms_.defined(condition));
    return result;
  }

  bool isInner(uint32_t unknown) const { return std::find(inner_.begin(), inner_.end(), unknown) != inner_.end(); }

  bool mentionsInner(ExprId expr) {
    const auto& mentioned = terms_.unknownsOf(expr);
    return std::any_of(mentioned.begin(), mentioned.end(), [&](uint32_t unknown) { return isInner(unknown); });
  }

  /// The inner unknown that a conjunct `u == t`, `u` or `!u` settles, and what it settles it to.
  bool settles(ExprId conjunct, ExprId& unknown, ExprId& value) {
    auto isOpen = [&](ExprId id) { return pool_.op(id) == Op::Parameter && isInner(pool_.payload(id)); };
    const bool isNegated = pool_.op(conjunct) == Op::Not;
    const ExprId inside = isNegated ? pool_.operands(conjunct)[0] : conjunct;
    if (isOpen(inside)) {
      unknown = inside;
      value = pool_.boolean(!isNegated);
      return true;
    }
    if (pool_.op(conjunct) != Op::Equal)
      return false;
    for (size_t side : {0, 1}) {
      unknown = pool_.operands(conjunct)[side];
      value = pool_.operands(conjunct)[1 - side];
      if (!isOpen(unknown))
        continue;
      const auto& mentioned = terms_.unknownsOf(value);
      if (!std::binary_search(mentioned.begin(), mentioned.end(), pool_.payload(unknown)))
        return true;
    }
    return false;
  }

  /// Puts the value of one inner unknown in its place; what it must be like is asked of the value.
  bool eliminate() {
    for (size_t i = 0; i < some_.size(); ++i) {
      ExprId unknown, value;
      if (!settles(some_[i], unknown, value))
        continue;
      const uint32_t index = pool_.payload(unknown);
      ir::ExprPool::Substitution put(pool_, [&](ExprId leaf) { return leaf == unknown ? value : ExprId(); });
      std::vector<ExprId> conditions{terms_.defined(value)};
      terms_.ranges(value, terms_.typeOf(index), conditions);
      for (size_t other = 0; other < some_.size(); ++other)
        if (other != i)
          conditions.push_back(put(some_[other]));
      some_ = terms_.conjuncts(conditions);
      std::erase(inner_, index);
      return true;
    }
    return false;
  }

  /// `some` with constants for the unknowns that have a value in `values`.
  std::vector<ExprId> instance(const Assignment& values) {
    ir::ExprPool::Substitution put(pool_, [&](ExprId leaf) {
      const bool isUnknown = pool_.op(leaf) == Op::Parameter;
      const eval::Value* value = isUnknown ? values.find(pool_.payload(leaf)) : nullptr;
      return value ? terms_.constant(terms_.typeOf(pool_.payload(leaf)), *value) : ExprId();
    });
    std::vector<ExprId> result;
    for (ExprId condition : some_)
      result.push_back(put(condition));
    return result;
  }

  /// Values for the unknowns of `some` that are (not) inner, from a model or by default.
  Assignment part(const Assignment& model, bool ofInner) {
    Assignment result;
    for (const auto& [unknown, value] : terms_.complete(some_, &model))
      if (isInner(unknown) == ofInner)
        result.set(unknown, value);
    return result;
  }

  Decision refuted(const Assignment& model) {
    if (counterexample_) {
      *counterexample_ = model;
      counterexample_->merge(part(model, false));
    }
    return Decision::No;
  }

  /// Takes a case, finds the inner values for it, and takes all cases that these serve off the list.
  Decision byInstances() {
    std::vector<ExprId> cases = all_;
    for (int round = 0; round < kMostInstances; ++round) {
      const Reply next = chain_.ask(cases);
      if (next.answer != Answer::Sat)
        return next.answer == Answer::Unsat ? Decision::Yes : Decision::Unknown;
      const Reply found = chain_.ask(instance(part(next.model, false)));
      if (found.answer != Answer::Sat)
        return found.answer == Answer::Unsat ? refuted(next.model) : Decision::Unknown;
      const std::vector<ExprId> served = instance(part(found.model, true));
      cases.push_back(terms_.fails(pool_.conjunction(served)));
    }
    return Decision::Unknown;
  }

  Decision byQuantifiers() {
    const Reply reply = chain_.z3().checkNone(all_, some_, inner_);
    if (reply.answer == Answer::Unsat)
      return Decision::Yes;
    // A counterexample counts once it is confirmed without quantifiers.
    const bool isConfirmed =
        reply.answer == Answer::Sat && chain_.ask(instance(part(reply.model, false))).answer == Answer::Unsat;
    return isConfirmed ? refuted(reply.model) : Decision::Unknown;
  }

  Chain& chain_;
  Terms& terms_;
  ir::ExprPool& pool_;
  std::vector<ExprId> all_;
  std::vector<ExprId> some_;
  std::vector<uint32_t> inner_;
  Assignment* counterexample_;
};

} // namespace

Decision implies(Chain& chain, std::span<const ExprId> conditions, ExprId conclusion) {
  std::vector<ExprId> counterexample(conditions.begin(), conditions.end());
  counterexample.push_back(chain.terms().fails(conclusion));
  const Answer answer = chain.ask(counterexample).answer;
  return answer == Answer::Unsat ? Decision::Yes : answer == Answer::Sat ? Decision::No : Decision::Unknown;
}

Decision includes(Chain& chain, std::span<const ExprId> all, std::span<const ExprId> some,
                  std::span<const uint32_t> inner, Assignment* counterexample) {
  return Inclusion(chain, all, some, inner, counterexample).decide();
}

} // namespace tioc::solver
