#include "driver/compile.hpp"

#include "driver/files.hpp"
#include "driver/version.hpp"
#include "frontend/lower.hpp"
#include "frontend/program.hpp"
#include "stdlib/stdlib.hpp"

#include <algorithm>
#include <ostream>

namespace tioc::driver {

void CompileOptions::addTo(CLI::App& command) {
  command
      .add_option("-I,--include", includeDirs, "Folder to look for imported modules in, after the importing file's own")
      ->type_name("DIR")
      ->take_all()
      ->allow_extra_args(false);
  command.add_option("-W", warnings, "-Werror makes warnings errors, -Werror=ID one of them; -Wno-ID switches one off")
      ->type_name("…")
      ->take_all()
      ->allow_extra_args(false);
  command
      .add_option("--diagnostics", format,
                  "How to show diagnostics: text on standard error, json or sarif on standard output")
      ->check(CLI::IsMember({"text", "json", "sarif"}))
      ->capture_default_str();
  command.add_option("--max-errors", maxErrors, "Stop showing errors after this many")->capture_default_str();
}

namespace {

bool isWarning(const std::string& id) {
  const auto& kinds = frontend::kinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const frontend::KindInfo& kind) {
    return kind.severity == frontend::Severity::Warning && id == kind.id;
  });
}

std::optional<frontend::DiagnosticOptions> readWarnings(const CompileOptions& options, Io& io) {
  frontend::DiagnosticOptions result;
  result.maxErrors = options.maxErrors;
  std::vector<std::string> ids;
  for (const frontend::KindInfo& kind : frontend::kinds())
    if (kind.severity == frontend::Severity::Warning)
      ids.emplace_back(kind.id);
  for (const std::string& word : options.warnings) {
    if (word == "error") {
      result.warningsAsErrors = true;
      continue;
    }
    bool no = word.starts_with("no-");
    bool error = word.starts_with("error=");
    std::string id = no ? word.substr(3) : error ? word.substr(6) : word;
    if (!isWarning(id)) {
      io.err << "tioc: there is no warning '" << id << "'";
      if (auto guess = frontend::didYouMean(id, ids))
        io.err << "; did you mean '" << *guess << "'?";
      io.err << "\n";
      return std::nullopt;
    }
    if (no)
      result.disabled.insert(id);
    else
      result.disabled.erase(id);
    if (error)
      result.asErrors.insert(id);
  }
  return result;
}

} // namespace

std::optional<Compilation> Compilation::create(const CompileOptions& options, Io& io) {
  std::optional<frontend::DiagnosticOptions> diagnostics = readWarnings(options, io);
  if (!diagnostics)
    return std::nullopt;
  return Compilation(options, std::move(*diagnostics));
}

Compilation::Compilation(const CompileOptions& options, frontend::DiagnosticOptions diagnostics)
    : includeDirs_(options.includeDirs), format_(options.format), sources_(std::make_unique<frontend::Sources>()),
      diagnostics_(std::make_unique<frontend::Diagnostics>(std::move(diagnostics))) {}

std::optional<ir::Model> Compilation::compile(const std::string& path, std::string text) {
  frontend::FileAccess access{readIfPresent, includeDirs_, stdlib::source};
  std::optional<frontend::Program> program =
      frontend::load(path == "-" ? "<stdin>" : path, std::move(text), access, *sources_, *diagnostics_);
  return program ? frontend::lower(*program, *diagnostics_) : std::nullopt;
}

std::string Compilation::describe(ir::Span span) const {
  if (!span.valid())
    return "";
  const frontend::SourceFile& file = (*sources_)[span.file];
  const frontend::Position at = file.position(span.begin);
  return file.path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
}

int Compilation::finish(Io& io) {
  if (format_ == "json")
    io.out << frontend::renderJson(*diagnostics_, *sources_);
  else if (format_ == "sarif")
    io.out << frontend::renderSarif(*diagnostics_, *sources_, kVersion);
  else
    io.err << frontend::renderText(*diagnostics_, *sources_, io.color);
  return diagnostics_->hasErrors() ? kModelErrors : kSuccess;
}

} // namespace tioc::driver
