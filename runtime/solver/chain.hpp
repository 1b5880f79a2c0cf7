#pragma once

#include "runtime/solver/link.hpp"
#include "runtime/solver/options.hpp"
#include "runtime/solver/terms.hpp"
#include "runtime/solver/z3.hpp"

#include <memory>
#include <vector>

namespace tioc::solver {

/// The links that the options ask for, one behind the other: cross-check, independence, witness, folding, cache, log,
/// Z3.
///
/// Independence comes before the others because slices are decided, found again and evaluated more easily than whole
/// paths; the witness before folding because it is the cheaper one and mostly has the answer.
class Chain {
public:
  Chain(ir::Model& model, const Unknowns& unknowns, Options options);

  /// Any conditions, also constant ones and conjunctions.
  Reply ask(std::span<const ir::ExprId> conditions, const Assignment* hint = nullptr);

  /// See Solver::extend.
  Extension extend(std::span<const ir::ExprId> path, ir::ExprId condition, const Assignment& witness);

  Terms& terms() { return terms_; }
  Z3& z3() { return z3_; }
  Counts& counts() { return counts_; }
  const Options& options() const { return options_; }

private:
  /// Conjuncts, asked of a link and those behind it.
  Reply askFrom(Link& link, const std::vector<ir::ExprId>& conjuncts, const Assignment* hint);
  Extension extendUnheld(std::span<const ir::ExprId> path, ir::ExprId condition, const Assignment& witness);
  Extension extendChecked(std::span<const ir::ExprId> path, ir::ExprId condition, const Assignment& witness);

  template <class T, class... Arguments>
  void link(Arguments&&... arguments) {
    links_.push_back(std::make_unique<T>(std::forward<Arguments>(arguments)...));
  }

  const Options options_;
  Counts counts_;
  Terms terms_;
  Z3 z3_;
  std::vector<std::unique_ptr<Link>> links_; // the last is asked first
  Link* afterWitness_ = nullptr;
};

} // namespace tioc::solver
