#include "driver/commands.hpp"
#include "driver/exploration.hpp"
#include "driver/files.hpp"
#include "driver/subject.hpp"
#include "driver/target.hpp"

#include "backend/graph_dot.hpp"
#include "backend/graph_html.hpp"
#include "backend/graph_json.hpp"
#include "runtime/eval/edge_code.hpp"
#include "runtime/semantics/relation.hpp"

#include <algorithm>
#include <memory>
#include <ostream>

namespace tioc::driver {

namespace {

/// A page of more states than this is no help to anyone.
constexpr uint64_t kStatesOfPicture = 20'000;

bool writePictures(const ExploreOptions& options, const ir::Graph& graph, Io& io) {
  return (options.html.empty() || writeFile(options.html, backend::graphHtml(graph), io)) &&
         (options.dot.empty() || writeFile(options.dot, backend::graphDot(graph), io)) &&
         (options.json.empty() || writeFile(options.json, backend::graphJson(graph), io));
}

/// What is worth knowing about the whole picture; nothing that differs from run to run.
void addFacts(const Findings& findings, ir::Graph& graph) {
  const auto number = [&](const char* key) { return findings.stats.value(key, uint64_t{0}); };
  const bool tree = findings.stats["mode"] == "tree";
  graph.facts = {{"form", tree ? "symbolic execution tree" : "zone graph"},
                 {"time", findings.stats["time"].get<std::string>()}};
  if (!tree)
    graph.facts.emplace_back("abstraction", findings.stats["abstraction"].get<std::string>());
  graph.facts.emplace_back("states", std::to_string(graph.nodes.size()));
  graph.facts.emplace_back("covered", std::to_string(number("covered")));
  if (number("uncertain"))
    graph.facts.emplace_back("uncertain", std::to_string(number("uncertain")));
  graph.facts.emplace_back("steps", std::to_string(number("transitions")));
  if (findings.stats.contains("reachable"))
    graph.facts.emplace_back("reachable", findings.reachable ? (*findings.reachable ? "yes" : "no") : "unknown");
}

/// The code that the edges' data parts are compiled to; false after a message.
bool dumpLlvm(const ir::Model& model, const std::string& file, Io& io) {
  const eval::Layout layout(model);
  eval::EdgeCode code(layout, eval::Mode::Jit, true);
  if (!code.compileAll(std::vector{eval::Part::Guard, eval::Part::Update, eval::Part::Step})) {
    io.err << "tioc: nothing was compiled: " << code.error() << "\n";
    return false;
  }
  return writeFile(file, code.text(), io);
}

/// The engine that was asked for; else the zone graph where it will do, and the tree where it will not.
Findings explore(const Exploration& exploration) {
  const ExploreOptions& options = exploration.options;
  if (options.needsTree() || semantics::kindOf(exploration.model, ir::SystemId(0)) == ir::AutomatonKind::Ests)
    return exploreTree(exploration);
  Findings graph = exploreGraph(exploration);
  if (!graph.problem || options.as == "graph")
    return graph;
  Findings tree = exploreTree(exploration);
  if (!tree.problem)
    tree.stats["because"] = graph.problem->text;
  return tree;
}

/// Which limit ended it, and what to do about it.
std::string stopText(const std::string& stopped) {
  if (stopped.empty())
    return "";
  if (stopped == "interrupted")
    return "; interrupted";
  const std::string option = stopped == "states" ? "bound" : stopped == "time" ? "seconds" : stopped;
  return "; stopped by the limit of " + stopped + " (--" + option + ")";
}

/// The first two lines for people: what was explored, and the answer.
void showSummary(const Exploration& exploration, const Findings& findings, const ir::Rational& unit, Io& io) {
  io.out << findings.summary << stopText(findings.stopped) << "\n";
  if (!exploration.condition)
    return;
  const std::string& condition = exploration.options.reach;
  if (findings.run) {
    io.out << "reachable: " << condition << "\n" << showRun(exploration.model, *findings.run, unit);
  } else if (findings.reachable) {
    io.out << "not reachable: " << condition << "\n";
  } else {
    io.out << "not known whether it is reachable: " << condition << "\n";
    if (!findings.doubt.empty())
      io.out << "  " << findings.doubt << "\n";
  }
}

int report(const Exploration& exploration, Findings& findings, const ir::Rational& unit) {
  Io& io = exploration.io;
  const ExploreOptions& options = exploration.options;
  if (findings.run)
    if (const auto complaint = checkRun(exploration, *findings.run)) {
      io.err << "tioc: internal error: the run that was found does not follow the definitions: " << *complaint
             << "\nPlease report this with the model.\n";
      return kInternal;
    }
  if (exploration.condition) {
    findings.stats["reachable"] = nullptr;
    if (findings.reachable)
      findings.stats["reachable"] = *findings.reachable;
    if (findings.run)
      findings.stats["run"] = runJson(exploration.model, *findings.run, unit);
  }
  if (findings.graph) {
    addFacts(findings, *findings.graph);
    if (!writePictures(options, *findings.graph, io))
      return kUsage;
  }
  if (options.stats == "json") {
    io.out << findings.stats.dump(2) << "\n";
  } else {
    showSummary(exploration, findings, unit, io);
    nlohmann::ordered_json stats = findings.stats;
    stats.erase("run");
    if (options.stats == "text")
      showText(stats, io.out);
  }
  const bool unknown = exploration.condition && !findings.reachable;
  return !findings.stopped.empty() ? kLimit : unknown ? kInconclusive : kSuccess;
}

int showProblem(const semantics::Problem& problem, const Compilation& compilation, Io& io) {
  io.err << (problem.span.valid() ? compilation.describe(problem.span) : "tioc: ") << "error: " << problem.text << "\n";
  return kModelErrors;
}

/// Options that do not go together; true after a message.
bool contradicts(const ExploreOptions& options, const CLI::App& command, Io& io) {
  const auto refuse = [&](const std::string& text) {
    io.err << "tioc: " << text << "\n";
    return true;
  };
  if (options.as == "graph")
    for (const char* name : {"--time", "--loops", "--no-inclusion", "--count-only", "--quiescence"})
      if (command.count(name) > 0)
        return refuse(std::string(name) + " is about trees; leave out --as graph");
  if (options.needsTree())
    for (const char* name : {"--abstraction", "--eval"})
      if (command.count(name) > 0)
        return refuse(std::string(name) + " is about the zone graph, and a tree is asked for");
  if (options.needsTree() && options.order == "priority")
    return refuse("a tree is explored breadth first or depth first; --order priority is for the zone graph");
  if (options.countOnly && (options.wantsPicture() || !options.reach.empty()))
    return refuse("--count-only keeps no states to show or to search");
  return false;
}

int run(ExploreOptions options, const CLI::App& command, Io& io) {
  if (contradicts(options, command, io))
    return kUsage;
  if (options.wantsPicture() && command.count("--bound") == 0)
    options.limits.states = kStatesOfPicture;
  std::optional<Compilation> compilation = Compilation::create(options.compile, io);
  std::optional<std::string> text = compilation ? readInput(options.file, io) : std::nullopt;
  if (!text)
    return kUsage;
  const SourceText source{options.file, *text, options.compile.includeDirs};
  std::optional<ir::Model> model = compilation->compile(options.file, std::move(*text));
  if (int code = compilation->finish(io); code != kSuccess || !model)
    return code;
  const std::optional<ir::SystemId> system = findSystem(*model, options.system, io);
  if (!system)
    return kUsage;
  const bool queue = semantics::kindOf(*model, *system) == ir::AutomatonKind::Ests;
  if (queue && (!options.reach.empty() || options.as == "graph")) {
    io.err << "tioc: '" << (*model)[*system].name << "' is an ests, which has a tree but no zone graph; leave out "
           << (options.reach.empty() ? "--as graph" : "--reach") << "\n";
    return kUsage;
  }
  if (const auto other = otherKind(*model, *system); other && !queue) {
    io.err << compilation->describe((*model)[*system].span) << "error: '" << (*model)[*system].name << "' is " << *other
           << "; only systems of tiosts and of ests are explored so far\n";
    return kModelErrors;
  }
  std::optional<Question> question;
  if (!options.reach.empty()) {
    question = readCondition(options.reach, source, *model, *system, io);
    if (!question)
      return kUsage;
  }
  ir::Model subject = question ? std::move(question->model) : prepare(*model, *system);
  const ir::Rational unit = model->secondsPerUnit / subject.secondsPerUnit;
  if (!options.dumpLlvm.empty() && !dumpLlvm(subject, options.dumpLlvm, io))
    return kUsage;
  const Exploration exploration{options, subject,
                                question ? std::optional(std::move(question->condition)) : std::nullopt, io};
  Findings findings = explore(exploration);
  if (findings.problem)
    return showProblem(*findings.problem, *compilation, io);
  return report(exploration, findings, unit);
}

void addLimits(CLI::App& command, ExploreOptions& options) {
  command.add_option("--bound", options.limits.states, "Most states; 0: no limit (with a picture: 20000)");
  command.add_option("--depth", options.limits.depth, "Most steps in a row; 0: no limit")->capture_default_str();
  command.add_option("--seconds", options.limits.seconds, "Longest time; 0: no limit")->capture_default_str();
  command.add_option("--memory", options.megabytes, "Most memory in MB; 0: no limit")->capture_default_str();
  command.add_option("--loops", options.loops, "Tree: how often the same edges may step on one path");
}

void addWays(CLI::App& command, ExploreOptions& options) {
  command
      .add_option("--as", options.as,
                  "The zone graph (data concrete), or the symbolic execution tree; auto takes the "
                  "graph where the model allows it")
      ->check(CLI::IsMember({"auto", "graph", "tree"}))
      ->capture_default_str();
  command.add_option("--time", options.time, "Tree: how time is held; auto takes zones where they will do")
      ->check(CLI::IsMember({"auto", "zones", "symbolic"}))
      ->capture_default_str();
  command.add_option("--order", options.order, "Which state comes next")
      ->check(CLI::IsMember({"bfs", "dfs", "priority"}))
      ->capture_default_str();
  command.add_option("--abstraction", options.abstraction, "Graph: how zones are compared; none may never end")
      ->check(CLI::IsMember({"alu", "extra-lu", "none"}))
      ->capture_default_str();
  command.add_option("--eval", options.eval, "Graph: how guards and updates are evaluated")
      ->check(CLI::IsMember({"auto", "jit", "interp"}))
      ->capture_default_str();
  command.add_flag("--no-inclusion", options.noInclusion, "Tree: follow states that others include, too");
  command.add_flag("--quiescence", options.quiescence, "Tree: say where no output can follow");
  command.add_flag("--count-only", options.countOnly, "Tree: keep no states but those still to be followed");
}

void addSolver(CLI::App& command, ExploreOptions& options) {
  command.add_flag("--no-links", options.noLinks, "Ask Z3 everything, without the cheap answers before it");
  command.add_flag("--cross-check", options.solver.crossCheck,
                   "Ask Z3 alone a second time, and stop on a contradiction");
  command.add_option("--smt-log", options.solver.log, "Folder for one SMT-LIB file per question that reaches Z3")
      ->type_name("DIR");
  command
      .add_option("--solver-limit", options.solver.milliseconds,
                  "Longest time for one question to Z3, in ms; 0: no limit")
      ->capture_default_str();
}

} // namespace

void addExplore(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<ExploreOptions>();
  CLI::App* command = app.add_subcommand("explore", "Explore what a system can do");
  command->footer("Examples:\n"
                  "  tioc explore atm.tio                        how large is it, and does it close?\n"
                  "  tioc explore light.tio --html light.html    look at it in a browser\n"
                  "  tioc explore crossing.tio --reach 'Controller.Closed && Barriers.Up && Controller.c > 1'\n"
                  "                                              can that happen, and how?\n\n"
                  "Exit codes: 0 explored, or the condition is answered; 1 errors in the model; 2 wrong use;\n"
                  "11 the solver could not tell; 12 a limit was reached or Ctrl-C pressed.");
  command->add_option("FILE", options->file, "Model; - reads standard input")->required();
  options->compile.addTo(*command);
  command->add_option("--system", options->system, "The system to explore; needed where the file has several")
      ->type_name("NAME");
  command
      ->add_option("--reach", options->reach,
                   "Look for a state: Component.Location and conditions on variables and clocks, joined by &&")
      ->type_name("CONDITION");
  addWays(*command, *options);
  addLimits(*command, *options);
  addSolver(*command, *options);
  command->add_option("--html", options->html, "Write a page for a browser")->type_name("FILE");
  command->add_option("--dot", options->dot, "Write a Graphviz drawing")->type_name("FILE");
  command->add_option("--json", options->json, "Write the states and steps as JSON")->type_name("FILE");
  command->add_option("--dump-llvm", options->dumpLlvm, "Write what the edges are compiled to")->type_name("FILE");
  command->add_option("--stats", options->stats, "Print all statistics")->check(CLI::IsMember({"text", "json"}));
  command->callback([options, command, &io, &code] { code = run(*options, *command, io); });
}

} // namespace tioc::driver
