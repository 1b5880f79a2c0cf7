#pragma once

#include "backend/suite_json.hpp"
#include "ir/test.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tioc::backend {

/// What a run of a test case did, for the report.
struct CaseRun {
  struct Event {
    std::string time;
    bool output = false;
    std::string message;             ///< `DispenseCash(100)`
    std::vector<std::string> values; ///< of its parameters
  };
  struct Step {
    ir::TestNodeId node;
    std::optional<uint32_t> branch; ///< of a wait; none: its time came without an output
  };

  std::string name; ///< of the case
  ir::Verdict verdict = ir::Verdict::Inconclusive;
  std::string reason;
  double seconds = 0;
  std::vector<Event> log;
  std::vector<Step> path;
  ir::TestNodeId position; ///< where it ended; invalid: before the first step
};

/// A page that stands for itself: the tested automata with what the tests cover and what the runs passed over, every
/// test as a sequence diagram with its time windows, runs of a controller as plots of its signals too, every failure
/// with its reason. Without runs it shows the suite
/// alone.
std::string suiteHtml(const ir::TestSuite& suite, const PlaceName& place, std::span<const CaseRun> runs);

} // namespace tioc::backend
