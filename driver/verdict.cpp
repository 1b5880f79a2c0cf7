#include "driver/commands.hpp"
#include "driver/files.hpp"
#include "driver/progress.hpp"
#include "driver/signal_subject.hpp"
#include "driver/subject.hpp"

#include "backend/junit.hpp"
#include "frontend/suite_reader.hpp"
#include "ir/passes.hpp"
#include "runtime/conformance/make_tracker.hpp"
#include "runtime/conformance/replay.hpp"
#include "runtime/conformance/verdict.hpp"
#include "runtime/execute/executor.hpp"
#include "runtime/semantics/relation.hpp"

#include <nlohmann/json.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ostream>

namespace tioc::driver {

namespace {

using conformance::Event;
using conformance::Judgement;
using conformance::TraceReader;
using nlohmann::ordered_json;

struct VerdictOptions {
  CompileOptions compile;
  std::string file;
  std::string system;
  std::string purpose;
  std::string test;
  std::vector<std::string> traces;
  std::string format = "text";
  std::string junit;
  bool quiet = false;
  std::string tolerance = "0";
  bool csv = false;
  std::string sample;
  conformance::SignalLogOptions table;
  size_t states = conformance::TrackLimits{}.states;
};

/// Tables are told by their name, or by a flag.
bool isTable(const VerdictOptions& options) {
  return options.csv || std::any_of(options.traces.begin(), options.traces.end(), [](const std::string& path) {
           return path.ends_with(".csv") || path.ends_with(".tsv");
         });
}

/// How often each verdict came, and the exit code that follows from it.
struct Tally {
  std::map<std::string, size_t> counts;
  bool fail = false, bad = false, inconclusive = false, limit = false;

  int code() const { return fail ? kFail : bad ? kUsage : inconclusive ? kInconclusive : limit ? kLimit : kSuccess; }
};

/// Judges one run after the other and tells what came out.
class Batch {
public:
  Batch(const VerdictOptions& options, Io& io) : options_(options), io_(io), progress_(io) {}

  /// One run; false: the user wants to stop. `got` is how reading ended.
  using JudgeRun = std::function<Judgement(TraceReader& reader, TraceReader::Got& got)>;
  bool judgeFile(const std::string& path, const ir::Model& model, const JudgeRun& judge,
                 const std::function<std::vector<std::string>(const Judgement&)>& explain);
  /// The same for a table of signals.
  using JudgeEvents = std::function<Judgement(const std::vector<conformance::SignalEvent>& events, size_t& line)>;
  bool judgeTable(const std::string& path, const SignalSubject& subject, const JudgeEvents& judge,
                  const std::function<std::vector<std::string>(const Judgement&)>& explain);
  int finish(const std::string& name);
  /// To be called with every event; true: stop now.
  bool tick(uint64_t events);

private:
  void tell(const std::string& name, const Judgement& judgement, uint64_t line, double seconds,
            const std::vector<std::string>& lines);
  void tellBad(const std::string& name, uint64_t line, const std::string& error);

