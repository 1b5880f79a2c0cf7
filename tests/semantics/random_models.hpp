#pragma once

#include <cstdint>
#include <string>

// Small random TIOSTS networks as text, for comparing engines with the reference.
namespace tioc::semantics {

/// What a random model may contain. Numbers are upper limits; a feature that is allowed appears in many models,
/// not in all.
struct RandomModelOptions {
  unsigned components = 3;    ///< 1 to 3
  unsigned locations = 4;     ///< per component, at least 1
  unsigned clocks = 2;        ///< per component; 0 leaves time out
  unsigned constant = 4;      ///< largest clock bound, at least 1
  bool strict = true;         ///< `<` and `>` beside `<=`, `>=` and `==`
  bool differences = false;   ///< x - y ~ c
  bool dataBounds = false;    ///< clock bounds that are variables
  bool data = true;           ///< variables, guards on them, assignments
  bool ranged = true;         ///< int[lo..hi], with assignments that may leave it
  bool openVariables = false; ///< variables without initial value, limited by `init … when`
  bool parameters = true;     ///< messages carry values
  bool shared = true;         ///< variables and clocks at module level
  bool urgency = true;        ///< stated urgencies; else the defaults
  bool invariants = true;
  bool urgentLocations = true; ///< urgent and committed
  bool broadcast = true;
  bool priorities = true;
  bool constantResets = true;     ///< x := c with c > 0
  bool clockCopies = false;       ///< x := y
  bool fractions = false;         ///< bounds such as 1.5
  bool locationDeadlines = false; ///< `deadlines location;` in some models
};

/// A module that compiles, with the network as `system Net`. The same seed and options give the same text, as
/// long as the same compiler built this.
std::string randomModel(uint64_t seed, const RandomModelOptions& options = {});

/// Some choice of options, to vary what models contain over a campaign. What is off by default stays off unless `all`.
RandomModelOptions randomOptions(uint64_t seed, bool all = false);

} // namespace tioc::semantics
