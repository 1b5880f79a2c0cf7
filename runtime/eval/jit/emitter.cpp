#include "runtime/eval/jit/emitter.hpp"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

namespace tioc::eval::jit {

using ir::ExprId;
using ir::Op;
using ir::TypeKind;
using llvm::Value;

namespace {

constexpr uint32_t kMaxDepth = 2000;
constexpr uint32_t kMaxNodes = 20000;
constexpr uint32_t kMaxRegisters = 64; // of one value

bool isSmall(const Layout& layout, ExprId root) {
  const ir::ExprPool& pool = layout.model().exprs;
  if (pool.depth(root) > kMaxDepth)
    return false;
  uint32_t nodes = 0;
  bool wide = false;
  pool.visit(root, [&](ExprId expr) {
    ++nodes;
    Op op = pool.op(expr);
    bool inPlace = op == Op::Variable || op == Op::Local || op == Op::Field || op == Op::Element;
    // Wide values are fine as long as they stay in the frame; whoever needs them in registers is not a place itself.
    for (ExprId operand : pool.operands(expr)) {
      bool staysInFrame = (op == Op::Field || (op == Op::Element && operand == pool.operands(expr)[0]));
      if (!staysInFrame && layout.sizeOf(pool.type(operand)) > kMaxRegisters)
        wide = true;
    }
    if (!inPlace && layout.sizeOf(pool.type(expr)) > kMaxRegisters)
      wide = true;
  });
  return !wide && nodes <= kMaxNodes && layout.sizeOf(pool.type(root)) <= kMaxRegisters;
}

/// `collectStores` writes elements of the variable in place, however wide it is.
bool isSmallUpdate(const Layout& layout, const ir::Update& update) {
  const ir::ExprPool& pool = layout.model().exprs;
  ExprId value = update.value;
  for (uint32_t steps = 0; pool.op(value) == Op::SetElement; ++steps) {
    auto operands = pool.operands(value);
    if (steps == kMaxRegisters || !isSmall(layout, operands[1]) || !isSmall(layout, operands[2]))
      return false;
    value = operands[0];
  }
  bool isSelf = pool.op(value) == Op::Variable && pool.payload(value) == update.variable.value;
  return isSelf || isSmall(layout, value);
}

} // namespace

bool isCompilable(const Layout& layout, const ir::Edge& edge, bool guard, bool updates) {
  if (guard && !isSmall(layout, edge.guard.data))
    return false;
  return !updates || std::all_of(edge.updates.begin(), edge.updates.end(),
                                 [&](const ir::Update& update) { return isSmallUpdate(layout, update); });
}

Emitter::Emitter(const Layout& layout, const ir::Edge& edge, llvm::IRBuilder<>& builder, llvm::Function* function,
                 Value* frame, llvm::BasicBlock* handBack)
    : layout_(layout), model_(layout.model()), pool_(model_.exprs), edge_(edge), builder_(builder),
      function_(function), frame_(frame), handBack_(handBack), scopes_(1) {}

llvm::BasicBlock* Emitter::block(const char* name) {
  return llvm::BasicBlock::Create(builder_.getContext(), name, function_, handBack_);
}

void Emitter::handBackIf(Value* condition) {
  llvm::BasicBlock* next = block("");
  builder_.CreateCondBr(condition, handBack_, next,
                        llvm::MDBuilder(builder_.getContext()).createBranchWeights(1, 1 << 20));
  builder_.SetInsertPoint(next);
}

Value* Emitter::checked(llvm::Intrinsic::ID id, Value* a, Value* b) {
  Value* pair = builder_.CreateBinaryIntrinsic(id, a, b);
  handBackIf(builder_.CreateExtractValue(pair, 1));
  return builder_.CreateExtractValue(pair, 0);
}

// ---- places

Value* Emitter::checkedIndex(ExprId index, uint32_t size) {
  Value* at = emit(index)[0];
  handBackIf(builder_.CreateICmpUGE(at, slot(size)));
  return at;
}

Emitter::Place Emitter::element(Place array, ExprId index) {
  const ir::Type& type = model_.types[array.type];
  uint32_t width = layout_.sizeOf(type.element);
  Value* at = checkedIndex(index, type.size);
  Place result{array.offset, nullptr, type.element};
  Value* scaled = width == 1 ? at : builder_.CreateNUWMul(at, slot(width));
  result.index = array.index ? builder_.CreateNUWAdd(array.index, scaled) : scaled;
  return result;
}

std::optional<Emitter::Place> Emitter::place(ExprId expr) {
  uint32_t payload = pool_.payload(expr);
  switch (pool_.op(expr)) {
  case Op::Variable:
    return Place{layout_.offsetOf(ir::VariableId(payload)), nullptr, model_.variables[payload].type};
  case Op::Local:
    return Place{layout_.offsetOfLocal(edge_, payload), nullptr, edge_.parameters[payload].type};
  case Op::Field: {
    auto record = place(pool_.operands(expr)[0]);
    if (!record)
      return std::nullopt;
    const auto& fields = model_[model_.types[record->type].record].fields;
    for (uint32_t i = 0; i < payload; ++i)
      record->offset += layout_.sizeOf(fields[i].type);
    record->type = fields[payload].type;
    return record;
  }
  case Op::Element: {
    auto array = place(pool_.operands(expr)[0]);
    if (!array)
      return std::nullopt;
    return element(*array, pool_.operands(expr)[1]);
  }
  default:
    return std::nullopt;
  }
}

Registers Emitter::load(const Place& place) {
  Registers values;
  Value* base = frame_;
  if (place.index)
    base = builder_.CreateInBoundsGEP(builder_.getInt64Ty(), frame_, place.index);
  for (uint32_t i = 0; i < layout_.sizeOf(place.type); ++i) {
    Value* address = builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), base, place.offset + i);
    values.push_back(builder_.CreateLoad(builder_.getInt64Ty(), address));
  }
  if (model_.types[place.type].kind == TypeKind::Bool)
    values[0] = builder_.CreateICmpNE(values[0], slot(0));
  return values;
}

