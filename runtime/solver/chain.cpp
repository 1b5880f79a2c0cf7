#include "runtime/solver/chain.hpp"

#include "runtime/solver/cache.hpp"
#include "runtime/solver/cross_check.hpp"
#include "runtime/solver/folding.hpp"
#include "runtime/solver/independence.hpp"
#include "runtime/solver/log.hpp"
#include "runtime/solver/witness.hpp"

#include <algorithm>

namespace tioc::solver {

namespace {

constexpr const char* kNotClosed = "a condition speaks of variables or message parameters";

} // namespace

Chain::Chain(ir::Model& model, const Unknowns& unknowns, Options options)
    : options_(std::move(options)), terms_(model, unknowns), z3_(terms_, options_, counts_) {
  link<Z3Link>(z3_);
  if (!options_.log.empty())
    link<LogLink>(options_.log, *links_.back(), z3_);
  if (options_.cache)
    link<CacheLink>(terms_, *links_.back(), counts_);
  if (options_.folding)
    link<FoldingLink>(terms_, *links_.back(), counts_);
  afterWitness_ = links_.back().get();
  if (options_.witness)
    link<WitnessLink>(terms_, *links_.back(), counts_);
  if (options_.independence)
    link<IndependenceLink>(terms_, *links_.back(), counts_);
  if (options_.crossCheck)
    link<CrossCheckLink>(terms_, *links_.back(), z3_);
}

Reply Chain::ask(std::span<const ir::ExprId> conditions, const Assignment* hint) {
  // The last condition is the one that the hint may not satisfy.
  const bool isLikely = options_.witness && !options_.crossCheck && hint && !conditions.empty() &&
                        terms_.quicklyHolds(conditions.back(), *hint).value_or(false);
  if (isLikely) {
    Assignment model = terms_.complete(conditions, hint);
    if (std::all_of(conditions.begin(), conditions.end(),
                    [&](ir::ExprId id) { return terms_.quicklyHolds(id, model).value_or(false); })) {
      ++counts_.witness;
      return Reply::sat(std::move(model));
    }
  }
  return askFrom(*links_.back(), terms_.conjuncts(conditions), hint);
}

Reply Chain::askFrom(Link& link, const std::vector<ir::ExprId>& conjuncts, const Assignment* hint) {
  const ir::ExprPool& pool = terms_.pool();
  if (std::any_of(conjuncts.begin(), conjuncts.end(), [&](ir::ExprId id) { return pool.isFalse(id); }))
    return Reply::unsat();
  if (!std::all_of(conjuncts.begin(), conjuncts.end(), [&](ir::ExprId id) { return terms_.isClosed(id); }))
    return Reply::unknown(kNotClosed);
  if (conjuncts.empty())
    return Reply::sat({});
  return link.ask({conjuncts, hint});
}

Extension Chain::extend(std::span<const ir::ExprId> path, ir::ExprId condition, const Assignment& witness) {
  if (options_.crossCheck)
    return extendChecked(path, condition, witness);
  if (options_.witness && terms_.quicklyHolds(condition, witness).value_or(false)) {
    ++counts_.witness;
    return {Answer::Sat, {}, {}};
  }
  return extendUnheld(path, condition, witness);
}

/// The quick way did not confirm that the witness satisfies the condition.
Extension Chain::extendUnheld(std::span<const ir::ExprId> path, ir::ExprId condition, const Assignment& witness) {
  if (!terms_.isClosed(condition))
    return {Answer::Unknown, {}, kNotClosed};
  std::vector<ir::ExprId> held(path.begin(), path.end());
  std::vector<ir::ExprId> failing;
  for (ir::ExprId conjunct : terms_.conjuncts({&condition, 1}))
    (options_.witness && terms_.holds(conjunct, witness) ? held : failing).push_back(conjunct);
  if (failing.empty()) {
    ++counts_.witness;
    return {Answer::Sat, {}, {}};
  }
  if (options_.witness) {
    Assignment start = witness;
    for (uint32_t unknown : terms_.unknownsOf(failing))
      if (!start.find(unknown))
        start.set(unknown, *terms_.defaultOf(unknown));
    std::vector<ir::ExprId> all = held;
    all.insert(all.end(), failing.begin(), failing.end());
    if (auto changes = findNear(terms_, all, failing, std::move(start))) {
      ++counts_.neighbour;
      return {Answer::Sat, std::move(*changes), {}};
    }
  }
  std::vector<ir::ExprId> question = options_.independence ? terms_.relevant(held, failing) : held;
  question.insert(question.end(), failing.begin(), failing.end());
  Reply reply = askFrom(*afterWitness_, terms_.conjuncts(question), &witness);
  return {reply.answer, std::move(reply.model), std::move(reply.reason)};
}

/// All conditions are asked for, so that the cross-check sees them.
Extension Chain::extendChecked(std::span<const ir::ExprId> path, ir::ExprId condition, const Assignment& witness) {
  if (!terms_.allHold(path, witness))
    stopOnContradiction(terms_, path, "the witness of a path does not satisfy its conditions");
  std::vector<ir::ExprId> all(path.begin(), path.end());
  all.push_back(condition);
  Reply reply = askFrom(*links_.back(), terms_.conjuncts(all), &witness);
  return {reply.answer, std::move(reply.model), std::move(reply.reason)};
}

} // namespace tioc::solver
