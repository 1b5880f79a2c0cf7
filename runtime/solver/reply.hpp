#pragma once

#include "runtime/solver/assignment.hpp"

#include <string>

namespace tioc::solver {

/// Unknown is neither: it must never be taken for Unsat.
enum class Answer : uint8_t { Sat, Unsat, Unknown };

const char* answerName(Answer answer);

struct Reply {
  Answer answer = Answer::Unknown;
  Assignment model;   ///< Sat: a value for every unknown that occurs, checked by the exact evaluator
  std::string reason; ///< Unknown: `timeout`, `memory`, or what the solver says

  static Reply sat(Assignment model) { return {Answer::Sat, std::move(model), {}}; }
  static Reply unsat() { return {Answer::Unsat, {}, {}}; }
  static Reply unknown(std::string reason) { return {Answer::Unknown, {}, std::move(reason)}; }
};

/// What becomes of a path with one more condition.
struct Extension {
  Answer answer = Answer::Unknown;
  /// Sat: the values that make the witness of the path one of the longer path, to be merged into it; none if it serves
  /// as it is.
  Assignment changes;
  std::string reason; ///< Unknown: as in Reply
};

/// How small (or large) a term can get.
struct Optimum {
  enum class Kind : uint8_t {
    Attained,  ///< `value` is the optimum, and `model` attains it
    Limit,     ///< the term comes as near to `value` as one likes without reaching it (reals, strict bounds)
    Unbounded, ///< there is no bound
    Unsat,     ///< the conditions have no model under which the term has a value
    Unknown,   ///< see `reason`
  };

  Kind kind = Kind::Unknown;
  ir::Rational value;
  Assignment model;
  std::string reason;
};

} // namespace tioc::solver
