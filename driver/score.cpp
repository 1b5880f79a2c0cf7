#include "driver/score.hpp"

#include "driver/machine.hpp"
#include "driver/progress.hpp"
#include "driver/subject.hpp"
#include "ir/passes.hpp"
#include "runtime/semantics/relation.hpp"

#include <atomic>
#include <mutex>
#include <ostream>
#include <sstream>
#include <thread>

namespace tioc::driver {

namespace {

Fate judge(const ir::Model& mutant, const ir::Model& original, ir::SystemId system, const ir::TestSuite& suite,
           const ScoreOptions& options) {
  Fate fate;
  fate.runs = execute::tryToKill(
      suite,
      [&] {
        std::istringstream nothing;
        std::ostringstream unheard; // what kinds of models run was asked before
        Io quiet{nothing, unheard, unheard};
        return makeMachine(mutant, system, quiet);
      },
      options.kill);
  if (fate.runs.kill) {
    fate.kind = Fate::Kind::Killed;
    return fate;
  }
  const auto prepared = [&](const ir::Model& model) {
    return ir::resolvePriorities(ir::signals(ir::instantiate(model, system)));
  };
  if (otherKind(original, system) && semantics::kindOf(original, system) != ir::AutomatonKind::Ests)
    fate.check.why = "conformance of this kind of model is not checked";
  else
    fate.check = conformance::refines(prepared(mutant), prepared(original), options.refine);
  fate.kind =
      fate.check.answer == conformance::Refinement::Answer::Refines ? Fate::Kind::Equivalent : Fate::Kind::Alive;
  return fate;
}

} // namespace

const char* word(Fate::Kind kind) {
  static constexpr const char* kWords[] = {"killed", "equivalent", "alive", "skipped"};
  return kWords[static_cast<size_t>(kind)];
}

std::vector<Fate> score(const ir::Mutants& mutants, const std::vector<const ir::Mutant*>& chosen, ir::SystemId system,
                        const ir::TestSuite& suite, const ScoreOptions& options, Io& io) {
  const Interruption interruption;
  std::vector<Fate> fates(chosen.size());
  std::atomic<size_t> next = 0, done = 0;
  std::mutex terminal;
  const auto work = [&] {
    for (size_t i = next++; i < chosen.size() && !Interruption::requested(); i = next++) {
      fates[i] = judge(mutants.make(*chosen[i]), mutants.model, system, suite, options);
      const size_t count = ++done;
      if (io.terminal) {
        const std::lock_guard lock(terminal);
        io.err << "\r\x1b[K" << count << " of " << chosen.size() << " mutants" << std::flush;
      }
    }
  };
  const unsigned jobs = options.jobs ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < jobs; ++i)
    threads.emplace_back(work);
  work();
  for (std::thread& thread : threads)
    thread.join();
  if (io.terminal)
    io.err << "\r\x1b[K" << std::flush;
  return fates;
}

} // namespace tioc::driver
