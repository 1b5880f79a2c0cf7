#pragma once

#include "runtime/semantics/step_relation.hpp"

#include <memory>

namespace tioc::semantics {

/// The kind of automata that a system is made of.
ir::AutomatonKind kindOf(const ir::Model& model, ir::SystemId system);

/// The step relation of the system of `network`, by its kind. Its model is that of `symbols`, or a copy with the
/// systems in another order. Both must outlive the relation.
std::unique_ptr<StepRelation> makeRelation(Symbols& symbols, const Network& network, TimeKind time);

} // namespace tioc::semantics
