#include "runtime/eval/jit/emitter.hpp"
#include "runtime/eval/jit/reals.hpp"

#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

namespace tioc::eval::jit {

namespace {

constexpr const char* kPartNames[kParts] = {"guard", "update", "step", "guard_all", "step_all"};

std::string nameOf(const Wanted& wanted) {
  return std::string(kPartNames[static_cast<size_t>(wanted.part)]) + "_" + std::to_string(wanted.edge.value);
}

/// Emits the functions of one module.
class ModuleWriter {
public:
  ModuleWriter(const Layout& layout, llvm::Module& module)
      : layout_(layout), module_(module), builder_(module.getContext()) {}

  llvm::Function* write(const Wanted& wanted) {
    switch (wanted.part) {
    case Part::GuardAll:
      return writeLoop(wanted, Part::Guard);
    case Part::StepAll:
      return writeLoop(wanted, Part::Step);
    default:
      return writeOne(wanted);
    }
  }

private:
  llvm::Function* declare(const Wanted& wanted, llvm::Type* result, std::vector<llvm::Type*> parameters) {
    auto* type = llvm::FunctionType::get(result, parameters, false);
    auto* function = llvm::Function::Create(type, llvm::Function::ExternalLinkage, nameOf(wanted), module_);
    function->setDoesNotThrow();
    return function;
  }

  llvm::Function* writeOne(const Wanted& wanted) {
    if (llvm::Function* known = module_.getFunction(nameOf(wanted)))
      return known;
    const ir::Edge& edge = layout_.model()[wanted.edge];
    bool writes = wanted.part != Part::Guard;
    llvm::Type* pointer = builder_.getPtrTy();
    llvm::Function* function = declare(wanted, builder_.getInt8Ty(),
                                       writes ? std::vector{pointer, pointer} : std::vector{pointer});
    auto makeBlock = [&](const char* name) { return llvm::BasicBlock::Create(module_.getContext(), name, function); };
    llvm::BasicBlock* entry = makeBlock("entry");
    llvm::BasicBlock* handBack = makeBlock("hand_back");
    llvm::BasicBlock* no = makeBlock("no");
    builder_.SetInsertPoint(handBack);
    builder_.CreateRet(builder_.getInt8(StatusHandBack));
    builder_.SetInsertPoint(no);
    builder_.CreateRet(builder_.getInt8(StatusNo));
    builder_.SetInsertPoint(entry);

    Emitter emitter(layout_, edge, builder_, function, function->getArg(0), handBack);
    if (wanted.part != Part::Update) {
      llvm::Value* holds = emitter.emitBool(edge.guard.data);
      if (!writes) {
        builder_.CreateRet(builder_.CreateZExt(holds, builder_.getInt8Ty()));
        return function;
      }
      llvm::BasicBlock* yes = makeBlock("yes");
      builder_.CreateCondBr(holds, yes, no);
      builder_.SetInsertPoint(yes);
    }
    emitter.emitUpdates(function->getArg(1), no);
    builder_.CreateRet(builder_.getInt8(StatusYes));
    return function;
  }

  /// void (frames, count, [next,] answers): the single form in a loop.
  llvm::Function* writeLoop(const Wanted& wanted, Part single) {
    llvm::Function* body = writeOne({wanted.edge, single});
    llvm::Type* word = builder_.getInt64Ty();
    llvm::Type* pointer = builder_.getPtrTy();
    bool writes = single == Part::Step;
    llvm::Function* function =
        declare(wanted, builder_.getVoidTy(),
                writes ? std::vector{pointer, word, pointer, pointer} : std::vector{pointer, word, pointer});
    auto& context = module_.getContext();
    auto* entry = llvm::BasicBlock::Create(context, "entry", function);
    auto* loop = llvm::BasicBlock::Create(context, "loop", function);
    auto* end = llvm::BasicBlock::Create(context, "end", function);
    llvm::Value* count = function->getArg(1);
    builder_.SetInsertPoint(end);
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(entry);
    builder_.CreateCondBr(builder_.CreateICmpEQ(count, builder_.getInt64(0)), end, loop);
    builder_.SetInsertPoint(loop);
    llvm::PHINode* at = builder_.CreatePHI(word, 2);
    at->addIncoming(builder_.getInt64(0), entry);
    llvm::Value* offset = builder_.CreateNUWMul(at, builder_.getInt64(layout_.frameSize()));
    std::vector<llvm::Value*> arguments{builder_.CreateInBoundsGEP(word, function->getArg(0), offset)};
    if (writes)
      arguments.push_back(builder_.CreateInBoundsGEP(word, function->getArg(2), offset));
    llvm::CallInst* call = builder_.CreateCall(body, arguments);
    call->addFnAttr(llvm::Attribute::AlwaysInline);
    builder_.CreateStore(call, builder_.CreateInBoundsGEP(builder_.getInt8Ty(), function->getArg(writes ? 3 : 2), at));
    llvm::Value* next = builder_.CreateNUWAdd(at, builder_.getInt64(1));
    at->addIncoming(next, loop);
    builder_.CreateCondBr(builder_.CreateICmpEQ(next, count), end, loop);
    return function;
  }

