#pragma once

#include "driver/compile.hpp"

#include "ir/graph.hpp"
#include "runtime/explore/condition.hpp"
#include "runtime/explore/limits.hpp"
#include "runtime/solver/options.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace tioc::driver {

/// What `tioc explore` was asked for.
struct ExploreOptions {
  CompileOptions compile;
  std::string file;
  std::string system;
  std::string reach;
  std::string as = "auto";
  std::string time = "auto";
  std::string eval = "auto";
  std::string order = "bfs";
  std::string abstraction = "alu";
  std::string stats; ///< empty: a summary only
  std::string html;
  std::string dot;
  std::string json;
  std::string dumpLlvm;
  explore::Limits limits{.states = 0, .depth = 0, .seconds = 300, .bytes = 0, .interrupted = {}};
  uint64_t megabytes = 4096;
  uint32_t loops = UINT32_MAX;
  bool noInclusion = false;
  bool countOnly = false;
  bool quiescence = false;
  bool noLinks = false;
  solver::Options solver;

  bool wantsPicture() const { return !html.empty() || !dot.empty() || !json.empty(); }
  /// Something was asked for that only a tree has.
  bool needsTree() const {
    return as == "tree" || time != "auto" || loops != UINT32_MAX || noInclusion || countOnly || quiescence;
  }
};

/// One exploration: a system that is ready for the runtime, and what is looked for in it.
struct Exploration {
  const ExploreOptions& options;
  ir::Model& model;
  std::optional<explore::Condition> condition;
  Io& io;
};

/// What an exploration found out.
struct Findings {
  nlohmann::ordered_json stats;              ///< keys as docs/exploration.md lists them
  std::string summary;                       ///< one line for people
  std::string stopped;                       ///< which limit ended it, or empty
  std::optional<semantics::Problem> problem; ///< the model cannot be explored this way
  std::optional<bool> reachable;             ///< the answer to a condition, where it is known
  std::string doubt;                         ///< why it is not
  std::optional<explore::TimedRun> run;      ///< to the condition; not checked yet
  std::optional<ir::Graph> graph;            ///< if a picture was asked for
};

/// The zone graph, data concrete. Ctrl-C and a line of progress are seen to.
Findings exploreGraph(const Exploration& exploration);
/// The symbolic execution tree.
Findings exploreTree(const Exploration& exploration);

/// Whether the run follows the definitions and ends where the condition holds; what is wrong otherwise.
std::optional<std::string> checkRun(const Exploration& exploration, const explore::TimedRun& run);

/// A checked run for people; of the variables those that changed. `unit` is how many time units of the model one of the
/// file is.
std::string showRun(const ir::Model& model, const explore::TimedRun& run, const ir::Rational& unit);
/// The same in one line, without states: `wait 2, touch?, wait 1, dim!`; `nothing` for a run that does nothing.
std::string showSteps(const ir::Model& model, const explore::TimedRun& run, const ir::Rational& unit);
/// Where each component is, and the variables.
std::string showState(const ir::Model& model, const explore::RunState& state);
/// A checked run for programs.
nlohmann::ordered_json runJson(const ir::Model& model, const explore::TimedRun& run, const ir::Rational& unit);

/// `1 state`, `2 states`
std::string counted(uint64_t number, const char* noun);
/// `key: value` lines, objects indented.
void showText(const nlohmann::ordered_json& json, std::ostream& out, const std::string& indent = "");

} // namespace tioc::driver
