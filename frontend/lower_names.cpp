#include "frontend/lowering.hpp"

#include <algorithm>

namespace tioc::frontend {

using namespace syntax;

const char* Lowering::describe(SymbolKind kind) {
  switch (kind) {
  case SymbolKind::Constant:
    return "a constant";
  case SymbolKind::Enum:
    return "an enumeration";
  case SymbolKind::EnumLiteral:
    return "an enumeration literal";
  case SymbolKind::Record:
    return "a record type";
  case SymbolKind::Alias:
    return "a type";
  case SymbolKind::Function:
    return "a function";
  case SymbolKind::Channel:
    return "a channel";
  case SymbolKind::Variable:
    return "a variable";
  case SymbolKind::Clock:
    return "a clock";
  case SymbolKind::Automaton:
    return "an automaton";
  case SymbolKind::System:
    return "a system";
  case SymbolKind::Suite:
    return "a suite";
  }
  return "a name";
}

void Lowering::unknown(std::string_view name, Span at, const std::vector<std::string>& candidates) {
  Diagnostic& d = diagnostics_.report(Kind::UnknownName, at, {std::string(name)});
  if (std::optional<std::string> guess = didYouMean(name, candidates))
    d.note({}, "did you mean '" + *guess + "'?");
}

std::vector<std::string> Lowering::visibleNames(const Scope& scope) const {
  std::vector<std::string> result;
  auto addModule = [&](size_t module) {
    for (const auto& [name, id] : modules_[module].names)
      result.emplace_back(name);
    for (const auto& [name, id] : modules_[module].literals)
      result.emplace_back(name);
  };
  if (scope.bound)
    for (const BoundName& bound : *scope.bound)
      result.emplace_back(bound.name.text);
  if (scope.parameters)
    for (const Parameter& parameter : *scope.parameters)
      result.emplace_back(parameter.name.text);
  auto addAutomaton = [&](const AutomatonScope& automaton) {
    for (const LocalSymbol& local : automaton.locals)
      result.emplace_back(local.name.text);
  };
  if (scope.automaton)
    addAutomaton(*scope.automaton);
  for (AutomatonScope* subject : scope.subjects)
    addAutomaton(*subject);
  addModule(scope.module);
  for (size_t import : program_.modules[scope.module].imports)
    addModule(import);
  // Hash tables have no order of their own; the suggestion must not depend on it.
  std::sort(result.begin(), result.end());
  return result;
}

LocalSymbol* Lowering::localOf(AutomatonScope& automaton, std::string_view name) {
  auto it = automaton.names.find(name);
  return it == automaton.names.end() ? nullptr : &automaton.locals[it->second];
}

/// Own names first, then imported ones; enumeration literals count as names where they are the only ones of that name.
Symbol* Lowering::findSimple(std::string_view name, Span at, size_t module, bool quiet) {
  auto candidates = [&](size_t where) {
    std::vector<SymbolId> found;
    if (auto it = modules_[where].names.find(name); it != modules_[where].names.end())
      found.push_back(it->second);
    auto [begin, end] = modules_[where].literals.equal_range(name);
    for (auto it = begin; it != end; ++it)
      found.push_back(it->second);
    return found;
  };
  std::vector<SymbolId> found = candidates(module);
  if (found.empty())
    for (size_t import : program_.modules[module].imports) {
      std::vector<SymbolId> more = candidates(import);
      found.insert(found.end(), more.begin(), more.end());
    }
  if (found.empty()) {
    if (!quiet) {
      Scope scope;
      scope.module = module;
      unknown(name, at, visibleNames(scope));
    }
    return nullptr;
  }
  std::sort(found.begin(), found.end());
  if (found.size() > 1 && quiet)
    return nullptr;
  if (found.size() > 1) {
    std::string choices;
    for (SymbolId id : found) {
      const Symbol& symbol = symbols_[id];
      std::string owner =
          symbol.kind == SymbolKind::EnumLiteral ? model_[symbol.enumeration].name : modules_[symbol.module].dotted;
      choices += (choices.empty() ? "" : " or ") + owner + "." + std::string(name);
    }
    diagnostics_.report(Kind::AmbiguousName, at, {std::string(name), choices});
    return nullptr;
  }
  symbols_[found[0]].used = true;
  return &symbols_[found[0]];
}

Symbol* Lowering::find(const QualifiedName& name, size_t module, bool quiet) {
  if (name.parts.size() == 1)
    return findSimple(name.parts[0].text, name.span, module, quiet);
  // `Enum.literal`, with or without its module in front.
  std::string prefix;
  for (size_t i = 0; i + 1 < name.parts.size(); ++i)
    prefix += (i ? "." : "") + std::string(name.parts[i].text);
  std::string_view last = name.parts.back().text;
  auto inModule = [&](size_t where) -> Symbol* {
    auto it = modules_[where].names.find(last);
    if (it == modules_[where].names.end())
      return nullptr;
    symbols_[it->second].used = true;
    return &symbols_[it->second];
  };
  std::vector<size_t> visible = program_.modules[module].imports;
  visible.push_back(module);
  for (size_t where : visible)
    if (modules_[where].dotted == prefix)
      if (Symbol* symbol = inModule(where))
        return symbol;
  QualifiedName owner{{name.parts.begin(), name.parts.end() - 1}, name.span};
  Symbol* symbol = find(owner, module, true);
  if (symbol && symbol->kind == SymbolKind::Enum) {
    auto [begin, end] = modules_[symbol->module].literals.equal_range(last);
    for (auto it = begin; it != end; ++it)
      if (symbols_[it->second].enumeration.value == symbol->index) {
        symbols_[it->second].used = true;
        return &symbols_[it->second];
      }
    if (!quiet) {
      Diagnostic& d =
          diagnostics_.report(Kind::UnknownField, name.span, {"enumeration '" + prefix + "'", std::string(last)});
      if (auto guess = didYouMean(last, model_.enums[symbol->index].literals))
        d.note({}, "did you mean '" + *guess + "'?");
    }
    return nullptr;
  }
  if (!quiet) {
    std::string text = prefix + "." + std::string(last);
    Scope scope;
    scope.module = module;
    unknown(text, name.span, {});
  }
  return nullptr;
}

Symbol* Lowering::expect(const QualifiedName& name, size_t module, SymbolKind kind, const char* what) {
  Symbol* symbol = nullptr;
  // The place says what kind is meant, so an enumeration literal of the same name is no rival.
  if (auto it = modules_[module].names.find(name.parts[0].text);
      name.parts.size() == 1 && it != modules_[module].names.end()) {
    symbol = &symbols_[it->second];
    symbol->used = true;
  } else {
    symbol = find(name, module);
  }
  if (symbol && symbol->kind != kind) {
    diagnostics_
        .report(Kind::WrongKindOfName, name.span, {std::string(name.parts.back().text), describe(symbol->kind), what})
        .note(symbol->name.span, "it is declared here");
    return nullptr;
  }
  return symbol;
}

/// `a.b.c` as a name, or one without parts if the expression is something else.
QualifiedName Lowering::asQualified(const Module& tree, ExprRef ref) const {
  QualifiedName result;
  result.span = tree.exprs[ref].span;
  while (tree.exprs[ref].kind == ExprKind::Field) {
    result.parts.push_back({tree.exprs[ref].text, tree.exprs[ref].span});
    ref = tree.child(tree.exprs[ref], 0);
  }
  if (tree.exprs[ref].kind != ExprKind::Name)
    return {};
  result.parts.push_back({tree.exprs[ref].text, tree.exprs[ref].span});
  std::reverse(result.parts.begin(), result.parts.end());
  return result;
}

} // namespace tioc::frontend
