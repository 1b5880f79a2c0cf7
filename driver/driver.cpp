#include "driver/driver.hpp"

#include "driver/build_files.hpp"
#include "driver/commands.hpp"
#include "driver/version.hpp"
#include "frontend/diagnostics.hpp"

#include <algorithm>
#include <ostream>

namespace tioc::driver {

namespace {

/// `tioc FILE.tio …` is short for `tioc gen FILE.tio …`, as a compiler is called.
bool isShortForGen(const std::vector<std::string>& arguments) {
  return !arguments.empty() && (arguments[0] == "-" || arguments[0].ends_with(".tio"));
}

} // namespace

int run(const std::vector<std::string>& arguments, Io io) {
  CLI::App app(
      "tioc compiles .tio models of real-time reactive systems: what a system must do, with which data, by when.",
      "tioc");
  app.footer("Start with a model, for example:\n\n"
             "  module lamp;\n"
             "  input press;  output light;\n"
             "  tiosts Lamp {\n"
             "    clock t;\n"
             "    init Off;\n"
             "    state Off { press? do t := 0 -> Lit; }\n"
             "    state Lit { light! when t <= 2 -> Off; }   // within 2 time units\n"
             "  }\n\n"
             "and run 'tioc check lamp.tio'. 'tioc FILE.tio' is short for 'tioc gen FILE.tio';\n"
             "'tioc COMMAND --help' tells more about each command;\n"
             "docs/language.md describes the language.\n\n"
             "Exit codes: 0 success or pass, 1 errors in a model, 2 wrong use or unreadable file, 10 a test fails,\n"
             "11 inconclusive.");
  app.set_version_flag("--version", std::string("tioc ") + kVersion);
  app.require_subcommand(1);
  int code = kSuccess;
  addCheck(app, io, code);
  addExplore(app, io, code);
  addFormat(app, io, code);
  addGen(app, io, code);
  addMerge(app, io, code);
  addMutate(app, io, code);
  addRun(app, io, code);
  addSim(app, io, code);
  addTest(app, io, code);
  addVerdict(app, io, code);

  std::vector<std::string> reversed = withLongBuildFlags({arguments.rbegin(), arguments.rend()});
  if (isShortForGen(arguments))
    reversed.emplace_back("gen");
  try {
    app.parse(reversed);
  } catch (const CLI::Success& e) {
    app.exit(e, io.out, io.err); // --help, --version
    return kSuccess;
  } catch (const CLI::ParseError& e) {
    std::string message = e.what();
    io.err << "tioc: " << message << "\n";
    std::vector<std::string> commands;
    for (const CLI::App* command : app.get_subcommands({}))
      commands.push_back(command->get_name());
    if (auto guess = arguments.empty() ? std::nullopt : frontend::didYouMean(arguments[0], commands))
      io.err << "did you mean 'tioc " << *guess << "'?\n";
    io.err << "'tioc --help' shows how it is used\n";
    return kUsage;
  }
  return code;
}

} // namespace tioc::driver
