#include "frontend/lowering.hpp"

#include <algorithm>

namespace tioc::frontend {

using namespace syntax;
using ir::Rational;

namespace {

std::string count(size_t n, const char* noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

} // namespace

Value Lowering::checkCall(const Expr& expr, Scope& scope) {
  const Module& source = tree(scope);
  QualifiedName name = asQualified(source, source.child(expr, 0));
  if (name.parts.empty()) {
    diagnostics_.report(Kind::WrongKindOfName, source.exprs[source.child(expr, 0)].span,
                        {"this", "a value", "a function"});
    return {};
  }
  std::string_view simple = name.parts.back().text;
  bool builtin = name.parts.size() == 1 &&
                 (simple == "abs" || simple == "min" || simple == "max" || simple == "floor" || simple == "ceil");
  Symbol* symbol = find(name, scope.module, builtin);
  if (!symbol)
    return builtin ? callBuiltin(expr, simple, scope) : Value{};
  switch (symbol->kind) {
  case SymbolKind::Function:
    return callFunction(expr, *symbol, scope);
  case SymbolKind::Record:
    return makeRecord(expr, model_.types.record(ir::RecordId(symbol->index)), scope);
  case SymbolKind::Alias: {
    TypeId type = namedType(name, scope.module);
    if (type.valid() && model_.types[type].kind == ir::TypeKind::Record)
      return makeRecord(expr, type, scope);
    if (!type.valid())
      return {};
    [[fallthrough]];
  }
  default:
    diagnostics_.report(Kind::WrongKindOfName, name.span, {std::string(simple), describe(symbol->kind), "a function"});
    return {};
  }
}

Value Lowering::callBuiltin(const Expr& expr, std::string_view name, Scope& scope) {
  const Module& source = tree(scope);
  size_t arity = name == "min" || name == "max" ? 2 : 1;
  if (expr.childCount - 1 != arity) {
    diagnostics_.report(Kind::WrongArgumentCount, expr.span,
                        {"'" + std::string(name) + "'", count(arity, "argument"), std::to_string(expr.childCount - 1)});
    return {};
  }
  ir::ExprPool& pool = model_.exprs;
  Value a = check(source.child(expr, 1), scope);
  if (arity == 1) {
    if (!a.ok())
      return {};
    if (!model_.types.isNumeric(a.type)) {
      diagnostics_.report(Kind::BadOperand, expr.span, {std::string(name), show(a.type)});
      return {};
    }
    if (name == "abs") {
      ExprId zero = a.type == model_.types.real() ? pool.real(0) : pool.integer(0);
      return {pool.ifThenElse(pool.less(a.id, zero), pool.negate(a.id), a.id), model_.types.unranged(a.type)};
    }
    ExprId real = pool.toReal(a.id);
    ExprId result = name == "floor" ? pool.floor(real) : pool.negate(pool.floor(pool.negate(real)));
    return {result, model_.types.integer()};
  }
  Value b = check(source.child(expr, 2), scope);
  if (!a.ok() || !b.ok() || !unify(a, b, name == "min" ? "min" : "max", expr.span))
    return {};
  ExprId first = name == "min" ? a.id : b.id;
  ExprId second = name == "min" ? b.id : a.id;
  return {pool.ifThenElse(pool.lessEqual(first, second), a.id, b.id), a.type};
}

Value Lowering::callFunction(const Expr& expr, Symbol& symbol, Scope& scope) {
  const Module& source = tree(scope);
  resolveFunction(symbol);
  const auto& parameters = static_cast<const Function*>(symbol.decl)->parameters;
  std::string shown = "'" + std::string(symbol.name.text) + "'";
  if (expr.childCount - 1 != parameters.size()) {
    diagnostics_
        .report(Kind::WrongArgumentCount, expr.span,
                {shown, count(parameters.size(), "argument"), std::to_string(expr.childCount - 1)})
        .note(symbol.name.span, "it is declared here");
    return {};
  }
  std::vector<ExprId> arguments(parameters.size());
  std::vector<bool> given(parameters.size());
  bool good = true;
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    const Name& name = source.names[expr.extra + i];
    ExprRef ref = source.child(expr, i + 1);
    size_t slot = i;
    if (!name.text.empty()) {
      slot = static_cast<size_t>(std::find_if(parameters.begin(), parameters.end(),
                                              [&](const Parameter& p) { return p.name.text == name.text; }) -
                                 parameters.begin());
      if (slot == parameters.size() || given[slot]) {
        diagnostics_.report(Kind::BadNamedArgument, name.span,
                            {slot == parameters.size() ? shown + " has no parameter '" + std::string(name.text) + "'"
                                                       : "'" + std::string(name.text) + "' is given twice"});
        return {};
      }
    }
    if (given[slot]) {
      diagnostics_.report(Kind::BadNamedArgument, source.exprs[ref].span,
                          {"'" + std::string(parameters[slot].name.text) + "' is given twice"});
      return {};
    }
    given[slot] = true;
    TypeId type = slot < symbol.parameters.size() ? symbol.parameters[slot] : TypeId();
    arguments[slot] = convert(check(ref, scope, type), type, source.exprs[ref].span);
    good &= arguments[slot].valid();
  }
  if (!good || !symbol.value.valid() || !symbol.type.valid())
    return {};
  ExprId id = model_.exprs.substitute(symbol.value, [&](ExprId leaf) -> ExprId {
    return model_.exprs.op(leaf) == ir::Op::Parameter ? arguments[model_.exprs.payload(leaf)] : ExprId();
  });
  id = limited(id, expr.span);
  return {id, symbol.type};
}

Value Lowering::makeRecord(const Expr& expr, TypeId type, Scope& scope) {
  const Module& source = tree(scope);
  const ir::Record& record = model_[model_.types[type].record];
  if (expr.childCount - 1 != record.fields.size()) {
    diagnostics_
        .report(
            Kind::WrongArgumentCount, expr.span,
            {"record '" + record.name + "'", count(record.fields.size(), "value"), std::to_string(expr.childCount - 1)})
        .note(record.span, "it is declared here");
    return {};
  }
  std::vector<ExprId> fields(record.fields.size());
  bool good = true;
  for (uint32_t i = 0; i < fields.size(); ++i) {
    const Name& name = source.names[expr.extra + i];
    ExprRef ref = source.child(expr, i + 1);
    size_t slot = i;
    if (!name.text.empty()) {
      slot = static_cast<size_t>(std::find_if(record.fields.begin(), record.fields.end(),
                                              [&](const ir::Member& m) { return m.name == name.text; }) -
                                 record.fields.begin());
      if (slot == fields.size()) {
        diagnostics_.report(Kind::UnknownField, name.span, {"record '" + record.name + "'", std::string(name.text)});
        return {};
      }
    }
    if (fields[slot].valid()) {
      diagnostics_.report(Kind::BadNamedArgument, source.exprs[ref].span,
                          {"field '" + record.fields[slot].name + "' is given twice"});
      return {};
    }
    TypeId fieldType = record.fields[slot].type;
    fields[slot] = convert(check(ref, scope, fieldType), fieldType, source.exprs[ref].span);
    if (!fields[slot].valid())
      good = false;
  }
  if (!good)
    return {};
  return {model_.exprs.makeRecord(type, fields), type};
}

} // namespace tioc::frontend