// ---- expressions

Registers Emitter::emit(ExprId expr) {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (auto it = scope->find(expr); it != scope->end())
      return it->second;
  Registers values = compute(expr);
  scopes_.back().emplace(expr, values);
  return values;
}

Registers Emitter::compute(ExprId expr) {
  auto operands = pool_.operands(expr);
  switch (pool_.op(expr)) {
  case Op::Bool:
  case Op::Number:
  case Op::EnumLiteral:
    return constant(expr);
  case Op::Variable:
  case Op::Local:
    return load(*place(expr));
  case Op::Not:
    return {builder_.CreateNot(emitBool(operands[0]))};
  case Op::And:
  case Op::Or:
    return {connective(expr)};
  case Op::Equal:
  case Op::Less:
  case Op::LessEqual:
    return {compare(expr)};
  case Op::IfThenElse:
    return choose(expr);
  case Op::MakeRecord:
  case Op::MakeArray: {
    Registers all;
    for (ExprId operand : operands) {
      Registers part = emit(operand);
      // Within a larger value a bool is a slot like all others.
      for (Value* value : part)
        all.push_back(value->getType()->isIntegerTy(1) ? builder_.CreateZExt(value, builder_.getInt64Ty()) : value);
    }
    return all;
  }
  case Op::Field:
  case Op::Element:
    if (auto at = place(expr))
      return load(*at);
    return elementOfValue(expr);
  case Op::SetField:
  case Op::SetElement:
    return setElement(expr);
  default:
    return pool_.type(expr) == model_.types.real() ? realArithmetic(expr) : arithmetic(expr);
  }
}

Registers Emitter::constant(ExprId expr) {
  if (pool_.op(expr) == Op::Bool)
    return {builder_.getInt1(pool_.payload(expr) == 1)};
  if (pool_.op(expr) == Op::EnumLiteral)
    return {slot(pool_.payload(expr))};
  const ir::Rational& number = *pool_.number(expr);
  auto numerator = number.numerator().toInt64();
  auto denominator = number.denominator().toInt64();
  if (!numerator || !denominator) {
    handBackIf(builder_.getTrue());
    numerator = denominator = 1;
  }
  if (pool_.type(expr) == model_.types.real())
    return {slot(*numerator), slot(*denominator)};
  return {slot(*numerator)};
}

