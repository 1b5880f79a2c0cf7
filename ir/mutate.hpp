#pragma once

#include "ir/model.hpp"

#include <functional>
#include <string>
#include <vector>

namespace tioc::ir {

/// What a mutant does to a model. One name covers the same slip in all kinds of automata.
enum class Mutation : uint8_t {
  EdgeDrop,       ///< the edge is gone
  Target,         ///< it leads elsewhere
  GuardNegate,    ///< a conjunct holds where it did not
  GuardDrop,      ///< a conjunct is gone
  GuardRelation,  ///< <, <=, ==, != for another
  GuardShift,     ///< one side of a comparison is one more or less
  GuardOperator,  ///< && for ||, + for -, and so on
  ClockShift,     ///< a bound lies a time unit later or earlier
  ClockStrict,    ///< a bound without its end, or with it
  ClockDrop,      ///< a bound is gone
  ResetDrop,      ///< a clock runs on
  ResetAdd,       ///< a clock starts anew
  OutputChannel,  ///< another message of the same form
  OutputValue,    ///< another value, or any
  Urgency,        ///< other deadlines
  UpdateDrop,     ///< a variable keeps its value
  UpdateOperator, ///< + for -, and so on
  UpdateConstant, ///< a number one more or less, another literal
  Initial,        ///< another initial value
  TimeoutShift,   ///< ESTS: the group's delay comes a time unit later or earlier
  DurationShift,  ///< ESTS: the transition takes a time unit more or less
  Priority,       ///< the last or the first among its rivals
  RestartDrop,    ///< ESTS: the group's clock runs on
  RestartAdd,     ///< ESTS: the group's clock starts anew
};

/// `guard-shift`
const char* word(Mutation mutation);
const std::vector<Mutation>& allMutations();

/// A small change of a model, as a slip of whoever builds the system would make.
struct Mutant {
  /// `clock-shift@Atm.Verify.DispenseCash#1`: what, where (automaton, state, message or name of the edge), and which of
  /// those. Stays the same as long as the edges of that state do.
  std::string id;
  Mutation mutation = Mutation::EdgeDrop;
  std::string what; ///< `t <= 10 becomes t <= 11`
  Span span;
  std::function<void(Model&)> change; ///< on a copy of `Mutants::model`
};

struct Mutants {
  Model model; ///< the original without purposes and suites, with the expressions that the mutants need
  std::vector<Mutant> list;

  Model make(const Mutant& mutant) const;
};

/// Whether a mutant may be listed. Structure is always verified; this is for rules beyond it.
using IsLegal = std::function<bool(Model& mutant)>;

/// All mutants of the automata that `system` consists of, in the order of the model. Left out are those that are no
/// models, those that say the same as the original and those that say the same as an earlier one, as far as `simplify`
/// shows it.
Mutants mutants(const Model& model, SystemId system, const IsLegal& isLegal = {});

} // namespace tioc::ir
