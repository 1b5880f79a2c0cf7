#include "driver/target.hpp"

#include "driver/subject.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"

#include <algorithm>
#include <ostream>

namespace tioc::driver {

namespace {

constexpr std::string_view kPurpose = "reach_condition_";
/// What stands behind the condition in the text that is compiled, as messages name it.
constexpr std::string_view kBehind = "'->'";

bool isWordChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// A part of the condition's text.
struct Part {
  size_t begin = 0;
  size_t end = 0;
};

Part trimmed(const std::string& text, Part part) {
  while (part.begin < part.end && std::isspace(static_cast<unsigned char>(text[part.begin])))
    ++part.begin;
  while (part.end > part.begin && std::isspace(static_cast<unsigned char>(text[part.end - 1])))
    --part.end;
  return part;
}

/// The conjuncts; one if anything binds weaker than `&&`.
std::vector<Part> conjuncts(const std::string& text) {
  std::vector<Part> parts;
  size_t begin = 0;
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    depth += rest[0] == '(' || rest[0] == '[' ? 1 : rest[0] == ')' || rest[0] == ']' ? -1 : 0;
    const bool isIf =
        rest.starts_with("if") && (i == 0 || !isWordChar(text[i - 1])) && (rest.size() == 2 || !isWordChar(rest[2]));
    if (depth == 0 && (rest.starts_with("||") || rest.starts_with("=>") || isIf))
      return {trimmed(text, {0, text.size()})};
    if (depth == 0 && rest.starts_with("&&")) {
      parts.push_back(trimmed(text, {begin, i}));
      begin = ++i + 1;
    }
  }
  parts.push_back(trimmed(text, {begin, text.size()}));
  return parts;
}

/// `Component.Name`, perhaps with `!` before it.
struct Dotted {
  std::string component;
  std::string name;
  size_t nameAt = 0;
  size_t componentAt = 0;
  bool negated = false;
};

std::optional<Dotted> dotted(const std::string& text, Part part) {
  Dotted result;
  if (part.begin < part.end && text[part.begin] == '!') {
    result.negated = true;
    part = trimmed(text, {part.begin + 1, part.end});
  }
  const auto word = [&](size_t from) {
    size_t to = from;
    while (to < part.end && isWordChar(text[to]))
      ++to;
    return text.substr(from, to - from);
  };
  result.componentAt = part.begin;
  result.component = word(part.begin);
  const size_t dot = part.begin + result.component.size();
  if (result.component.empty() || dot >= part.end || text[dot] != '.')
    return std::nullopt;
  result.nameAt = dot + 1;
  result.name = word(dot + 1);
  return !result.name.empty() && result.nameAt + result.name.size() == part.end ? std::optional(result) : std::nullopt;
}

class Reader {
public:
  Reader(const std::string& text, const SourceText& source, const ir::Model& model, ir::SystemId system, Io& io)
      : text_(text), source_(source), system_(model[system].name), parts_(ir::instantiate(model, system)), io_(io) {}

  std::optional<Question> read() {
    for (const Part& part : conjuncts(text_))
      if (!place(part))
        return std::nullopt;
    return compile();
  }

private:
  struct Place {
    Dotted name;
    Part part;
  };
  /// Where a part of the condition went in the text that is compiled.
  struct Moved {
    size_t at = 0;
    Part from;
  };

  bool complain(Part part, const std::string& message) {
    const size_t first = text_.rfind('\n', part.begin) == std::string::npos ? 0 : text_.rfind('\n', part.begin) + 1;
    const size_t last = std::min(text_.find('\n', part.begin), text_.size());
    const size_t to = std::max(part.begin + 1, std::min(part.end, last));
    io_.err << "tioc: --reach: error: " << message << "\n  " << text_.substr(first, last - first) << "\n  "
            << std::string(part.begin - first, ' ') << "^" << std::string(to - part.begin - 1, '~') << "\n";
    return false;
  }

  const ir::Automaton* component(const std::string& name) const {
    for (const ir::Automaton& automaton : parts_.automata)
      if (automaton.kind != ir::AutomatonKind::Purpose && automaton.name == name)
        return &automaton;
    return nullptr;
  }

  /// Sorts the conjunct: a place, or a part of the expression.
  bool place(Part part) {
    if (part.begin == part.end)
      return complain(part, "a condition is missing here");
    const std::optional<Dotted> name = dotted(text_, part);
    if (!name)
      return addExpression(part);
    const ir::Automaton* const owner = component(name->component);
    if (!owner) {
      if (isValue(name->component))
        return addExpression(part);
      std::vector<std::string> names;
      for (const ir::Automaton& automaton : parts_.automata)
        if (automaton.kind != ir::AutomatonKind::Purpose)
          names.push_back(automaton.name);
      return complain({name->componentAt, name->componentAt + name->component.size()},
                      "'" + system_ + "' has no component '" + name->component + "'" +
                          alternatives(name->component, names));
    }
    std::vector<std::string> names;
    for (ir::LocationId id : owner->locations)
      names.push_back(parts_[id].name);
    if (std::find(names.begin(), names.end(), name->name) != names.end()) {
      places_.push_back({*name, part});
      return true;
    }
    const auto isOwn = [&](const auto& list, const auto& ids) {
      return std::any_of(ids.begin(), ids.end(), [&](auto id) { return list[id.value].name == name->name; });
    };
    if (isOwn(parts_.variables, owner->variables) || isOwn(parts_.clocks, owner->clocks))
      return addExpression(part);
    return complain({name->nameAt, name->nameAt + name->name.size()}, "'" + name->component +
                                                                          "' has no state or variable '" + name->name +
                                                                          "'" + alternatives(name->name, names));
  }

