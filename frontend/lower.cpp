#include "frontend/lower.hpp"

#include "frontend/lowering.hpp"

#include "ir/verify.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace tioc::frontend {

using namespace syntax;
using ir::Rational;

Lowering::Lowering(const Program& program, Diagnostics& diagnostics)
    : program_(program), diagnostics_(diagnostics), modules_(program.modules.size()) {
  for (const LoadedModule& module : program.modules)
    clockMemo_.emplace_back(module.syntax.exprs.size(), int8_t(-1));
}

std::optional<ir::Model> Lowering::run() {
  declareModules();
  resolveTypes();
  sharedTypes();
  for (Symbol& symbol : symbols_) {
    if (symbol.kind == SymbolKind::Constant)
      resolveConstant(symbol);
    else if (symbol.kind == SymbolKind::Function)
      resolveFunction(symbol);
  }
  sharedDeclarations();
  declareAutomata();
  declareSystems();
  lowerSystems();
  lowerAutomata();
  lowerSuites();
  if (diagnostics_.hardErrors() > 0)
    return std::nullopt;
  checkRules(model_, diagnostics_);
  unusedNames();
  if (diagnostics_.hasErrors())
    return std::nullopt;
  if (std::vector<std::string> problems = ir::verify(model_); !problems.empty()) {
    std::fprintf(stderr, "tioc: internal error: the frontend made a broken model: %s\n", problems.front().c_str());
    std::abort();
  }
  return std::move(model_);
}

// ---- declarations

void Lowering::declare(SymbolKind kind, size_t module, const Name& name, const void* decl, uint32_t index) {
  auto id = static_cast<SymbolId>(symbols_.size());
  auto [it, fresh] = modules_[module].names.try_emplace(name.text, id);
  if (!fresh) {
    diagnostics_.report(Kind::DuplicateName, name.span, {std::string(name.text)})
        .note(symbols_[it->second].name.span, "the first declaration is here");
  }
  Symbol symbol{.kind = kind, .name = name, .module = module, .decl = decl, .index = index};
  symbols_.push_back(std::move(symbol));
}

/// Names of the model are unique even where two modules share one.
std::string Lowering::uniqueName(size_t module, std::string_view name) {
  std::string result(name);
  // The root's names stay as they are; those of its imports give way.
  bool taken = module + 1 != modules_.size() && rootNames_.contains(result);
  if (taken || topNames_.contains(result)) {
    result = modules_[module].dotted + "_" + result;
    std::replace(result.begin(), result.end(), '.', '_');
    while (topNames_.contains(result) || rootNames_.contains(result))
      result += "_";
  }
  topNames_.emplace(result, 0);
  return result;
}

void Lowering::timescale(size_t module, const Timescale& scale, bool& seen) {
  if (seen) {
    diagnostics_.report(Kind::TimescaleRepeated, scale.amount);
    return;
  }
  seen = true;
  std::string text(scale.text);
  std::string unit(scale.unit.text);
  if (unit.empty()) {
    size_t digits = text.find_first_not_of("0123456789.");
    unit = text.substr(digits);
    text = text.substr(0, digits);
  }
  static const std::map<std::string, Rational> kUnits = {{"ns", Rational(1, 1000000000)},
                                                         {"us", Rational(1, 1000000)},
                                                         {"ms", Rational(1, 1000)},
                                                         {"s", 1},
                                                         {"min", 60},
                                                         {"h", 3600}};
  std::optional<Rational> amount = Rational::parse(text);
  std::optional<Rational> divisor = scale.divisor.text.empty() ? Rational(1) : Rational::parse(scale.divisor.text);
  auto known = kUnits.find(unit);
  if (!amount || amount->sign() <= 0 || !divisor || divisor->isZero() || known == kUnits.end()) {
    diagnostics_.report(Kind::BadTimescale, scale.amount, {text + " " + unit});
    return;
  }
  modules_[module].secondsPerUnit = *amount / *divisor * known->second;
  modules_[module].timescale = scale.amount;
}

