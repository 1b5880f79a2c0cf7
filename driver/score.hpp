#pragma once

#include "driver/driver.hpp"
#include "ir/mutate.hpp"
#include "ir/test.hpp"
#include "runtime/conformance/refines.hpp"
#include "runtime/execute/kill.hpp"

namespace tioc::driver {

struct ScoreOptions {
  execute::KillOptions kill;
  conformance::RefineOptions refine;
  unsigned jobs = 0; ///< threads; 0: one for each core
};

/// What became of a mutant.
struct Fate {
  enum class Kind : uint8_t {
    Killed,
    Equivalent, ///< it conforms to the model as far as was looked: no sound test fails it
    Alive,
    Skipped, ///< the run was interrupted before
  };
  Kind kind = Kind::Skipped;
  execute::KillReport runs;
  conformance::Refinement check; ///< Equivalent and Alive
};

const char* word(Fate::Kind kind);

/// Runs the suite against every chosen mutant of the system; the fates stand in the order of `chosen`. Mutants whose
/// machine cannot be made (`make` gives null) stay Skipped.
std::vector<Fate> score(const ir::Mutants& mutants, const std::vector<const ir::Mutant*>& chosen, ir::SystemId system,
                        const ir::TestSuite& suite, const ScoreOptions& options, Io& io);

} // namespace tioc::driver
