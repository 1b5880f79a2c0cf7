#pragma once

#include "runtime/solver/link.hpp"
#include "runtime/solver/options.hpp"
#include "runtime/solver/terms.hpp"

namespace tioc::solver {

/// Cuts a question into slices that share no unknowns, asks for each on its own and joins the models. A slice whose
/// part of the hint holds is not asked for: behind a path with a known model that leaves the slice of the new
/// condition.
class IndependenceLink final : public Link {
public:
  IndependenceLink(Terms& terms, Link& next, Counts& counts) : terms_(terms), next_(next), counts_(counts) {}
  Reply ask(const Query& query) override;

private:
  using Slice = std::vector<ir::ExprId>;

  std::vector<Slice> cut(std::span<const ir::ExprId> conditions);

  Terms& terms_;
  Link& next_;
  Counts& counts_;
};

} // namespace tioc::solver
