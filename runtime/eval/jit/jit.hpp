#pragma once

#include "runtime/eval/layout.hpp"

#include <string>

namespace tioc::eval {

/// What compiled code says. HandBack: it met an overflow, a division by zero or an index out of range; the interpreter
/// has to decide.
enum Status : uint8_t { StatusNo = 0, StatusYes = 1, StatusHandBack = 2 };

using GuardFn = uint8_t (*)(const Slot* frame);
/// Writes stateSize slots to `next`, which may be `frame`.
using StepFn = uint8_t (*)(const Slot* frame, Slot* next);
using GuardAllFn = void (*)(const Slot* frames, size_t count, uint8_t* answers);
/// The successors stand frameSize slots apart, as the frames do.
using StepAllFn = void (*)(const Slot* frames, size_t count, Slot* next, uint8_t* answers);

/// What can be made of an edge.
enum class Part : uint8_t { Guard, Update, Step, GuardAll, StepAll };
constexpr size_t kParts = 5;

struct Wanted {
  ir::EdgeId edge;
  Part part = Part::Guard;
};

/// The compiler from edges to machine code. It lives in a library of its own that is loaded when it is first needed:
/// loading LLVM takes longer than many a run.
class Jit {
public:
  virtual ~Jit() = default;
  /// Compiles all of `wanted` in one go. Gives one address each, null for what is too large to compile; an empty vector
  /// and a message in `error` if the compiler failed.
  virtual std::vector<void*> compile(std::span<const Wanted> wanted, std::string& error) = 0;
  /// Everything compiled so far, in LLVM's assembly language.
  virtual const std::string& text() const = 0;
};

/// Loads the library; null and a message if there is none.
std::unique_ptr<Jit> loadJit(const Layout& layout, bool keepText, std::string& error);

} // namespace tioc::eval
