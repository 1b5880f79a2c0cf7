#pragma once

#include "runtime/solver/link.hpp"
#include "runtime/solver/options.hpp"
#include "runtime/solver/terms.hpp"

namespace tioc::solver {

/// Looks near an assignment for one under which all conditions hold: it differs in the values of a few scalars, each
/// moved to where a comparison that is false turns. `failing` are those of the conditions that do not hold at `start`,
/// which has a value for each of their unknowns. Gives the values that changed, or nothing.
std::optional<Assignment> findNear(Terms& terms, std::span<const ir::ExprId> conditions,
                                   std::vector<ir::ExprId> failing, Assignment start);

/// Tries the hint, then what is near it. Everything is tried with the exact evaluator, nothing else is believed.
class WitnessLink final : public Link {
public:
  WitnessLink(Terms& terms, Link& next, Counts& counts) : terms_(terms), next_(next), counts_(counts) {}
  Reply ask(const Query& query) override;

private:
  Terms& terms_;
  Link& next_;
  Counts& counts_;
};

} // namespace tioc::solver
