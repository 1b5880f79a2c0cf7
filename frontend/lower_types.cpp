#include "frontend/lowering.hpp"

#include "ir/print.hpp"

#include <utility>

namespace tioc::frontend {

using namespace syntax;

namespace {

/// Arrays live in machine slots; more would be a mistake.
constexpr int64_t kMaxArraySize = 65536;
/// How many definitions may need each other one inside the other.
constexpr size_t kMaxResolving = 256;

} // namespace

std::string Lowering::show(TypeId type) const {
  return type.valid() ? ir::printType(model_, type) : "something else";
}

Lowering::DepthGuard::DepthGuard(Lowering& lowering, Symbol& symbol)
    : owner(lowering), ok(++lowering.resolving_ <= kMaxResolving) {
  if (!ok) {
    symbol.state = Symbol::State::Broken;
    if (std::exchange(owner.resolvedTooDeeply_, true))
      return; // the rest of the chain says nothing new
    owner.diagnostics_.report(Kind::NestedTooDeeply, symbol.name.span, {std::to_string(kMaxResolving)});
  }
}

TypeId Lowering::namedType(const QualifiedName& name, size_t module) {
  Symbol* symbol = find(name, module);
  if (!symbol)
    return {};
  switch (symbol->kind) {
  case SymbolKind::Enum:
    return model_.types.enumeration(ir::EnumId(symbol->index));
  case SymbolKind::Record:
    return model_.types.record(ir::RecordId(symbol->index));
  case SymbolKind::Alias: {
    auto id = static_cast<SymbolId>(symbol - symbols_.data());
    if (symbol->state == Symbol::State::Open) {
      diagnostics_.report(Kind::RecursiveDefinition, symbol->name.span, {"type", std::string(symbol->name.text)});
      symbol->state = Symbol::State::Broken;
      return {};
    }
    if (symbol->state == Symbol::State::New) {
      symbol->state = Symbol::State::Open;
      DepthGuard guard(*this, *symbol);
      if (!guard.ok)
        return {};
      TypeId resolved = type(static_cast<const Alias*>(symbol->decl)->type, symbol->module);
      symbols_[id].type = symbols_[id].state == Symbol::State::Broken ? TypeId() : resolved;
      symbols_[id].state = Symbol::State::Done;
    }
    return symbols_[id].type;
  }
  default:
    diagnostics_.report(Kind::WrongKindOfName, name.span,
                        {std::string(name.parts.back().text), describe(symbol->kind), "a type"});
    return {};
  }
}

TypeId Lowering::type(const Type& syntax, size_t module) {
  Scope scope;
  scope.module = module;
  TypeId result;
  switch (syntax.builtin) {
  case Builtin::Bool:
    result = model_.types.boolean();
    break;
  case Builtin::Int:
    result = model_.types.integer();
    break;
  case Builtin::Real:
    result = model_.types.real();
    break;
  case Builtin::None:
    result = namedType(syntax.name, module);
    break;
  }
  if (!result.valid())
    return result;
  size_t next = 0;
  if (!syntax.dimensions.empty() && syntax.dimensions[0].last != kNoExpr) {
    next = 1;
    const Dimension& range = syntax.dimensions[0];
    if (syntax.builtin != Builtin::Int) {
      diagnostics_.report(Kind::BadRange, range.span, {"only 'int' takes a range"});
      return {};
    }
    std::optional<ir::Rational> first = wholeNumber(range.first, scope, "the first value of a range");
    std::optional<ir::Rational> last = wholeNumber(range.last, scope, "the last value of a range");
    if (!first || !last)
      return {};
    if (*last < *first) {
      diagnostics_.report(Kind::BadRange, range.span,
                          {"the range from " + first->toString() + " to " + last->toString() + " is empty"});
      return {};
    }
    result = model_.types.ranged({*first, *last});
  }
  ir::Rational elements = 1;
  // Dimensions read from the outside in, so the innermost element type is wrapped from the last one on.
  for (size_t i = syntax.dimensions.size(); i-- > next;) {
    const Dimension& dimension = syntax.dimensions[i];
    if (dimension.last != kNoExpr) {
      diagnostics_.report(Kind::BadRange, dimension.span, {"a range stands directly behind 'int'"});
      return {};
    }
    std::optional<ir::Rational> size = wholeNumber(dimension.first, scope, "the size of an array");
    if (!size)
      return {};
    // All dimensions together: a value is laid out as a whole.
    elements = elements * *size;
    if (size->sign() <= 0 || elements > ir::Rational(kMaxArraySize)) {
      diagnostics_.report(Kind::BadArraySize, dimension.span, {std::to_string(kMaxArraySize)});
      return {};
    }
    result = model_.types.array(result, static_cast<uint32_t>(*size->toInt64()));
  }
  return result;
}

bool Lowering::containsRecord(TypeId type, ir::RecordId record, std::vector<bool>& seen) const {
  const ir::Type& t = model_.types[type];
  if (t.kind == ir::TypeKind::Array)
    return containsRecord(t.element, record, seen);
  if (t.kind != ir::TypeKind::Record)
    return false;
  if (t.record == record)
    return true;
  if (seen[t.record.value])
    return false;
  seen[t.record.value] = true;
  for (const ir::Member& field : model_[t.record].fields)
    if (field.type.valid() && containsRecord(field.type, record, seen))
      return true;
  return false;
}

void Lowering::checkRange(ExprId value, TypeId target, Span at) {
  const ir::Type& type = model_.types[target];
  if (type.kind == ir::TypeKind::Array && model_.exprs.op(value) == ir::Op::MakeArray) {
    std::vector<ExprId> elements(model_.exprs.operands(value).begin(), model_.exprs.operands(value).end());
    for (ExprId element : elements)
      checkRange(element, type.element, at);
    return;
  }
  const ir::Rational* number = model_.exprs.number(value);
  if (number && type.range && (*number < type.range->first || *number > type.range->last))
    diagnostics_.report(Kind::OutOfRange, at, {number->toString(), show(target)});
}

ExprId Lowering::convert(Value value, TypeId target, Span at) {
  if (!value.ok() || !target.valid())
    return {};
  TypeId plain = model_.types.unranged(target);
  if (plain == model_.types.real() && model_.types[value.type].kind == ir::TypeKind::Int)
    return model_.exprs.toReal(value.id);
  // A literal takes the element type that is wanted.
  const ir::Type& shape = model_.types[target];
  if (shape.kind == ir::TypeKind::Array && value.type != target && model_.exprs.op(value.id) == ir::Op::MakeArray &&
      shape.size == model_.types[value.type].size) {
    std::vector<ExprId> elements(model_.exprs.operands(value.id).begin(), model_.exprs.operands(value.id).end());
    TypeId from = model_.types[value.type].element;
    TypeId to = shape.element;
    for (ExprId& element : elements)
      if (element = convert({element, from}, to, at); !element.valid())
        return {};
    return model_.exprs.makeArray(target, elements);
  }
  if (model_.types.unranged(value.type) != plain) {
    Diagnostic& d = diagnostics_.report(Kind::TypeMismatch, at, {show(target), show(value.type)});
    if (plain == model_.types.integer() && value.type == model_.types.real())
      d.note({}, "'floor(…)' gives an integer");
    return {};
  }
  checkRange(value.id, target, at);
  return value.id;
}

} // namespace tioc::frontend
