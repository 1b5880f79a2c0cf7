#pragma once

#include "ir/decide.hpp"
#include "runtime/solver/options.hpp"
#include "runtime/solver/reply.hpp"
#include "runtime/solver/unknowns.hpp"

#include <memory>
#include <span>

namespace tioc::solver {

/// Questions about conditions over unknowns.
///
/// A condition is a boolean expression without variables and message parameters. It holds for values of the unknowns
/// iff it evaluates to true without a fault (eval::evaluate); a list of conditions is their conjunction. The declared
/// ranges of the unknowns that occur are always part of the question.
///
/// Answers depend on nothing but the questions asked so far, the options and, where a limit of time is reached, on
/// time. One solver belongs to one thread. `model` and `unknowns` must outlive it and may grow; new expressions are
/// made in the model's pool.
class Solver {
public:
  Solver(ir::Model& model, const Unknowns& unknowns, Options options = {});
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Whether the conditions can hold together. `hint` is an assignment that may be nearly a model, such as that of the
  /// path before its last condition; values it lacks are defaults. Questions that begin like the one before are
  /// cheaper.
  Reply check(std::span<const ir::ExprId> conditions, const Assignment* hint = nullptr);

  /// Whether `condition` can hold together with the conditions of `path`, all of which `witness` satisfies: the
  /// question of symbolic execution at every branch, and much cheaper than `check`. If the witness satisfies the
  /// condition too, only that is evaluated and nothing is allocated. Else only the conditions that bear on it are asked
  /// for, and `changes` speaks of their unknowns alone.
  ///
  /// An unknown without a value in `witness` has its default there. Whoever keeps `changes` merged into his witness has
  /// the witness of the longer path; a copy of it is needed only if `changes` is not empty.
  Extension extend(std::span<const ir::ExprId> path, ir::ExprId condition, const Assignment& witness);

  /// Whether `conclusion` holds wherever the conditions do.
  ir::Decision implies(std::span<const ir::ExprId> conditions, ir::ExprId conclusion);

  /// Whether for all values of the other unknowns for which `all` holds there are values of the unknowns `inner` for
  /// which `some` holds. Precondition: `all` does not mention `inner`. After a No `counterexample`, if asked for, has
  /// values of the other unknowns for which there are none.
  ir::Decision includes(std::span<const ir::ExprId> all, std::span<const ir::ExprId> some,
                        std::span<const uint32_t> inner, Assignment* counterexample = nullptr);

  /// The least value of a numeric term where the conditions hold and the term has a value.
  Optimum minimise(std::span<const ir::ExprId> conditions, ir::ExprId term, const Assignment* hint = nullptr);
  Optimum maximise(std::span<const ir::ExprId> conditions, ir::ExprId term, const Assignment* hint = nullptr);

  /// A model that chance has chosen, other than every one of `previous` where there is another. A fresh solver gives
  /// the same for the same seed.
  Reply diverse(std::span<const ir::ExprId> conditions, uint64_t seed, std::span<const Assignment> previous = {},
                const Assignment* hint = nullptr);

  const Counts& counts() const;
  const Options& options() const;

private:
  std::unique_ptr<class Chain> chain_;
};

} // namespace tioc::solver
