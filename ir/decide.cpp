#include "ir/decide.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace tioc::ir {

namespace {

constexpr size_t kMaxCases = 256;

/// What is known of one number: an interval with open or closed ends, and values that are excluded.
struct Interval {
  std::optional<Rational> low;
  std::optional<Rational> high;
  bool lowOpen = false;
  bool highOpen = false;
  bool integer = false;
  std::set<Rational> excluded;

  void above(const Rational& value, bool open) {
    if (!low || value > *low || (value == *low && open)) {
      low = value;
      lowOpen = open;
    }
  }
  void below(const Rational& value, bool open) {
    if (!high || value < *high || (value == *high && open)) {
      high = value;
      highOpen = open;
    }
  }

  bool empty() const {
    if (!low || !high)
      return false;
    if (integer) {
      Rational first = low->floor() == *low ? *low + (lowOpen ? 1 : 0) : low->floor() + 1;
      Rational last = high->floor() == *high ? *high - (highOpen ? 1 : 0) : high->floor();
      // Every value of a short interval may be excluded one by one.
      if (last - first >= Rational(static_cast<int64_t>(excluded.size())))
        return false;
      for (Rational value = first; value <= last; value = value + 1)
        if (!excluded.contains(value))
          return false;
      return true;
    }
    if (*low > *high)
      return true;
    return *low == *high && (lowOpen || highOpen || excluded.contains(*low));
  }
};

/// What is known of one value of an enumeration or a bool.
struct Choice {
  std::set<uint32_t> excluded;
  uint32_t count = 2;

  bool empty() const { return excluded.size() >= count; }
};

/// Decides one conjunction of literals.
class Conjunction {
public:
  Conjunction(const Model& model, const Edge* edge) : model_(model), pool_(model.exprs), edge_(edge) {}

  void add(ExprId literal, bool positive) {
    auto ops = pool_.operands(literal);
    switch (pool_.op(literal)) {
    case Op::Bool:
      impossible_ |= (pool_.payload(literal) == 1) != positive;
      return;
    case Op::Equal:
      if (pool_.isConstant(ops[1]))
        equality(ops[0], ops[1], positive);
      else
        exact_ = false;
      return;
    case Op::Less:
    case Op::LessEqual: {
      // Negated, a < b reads b <= a.
      bool open = (pool_.op(literal) == Op::Less) == positive;
      ExprId smaller = positive ? ops[0] : ops[1];
      ExprId larger = positive ? ops[1] : ops[0];
      if (const Rational* value = pool_.number(larger))
        interval(smaller).below(*value, open);
      else if (const Rational* bound = pool_.number(smaller))
        interval(larger).above(*bound, open);
      else
        exact_ = false;
      return;
    }
    default:
      choice(literal).excluded.insert(positive ? 0 : 1);
    }
  }

  Decision decide(const std::vector<ClockConstraint>& clocks) {
    bool empty = impossible_ || clocksEmpty(clocks);
    for (const auto& [term, known] : intervals_)
      empty |= known.empty();
    for (const auto& [term, known] : choices_)
      empty |= known.empty();
    if (empty)
      return Decision::No;
    return exact_ ? Decision::Yes : Decision::Unknown;
  }

private:
  /// A term that is no plain variable may depend on others: still good for a "no", never for a "yes".
  void note(ExprId term) {
    if (pool_.op(term) != Op::Variable && pool_.op(term) != Op::Local)
      exact_ = false;
  }

  TypeId declaredType(ExprId term) const {
    if (pool_.op(term) == Op::Variable)
      return model_.variables[pool_.payload(term)].type;
    if (pool_.op(term) == Op::Local && edge_ && pool_.payload(term) < edge_->parameters.size())
      return edge_->parameters[pool_.payload(term)].type;
    return pool_.type(term);
  }

  Interval& interval(ExprId term) {
    while (pool_.op(term) == Op::ToReal)
      term = pool_.operands(term)[0];
    auto [it, fresh] = intervals_.try_emplace(term);
    if (fresh) {
      note(term);
      const Type& type = model_.types[declaredType(term)];
      it->second.integer = type.kind == TypeKind::Int;
      if (type.range) {
        it->second.above(type.range->first, false);
        it->second.below(type.range->last, false);
      }
    }
    return it->second;
  }