void Lowering::declareModules() {
  for (size_t m = 0; m < program_.modules.size(); ++m) {
    const Module& module = program_.modules[m].syntax;
    for (const Name& part : module.name.parts)
      modules_[m].dotted += (modules_[m].dotted.empty() ? "" : ".") + std::string(part.text);
    bool seen = false;
    for (const Item& item : module.items)
      if (const auto* scale = std::get_if<Timescale>(&item))
        timescale(m, *scale, seen);
  }
  // The root's timescale counts; without one, what the imports state.
  model_.name = modules_.back().dotted;
  const ModuleScope* chosen = nullptr;
  for (size_t m = modules_.size(); m-- > 0;)
    if (modules_[m].timescale.valid()) {
      if (!chosen)
        chosen = &modules_[m];
      else if (modules_[m].secondsPerUnit != chosen->secondsPerUnit)
        diagnostics_.report(Kind::TimescaleDiffers, modules_[m].timescale).note(chosen->timescale, "it is stated here");
    }
  if (chosen)
    model_.secondsPerUnit = chosen->secondsPerUnit;
  for (const Item& item : program_.modules.back().syntax.items)
    std::visit(
        [&](const auto& decl) {
          if constexpr (requires { decl.name.text; })
            rootNames_.emplace(decl.name.text);
        },
        item);
  for (size_t m = 0; m < program_.modules.size(); ++m)
    for (const Item& item : program_.modules[m].syntax.items)
      declareItem(m, item);
}

void Lowering::declareItem(size_t m, const Item& item) {
  if (const auto* c = std::get_if<Const>(&item)) {
    declare(SymbolKind::Constant, m, c->name, c, 0);
  } else if (const auto* e = std::get_if<Enum>(&item)) {
    ir::EnumId id(model_.enums.size());
    ir::Enum result{uniqueName(m, e->name.text), {}, e->name.span};
    declare(SymbolKind::Enum, m, e->name, e, id.value);
    for (const Name& literal : e->literals) {
      if (std::find(result.literals.begin(), result.literals.end(), literal.text) != result.literals.end())
        diagnostics_.report(Kind::DuplicateName, literal.span, {std::string(literal.text)});
      else
        modules_[m].literals.emplace(literal.text, static_cast<SymbolId>(symbols_.size()));
      Symbol symbol{.kind = SymbolKind::EnumLiteral, .name = literal, .module = m, .decl = e};
      symbol.index = static_cast<uint32_t>(result.literals.size());
      symbol.enumeration = id;
      symbols_.push_back(std::move(symbol));
      result.literals.emplace_back(literal.text);
    }
    model_.enums.push_back(std::move(result));
  } else if (const auto* r = std::get_if<Record>(&item)) {
    declare(SymbolKind::Record, m, r->name, r, static_cast<uint32_t>(model_.records.size()));
    ir::Record result{uniqueName(m, r->name.text), {}, r->name.span};
    for (const Parameter& field : r->fields)
      result.fields.push_back({std::string(field.name.text), {}});
    model_.records.push_back(std::move(result));
  } else if (const auto* a = std::get_if<Alias>(&item)) {
    declare(SymbolKind::Alias, m, a->name, a, 0);
  } else if (const auto* f = std::get_if<Function>(&item)) {
    declare(SymbolKind::Function, m, f->name, f, 0);
  } else if (const auto* ch = std::get_if<Channel>(&item)) {
    declare(SymbolKind::Channel, m, ch->name, ch, static_cast<uint32_t>(model_.channels.size()));
    static constexpr ir::Direction kDirections[] = {ir::Direction::Input, ir::Direction::Output, ir::Direction::Inout,
                                                    ir::Direction::Internal};
    ir::Channel result{.name = uniqueName(m, ch->name.text), .direction = kDirections[static_cast<size_t>(ch->kind)]};
    result.broadcast = ch->broadcast;
    result.open = ch->open;
    result.span = ch->name.span;
    if (ch->open && ch->kind != ChannelKind::Internal)
      diagnostics_.report(Kind::OpenNotInternal, ch->openSpan, {std::string(ch->name.text)});
    model_.channels.push_back(std::move(result));
  } else if (const auto* v = std::get_if<Variable>(&item)) {
    declare(SymbolKind::Variable, m, v->name, v, static_cast<uint32_t>(model_.variables.size()));
    model_.variables.push_back({.name = uniqueName(m, v->name.text), .span = v->name.span});
  } else if (const auto* c2 = std::get_if<Clock>(&item)) {
    declare(SymbolKind::Clock, m, c2->name, c2, static_cast<uint32_t>(model_.clocks.size()));
    model_.clocks.push_back({uniqueName(m, c2->name.text), {}, c2->name.span});
  } else if (const auto* au = std::get_if<Automaton>(&item)) {
    declare(SymbolKind::Automaton, m, au->name, au, static_cast<uint32_t>(model_.automata.size()));
    static constexpr ir::AutomatonKind kKinds[] = {ir::AutomatonKind::Tiosts, ir::AutomatonKind::Ests,
                                                   ir::AutomatonKind::Vdta, ir::AutomatonKind::Purpose};
    ir::Automaton result;
    result.name = uniqueName(m, au->name.text);
    result.kind = kKinds[static_cast<size_t>(au->kind)];
    result.span = au->name.span;
    AutomatonScope scope;
    scope.syntax = au;
    scope.module = m;
    scope.id = ir::AutomatonId(model_.automata.size());
    automata_.push_back(std::move(scope));
    model_.automata.push_back(std::move(result));
  } else if (const auto* sy = std::get_if<System>(&item)) {
    declare(SymbolKind::System, m, sy->name, sy, 0);
  } else if (const auto* su = std::get_if<Suite>(&item)) {
    declare(SymbolKind::Suite, m, su->name, su, 0);
  }
}

