#pragma once

#include "ir/test.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace tioc::backend {

/// How a test becomes nested code: the nodes that start a block of their own, the root first. These are the nodes that
/// several lead to, and so many others that nothing nests deeper than compilers like. Verdicts never start one.
std::vector<ir::TestNodeId> blockStarts(const ir::TestCase& test);

/// Which cases go into which file, at most so many into each: from the first to before the last. 0: all into one file,
/// even if there is none.
std::vector<std::pair<size_t, size_t>> portions(size_t cases, size_t perFile);

/// What follows a wait in which nothing came. On it hangs how long measured times let the wait last, and what an output
/// at its very end can mean.
enum class After : uint8_t { Send, Wait, Verdict, Fail };
After after(const ir::TestCase& test, const ir::AwaitNode& await);

/// The variable that says how far measured times may be off, if the expression has it.
std::optional<size_t> slackOf(const ir::TestCase& test, const ir::ExprPool& pool, ir::ExprId expr);

} // namespace tioc::backend
