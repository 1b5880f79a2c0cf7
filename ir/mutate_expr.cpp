#include "ir/mutate_expr.hpp"

#include <unordered_map>

namespace tioc::ir {

ExprId replaced(ExprPool& pool, ExprId root, ExprId part, ExprId by) {
  std::unordered_map<ExprId, ExprId> known{{part, by}};
  std::vector<ExprId> order;
  pool.visit(root, [&](ExprId id) { order.push_back(id); });
  for (ExprId id : order) {
    if (known.contains(id))
      continue;
    const std::vector<ExprId> before(pool.operands(id).begin(), pool.operands(id).end());
    std::vector<ExprId> after;
    for (ExprId operand : before)
      after.push_back(known.at(operand));
    known.emplace(id, after == before ? id : pool.rebuild(id, after));
  }
  return known.at(root);
}

namespace {

class Variants {
public:
  explicit Variants(Model& model) : model_(model), pool_(model.exprs) {}

  std::vector<ExprVariant> ofCondition(ExprId condition) {
    const std::vector<ExprId> parts = pool_.conjuncts(condition);
    for (size_t i = 0; i < parts.size(); ++i) {
      std::vector<ExprId> rest = parts;
      rest.erase(rest.begin() + static_cast<ptrdiff_t>(i));
      add(Mutation::GuardDrop, pool_.conjunction(rest));
      rest.insert(rest.begin() + static_cast<ptrdiff_t>(i), pool_.negation(parts[i]));
      add(Mutation::GuardNegate, pool_.conjunction(rest));
    }
    for (ExprId node : nodesOf(condition)) {
      const auto put = [&](Mutation mutation, ExprId by) { add(mutation, replaced(pool_, condition, node, by)); };
      compare(node, put);
      operators(node, [&](ExprId by) { put(Mutation::GuardOperator, by); });
    }
    return std::move(result_);
  }

  std::vector<ExprVariant> ofTerm(ExprId term) {
    for (ExprId node : nodesOf(term)) {
      const auto put = [&](Mutation mutation, ExprId by) { add(mutation, replaced(pool_, term, node, by)); };
      compare(node, [&](Mutation, ExprId by) { put(Mutation::UpdateOperator, by); });
      operators(node, [&](ExprId by) { put(Mutation::UpdateOperator, by); });
      if (pool_.isConstant(node))
        for (ExprId other : valueVariants(model_, node))
          put(Mutation::UpdateConstant, other);
    }
    return std::move(result_);
  }

private:
  void add(Mutation mutation, ExprId expr) { result_.push_back({mutation, expr}); }

  std::vector<ExprId> nodesOf(ExprId root) const {
    std::vector<ExprId> nodes;
    pool_.visit(root, [&](ExprId id) { nodes.push_back(id); });
    return nodes;
  }

  bool isInt(ExprId expr) const { return model_.types[pool_.type(expr)].kind == TypeKind::Int; }

  ExprId shifted(ExprId expr, int by) {
    return pool_.add(std::vector<ExprId>{expr, isInt(expr) ? pool_.integer(by) : pool_.real(by)});
  }

  /// Relations that no test of another one kills for sure: Kaminski, Ammann and Offutt, "Improving logic-based testing"
  /// (2013). Always and never are left to dropped conjuncts and edges. On integers `a < b + 1` is `a <= b`, so only one
  /// shift is new.
  template <class Put>
  void compare(ExprId node, Put put) {
    const Op op = pool_.op(node);
    if (op != Op::Less && op != Op::LessEqual && op != Op::Equal)
      return;
    const ExprId a = pool_.operands(node)[0], b = pool_.operands(node)[1];
    if (!model_.types.isNumeric(pool_.type(a)))
      return;
    if (op == Op::Less) {
      put(Mutation::GuardRelation, pool_.lessEqual(a, b));
      put(Mutation::GuardRelation, pool_.negation(pool_.equal(a, b)));
    } else if (op == Op::LessEqual) {
      put(Mutation::GuardRelation, pool_.less(a, b));
      put(Mutation::GuardRelation, pool_.equal(a, b));
    } else {
      put(Mutation::GuardRelation, pool_.lessEqual(a, b));
      put(Mutation::GuardRelation, pool_.lessEqual(b, a));
    }
    // The side with a constant shows the shift best.
    const bool left = pool_.isConstant(a);
    for (int by : {1, -1})
      if (!isInt(a) || op == Op::Equal || (op == Op::Less) == (by < 0))
        put(Mutation::GuardShift, pool_.rebuild(node, left ? std::vector<ExprId>{shifted(a, -by), b}
                                                           : std::vector<ExprId>{a, shifted(b, by)}));
  }