  Choice& choice(ExprId term) {
    auto [it, fresh] = choices_.try_emplace(term);
    if (fresh) {
      note(term);
      const Type& type = model_.types[pool_.type(term)];
      if (type.kind == TypeKind::Enum)
        it->second.count = static_cast<uint32_t>(model_[type.enumeration].literals.size());
    }
    return it->second;
  }

  void equality(ExprId term, ExprId constant, bool positive) {
    if (const Rational* value = pool_.number(constant)) {
      if (positive) {
        interval(term).above(*value, false);
        interval(term).below(*value, false);
      } else {
        interval(term).excluded.insert(*value);
      }
    } else if (pool_.op(constant) == Op::EnumLiteral) {
      Choice& known = choice(term);
      for (uint32_t i = 0; i < known.count; ++i)
        if ((i == pool_.payload(constant)) != positive)
          known.excluded.insert(i);
    } else {
      exact_ = false;
    }
  }

  /// Negative cycles among the constraints, by Bellman and Ford; the clocks themselves are not negative.
  bool clocksEmpty(const std::vector<ClockConstraint>& given) {
    struct Arc {
      size_t from, to;
      Rational bound;
      bool strict;
    };
    std::map<ClockId, size_t> index{{Model::zeroClock(), 0}};
    std::vector<Arc> arcs;
    for (const ClockConstraint& c : given) {
      const Rational* bound = pool_.number(c.bound);
      if (!bound) {
        exact_ = false;
        continue;
      }
      size_t left = index.try_emplace(c.left, index.size()).first->second;
      size_t right = index.try_emplace(c.right, index.size()).first->second;
      arcs.push_back({right, left, *bound, c.strict});
    }
    for (size_t i = 1; i < index.size(); ++i)
      arcs.push_back({i, 0, 0, false}); // zero - x <= 0
    // A distance is a number of time units and how many strict steps led to it; more strict steps are tighter.
    std::vector<std::pair<Rational, int64_t>> distance(index.size());
    for (size_t round = 0; round <= index.size(); ++round) {
      bool changed = false;
      for (const Arc& arc : arcs) {
        std::pair<Rational, int64_t> through{distance[arc.from].first + arc.bound,
                                             distance[arc.from].second - (arc.strict ? 1 : 0)};
        if (through < distance[arc.to]) {
          distance[arc.to] = through;
          changed = true;
        }
      }
      if (!changed)
        return false;
    }
    return true;
  }

  const Model& model_;
  const ExprPool& pool_;
  const Edge* edge_;
  bool exact_ = true;
  bool impossible_ = false;
  std::map<ExprId, Interval> intervals_;
  std::map<ExprId, Choice> choices_;
};

/// Splits And, Or and their negations into conjunctions of literals. False if there are too many.
bool cases(const ExprPool& pool, ExprId root, std::vector<std::vector<std::pair<ExprId, bool>>>& result) {
  struct Open {
    std::vector<std::pair<ExprId, bool>> todo;     // still to be split, with the sign
    std::vector<std::pair<ExprId, bool>> literals; // done
  };
  std::vector<Open> open{{{{root, true}}, {}}};
  while (!open.empty()) {
    Open item = std::move(open.back());
    open.pop_back();
    if (item.todo.empty()) {
      result.push_back(std::move(item.literals));
      if (result.size() > kMaxCases)
        return false;
      continue;
    }
    auto [id, positive] = item.todo.back();
    item.todo.pop_back();
    Op op = pool.op(id);
    if (op == Op::Not) {
      item.todo.emplace_back(pool.operands(id)[0], !positive);
      open.push_back(std::move(item));
    } else if (op != Op::And && op != Op::Or) {
      item.literals.emplace_back(id, positive);
      open.push_back(std::move(item));
    } else if ((op == Op::And) == positive) {
      for (ExprId part : pool.operands(id))
        item.todo.emplace_back(part, positive);
      open.push_back(std::move(item));
    } else {
      for (ExprId part : pool.operands(id)) {
        open.push_back(item);
        open.back().todo.emplace_back(part, positive);
      }
    }
    if (open.size() > kMaxCases)
      return false;
  }
  return true;
}

} // namespace

