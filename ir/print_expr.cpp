#include "ir/print.hpp"

namespace tioc::ir {

namespace {

// How tightly an operator binds, as in the grammar.
enum Level : int { kIf, kOr, kAnd, kEquality, kRelation, kSum, kProduct, kUnary, kPostfix, kPrimary };

class ExprPrinter {
public:
  ExprPrinter(const Model& model, const Edge* edge, const Automaton* automaton)
      : model_(model), pool_(model.exprs), edge_(edge), automaton_(automaton) {}

  std::string print(ExprId id, Level need) {
    Level have = kPrimary;
    std::string text = bare(id, have);
    return have < need ? "(" + text + ")" : text;
  }

  std::string guard(const Guard& guard) {
    std::string text;
    auto join = [&](std::string part) { text += (text.empty() ? "" : " && ") + part; };
    if (guard.data.valid() && !pool_.isTrue(guard.data))
      join(print(guard.data, guard.clocks.empty() ? kIf : kAnd));
    for (size_t i = 0; i < guard.clocks.size(); ++i) {
      if (i + 1 < guard.clocks.size() && isEquality(guard.clocks[i], guard.clocks[i + 1])) {
        join(constraint(guard.clocks[i], "=="));
        ++i;
      } else {
        join(constraint(guard.clocks[i], nullptr));
      }
    }
    return text;
  }

  /// A time value: whole numbers need no decimal point.
  std::string time(ExprId id, Level need = kSum) {
    if (const Rational* value = pool_.number(id); value && value->isInteger())
      return value->toString();
    return print(id, need);
  }

private:
  std::string localName(uint32_t index) const {
    if (edge_ && index < edge_->parameters.size() && !edge_->parameters[index].name.empty())
      return edge_->parameters[index].name;
    return "_p" + std::to_string(index);
  }

  std::string joined(std::span<const ExprId> parts, const char* separator, Level need) {
    std::string text;
    for (ExprId part : parts)
      text += (text.empty() ? "" : separator) + print(part, need);
    return text;
  }

  /// `a op b`; a constant on the left changes sides, as people write it.
  std::string relation(ExprId a, ExprId b, const char* op, const char* flipped) {
    if (pool_.isConstant(a) && !pool_.isConstant(b))
      return print(b, kSum) + flipped + print(a, kSum);
    return print(a, kSum) + op + print(b, kSum);
  }

  std::string sum(ExprId id) {
    std::string text;
    for (ExprId term : pool_.operands(id)) {
      std::string part = print(term, kProduct);
      if (text.empty())
        text = part;
      else if (part.front() == '-')
        text += " - " + part.substr(1);
      else
        text += " + " + part;
    }
    return text;
  }

  static std::string realText(const Rational& value, Level& level) {
    std::string text = value.toString();
    if (size_t slash = text.find('/'); slash != std::string::npos) {
      level = kProduct;
      return text.substr(0, slash) + ".0 / " + text.substr(slash + 1) + ".0";
    }
    if (text.find('.') == std::string::npos)
      text += ".0";
    level = text.front() == '-' ? kUnary : kPrimary;
    return text;
  }

  std::string bare(ExprId id, Level& level) {
    auto ops = pool_.operands(id);
    uint32_t payload = pool_.payload(id);
    switch (pool_.op(id)) {
    case Op::Bool:
      return payload ? "true" : "false";
    case Op::Number: {
      const Rational& value = *pool_.number(id);
      if (pool_.type(id) == model_.types.real())
        return realText(value, level);
      level = value.sign() < 0 ? kUnary : kPrimary;
      return value.toString();
    }
    case Op::EnumLiteral: {
      const Enum& owner = model_[model_.types[pool_.type(id)].enumeration];
      level = kPostfix;
      return owner.name + "." + owner.literals[payload];
    }
    case Op::Variable:
      return variableName(VariableId(payload), level);
    case Op::Local:
      return localName(payload);
    case Op::Parameter:
      return automaton_ ? automaton_->parameters[payload].name : "_q" + std::to_string(payload);
    case Op::Not:
      if (pool_.op(ops[0]) == Op::Equal) {
        level = kEquality;
        return joined(pool_.operands(ops[0]), " != ", kRelation);
      }
      level = kUnary;
      return "!" + print(ops[0], kUnary);
    case Op::And:
      level = kAnd;
      return joined(ops, " && ", kEquality);
    case Op::Or:
      level = kOr;
      return joined(ops, " || ", kAnd);
    case Op::Equal:
      level = kEquality;
      return joined(ops, " == ", kRelation);
    case Op::Less:
      level = kRelation;
      return relation(ops[0], ops[1], " < ", " > ");
    case Op::LessEqual:
      level = kRelation;
      return relation(ops[0], ops[1], " <= ", " >= ");
    case Op::Negate:
      level = kUnary;
      return "-" + print(ops[0], kUnary);
    case Op::Add:
      level = kSum;
      return sum(id);
    case Op::Multiply:
      level = kProduct;
      return joined(ops, " * ", kUnary);
    case Op::Divide:
      level = kProduct;
      return print(ops[0], kProduct) + " / " + print(ops[1], kUnary);
    case Op::Remainder:
      level = kProduct;
      return print(ops[0], kProduct) + " % " + print(ops[1], kUnary);
    case Op::ToReal:
      return bare(ops[0], level); // integers become reals where reals are needed
    case Op::Floor:
      level = kPostfix;
      return "floor(" + print(ops[0], kIf) + ")";
    case Op::IfThenElse:
      level = kIf;
      return "if " + print(ops[0], kIf) + " then " + print(ops[1], kIf) + " else " + print(ops[2], kIf);
    case Op::MakeRecord:
      level = kPostfix;
      return model_[model_.types[pool_.type(id)].record].name + "(" + joined(ops, ", ", kIf) + ")";
    case Op::Field:
      level = kPostfix;
      return print(ops[0], kPostfix) + "." + model_[model_.types[pool_.type(ops[0])].record].fields[payload].name;
    case Op::MakeArray:
      return array(ops);
    case Op::Element:
      level = kPostfix;
      return print(ops[0], kPostfix) + "[" + print(ops[1], kIf) + "]";
    case Op::SetField:
    case Op::SetElement:
      return changedCopy(id, level);
    }
    return "?";
  }

