#include "driver/commands.hpp"
#include "driver/compile.hpp"
#include "driver/files.hpp"
#include "driver/machine.hpp"
#include "driver/mutants.hpp"
#include "driver/progress.hpp"
#include "driver/score.hpp"
#include "driver/subject.hpp"

#include "frontend/suite_reader.hpp"
#include "ir/print.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <ostream>

namespace tioc::driver {

namespace {

using Json = nlohmann::ordered_json;

struct MutateOptions {
  CompileOptions compile;
  std::string file;
  std::string system;
  std::vector<std::string> operators;
  bool list = false;
  std::string suite;
  std::string emit;
  std::string output;
  std::string format = "text";
  double minScore = 0;
  bool quiet = false;
  ScoreOptions score;

  MutateOptions() {
    score.refine.limits.states = 2000;
    score.refine.limits.seconds = 60;
  }
};

/// What a command works on: the mutants that were asked for, of a system.
struct Subject {
  Compilation compilation;
  ir::SystemId system;
  ir::Mutants mutants;
  std::vector<const ir::Mutant*> chosen;

  std::string place(const ir::Mutant& mutant) const {
    std::string place = compilation.describe(mutant.span);
    return place.empty() ? place : place.substr(0, place.size() - 2);
  }
};

std::optional<std::vector<ir::Mutation>> readOperators(const MutateOptions& options, Io& io) {
  std::vector<ir::Mutation> result;
  std::vector<std::string> names;
  for (ir::Mutation mutation : ir::allMutations())
    names.emplace_back(ir::word(mutation));
  for (const std::string& name : options.operators) {
    const size_t before = result.size();
    for (ir::Mutation mutation : ir::allMutations())
      if (name == ir::word(mutation) || std::string(ir::word(mutation)).starts_with(name + "-"))
        result.push_back(mutation);
    if (result.size() == before) {
      io.err << "tioc: there is no mutation '" << name << "'" << alternatives(name, names) << "\n";
      return std::nullopt;
    }
  }
  return options.operators.empty() ? ir::allMutations() : result;
}

std::unique_ptr<Subject> load(const MutateOptions& options, Io& io, int& code) {
  code = kUsage;
  const auto operators = readOperators(options, io);
  std::optional<Compilation> compilation = operators ? Compilation::create(options.compile, io) : std::nullopt;
  std::optional<std::string> text = compilation ? readInput(options.file, io) : std::nullopt;
  if (!text)
    return nullptr;
  const std::optional<ir::Model> model = compilation->compile(options.file, std::move(*text));
  if (const int errors = compilation->finish(io); errors != kSuccess || !model) {
    code = errors != kSuccess ? errors : static_cast<int>(kModelErrors);
    return nullptr;
  }
  const std::optional<ir::SystemId> system = findSystem(*model, options.system, io);
  if (!system)
    return nullptr;
  std::unique_ptr<Subject> subject(new Subject{std::move(*compilation), *system, mutantsOf(*model, *system), {}});
  for (const ir::Mutant& mutant : subject->mutants.list)
    if (std::find(operators->begin(), operators->end(), mutant.mutation) != operators->end())
      subject->chosen.push_back(&mutant);
  code = kSuccess;
  return subject;
}

Json describe(const Subject& subject, const ir::Mutant& mutant) {
  return {{"id", mutant.id},
          {"operator", ir::word(mutant.mutation)},
          {"change", mutant.what},
          {"place", subject.place(mutant)}};
}

int list(const MutateOptions& options, const Subject& subject, Io& io) {
  if (options.format == "json") {
    Json mutants = Json::array();
    for (const ir::Mutant* mutant : subject.chosen)
      mutants.push_back(describe(subject, *mutant));
    io.out << Json{{"system", subject.mutants.model[subject.system].name}, {"mutants", mutants}}.dump(2) << "\n";
    return kSuccess;
  }
  size_t width = 0;
  for (const ir::Mutant* mutant : subject.chosen)
    width = std::max(width, mutant->id.size());
  for (const ir::Mutant* mutant : subject.chosen)
    io.out << mutant->id << std::string(width - mutant->id.size() + 2, ' ') << mutant->what << "\n";
  if (!options.quiet)
    io.out << subject.chosen.size() << (subject.chosen.size() == 1 ? " mutant\n" : " mutants\n");
  return kSuccess;
}

int emit(const MutateOptions& options, const Subject& subject, Io& io) {
  const ir::Mutant* mutant = findMutant(subject.mutants, options.emit, io);
  if (!mutant)
    return kUsage;
  const std::string text = "// " + mutant->id + ": " + mutant->what + "\n" + ir::print(subject.mutants.make(*mutant));
  if (!options.output.empty())
    return writeFile(options.output, text, io) ? kSuccess : kUsage;
  io.out << text;
  return kSuccess;
}

// ---- scores

struct Totals {
  size_t count[4] = {};
  size_t undecided = 0; ///< alive, and nobody knows whether a test could kill it
  uint64_t runs = 0;

