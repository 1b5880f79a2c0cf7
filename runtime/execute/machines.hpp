#pragma once

#include "runtime/execute/machine.hpp"

#include <memory>

namespace tioc::execute {

/// The system of an instantiated model as a machine, by its kind; null for a kind that cannot be run.
std::unique_ptr<Machine> makeMachine(const ir::Model& model);

} // namespace tioc::execute
