#include "runtime/semantics/int_program.hpp"

namespace tioc::semantics {

using eval::Slot;
using ir::ExprId;
using ir::Op;
using ir::TypeKind;

/// Writes the code of an expression, operands first. `depth_` follows the stack.
class IntProgram::Writer {
public:
  Writer(const eval::Layout& layout, const ir::Edge* edge, std::vector<Instruction>& code)
      : layout_(layout), model_(layout.model()), pool_(model_.exprs), edge_(edge), code_(code) {}

  bool write(ExprId expr) {
    if (!isWord(expr) || pool_.treeSize(expr) > kMostNodes)
      return false;
    if (const auto constant = constantOf(expr))
      return push({Code::Constant, 0, 0, *constant});
    if (const auto slot = slotOf(expr))
      return push({Code::Slot, *slot});
    switch (pool_.op(expr)) {
    case Op::Not:
      return operand(expr, 0) && apply(Code::Not, 1);
    case Op::And:
      return connective(expr, Code::SkipIfFalse);
    case Op::Or:
      return connective(expr, Code::SkipIfTrue);
    case Op::Equal:
      return equality(expr);
    case Op::Less:
      return operand(expr, 0) && operand(expr, 1) && apply(Code::Less, 2);
    case Op::LessEqual:
      return operand(expr, 0) && operand(expr, 1) && apply(Code::LessEqual, 2);
    case Op::Negate:
      return operand(expr, 0) && apply(Code::Negate, 1);
    case Op::Add:
      return chain(expr, Code::Add);
    case Op::Multiply:
      return chain(expr, Code::Multiply);
    case Op::Divide:
      return operand(expr, 0) && operand(expr, 1) && apply(Code::Divide, 2);
    case Op::Remainder:
      return operand(expr, 0) && operand(expr, 1) && apply(Code::Remainder, 2);
    case Op::IfThenElse:
      return choice(expr);
    case Op::Element:
      return element(expr);
    default:
      return false;
    }
  }

private:
  static constexpr uint32_t kMostNodes = 200;

  bool isWord(ExprId expr) const {
    const TypeKind kind = model_.types[pool_.type(expr)].kind;
    return kind == TypeKind::Bool || kind == TypeKind::Enum || kind == TypeKind::Int;
  }

  std::optional<uint32_t> slotOf(ExprId expr) const {
    if (pool_.op(expr) == Op::Variable)
      return layout_.offsetOf(ir::VariableId(pool_.payload(expr)));
    if (pool_.op(expr) == Op::Local && edge_)
      return layout_.offsetOfLocal(*edge_, pool_.payload(expr));
    return std::nullopt;
  }

  std::optional<Slot> constantOf(ExprId expr) const {
    switch (pool_.op(expr)) {
    case Op::Bool:
    case Op::EnumLiteral:
      return pool_.payload(expr);
    case Op::Number:
      return pool_.number(expr)->toInt64();
    default:
      return std::nullopt;
    }
  }

  bool push(Instruction instruction) {
    code_.push_back(instruction);
    return ++depth_ <= kMostDepth;
  }
  bool apply(Code code, uint32_t operands) {
    code_.push_back({code});
    depth_ -= operands - 1;
    return true;
  }
  bool operand(ExprId expr, size_t index) { return write(pool_.operands(expr)[index]); }

  bool chain(ExprId expr, Code code) {
    if (!operand(expr, 0))
      return false;
    for (size_t i = 1; i < pool_.operands(expr).size(); ++i)
      if (!operand(expr, i) || !apply(code, 2))
        return false;
    return true;
  }

  bool equality(ExprId expr) {
    ExprId left = pool_.operands(expr)[0];
    ExprId right = pool_.operands(expr)[1];
    if (!isWord(left))
      return false;
    if (!slotOf(left))
      std::swap(left, right);
    if (const auto slot = slotOf(left)) {
      if (const auto constant = constantOf(right))
        return push({Code::SlotEqualsConstant, *slot, 0, *constant});
      if (const auto other = slotOf(right))
        return push({Code::SlotEqualsSlot, *slot, *other});
    }
    return write(left) && write(right) && apply(Code::Equal, 2);
  }

  bool connective(ExprId expr, Code skip) {
    std::vector<size_t> skips;
    const size_t count = pool_.operands(expr).size();
    for (size_t i = 0; i < count; ++i) {
      if (!operand(expr, i))
        return false;
      if (i + 1 == count)
        break;
      skips.push_back(code_.size());
      code_.push_back({skip});
      --depth_;
    }
    for (size_t at : skips)
      code_[at].a = static_cast<uint32_t>(code_.size());
    return true;
  }