  const VerdictOptions& options_;
  Io& io_;
  Interruption interruption_;
  EventProgress progress_;
  Tally tally_;
  std::vector<backend::JUnitCase> cases_;
};

bool Batch::tick(uint64_t events) {
  constexpr uint64_t kEvery = 1024;
  if (events % kEvery != 0)
    return false;
  progress_.show(events, "events");
  return Interruption::requested();
}

void Batch::tellBad(const std::string& name, uint64_t line, const std::string& error) {
  tally_.bad = true;
  ++tally_.counts["unreadable"];
  io_.err << name << ":" << line << ": error: " << error << "\n";
  if (options_.format == "json")
    io_.out << ordered_json{{"trace", name}, {"verdict", nullptr}, {"line", line}, {"error", error}}.dump() << "\n";
  cases_.push_back({name, "", ir::Verdict::Inconclusive, "line " + std::to_string(line) + ": " + error, "", 0});
}

void Batch::tell(const std::string& name, const Judgement& judgement, uint64_t line, double seconds,
                 const std::vector<std::string>& lines) {
  const std::string word = conformance::word(judgement.verdict);
  ++tally_.counts[word];
  const ir::Verdict summary = conformance::summary(judgement.verdict);
  tally_.fail |= summary == ir::Verdict::Fail;
  if (summary == ir::Verdict::Inconclusive)
    (judgement.verdict == conformance::Verdict::InconcU ? tally_.limit : tally_.inconclusive) = true;
  if (options_.format == "json") {
    ordered_json report{{"trace", name},
                        {"verdict", word},
                        {"reason", judgement.reason},
                        {"events", judgement.events},
                        {"time", judgement.time.toString()},
                        {"line", line}};
    if (judgement.explanation)
      report["explanation"] = lines;
    io_.out << report.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << "\n";
  } else if (!options_.quiet || summary != ir::Verdict::Pass) {
    io_.out << word << "  " << name << (judgement.event ? ":" + std::to_string(line) : "") << ": " << judgement.reason
            << "\n";
    for (const std::string& text : lines)
      io_.out << "        " << text << "\n";
  }
  io_.out.flush();
  std::string log;
  for (const std::string& text : lines)
    log += text + "\n";
  cases_.push_back({name, word, summary, judgement.reason, log, seconds});
}

bool Batch::judgeFile(const std::string& path, const ir::Model& model, const JudgeRun& judge,
                      const std::function<std::vector<std::string>(const Judgement&)>& explain) {
  std::ifstream file;
  if (path != "-") {
    std::error_code error;
    file.open(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path, error)) {
      tellBad(path, 0, file ? "it is a folder" : std::string("cannot be read: ") + std::strerror(errno));
      return true;
    }
  }
  TraceReader reader(model, path == "-" ? io_.in : file);
  const std::string base = path == "-" ? "<stdin>" : path;
  for (size_t run = 1;; ++run) {
    const std::string name = run == 1 ? base : base + "#" + std::to_string(run);
    const auto begin = execute::Clock::now();
    TraceReader::Got got = TraceReader::Got::End;
    const Judgement judgement = judge(reader, got);
    const double seconds = std::chrono::duration<double>(execute::Clock::now() - begin).count();
    if (got == TraceReader::Got::Bad)
      tellBad(name, reader.line(), reader.error());
    else
      tell(name, judgement, reader.line(), seconds, explain(judgement));
    if (Interruption::requested())
      return false;
    if (got == TraceReader::Got::Bad || got == TraceReader::Got::Event)
      got = reader.skip();
    if (got == TraceReader::Got::End)
      return true;
  }
}

bool Batch::judgeTable(const std::string& path, const SignalSubject& subject, const JudgeEvents& judge,
                       const std::function<std::vector<std::string>(const Judgement&)>& explain) {
  const std::optional<std::string> text = readInput(path, io_);
  if (!text) {
    tellBad(path, 0, "cannot be read");
    return true;
  }
  const conformance::SignalLog log = conformance::readSignalLog(*text, subject.model, options_.table);
  if (const auto* problem = std::get_if<conformance::SignalLogProblem>(&log)) {
    tellBad(path, problem->line, problem->text);
    return true;
  }
  const auto begin = execute::Clock::now();
  size_t line = 0;
  const Judgement judgement = judge(subject.eventsOf(std::get<std::vector<conformance::SignalRow>>(log)), line);
  const double seconds = std::chrono::duration<double>(execute::Clock::now() - begin).count();
  tell(path, judgement, line, seconds, explain(judgement));
  return !Interruption::requested();
}

int Batch::finish(const std::string& name) {
  if (options_.format == "text" && cases_.size() != 1) {
    io_.out << cases_.size() << " traces:";
    const char* separator = " ";
    for (const auto& [word, count] : tally_.counts) {
      io_.out << separator << count << " " << word;
      separator = ", ";
    }
    io_.out << "\n";
  }
  if (Interruption::requested()) {
    io_.err << "tioc: interrupted\n";
    tally_.limit = true;
  }
  if (!options_.junit.empty() && !writeFile(options_.junit, backend::junit(name, cases_), io_))
    return kUsage;
  return tally_.code();
}

/// By the specification itself.
int judgeBySpecification(const VerdictOptions& options, const ir::Model& model, const Compilation& compilation,
                         Io& io) {
  std::optional<ir::SystemId> system;
  if (!options.purpose.empty()) {
    const auto purpose = named(model.automata, options.purpose, "purpose", io,
                               [](const ir::Automaton& a) { return a.kind == ir::AutomatonKind::Purpose; });
    if (!purpose)
      return kUsage;
    system = model.automata[*purpose].subject;
  }
  if (!system || !options.system.empty()) {
    const std::optional<ir::SystemId> asked = findSystem(model, options.system, io);
    if (asked && system && *asked != *system) {
      io.err << "tioc: purpose '" << options.purpose << "' is for '" << model[*system].name << "'\n";
      return kUsage;
    }
    system = asked;
  }
  if (!system)
    return kUsage;
  conformance::TrackOptions track;
  track.purpose = options.purpose;
  track.limits.states = options.states;
  const std::optional<ir::Rational> tolerance = ir::Rational::parse(options.tolerance);
  if (!tolerance || tolerance->sign() < 0) {
    io.err << "tioc: --tolerance takes a number of time units, not '" << options.tolerance << "'\n";
    return kUsage;
  }
  track.tolerance = *tolerance;
  ir::Model subject = ir::instantiate(model, *system);
  const bool tables = isTable(options);
  std::optional<SignalSubject> signals;
  if (semantics::kindOf(subject, ir::SystemId(0)) == ir::AutomatonKind::Vdta) {
    signals = signalSubject(subject, options.purpose, tables, options.sample, io);
    if (!signals)
      return kUsage;
    subject = ir::Model(signals->model);
    track.product = !options.purpose.empty();
  } else if (tables || !options.sample.empty()) {
    io.err << "tioc: tables and samples are for a vdta\n";
    return kUsage;
  }
  conformance::MadeTracker made = conformance::makeTracker(subject, track);
  if (const auto* problem = std::get_if<semantics::Problem>(&made)) {
    io.err << compilation.describe(problem->span) << "error: " << problem->text << "\n";
    return kModelErrors;
  }
  conformance::Tracker& tracker = *std::get<std::unique_ptr<conformance::Tracker>>(made);
  conformance::Judge judge(tracker, !options.purpose.empty(), track.tolerance);
  Batch batch(options, io);
  Event event;
  const auto run = [&](TraceReader& reader, TraceReader::Got& got) {
    judge.begin();
    while ((got = reader.next(event)) == TraceReader::Got::Event && judge.take(event))
      if (batch.tick(judge.events())) {
        Judgement stopped;
        stopped.events = judge.events();
        stopped.time = event.time;
        stopped.reason = "interrupted after " + std::to_string(stopped.events) + " events, all of them allowed";
        return stopped;
      }
    return judge.end();
  };
  const auto explain = [&](const Judgement& judgement) {
    return judgement.explanation
               ? conformance::showExplanation(tracker, *judgement.explanation,
                                              [&](ir::Span span) { return compilation.describe(span); })
               : std::vector<std::string>();
  };
  const auto runEvents = [&](const std::vector<conformance::SignalEvent>& events, size_t& line) {
    judge.begin();
    for (const conformance::SignalEvent& next : events) {
      line = next.line;
      if (!judge.take(signals->event(next)) || batch.tick(judge.events()))
        break;
    }
    return judge.end();
  };
  for (const std::string& path : options.traces)
    if (!(tables ? batch.judgeTable(path, *signals, runEvents, explain)
                 : batch.judgeFile(path, tracker.model(), run, explain)))
      break;
  return batch.finish(model[*system].name);
}

/// By one test case, as `tioc run` would have judged it.
int judgeByTest(const VerdictOptions& options, Io& io) {
  const size_t hash = options.test.rfind('#');
  if (hash == std::string::npos) {
    io.err << "tioc: --test takes SUITE.json#CASE\n";
    return kUsage;
  }
  const std::string path = options.test.substr(0, hash);
  const std::optional<std::string> text = readInput(path, io);
  if (!text)
    return kUsage;
  const frontend::SuiteReading reading = frontend::readSuite(*text);
  if (!reading.file) {
    io.err << "tioc: " << path << ": " << reading.error << "\n";
    return kUsage;
  }
  const ir::TestSuite& suite = reading.file->suite;
  const auto found =
      named(suite.cases, options.test.substr(hash + 1), "test case", io, [](const ir::TestCase&) { return true; });
  if (!found)
    return kUsage;
  Batch batch(options, io);
  const auto run = [&](TraceReader& reader, TraceReader::Got& got) {
    std::vector<Event> events;
    Event event;
    while ((got = reader.next(event)) == TraceReader::Got::Event && !batch.tick(events.size() + 1))
      events.push_back(event);
    Judgement judgement;
    judgement.events = events.size();
    judgement.time = events.empty() ? ir::Rational() : events.back().time;
    conformance::Replay replay(suite.model, std::move(events));
    const execute::Outcome outcome = execute::execute(suite, suite.cases[*found], replay, {});
    judgement.reason = outcome.reason;
    judgement.verdict = outcome.verdict == ir::Verdict::Fail   ? conformance::Verdict::Fail
                        : outcome.verdict == ir::Verdict::Pass ? conformance::Verdict::Pass
                                                               : conformance::Verdict::InconcR;
    return judgement;
  };
  for (const std::string& trace : options.traces)
    if (!batch.judgeFile(trace, suite.model, run, [](const Judgement&) { return std::vector<std::string>(); }))
      break;
  return batch.finish(suite.name);
}

int verdict(const VerdictOptions& options, Io& io) {
  std::optional<Compilation> compilation = Compilation::create(options.compile, io);
  std::optional<std::string> text = compilation ? readInput(options.file, io) : std::nullopt;
  if (!text)
    return kUsage;
  const std::optional<ir::Model> model = compilation->compile(options.file, std::move(*text));
  if (const int code = compilation->finish(io); code != kSuccess || !model)
    return code;
  return options.test.empty() ? judgeBySpecification(options, *model, *compilation, io) : judgeByTest(options, io);
}

} // namespace

