#pragma once

#include "ir/test.hpp"
#include "runtime/execute/adapter.hpp"
#include "runtime/execute/executor.hpp"

#include <memory>
#include <string>

namespace tioc::test {

/// The machine of a system in a text, or in a file of the repository.
std::unique_ptr<execute::Machine> machineOf(const std::string& text, const std::string& system);
std::unique_ptr<execute::Machine> exampleMachine(const std::string& file, const std::string& system);

/// A cash machine is asked for 100. Cash of that amount passes within 10; a refusal within 2 must be followed by a slip
/// within 5 and is then inconclusive.
ir::TestSuite withdrawalSuite();

/// After 1 unit comes a request; its answer must come from 2 to 8 after it.
ir::TestSuite requestSuite();

/// Two touches half a unit apart make a light bright within 1 to 2; a single one then switches it off, 2 to 3 after it.
ir::TestSuite touchSuite();

/// Runs the only case of a suite against the adapter in virtual time.
execute::Outcome runVirtually(const ir::TestSuite& suite, execute::Adapter& adapter, unsigned patience = 10'000);

/// Verdict, reason and log.
std::string describe(const ir::TestSuite& suite, const execute::Outcome& outcome);

} // namespace tioc::test
