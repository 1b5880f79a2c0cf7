#pragma once

#include "runtime/semantics/step_relation.hpp"
#include "runtime/testgen/projection.hpp"

namespace tioc::conformance {

/// An event of a trace in terms of unknowns, or of constants.
struct SymbolicEvent {
  enum class Kind : uint8_t { Input, Output, Silence };
  Kind kind = Kind::Silence;
  ir::ChannelId channel;
  std::vector<ir::ExprId> values;
  ir::ExprId time;
};

/// What a message of the environment must be for a state to take it, at the time that the state's next step has.
struct Acceptance {
  ir::ExprId condition; ///< over the unknowns of the state, of its next time, and of `values`
  bool exact = true;    ///< false: the condition asks for less than it should
};

/// The condition under which `state` takes the message `values` on the channel with its next step. `successors` are
/// those of the state by inputs on the channel.
Acceptance acceptance(semantics::Symbols& symbols, const semantics::SymbolicState& state,
                      std::span<const std::pair<semantics::SymbolicStep, semantics::SymbolicState>> successors,
                      std::span<const ir::ExprId> values);

/// Follows a system along a trace whose values and times are terms over unknowns of somebody else: the set of all
/// states, symbolic in what is hidden, in which it may be then (D, section 5.1, with data).
class Shadow {
public:
  using States = std::vector<semantics::SymbolicState>;
  using Step = std::pair<semantics::SymbolicStep, semantics::SymbolicState>;

  /// What the system may do next.
  struct Outlook {
    States states;                        ///< closed under unobservable steps
    std::vector<std::vector<Step>> nexts; ///< by state: observable steps
    bool complete = true;                 ///< false: there are more states than were followed
  };

  /// The unknowns of its own belong to steps from `firstStep` on; nobody else may use those.
  Shadow(semantics::Symbols& symbols, semantics::StepRelation& relation, uint32_t firstStep)
      : symbols_(symbols), relation_(relation), pool_(symbols.pool()), firstStep_(firstStep) {}

  States initial();
  Outlook outlook(const States& states);

  /// The states behind an event, where they agree with the run beside which this goes: its conditions become theirs.
  States after(const Outlook& outlook, const SymbolicEvent& event, const semantics::SymbolicState& beside);

  /// The states of `outlook` that do not take an input and may be there when it comes.
  States refusing(const Outlook& outlook, const SymbolicEvent& input, const semantics::SymbolicState& beside,
                  bool& exact);

private:
  bool agree(semantics::SymbolicState& state, ir::ExprId own, ir::ExprId seen);
  bool goBeside(semantics::SymbolicState& state, const semantics::SymbolicState& beside);

  semantics::Symbols& symbols_;
  semantics::StepRelation& relation_;
  ir::ExprPool& pool_;
  uint32_t firstStep_;
};

} // namespace tioc::conformance
