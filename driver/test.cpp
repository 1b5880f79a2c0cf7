#include "driver/commands.hpp"
#include "driver/files.hpp"
#include "driver/signal_subject.hpp"
#include "driver/subject.hpp"
#include "driver/sut.hpp"

#include "backend/junit.hpp"
#include "ir/passes.hpp"
#include "runtime/conformance/make_tracker.hpp"
#include "runtime/conformance/tester.hpp"
#include "runtime/semantics/relation.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>

namespace tioc::driver {

namespace {

struct TestOptions {
  CompileOptions compile;
  PlayFlags play;
  std::string file;
  std::string system;
  std::string sut;
  uint64_t steps = 100;
  uint64_t runs = 1;
  std::string strategy = "random";
  bool virtualTime = false;
  std::string timeScale = "1";
  std::string tolerance;
  std::string patience = "10";
  std::string sample;
  unsigned answer = 10'000;
  std::string log;
  std::string junit;
  bool quiet = false;
  bool stats = false;
};

std::optional<ir::Rational> positive(const char* flag, const std::string& text, Io& io) {
  std::optional<ir::Rational> value = ir::Rational::parse(text);
  if (!value || value->sign() <= 0) {
    io.err << "tioc: " << flag << " takes a positive number, not '" << text << "'\n";
    value.reset();
  }
  return value;
}

/// How the tester works; nothing after a message.
std::optional<conformance::TesterOptions> readOptions(const TestOptions& options, const ir::Model& model, Io& io) {
  conformance::TesterOptions result;
  result.steps = options.steps;
  result.seed = options.play.seed;
  result.strategy = options.strategy == "coverage" ? conformance::Strategy::Coverage : conformance::Strategy::Random;
  result.session.patience = std::chrono::milliseconds(options.answer);
  const auto patience = positive("--patience", options.patience, io);
  if (!patience)
    return std::nullopt;
  result.patience = *patience;
  if (options.virtualTime) {
    if (!options.tolerance.empty())
      io.err << "tioc: virtual time is exact; --tolerance has no effect\n";
    return result;
  }
  const auto scale = positive("--time-scale", options.timeScale, io);
  if (!scale)
    return std::nullopt;
  if (options.tolerance.empty()) {
    io.err << "tioc: measured times need a tolerance; use --tolerance UNITS, or --virtual-time\n";
    return std::nullopt;
  }
  const auto tolerance = positive("--tolerance", options.tolerance, io);
  if (!tolerance)
    return std::nullopt;
  result.tolerance = *tolerance;
  result.session.unit = model.secondsPerUnit / *scale;
  return result;
}

std::string startLine(const ir::Model& model, const conformance::TesterOptions& how) {
  return execute::wire::write(model, execute::wire::Start{how.session.unit}) + "\n";
}

/// Edges of the system's own automata, and how many of them may have been taken.
std::string coverage(const conformance::Tracker& tracker) {
  const ir::Model& model = tracker.model();
  size_t all = 0, taken = 0;
  for (const ir::Automaton& automaton : model.automata)
    if (automaton.kind != ir::AutomatonKind::Purpose)
      for (ir::EdgeId id : automaton.edges) {
        if (ir::isImplicit(model[id]))
          continue;
        ++all;
        taken += tracker.taken()[id.value] ? 1 : 0;
      }
  return std::to_string(taken) + " of " + std::to_string(all) + " edges";
}

struct Told {
  size_t counts[3] = {};
  std::vector<uint32_t> nanoseconds;
  std::vector<backend::JUnitCase> cases;
};

void tell(const TestOptions& options, const conformance::Tracker& tracker, const conformance::TesterRun& run,
          const std::string& name, const Compilation& compilation, double seconds, Told& told, Io& io) {
  const ir::Verdict summary = conformance::summary(run.judgement.verdict);
  ++told.counts[static_cast<size_t>(summary)];
  std::string log;
  for (const conformance::Event& event : run.events)
    log += event.time.toString() + " " + conformance::showEvent(tracker.model(), event) + "\n";
  if (!options.quiet || summary != ir::Verdict::Pass) {
    io.out << conformance::word(run.judgement.verdict) << "  " << name << ": " << run.judgement.reason << " ("
           << run.events.size() << " events, until " << run.judgement.time.toString() << ")\n";
    if (run.judgement.explanation)
      for (const std::string& line : conformance::showExplanation(
               tracker, *run.judgement.explanation, [&](ir::Span span) { return compilation.describe(span); }))
        io.out << "        " << line << "\n";
    io.out.flush();
  }
  told.cases.push_back({name, "on the fly", summary, run.judgement.reason, log, seconds});
}

int runTests(const TestOptions& options, const conformance::TesterOptions& how, conformance::Tracker& tracker,
             execute::Adapter& adapter, const Compilation& compilation, const std::string& system, Io& io) {
  Told told;
  std::ofstream log;
  if (!options.log.empty()) {
    log.open(options.log, std::ios::binary);
    if (!log) {
      io.err << "tioc: cannot write '" << options.log << "': " << std::strerror(errno) << "\n";
      return kUsage;
    }
  }
  for (uint64_t i = 0; i < options.runs; ++i) {
    conformance::TesterOptions one = how;
    one.seed += i;
    const std::string name = "seed " + std::to_string(one.seed);
    const auto begin = execute::Clock::now();
    log << startLine(tracker.model(), how);
    const conformance::TesterRun run =
        conformance::testOnTheFly(tracker, adapter, one, [&](const conformance::Event& event) {
          if (log.is_open())
            log << conformance::logLine(tracker.model(), event) << std::endl; // what is seen stays, whatever happens
        });
    const double seconds = std::chrono::duration<double>(execute::Clock::now() - begin).count();
    tell(options, tracker, run, name, compilation, seconds, told, io);
    told.nanoseconds.insert(told.nanoseconds.end(), run.nanoseconds.begin(), run.nanoseconds.end());
  }
  io.out << options.runs << (options.runs == 1 ? " run: " : " runs: ") << told.counts[0] << " pass, " << told.counts[1]
         << " fail, " << told.counts[2] << " inconclusive; " << coverage(tracker) << "\n";
  if (options.stats && !told.nanoseconds.empty()) {
    std::sort(told.nanoseconds.begin(), told.nanoseconds.end());
    const auto at = [&](size_t percent) {
      return told.nanoseconds[(told.nanoseconds.size() - 1) * percent / 100] / 1000;
    };
    io.out << "own work per step: median " << at(50) << " us, 99th percentile " << at(99) << " us, longest " << at(100)
           << " us\n";
  }
  if (!options.log.empty() && !log) {
    io.err << "tioc: cannot write '" << options.log << "'\n";
    return kUsage;
  }
  if (!options.junit.empty() && !writeFile(options.junit, backend::junit(system, told.cases), io))
    return kUsage;
  return told.counts[1] ? kFail : told.counts[2] ? kInconclusive : kSuccess;
}

/// A controller is followed by its signals, perhaps only by looking at them now and then.
bool prepareSignals(const TestOptions& options, ir::Model& subject, conformance::TesterOptions& how, Io& io) {
  if (semantics::kindOf(subject, ir::SystemId(0)) != ir::AutomatonKind::Vdta) {
    if (!options.sample.empty())
      io.err << "tioc: samples are for a vdta\n";
    return options.sample.empty();
  }
  const auto period = options.sample.empty() ? ir::Rational() : positive("--sample", options.sample, io);
  std::optional<SignalSubject> signals = period ? signalSubject(subject, "", false, options.sample, io) : std::nullopt;
  if (!signals)
    return false;
  if (signals->sampling && signals->outputs.valid())
    how.looks = {*period, signals->outputs, signals->start.outputs};
  subject = std::move(signals->model);
  return true;
}

int test(const TestOptions& options, Io& io) {
  std::optional<Compilation> compilation = Compilation::create(options.compile, io);
  std::optional<std::string> text = compilation ? readInput(options.file, io) : std::nullopt;
  if (!text)
    return kUsage;
  const std::optional<ir::Model> model = compilation->compile(options.file, std::move(*text));
  if (const int code = compilation->finish(io); code != kSuccess || !model)
    return code;
  const std::optional<ir::SystemId> system = findSystem(*model, options.system, io);
  auto how = system ? readOptions(options, *model, io) : std::nullopt;
  if (!how)
    return kUsage;
  ir::Model subject = ir::instantiate(*model, *system);
  if (!prepareSignals(options, subject, *how, io))
    return kUsage;
  conformance::TrackOptions track;
  track.tolerance = how->tolerance;
  conformance::MadeTracker made = conformance::makeTracker(subject, track);
  if (const auto* problem = std::get_if<semantics::Problem>(&made)) {
    io.err << compilation->describe(problem->span) << "error: " << problem->text << "\n";
    return kModelErrors;
  }
  int code = kSuccess;
  const std::unique_ptr<execute::Adapter> adapter = makeAdapter(options.sut, options.play, options.compile, io, code);
  if (!adapter)
    return code;
  return runTests(options, *how, *std::get<std::unique_ptr<conformance::Tracker>>(made), *adapter, *compilation,
                  (*model)[*system].name, io);
}

} // namespace

void addTest(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<TestOptions>();
  CLI::App* command = app.add_subcommand("test", "Test a system on the fly, without a suite");
  command->footer(
      "The tester chooses inputs and times while it runs, among those that the model accepts then, and follows every\n"
      "state that the model can be in; what the model does not allow fails. The system speaks tio/1\n"
      "(docs/protocol.md). The same seed gives the same choices; --log keeps what happened, and 'tioc verdict' judges\n"
      "the log as the tester did.\n\n"
      "Examples:\n"
      "  tioc test atm.tio --sut 'exec:./machine --test' --tolerance 0.05 --steps 500 --seed 3 --log run.jsonl\n"
      "  tioc test session.tio --sut 'model:session.tio#Sender' --virtual-time --strategy coverage --runs 20\n"
      "  tioc verdict atm.tio --tolerance 0.05 run.jsonl\n"
      "  tioc test heater.tio --sut 'exec:./burner' --tolerance 0.05 --sample 0.2\n\n"
      "Exit codes: 0 every run passes, 1 errors in a model, 2 wrong use or unreadable file, 10 a run fails,\n"
      "11 none fails and one is inconclusive.");
  command->add_option("FILE", options->file, "The model")->required();
  command->add_option("--sut", options->sut, "The system: exec:COMMAND, tcp:HOST:PORT or model:FILE#System")
      ->type_name("SYSTEM")
      ->required();
  command->add_option("--system", options->system, "The specification, where the file has several")->type_name("NAME");
  command->add_option("--steps", options->steps, "Events after which a run ends")->capture_default_str();
  command->add_option("--runs", options->runs, "So many runs, each with a fresh system and the next seed")
      ->capture_default_str();
  command->add_option("--strategy", options->strategy, "Which inputs are chosen: any, or those near to untaken edges")
      ->check(CLI::IsMember({"random", "coverage"}))
      ->capture_default_str();
  command->add_flag("--virtual-time", options->virtualTime, "Let the system's own clock pass, as fast as it can");
  command->add_option("--time-scale", options->timeScale, "Run so many times faster than the model's timescale")
      ->type_name("F")
      ->capture_default_str();
  command->add_option("--tolerance", options->tolerance, "Of measured times, in time units")->type_name("UNITS");
  command->add_option("--patience", options->patience, "How long to listen where the model allows silence for ever")
      ->type_name("UNITS")
      ->capture_default_str();
  command->add_option("--sample", options->sample, "Look at the outputs of a vdta every so many time units only")
      ->type_name("H");
  command->add_option("--answer-within", options->answer, "How long an answer that the protocol promises may take")
      ->type_name("MS")
      ->capture_default_str();
  command->add_option("--log", options->log, "Write what happened, as lines of tio/1")->type_name("FILE");
  command->add_option("--junit", options->junit, "Also write a JUnit report")->type_name("FILE");
  command->add_flag("-q,--quiet", options->quiet, "Say nothing about runs that pass");
  command->add_flag("--stats", options->stats, "Also say how much processor time the tester's own work takes per step");
  options->play.addTo(*command);
  options->compile.addTo(*command);
  command->callback([options, &io, &code] { code = test(*options, io); });
}

} // namespace tioc::driver
