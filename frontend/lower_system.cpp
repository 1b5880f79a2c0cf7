#include "frontend/lowering.hpp"

#include "ir/print.hpp"

#include <algorithm>
#include <set>

namespace tioc::frontend {

using namespace syntax;
using ir::Rational;

namespace {

constexpr int64_t kMaxReplicas = 10000;

std::string count(size_t n, const char* noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

} // namespace

/// Every automaton without parameters is a system of its own; then come the declared ones.
void Lowering::declareSystems() {
  for (AutomatonScope& scope : automata_) {
    const ir::Automaton& automaton = model_[scope.id];
    if (automaton.kind == ir::AutomatonKind::Purpose || !automaton.parameters.empty())
      continue;
    scope.system = ir::SystemId(model_.systems.size());
    ir::System system;
    system.name = automaton.name;
    system.composition =
        automaton.kind == ir::AutomatonKind::Ests ? ir::Composition::Queue : ir::Composition::Rendezvous;
    system.implicit = true;
    system.span = automaton.span;
    system.components.push_back({automaton.name, scope.id, {}, automaton.span});
    model_.systems.push_back(std::move(system));
  }
  for (Symbol& symbol : symbols_) {
    if (symbol.kind != SymbolKind::System)
      continue;
    symbol.index = static_cast<uint32_t>(model_.systems.size());
    ir::System system;
    system.name = uniqueName(symbol.module, symbol.name.text);
    system.composition =
        static_cast<const System*>(symbol.decl)->queue ? ir::Composition::Queue : ir::Composition::Rendezvous;
    system.span = symbol.name.span;
    model_.systems.push_back(std::move(system));
  }
}

void Lowering::lowerSystems() {
  for (Symbol& symbol : symbols_)
    if (symbol.kind == SymbolKind::System)
      lowerSystem(symbol);
}

void Lowering::lowerSystem(Symbol& symbol) {
  if (symbol.state == Symbol::State::Open) {
    diagnostics_.report(Kind::RecursiveDefinition, symbol.name.span, {"system", std::string(symbol.name.text)});
    symbol.state = Symbol::State::Broken;
  }
  if (symbol.state != Symbol::State::New)
    return;
  symbol.state = Symbol::State::Open;
  ir::System result = model_.systems[symbol.index];
  for (const Component& component : static_cast<const System*>(symbol.decl)->components) {
    if (component.index.text.empty()) {
      lowerComponent(component, symbol.module, result, std::nullopt);
      continue;
    }
    Scope scope;
    scope.module = symbol.module;
    std::optional<Rational> first = wholeNumber(component.first, scope, "the first index");
    std::optional<Rational> last = wholeNumber(component.last, scope, "the last index");
    if (!first || !last)
      continue;
    if (*last < *first || *last - *first >= Rational(kMaxReplicas)) {
      diagnostics_.report(Kind::BadRange, component.span,
                          {"a component is repeated 1 to " + std::to_string(kMaxReplicas) + " times"});
      continue;
    }
    for (Rational i = *first; i <= *last; i = i + 1)
      if (size_t errors = diagnostics_.hardErrors();
          !lowerComponent(component, symbol.module, result, i) || diagnostics_.hardErrors() != errors)
        break;
  }
  std::set<std::string> names;
  for (const ir::Component& component : result.components)
    if (!names.insert(component.name).second) {
      std::string name = model_[component.automaton].name;
      diagnostics_.report(Kind::DuplicateComponent, component.span, {component.name, name, name});
      break;
    }
  model_.systems[symbol.index] = std::move(result);
  if (symbol.state != Symbol::State::Broken)
    symbol.state = Symbol::State::Done;
}

bool Lowering::lowerComponent(const Component& component, size_t module, ir::System& result,
                              std::optional<Rational> replica) {
  Symbol* symbol = find(component.automaton, module);
  if (!symbol)
    return false;
  std::string shown(component.automaton.parts.back().text);
  bool queue = result.composition == ir::Composition::Queue;
  std::string suffix;
  if (replica)
    suffix = "_" + (replica->sign() < 0 ? "m" + (-*replica).toString() : replica->toString());
  if (symbol->kind == SymbolKind::System) {
    if (queue || replica || !component.arguments.empty()) {
      diagnostics_.report(Kind::WrongComponent, component.span,
                          {shown, "a system", "a system can only be joined to others by '||', as it is"});
      return false;
    }
    lowerSystem(*symbol);
    const ir::System inner = model_.systems[symbol->index];
    if (inner.composition == ir::Composition::Queue) {
      diagnostics_.report(Kind::WrongComponent, component.span, {shown, "a queue of ests", "'||' joins tiosts"});
      return false;
    }
    for (const ir::Component& part : inner.components) {
      ir::Component copy = part;
      copy.span = component.span;
      if (!component.name.text.empty())
        copy.name = std::string(component.name.text) + "_" + copy.name;
      result.components.push_back(std::move(copy));
    }
    return true;
  }
  if (symbol->kind != SymbolKind::Automaton) {
    diagnostics_.report(Kind::WrongKindOfName, component.automaton.span,
                        {shown, describe(symbol->kind), "an automaton"});
    return false;
  }
  ir::AutomatonId id(symbol->index);
  ir::AutomatonKind wanted = queue ? ir::AutomatonKind::Ests : ir::AutomatonKind::Tiosts;
  if (model_[id].kind != wanted) {
    static constexpr const char* kKinds[] = {"a tiosts", "an ests", "a vdta", "a purpose"};
    diagnostics_
        .report(
            Kind::WrongComponent, component.span,
            {shown, kKinds[static_cast<size_t>(model_[id].kind)], queue ? "'queue' joins ests" : "'||' joins tiosts"})
        .note(symbol->name.span, "it is declared here");
    return false;
  }
  const std::vector<ir::Member> parameters = model_[id].parameters;
  if (parameters.size() != component.arguments.size()) {
    diagnostics_
        .report(Kind::WrongArgumentCount, component.span,
                {"'" + shown + "'", count(parameters.size(), "argument"), std::to_string(component.arguments.size())})
        .note(symbol->name.span, "it is declared here");
    return false;
  }
  Scope scope;
  scope.module = module;
  if (replica)
    scope.replica = {component.index.text, model_.exprs.integer(*replica)};
  ir::Component part;
  part.name = (component.name.text.empty() ? model_[id].name : std::string(component.name.text)) + suffix;
  part.automaton = id;
  part.span = component.span;
  for (size_t i = 0; i < parameters.size(); ++i) {
    ExprId argument = parameters[i].type.valid()
                          ? constant(component.arguments[i], scope, "an argument of a component", parameters[i].type)
                          : ExprId();
    if (!argument.valid())
      return false;
    part.arguments.push_back(argument);
  }
  result.components.push_back(std::move(part));
  return true;
}

std::optional<ir::SystemId> Lowering::subject(const QualifiedName& name, size_t module) {
  Symbol* symbol = find(name, module);
  if (!symbol)
    return std::nullopt;
  if (symbol->kind == SymbolKind::System)
    return ir::SystemId(symbol->index);
  std::string shown(name.parts.back().text);
  if (symbol->kind != SymbolKind::Automaton || model_.automata[symbol->index].kind == ir::AutomatonKind::Purpose) {
    const char* what = symbol->kind == SymbolKind::Automaton ? "a purpose" : describe(symbol->kind);
    diagnostics_.report(Kind::WrongKindOfName, name.span, {shown, what, "a system or an automaton"});
    return std::nullopt;
  }
  const AutomatonScope& scope = automata_[symbol->index];
  if (!scope.system.valid()) {
    diagnostics_
        .report(Kind::WrongArgumentCount, name.span,
                {"'" + shown + "'", count(model_.automata[symbol->index].parameters.size(), "argument"), "0"})
        .note({}, "give them in a system, as in 'system S = " + shown + "(…);'");
    return std::nullopt;
  }
  return scope.system;
}

// ---- suites

void Lowering::lowerSuites() {
  for (Symbol& symbol : symbols_) {
    if (symbol.kind != SymbolKind::Suite)
      continue;
    const auto& syntax = *static_cast<const Suite*>(symbol.decl);
    ir::Suite suite;
    suite.name = uniqueName(symbol.module, syntax.name.text);
    suite.span = syntax.name.span;
    std::optional<ir::SystemId> of = subject(syntax.subject, symbol.module);
    if (!of)
      continue;
    suite.subject = *of;
    std::set<std::string_view> seen;
    for (const Setting& setting : syntax.settings) {
      if (!seen.insert(setting.key.text).second)
        diagnostics_.report(Kind::DuplicateSetting, setting.key.span, {std::string(setting.key.text)});
      lowerSetting(setting, symbol.module, suite);
    }
    if (diagnostics_.hardErrors() == 0 && suite.purposes.empty() && suite.goals.empty() && !suite.random &&
        !suite.digital)
      diagnostics_.report(Kind::EmptySuite, syntax.name.span, {suite.name});
    model_.suites.push_back(std::move(suite));
  }
}

namespace {

/// Reads a list of words of one enumeration; the first that is none is returned.
template <class T>
const Name* readWords(const Setting& setting, std::initializer_list<T> values, std::vector<T>& out) {
  for (const Name& word : setting.values) {
    auto it = std::find_if(values.begin(), values.end(), [&](T value) { return word.text == ir::word(value); });
    if (it == values.end())
      return &word;
    out.push_back(*it);
  }
  return nullptr;
}

template <class T>
std::string listOf(std::initializer_list<T> values) {
  std::string text;
  for (T value : values)
    text += (text.empty() ? "" : ", ") + std::string(ir::word(value));
  return "one or more of " + text;
}

} // namespace

void Lowering::lowerSetting(const Setting& setting, size_t module, ir::Suite& suite) {
  using ir::DataChoice, ir::Goal, ir::Timing;
  static constexpr std::initializer_list<Goal> kGoals = {
      Goal::States, Goal::Edges, Goal::EdgePairs, Goal::DefUse, Goal::Boundary, Goal::Conditions, Goal::Purposes};
  static constexpr std::initializer_list<Timing> kTimings = {Timing::Earliest, Timing::Latest, Timing::Middle,
                                                             Timing::Boundary, Timing::Random};
  static constexpr std::initializer_list<DataChoice> kData = {DataChoice::Any, DataChoice::Boundary,
                                                              DataChoice::Random};
  std::string key(setting.key.text);
  auto bad = [&](const Name* at, const std::string& wanted) {
    if (at)
      diagnostics_.report(Kind::BadSetting, at->span, {key, wanted});
  };
  auto number = [&]() -> std::optional<Rational> {
    return setting.values.size() == 1 ? Rational::parse(setting.values[0].text) : std::nullopt;
  };
  auto whole = [&](auto& slot) {
    std::optional<Rational> value = number();
    std::optional<int64_t> small = value ? value->toInt64() : std::nullopt;
    if (!small || *small > INT32_MAX)
      bad(&setting.values[0], "a whole number");
    else
      slot = static_cast<uint32_t>(*small);
  };
  if (key == "purpose") {
    for (const Name& word : setting.values) {
      Symbol* symbol = findSimple(word.text, word.span, module, false);
      if (!symbol)
        continue;
      bool purpose =
          symbol->kind == SymbolKind::Automaton && model_.automata[symbol->index].kind == ir::AutomatonKind::Purpose;
      if (!purpose) {
        diagnostics_.report(Kind::WrongKindOfName, word.span,
                            {std::string(word.text), describe(symbol->kind), "a purpose"});
        continue;
      }
      ir::SystemId of = model_.automata[symbol->index].subject;
      if (of.valid() && of != suite.subject)
        diagnostics_.report(Kind::PurposeOfOther, word.span,
                            {std::string(word.text), model_[of].name, model_[suite.subject].name});
      suite.purposes.push_back(ir::AutomatonId(symbol->index));
    }
  } else if (key == "cover") {
    bad(readWords(setting, kGoals, suite.goals), listOf(kGoals));
  } else if (key == "timing") {
    bad(readWords(setting, kTimings, suite.timings), listOf(kTimings));
  } else if (key == "data") {
    bad(readWords(setting, kData, suite.data), listOf(kData));
  } else if (key == "random") {
    whole(suite.random);
  } else if (key == "length") {
    whole(suite.length);
  } else if (key == "depth") {
    whole(suite.depth);
  } else if (key == "loops") {
    whole(suite.loops);
  } else if (key == "digital") {
    whole(suite.digital);
  } else if (key == "seed") {
    whole(suite.seed);
  } else if (key == "tolerance") {
    std::optional<Rational> value = number();
    if (!value)
      bad(&setting.values[0], "a number of time units");
    else
      suite.tolerance = *value;
  } else {
    static const std::vector<std::string> kKeys = {"purpose", "cover", "timing",  "data", "random",   "length",
                                                   "depth",   "loops", "digital", "seed", "tolerance"};
    std::string list;
    for (const std::string& one : kKeys)
      list += (list.empty() ? "" : ", ") + one;
    Diagnostic& d = diagnostics_.report(Kind::UnknownSetting, setting.key.span, {key, list});
    if (auto guess = didYouMean(key, kKeys))
      d.note({}, "did you mean '" + *guess + "'?");
  }
}

} // namespace tioc::frontend
