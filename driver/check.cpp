#include "driver/commands.hpp"
#include "driver/compile.hpp"
#include "driver/deep.hpp"
#include "driver/files.hpp"
#include "driver/refine.hpp"
#include "driver/subject.hpp"

#include "backend/dot.hpp"
#include "frontend/diagnostics.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"

#include <algorithm>
#include <memory>
#include <ostream>

namespace tioc::driver {

namespace {

struct CheckOptions {
  CompileOptions compile;
  std::vector<std::string> files;
  bool printIr = false;
  bool printDot = false;
  bool quiet = false;
  bool scale = false;
  bool simplify = false;
  std::string system;
  std::string purpose;
  DeepOptions deep;
  RefinesOptions refines;
};

std::string plural(size_t n, const char* noun) {
  std::string word = noun;
  if (n != 1)
    word = word == "automaton" ? "automata" : word + "s";
  return std::to_string(n) + " " + word;
}

/// What the model declares; the states of purposes are not the system's.
std::string summary(const ir::Model& model) {
  size_t automata = 0;
  size_t states = 0;
  size_t edges = 0;
  for (const ir::Automaton& automaton : model.automata) {
    if (automaton.kind == ir::AutomatonKind::Purpose)
      continue;
    ++automata;
    states += automaton.locations.size();
    edges += automaton.edges.size();
  }
  auto systems = static_cast<size_t>(
      std::count_if(model.systems.begin(), model.systems.end(), [](const ir::System& s) { return !s.implicit; }));
  std::string text = plural(automata, "automaton") + ", " + plural(states, "state") + ", " + plural(edges, "edge");
  if (systems)
    text += ", " + plural(systems, "system");
  if (size_t purposes = model.automata.size() - automata)
    text += ", " + plural(purposes, "purpose");
  if (!model.suites.empty())
    text += ", " + plural(model.suites.size(), "suite");
  return text;
}

/// Applies the passes that were asked for; nothing after a message.
std::optional<ir::Model> transformed(ir::Model model, const CheckOptions& options, Io& io) {
  if (!options.purpose.empty()) {
    auto purpose = named(model.automata, options.purpose, "purpose", io,
                         [](const ir::Automaton& a) { return a.kind == ir::AutomatonKind::Purpose; });
    if (!purpose)
      return std::nullopt;
    const ir::System& subject = model[model.automata[*purpose].subject];
    if (subject.components.size() != 1 || !subject.components[0].arguments.empty()) {
      io.err << "tioc: '" << subject.name
             << "' is a network; the product with a purpose is shown for single automata only\n";
      return std::nullopt;
    }
    model = ir::product(model, subject.components[0].automaton, ir::AutomatonId(*purpose));
  } else if (!options.system.empty()) {
    auto system = named(model.systems, options.system, "system", io, [](const ir::System&) { return true; });
    if (!system)
      return std::nullopt;
    model = ir::instantiate(model, ir::SystemId(*system));
  }
  if (options.scale)
    model = ir::scaleTime(std::move(model));
  if (options.simplify)
    model = ir::simplify(std::move(model));
  return model;
}

int check(const CheckOptions& options, Io& io) {
  std::optional<Compilation> compilation = Compilation::create(options.compile, io);
  if (!compilation)
    return kUsage;
  bool unreadable = false;
  bool limited = false;
  int refined = kSuccess;
  std::string shown;
  for (const std::string& path : options.files) {
    std::optional<std::string> text = readInput(path, io);
    if (!text) {
      unreadable = true;
      continue;
    }
    std::optional<ir::Model> model = compilation->compile(path, std::move(*text));
    if (!model)
      continue;
    if (options.printIr || options.printDot) {
      std::optional<ir::Model> result = transformed(ir::Model(*model), options, io);
      if (!result)
        return kUsage;
      shown += options.printIr ? ir::print(*result) : backend::dot(*result);
    } else if (!options.quiet && options.compile.format == "text") {
      shown += path + ": ok: " + summary(*model) + "\n";
    }
    if (options.refines.isAsked()) {
      const RefinesReport report = checkRefines(*model, options.refines, io);
      shown += report.text;
      refined = std::max(refined, report.code);
    }
    if (options.deep.deep) {
      DeepOptions deep = options.deep;
      deep.system = options.system;
      const DeepReport report = checkDeep(*model, deep, *compilation, io);
      if (report.failed)
        return kUsage;
      limited |= report.limited;
      if (options.compile.format == "text")
        shown += report.text;
    }
  }
  int code = compilation->finish(io);
  if (code == kSuccess && limited)
    code = kLimit;
  if (code == kSuccess)
    code = refined;
  io.out << shown;
  return unreadable ? kUsage : code;
}

} // namespace

void addCheck(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Check models and report errors and warnings");
  command->footer(
      "Examples:\n"
      "  tioc check atm.tio                         errors and warnings, with the lines they are about\n"
      "  tioc check -Werror *.tio                   for a build: warnings fail too\n"
      "  tioc check --diagnostics=sarif atm.tio     for an editor or a code-scanning service\n"
      "  tioc check --print-ir --system Light light.tio   what the compiler understood, as a .tio file\n"
      "  tioc check --print-dot atm.tio | dot -Tsvg -o atm.svg   a picture\n"
      "  tioc check --deep --completeness atm.tio   what only exploration shows\n"
      "  tioc check --refines Impl3 Spec1 spec1.tio  whether one system conforms to another, up to a depth\n\n"
      "Exit codes: 0 no errors, 1 errors in a model, 2 wrong use or unreadable file, 10 it does not refine,\n12 a "
      "limit of --deep or --refines.");
  command->add_option("FILE", options->files, "Models to check; - reads standard input")->required();
  options->compile.addTo(*command);
  command->add_flag("--print-ir", options->printIr, "Print the checked model, names and constants resolved, as .tio");
  command->add_flag("--print-dot", options->printDot, "Print the automata as a Graphviz drawing")
      ->excludes("--print-ir");
  command->add_option("--system", options->system, "With --print-… and --deep: only this system")->type_name("NAME");
  command->add_option("--product", options->purpose, "With --print-…: the product of an automaton with this purpose")
      ->type_name("PURPOSE")
      ->excludes("--system");
  command->add_flag("--scale", options->scale, "With --print-…: time units so fine that all bounds are integers");
  command->add_flag("--simplify", options->simplify, "With --print-…: without what cannot matter");
  options->deep.addTo(*command);
  options->refines.addTo(*command);
  command->add_flag("-q,--quiet", options->quiet, "Say nothing about models without errors");
  command->callback([options, &io, &code] { code = check(*options, io); });
}

} // namespace tioc::driver
