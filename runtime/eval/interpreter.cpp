#include "runtime/eval/interpreter.hpp"

#include <optional>

namespace tioc::eval {

using ir::ExprId;
using ir::Op;
using ir::Rational;

namespace {

/// An expression whose operands are being worked out.
struct Pending {
  ExprId expr;
  uint32_t next = 0; ///< the operand that comes next
};

Value number(Rational value) {
  return {std::move(value), {}};
}

/// One evaluation: a stack of expressions under work and one of operand values.
template <class LeafFn>
class Machine {
public:
  Machine(const ir::Model& model, LeafFn& leaf) : model_(model), pool_(model.exprs), leaf_(leaf) {}

  Result run(ExprId root) {
    // A large tree of few nodes shares them; below this, remembering costs more than it saves.
    remember_ = pool_.treeSize(root) > 512;
    begin(root);
    while (!work_.empty() && fault_ == Fault::None)
      advance();
    if (fault_ != Fault::None)
      return {{}, fault_};
    return {std::move(values_.back()), Fault::None};
  }

private:
  void begin(ExprId expr) {
    switch (pool_.op(expr)) {
    case Op::Bool:
    case Op::EnumLiteral:
      values_.push_back(number(static_cast<int64_t>(pool_.payload(expr))));
      return;
    case Op::Number:
      values_.push_back(number(*pool_.number(expr)));
      return;
    case Op::Variable:
    case Op::Local:
    case Op::Parameter:
      values_.push_back(leaf_(expr));
      return;
    default:
      break;
    }
    if (remember_) {
      if (auto it = known_.find(expr); it != known_.end()) {
        values_.push_back(it->second);
        return;
      }
    }
    work_.push_back({expr});
  }

  void advance() {
    Pending& top = work_.back();
    ExprId expr = top.expr;
    Op op = pool_.op(expr);
    auto operands = pool_.operands(expr);
    if (top.next > 0 && (op == Op::And || op == Op::Or)) {
      bool decided = values_.back().isTrue() == (op == Op::Or);
      if (decided || top.next == operands.size())
        return finish(expr);
      values_.pop_back();
    }
    if (op == Op::IfThenElse && top.next > 0) {
      if (top.next > 1)
        return finish(expr);
      uint32_t branch = values_.back().isTrue() ? 1 : 2;
      values_.pop_back();
      top.next = branch + 1;
      return begin(operands[branch]);
    }
    if (top.next < operands.size()) {
      ++top.next;
      return begin(operands[top.next - 1]);
    }
    combine(expr, op, operands.size());
    if (fault_ == Fault::None)
      finish(expr);
  }

  /// The value of `expr` is on top.
  void finish(ExprId expr) {
    work_.pop_back();
    if (remember_)
      known_.emplace(expr, values_.back());
  }

  /// Replaces the operands on the stack by the result.
  void combine(ExprId expr, Op op, size_t count) {
    size_t base = values_.size() - count;
    Value* operand = values_.data() + base;
    Value result;
    switch (op) {
    case Op::Not:
      result = number(operand[0].isTrue() ? 0 : 1);
      break;
    case Op::Equal:
      result = number(operand[0] == operand[1] ? 1 : 0);
      break;
    case Op::Less:
      result = number(operand[0].number < operand[1].number ? 1 : 0);
      break;
    case Op::LessEqual:
      result = number(operand[0].number <= operand[1].number ? 1 : 0);
      break;
    case Op::MakeRecord:
    case Op::MakeArray:
      result.parts.assign(std::make_move_iterator(operand), std::make_move_iterator(operand + count));
      break;
    case Op::Field:
      result = std::move(operand[0].parts[pool_.payload(expr)]);
      break;
    case Op::SetField:
      result = std::move(operand[0]);
      result.parts[pool_.payload(expr)] = std::move(operand[1]);
      break;
    case Op::Element:
    case Op::SetElement:
      result = access(op, operand);
      break;
    default:
      result = number(arithmetic(expr, op, operand, count));
    }
    values_.resize(base);
    values_.push_back(std::move(result));
  }

