#pragma once

#include "frontend/source.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tioc::frontend {

enum class Severity : uint8_t { Warning, Error };

/// Every message the frontend can give, from diagnostics.def.
enum class Kind : uint16_t {
#define TIOC_DIAGNOSTIC(name, severity, id, text) name,
#include "frontend/diagnostics.def"
#undef TIOC_DIAGNOSTIC
};

struct KindInfo {
  const char* name;
  Severity severity;
  const char* id; ///< stable: what `-W…` and the machine-readable formats call it
  const char* text;
};

const std::vector<KindInfo>& kinds();
const KindInfo& info(Kind kind);

struct Note {
  Span span; ///< may be invalid
  std::string text;
};

struct Diagnostic {
  Kind kind;
  Severity severity;
  Span span;
  std::string message;
  std::vector<Note> notes;

  Diagnostic& note(Span at, std::string text) {
    notes.push_back({at, std::move(text)});
    return *this;
  }
};

struct DiagnosticOptions {
  bool warningsAsErrors = false;
  std::set<std::string> disabled; ///< ids of warnings
  std::set<std::string> asErrors; ///< ids of warnings
  size_t maxErrors = 100;
};

/// Collects what the frontend has to say, in the order of the source when it is shown.
class Diagnostics {
public:
  explicit Diagnostics(DiagnosticOptions options = {}) : options_(std::move(options)) {}

  /// The `{}` of the kind's text are replaced by `arguments` in turn. The reference stays valid until the next report.
  Diagnostic& report(Kind kind, Span span, std::initializer_list<std::string> arguments = {});

  bool hasErrors() const { return errors_ > 0; }
  size_t errors() const { return errors_; }
  /// Without warnings that an option made errors.
  size_t hardErrors() const { return hardErrors_; }
  size_t warnings() const { return warnings_; }
  /// More errors than the limit were found: the rest is not kept.
  size_t suppressed() const { return suppressed_; }
  const DiagnosticOptions& options() const { return options_; }

  /// Sorted by file and place.
  std::vector<Diagnostic> sorted() const;

private:
  DiagnosticOptions options_;
  std::vector<Diagnostic> list_;
  Diagnostic dropped_{};
  size_t errors_ = 0;
  size_t hardErrors_ = 0;
  size_t warnings_ = 0;
  size_t suppressed_ = 0;
};

std::string renderText(const Diagnostics& diagnostics, const Sources& sources, bool color);
std::string renderJson(const Diagnostics& diagnostics, const Sources& sources);
std::string renderSarif(const Diagnostics& diagnostics, const Sources& sources, const std::string& version);

/// The candidate that `name` was probably meant to be, if one is near enough.
std::optional<std::string> didYouMean(std::string_view name, const std::vector<std::string>& candidates);

} // namespace tioc::frontend
