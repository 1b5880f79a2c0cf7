#pragma once

#include "runtime/solver/domains.hpp"
#include "runtime/solver/link.hpp"
#include "runtime/solver/options.hpp"

namespace tioc::solver {

/// Decides what needs no search: conditions about single scalars by their domains, others where the intervals of
/// their operands leave no choice.
class FoldingLink final : public Link {
public:
  FoldingLink(Terms& terms, Link& next, Counts& counts) : terms_(terms), next_(next), counts_(counts) {}
  Reply ask(const Query& query) override;

private:
  std::optional<Reply> decide(const Query& query);

  Terms& terms_;
  Link& next_;
  Counts& counts_;
};

} // namespace tioc::solver
