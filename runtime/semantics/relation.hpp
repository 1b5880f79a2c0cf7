#pragma once

#include "runtime/semantics/step_relation.hpp"

#include <memory>

namespace tioc::semantics {

/// The kind of automata that a system is made of.
ir::AutomatonKind kindOf(const ir::Model& model, ir::SystemId system);

/// The step relation of the system of an instantiated model, by its kind. `network` belongs to the model of `symbols`;
/// both must outlive it.
std::unique_ptr<StepRelation> makeRelation(Symbols& symbols, const Network& network, TimeKind time);

} // namespace tioc::semantics