  const Layout& layout_;
  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
};

void optimise(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder passes;
  passes.registerModuleAnalyses(modules);
  passes.registerCGSCCAnalyses(callGraph);
  passes.registerFunctionAnalyses(functions);
  passes.registerLoopAnalyses(loops);
  passes.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::FunctionPassManager perFunction;
  perFunction.addPass(llvm::EarlyCSEPass());
  perFunction.addPass(llvm::InstCombinePass());
  perFunction.addPass(llvm::SimplifyCFGPass());
  llvm::ModulePassManager all;
  all.addPass(llvm::AlwaysInlinerPass());
  all.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(perFunction)));
  all.run(module, modules);
}

class Engine final : public Jit {
public:
  Engine(const Layout& layout, bool keepText) : layout_(layout), keepText_(keepText) {}

  /// False with a message if LLVM cannot serve this machine.
  bool start(std::string& error) {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    auto machine = llvm::orc::JITTargetMachineBuilder::detectHost();
    if (!machine)
      return fail(machine.takeError(), error);
    machine->setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
    auto jit = llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(*machine)).create();
    if (!jit)
      return fail(jit.takeError(), error);
    jit_ = std::move(*jit);
    llvm::orc::SymbolMap symbols;
    auto define = [&](const char* name, auto* function) {
      symbols[jit_->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                                             llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
    };
    define("tioc_real_add", &realAdd);
    define("tioc_real_multiply", &realMultiply);
    define("tioc_real_divide", &realDivide);
    // What LLVM itself makes of block copies and wide arithmetic.
    define("memcpy", static_cast<void* (*)(void*, const void*, size_t)>(&memcpy));
    if (auto problem = jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))))
      return fail(std::move(problem), error);
    return true;
  }

  std::vector<void*> compile(std::span<const Wanted> wanted, std::string& error) override {
    auto context = std::make_unique<llvm::LLVMContext>();
    auto module = std::make_unique<llvm::Module>("edges_" + std::to_string(modules_++), *context);
    module->setDataLayout(jit_->getDataLayout());
    ModuleWriter writer(layout_, *module);
    std::vector<bool> made(wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      const ir::Edge& edge = layout_.model()[wanted[i].edge];
      Part part = wanted[i].part;
      made[i] = isCompilable(layout_, edge, part != Part::Update, part != Part::Guard && part != Part::GuardAll);
      if (made[i])
        writer.write(wanted[i]);
    }
    optimise(*module);
    if (keepText_) {
      llvm::raw_string_ostream out(text_);
      module->print(out, nullptr);
    }
    // Modules may define the same single form for a loop; a library of its own keeps them apart.
    auto library = jit_->createJITDylib("edges_" + std::to_string(modules_));
    if (!library)
      return fail(library.takeError(), error), std::vector<void*>();
    library->addToLinkOrder(jit_->getMainJITDylib());
    llvm::orc::ThreadSafeModule safe(std::move(module), std::move(context));
    if (auto problem = jit_->addIRModule(*library, std::move(safe)))
      return fail(std::move(problem), error), std::vector<void*>();
    std::vector<void*> addresses(wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (!made[i])
        continue;
      auto address = jit_->lookup(*library, nameOf(wanted[i]));
      if (!address)
        return fail(address.takeError(), error), std::vector<void*>();
      addresses[i] = address->toPtr<void*>();
    }
    return addresses;
  }

  const std::string& text() const override { return text_; }

private:
  static bool fail(llvm::Error problem, std::string& error) {
    error = llvm::toString(std::move(problem));
    return false;
  }

  const Layout& layout_;
  bool keepText_;
  size_t modules_ = 0;
  std::string text_;
  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

} // namespace

} // namespace tioc::eval::jit

/// What loadJit looks for in the library.
extern "C" [[gnu::visibility("default")]] tioc::eval::Jit* tiocMakeJit(const tioc::eval::Layout& layout, bool keepText,
                                                                      std::string& error) {
  auto engine = std::make_unique<tioc::eval::jit::Engine>(layout, keepText);
  if (!engine->start(error))
    return nullptr;
  return engine.release();
}
