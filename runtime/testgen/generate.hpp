#pragma once

#include "ir/test.hpp"
#include "runtime/explore/limits.hpp"
#include "runtime/semantics/problem.hpp"
#include "runtime/solver/options.hpp"

#include <optional>

namespace tioc::testgen {

/// What to generate; the order of cases follows the order here.
struct GenerateOptions {
  std::string name = "Suite";
  std::vector<ir::AutomatonId> purposes;
  bool all = false;            ///< every path to `accept` within the limits, not one for each way
  std::vector<ir::EdgeId> way; ///< to accept, of a single automaton and purpose: tried before searching for one
  std::vector<ir::Goal> goals;
  std::vector<ir::Timing> timings = {ir::Timing::Earliest};
  std::vector<ir::DataChoice> data = {ir::DataChoice::Any};
  uint32_t random = 0; ///< number of random walks
  uint32_t length = 20;
  uint64_t seed = 1;
  std::optional<ir::Rational> patience; ///< see BuildOptions; by default twice the largest constant bound
  std::optional<ir::Rational> nearness; ///< see BuildOptions; by default a tenth of what all constant bounds are
                                        ///< multiples of
  uint32_t tail = 3;                    ///< events behind a goal of coverage that observe what became of it
  ir::Rational tolerance;
  explore::Limits limits; ///< of each search
  solver::Options solver;
};

struct Generated {
  ir::TestSuite suite;
  std::optional<semantics::Problem> problem; ///< the model cannot be treated; the suite is empty
  std::vector<std::string> notes;            ///< what a reader of the suite should know: imprecision, limits
};

/// Time enough for anything with a deadline: twice the largest constant that clocks are compared with.
ir::Rational defaultPatience(const ir::Model& model);

/// Generates tests of a system of TIOSTS or ESTS: `model` is a result of `ir::instantiate` and `ir::resolvePriorities`.
/// The same model and options give the same suite.
Generated generate(ir::Model model, const GenerateOptions& options);

} // namespace tioc::testgen
