#pragma once

#include "ir/model.hpp"
#include "runtime/eval/value.hpp"
#include "runtime/explore/limits.hpp"
#include "runtime/solver/options.hpp"

#include <string>
#include <vector>

namespace tioc::conformance {

struct RefineOptions {
  uint32_t depth = 8;     ///< steps of the candidate, unobservable ones included
  explore::Limits limits; ///< `states` counts those of the candidate, each with what the specification may be in then
  solver::Options solver;
};

/// What a tester sees.
struct TraceEvent {
  enum class Kind : uint8_t { Input, Output, Silence };
  Kind kind = Kind::Silence;
  ir::ChannelId channel;
  std::vector<eval::Value> values;
  ir::Rational time; ///< since the start; of a silence, its end
};

struct Refinement {
  enum class Answer : uint8_t {
    Refines, ///< every run of `depth` steps and the silence behind it is allowed
    Differs, ///< `trace` is a run of the candidate that is not
    Unknown,
  };
  Answer answer = Answer::Unknown;
  uint32_t depth = 0;            ///< all runs of so many steps were looked at
  std::vector<TraceEvent> trace; ///< Differs: the last event is what the specification does not allow
  std::string shown;             ///< the same for people
  std::string allowed;           ///< Differs: what it would have allowed then, in words
  std::string why;               ///< Unknown: what stopped it
  uint64_t states = 0;
};

/// Whether a candidate conforms to a specification (tioco: D, definition 6), up to a depth: after every trace of the
/// specification, outputs and delays of the candidate are among those of the specification.
///
/// Runs of the candidate are explored with data and times symbolic, each together with the set of all states in which
/// the specification may be then; hidden values and times of the specification are projected out. Inputs are followed
/// where every one of those states takes them, since the specification says nothing about others. A candidate that does
/// not take such an input stays as it is. A trace that tells both apart is checked once more with its values and times
/// put in before it is reported.
///
/// Both are results of `ir::instantiate` and `ir::resolvePriorities` of TIOSTS networks, from models with the same
/// types and channels. The answer depends on nothing else, as long as no limit of time is reached.
Refinement refines(const ir::Model& candidate, const ir::Model& specification, const RefineOptions& options);

/// `1 Withdrawal?(5), 3.5 DispenseCash!(5)`, or `… silence until 12`.
std::string showTrace(const ir::Model& model, const std::vector<TraceEvent>& trace);

} // namespace tioc::conformance