  size_t of(Fate::Kind kind) const { return count[static_cast<size_t>(kind)]; }
  size_t living() const { return of(Fate::Kind::Killed) + of(Fate::Kind::Alive); }
  double percent() const {
    return living() == 0 ? 100 : 100.0 * static_cast<double>(of(Fate::Kind::Killed)) / static_cast<double>(living());
  }
};

Totals totalsOf(const std::vector<Fate>& fates) {
  Totals totals;
  for (const Fate& fate : fates) {
    ++totals.count[static_cast<size_t>(fate.kind)];
    totals.undecided += fate.kind == Fate::Kind::Alive && fate.check.trace.empty();
    totals.runs += fate.runs.runs;
  }
  return totals;
}

std::string percentText(const Totals& totals) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", totals.percent());
  return text;
}

/// One line about why, for people.
std::string explain(const Fate& fate, const ir::TestSuite& suite) {
  switch (fate.kind) {
  case Fate::Kind::Killed:
    return "by " + suite.cases[fate.runs.kill->test].name + ": " + fate.runs.kill->reason;
  case Fate::Kind::Equivalent:
    return "conforms in all runs of up to " + std::to_string(fate.check.depth) + " steps";
  case Fate::Kind::Alive: {
    std::string text = fate.check.trace.empty()
                           ? "not decided whether it conforms: " + fate.check.why + "; it does up to " +
                                 std::to_string(fate.check.depth) + " steps"
                           : "differs by " + fate.check.shown + "; allowed then: " + fate.check.allowed;
    if (fate.runs.timedOut)
      text += "; not all tests were run in the time given";
    else if (fate.runs.broken)
      text += "; " + std::to_string(fate.runs.broken) + " of " + std::to_string(fate.runs.runs) +
              " runs could not go on: " + fate.runs.trouble;
    return text;
  }
  case Fate::Kind::Skipped:
    break;
  }
  return "interrupted";
}

Json describe(const Fate& fate, const ir::TestSuite& suite) {
  Json json{{"fate", word(fate.kind)}, {"runs", fate.runs.runs}};
  if (fate.runs.kill) {
    json["test"] = suite.cases[fate.runs.kill->test].name;
    json["reason"] = fate.runs.kill->reason;
    json["log"] = execute::showLog(suite.model, fate.runs.kill->log);
  }
  if (fate.kind == Fate::Kind::Equivalent || fate.kind == Fate::Kind::Alive) {
    json["depth"] = fate.check.depth;
    json["states"] = fate.check.states;
  }
  if (fate.kind == Fate::Kind::Alive) {
    if (!fate.check.trace.empty()) {
      json["trace"] = fate.check.shown;
      json["allowed"] = fate.check.allowed;
    } else {
      json["undecided"] = fate.check.why;
    }
  }
  return json;
}

void report(const MutateOptions& options, const Subject& subject, const ir::TestSuite& suite,
            const std::vector<Fate>& fates, const Totals& totals, Io& io) {
  const ir::Model& model = subject.mutants.model;
  if (options.format == "json") {
    Json mutants = Json::array();
    for (size_t i = 0; i < fates.size(); ++i) {
      Json one = describe(subject, *subject.chosen[i]);
      one.update(describe(fates[i], suite));
      mutants.push_back(std::move(one));
    }
    io.out << Json{{"system", model[subject.system].name},
                   {"suite", suite.name},
                   {"tests", suite.cases.size()},
                   {"killed", totals.of(Fate::Kind::Killed)},
                   {"equivalent", totals.of(Fate::Kind::Equivalent)},
                   {"alive", totals.of(Fate::Kind::Alive)},
                   {"undecided", totals.undecided},
                   {"skipped", totals.of(Fate::Kind::Skipped)},
                   {"score", percentText(totals)},
                   {"mutants", mutants}}
                  .dump(2)
           << "\n";
    return;
  }
  for (size_t i = 0; i < fates.size(); ++i) {
    if (options.quiet && fates[i].kind != Fate::Kind::Alive)
      continue;
    const std::string kind = word(fates[i].kind);
    io.out << kind << std::string(12 - kind.size(), ' ') << subject.chosen[i]->id << ": " << subject.chosen[i]->what
           << "\n            " << explain(fates[i], suite) << "\n";
  }
  io.out << fates.size() << " mutants, " << suite.cases.size() << " tests: " << totals.of(Fate::Kind::Killed)
         << " killed, " << totals.of(Fate::Kind::Equivalent) << " equivalent up to " << options.score.refine.depth
         << " steps, " << totals.of(Fate::Kind::Alive) << " alive (" << totals.undecided << " undecided)";
  if (totals.of(Fate::Kind::Skipped))
    io.out << ", " << totals.of(Fate::Kind::Skipped) << " skipped";
  io.out << "; score " << percentText(totals) << "\n";
}

int scoreSuite(const MutateOptions& options, const Subject& subject, Io& io) {
  const std::optional<std::string> text = readInput(options.suite, io);
  if (!text)
    return kUsage;
  const frontend::SuiteReading reading = frontend::readSuite(*text);
  if (!reading.file) {
    io.err << "tioc: " << options.suite << ": " << reading.error << "\n";
    return kUsage;
  }
  const ir::TestSuite& suite = reading.file->suite;
  if (!makeMachine(subject.mutants.model, subject.system, io))
    return kUsage;
  const std::vector<Fate> fates = score(subject.mutants, subject.chosen, subject.system, suite, options.score, io);
  const Totals totals = totalsOf(fates);
  report(options, subject, suite, fates, totals, io);
  if (totals.of(Fate::Kind::Skipped))
    return kLimit;
  return totals.percent() < options.minScore ? kFail : kSuccess;
}

int mutate(const MutateOptions& options, Io& io) {
  int code = kSuccess;
  const std::unique_ptr<Subject> subject = load(options, io, code);
  if (!subject)
    return code;
  if (!options.suite.empty())
    return scoreSuite(options, *subject, io);
  return options.emit.empty() ? list(options, *subject, io) : emit(options, *subject, io);
}

} // namespace

