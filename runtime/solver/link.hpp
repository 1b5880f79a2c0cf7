#pragma once

#include "runtime/solver/reply.hpp"

#include <span>

namespace tioc::solver {

/// Conditions are conjuncts: none is an And, none is constant, none occurs twice.
struct Query {
  std::span<const ir::ExprId> conditions;
  const Assignment* hint = nullptr; ///< may be null
};

/// One way to answer. A link that cannot decide asks the next one. What it says stands: Sat comes with a model that the
/// exact evaluator has checked, Unsat is proved, the rest is Unknown.
class Link {
public:
  virtual ~Link() = default;
  virtual Reply ask(const Query& query) = 0;
};

} // namespace tioc::solver
