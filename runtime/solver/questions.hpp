#pragma once

#include "ir/decide.hpp"
#include "runtime/solver/chain.hpp"

namespace tioc::solver {

// The questions of Solver that are composed of others; see there.

ir::Decision implies(Chain& chain, std::span<const ir::ExprId> conditions, ir::ExprId conclusion);
ir::Decision includes(Chain& chain, std::span<const ir::ExprId> all, std::span<const ir::ExprId> some,
                      std::span<const uint32_t> inner, Assignment* counterexample);
Optimum minimise(Chain& chain, std::span<const ir::ExprId> conditions, ir::ExprId term, const Assignment* hint);
Reply diverse(Chain& chain, std::span<const ir::ExprId> conditions, uint64_t seed, std::span<const Assignment> previous,
              const Assignment* hint);

} // namespace tioc::solver
