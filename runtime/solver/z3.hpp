#pragma once

#include "runtime/solver/link.hpp"
#include "runtime/solver/options.hpp"
#include "runtime/solver/terms.hpp"

#include <memory>
#include <string>

namespace tioc::solver {

/// Z3 behind a narrow interface: none of its headers, objects or exceptions get past it. Whatever goes wrong inside
/// becomes an Unknown with a reason.
class Z3 {
public:
  Z3(Terms& terms, const Options& options, Counts& counts);
  ~Z3();
  Z3(const Z3&) = delete;
  Z3& operator=(const Z3&) = delete;

  /// Conditions as in Query. Shares work with the question before as the options say.
  Reply check(std::span<const ir::ExprId> conditions);
  /// The same in a context of its own, on integers and not on bit-vectors. Not counted.
  Reply checkAlone(std::span<const ir::ExprId> conditions);

  /// Whether there are values of the other unknowns for which `all` holds and for no values of `inner` does `some`.
  /// Sat comes with those values, which are not checked beyond `all`.
  Reply checkNone(std::span<const ir::ExprId> all, std::span<const ir::ExprId> some, std::span<const uint32_t> inner);

  /// What Z3 takes for the infimum of a real term. A guess: the caller verifies it.
  struct Infimum {
    enum class Kind : uint8_t { Finite, Unbounded, Unknown };
    Kind kind = Kind::Unknown;
    ir::Rational value;
    std::string reason;
  };
  Infimum infimum(std::span<const ir::ExprId> conditions, ir::ExprId term);

  /// The question as an SMT-LIB file, with the reply as its expected status.
  std::string smtlib(std::span<const ir::ExprId> conditions, const Reply& reply);

private:
  struct State;

  Reply guarded(uint32_t milliseconds, const std::function<Reply()>& question);

  std::unique_ptr<State> state_;
};

/// Asks Z3 for what an SMT-LIB file asks.
Answer replay(const std::string& smtlib);

/// The end of the chain. Every model is checked by the exact evaluator before it is passed on.
class Z3Link final : public Link {
public:
  Z3Link(Z3& z3) : z3_(z3) {} // NOLINT
  Reply ask(const Query& query) override { return z3_.check(query.conditions); }

private:
  Z3& z3_;
};

} // namespace tioc::solver
