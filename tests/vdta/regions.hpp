#pragma once

#include "vdta/simulator.hpp"

// Backward reachability by clock regions (E, definition 4 and section 2), to compare the one on zones with. It works on
// explicit data and is slow.
namespace tioc::vdta {

/// The clocks up to what guards can tell apart: whole parts up to a limit and the order of the fractions.
struct Region {
  std::vector<int64_t> whole; ///< limit + 1: beyond
  std::vector<int> rank;      ///< 0: no fraction; a larger fraction has a larger rank

  bool operator==(const Region&) const = default;
  auto operator<=>(const Region&) const = default;
};

Region regionOf(const std::vector<Rational>& clocks, int64_t limit);
/// The next one in time; the same where time changes nothing any more.
Region successor(const Region& region, int64_t limit);
std::vector<Rational> pointOf(const Region& region);

/// Every state that can follow one of `starts`, with its clocks at the point of their region, and whether accept can be
/// reached from it.
std::map<State, bool> canAccept(const Simulator& simulator, const std::vector<State>& starts, int64_t limit);

} // namespace tioc::vdta