/// Left to right; the first operand that decides ends it.
Value* Emitter::connective(ExprId expr) {
  bool isAnd = pool_.op(expr) == Op::And;
  auto operands = pool_.operands(expr);
  llvm::BasicBlock* end = block(isAnd ? "and" : "or");
  std::vector<std::pair<Value*, llvm::BasicBlock*>> incoming;
  Value* value = emitBool(operands[0]);
  enterScope(); // an operand dominates those behind it, but not the end
  for (size_t i = 1; i < operands.size(); ++i) {
    llvm::BasicBlock* next = block("");
    incoming.emplace_back(builder_.getInt1(!isAnd), builder_.GetInsertBlock());
    builder_.CreateCondBr(value, isAnd ? next : end, isAnd ? end : next);
    builder_.SetInsertPoint(next);
    value = emitBool(operands[i]);
  }
  leaveScope();
  incoming.emplace_back(value, builder_.GetInsertBlock());
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  llvm::PHINode* phi = builder_.CreatePHI(builder_.getInt1Ty(), static_cast<unsigned>(incoming.size()));
  for (auto [from, where] : incoming)
    phi->addIncoming(from, where);
  return phi;
}

Registers Emitter::choose(ExprId expr) {
  auto operands = pool_.operands(expr);
  Value* condition = emitBool(operands[0]);
  llvm::BasicBlock* yes = block("then");
  llvm::BasicBlock* no = block("else");
  llvm::BasicBlock* end = block("endif");
  builder_.CreateCondBr(condition, yes, no);
  auto branch = [&](llvm::BasicBlock* begin, ExprId operand) {
    builder_.SetInsertPoint(begin);
    enterScope();
    Registers values = emit(operand);
    leaveScope();
    llvm::BasicBlock* last = builder_.GetInsertBlock();
    builder_.CreateBr(end);
    return std::pair(values, last);
  };
  auto [first, firstEnd] = branch(yes, operands[1]);
  auto [second, secondEnd] = branch(no, operands[2]);
  builder_.SetInsertPoint(end);
  Registers values;
  for (size_t i = 0; i < first.size(); ++i) {
    llvm::PHINode* phi = builder_.CreatePHI(first[i]->getType(), 2);
    phi->addIncoming(first[i], firstEnd);
    phi->addIncoming(second[i], secondEnd);
    values.push_back(phi);
  }
  return values;
}

Value* Emitter::compare(ExprId expr) {
  Op op = pool_.op(expr);
  auto operands = pool_.operands(expr);
  Registers a = emit(operands[0]);
  Registers b = emit(operands[1]);
  if (op == Op::Equal) {
    Value* same = builder_.CreateICmpEQ(a[0], b[0]);
    for (size_t i = 1; i < a.size(); ++i)
      same = builder_.CreateAnd(same, builder_.CreateICmpEQ(a[i], b[i]));
    return same;
  }
  auto predicate = op == Op::Less ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_SLE;
  if (a.size() == 1)
    return builder_.CreateICmp(predicate, a[0], b[0]);
  // a/b < c/d iff a*d < c*b, in 128 bits; denominators are positive.
  llvm::Type* wide = builder_.getInt128Ty();
  auto cross = [&](Value* x, Value* y) {
    return builder_.CreateNSWMul(builder_.CreateSExt(x, wide), builder_.CreateSExt(y, wide));
  };
  return builder_.CreateICmp(predicate, cross(a[0], b[1]), cross(b[0], a[1]));
}

// ---- arithmetic

Value* Emitter::quotient(Value* a, Value* b, bool remainder) {
  handBackIf(builder_.CreateICmpEQ(b, slot(0)));
  handBackIf(builder_.CreateAnd(builder_.CreateICmpEQ(a, slot(INT64_MIN)), builder_.CreateICmpEQ(b, slot(-1))));
  // The machine rounds towards zero; Euclid's remainder is never negative.
  Value* rest = builder_.CreateSRem(a, b);
  Value* negative = builder_.CreateICmpSLT(rest, slot(0));
  Value* positiveDivisor = builder_.CreateICmpSGT(b, slot(0));
  if (remainder) {
    Value* lifted = builder_.CreateSelect(positiveDivisor, builder_.CreateAdd(rest, b), builder_.CreateSub(rest, b));
    return builder_.CreateSelect(negative, lifted, rest);
  }
  Value* rounded = builder_.CreateSDiv(a, b);
  Value* correction = builder_.CreateSelect(positiveDivisor, slot(-1), slot(1));
  return builder_.CreateSelect(negative, builder_.CreateAdd(rounded, correction), rounded);
}

