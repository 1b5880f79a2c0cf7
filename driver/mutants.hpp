#pragma once

#include "driver/driver.hpp"
#include "ir/mutate.hpp"

namespace tioc::driver {

/// The mutants of a system that the compiler would accept.
ir::Mutants mutantsOf(const ir::Model& model, ir::SystemId system);

/// By identity, or by its number in the list, from 1 on. Null after a message.
const ir::Mutant* findMutant(const ir::Mutants& mutants, const std::string& name, Io& io);

} // namespace tioc::driver
