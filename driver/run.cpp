#include "driver/commands.hpp"
#include "driver/files.hpp"
#include "driver/sut.hpp"

#include "backend/junit.hpp"
#include "backend/suite_html.hpp"
#include "frontend/suite_reader.hpp"
#include "runtime/testgen/offline_log.hpp"

#include <algorithm>
#include <ostream>

namespace tioc::driver {

namespace {

struct RunOptions {
  CompileOptions compile;
  PlayFlags play;
  std::string suite;
  std::string sut;
  bool virtualTime = false;
  std::string timeScale = "1";
  std::string tolerance;
  std::vector<std::string> cases;
  unsigned patience = 10'000;
  std::string junit;
  std::string html;
  std::string log;
  bool quiet = false;
};

/// How time is to pass; nothing after a message.
std::optional<execute::ExecuteOptions> readTime(const RunOptions& options, const ir::TestSuite& suite, Io& io) {
  execute::ExecuteOptions result;
  result.session.patience = std::chrono::milliseconds(options.patience);
  result.tolerance = suite.tolerance;
  const auto number = [&](const char* flag, const std::string& text) {
    std::optional<ir::Rational> value = ir::Rational::parse(text);
    if (!value || value->sign() <= 0) {
      io.err << "tioc: " << flag << " takes a positive number, not '" << text << "'\n";
      value.reset();
    }
    return value;
  };
  if (!options.tolerance.empty()) {
    const auto tolerance = number("--tolerance", options.tolerance);
    if (!tolerance)
      return std::nullopt;
    result.tolerance = *tolerance;
  }
  if (options.virtualTime)
    return result;
  const auto scale = number("--time-scale", options.timeScale);
  if (!scale)
    return std::nullopt;
  result.session.unit = suite.model.secondsPerUnit / *scale;
  if (suite.tolerance.isZero()) {
    io.err
        << "tioc: measured times need a tolerance, and the suite was made without; make it with 'tioc gen --tolerance "
           "UNITS', or use --virtual-time\n";
    return std::nullopt;
  }
  if (result.tolerance > suite.tolerance) {
    io.err << "tioc: the suite was made for a tolerance of " << suite.tolerance.toString()
           << ", and inputs that are later may be wrong; make it with 'tioc gen --tolerance "
           << result.tolerance.toString() << "'\n";
    return std::nullopt;
  }
  return result;
}

/// The cases to run; nothing after a message.
std::optional<std::vector<const ir::TestCase*>> chooseCases(const RunOptions& options, const ir::TestSuite& suite,
                                                            Io& io) {
  std::vector<const ir::TestCase*> chosen;
  for (const ir::TestCase& test : suite.cases)
    if (options.cases.empty() ||
        std::find(options.cases.begin(), options.cases.end(), test.name) != options.cases.end())
      chosen.push_back(&test);
  std::vector<std::string> names;
  for (const ir::TestCase& test : suite.cases)
    names.push_back(test.name);
  for (const std::string& name : options.cases)
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      io.err << "tioc: the suite has no case '" << name << "'";
      if (const auto guess = frontend::didYouMean(name, names))
        io.err << "; did you mean '" << *guess << "'?";
      io.err << "\n";
      return std::nullopt;
    }
  return chosen;
}

std::string indented(const std::string& text) {
  std::string result;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    result += "        " + text.substr(begin, end - begin) + "\n";
    begin = end + 1;
  }
  return result;
}

backend::CaseRun reportOf(const ir::Model& model, const ir::TestCase& test, const execute::Outcome& outcome,
                          double seconds) {
  backend::CaseRun run{test.name, outcome.verdict, outcome.reason, seconds, {}, {}, outcome.position};
  for (const execute::LogEntry& entry : outcome.log) {
    std::vector<std::string> values;
    for (size_t i = 0; i < entry.values.size(); ++i)
      values.push_back(eval::printValue(model, model[entry.channel].parameters[i].type, entry.values[i]));
    run.log.push_back({entry.time.toString(), entry.output, execute::showMessage(model, entry.channel, entry.values),
                       std::move(values)});
  }
  for (const execute::Taken& taken : outcome.path)
    run.path.push_back({taken.node, taken.branch});
  return run;
}

