#include "runtime/execute/kill.hpp"

namespace tioc::execute {

KillReport tryToKill(const ir::TestSuite& suite, const MakeMachine& make, const KillOptions& options) {
  KillReport report;
  const TimePoint begin = Clock::now();
  struct Way {
    std::unique_ptr<Adapter> adapter;
    unsigned runs;
  };
  std::vector<Way> ways;
  for (Policy policy : {Policy::Earliest, Policy::Latest, Policy::Random}) {
    PlayOptions play;
    play.seed = options.seed;
    play.policy = policy;
    play.stepsPerGrain = options.stepsPerGrain;
    ways.push_back({std::make_unique<ModelAdapter>(make(), play), policy == Policy::Random ? options.randomRuns : 1});
  }
  for (size_t test = 0; test < suite.cases.size(); ++test)
    for (Way& way : ways)
      for (unsigned i = 0; i < way.runs; ++i) {
        if (options.seconds > 0 && std::chrono::duration<double>(Clock::now() - begin).count() > options.seconds) {
          report.timedOut = true;
          return report;
        }
        Outcome outcome = execute(suite, suite.cases[test], *way.adapter, {});
        ++report.runs;
        if (outcome.verdict == ir::Verdict::Fail) {
          report.kill = Kill{test, std::move(outcome.reason), std::move(outcome.log)};
          return report;
        }
        if (outcome.broken && report.broken++ == 0)
          report.trouble = outcome.reason;
      }
  return report;
}

} // namespace tioc::execute