void Lowering::resolveTypes() {
  for (Symbol& symbol : symbols_) {
    if (symbol.kind == SymbolKind::Alias) {
      bool used = symbol.used;
      namedType({{symbol.name}, symbol.name.span}, symbol.module);
      symbol.used = used;
      continue;
    }
    if (symbol.kind != SymbolKind::Record && symbol.kind != SymbolKind::Channel)
      continue;
    const auto& members = symbol.kind == SymbolKind::Record ? static_cast<const Record*>(symbol.decl)->fields
                                                            : static_cast<const Channel*>(symbol.decl)->parameters;
    for (size_t i = 0; i < members.size(); ++i) {
      TypeId resolved = type(members[i].type, symbol.module);
      if (symbol.kind == SymbolKind::Record)
        model_.records[symbol.index].fields[i].type = resolved;
      else
        model_.channels[symbol.index].parameters.push_back({std::string(members[i].name.text), resolved});
      for (size_t j = 0; j < i; ++j)
        if (members[j].name.text == members[i].name.text)
          diagnostics_.report(Kind::DuplicateName, members[i].name.span, {std::string(members[i].name.text)});
    }
  }
  for (const Symbol& symbol : symbols_) {
    if (symbol.kind != SymbolKind::Record)
      continue;
    for (ir::Member& field : model_.records[symbol.index].fields) {
      std::vector<bool> seen(model_.records.size());
      if (field.type.valid() && containsRecord(field.type, ir::RecordId(symbol.index), seen)) {
        diagnostics_.report(Kind::RecursiveDefinition, symbol.name.span, {"record", std::string(symbol.name.text)});
        field.type = {}; // cuts the circle, so that nothing follows it for ever
        break;
      }
    }
  }
}

void Lowering::resolveConstant(Symbol& symbol) {
  if (symbol.state == Symbol::State::Open) {
    diagnostics_.report(Kind::RecursiveDefinition, symbol.name.span, {"constant", std::string(symbol.name.text)});
    symbol.state = Symbol::State::Broken;
  }
  if (symbol.state != Symbol::State::New)
    return;
  symbol.state = Symbol::State::Open;
  const auto& decl = *static_cast<const Const*>(symbol.decl);
  DepthGuard guard(*this, symbol);
  if (!guard.ok)
    return;
  Scope scope;
  scope.module = symbol.module;
  TypeId declared = decl.type ? type(*decl.type, symbol.module) : TypeId();
  Value value = decl.type && !declared.valid() ? Value{} : check(decl.value, scope, declared);
  Span at = tree(scope).exprs[decl.value].span;
  ExprId id = declared.valid() ? convert(value, declared, at) : value.id;
  if (id.valid() && !model_.exprs.isConstant(id)) {
    diagnostics_.report(Kind::NotConstant, at, {"the value of a constant"});
    id = {};
  }
  if (symbol.state == Symbol::State::Broken)
    return;
  symbol.value = id;
  symbol.type = declared.valid() ? declared : value.type;
  symbol.state = Symbol::State::Done;
}

void Lowering::resolveFunction(Symbol& symbol) {
  if (symbol.state == Symbol::State::Open) {
    diagnostics_.report(Kind::RecursiveDefinition, symbol.name.span, {"function", std::string(symbol.name.text)});
    symbol.state = Symbol::State::Broken;
  }
  if (symbol.state != Symbol::State::New)
    return;
  symbol.state = Symbol::State::Open;
  const auto& decl = *static_cast<const Function*>(symbol.decl);
  DepthGuard guard(*this, symbol);
  if (!guard.ok)
    return;
  for (size_t i = 0; i < decl.parameters.size(); ++i) {
    symbol.parameters.push_back(type(decl.parameters[i].type, symbol.module));
    for (size_t j = 0; j < i; ++j)
      if (decl.parameters[j].name.text == decl.parameters[i].name.text)
        diagnostics_.report(Kind::DuplicateName, decl.parameters[i].name.span,
                            {std::string(decl.parameters[i].name.text)});
  }
  TypeId result = type(decl.result, symbol.module);
  Scope scope;
  scope.module = symbol.module;
  scope.parameters = &decl.parameters;
  std::vector<TypeId> types = symbol.parameters;
  scope.parameterTypes = &types;
  Span at = tree(scope).exprs[decl.body].span;
  ExprId body = limited(convert(check(decl.body, scope, result), result, at), at);
  if (body.valid())
    model_.exprs.visit(body, [&](ExprId id) {
      if (model_.exprs.op(id) == ir::Op::Variable && body.valid()) {
        diagnostics_.report(Kind::NotConstant, at, {"a function depends on its parameters only; the rest of its body"});
        body = {};
      }
    });
  if (symbol.state == Symbol::State::Broken)
    return;
  symbol.value = body;
  symbol.type = result;
  symbol.state = Symbol::State::Done;
}