Decision satisfiable(const Model& model, const Guard& guard, const Edge* edge) {
  std::vector<std::vector<std::pair<ExprId, bool>>> alternatives;
  if (!cases(model.exprs, guard.data, alternatives))
    return Decision::Unknown;
  Decision best = Decision::No;
  for (const auto& literals : alternatives) {
    Conjunction conjunction(model, edge);
    for (auto [literal, positive] : literals)
      conjunction.add(literal, positive);
    Decision one = conjunction.decide(guard.clocks);
    if (one == Decision::Yes)
      return Decision::Yes;
    if (one == Decision::Unknown)
      best = Decision::Unknown;
  }
  return best;
}

namespace {

/// `what` where the operands before it made evaluation come this far, true elsewhere.
ExprId after(ExprPool& pool, ExprId reached, ExprId what) {
  return pool.isTrue(what) ? what : pool.disjunction(pool.negation(reached), what);
}

/// The condition that an expression adds to those of its operands; `known` has these.
ExprId ownCondition(Model& model, ExprId id, const std::unordered_map<ExprId, ExprId>& known) {
  ExprPool& pool = model.exprs;
  const Op op = pool.op(id);
  const std::vector<ExprId> ops(pool.operands(id).begin(), pool.operands(id).end()); // the pool grows below
  if (op == Op::And || op == Op::Or) {
    ExprId result = known.at(ops.back());
    for (size_t i = ops.size() - 1; i-- > 0;) {
      ExprId goesOn = op == Op::And ? ops[i] : pool.negation(ops[i]);
      result = pool.conjunction(known.at(ops[i]), after(pool, goesOn, result));
    }
    return result;
  }
  if (op == Op::IfThenElse) {
    ExprId yes = after(pool, ops[0], known.at(ops[1]));
    ExprId no = after(pool, pool.negation(ops[0]), known.at(ops[2]));
    return pool.conjunction(std::vector<ExprId>{known.at(ops[0]), yes, no});
  }
  std::vector<ExprId> parts;
  for (ExprId operand : ops)
    parts.push_back(known.at(operand));
  if (op == Op::Divide || op == Op::Remainder) {
    ExprId zero = pool.type(ops[1]) == model.types.real() ? pool.real(0) : pool.integer(0);
    parts.push_back(pool.negation(pool.equal(ops[1], zero)));
  } else if (op == Op::Element || op == Op::SetElement) {
    parts.push_back(pool.lessEqual(pool.integer(0), ops[1]));
    parts.push_back(pool.less(ops[1], pool.integer(model.types[pool.type(ops[0])].size)));
  }
  return pool.conjunction(parts);
}

} // namespace

ExprId hasValue(Model& model, ExprId expr) {
  std::vector<ExprId> order;
  model.exprs.visit(expr, [&](ExprId id) { order.push_back(id); });
  std::unordered_map<ExprId, ExprId> known;
  for (ExprId id : order)
    known[id] = ownCondition(model, id, known);
  return known.at(expr);
}

std::vector<Guard> complement(Model& model, const Guard& guard) {
  ExprPool& pool = model.exprs;
  std::vector<ExprId> parts{hasValue(model, guard.data), guard.data};
  for (const ClockConstraint& c : guard.clocks)
    parts.push_back(hasValue(model, c.bound));
  const ExprId data = pool.conjunction(parts);
  std::vector<Guard> result;
  if (!pool.isTrue(data)) {
    for (ExprId& part : parts)
      part = pool.negation(part);
    result.push_back({pool.disjunction(parts), {}});
  }
  Guard prefix{guard.data, {}};
  for (const ClockConstraint& c : guard.clocks) {
    Guard part = prefix;
    part.clocks.push_back({c.right, c.left, !c.strict, pool.negate(c.bound), c.span});
    result.push_back(std::move(part));
    prefix.clocks.push_back(c);
  }
  return result;
}

Guard conjunction(Model& model, const Guard& a, const Guard& b) {
  Guard result{model.exprs.conjunction(a.data, b.data), a.clocks};
  result.clocks.insert(result.clocks.end(), b.clocks.begin(), b.clocks.end());
  return result;
}

} // namespace tioc::ir