  /// Something with fields or literals is called that.
  bool isValue(const std::string& name) const {
    const auto called = [&](const auto& entity) { return entity.name == name; };
    return std::any_of(parts_.variables.begin(), parts_.variables.end(), called) ||
           std::any_of(parts_.enums.begin(), parts_.enums.end(), called) ||
           std::any_of(parts_.clocks.begin(), parts_.clocks.end(), called);
  }

  bool addExpression(Part part) {
    if (!expression_.empty())
      expression_ += " && ";
    moved_.push_back({expression_.size(), part});
    expression_ += text_.substr(part.begin, part.end - part.begin);
    return true;
  }

  /// A model's text together with a purpose that waits for the expression: so it means what it means there.
  std::optional<ir::Model> compiled(std::string text, bool complains) {
    CompileOptions options;
    options.includeDirs = source_.includeDirs;
    std::optional<Compilation> compilation = Compilation::create(options, io_);
    if (!expression_.empty()) {
      text += "\npurpose " + std::string(kPurpose) + " for " + system_ + " {\n  state Waiting { tau when ";
      start_ = text.size();
      text += expression_ + "\n -> accept; }\n}\n";
    }
    std::optional<ir::Model> model = compilation->compile(source_.path, std::move(text));
    if (!model && complains)
      showError(compilation->diagnostics());
    return model;
  }

  /// The same where every component is an automaton of its own, so that its variables have names even if others are
  /// made of the same automaton. Constants have none there.
  std::optional<ir::Model> compiledParts() {
    std::optional<ir::Model> model = compiled(ir::print(parts_), false);
    if (!model)
      return std::nullopt;
    const auto likeInFile = [](auto& to, const auto& from) {
      for (size_t i = 0; i < from.size(); ++i)
        to[i].span = from[i].span;
    };
    likeInFile(model->edges, parts_.edges);
    likeInFile(model->variables, parts_.variables);
    likeInFile(model->locations, parts_.locations);
    return model;
  }

  std::optional<Question> compile() {
    std::optional<ir::Model> model = compiled(source_.text, false);
    if (!model)
      model = compiledParts();
    if (!model) {
      compiled(source_.text, true);
      return std::nullopt;
    }
    const auto system = named(model->systems, system_, "system", io_, [](const ir::System&) { return true; });
    if (!system)
      return std::nullopt;
    Question result{prepare(*model, ir::SystemId(*system)), {}};
    if (!readPlaces(result))
      return std::nullopt;
    result.condition.guard.data = result.model.exprs.boolean(true);
    for (const ir::Automaton& automaton : result.model.automata)
      if (automaton.name == kPurpose)
        result.condition.guard = result.model[automaton.edges[0]].guard;
    return result;
  }

  void showError(const frontend::Diagnostics& diagnostics) {
    for (const frontend::Diagnostic& diagnostic : diagnostics.sorted()) {
      if (diagnostic.severity != frontend::Severity::Error)
        continue;
      const auto back = [&](size_t offset) { // to the condition
        offset = offset < start_ ? 0 : std::min(offset - start_, expression_.size());
        const Moved* from = &moved_[0];
        for (const Moved& part : moved_)
          if (part.at <= offset)
            from = &part;
        return std::min(from->from.begin + (offset - from->at), from->from.end);
      };
      const Part part{back(diagnostic.span.begin), back(diagnostic.span.end)};
      std::string message = diagnostic.message;
      if (const size_t at = message.find(kBehind); at != std::string::npos && part.begin == part.end)
        message.replace(at, kBehind.size(), "the end");
      complain(part, message);
      if (const auto place = dotted(text_, part); place && component(place->component))
        io_.err << "  note: a place stands beside other conditions, joined to them by &&\n";
      for (const frontend::Note& note : diagnostic.notes)
        io_.err << "  note: " << note.text << "\n";
      return;
    }
  }

  bool readPlaces(Question& question) {
    std::vector<std::pair<std::string, std::vector<ir::LocationId>>> allowed; // by component
    for (const Place& place : places_) {
      const auto owner = std::find_if(question.model.automata.begin(), question.model.automata.end(),
                                      [&](const ir::Automaton& a) { return a.name == place.name.component; });
      auto known = std::find_if(allowed.begin(), allowed.end(),
                                [&](const auto& entry) { return entry.first == place.name.component; });
      if (known == allowed.end())
        known = allowed.insert(allowed.end(), {place.name.component, owner->locations});
      std::erase_if(known->second, [&](ir::LocationId id) {
        return (question.model[id].name == place.name.name) == place.name.negated;
      });
      if (known->second.empty())
        return complain(place.part, "'" + place.name.component + "' cannot be there together with the rest");
    }
    for (const auto& [name, locations] : allowed)
      question.condition.locations.insert(question.condition.locations.end(), locations.begin(), locations.end());
    return true;
  }

  const std::string& text_;
  const SourceText& source_;
  std::string system_;
  ir::Model parts_; // the system, for its names
  Io& io_;
  std::vector<Place> places_;
  std::string expression_;
  std::vector<Moved> moved_;
  size_t start_ = 0; // of the expression in the compiled text
};

} // namespace

std::optional<Question> readCondition(const std::string& condition, const SourceText& source, const ir::Model& model,
                                      ir::SystemId system, Io& io) {
  return Reader(condition, source, model, system, io).read();
}

} // namespace tioc::driver
