#pragma once

#include "ir/test.hpp"
#include "runtime/testgen/search.hpp"

namespace tioc::testgen {

/// Plays the run of the model that the test was made from against the test: the first `length` steps of the path with
/// the values of `model`. What is wrong, or empty: the test sends what the run has and goes along with every output.
std::string replay(semantics::Symbols& symbols, const ir::TestCase& test, const Path& path, size_t length,
                   const solver::Assignment& model);

} // namespace tioc::testgen