void addMutate(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<MutateOptions>();
  CLI::App* command = app.add_subcommand("mutate", "Make faulty variants of a model and see which a suite finds");
  command->footer(
      "A mutant is the model with one small slip: a bound shifted, a reset forgotten, another target. A suite kills\n"
      "a mutant if a test fails it in virtual time. A mutant that no test kills is compared with the model: if it\n"
      "conforms as far as was looked, no sound test can fail it and it does not count; if not, the trace that tells\n"
      "both apart shows which test is missing. See docs/mutation.md.\n\n"
      "Examples:\n"
      "  tioc mutate atm.tio --list                            all mutants, one per line\n"
      "  tioc mutate atm.tio --score Regression.json           which of them the suite finds\n"
      "  tioc mutate atm.tio --score s.json --min-score 95 -q  for a build: fails below 95 %\n"
      "  tioc mutate atm.tio --emit reset-drop@Atm.Idle.Withdrawal#1 -o faulty.tio\n"
      "  tioc sim atm.tio --mutant reset-drop@Atm.Idle.Withdrawal#1   a faulty system to test\n\n"
      "Exit codes: 0 success, 1 errors in the model, 2 wrong use or unreadable file, 10 the score is below\n"
      "--min-score, 12 interrupted.");
  command->add_option("FILE", options->file, "The model")->required();
  command->add_option("--system", options->system, "The system, where the file has several")->type_name("NAME");
  command->add_flag("--list", options->list, "Show the mutants; this is what it does unless told otherwise");
  command->add_option("--score", options->suite, "Run this suite, as JSON, against every mutant")
      ->type_name("SUITE")
      ->excludes("--list");
  command->add_option("--emit", options->emit, "Write one mutant, by identity or number, as .tio")
      ->type_name("ID")
      ->excludes("--list")
      ->excludes("--score");
  command->add_option("-o,--output", options->output, "With --emit: the file; else it is printed")->type_name("FILE");
  command->add_option("--operators", options->operators, "Only these kinds: guard-shift, or guard for all of guard-…")
      ->type_name("NAME")
      ->delimiter(',');
  command->add_option("--format", options->format, "How lists and scores are shown")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command
      ->add_option("--runs", options->score.kill.randomRuns,
                   "Random runs of each test, beside one as early and one as late as the mutant can")
      ->capture_default_str();
  command->add_option("--seed", options->score.kill.seed, "What a mutant chooses by chance")->capture_default_str();
  command->add_option("--seconds", options->score.kill.seconds, "For the tests of one mutant; 0: no limit")
      ->capture_default_str();
  command->add_option("--depth", options->score.refine.depth, "Steps up to which a mutant is compared with the model")
      ->capture_default_str();
  command->add_option("--bound", options->score.refine.limits.states, "States after which that comparison gives up")
      ->capture_default_str();
  command->add_option("--check-seconds", options->score.refine.limits.seconds, "Time after which it gives up")
      ->capture_default_str();
  command->add_option("--jobs", options->score.jobs, "Mutants at a time; 0: one for each core")->capture_default_str();
  command->add_option("--min-score", options->minScore, "Exit with 10 if the score is below so many percent");
  command->add_flag("-q,--quiet", options->quiet, "Say only what is alive");
  options->compile.addTo(*command);
  command->callback([options, &io, &code] { code = mutate(*options, io); });
}

} // namespace tioc::driver
