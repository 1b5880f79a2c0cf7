#include "driver/exploration.hpp"
#include "driver/progress.hpp"

#include "runtime/explore/tree_graph.hpp"
#include "runtime/explore/tree_reach.hpp"
#include "runtime/semantics/clock_code.hpp"
#include "runtime/semantics/relation.hpp"

#include <algorithm>

namespace tioc::driver {

namespace {

using semantics::TimeKind;

/// The way to hold time: what was asked for, else zones where they will do.
TimeKind timeKind(const Exploration& exploration, const semantics::Network& network) {
  const ExploreOptions& options = exploration.options;
  if (options.time != "auto")
    return options.time == "zones" ? TimeKind::Zones : TimeKind::Symbolic;
  // A run is made of the times that the solver chooses, and quiescence is a condition on times.
  const bool needsTimes = semantics::kindOf(exploration.model, ir::SystemId(0)) == ir::AutomatonKind::Ests ||
                          exploration.condition || options.quiescence || semantics::ClockCode(network).problem();
  return needsTimes ? TimeKind::Symbolic : TimeKind::Zones;
}

nlohmann::ordered_json solverStats(const solver::Counts& counts) {
  nlohmann::ordered_json json;
  json["questions"] = counts.questions;
  json["witness"] = counts.witness;
  json["neighbour"] = counts.neighbour;
  json["folding"] = counts.folding;
  json["cache"] = counts.cache;
  json["independence"] = counts.independence;
  json["z3_sat"] = counts.z3Sat;
  json["z3_unsat"] = counts.z3Unsat;
  json["z3_unknown"] = counts.z3Unknown;
  json["z3_seconds"] = counts.seconds;
  if (counts.questions)
    json["without_z3"] =
        1.0 - static_cast<double>(std::min(counts.z3(), counts.questions)) / static_cast<double>(counts.questions);
  return json;
}

void tell(const explore::Tree& tree, const std::string& system, TimeKind time, uint64_t bytes, Findings& findings) {
  const explore::TreeStats& stats = tree.stats();
  nlohmann::ordered_json& json = findings.stats;
  const char* const timeName = time == TimeKind::Zones ? "zones" : "symbolic";
  json["system"] = system;
  json["mode"] = "tree";
  json["time"] = timeName;
  json["states"] = stats.states;
  json["covered"] = stats.covered;
  json["uncertain"] = stats.uncertain;
  json["visited"] = stats.visited;
  json["transitions"] = stats.steps;
  json["waiting"] = tree.waiting();
  json["depth"] = stats.depth;
  json["stopped"] = findings.stopped.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(findings.stopped);
  json["seconds"] = stats.seconds;
  json["memory_bytes"] = explore::peakBytes();
  json["bytes_per_state"] = stats.states ? static_cast<double>(bytes) / static_cast<double>(stats.states) : 0.0;
  findings.summary = system + ": symbolic execution tree (" + timeName + ") with " + counted(stats.states, "state") +
                     (stats.covered ? " (" + std::to_string(stats.covered) + " included in others)" : "") + ", " +
                     counted(stats.steps, "step") + ", depth " + std::to_string(stats.depth);
}

/// One tree with all that it stands on.
class TreeRun {
public:
  TreeRun(const Exploration& exploration)
      : exploration_(exploration), network_(exploration.model), time_(timeKind(exploration, network_)),
        symbols_(exploration.model, solverOptions(exploration.options)),
        owner_(semantics::makeRelation(symbols_, network_, time_)), relation_(*owner_), progress_(exploration.io) {}

  Findings run() {
    Findings findings;
    if (exploration_.condition && time_ == TimeKind::Zones)
      findings.problem = semantics::Problem{{}, "a tree is searched with symbolic time; leave out --time zones"};
    else if (exploration_.options.quiescence && time_ == TimeKind::Zones)
      findings.problem = semantics::Problem{{}, "quiescence is told with symbolic time; leave out --time zones"};
    else
      findings.problem = relation_.problem();
    if (findings.problem)
      return findings;
    const uint64_t before = explore::residentBytes();
    explore::Tree tree(symbols_, relation_, network_, treeOptions());
    tree_ = &tree;
    explore(tree, findings);
    const uint64_t after = explore::residentBytes();
    findings.problem = relation_.problem();
    if (findings.problem)
      return findings;
    tell(tree, exploration_.model.systems[0].name, time_, after > before ? after - before : 0, findings);
    findings.stats["feasibility"] = solverStats(symbols_.solver().counts());
    if (!exploration_.options.noInclusion)
      findings.stats["inclusion"] = solverStats(tree.inclusionCounts());
    if (!relation_.imprecise().empty())
      findings.stats["imprecise"] = relation_.imprecise();
    if (exploration_.options.wantsPicture()) {
      findings.graph = explore::graphOf(tree, symbols_, network_, time_);
      findings.graph->stopped = findings.stopped;
    }
    return findings;
  }

private:
  static solver::Options solverOptions(const ExploreOptions& options) {
    solver::Options result = options.solver;
    if (options.noLinks)
      result.folding = result.witness = result.cache = result.independence = false;
    return result;
  }

  explore::TreeOptions treeOptions() {
    const ExploreOptions& options = exploration_.options;
    explore::TreeOptions result;
    result.limits = options.limits;
    result.limits.bytes = options.megabytes << 20;
    result.limits.interrupted = [this] {
      progress_.show(tree_->stats().states, tree_->waiting());
      return Interruption::requested();
    };
    result.loops = options.loops;
    result.inclusion = !options.noInclusion;
    result.quiescence = options.quiescence;
    result.keepStates = !options.countOnly;
    result.depthFirst = options.order == "dfs";
    return result;
  }

  void explore(explore::Tree& tree, Findings& findings) {
    if (!exploration_.condition) {
      tree.run();
      findings.stopped = stoppedBy(tree);
      return;
    }
    explore::TreeReach search(symbols_, relation_, network_, *exploration_.condition);
    search.run(tree);
    findings.run = search.found();
    if (findings.run) {
      findings.reachable = true;
      if (auto complaint = explore::confirmRun(network_, *findings.run); complaint && !relation_.imprecise().empty()) {
        findings.reachable.reset();
        findings.run.reset();
        findings.doubt = "the run that was found is none (" + *complaint + "), as " + relation_.imprecise();
      }
      return;
    }
    findings.stopped = stoppedBy(tree);
    if (findings.stopped.empty() && search.undecided() == 0)
      findings.reachable = false;
    else if (search.undecided() > 0)
      findings.doubt = "the solver could not decide " + std::to_string(search.undecided()) + " states";
  }

  static std::string stoppedBy(const explore::Tree& tree) {
    return !tree.stopped().empty() ? tree.stopped() : tree.stats().looped > 0 ? "loops" : "";
  }

  const Exploration& exploration_;
  const semantics::Network network_;
  TimeKind time_;
  semantics::Symbols symbols_;
  std::unique_ptr<semantics::StepRelation> owner_;
  semantics::StepRelation& relation_;
  Interruption interruption_;
  Progress progress_;
  const explore::Tree* tree_ = nullptr;
};

} // namespace

Findings exploreTree(const Exploration& exploration) {
  return TreeRun(exploration).run();
}

} // namespace tioc::driver
