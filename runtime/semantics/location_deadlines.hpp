#pragma once

#include "runtime/semantics/clock_code.hpp"
#include "runtime/zones/time_progress.hpp"

#include <optional>

namespace tioc::semantics {

/// Waiting where a component has `deadlines location` (A, definition 8): time passes while some edge can still fire;
/// beyond the last one only if that is no output and nothing follows by itself.
class LocationDeadlines {
public:
  /// Both must outlive it.
  LocationDeadlines(const Network& network, const ClockCode& clocks);

  /// An output, or an unobservable edge from which one can be reached over unobservable edges.
  bool leadsOut(ir::EdgeId edge) const { return leadsOut_[edge.value] != 0; }
  /// Whether an output really follows hangs on what comes behind the edge, which `limit` does not look at.
  bool isOpen(ir::EdgeId edge) const;

  /// What limits waiting in a location of which the edges `ready` are enabled by data; nothing if nothing does. `index`
  /// gives the zone's index of each clock that the edges test.
  std::optional<zones::Limit> limit(std::span<const ir::EdgeId> ready, const uint16_t* index, zones::Dim dim) const;

private:
  const Network& network_;
  const ClockCode& clocks_;
  std::vector<uint8_t> leadsOut_; // by edge
};

} // namespace tioc::semantics