  /// A shared or own variable by its name; another automaton's (a purpose reads its subject's) with its owner.
  std::string variableName(VariableId id, Level& level) const {
    const Variable& variable = model_[id];
    bool foreign = automaton_ && variable.owner.valid() && &model_[variable.owner] != automaton_;
    if (!foreign)
      return variable.name;
    level = kPostfix;
    return model_[variable.owner].name + "." + variable.name;
  }

  std::string array(std::span<const ExprId> elements) {
    bool same = true;
    for (ExprId element : elements)
      same &= element == elements[0];
    if (same && elements.size() > 2)
      return "[" + print(elements[0], kIf) + "; " + std::to_string(elements.size()) + "]";
    return "[" + joined(elements, ", ", kIf) + "]";
  }

  /// The language writes changes as assignments only; a changed copy in any other place is spelled out element by
  /// element.
  std::string changedCopy(ExprId id, Level& level) {
    auto ops = pool_.operands(id);
    const Type& type = model_.types[pool_.type(id)];
    std::string base = print(ops[0], kPostfix);
    std::string text;
    if (pool_.op(id) == Op::SetField) {
      const Record& record = model_[type.record];
      for (uint32_t i = 0; i < record.fields.size(); ++i)
        text += (i ? ", " : "") + (i == pool_.payload(id) ? print(ops[1], kIf) : base + "." + record.fields[i].name);
      level = kPostfix;
      return record.name + "(" + text + ")";
    }
    for (uint32_t i = 0; i < type.size; ++i)
      text += (i ? ", " : "") + ("if " + print(ops[1], kRelation) + " == " + std::to_string(i) + " then " +
                                 print(ops[2], kIf) + " else " + base + "[" + std::to_string(i) + "]");
    return "[" + text + "]";
  }

  bool isEquality(const ClockConstraint& upper, const ClockConstraint& lower) const {
    if (upper.strict || lower.strict || upper.left != lower.right || upper.right != lower.left ||
        upper.left == Model::zeroClock())
      return false;
    const Rational* high = pool_.number(upper.bound);
    const Rational* low = pool_.number(lower.bound);
    if (high && low)
      return *high == -*low;
    return pool_.op(lower.bound) == Op::Negate && pool_.operands(lower.bound)[0] == upper.bound;
  }

  std::string clockName(ClockId id) const {
    const Clock& clock = model_[id];
    bool foreign = automaton_ && clock.owner.valid() && &model_[clock.owner] != automaton_;
    return foreign ? model_[clock.owner].name + "." + clock.name : clock.name;
  }

  std::string negatedTime(ExprId id) {
    if (const Rational* value = pool_.number(id)) {
      Rational negated = -*value;
      Level level = kPrimary;
      return negated.isInteger() ? negated.toString() : realText(negated, level);
    }
    if (pool_.op(id) == Op::Negate)
      return time(pool_.operands(id)[0]);
    std::string text = print(id, kUnary);
    return text.front() == '-' ? text.substr(1) : "-" + text;
  }

  std::string constraint(const ClockConstraint& c, const char* relation) {
    if (c.left == Model::zeroClock())
      return clockName(c.right) + (c.strict ? " > " : " >= ") + negatedTime(c.bound);
    std::string left = clockName(c.left);
    if (c.right != Model::zeroClock())
      left += " - " + clockName(c.right);
    if (relation)
      return left + " " + relation + " " + time(c.bound);
    return left + (c.strict ? " < " : " <= ") + time(c.bound);
  }

  const Model& model_;
  const ExprPool& pool_;
  const Edge* edge_;
  const Automaton* automaton_;
};

} // namespace

std::string printExpr(const Model& model, ExprId expr, const Edge* edge, const Automaton* automaton) {
  return ExprPrinter(model, edge, automaton).print(expr, kIf);
}

std::string printGuard(const Model& model, const Guard& guard, const Edge* edge, const Automaton* automaton) {
  return ExprPrinter(model, edge, automaton).guard(guard);
}

std::string printTime(const Model& model, ExprId expr, const Edge* edge, const Automaton* automaton) {
  return ExprPrinter(model, edge, automaton).time(expr, kIf);
}

std::string printType(const Model& model, TypeId id) {
  const Type& type = model.types[id];
  switch (type.kind) {
  case TypeKind::Bool:
    return "bool";
  case TypeKind::Int:
    return type.range ? "int[" + type.range->first.toString() + ".." + type.range->last.toString() + "]" : "int";
  case TypeKind::Real:
    return "real";
  case TypeKind::Enum:
    return model[type.enumeration].name;
  case TypeKind::Record:
    return model[type.record].name;
  case TypeKind::Array: {
    // Dimensions read from the outside in: `int[2][3]` has two rows of three.
    std::string dimensions;
    TypeId element = id;
    while (model.types[element].kind == TypeKind::Array) {
      dimensions += "[" + std::to_string(model.types[element].size) + "]";
      element = model.types[element].element;
    }
    return printType(model, element) + dimensions;
  }
  }
  return "?";
}

} // namespace tioc::ir
