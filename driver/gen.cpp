#include "driver/build_files.hpp"
#include "driver/commands.hpp"
#include "driver/compile.hpp"
#include "driver/files.hpp"
#include "driver/gen_digital.hpp"
#include "driver/subject.hpp"

#include "backend/cpp_tests.hpp"
#include "backend/suite_html.hpp"
#include "backend/suite_json.hpp"
#include "backend/ttcn3.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "runtime/testgen/offline.hpp"
#include "runtime/testgen/signal_tests.hpp"
#include "stdlib/stdlib.hpp"

#include <memory>
#include <ostream>

namespace tioc::driver {

namespace {

struct GenOptions {
  CompileOptions compile;
  std::string file;
  std::string suite;
  std::string system;
  std::vector<std::string> purposes;
  std::vector<std::string> cover;
  std::vector<std::string> timing;
  std::vector<std::string> data;
  uint32_t random = 0;
  uint32_t length = 20;
  uint64_t seed = 1;
  std::string patience;
  std::string tolerance = "0";
  std::vector<std::string> emit = {"json"};
  bool all = false;
  size_t casesPerFile = 200;
  std::string html;
  BuildFlags build;
  bool print = false;
  bool quiet = false;
  explore::Limits limits;
  DigitalFlags digital;
  bool offline = false;
};

/// One suite to generate: of which system, and how.
struct Job {
  ir::SystemId system;
  testgen::GenerateOptions options;
  std::vector<std::string> purposes; ///< names, since instantiation renumbers
  uint32_t digital = 0;              ///< not 0: digital-clock tests of this depth instead
};

template <class Enum>
std::optional<std::vector<Enum>> readWords(const std::vector<std::string>& words, std::initializer_list<Enum> all,
                                           const char* what, Io& io) {
  std::vector<Enum> result;
  std::vector<std::string> names;
  for (Enum value : all)
    names.emplace_back(ir::word(value));
  for (const std::string& word : words) {
    const auto it = std::find(names.begin(), names.end(), word);
    if (it == names.end()) {
      io.err << "tioc: there is no " << what << " '" << word << "'" << alternatives(word, names) << "\n";
      return std::nullopt;
    }
    result.push_back(*(all.begin() + (it - names.begin())));
  }
  return result;
}

std::optional<std::vector<Job>> jobsOfFile(const ir::Model& model, const GenOptions& options, Io& io) {
  std::vector<Job> jobs;
  if (!options.suite.empty() && !named(model.suites, options.suite, "suite", io, [](const ir::Suite&) { return true; }))
    return std::nullopt;
  for (const ir::Suite& suite : model.suites) {
    if (!options.suite.empty() && suite.name != options.suite)
      continue;
    Job job{suite.subject, {}, {}};
    job.options.name = suite.name;
    job.options.goals = suite.goals;
    if (!suite.timings.empty())
      job.options.timings = suite.timings;
    if (!suite.data.empty())
      job.options.data = suite.data;
    job.options.random = suite.random.value_or(0);
    job.options.length = suite.length.value_or(options.length);
    job.options.seed = suite.seed.value_or(options.seed);
    job.options.tolerance = suite.tolerance.value_or(0);
    if (suite.digital) {
      const bool only = suite.purposes.empty() && suite.goals.empty() && !suite.random;
      jobs.push_back(job);
      jobs.back().digital = *suite.digital;
      jobs.back().options.name += only ? "" : "_digital";
      jobs.back().options.goals.clear();
      jobs.back().options.random = 0;
      if (only)
        continue;
    }
    for (ir::AutomatonId id : suite.purposes)
      job.purposes.push_back(model[id].name);
    jobs.push_back(std::move(job));
  }
  if (jobs.empty())
    io.err << "tioc: the file declares no suite; say what to generate with --purpose, --cover or --random\n";
  return jobs.empty() ? std::nullopt : std::optional(std::move(jobs));
}

std::optional<std::vector<Job>> jobsOfFlags(const ir::Model& model, const GenOptions& options, Io& io) {
  using enum ir::Timing;
  const auto goals = readWords<ir::Goal>(options.cover,
                                         {ir::Goal::States, ir::Goal::Edges, ir::Goal::EdgePairs, ir::Goal::DefUse,
                                          ir::Goal::Boundary, ir::Goal::Conditions, ir::Goal::Purposes},
                                         "coverage goal", io);
  const auto timings = readWords<ir::Timing>(
      options.timing, {Earliest, Latest, Middle, ir::Timing::Boundary, ir::Timing::Random}, "timing", io);
  const auto data = readWords<ir::DataChoice>(
      options.data, {ir::DataChoice::Any, ir::DataChoice::Boundary, ir::DataChoice::Random}, "choice of data", io);
  if (!goals || !timings || !data)
    return std::nullopt;
  std::optional<ir::SystemId> system;
  for (const std::string& name : options.purposes) {
    auto purpose = named(model.automata, name, "purpose", io,
                         [](const ir::Automaton& a) { return a.kind == ir::AutomatonKind::Purpose; });
    if (!purpose)
      return std::nullopt;
    const ir::SystemId subject = model.automata[*purpose].subject;
    if (system && *system != subject) {
      io.err << "tioc: the purposes are for different systems\n";
      return std::nullopt;
    }
    system = subject;
  }
  if (!system || !options.system.empty())
    system = findSystem(model, options.system, io);
  if (!system)
    return std::nullopt;
  Job job{*system, {}, options.purposes};
  job.options.name = model[*system].name + "Tests";
  job.options.goals = *goals;
  if (!timings->empty())
    job.options.timings = *timings;
  if (!data->empty())
    job.options.data = *data;
  job.options.random = options.random;
  job.options.length = options.length;
  job.options.seed = options.seed;
  job.digital = options.digital.wanted ? options.digital.depthOf(options.limits) : 0;
  return std::vector<Job>{std::move(job)};
}

/// What a form builds on, beside the suite. The test port is the user's to change.
std::vector<backend::EmittedFile> supportOf(const std::string& form) {
  std::vector<backend::EmittedFile> files;
  const auto add = [&](const std::string& name, bool once) {
    files.push_back({name, stdlib::source(form + "/" + name).value_or(""), once});
  };
  if (form == "cpp")
    add("tioc_test.hpp", false);
  if (form == "ttcn3") {
    add("TioBase.ttcn", false);
    add("TioPort.hh", true);
    add("TioPort.cc", true);
  }
  return files;
}

backend::PlaceName placesOf(const Compilation& compilation) {
  return [&](ir::Span span) {
    std::string text = compilation.describe(span);
    return text.empty() ? text : text.substr(0, text.size() - 2);
  };
}

/// Code goes into a folder of its own for each form, JSON stands beside them.
std::vector<backend::EmittedFile> emit(const ir::TestSuite& suite, const std::string& form, const GenOptions& options,
                                       const Compilation& compilation) {
  if (form == "json")
    return {{suite.name + ".json", backend::suiteJson(suite, placesOf(compilation)), false}};
  std::vector<backend::EmittedFile> files = form == "cpp" ? backend::emitCpp(suite, {options.casesPerFile})
                                                          : backend::emitTtcn3(suite, {options.casesPerFile});
  for (backend::EmittedFile& file : supportOf(form))
    files.push_back(std::move(file));
  for (backend::EmittedFile& file : files)
    file.path = form + "/" + file.path;
  return files;
}

/// Writes the suite in every form, or lists the files of it; false after a message.
bool writeForms(const ir::TestSuite& suite, const GenOptions& options, const Compilation& compilation,
                BuildFiles& files, Io& io) {
  for (const std::string& form : options.emit)
    if (!files.write(emit(suite, form, options, compilation), io))
      return false;
  return options.html.empty() || options.build.list ||
         writeFile(options.html, backend::suiteHtml(suite, placesOf(compilation), {}), io);
}

/// The files that a job writes are known before its tests are, if their number does not hang on that of the tests.
bool hasKnownFiles(const GenOptions& options) {
  return options.casesPerFile == 0 || options.emit == std::vector<std::string>{"json"};
}

bool readNumber(const std::string& text, const char* option, ir::Rational& to, Io& io) {
  const std::optional<ir::Rational> value = ir::Rational::parse(text);
  if (!value || value->sign() < 0) {
    io.err << "tioc: " << option << " takes a number of time units that is not negative, such as 2.5\n";
    return false;
  }
  to = *value;
  return true;
}

/// 0, or the exit code after a message.
int runJob(const Job& job, const ir::Model& model, const GenOptions& options, Compilation& compilation,
           BuildFiles& files, Io& io) {
  if (options.build.list && hasKnownFiles(options)) {
    ir::TestSuite named;
    named.name = job.options.name;
    return writeForms(named, options, compilation, files, io) ? kSuccess : kUsage;
  }
  ir::Model subject = ir::instantiate(model, job.system);
  testgen::GenerateOptions how = job.options;
  how.limits = options.limits;
  how.all = options.all;
  for (const std::string& name : job.purposes)
    for (size_t i = 0; i < subject.automata.size(); ++i)
      if (subject.automata[i].kind == ir::AutomatonKind::Purpose && subject.automata[i].name == name)
        how.purposes.emplace_back(i);
  if (!options.patience.empty()) {
    how.patience = ir::Rational();
    if (!readNumber(options.patience, "--patience", *how.patience, io))
      return kUsage;
  }
  if (how.tolerance.isZero() && !readNumber(options.tolerance, "--tolerance", how.tolerance, io))
    return kUsage;
  const ir::AutomatonKind kind = subject[subject.systems[0].components[0].automaton].kind;
  if (kind != ir::AutomatonKind::Tiosts && (job.digital || options.offline)) {
    io.err << "tioc: " << (job.digital ? "digital-clock tests" : "input sequences")
           << " are generated from tiosts, and '" << model[job.system].name << "' is of kind " << ir::word(kind)
           << "\n";
    return kModelErrors;
  }
  int code = kSuccess;
  testgen::Generated made =
      job.digital       ? digitalSuite(model, job.system, job.digital, options.digital, how, compilation, io, code)
      : options.offline ? testgen::generateOffline(ir::resolvePriorities(std::move(subject)), how)
      : kind == ir::AutomatonKind::Vdta ? testgen::generateSignalTests(subject, how)
                                        : testgen::generate(ir::resolvePriorities(std::move(subject)), how);
  if (code != kSuccess)
    return code;
  if (made.problem) {
    io.err << compilation.describe(made.problem->span) << "error: " << made.problem->text << "\n";
    return kModelErrors;
  }
  if (const std::vector<std::string> wrong = ir::verify(made.suite); !wrong.empty()) {
    io.err << "tioc: internal error: a generated test is not well formed: " << wrong[0] << "\n";
    return kModelErrors;
  }
  if (options.print)
    io.out << ir::print(made.suite);
  if (!options.print && !writeForms(made.suite, options, compilation, files, io))
    return kUsage;
  if (options.quiet || options.build.list)
    return kSuccess;
  std::ostream& out = io.err;
  out << made.suite.name << ": " << made.suite.cases.size() << (made.suite.cases.size() == 1 ? " test" : " tests")
      << " for " << made.suite.system << "\n";
  for (const auto& [what, why] : made.suite.uncovered)
    out << compilation.describe(what.span) << "not covered: " << what.what << ": " << why << "\n";
  for (const std::string& note : made.notes)
    out << "note: " << note << "\n";
  return kSuccess;
}

int gen(const GenOptions& options, Io& io) {
  std::optional<Compilation> compilation = Compilation::create(options.compile, io);
  if (!compilation)
    return kUsage;
  std::optional<std::string> text = readInput(options.file, io);
  if (!text)
    return kUsage;
  std::optional<ir::Model> model = compilation->compile(options.file, std::move(*text));
  if (int code = compilation->finish(io); code != kSuccess || !model)
    return code;
  const bool byFlags =
      !options.purposes.empty() || !options.cover.empty() || options.random > 0 || options.digital.wanted;
  const auto jobs = byFlags ? jobsOfFlags(*model, options, io) : jobsOfFile(*model, options, io);
  if (!jobs)
    return kUsage;
  if (!options.html.empty() && jobs->size() > 1) {
    io.err << "tioc: --html shows one suite; choose it with --suite\n";
    return kUsage;
  }
  BuildFiles files(options.build);
  for (const Job& job : *jobs)
    if (int code = runJob(job, *model, options, *compilation, files, io); code != kSuccess)
      return code;
  std::vector<std::string> sources;
  for (uint32_t i = 0; i < compilation->sources().size(); ++i)
    sources.push_back(compilation->sources()[i].path);
  return options.print || files.finish(sources, io) ? kSuccess : kUsage;
}

} // namespace

void addGen(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<GenOptions>();
  options->limits.states = 20000;
  options->limits.seconds = 60;
  CLI::App* command = app.add_subcommand("gen", "Generate test suites");
  command->footer("Examples:\n"
                  "  tioc gen atm.tio                              every suite that the file declares, as JSON\n"
                  "  tioc atm.tio                                  the same\n"
                  "  tioc atm.tio --emit cpp -o out -MD            in a build: out/atm.d names every import\n"
                  "  tioc gen atm.tio --emit ttcn3,cpp,json -o out  in all forms, into the folder out\n"
                  "  tioc gen atm.tio --purpose Success --print    a test, for reading\n"
                  "  tioc gen atm.tio --cover edges                tests that take every edge\n"
                  "  tioc gen atm.tio --random 50 --length 30 --seed 7\n"
                  "  tioc gen light.tio --digital-clock --depth 6\n\n"
                  "Exit codes: 0 success, 1 errors in the model, 2 wrong use or unreadable file.");
  command->add_option("FILE", options->file, "Model; - reads standard input")->required();
  options->compile.addTo(*command);
  command->add_option("--suite", options->suite, "Only this suite of the file")->type_name("NAME");
  command->add_option("--system", options->system, "The system to test, with --cover and --random")->type_name("NAME");
  command->add_option("--purpose", options->purposes, "Tests for these purposes")->delimiter(',')->type_name("NAME");
  command->add_flag("--all", options->all,
                    "For purposes: a test for every path to accept within the limits, not one for each way there");
  command
      ->add_option("--cover", options->cover,
                   "Tests that cover states, edges, edge_pairs, def_use, boundary, conditions, purposes")
      ->delimiter(',')
      ->type_name("GOAL");
  command->add_option("--random", options->random, "This many random walks")->type_name("N");
  command->add_option("--length", options->length, "Steps of a random walk")->capture_default_str();
  command->add_option("--seed", options->seed, "The same seed gives the same tests")->capture_default_str();
  command->add_option("--timing", options->timing, "When inputs come: earliest, latest, middle, random")
      ->delimiter(',');
  command->add_option("--data", options->data, "Values of inputs: any, boundary, random")->delimiter(',');
  command->add_option("--patience", options->patience,
                      "How long to wait for an output that need not come, in time units; by default twice the largest "
                      "clock bound");
  command->add_option("--tolerance", options->tolerance, "Of measured times in real time, in time units")
      ->capture_default_str();
  command->add_option("--emit", options->emit, "Forms to write")
      ->delimiter(',')
      ->check(CLI::IsMember({"json", "ttcn3", "cpp"}));
  command->add_option("--cases-per-file", options->casesPerFile, "Most tests in a file of code; 0: all in one")
      ->capture_default_str();
  options->build.addTo(*command);
  command->add_option("--html", options->html, "Also write a page that shows what the tests cover, and each test")
      ->type_name("F");
  command->add_flag("--print", options->print, "Print the tests for reading instead of writing files");
  command->add_flag("-q,--quiet", options->quiet, "Say nothing about what was generated");
  command->add_option("--bound", options->limits.states, "Most symbolic states of a search")->capture_default_str();
  command->add_option("--depth", options->limits.depth, "Most steps of a test; 0: no limit")->capture_default_str();
  command->add_option("--seconds", options->limits.seconds, "Longest time of a search; 0: no limit")
      ->capture_default_str();
  command->add_flag("--offline", options->offline,
                    "Input sequences instead of tests: inputs at fixed times; what comes back is recorded by run --log "
                    "and judged by verdict");
  options->digital.addTo(*command);
  command->callback([options, &io, &code] { code = gen(*options, io); });
}

} // namespace tioc::driver
