#include "driver/commands.hpp"
#include "driver/compile.hpp"
#include "driver/files.hpp"
#include "driver/subject.hpp"

#include "backend/graph_dot.hpp"
#include "backend/graph_html.hpp"
#include "backend/graph_json.hpp"
#include "runtime/explore/tree_graph.hpp"
#include "runtime/semantics/tiosts.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <ostream>

namespace tioc::driver {

namespace {

using semantics::TimeKind;

struct ExploreOptions {
  CompileOptions compile;
  std::string file;
  std::string system;
  std::string time = "auto";
  std::string stats = "text";
  std::string html;
  std::string dot;
  std::string json;
  explore::TreeOptions tree;
  solver::Options solver;
  bool noInclusion = false;
  bool plainSolver = false;
  uint64_t megabytes = 8192;
};

/// The way to hold time: what was asked for, else zones unless a bound depends on data.
TimeKind timeKind(const std::string& asked, const semantics::Network& network) {
  if (asked != "auto")
    return asked == "zones" ? TimeKind::Zones : TimeKind::Symbolic;
  return semantics::ClockCode(network).problem() ? TimeKind::Symbolic : TimeKind::Zones;
}

nlohmann::ordered_json solverStats(const solver::Counts& counts) {
  nlohmann::ordered_json json;
  json["questions"] = counts.questions;
  json["witness"] = counts.witness;
  json["neighbour"] = counts.neighbour;
  json["folding"] = counts.folding;
  json["cache"] = counts.cache;
  json["z3_sat"] = counts.z3Sat;
  json["z3_unsat"] = counts.z3Unsat;
  json["z3_unknown"] = counts.z3Unknown;
  json["z3_seconds"] = counts.seconds;
  if (counts.questions)
    json["without_z3"] =
        1.0 - static_cast<double>(std::min(counts.z3(), counts.questions)) / static_cast<double>(counts.questions);
  return json;
}

void showText(const nlohmann::ordered_json& json, std::ostream& out, const std::string& indent = "") {
  for (const auto& [key, value] : json.items()) {
    if (value.is_object()) {
      out << indent << key << ":\n";
      showText(value, out, indent + "  ");
    } else {
      out << indent << key << ": " << (value.is_string() ? value.get<std::string>() : value.dump()) << "\n";
    }
  }
}

bool writePictures(const ExploreOptions& options, const ir::Graph& graph, Io& io) {
  return (options.html.empty() || writeFile(options.html, backend::graphHtml(graph), io)) &&
         (options.dot.empty() || writeFile(options.dot, backend::graphDot(graph), io)) &&
         (options.json.empty() || writeFile(options.json, backend::graphJson(graph), io));
}

int showProblem(const semantics::Problem& problem, Compilation& compilation, Io& io) {
  io.err << compilation.describe(problem.span) << "error: " << problem.text << "\n";
  return kModelErrors;
}

int exploreTree(const ExploreOptions& options, ir::Model& model, Compilation& compilation, Io& io) {
  const semantics::Network network(model);
  const TimeKind time = timeKind(options.time, network);
  solver::Options solving = options.solver;
  if (options.plainSolver)
    solving.folding = solving.witness = solving.cache = solving.independence = false;
  semantics::Symbols symbols(model, solving);
  semantics::Tiosts relation(symbols, network, time);
  if (relation.problem())
    return showProblem(*relation.problem(), compilation, io);
  explore::TreeOptions treeOptions = options.tree;
  treeOptions.inclusion = !options.noInclusion;
  treeOptions.limits.bytes = options.megabytes << 20;
  explore::Tree tree(symbols, relation, network, treeOptions);
  tree.run();
  if (relation.problem())
    return showProblem(*relation.problem(), compilation, io);
  if (!options.html.empty() || !options.dot.empty() || !options.json.empty())
    if (!writePictures(options, explore::graphOf(tree, symbols, network, time), io))
      return kUsage;
  const explore::TreeStats& stats = tree.stats();
  nlohmann::ordered_json json;
  json["system"] = model.systems[0].name;
  json["time"] = time == TimeKind::Zones ? "zones" : "symbolic";
  json["states"] = stats.states;
  json["transitions"] = stats.steps;
  json["covered"] = stats.covered;
  json["uncertain"] = stats.uncertain;
  json["depth"] = stats.depth;
  json["stopped"] = tree.stopped();
  json["seconds"] = stats.seconds;
  json["memory_bytes"] = explore::peakBytes();
  json["feasibility"] = solverStats(symbols.solver().counts());
  if (treeOptions.inclusion)
    json["inclusion"] = solverStats(tree.inclusionCounts());
  if (!relation.imprecise().empty())
    json["imprecise"] = relation.imprecise();
  if (options.stats == "json")
    io.out << json.dump(2) << "\n";
  else
    showText(json, io.out);
  return tree.stopped().empty() || tree.stopped() == "depth" ? kSuccess : kLimit;
}

int run(const ExploreOptions& options, Io& io) {
  std::optional<Compilation> compilation = Compilation::create(options.compile, io);
  if (!compilation)
    return kUsage;
  std::optional<std::string> text = readInput(options.file, io);
  if (!text)
    return kUsage;
  std::optional<ir::Model> model = compilation->compile(options.file, std::move(*text));
  if (int code = compilation->finish(io); code != kSuccess || !model)
    return code;
  const std::optional<ir::SystemId> system = findSystem(*model, options.system, io);
  if (!system)
    return kUsage;
  ir::Model subject = prepare(*model, *system);
  return exploreTree(options, subject, *compilation, io);
}

} // namespace

void addExplore(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<ExploreOptions>();
  CLI::App* command = app.add_subcommand("explore", "Explore what a system can do");
  command->add_option("FILE", options->file, "Model; - reads standard input")->required();
  options->compile.addTo(*command);
  command->add_option("--system", options->system, "The system to explore; needed where the file has several")
      ->type_name("NAME");
  command->add_option("--time", options->time, "How time is held; auto takes zones unless a bound depends on data")
      ->check(CLI::IsMember({"auto", "zones", "symbolic"}))
      ->capture_default_str();
  command->add_option("--depth", options->tree.limits.depth, "Most steps in a row; 0: no limit")->capture_default_str();
  command->add_option("--bound", options->tree.limits.states, "Most states; 0: no limit")->capture_default_str();
  command->add_option("--seconds", options->tree.limits.seconds, "Longest time; 0: no limit")->capture_default_str();
  command->add_option("--memory", options->megabytes, "Most memory in MB; 0: no limit")->capture_default_str();
  command->add_option("--loops", options->tree.loops, "How often the same edges may step on one path");
  command->add_flag("--no-inclusion", options->noInclusion, "Follow states that others include, too");
  command->add_flag("--no-links", options->plainSolver, "Ask Z3 everything, without the cheap answers before it");
  command->add_flag("--cross-check", options->solver.crossCheck,
                    "Ask Z3 alone a second time, and stop on a contradiction");
  command->add_option("--smt-log", options->solver.log, "Folder for one SMT-LIB file per question that reaches Z3")
      ->type_name("DIR");
  command
      ->add_option("--solver-limit", options->solver.milliseconds,
                   "Longest time for one question to Z3, in ms; 0: no limit")
      ->capture_default_str();
  command->add_flag("--dfs", options->tree.depthFirst, "Depth first");
  command->add_flag("!--count-only", options->tree.keepStates, "Keep no states but those still to be followed");
  command->add_option("--html", options->html, "Write the tree as one page for a browser")->type_name("FILE");
  command->add_option("--dot", options->dot, "Write the tree as a Graphviz drawing")->type_name("FILE");
  command->add_option("--json", options->json, "Write the tree as JSON")->type_name("FILE");
  command->add_option("--stats", options->stats, "How to print statistics")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->callback([options, &io, &code] { code = run(*options, io); });
}

} // namespace tioc::driver
