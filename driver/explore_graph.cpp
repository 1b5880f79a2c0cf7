#include "driver/exploration.hpp"
#include "driver/progress.hpp"

#include "runtime/explore/reach_run.hpp"

namespace tioc::driver {

namespace {

using explore::Abstraction;
using explore::ReachResult;
using explore::Stop;

const char* abstractionName(Abstraction abstraction) {
  switch (abstraction) {
  case Abstraction::ALu:
    return "alu";
  case Abstraction::ExtraLuPlus:
    return "extra-lu";
  case Abstraction::None:
    return "none";
  }
  return "";
}

/// The word for a limit; the same for graphs and trees.
const char* limitName(Stop stop) {
  switch (stop) {
  case Stop::States:
    return "states";
  case Stop::Depth:
    return "depth";
  case Stop::Memory:
    return "memory";
  case Stop::Seconds:
    return "time";
  case Stop::Asked:
    return "interrupted";
  default:
    return "";
  }
}

explore::ReachOptions reachOptions(const Exploration& exploration, Progress& progress) {
  const ExploreOptions& options = exploration.options;
  explore::ReachOptions result;
  result.abstraction = options.abstraction == "alu"        ? Abstraction::ALu
                       : options.abstraction == "extra-lu" ? Abstraction::ExtraLuPlus
                                                           : Abstraction::None;
  result.order = options.order == "bfs"   ? explore::Order::BreadthFirst
                 : options.order == "dfs" ? explore::Order::DepthFirst
                                          : explore::Order::Priority;
  result.eval = options.eval == "jit"      ? eval::Mode::Jit
                : options.eval == "interp" ? eval::Mode::Interpret
                                           : eval::Mode::Auto;
  result.graph = options.wantsPicture();
  if (options.limits.states)
    result.maxStates = options.limits.states;
  if (options.limits.depth)
    result.maxDepth = options.limits.depth;
  if (options.megabytes)
    result.maxBytes = options.megabytes << 20;
  if (options.limits.seconds > 0)
    result.maxSeconds = options.limits.seconds;
  result.stop = Interruption::requested;
  result.progress = [&progress](const explore::ReachStats& stats) { progress.show(stats.stored, stats.waiting); };
  return result;
}

void tell(const ReachResult& result, const std::string& system, Findings& findings) {
  const explore::ReachStats& stats = result.stats;
  nlohmann::ordered_json& json = findings.stats;
  json["system"] = system;
  json["mode"] = "graph";
  json["time"] = "zones";
  json["abstraction"] = abstractionName(result.abstraction);
  json["states"] = stats.stored;
  json["covered"] = stats.covered;
  json["discrete"] = stats.discrete;
  json["visited"] = stats.visited;
  json["transitions"] = stats.transitions;
  json["waiting"] = stats.waiting;
  json["depth"] = stats.depth;
  json["stopped"] = findings.stopped.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(findings.stopped);
  json["seconds"] = stats.seconds;
  json["memory_bytes"] = explore::peakBytes();
  json["bytes_per_state"] = stats.bytesPerState();
  json["eval"] = {{"interpreted", result.code.interpreted},
                  {"handed_back", result.code.handedBack},
                  {"functions", result.code.functions},
                  {"reused", result.code.reused},
                  {"compile_seconds", result.code.compileSeconds}};
  findings.summary = system + ": zone graph with " + counted(stats.stored, "state") +
                     (stats.covered ? " (" + std::to_string(stats.covered) + " more were covered by later ones)" : "") +
                     ", " + counted(stats.transitions, "transition") + ", depth " + std::to_string(stats.depth);
}

} // namespace

Findings exploreGraph(const Exploration& exploration) {
  Findings findings;
  const ir::Model& model = exploration.model;
  const Interruption interruption;
  Progress progress(exploration.io);
  explore::ReachOptions options = reachOptions(exploration, progress);
  if (exploration.condition) {
    options.target = explore::targetOf(*exploration.condition, semantics::Network(model));
    if (!options.target) {
      findings.problem = semantics::Problem{{}, "a clock bound of the condition is no constant that zones can hold"};
      return findings;
    }
  }
  explore::Reachability search(model, std::move(options));
  const ReachResult result = search.run();
  if (result.stop == Stop::Problem) {
    findings.problem = result.problem;
    return findings;
  }
  findings.stopped = limitName(result.stop);
  if (exploration.condition && findings.stopped.empty())
    findings.reachable = result.reached();
  if (result.reached()) {
    explore::RunResult run = explore::concreteRun(
        model, *result.path, {explore::targetOf(*exploration.condition, semantics::Network(model))->clocks, {}});
    findings.problem = run.problem;
    findings.run = std::move(run.run);
  }
  tell(result, model.systems[0].name, findings);
  if (exploration.options.wantsPicture()) {
    findings.graph = search.graph();
    findings.graph->stopped = findings.stopped;
  }
  return findings;
}

} // namespace tioc::driver
