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
/// accept and reject in their mark, and what follows those is cut off. For TIOSTS and ESTS B, definition 3.4: both take
/// every observable action together, internal ones alone; an action that the purpose does not mention leaves it where
/// it is. For VDTA E, definition 6, with rule R3 keeping the specification's move. Preconditions: `specification` has
/// no parameters, `purpose` is one.
Model product(const Model& model, AutomatonId specification, AutomatonId purpose);

} // namespace tioc::ir
