#pragma once

#include "ir/test.hpp"
#include "runtime/execute/session.hpp"

namespace tioc::execute {

struct ExecuteOptions {
  SessionOptions session;
  /// Of measured times, in time units; has no say in virtual time, where times are exact.
  ir::Rational tolerance;
};

struct LogEntry {
  ir::Rational time;
  bool output = false;
  ir::ChannelId channel;
  std::vector<eval::Value> values;
};

/// A step of a test that was taken: a send, or the branch of a wait; no branch: its time came without an output.
struct Taken {
  ir::TestNodeId node;
  std::optional<uint32_t> branch;
};

/// What became of a test.
struct Outcome {
  ir::Verdict verdict = ir::Verdict::Inconclusive;
  std::string reason;
  std::vector<LogEntry> log;
  std::vector<Taken> path; ///< from the root on
  ir::TestNodeId position; ///< the node that gave the verdict, or at which the run ended
  ir::Rational end;        ///< how far the run was followed: nothing else came until then
  bool broken = false;     ///< inconclusive because the system or the way to it failed, not by the test
};

/// Runs a test case against a fresh system and leaves that one closed.
///
/// Virtual time is exact. Measured times are read within the tolerance, always in favour of the system:
/// - a window or an `until` is open so much longer at both ends;
/// - where times within the tolerance would lead to different nodes, a later fail becomes inconclusive;
/// - an output that may have crossed an input on the way (it came when the input was sent, or within the tolerance
///   behind it) and fits nothing is inconclusive;
/// - so is a run in which the tester itself sends later than the tolerance allows.
Outcome execute(const ir::TestSuite& suite, const ir::TestCase& test, Adapter& adapter, const ExecuteOptions& options);

/// `2.5 DispenseCash!(100)`, one line each.
std::string showLog(const ir::Model& model, const std::vector<LogEntry>& log);
/// `DispenseCash(100)`
std::string showMessage(const ir::Model& model, ir::ChannelId channel, const std::vector<eval::Value>& values);

} // namespace tioc::execute
