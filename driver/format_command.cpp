#include "driver/commands.hpp"
#include "driver/compile.hpp"
#include "driver/files.hpp"

#include "frontend/format.hpp"

#include <memory>
#include <ostream>

namespace tioc::driver {

namespace {

struct FormatOptions {
  CompileOptions compile;
  std::vector<std::string> files;
  bool check = false;
};

int formatFiles(const FormatOptions& options, Io& io) {
  std::optional<Compilation> compilation = Compilation::create(options.compile, io);
  if (!compilation)
    return kUsage;
  bool unreadable = false;
  bool differs = false;
  for (const std::string& path : options.files) {
    std::optional<std::string> text = readInput(path, io);
    if (!text) {
      unreadable = true;
      continue;
    }
    uint32_t file = compilation->sources().add(path == "-" ? "<stdin>" : path, *text);
    std::optional<std::string> formatted = frontend::format(compilation->sources(), file, compilation->diagnostics());
    if (!formatted)
      continue;
    if (path == "-" && !options.check) {
      io.out << *formatted;
    } else if (*formatted != *text) {
      differs = true;
      if (options.check)
        io.out << path << ": not formatted\n";
      else if (writeFile(path, *formatted, io))
        io.out << path << ": formatted\n";
      else
        unreadable = true;
    }
  }
  int code = compilation->finish(io);
  if (unreadable)
    return kUsage;
  return code != kSuccess || (options.check && differs) ? kModelErrors : kSuccess;
}

} // namespace

void addFormat(CLI::App& app, Io& io, int& code) {
  auto options = std::make_shared<FormatOptions>();
  CLI::App* command = app.add_subcommand("fmt", "Lay out models in the one way that all of them have");
  command->footer("Examples:\n"
                  "  tioc fmt atm.tio           rewrite the file if its layout differs; comments are kept\n"
                  "  tioc fmt --check *.tio     for a build: name the files that differ, change nothing\n"
                  "  tioc fmt - < a.tio         from standard input to standard output\n\n"
                  "Exit codes: 0 all well, 1 syntax errors or (with --check) a file that differs, 2 unreadable file.");
  command->add_option("FILE", options->files, "Models to format; - reads standard input and prints")->required();
  command->add_flag("--check", options->check, "Change nothing; fail if a file is not formatted");
  command->add_option("--diagnostics", options->compile.format, "How to show syntax errors: text, json or sarif")
      ->check(CLI::IsMember({"text", "json", "sarif"}));
  command->callback([options, &io, &code] { code = formatFiles(*options, io); });
}

} // namespace tioc::driver
