#pragma once

#include "driver/compile.hpp"
#include "runtime/execute/machine.hpp"

#include <memory>

namespace tioc::driver {

/// A system of a model file, ready to run. `system` may be empty where the file leaves no choice; `mutant` names one of
/// its mutants, or is empty. Null after messages; the exit code is then in `code`.
std::unique_ptr<execute::Machine> loadMachine(const std::string& path, const std::string& system,
                                              const CompileOptions& options, Io& io, int& code,
                                              const std::string& mutant = "");

/// The machine of a system. Null after a message.
std::unique_ptr<execute::Machine> makeMachine(const ir::Model& model, ir::SystemId system, Io& io);

} // namespace tioc::driver