  Value access(Op op, Value* operand) {
    const Rational& index = operand[1].number;
    if (index.sign() < 0 || index >= Rational(static_cast<int64_t>(operand[0].parts.size()))) {
      fault_ = Fault::IndexOutOfRange;
      return {};
    }
    auto at = static_cast<size_t>(*index.toInt64());
    if (op == Op::Element)
      return std::move(operand[0].parts[at]);
    operand[0].parts[at] = std::move(operand[2]);
    return std::move(operand[0]);
  }

  Rational arithmetic(ExprId expr, Op op, const Value* operand, size_t count) {
    const Rational& a = operand[0].number;
    switch (op) {
    case Op::Negate:
      return -a;
    case Op::Add: {
      Rational sum = a + operand[1].number;
      for (size_t i = 2; i < count; ++i)
        sum = sum + operand[i].number;
      return sum;
    }
    case Op::Multiply: {
      Rational product = a * operand[1].number;
      for (size_t i = 2; i < count; ++i)
        product = product * operand[i].number;
      return product;
    }
    case Op::Divide:
    case Op::Remainder: {
      const Rational& b = operand[1].number;
      if (b.isZero()) {
        fault_ = Fault::DivisionByZero;
        return {};
      }
      if (op == Op::Remainder)
        return ir::euclideanRemainder(a, b);
      return pool_.type(expr) == model_.types.real() ? a / b : ir::euclideanQuotient(a, b);
    }
    case Op::Floor:
      return a.floor();
    default:
      return a; // ToReal: integers are rationals
    }
  }

  const ir::Model& model_;
  const ir::ExprPool& pool_;
  LeafFn& leaf_;
  std::vector<Pending> work_;
  std::vector<Value> values_;
  std::unordered_map<ExprId, Value> known_;
  bool remember_ = false;
  Fault fault_ = Fault::None;
};

} // namespace

Result evaluate(const ir::Model& model, ExprId expr, const Leaves& leaves) {
  return Machine<const Leaves>(model, leaves).run(expr);
}

Result evaluate(const Layout& layout, ExprId expr, const ir::Edge* edge, const Slot* frame) {
  const ir::Model& model = layout.model();
  const ir::ExprPool& pool = model.exprs;
  auto leaf = [&](ExprId id) {
    uint32_t payload = pool.payload(id);
    if (pool.op(id) == Op::Variable)
      return layout.load(model.variables[payload].type, frame + layout.offsetOf(ir::VariableId(payload)));
    return layout.load(edge->parameters[payload].type, frame + layout.offsetOfLocal(*edge, payload));
  };
  return Machine(model, leaf).run(expr);
}

bool holds(const Layout& layout, const ir::Edge& edge, const Slot* frame) {
  Result result = evaluate(layout, edge.guard.data, &edge, frame);
  return result.ok() && result.value.isTrue();
}

Taken update(const Layout& layout, const ir::Edge& edge, const Slot* frame, Slot* next) {
  const ir::Model& model = layout.model();
  // All values before the first is written: assignments are simultaneous, and `next` may be `frame`.
  std::vector<Value> values;
  for (const ir::Update& change : edge.updates) {
    Result result = evaluate(layout, change.value, &edge, frame);
    if (!result.ok() || !fits(model, model[change.variable].type, result.value))
      return Taken::No;
    values.push_back(std::move(result.value));
  }
  if (next != frame)
    std::copy(frame, frame + layout.stateSize(), next);
  for (size_t i = 0; i < values.size(); ++i) {
    ir::VariableId variable = edge.updates[i].variable;
    if (!layout.store(model[variable].type, values[i], next + layout.offsetOf(variable)))
      return Taken::Stuck;
  }
  return Taken::Yes;
}

} // namespace tioc::eval
