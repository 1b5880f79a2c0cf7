#pragma once

#include "runtime/solver/link.hpp"
#include "runtime/solver/terms.hpp"
#include "runtime/solver/z3.hpp"

namespace tioc::solver {

/// Asks a second time, of Z3 alone and without anything remembered. If one says Sat and the other Unsat the program
/// stops: nothing built on such an answer is worth having.
class CrossCheckLink final : public Link {
public:
  CrossCheckLink(Terms& terms, Link& next, Z3& plain) : terms_(terms), next_(next), plain_(plain) {}
  Reply ask(const Query& query) override;

private:
  Terms& terms_;
  Link& next_;
  Z3& plain_;
};

/// Ends the program, saying what was found about which conditions.
[[noreturn]] void stopOnContradiction(Terms& terms, std::span<const ir::ExprId> conditions, const std::string& what);

} // namespace tioc::solver
