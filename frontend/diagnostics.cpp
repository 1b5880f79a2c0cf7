#include "frontend/diagnostics.hpp"

#include <algorithm>
#include <tuple>

namespace tioc::frontend {

const std::vector<KindInfo>& kinds() {
  static const std::vector<KindInfo> list = {
#define TIOC_DIAGNOSTIC(name, severity, id, text) {#name, Severity::severity, id, text},
#include "frontend/diagnostics.def"
#undef TIOC_DIAGNOSTIC
  };
  return list;
}

const KindInfo& info(Kind kind) {
  return kinds()[static_cast<size_t>(kind)];
}

namespace {

std::string fill(const char* text, std::initializer_list<std::string> arguments) {
  std::string result;
  auto next = arguments.begin();
  for (const char* p = text; *p; ++p) {
    if (p[0] == '{' && p[1] == '}' && next != arguments.end()) {
      result += *next++;
      ++p;
    } else {
      result += *p;
    }
  }
  return result;
}

} // namespace

Diagnostic& Diagnostics::report(Kind kind, Span span, std::initializer_list<std::string> arguments) {
  const KindInfo& about = info(kind);
  Severity severity = about.severity;
  if (severity == Severity::Warning) {
    if (options_.disabled.contains(about.id)) {
      dropped_ = {};
      return dropped_;
    }
    if (options_.warningsAsErrors || options_.asErrors.contains(about.id))
      severity = Severity::Error;
  }
  hardErrors_ += about.severity == Severity::Error;
  if (severity == Severity::Error && ++errors_ > options_.maxErrors) {
    ++suppressed_;
    dropped_ = {};
    return dropped_;
  }
  if (severity == Severity::Warning)
    ++warnings_;
  return list_.emplace_back(Diagnostic{kind, severity, span, fill(about.text, arguments), {}});
}

std::vector<Diagnostic> Diagnostics::sorted() const {
  std::vector<Diagnostic> result = list_;
  std::stable_sort(result.begin(), result.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::tuple(a.span.file, a.span.begin) < std::tuple(b.span.file, b.span.begin);
  });
  return result;
}

std::optional<std::string> didYouMean(std::string_view name, const std::vector<std::string>& candidates) {
  // Edit distance with transpositions, cut off where it stops being a likely slip.
  size_t limit = name.size() <= 3 ? 1 : name.size() <= 6 ? 2 : 3;
  std::optional<std::string> best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() + limit < name.size() || name.size() + limit < candidate.size() || candidate == name)
      continue;
    std::vector<std::vector<size_t>> d(name.size() + 1, std::vector<size_t>(candidate.size() + 1));
    for (size_t i = 0; i <= name.size(); ++i)
      for (size_t j = 0; j <= candidate.size(); ++j) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        bool same = name[i - 1] == candidate[j - 1];
        d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (same ? 0 : 1)});
        if (i > 1 && j > 1 && name[i - 1] == candidate[j - 2] && name[i - 2] == candidate[j - 1])
          d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    size_t distance = d[name.size()][candidate.size()];
    if (distance <= limit && distance < name.size()) {
      limit = distance - (distance > 0 ? 1 : 0);
      best = candidate;
      if (limit == 0)
        break;
    }
  }
  return best;
}

} // namespace tioc::frontend
