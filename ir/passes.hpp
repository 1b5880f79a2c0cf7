#pragma once

#include "ir/model.hpp"

namespace tioc::ir {

/// The network of one system on its own: one automaton per component, its parameters replaced by the arguments; the
/// purposes and suites of that system come along. Precondition: every argument is constant.
Model instantiate(const Model& model, SystemId system);

/// Makes the time unit finer until every constant bound, reset, duration and timeout is an integer. Returns the model
/// and leaves what it means unchanged.
Model scaleTime(Model model);

/// Removes what cannot matter: edges whose guard no values satisfy, locations that no edge reaches, clock constraints
/// that others imply.
Model simplify(Model model);

/// Gives TIOSTS edges guards that say what their priorities mean: among the edges of one location with the same action
/// and channel, one whose guard holds disables those of smaller priority. An edge is cut into several where the
/// complement of the larger ones is a disjunction; its urgency stays about the guard that it was written with
/// (`Edge::deadline`). Afterwards these edges have no priority.
Model resolvePriorities(Model model);

/// The synchronous product of a specification and a purpose, as one automaton; the locations remember the purpose's
/// accept and reject in their mark. For TIOSTS and ESTS B, definition 3.4: both take every observable action together,
/// internal ones alone; an action that the purpose does not mention leaves it where it is; what follows accept and
/// reject is cut off. For VDTA E, definition 6, with rule R3 keeping the specification's move. Preconditions:
/// `specification` has no parameters, `purpose` is one.
Model product(const Model& model, AutomatonId specification, AutomatonId purpose);

/// How the outputs of a VDTA are seen.
enum class SignalView : uint8_t {
  Changes, ///< each change at a stable state, at once
  Rows,    ///< changes as a log has them that keeps one row per instant: what an input of the same instant overtakes
           ///< is not seen
  Samples, ///< the values at a stable state, whenever somebody looks; at an instant of change, those before or behind
           ///< it
};

/// A system that is a VDTA as a TIOSTS that moves the same way (semantics, section 9), so that everything above the
/// step relation treats it like any other; other systems stay as they are. To be done behind `instantiate` or
/// `product`.
///
/// A change of input signals is a message `inputs` with all of them, what is seen of the output signals a message
/// `outputs` with all of them. Every location is there twice: settled, where time passes and inputs come, and settling,
/// where the urgent edges fire until none is enabled. Names and places of locations and edges stay; what the pass adds
/// is implicit.
Model signals(Model model, SignalView view = SignalView::Changes);

/// Whether it is something that the pass added, which no run needs to cover.
bool isImplicit(const Location& location);
bool isImplicit(const Edge& edge);

/// What the source calls a location, also where the pass made a second one of it.
std::string sourceName(const Location& location);

/// The name of the message with all input signals, and of that with all output signals.
inline constexpr const char* kInputs = "inputs";
inline constexpr const char* kOutputs = "outputs";

} // namespace tioc::ir