void addVerdict(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<VerdictOptions>();
  CLI::App* command = app.add_subcommand("verdict", "Judge recorded runs of a system");
  command->footer(
      "A trace is what a tester saw: JSON Lines of tio/1 (docs/protocol.md), or delays and actions as papers write\n"
      "them: 0.1 location?4 0.1 plan!8. Every line is judged as it is read, so logs may be of any length. For a vdta\n"
      "it may also be a table as measurement tools export it (.csv, .tsv): a time column and one per signal.\n\n"
      "  FAIL       an output, or a silence, that the model does not allow: position, reason, what was allowed\n"
      "  PASS       the model allows the trace, and the purpose is fulfilled\n"
      "  WEAK_PASS  it is allowed, and the purpose may be fulfilled\n"
      "  INCONC_r   it is allowed, and the purpose is not fulfilled\n"
      "  INCONC_i   an input came that the model does not speak about\n"
      "  INCONC_u   a limit or the solver left it open\n\n"
      "Examples:\n"
      "  tioc verdict atm.tio run1.jsonl run2.jsonl --junit report.xml\n"
      "  tioc verdict trajectory.tio --purpose Loop trace.txt\n"
      "  zcat big.jsonl.gz | tioc verdict session.tio -\n"
      "  tioc verdict heater.tio measured.csv --sample 0.5\n"
      "  tioc verdict atm.tio --test Regression.json#Success run1.jsonl\n\n"
      "Exit codes: 0 every trace passes, 1 errors in the model, 2 wrong use or an unreadable trace, 10 a trace fails,\n"
      "11 none fails and one is inconclusive, 12 the same because of a limit.");
  command->add_option("FILE", options->file, "The model")->required();
  command->add_option("TRACE", options->traces, "Recorded runs; - reads standard input")->required();
  command->add_option("--system", options->system, "The specification, where the file has several")->type_name("NAME");
  CLI::Option* purpose =
      command->add_option("--purpose", options->purpose, "Also say whether this purpose is fulfilled")
          ->type_name("NAME");
  command->add_option("--test", options->test, "Judge by this test case instead")
      ->type_name("SUITE.json#CASE")
      ->excludes(purpose);
  command->add_option("--format", options->format, "What is written: text, or json with one object per trace")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command->add_option("--junit", options->junit, "Also write a JUnit report")->type_name("FILE");
  command
      ->add_option("--tolerance", options->tolerance, "How far measured times may be from the true ones, in time units")
      ->type_name("UNITS")
      ->capture_default_str();
  command->add_option("--states", options->states, "Most states of the model that are followed at once")
      ->capture_default_str();
  command->add_flag("--csv", options->csv, "The traces are tables, whatever they are called");
  command->add_option("--time-column", options->table.timeColumn, "The column of a table that has the time")
      ->type_name("NAME");
  command
      ->add_option(
          "--sample", options->sample,
          "Look at the outputs of a table every so many time units only; 0: the log itself is sampled, as test "
          "--sample writes it")
      ->type_name("H");
  command->add_flag("-q,--quiet", options->quiet, "Say nothing about traces that pass");
  options->compile.addTo(*command);
  command->callback([options, &io, &code] { code = verdict(*options, io); });
}

} // namespace tioc::driver