  template <class Put>
  void operators(ExprId node, Put put) {
    const std::vector<ExprId> operands(pool_.operands(node).begin(), pool_.operands(node).end());
    switch (pool_.op(node)) {
    case Op::And:
      put(pool_.disjunction(operands));
      break;
    case Op::Or:
      put(pool_.conjunction(operands));
      break;
    case Op::Add:
      for (size_t i = 0; i < operands.size(); ++i) {
        std::vector<ExprId> other = operands;
        other[i] = pool_.negate(operands[i]);
        put(pool_.add(other));
      }
      break;
    case Op::Negate:
      put(operands[0]);
      break;
    case Op::Multiply:
      put(pool_.add(operands));
      break;
    case Op::Divide:
      put(pool_.multiply(operands));
      break;
    case Op::Remainder:
      put(pool_.divide(operands[0], operands[1]));
      break;
    case Op::IfThenElse:
      put(operands[1]);
      put(operands[2]);
      break;
    default:
      break;
    }
  }

  Model& model_;
  ExprPool& pool_;
  std::vector<ExprVariant> result_;
};

} // namespace

std::vector<ExprVariant> conditionVariants(Model& model, ExprId condition) {
  return Variants(model).ofCondition(condition);
}

std::vector<ExprVariant> termVariants(Model& model, ExprId term) {
  return Variants(model).ofTerm(term);
}

std::vector<ExprId> valueVariants(Model& model, ExprId value) {
  ExprPool& pool = model.exprs;
  const TypeId type = pool.type(value);
  std::vector<ExprId> result;
  switch (model.types[type].kind) {
  case TypeKind::Bool:
    return {pool.negation(value)};
  case TypeKind::Int:
  case TypeKind::Real:
    for (int by : {1, -1}) {
      const ExprId step = model.types[type].kind == TypeKind::Int ? pool.integer(by) : pool.real(by);
      result.push_back(pool.add(std::vector<ExprId>{value, step}));
    }
    return result;
  case TypeKind::Enum: {
    const auto count = static_cast<uint32_t>(model[model.types[type].enumeration].literals.size());
    if (pool.op(value) == Op::EnumLiteral && count > 1)
      result.push_back(pool.enumLiteral(type, (pool.payload(value) + 1) % count));
    return result;
  }
  case TypeKind::Record: {
    const std::vector<Member> fields = model[model.types[type].record].fields;
    for (uint32_t i = 0; i < fields.size(); ++i) {
      const ExprId part = pool.field(value, i, model.types.unranged(fields[i].type));
      for (ExprId other : valueVariants(model, part))
        result.push_back(pool.setField(value, i, other));
    }
    return result;
  }
  case TypeKind::Array:
    if (pool.op(value) == Op::MakeArray) {
      const std::vector<ExprId> elements(pool.operands(value).begin(), pool.operands(value).end());
      for (size_t i = 0; i < elements.size(); ++i)
        for (ExprId other : valueVariants(model, elements[i])) {
          std::vector<ExprId> changed = elements;
          changed[i] = other;
          result.push_back(pool.makeArray(type, changed));
        }
    }
    return result;
  }
  return result;
}

} // namespace tioc::ir
