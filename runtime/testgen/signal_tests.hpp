#pragma once

#include "runtime/testgen/generate.hpp"

namespace tioc::testgen {

/// Generates tests of a VDTA: `model` is a result of `ir::instantiate`. Goals and random walks are those of its message
/// form (`ir::signals`); a purpose, which reads signals and clocks all the time, is followed in its product with the
/// specification (E, definition 6).
Generated generateSignalTests(const ir::Model& model, const GenerateOptions& options);

} // namespace tioc::testgen