/// Before anything is evaluated: a constant that names a variable must find one.
void Lowering::sharedTypes() {
  for (Symbol& symbol : symbols_)
    if (symbol.kind == SymbolKind::Variable)
      model_.variables[symbol.index].type = type(static_cast<const Variable*>(symbol.decl)->type, symbol.module);
}

void Lowering::sharedDeclarations() {
  for (Symbol& symbol : symbols_) {
    if (symbol.kind != SymbolKind::Variable)
      continue;
    const auto& decl = *static_cast<const Variable*>(symbol.decl);
    Scope scope;
    scope.module = symbol.module;
    TypeId declared = model_.variables[symbol.index].type;
    if (decl.value != kNoExpr && declared.valid())
      model_.variables[symbol.index].initial = constant(decl.value, scope, "an initial value", declared);
  }
}

// ---- unused names

void Lowering::unusedNames() {
  size_t root = program_.modules.size() - 1;
  std::set<uint32_t> usedEnums;
  for (const Symbol& symbol : symbols_)
    if (symbol.kind == SymbolKind::EnumLiteral && symbol.used)
      usedEnums.insert(symbol.enumeration.value);
  for (const Symbol& symbol : symbols_) {
    if (symbol.module != root)
      continue; // a library need not be used as a whole
    std::string name(symbol.name.text);
    switch (symbol.kind) {
    case SymbolKind::Constant:
      if (!symbol.used)
        diagnostics_.report(Kind::UnusedDeclaration, symbol.name.span, {"constant", name});
      break;
    case SymbolKind::Function:
      if (!symbol.used)
        diagnostics_.report(Kind::UnusedDeclaration, symbol.name.span, {"function", name});
      break;
    case SymbolKind::Record:
    case SymbolKind::Alias:
      if (!symbol.used)
        diagnostics_.report(Kind::UnusedDeclaration, symbol.name.span, {"type", name});
      break;
    case SymbolKind::Enum:
      if (!symbol.used && !usedEnums.contains(symbol.index))
        diagnostics_.report(Kind::UnusedDeclaration, symbol.name.span, {"type", name});
      break;
    case SymbolKind::Channel:
      if (!symbol.used)
        diagnostics_.report(Kind::UnusedChannel, symbol.name.span, {name});
      break;
    case SymbolKind::Variable:
      if (!symbol.used)
        diagnostics_.report(Kind::UnusedVariable, symbol.name.span, {name});
      break;
    case SymbolKind::Clock:
      if (!symbol.tested)
        diagnostics_.report(Kind::UnusedClock, symbol.name.span, {name});
      break;
    case SymbolKind::Automaton:
      if (!symbol.used && !model_.automata[symbol.index].parameters.empty())
        diagnostics_.report(Kind::UnusedAutomaton, symbol.name.span, {name});
      break;
    case SymbolKind::EnumLiteral:
    case SymbolKind::System:
    case SymbolKind::Suite:
      break;
    }
  }
  for (const AutomatonScope& automaton : automata_) {
    if (automaton.module != root)
      continue;
    for (const LocalSymbol& local : automaton.locals) {
      std::string name(local.name.text);
      if (local.kind == LocalSymbol::Kind::Variable && !local.used)
        diagnostics_.report(Kind::UnusedVariable, local.name.span, {name});
      else if (local.kind == LocalSymbol::Kind::Clock && !local.tested)
        diagnostics_.report(Kind::UnusedClock, local.name.span, {name});
      else if (local.kind == LocalSymbol::Kind::Parameter && !local.used)
        diagnostics_.report(Kind::UnusedParameter, local.name.span, {name, ""});
    }
  }
}

std::optional<ir::Model> lower(const Program& program, Diagnostics& diagnostics) {
  return Lowering(program, diagnostics).run();
}

} // namespace tioc::frontend
