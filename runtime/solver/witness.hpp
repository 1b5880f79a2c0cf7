#pragma once

#include "runtime/solver/link.hpp"
#include "runtime/solver/options.hpp"
#include "runtime/solver/terms.hpp"

namespace tioc::solver {

/// Tries the hint, then assignments that differ from it in the value of one scalar, and from the best of those again:
/// to where a comparison that is false turns. Everything is tried with the exact evaluator, nothing else is believed.
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
