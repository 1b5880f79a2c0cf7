#include "frontend/diagnostics.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace tioc::frontend {

namespace {

using Json = nlohmann::ordered_json;

class TextRenderer {
public:
  TextRenderer(const Sources& sources, bool color) : sources_(sources), color_(color) {}

  std::string render(const Diagnostic& d) {
    bool error = d.severity == Severity::Error;
    head(d.span, error ? "error" : "warning", error ? "1;31" : "1;35");
    text_ += paint("1", d.message);
    if (info(d.kind).severity == Severity::Warning)
      text_ += std::string(" [") + (error ? "-Werror," : "") + "-W" + info(d.kind).id + "]";
    text_ += "\n";
    excerpt(d.span, error ? "1;31" : "1;35");
    for (const Note& note : d.notes) {
      head(note.span, "note", "1;36");
      text_ += note.text + "\n";
      excerpt(note.span, "1;36");
    }
    return std::move(text_);
  }

private:
  std::string paint(const char* code, const std::string& content) const {
    return color_ ? "\x1b[" + std::string(code) + "m" + content + "\x1b[0m" : content;
  }

  void head(Span span, const char* word, const char* code) {
    if (span.valid()) {
      const SourceFile& file = sources_[span.file];
      Position at = file.position(span.begin);
      text_ += paint("1", file.path + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ":") + " ";
    }
    text_ += paint(code, std::string(word) + ":") + " ";
  }

  void excerpt(Span span, const char* code) {
    if (!span.valid())
      return;
    const SourceFile& file = sources_[span.file];
    uint32_t index = file.lineOf(span.begin);
    std::string_view line = file.line(index);
    constexpr size_t kMaxWidth = 200;
    size_t begin = std::min<size_t>(span.begin - file.lineStarts[index], line.size());
    if (begin >= kMaxWidth)
      return; // a line this long is no help
    std::string_view shown = line.substr(0, kMaxWidth);
    // A cut in the middle of a character would spoil the terminal's encoding.
    while (shown.size() < line.size() && !shown.empty() &&
           (static_cast<unsigned char>(line[shown.size()]) & 0xC0) == 0x80)
      shown.remove_suffix(1);
    std::string number = std::to_string(index + 1);
    number.insert(0, number.size() < 5 ? 5 - number.size() : 0, ' ');
    text_ += number + " | " + printable(shown) + "\n";
    size_t end = std::min<size_t>(std::max<size_t>(span.end - file.lineStarts[index], begin + 1),
                                  std::max(shown.size(), begin + 1));
    std::string marks;
    for (size_t i = 0; i < begin; ++i)
      if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80)
        marks += line[i] == '\t' ? '\t' : ' ';
    std::string caret = "^";
    for (size_t i = begin + 1; i < end && i < line.size(); ++i)
      if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80)
        caret += '~';
    text_ += std::string(number.size(), ' ') + " | " + marks + paint(code, caret) + "\n";
  }

  /// Control characters would act on the terminal.
  static std::string printable(std::string_view line) {
    std::string result;
    for (char c : line)
      result += (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f ? '?' : c;
    return result;
  }

  const Sources& sources_;
  bool color_;
  std::string text_;
};

std::string plural(size_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

Json region(const Sources& sources, Span span) {
  Position begin = sources[span.file].position(span.begin);
  Position end = sources[span.file].position(span.end);
  return {{"startLine", begin.line}, {"startColumn", begin.column}, {"endLine", end.line}, {"endColumn", end.column}};
}

Json place(const Sources& sources, Span span) {
  if (!span.valid())
    return Json::object();
  Json json = {{"file", sources[span.file].path}};
  json.update(region(sources, span));
  return json;
}

Json sarifLocation(const Sources& sources, Span span, const std::string* message) {
  Json physical = {{"artifactLocation", {{"uri", sources[span.file].path}}}, {"region", region(sources, span)}};
  Json json = {{"physicalLocation", physical}};
  if (message)
    json["message"] = {{"text", *message}};
  return json;
}

/// The text of a kind, without the places for names.
std::string general(std::string text) {
  for (size_t at = text.find("{}"); at != std::string::npos; at = text.find("{}", at))
    text.replace(at, 2, "…");
  return text;
}

const char* word(Severity severity) {
  return severity == Severity::Error ? "error" : "warning";
}

/// Source text can hold anything; JSON must stay valid.
std::string dump(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

std::string renderText(const Diagnostics& diagnostics, const Sources& sources, bool color) {
  std::string text;
  for (const Diagnostic& d : diagnostics.sorted())
    text += TextRenderer(sources, color).render(d);
  if (diagnostics.suppressed() > 0)
    text += "tioc: " + plural(diagnostics.suppressed(), "more error") + " not shown; raise --max-errors to see all\n";
  if (diagnostics.errors() + diagnostics.warnings() > 0) {
    std::string summary = diagnostics.errors() ? plural(diagnostics.errors(), "error") : "";
    if (diagnostics.warnings())
      summary += (summary.empty() ? "" : ", ") + plural(diagnostics.warnings(), "warning");
    text += summary + "\n";
  }
  return text;
}

std::string renderJson(const Diagnostics& diagnostics, const Sources& sources) {
  Json list = Json::array();
  for (const Diagnostic& d : diagnostics.sorted()) {
    Json json = {{"severity", word(d.severity)}, {"id", info(d.kind).id}, {"message", d.message}};
    json.update(place(sources, d.span));
    Json notes = Json::array();
    for (const Note& note : d.notes) {
      Json one = {{"message", note.text}};
      one.update(place(sources, note.span));
      notes.push_back(std::move(one));
    }
    json["notes"] = std::move(notes);
    list.push_back(std::move(json));
  }
  return dump({{"version", 1},
               {"errors", diagnostics.errors()},
               {"warnings", diagnostics.warnings()},
               {"suppressed", diagnostics.suppressed()},
               {"diagnostics", std::move(list)}});
}

std::string renderSarif(const Diagnostics& diagnostics, const Sources& sources, const std::string& version) {
  Json results = Json::array();
  Json rules = Json::array();
  std::map<Kind, size_t> ruleIndex;
  for (const Diagnostic& d : diagnostics.sorted()) {
    auto [it, fresh] = ruleIndex.try_emplace(d.kind, rules.size());
    if (fresh)
      rules.push_back({{"id", info(d.kind).id},
                       {"shortDescription", {{"text", general(info(d.kind).text)}}},
                       {"defaultConfiguration", {{"level", word(info(d.kind).severity)}}}});
    Json result = {{"ruleId", info(d.kind).id},
                   {"ruleIndex", it->second},
                   {"level", word(d.severity)},
                   {"message", {{"text", d.message}}},
                   {"locations", Json::array()}};
    if (d.span.valid())
      result["locations"].push_back(sarifLocation(sources, d.span, nullptr));
    Json related = Json::array();
    for (const Note& note : d.notes)
      if (note.span.valid())
        related.push_back(sarifLocation(sources, note.span, &note.text));
    if (!related.empty())
      result["relatedLocations"] = std::move(related);
    results.push_back(std::move(result));
  }
  Json driver = {{"name", "tioc"}, {"version", version}, {"rules", std::move(rules)}};
  Json run = {
      {"tool", {{"driver", std::move(driver)}}}, {"columnKind", "unicodeCodePoints"}, {"results", std::move(results)}};
  return dump({{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
               {"version", "2.1.0"},
               {"runs", Json::array({std::move(run)})}});
}

} // namespace tioc::frontend
