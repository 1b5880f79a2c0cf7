#pragma once

#include "runtime/execute/adapter.hpp"
#include "runtime/execute/executor.hpp"

namespace tioc::execute {

/// How hard a faulty system is tried. What it is free to choose it chooses as early as it can, as late as it can, and
/// by chance so many times.
struct KillOptions {
  unsigned randomRuns = 6;
  uint64_t seed = 0;
  double seconds = 10;           ///< for all tests together; 0: no limit
  unsigned stepsPerGrain = 1000; ///< see PlayOptions
};

/// A test that fails a system.
struct Kill {
  size_t test = 0; ///< index of the case
  std::string reason;
  std::vector<LogEntry> log;
};

struct KillReport {
  std::optional<Kill> kill; ///< the first case that fails, in the order of the suite
  uint64_t runs = 0;
  uint64_t broken = 0;   ///< runs in which the model could not go on
  std::string trouble;   ///< why, the first time
  bool timedOut = false; ///< the limit of seconds ended it
};

using MakeMachine = std::function<std::unique_ptr<Machine>()>;

/// Runs the suite against a system in virtual time until a test fails. The same options give the same report, as long
/// as the limit of seconds is not reached.
KillReport tryToKill(const ir::TestSuite& suite, const MakeMachine& make, const KillOptions& options);

} // namespace tioc::execute
