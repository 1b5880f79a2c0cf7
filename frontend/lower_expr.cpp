#include "frontend/lowering.hpp"

#include <algorithm>

namespace tioc::frontend {

using namespace syntax;
using ir::Rational;

namespace {

constexpr uint32_t kMaxDepth = 2000;
constexpr uint32_t kMaxTreeSize = 1000000;

const char* symbolOf(ExprKind kind) {
  switch (kind) {
  case ExprKind::Sum:
    return "+";
  case ExprKind::Product:
    return "*";
  case ExprKind::Divide:
    return "/";
  case ExprKind::Remainder:
    return "%";
  case ExprKind::Less:
    return "<";
  case ExprKind::LessEqual:
    return "<=";
  case ExprKind::Greater:
    return ">";
  case ExprKind::GreaterEqual:
    return ">=";
  case ExprKind::Equal:
    return "==";
  case ExprKind::NotEqual:
    return "!=";
  case ExprKind::And:
    return "&&";
  case ExprKind::Or:
    return "||";
  case ExprKind::Implies:
    return "=>";
  default:
    return "?";
  }
}

/// The amount and the unit of `20ms`, in seconds.
Rational seconds(std::string_view text) {
  size_t digits = text.find_first_not_of("0123456789.");
  Rational amount = *Rational::parse(text.substr(0, digits));
  std::string_view unit = text.substr(digits);
  if (unit == "ns")
    return amount / Rational(1000000000);
  if (unit == "us")
    return amount / Rational(1000000);
  if (unit == "ms")
    return amount / Rational(1000);
  if (unit == "min")
    return amount * Rational(60);
  if (unit == "h")
    return amount * Rational(3600);
  return amount;
}

} // namespace

ExprId Lowering::limited(ExprId id, Span at) {
  const Rational* number = id.valid() ? model_.exprs.number(id) : nullptr;
  if (id.valid() && (model_.exprs.depth(id) > kMaxDepth || model_.exprs.treeSize(id) > kMaxTreeSize ||
                     (number && number->isHuge()))) {
    diagnostics_.report(Kind::ExpressionTooLarge, at);
    return {};
  }
  return id;
}

Value Lowering::check(ExprRef ref, Scope& scope, TypeId expected) {
  const Module& source = tree(scope);
  const Expr& expr = source.exprs[ref];
  ir::ExprPool& pool = model_.exprs;
  switch (expr.kind) {
  case ExprKind::Error:
    return {};
  case ExprKind::Number: {
    Rational value = *Rational::parse(expr.text);
    if (expr.text.find('.') != std::string_view::npos)
      return {pool.real(value), model_.types.real()};
    return {pool.integer(value), model_.types.integer()};
  }
  case ExprKind::Time:
    return {pool.real(seconds(expr.text) / model_.secondsPerUnit), model_.types.real()};
  case ExprKind::True:
  case ExprKind::False:
    return {pool.boolean(expr.kind == ExprKind::True), model_.types.boolean()};
  case ExprKind::Name:
    return checkName(expr, scope);
  case ExprKind::Field:
    return checkField(expr, scope);
  case ExprKind::Index:
    return checkIndex(expr, scope);
  case ExprKind::Call:
    return checkCall(expr, scope);
  case ExprKind::Array:
  case ExprKind::Fill:
    return checkArray(expr, scope, expected);
  case ExprKind::Negate: {
    Value value = check(source.child(expr, 0), scope);
    if (!value.ok())
      return {};
    if (!model_.types.isNumeric(value.type)) {
      diagnostics_.report(Kind::BadOperand, expr.span, {"-", show(value.type)});
      return {};
    }
    return {pool.negate(value.id), model_.types.unranged(value.type)};
  }
  case ExprKind::Not: {
    Value value = check(source.child(expr, 0), scope);
    if (!value.ok())
      return {};
    if (value.type != model_.types.boolean()) {
      diagnostics_.report(Kind::BadOperand, expr.span, {"!", show(value.type)});
      return {};
    }
    return {pool.negation(value.id), value.type};
  }
  case ExprKind::Sum:
  case ExprKind::Product:
  case ExprKind::Divide:
  case ExprKind::Remainder:
    return checkArithmetic(expr, scope);
  case ExprKind::Less:
  case ExprKind::LessEqual:
  case ExprKind::Greater:
  case ExprKind::GreaterEqual:
  case ExprKind::Equal:
  case ExprKind::NotEqual:
    return checkComparison(expr, scope);
  case ExprKind::And:
  case ExprKind::Or:
  case ExprKind::Implies:
    return checkConnective(expr, scope);
  case ExprKind::Conditional:
    return checkConditional(expr, scope, expected);
  }
  return {};
}

Value Lowering::readLocal(AutomatonScope& owner, LocalSymbol& symbol, const Expr& expr, Scope& scope) {
  symbol.used = true;
  switch (symbol.kind) {
  case LocalSymbol::Kind::Variable:
    if (!symbol.type.valid())
      return {};
    return {model_.exprs.variable(ir::VariableId(symbol.index), symbol.type), symbol.type};
  case LocalSymbol::Kind::Parameter:
    if (!symbol.type.valid())
      return {};
    // Of a subject, a parameter is the value that its system gives it.
    if (auto it = scope.arguments.find(&owner); it != scope.arguments.end())
      return {(*it->second)[symbol.index], symbol.type};
    return {model_.exprs.parameter(symbol.index, symbol.type), symbol.type};
  case LocalSymbol::Kind::Clock:
    symbol.tested = true;
    diagnostics_.report(Kind::ClockNotAllowed, expr.span, {std::string(symbol.name.text)});
    return {};
  }
  return {};
}

Value Lowering::readSymbol(Symbol& symbol, Span at) {
  symbol.used = true;
  switch (symbol.kind) {
  case SymbolKind::Constant:
    resolveConstant(symbol);
    return {symbol.value, symbol.type};
  case SymbolKind::EnumLiteral: {
    TypeId type = model_.types.enumeration(symbol.enumeration);
    return {model_.exprs.enumLiteral(type, symbol.index), type};
  }
  case SymbolKind::Variable: {
    const ir::Variable& variable = model_.variables[symbol.index];
    if (!variable.type.valid())
      return {};
    return {model_.exprs.variable(ir::VariableId(symbol.index), variable.type), variable.type};
  }
  case SymbolKind::Clock:
    symbol.tested = true;
    diagnostics_.report(Kind::ClockNotAllowed, at, {std::string(symbol.name.text)});
    return {};
  default:
    diagnostics_.report(Kind::WrongKindOfName, at, {std::string(symbol.name.text), describe(symbol.kind), "a value"})
        .note(symbol.name.span, "it is declared here");
    return {};
  }
}

Value Lowering::checkName(const Expr& expr, Scope& scope) {
  std::string_view name = expr.text;
  if (scope.bound)
    for (BoundName& bound : *scope.bound)
      if (bound.name.text == name) {
        bound.used = true;
        bound.inGuard |= scope.inGuard;
        if (!bound.type.valid())
          return {};
        return {model_.exprs.local(bound.index, bound.type), bound.type};
      }
  if (scope.replica && scope.replica->first == name)
    return {scope.replica->second, model_.types.integer()};
  if (scope.parameters)
    for (size_t i = 0; i < scope.parameters->size(); ++i)
      if ((*scope.parameters)[i].name.text == name) {
        TypeId type = (*scope.parameterTypes)[i];
        if (!type.valid())
          return {};
        return {model_.exprs.parameter(static_cast<uint32_t>(i), type), type};
      }
  if (scope.automaton)
    if (LocalSymbol* local = localOf(*scope.automaton, name))
      return readLocal(*scope.automaton, *local, expr, scope);
  LocalSymbol* subjectLocal = nullptr;
  AutomatonScope* subjectOwner = nullptr;
  for (AutomatonScope* subject : scope.subjects)
    if (LocalSymbol* local = localOf(*subject, name)) {
      if (subjectLocal) {
        diagnostics_.report(Kind::AmbiguousName, expr.span, {std::string(name), "AUTOMATON." + std::string(name)});
        return {};
      }
      subjectLocal = local;
      subjectOwner = subject;
    }
  if (subjectLocal)
    return readLocal(*subjectOwner, *subjectLocal, expr, scope);
  Symbol* symbol = findSimple(name, expr.span, scope.module, true);
  if (symbol)
    return readSymbol(*symbol, expr.span);
  // Several things of that name, or none; the names of this place are the candidates.
  bool known = modules_[scope.module].literals.count(name) > 0;
  for (size_t import : program_.modules[scope.module].imports)
    known |= modules_[import].names.contains(name) || modules_[import].literals.count(name) > 0;
  if (known)
    findSimple(name, expr.span, scope.module, false);
  else
    unknown(name, expr.span, visibleNames(scope));
  return {};
}

Value Lowering::checkField(const Expr& expr, Scope& scope) {
  const Module& source = tree(scope);
  ExprRef baseRef = source.child(expr, 0);
  const Expr& base = source.exprs[baseRef];
  // A chain of names may be `module.name`, `Enum.literal` or `Automaton.variable` before it is a field of a value.
  if (base.kind == ExprKind::Name) {
    auto subject = scope.namedSubjects.find(base.text);
    if (subject != scope.namedSubjects.end()) {
      if (LocalSymbol* local = localOf(*subject->second, expr.text))
        return readLocal(*subject->second, *local, expr, scope);
      diagnostics_.report(Kind::UnknownField, expr.span, {"'" + std::string(base.text) + "'", std::string(expr.text)});
      return {};
    }
  }
  bool local = false;
  const Expr* root = &expr;
  while (root->kind == ExprKind::Field)
    root = &source.exprs[source.child(*root, 0)];
  if (root->kind == ExprKind::Name) {
    if (scope.bound)
      for (const BoundName& bound : *scope.bound)
        local |= bound.name.text == root->text;
    if (scope.parameters)
      for (const Parameter& parameter : *scope.parameters)
        local |= parameter.name.text == root->text;
    local |= scope.automaton && localOf(*scope.automaton, root->text);
    local |= scope.namedSubjects.contains(root->text);
    for (AutomatonScope* subject : scope.subjects)
      local |= localOf(*subject, root->text) != nullptr;
    if (!local) {
      QualifiedName name = asQualified(source, static_cast<ExprRef>(&expr - source.exprs.data()));
      Symbol* first = findSimple(root->text, root->span, scope.module, true);
      bool value = first && (first->kind == SymbolKind::Variable || first->kind == SymbolKind::Constant);
      if (!value) {
        if (Symbol* symbol = find(name, scope.module, true))
          return readSymbol(*symbol, expr.span);
        // `module.constant.field`: the name ends before the last step.
        Symbol* owner = find({{name.parts.begin(), name.parts.end() - 1}, name.span}, scope.module, true);
        value = owner && (owner->kind == SymbolKind::Variable || owner->kind == SymbolKind::Constant);
        if (!value && base.kind != ExprKind::Field) {
          find(name, scope.module, false);
          return {};
        }
      }
    }
  }
  Value record = check(baseRef, scope);
  if (!record.ok())
    return {};
  if (model_.types[record.type].kind != ir::TypeKind::Record) {
    diagnostics_.report(Kind::UnknownField, expr.span, {show(record.type), std::string(expr.text)});
    return {};
  }
  const ir::Record& type = model_[model_.types[record.type].record];
  std::vector<std::string> names;
  for (uint32_t i = 0; i < type.fields.size(); ++i) {
    if (type.fields[i].name == expr.text) {
      if (!type.fields[i].type.valid())
        return {};
      return {model_.exprs.field(record.id, i, type.fields[i].type), type.fields[i].type};
    }
    names.push_back(type.fields[i].name);
  }
  Diagnostic& d =
      diagnostics_.report(Kind::UnknownField, expr.span, {"record '" + type.name + "'", std::string(expr.text)});
  if (auto guess = didYouMean(expr.text, names))
    d.note({}, "did you mean '" + *guess + "'?");
  return {};
}

Value Lowering::checkIndex(const Expr& expr, Scope& scope) {
  const Module& source = tree(scope);
  Value array = check(source.child(expr, 0), scope);
  ExprRef indexRef = source.child(expr, 1);
  Value index = check(indexRef, scope);
  if (!array.ok() || !index.ok())
    return {};
  if (model_.types[array.type].kind != ir::TypeKind::Array) {
    diagnostics_.report(Kind::BadOperand, expr.span, {"[…]", show(array.type)});
    return {};
  }
  ExprId at = convert(index, model_.types.integer(), source.exprs[indexRef].span);
  if (!at.valid())
    return {};
  uint32_t size = model_.types[array.type].size;
  if (const Rational* number = model_.exprs.number(at); number && (number->sign() < 0 || *number >= Rational(size))) {
    diagnostics_.report(Kind::OutOfRange, source.exprs[indexRef].span,
                        {"index " + number->toString(), "0.." + std::to_string(size - 1)});
    return {};
  }
  return {model_.exprs.element(array.id, at), model_.types[array.type].element};
}

Value Lowering::checkArray(const Expr& expr, Scope& scope, TypeId expected) {
  const Module& source = tree(scope);
  bool known = expected.valid() && model_.types[expected].kind == ir::TypeKind::Array;
  TypeId elementType = known ? model_.types[expected].element : TypeId();
  std::vector<ExprRef> refs;
  size_t size = expr.childCount;
  if (expr.kind == ExprKind::Fill) {
    std::optional<Rational> given = wholeNumber(source.child(expr, 1), scope, "the size of an array");
    if (!given)
      return {};
    if (given->sign() <= 0 || *given > Rational(65536)) {
      diagnostics_.report(Kind::BadArraySize, source.exprs[source.child(expr, 1)].span, {"65536"});
      return {};
    }
    size = static_cast<size_t>(*given->toInt64());
    refs.push_back(source.child(expr, 0));
  } else {
    for (uint32_t i = 0; i < expr.childCount; ++i)
      refs.push_back(source.child(expr, i));
  }
  std::vector<Value> values;
  bool anyReal = false;
  for (ExprRef ref : refs) {
    values.push_back(check(ref, scope, elementType));
    if (!values.back().ok())
      return {};
    anyReal |= values.back().type == model_.types.real();
  }
  if (!elementType.valid())
    elementType = anyReal ? model_.types.real() : model_.types.unranged(values[0].type);
  std::vector<ExprId> elements;
  for (size_t i = 0; i < values.size(); ++i) {
    elements.push_back(convert(values[i], elementType, source.exprs[refs[i]].span));
    if (!elements.back().valid())
      return {};
  }
  if (expr.kind == ExprKind::Fill) {
    if (uint64_t(model_.exprs.treeSize(elements[0])) * size > kMaxTreeSize) {
      diagnostics_.report(Kind::ExpressionTooLarge, expr.span);
      return {};
    }
    elements.assign(size, elements[0]);
  }
  TypeId type = model_.types.array(elementType, static_cast<uint32_t>(size));
  return {model_.exprs.makeArray(type, elements), type};
}

bool Lowering::unify(Value& a, Value& b, const char* op, Span at) {
  if (!model_.types.isNumeric(a.type) || !model_.types.isNumeric(b.type)) {
    diagnostics_.report(Kind::BadOperands, at, {op, show(a.type), show(b.type)});
    return false;
  }
  if (a.type == model_.types.real() || b.type == model_.types.real()) {
    a = {model_.exprs.toReal(a.id), model_.types.real()};
    b = {model_.exprs.toReal(b.id), model_.types.real()};
  } else {
    a.type = b.type = model_.types.integer();
  }
  return true;
}

Value Lowering::checkArithmetic(const Expr& expr, Scope& scope) {
  const Module& source = tree(scope);
  ir::ExprPool& pool = model_.exprs;
  std::vector<Value> values;
  bool real = false;
  bool good = true;
  for (uint32_t i = 0; i < expr.childCount; ++i) {
    values.push_back(check(source.child(expr, i), scope));
    good &= values.back().ok();
    if (good && !model_.types.isNumeric(values.back().type)) {
      const char* op = expr.kind == ExprKind::Sum && source.signs[expr.extra + i] ? "-" : symbolOf(expr.kind);
      if (i == 0)
        diagnostics_.report(Kind::BadOperand, source.exprs[source.child(expr, i)].span, {op, show(values.back().type)});
      else
        diagnostics_.report(Kind::BadOperands, source.exprs[source.child(expr, i)].span,
                            {op, show(values[i - 1].type), show(values.back().type)});
      return {};
    }
    real |= good && values.back().type == model_.types.real();
  }
  if (!good)
    return {};
  TypeId type = real ? model_.types.real() : model_.types.integer();
  std::vector<ExprId> ids;
  for (uint32_t i = 0; i < values.size(); ++i) {
    ExprId id = real ? pool.toReal(values[i].id) : values[i].id;
    ids.push_back(expr.kind == ExprKind::Sum && source.signs[expr.extra + i] ? pool.negate(id) : id);
  }
  if (expr.kind == ExprKind::Sum)
    return {limited(pool.add(ids), expr.span), type};
  if (expr.kind == ExprKind::Product)
    return {limited(pool.multiply(ids), expr.span), type};
  if (const Rational* divisor = pool.number(ids[1]); divisor && divisor->isZero()) {
    diagnostics_.report(Kind::DivisionByZero, source.exprs[source.child(expr, 1)].span);
    return {};
  }
  if (expr.kind == ExprKind::Divide)
    return {pool.divide(ids[0], ids[1]), type};
  if (real) {
    diagnostics_.report(Kind::BadOperands, expr.span, {"%", show(values[0].type), show(values[1].type)});
    return {};
  }
  return {pool.remainder(ids[0], ids[1]), type};
}

Value Lowering::checkComparison(const Expr& expr, Scope& scope) {
  const Module& source = tree(scope);
  ir::ExprPool& pool = model_.exprs;
  // A literal array takes its type from the other side.
  ExprKind leftKind = source.exprs[source.child(expr, 0)].kind;
  bool literal = leftKind == ExprKind::Array || leftKind == ExprKind::Fill;
  Value b = literal ? check(source.child(expr, 1), scope) : Value{};
  Value a = check(source.child(expr, 0), scope, b.ok() ? b.type : TypeId());
  if (!literal)
    b = check(source.child(expr, 1), scope, a.ok() ? a.type : TypeId());
  if (!a.ok() || !b.ok())
    return {};
  TypeId boolean = model_.types.boolean();
  bool equality = expr.kind == ExprKind::Equal || expr.kind == ExprKind::NotEqual;
  bool numbers = model_.types.isNumeric(a.type) && model_.types.isNumeric(b.type);
  if (!numbers && (!equality || a.type != b.type)) {
    diagnostics_.report(Kind::BadOperands, expr.span, {symbolOf(expr.kind), show(a.type), show(b.type)});
    return {};
  }
  if (numbers)
    unify(a, b, symbolOf(expr.kind), expr.span);
  switch (expr.kind) {
  case ExprKind::Less:
    return {pool.less(a.id, b.id), boolean};
  case ExprKind::LessEqual:
    return {pool.lessEqual(a.id, b.id), boolean};
  case ExprKind::Greater:
    return {pool.less(b.id, a.id), boolean};
  case ExprKind::GreaterEqual:
    return {pool.lessEqual(b.id, a.id), boolean};
  case ExprKind::Equal:
    return {pool.equal(a.id, b.id), boolean};
  default:
    return {pool.negation(pool.equal(a.id, b.id)), boolean};
  }
}

Value Lowering::checkConnective(const Expr& expr, Scope& scope) {
  const Module& source = tree(scope);
  std::vector<ExprId> ids;
  bool good = true;
  for (uint32_t i = 0; i < expr.childCount; ++i) {
    ExprRef ref = source.child(expr, i);
    Value value = check(ref, scope);
    good &= value.ok();
    if (value.ok() && value.type != model_.types.boolean()) {
      diagnostics_.report(Kind::BadOperand, source.exprs[ref].span, {symbolOf(expr.kind), show(value.type)});
      good = false;
    }
    ids.push_back(value.id);
  }
  if (!good)
    return {};
  if (expr.kind == ExprKind::Implies)
    return {model_.exprs.disjunction(model_.exprs.negation(ids[0]), ids[1]), model_.types.boolean()};
  return {expr.kind == ExprKind::And ? model_.exprs.conjunction(ids) : model_.exprs.disjunction(ids),
          model_.types.boolean()};
}

Value Lowering::checkConditional(const Expr& expr, Scope& scope, TypeId expected) {
  const Module& source = tree(scope);
  ExprId when = condition(source.child(expr, 0), scope);
  Value yes = check(source.child(expr, 1), scope, expected);
  Value no = check(source.child(expr, 2), scope, expected.valid() ? expected : yes.type);
  if (!when.valid() || !yes.ok() || !no.ok())
    return {};
  if (model_.types.isNumeric(yes.type) && model_.types.isNumeric(no.type)) {
    unify(yes, no, "if", expr.span);
  } else if (yes.type != no.type) {
    diagnostics_.report(Kind::TypeMismatch, source.exprs[source.child(expr, 2)].span, {show(yes.type), show(no.type)})
        .note(source.exprs[source.child(expr, 1)].span, "both branches of a conditional need the same type");
    return {};
  }
  return {model_.exprs.ifThenElse(when, yes.id, no.id), yes.type};
}

ExprId Lowering::condition(ExprRef ref, Scope& scope) {
  Value value = check(ref, scope, model_.types.boolean());
  return limited(convert(value, model_.types.boolean(), tree(scope).exprs[ref].span), tree(scope).exprs[ref].span);
}

ExprId Lowering::constant(ExprRef ref, Scope& scope, const char* what, TypeId expected) {
  Span at = tree(scope).exprs[ref].span;
  Value value = check(ref, scope, expected);
  if (!value.ok())
    return {};
  ExprId id = expected.valid() ? convert(value, expected, at) : value.id;
  if (id.valid() && !model_.exprs.isConstant(id)) {
    diagnostics_.report(Kind::NotConstant, at, {what});
    return {};
  }
  return id;
}

std::optional<Rational> Lowering::wholeNumber(ExprRef ref, Scope& scope, const char* what) {
  ExprId id = constant(ref, scope, what, model_.types.integer());
  const Rational* number = id.valid() ? model_.exprs.number(id) : nullptr;
  return number ? std::optional(*number) : std::nullopt;
}

} // namespace tioc::frontend
