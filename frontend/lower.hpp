#pragma once

#include "frontend/diagnostics.hpp"
#include "frontend/program.hpp"
#include "ir/model.hpp"

#include <optional>

namespace tioc::frontend {

/// Resolves names and types and turns the program into a model. Returns nothing if there are errors; all of them are
/// reported, and so are the warnings.
std::optional<ir::Model> lower(const Program& program, Diagnostics& diagnostics);

/// The rules that need the whole model: reachability, urgency, determinism of purposes, stability. Reports; the model
/// stays as it is.
void checkRules(ir::Model& model, Diagnostics& diagnostics);

} // namespace tioc::frontend
