#pragma once

#include <cstdint>
#include <string>

namespace tioc::vdta {

struct RandomOptions {
  unsigned locations = 4;
  unsigned clocks = 2;
  unsigned constant = 3;      ///< largest clock bound
  bool deterministic = false; ///< guards of one location exclude each other
  bool differences = true;    ///< x - y ~ c
  bool purpose = false;       ///< a purpose that reads signals and clocks
};

/// A module with the VDTA `V` (inputs a: bool, b: int[0..2], outputs o: bool, p: int[0..3]), and `purpose P for V`.
/// Clock bounds are whole numbers and no edge lacks a first instant. It may have a loop of urgent edges.
std::string randomVdta(uint64_t seed, const RandomOptions& options = {});

} // namespace tioc::vdta