Registers Emitter::arithmetic(ExprId expr) {
  auto operands = pool_.operands(expr);
  Op op = pool_.op(expr);
  Registers first = emit(operands[0]);
  Value* value = first[0];
  switch (op) {
  case Op::Negate:
    return {checked(llvm::Intrinsic::ssub_with_overflow, slot(0), value)};
  case Op::Add:
  case Op::Multiply: {
    auto id = op == Op::Add ? llvm::Intrinsic::sadd_with_overflow : llvm::Intrinsic::smul_with_overflow;
    for (size_t i = 1; i < operands.size(); ++i)
      value = checked(id, value, emit(operands[i])[0]);
    return {value};
  }
  case Op::Divide:
  case Op::Remainder:
    return {quotient(value, emit(operands[1])[0], op == Op::Remainder)};
  default: { // Floor of a real; its denominator is positive
    Value* rest = builder_.CreateSRem(value, first[1]);
    Value* rounded = builder_.CreateSDiv(value, first[1]);
    return {builder_.CreateSelect(builder_.CreateICmpSLT(rest, slot(0)), builder_.CreateSub(rounded, slot(1)), rounded)};
  }
  }
}

/// Sums and products of fractions need a greatest common divisor: functions of the library do them.
Value* Emitter::callReal(const char* name, const Registers& a, const Registers& b, Registers& result) {
  llvm::Type* word = builder_.getInt64Ty();
  llvm::Type* pointer = builder_.getPtrTy();
  auto* type = llvm::FunctionType::get(builder_.getInt8Ty(), {word, word, word, word, pointer}, false);
  auto callee = function_->getParent()->getOrInsertFunction(name, type);
  llvm::IRBuilder<> entry(&function_->getEntryBlock(), function_->getEntryBlock().begin());
  Value* out = entry.CreateAlloca(word, entry.getInt64(2));
  Value* bad = builder_.CreateCall(callee, {a[0], a[1], b[0], b[1], out});
  handBackIf(builder_.CreateICmpNE(bad, builder_.getInt8(0)));
  result = {builder_.CreateLoad(word, out),
            builder_.CreateLoad(word, builder_.CreateConstInBoundsGEP1_64(word, out, 1))};
  return out;
}

Registers Emitter::realArithmetic(ExprId expr) {
  auto operands = pool_.operands(expr);
  Op op = pool_.op(expr);
  Registers value = emit(operands[0]);
  if (op == Op::ToReal)
    return {value[0], slot(1)};
  if (op == Op::Negate)
    return {checked(llvm::Intrinsic::ssub_with_overflow, slot(0), value[0]), value[1]};
  const char* name = op == Op::Add ? "tioc_real_add" : op == Op::Multiply ? "tioc_real_multiply" : "tioc_real_divide";
  for (size_t i = 1; i < operands.size(); ++i) {
    Registers next = emit(operands[i]);
    callReal(name, value, next, value);
  }
  return value;
}

// ---- records and arrays in registers

Registers Emitter::elementOfValue(ExprId expr) {
  auto operands = pool_.operands(expr);
  const ir::Type& type = model_.types[pool_.type(operands[0])];
  Registers whole = emit(operands[0]);
  Registers part;
  if (pool_.op(expr) == Op::Field) {
    const auto& fields = model_[type.record].fields;
    uint32_t offset = 0;
    for (uint32_t i = 0; i < pool_.payload(expr); ++i)
      offset += layout_.sizeOf(fields[i].type);
    uint32_t width = layout_.sizeOf(fields[pool_.payload(expr)].type);
    part.assign(whole.begin() + offset, whole.begin() + offset + width);
  } else {
    Value* index = checkedIndex(operands[1], type.size);
    uint32_t width = layout_.sizeOf(type.element);
    part.assign(whole.begin(), whole.begin() + width);
    for (uint32_t i = 1; i < type.size; ++i) {
      Value* here = builder_.CreateICmpEQ(index, slot(i));
      for (uint32_t k = 0; k < width; ++k)
        part[k] = builder_.CreateSelect(here, whole[i * width + k], part[k]);
    }
  }
  if (model_.types[pool_.type(expr)].kind == TypeKind::Bool)
    part[0] = builder_.CreateICmpNE(part[0], slot(0));
  return part;
}

