#pragma once

#include "ir/test.hpp"

namespace tioc::backend {

/// How a test becomes nested code: the nodes that start a block of their own, the root first. These are the nodes that
/// several lead to, and so many others that nothing nests deeper than compilers like. Verdicts never start one.
std::vector<ir::TestNodeId> blockStarts(const ir::TestCase& test);

/// Whether a wait ends in a verdict when nothing comes: then nothing hurries, and the wait takes the tolerance along.
bool isLast(const ir::TestCase& test, const ir::AwaitNode& await);

} // namespace tioc::backend
