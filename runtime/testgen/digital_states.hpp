#pragma once

#include "runtime/semantics/tiosts.hpp"
#include "runtime/testgen/digital_model.hpp"

namespace tioc::testgen {

/// States that a tester takes for possible, right behind an event that it saw. No two say the same.
using StateSet = std::vector<semantics::SymbolicState>;

/// A message as the tester sends or sees it.
struct Message {
  ir::ChannelId channel;
  /// Constants. Nothing: whatever the values are, because the model leaves them open.
  std::optional<std::vector<ir::ExprId>> values;

  bool operator==(const Message&) const = default;
  bool agreesWith(const Message& other) const {
    return channel == other.channel && (!values || !other.values || values == other.values);
  }
};

/// What can be seen or done next, from a set of states.
struct Outlook {
  struct Step {
    Message message;
    StateSet behind;
    std::vector<ir::EdgeId> edges; ///< that may take part
  };
  struct Stimulus : Step {
    StateSet refusing; ///< states now that do not take it; too many rather than too few
  };

  std::vector<Step> outputs;
  StateSet tick; ///< behind the next tick
  std::vector<Stimulus> inputs;
  bool complete = true; ///< false: a limit was reached, nothing here may be relied on
};

/// The operators of D, section 5.2, on the product of a specification with a clock: `dsucc(usucc(S), a)` for outputs
/// and ticks, `dsucc(tsucc(S, 0), b)` for inputs. Sets are exact: unions of zones with terms for data.
///
/// An eager tick comes before every other observable event of its instant. Where an output's values are open, the
/// tester takes any; the set behind it is then too large, never too small.
class DigitalStates {
public:
  DigitalStates(Sampled& sampled, solver::Options options);

  /// Set where the model cannot be treated; nothing else may be asked then.
  const std::optional<semantics::Problem>& problem() const { return relation_.problem(); }
  const std::string& imprecise() const { return relation_.imprecise(); }
  const semantics::Network& network() const { return network_; }
  semantics::Symbols& symbols() { return symbols_; }

  StateSet initial();
  /// Inputs with parameters get values by each of `data`; `wanted` are looked at besides.
  Outlook outlook(const StateSet& states, std::span<const ir::DataChoice> data, uint64_t seed,
                  std::span<const Message> wanted = {});
  /// As one set: zones are united where data agree, in a fixed order; the time since the last event starts anew.
  StateSet normal(StateSet states) const;
  /// Equal for sets with the same states, as far as the same zones make them up.
  static std::vector<uint32_t> keyOf(const StateSet& states);

private:
  struct Found {
    semantics::SymbolicStep step;
    semantics::SymbolicState behind;
    size_t from = 0; ///< in the closure
  };
  /// States reachable by waiting and unobservable steps, and the observable steps from there.
  struct Closure {
    std::vector<semantics::SymbolicState> states;
    std::vector<Found> found;
    bool complete = true;
  };

  Closure close(const StateSet& states);
  void addOutput(const Found& found, Outlook& outlook) const;
  void mergeOpen(Outlook& outlook) const;
  std::vector<Message> messages(const Closure& closure, std::span<const ir::DataChoice> data, uint64_t seed);
  Outlook::Stimulus give(const Closure& closure, const Message& message);
  /// The part of the state behind a step where the step's message has these values.
  bool fix(const semantics::SymbolicStep& step, const std::vector<ir::ExprId>& values, semantics::SymbolicState& state);
  void cutTick(semantics::SymbolicState&& state, StateSet& to) const;
  bool restrictToNow(semantics::SymbolicState& state) const;

  Sampled& sampled_;
  semantics::Network network_;
  semantics::Symbols symbols_;
  semantics::Tiosts relation_;
  semantics::ClockCode clocks_;
  zones::Clock since_;
};

} // namespace tioc::testgen