Registers Emitter::setElement(ExprId expr) {
  auto operands = pool_.operands(expr);
  const ir::Type& type = model_.types[pool_.type(expr)];
  Registers whole = emit(operands[0]);
  bool isField = pool_.op(expr) == Op::SetField;
  Value* index = isField ? nullptr : checkedIndex(operands[1], type.size);
  Registers part = emit(operands[isField ? 1 : 2]);
  if (part.size() == 1 && part[0]->getType()->isIntegerTy(1))
    part[0] = builder_.CreateZExt(part[0], builder_.getInt64Ty());
  if (isField) {
    uint32_t offset = 0;
    for (uint32_t i = 0; i < pool_.payload(expr); ++i)
      offset += layout_.sizeOf(model_[type.record].fields[i].type);
    std::copy(part.begin(), part.end(), whole.begin() + offset);
    return whole;
  }
  for (uint32_t i = 0; i < type.size; ++i) {
    Value* here = builder_.CreateICmpEQ(index, slot(i));
    for (size_t k = 0; k < part.size(); ++k)
      whole[i * part.size() + k] = builder_.CreateSelect(here, part[k], whole[i * part.size() + k]);
  }
  return whole;
}

// ---- updates

void Emitter::checkRange(ir::TypeId id, const Registers& values, size_t& at, llvm::BasicBlock* no) {
  const ir::Type& type = model_.types[id];
  if (type.kind == TypeKind::Record) {
    for (const ir::Member& field : model_[type.record].fields)
      checkRange(field.type, values, at, no);
    return;
  }
  if (type.kind == TypeKind::Array) {
    for (uint32_t i = 0; i < type.size; ++i)
      checkRange(type.element, values, at, no);
    return;
  }
  if (type.range) {
    auto outside = [&](llvm::CmpInst::Predicate predicate, const ir::Rational& limit) {
      auto bound = limit.toInt64();
      if (!bound)
        return; // wider than a slot: every slot is inside
      llvm::BasicBlock* next = block("");
      builder_.CreateCondBr(builder_.CreateICmp(predicate, values[at], slot(*bound)), no, next);
      builder_.SetInsertPoint(next);
    };
    outside(llvm::CmpInst::ICMP_SLT, type.range->first);
    outside(llvm::CmpInst::ICMP_SGT, type.range->last);
  }
  at += layout_.sizeOf(id);
}

void Emitter::collectStores(ir::VariableId variable, ExprId value, std::vector<Store>& stores,
                            llvm::BasicBlock* no) {
  const ir::Variable& target = model_[variable];
  uint32_t offset = layout_.offsetOf(variable);
  bool isSelf = pool_.op(value) == Op::Variable && pool_.payload(value) == variable.value;
  if (isSelf)
    return;
  // a := a with one element changed: the rest is in place already.
  if (pool_.op(value) == Op::SetElement) {
    auto operands = pool_.operands(value);
    // What a later store may overwrite need not lie in the range: the interpreter decides.
    collectStores(variable, operands[0], stores, handBack_);
    const ir::Type& type = model_.types[target.type];
    Value* index = checkedIndex(operands[1], type.size);
    Store store{offset, index, emit(operands[2])};
    size_t at = 0;
    checkRange(type.element, store.values, at, no);
    if (uint32_t width = layout_.sizeOf(type.element); width != 1)
      store.index = builder_.CreateNUWMul(index, slot(width));
    stores.push_back(std::move(store));
    return;
  }
  Store store{offset, nullptr, emit(value)};
  size_t at = 0;
  checkRange(target.type, store.values, at, no);
  stores.push_back(std::move(store));
}

void Emitter::emitUpdates(Value* next, llvm::BasicBlock* no) {
  std::vector<Store> stores;
  for (const ir::Update& update : edge_.updates)
    collectStores(update.variable, update.value, stores, no);
  // All values are known: now `next`, which may be the frame itself, is written.
  llvm::Type* word = builder_.getInt64Ty();
  if (layout_.stateSize() > 0) {
    llvm::BasicBlock* copy = block("copy");
    llvm::BasicBlock* write = block("write");
    builder_.CreateCondBr(builder_.CreateICmpEQ(next, frame_), write, copy);
    builder_.SetInsertPoint(copy);
    builder_.CreateMemCpy(next, llvm::Align(8), frame_, llvm::Align(8), uint64_t{layout_.stateSize()} * sizeof(Slot));
    builder_.CreateBr(write);
    builder_.SetInsertPoint(write);
  }
  for (const Store& store : stores) {
    Value* base = store.index ? builder_.CreateInBoundsGEP(word, next, store.index) : next;
    for (size_t i = 0; i < store.values.size(); ++i) {
      Value* value = store.values[i];
      if (value->getType()->isIntegerTy(1))
        value = builder_.CreateZExt(value, word);
      builder_.CreateStore(value, builder_.CreateConstInBoundsGEP1_64(word, base, store.offset + i));
    }
  }
}

} // namespace tioc::eval::jit
