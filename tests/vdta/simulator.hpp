#pragma once

#include "ir/model.hpp"
#include "ir/reference.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

// A VDTA by its definition (E, definition 2, and section 9 of the semantics), on a grid of instants. It knows the model
// and the plain reading of expressions, and nothing of the pass and the engines that it is compared with.
namespace tioc::vdta {

using ir::Rational;
using ir::reference::Value;

/// A state of the VDTA, and of a purpose beside it.
struct State {
  ir::LocationId location;
  ir::LocationId purpose; ///< invalid: there is none
  std::map<uint32_t, Value> variables;
  std::map<uint32_t, Rational> clocks;

  bool operator==(const State&) const = default;
  bool operator<(const State& other) const;
};

/// The values of all signals of one role, in the order of declaration.
using Signals = std::vector<Value>;

class Simulator {
public:
  /// `model` is a result of `ir::instantiate` whose system is a VDTA; `purpose` may be invalid. Every instant at which
  /// a guard changes must lie on the grid.
  Simulator(const ir::Model& model, ir::AutomatonId purpose, Rational grid);

  /// The states before anything has happened, each variable without initial value with all values of its type.
  std::vector<State> initial() const;

  /// One urgent transition: of both, where both are enabled, else of the one that is (E, definition 6, rule R3 mended).
  std::vector<State> urgent(const State& state) const;
  bool isStable(const State& state) const { return urgent(state).empty(); }
  /// All stable states behind urgent transitions; nothing if these can go on for ever.
  std::optional<std::set<State>> settle(const State& state) const;

  /// Precondition: the state is stable.
  State withInputs(State state, const Signals& inputs) const;
  State later(State state) const; ///< by one step of the grid
  ir::Mark mark(const State& state) const {
    return state.purpose.valid() ? model_[state.purpose].mark : ir::Mark::None;
  }
  Signals inputs(const State& state) const { return valuesOf(state, inputs_); }
  Signals outputs(const State& state) const { return valuesOf(state, outputs_); }
  /// Every combination of the values of the inputs' types.
  std::vector<Signals> allInputs() const;

private:
  Signals valuesOf(const State& state, const std::vector<ir::VariableId>& which) const;
  std::vector<ir::EdgeId> enabled(const State& state, ir::AutomatonId automaton, ir::LocationId at) const;
  void apply(State& to, const State& from, const ir::Edge& edge) const;

  const ir::Model& model_;
  ir::AutomatonId spec_;
  ir::AutomatonId purpose_;
  Rational grid_;
  std::vector<ir::VariableId> inputs_;
  std::vector<ir::VariableId> outputs_;
};

/// A change of the outputs as it is seen.
struct Change {
  Rational time;
  Signals outputs;
  bool operator==(const Change&) const = default;
  bool operator<(const Change& other) const;
};

/// What becomes of a run: what was seen, and how the purpose judges it in the end.
struct Observation {
  std::vector<Change> changes;
  ir::Mark mark = ir::Mark::None;
  bool operator==(const Observation&) const = default;
  bool operator<(const Observation& other) const;
};

/// Inputs to be set, by the number of grid steps since the start.
using Schedule = std::map<unsigned, Signals>;

/// Every way in which the outputs may change within `steps` of the grid under a schedule. Nothing if urgent transitions
/// go on for ever.
std::optional<std::set<Observation>> observations(const Simulator& simulator, const Schedule& schedule, unsigned steps,
                                                  const Rational& grid);

} // namespace tioc::vdta
