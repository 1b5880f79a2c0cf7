#include "runtime/solver/chain.hpp"

#include "runtime/solver/cache.hpp"
#include "runtime/solver/cross_check.hpp"
#include "runtime/solver/folding.hpp"
#include "runtime/solver/independence.hpp"
#include "runtime/solver/log.hpp"
#include "runtime/solver/witness.hpp"

#include <algorithm>

namespace tioc::solver {

Chain::Chain(ir::Model& model, const Unknowns& unknowns, Options options)
    : options_(std::move(options)), terms_(model, unknowns), z3_(terms_, options_, counts_) {
  link<Z3Link>(z3_);
  if (!options_.log.empty())
    link<LogLink>(options_.log, *links_.back(), z3_);
  if (options_.cache)
    link<CacheLink>(terms_, *links_.back(), counts_);
  if (options_.witness)
    link<WitnessLink>(terms_, *links_.back(), counts_);
  if (options_.folding)
    link<FoldingLink>(terms_, *links_.back(), counts_);
  if (options_.independence)
    link<IndependenceLink>(terms_, *links_.back(), counts_);
  if (options_.crossCheck)
    link<CrossCheckLink>(terms_, *links_.back(), z3_);
}

Reply Chain::ask(std::span<const ir::ExprId> conditions, const Assignment* hint) {
  const std::vector<ir::ExprId> conjuncts = terms_.conjuncts(conditions);
  const ir::ExprPool& pool = terms_.pool();
  if (std::any_of(conjuncts.begin(), conjuncts.end(), [&](ir::ExprId id) { return pool.isFalse(id); }))
    return Reply::unsat();
  if (!std::all_of(conjuncts.begin(), conjuncts.end(), [&](ir::ExprId id) { return terms_.isClosed(id); }))
    return Reply::unknown("a condition speaks of variables or message parameters");
  if (conjuncts.empty())
    return Reply::sat({});
  return links_.back()->ask({conjuncts, hint});
}

} // namespace tioc::solver