int runCases(const RunOptions& options, const frontend::SuiteFile& file, const std::vector<const ir::TestCase*>& cases,
             const execute::ExecuteOptions& how, execute::Adapter& adapter, Io& io) {
  const ir::TestSuite& suite = file.suite;
  std::vector<backend::JUnitCase> reports;
  std::vector<backend::CaseRun> runs;
  size_t counts[3] = {};
  std::string traces;
  for (const ir::TestCase* test : cases) {
    const auto begin = execute::Clock::now();
    const execute::Outcome outcome = execute::execute(suite, *test, adapter, how);
    const double seconds = std::chrono::duration<double>(execute::Clock::now() - begin).count();
    ++counts[static_cast<size_t>(outcome.verdict)];
    const std::string log = execute::showLog(suite.model, outcome.log);
    if (!options.quiet || outcome.verdict != ir::Verdict::Pass) {
      io.out << ir::word(outcome.verdict) << "  " << test->name;
      if (outcome.verdict != ir::Verdict::Pass)
        io.out << ": " << outcome.reason << "\n" << indented(log);
      else
        io.out << "\n";
      io.out.flush();
    }
    reports.push_back({test->name, test->about, outcome.verdict, outcome.reason, log, seconds});
    runs.push_back(reportOf(suite.model, *test, outcome, seconds));
    if (!options.log.empty())
      traces += testgen::lines(suite.model, testgen::traceOf(outcome));
  }
  io.out << cases.size() << (cases.size() == 1 ? " test: " : " tests: ") << counts[0] << " pass, " << counts[1]
         << " fail, " << counts[2] << " inconclusive\n";
  if (!options.junit.empty() && !writeFile(options.junit, backend::junit(suite.name, reports), io))
    return kUsage;
  if (!options.log.empty() && !writeFile(options.log, traces, io))
    return kUsage;
  const auto place = [&](ir::Span span) { return file.place(span); };
  if (!options.html.empty() && !writeFile(options.html, backend::suiteHtml(suite, place, runs), io))
    return kUsage;
  return counts[1] ? kFail : counts[2] ? kInconclusive : kSuccess;
}

int run(const RunOptions& options, Io& io) {
  const std::optional<std::string> text = readInput(options.suite, io);
  if (!text)
    return kUsage;
  const frontend::SuiteReading reading = frontend::readSuite(*text);
  if (!reading.file) {
    io.err << "tioc: " << options.suite << ": " << reading.error << "\n";
    return kUsage;
  }
  const ir::TestSuite& suite = reading.file->suite;
  const auto how = readTime(options, suite, io);
  const auto cases = how ? chooseCases(options, suite, io) : std::nullopt;
  if (!cases)
    return kUsage;
  int code = kSuccess;
  const std::unique_ptr<execute::Adapter> adapter = makeAdapter(options.sut, options.play, options.compile, io, code);
  return adapter ? runCases(options, *reading.file, *cases, *how, *adapter, io) : code;
}

} // namespace

void addRun(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run a test suite against a system");
  command->footer(
      "The system speaks tio/1 (docs/protocol.md); each test gets a fresh one: a new process, a new connection.\n"
      "Measured times are judged within the tolerance of the suite or of --tolerance, never more.\n\n"
      "Examples:\n"
      "  tioc run suite.json --sut 'exec:./controller --test' --junit report.xml\n"
      "  tioc run suite.json --sut tcp:localhost:4000 --time-scale 10 --case Success\n"
      "  tioc run suite.json --sut 'model:atm.tio#Atm' --virtual-time --seed 7\n\n"
      "Exit codes: 0 all tests pass, 1 errors in a model, 2 wrong use or unreadable file, 10 a test fails,\n"
      "11 none fails and one is inconclusive.");
  command->add_option("SUITE", options->suite, "The suite, as JSON")->required();
  command->add_option("--sut", options->sut, "The system: exec:COMMAND, tcp:HOST:PORT or model:FILE#System")
      ->type_name("SYSTEM")
      ->required();
  command->add_flag("--virtual-time", options->virtualTime, "Let the system's own clock pass, as fast as it can");
  command->add_option("--time-scale", options->timeScale, "Run so many times faster than the model's timescale")
      ->type_name("F")
      ->capture_default_str();
  command->add_option("--tolerance", options->tolerance, "Of measured times, in time units; at most the suite's")
      ->type_name("UNITS");
  command->add_option("--case", options->cases, "Only this test; may be given several times")
      ->type_name("NAME")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--patience", options->patience, "How long an answer that the protocol promises may take")
      ->type_name("MS")
      ->capture_default_str();
  command->add_option("--junit", options->junit, "Also write a JUnit report")->type_name("FILE");
  command->add_option("--html", options->html, "Also write a report to read in a browser")->type_name("FILE");
  command->add_option("--log", options->log, "Also write what happened in each run, for tioc verdict")
      ->type_name("FILE");
  command->add_flag("-q,--quiet", options->quiet, "Say nothing about tests that pass");
  options->play.addTo(*command);
  options->compile.addTo(*command);
  command->callback([options, &io, &code] { code = run(*options, io); });
}

} // namespace tioc::driver
