#pragma once

#include "runtime/eval/jit/jit.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <unordered_map>

namespace tioc::eval::jit {

/// The slots of a value in registers: bool as i1, everything else as i64, parts one after the other.
using Registers = std::vector<llvm::Value*>;

/// Emits the body of one function: expressions of one edge over one frame.
///
/// Every operation that can fail branches to the hand-back block. A subexpression is computed once where its first
/// computation dominates; what stands behind `&&`, `||` and `if` is forgotten at their end.
class Emitter {
public:
  Emitter(const Layout& layout, const ir::Edge& edge, llvm::IRBuilder<>& builder, llvm::Function* function,
          llvm::Value* frame, llvm::BasicBlock* handBack);

  /// Precondition of all: the edge `isCompilable`.
  Registers emit(ir::ExprId expr);
  llvm::Value* emitBool(ir::ExprId expr) { return emit(expr)[0]; }

  /// Evaluates all updates, then writes them to `next`, which holds a copy of the variables already. Branches to `no`
  /// where a value leaves its range.
  void emitUpdates(llvm::Value* next, llvm::BasicBlock* no);

private:
  /// A place within the frame: a fixed offset and perhaps a computed one.
  struct Place {
    uint32_t offset = 0;
    llvm::Value* index = nullptr;
    ir::TypeId type;
  };
  struct Store {
    uint32_t offset = 0;
    llvm::Value* index = nullptr;
    Registers values;
  };

  llvm::Value* slot(int64_t value) { return builder_.getInt64(static_cast<uint64_t>(value)); }
  llvm::BasicBlock* block(const char* name);
  void handBackIf(llvm::Value* condition);
  llvm::Value* checked(llvm::Intrinsic::ID id, llvm::Value* a, llvm::Value* b);
  std::optional<Place> place(ir::ExprId expr);
  Registers load(const Place& place);
  Place element(Place array, ir::ExprId index);
  llvm::Value* checkedIndex(ir::ExprId index, uint32_t size);

  Registers compute(ir::ExprId expr);
  Registers constant(ir::ExprId expr);
  llvm::Value* connective(ir::ExprId expr);
  Registers choose(ir::ExprId expr);
  llvm::Value* compare(ir::ExprId expr);
  Registers arithmetic(ir::ExprId expr);
  Registers realArithmetic(ir::ExprId expr);
  llvm::Value* callReal(const char* name, const Registers& a, const Registers& b, Registers& result);
  llvm::Value* quotient(llvm::Value* a, llvm::Value* b, bool remainder);
  Registers elementOfValue(ir::ExprId expr);
  Registers setElement(ir::ExprId expr);
  void collectStores(ir::VariableId variable, ir::ExprId value, std::vector<Store>& stores, llvm::BasicBlock* no);
  void checkRange(ir::TypeId type, const Registers& values, size_t& at, llvm::BasicBlock* no);

  void enterScope() { scopes_.emplace_back(); }
  void leaveScope() { scopes_.pop_back(); }

  const Layout& layout_;
  const ir::Model& model_;
  const ir::ExprPool& pool_;
  const ir::Edge& edge_;
  llvm::IRBuilder<>& builder_;
  llvm::Function* function_;
  llvm::Value* frame_;
  llvm::BasicBlock* handBack_;
  std::vector<std::unordered_map<ir::ExprId, Registers>> scopes_;
};

/// Whether compiling pays and is safe: not too deep for the stack, not too large, no wide arrays in registers.
bool isCompilable(const Layout& layout, const ir::Edge& edge, bool guard, bool updates);

} // namespace tioc::eval::jit
