#include "driver/commands.hpp"
#include "driver/compile.hpp"
#include "driver/files.hpp"

#include "runtime/testgen/offline_log.hpp"

#include <ostream>
#include <sstream>

namespace tioc::driver {

namespace {

struct MergeOptions {
  CompileOptions compile;
  std::string file;
  std::string inputs;
  std::string outputs;
};

/// The events of the file, or nothing after a message.
std::optional<testgen::Trace> readTrace(const ir::Model& model, const std::string& path, Io& io) {
  const std::optional<std::string> text = readInput(path, io);
  if (!text)
    return std::nullopt;
  std::istringstream in(*text);
  conformance::TraceReader reader(model, in);
  testgen::Trace trace;
  while (true) {
    conformance::Event event;
    switch (reader.next(event)) {
    case conformance::TraceReader::Got::Event:
      trace.push_back(std::move(event));
      break;
    case conformance::TraceReader::Got::End:
      return trace;
    case conformance::TraceReader::Got::Start:
      io.err << "tioc: " << path << ":" << reader.line() << ": several runs; merge takes one\n";
      return std::nullopt;
    case conformance::TraceReader::Got::Bad:
      io.err << "tioc: " << path << ":" << reader.line() << ": " << reader.error() << "\n";
      return std::nullopt;
    }
  }
}

int merge(const MergeOptions& options, Io& io) {
  std::optional<Compilation> compilation = Compilation::create(options.compile, io);
  std::optional<std::string> text = compilation ? readInput(options.file, io) : std::nullopt;
  if (!text)
    return kUsage;
  const std::optional<ir::Model> model = compilation->compile(options.file, std::move(*text));
  if (const int code = compilation->finish(io); code != kSuccess || !model)
    return code;
  const std::optional<testgen::Trace> inputs = readTrace(*model, options.inputs, io);
  const std::optional<testgen::Trace> outputs = inputs ? readTrace(*model, options.outputs, io) : std::nullopt;
  if (!outputs)
    return kUsage;
  io.out << testgen::notation(*model, testgen::merge(testgen::inputsOf(*inputs), testgen::outputsOf(*outputs))) << "\n";
  return kSuccess;
}

} // namespace

void addMerge(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<MergeOptions>();
  CLI::App* command = app.add_subcommand("merge", "Put recorded inputs and outputs into one trace");
  command->footer("For inputs and outputs that were recorded apart. An output comes before an input of the same time.\n"
                  "Traces are read as tioc verdict reads them; the result is a trace for it.\n\n"
                  "Example:\n"
                  "  tioc merge trajectory.tio inputs.txt outputs.txt | tioc verdict trajectory.tio -\n\n"
                  "Exit codes: 0 success, 1 errors in the model, 2 wrong use or unreadable file.");
  command->add_option("FILE", options->file, "The model")->required();
  command->add_option("INPUTS", options->inputs, "What was sent; outputs in it do not count")->required();
  command->add_option("OUTPUTS", options->outputs, "What came back; inputs in it do not count")->required();
  options->compile.addTo(*command);
  command->callback([options, &io, &code] { code = merge(*options, io); });
}

} // namespace tioc::driver
