#include "runtime/solver/solver.hpp"

#include "runtime/solver/questions.hpp"

namespace tioc::solver {

Solver::Solver(ir::Model& model, const Unknowns& unknowns, Options options)
    : chain_(std::make_unique<Chain>(model, unknowns, std::move(options))) {}

Solver::~Solver() = default;

Reply Solver::check(std::span<const ir::ExprId> conditions, const Assignment* hint) {
  ++chain_->counts().questions;
  return chain_->ask(conditions, hint);
}

Extension Solver::extend(std::span<const ir::ExprId> path, ir::ExprId condition, const Assignment& witness) {
  ++chain_->counts().questions;
  return chain_->extend(path, condition, witness);
}

ir::Decision Solver::implies(std::span<const ir::ExprId> conditions, ir::ExprId conclusion) {
  ++chain_->counts().questions;
  return solver::implies(*chain_, conditions, conclusion);
}

ir::Decision Solver::includes(std::span<const ir::ExprId> all, std::span<const ir::ExprId> some,
                              std::span<const uint32_t> inner, Assignment* counterexample) {
  ++chain_->counts().questions;
  return solver::includes(*chain_, all, some, inner, counterexample);
}

Optimum Solver::minimise(std::span<const ir::ExprId> conditions, ir::ExprId term, const Assignment* hint) {
  ++chain_->counts().questions;
  return solver::minimise(*chain_, conditions, term, hint);
}

Optimum Solver::maximise(std::span<const ir::ExprId> conditions, ir::ExprId term, const Assignment* hint) {
  ++chain_->counts().questions;
  // Faults of the term are those of its opposite, but folding may lose them: they are asked for here.
  std::vector<ir::ExprId> all(conditions.begin(), conditions.end());
  all.push_back(chain_->terms().defined(term));
  Optimum result = solver::minimise(*chain_, all, chain_->terms().pool().negate(term), hint);
  result.value = -result.value;
  return result;
}

Reply Solver::diverse(std::span<const ir::ExprId> conditions, uint64_t seed, std::span<const Assignment> previous,
                      const Assignment* hint) {
  ++chain_->counts().questions;
  return solver::diverse(*chain_, conditions, seed, previous, hint);
}

const Counts& Solver::counts() const {
  return chain_->counts();
}

const Options& Solver::options() const {
  return chain_->options();
}

} // namespace tioc::solver