  bool choice(ExprId expr) {
    if (!operand(expr, 0))
      return false;
    const size_t branch = code_.size();
    code_.push_back({Code::BranchIfFalse});
    --depth_;
    if (!operand(expr, 1))
      return false;
    const size_t jump = code_.size();
    code_.push_back({Code::Jump});
    --depth_;
    code_[branch].a = static_cast<uint32_t>(code_.size());
    if (!operand(expr, 2))
      return false;
    code_[jump].a = static_cast<uint32_t>(code_.size());
    return true;
  }

  bool element(ExprId expr) {
    const ExprId array = pool_.operands(expr)[0];
    const auto slot = slotOf(array);
    if (!slot || !operand(expr, 1))
      return false;
    code_.push_back({Code::Element, *slot, model_.types[pool_.type(array)].size});
    return true;
  }

  const eval::Layout& layout_;
  const ir::Model& model_;
  const ir::ExprPool& pool_;
  const ir::Edge* edge_;
  std::vector<Instruction>& code_;
  uint32_t depth_ = 0;
};

std::optional<IntProgram> IntProgram::compile(const eval::Layout& layout, ExprId expr, const ir::Edge* edge) {
  IntProgram program;
  if (!Writer(layout, edge, program.code_).write(expr))
    return std::nullopt;
  return program;
}

namespace {

/// Quotient and remainder with 0 <= remainder < |b|; false if there are none or they do not fit.
bool divide(Slot a, Slot b, Slot& quotient, Slot& remainder) {
  if (b == 0 || (a == INT64_MIN && b == -1) || b == INT64_MIN)
    return false;
  quotient = a / b;
  remainder = a % b;
  if (remainder < 0) {
    quotient -= b > 0 ? 1 : -1;
    remainder += b > 0 ? b : -b;
  }
  return true;
}

} // namespace

bool IntProgram::run(const Slot* frame, Slot& result) const {
  Slot stack[kMostDepth + 1];
  Slot* top = stack; // one behind the last
  Slot rest = 0;
  for (size_t at = 0; at < code_.size(); ++at) {
    const Instruction& instruction = code_[at];
    switch (instruction.code) {
    case Code::Constant:
      *top++ = instruction.constant;
      break;
    case Code::Slot:
      *top++ = frame[instruction.a];
      break;
    case Code::SlotEqualsConstant:
      *top++ = frame[instruction.a] == instruction.constant ? 1 : 0;
      break;
    case Code::SlotEqualsSlot:
      *top++ = frame[instruction.a] == frame[instruction.b] ? 1 : 0;
      break;
    case Code::Not:
      top[-1] ^= 1;
      break;
    case Code::Equal:
      --top;
      top[-1] = top[-1] == top[0] ? 1 : 0;
      break;
    case Code::Less:
      --top;
      top[-1] = top[-1] < top[0] ? 1 : 0;
      break;
    case Code::LessEqual:
      --top;
      top[-1] = top[-1] <= top[0] ? 1 : 0;
      break;
    case Code::Negate:
      if (__builtin_sub_overflow(Slot{0}, top[-1], &top[-1]))
        return false;
      break;
    case Code::Add:
      --top;
      if (__builtin_add_overflow(top[-1], top[0], &top[-1]))
        return false;
      break;
    case Code::Multiply:
      --top;
      if (__builtin_mul_overflow(top[-1], top[0], &top[-1]))
        return false;
      break;
    case Code::Divide:
      --top;
      if (!divide(top[-1], top[0], top[-1], rest))
        return false;
      break;
    case Code::Remainder:
      --top;
      if (!divide(top[-1], top[0], rest, top[-1]))
        return false;
      break;
    case Code::Element:
      if (top[-1] < 0 || top[-1] >= instruction.b)
        return false;
      top[-1] = frame[instruction.a + top[-1]];
      break;
    case Code::SkipIfFalse:
      if (top[-1] == 0)
        at = instruction.a - size_t{1};
      else
        --top;
      break;
    case Code::SkipIfTrue:
      if (top[-1] != 0)
        at = instruction.a - size_t{1};
      else
        --top;
      break;
    case Code::BranchIfFalse:
      if (*--top == 0)
        at = instruction.a - size_t{1};
      break;
    case Code::Jump:
      at = instruction.a - size_t{1};
      break;
    }
  }
  result = top[-1];
  return true;
}

} // namespace tioc::semantics
