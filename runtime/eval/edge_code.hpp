#pragma once

#include "runtime/eval/interpreter.hpp"
#include "runtime/eval/jit/jit.hpp"

#include <array>
#include <memory>
#include <string>

namespace tioc::eval {

enum class Mode : uint8_t {
  Interpret,
  Jit,  ///< compiles a part of all edges when it is first asked for
  Auto, ///< interprets until the work done says that compiling pays
};

/// The data parts of a model's edges, ready to run. Answers are those of the interpreter in every mode: compiled code
/// that meets an overflow or a fault hands the question back to it.
///
/// A frame has Layout::frameSize slots: the variables, then the message parameters. The model must not change meanwhile,
/// except that its pool may grow.
class EdgeCode {
public:
  EdgeCode(const Layout& layout, Mode mode, bool keepText = false);
  ~EdgeCode();
  EdgeCode(const EdgeCode&) = delete;
  EdgeCode& operator=(const EdgeCode&) = delete;

  const Layout& layout() const { return layout_; }

  /// Whether the data guard holds.
  bool holds(ir::EdgeId edge, const Slot* frame) {
    const Entry& entry = entries_[edge.value];
    if (entry.guard) {
      uint8_t status = entry.guard(frame);
      if (status != StatusHandBack) [[likely]]
        return status == StatusYes;
    }
    return slowHolds(edge, frame);
  }
  /// Writes the variables after the updates to `next`, which may be `frame`; see eval::update.
  Taken update(ir::EdgeId edge, const Slot* frame, Slot* next) {
    const Entry& entry = entries_[edge.value];
    if (entry.update) {
      uint8_t status = entry.update(frame, next);
      if (status != StatusHandBack) [[likely]]
        return status == StatusYes ? Taken::Yes : Taken::No;
    }
    return slowUpdate(edge, frame, next);
  }
  /// Both at once; what `next` holds counts only if the answer is Yes.
  Taken step(ir::EdgeId edge, const Slot* frame, Slot* next) {
    const Entry& entry = entries_[edge.value];
    if (entry.step) {
      uint8_t status = entry.step(frame, next);
      if (status != StatusHandBack) [[likely]]
        return status == StatusYes ? Taken::Yes : Taken::No;
    }
    return slowStep(edge, frame, next);
  }
  /// `holds` for `count` frames that stand one after the other; writes 0 or 1 each.
  void holdsAll(ir::EdgeId edge, const Slot* frames, size_t count, uint8_t* answers);
  /// `step` for `count` frames; the successors are written frameSize slots apart.
  void stepAll(ir::EdgeId edge, const Slot* frames, size_t count, Slot* next, Taken* taken);

  struct Stats {
    uint64_t interpreted = 0; ///< answers of the interpreter where there was no code
    uint64_t handedBack = 0;  ///< answers of the interpreter where code met an overflow or a fault
    uint64_t functions = 0;   ///< functions that were compiled
    uint64_t reused = 0;      ///< parts of edges that the code of an equal one serves
    double compileSeconds = 0;
  };
  const Stats& stats() const { return stats_; }
  /// Why there is no compiler, or empty.
  const std::string& error() const { return error_; }
  /// What was compiled so far, as LLVM writes it. Needs keepText.
  std::string text() const { return jit_ ? jit_->text() : ""; }
  /// Compiles the parts of all edges now; false and `error` if there is no compiler.
  bool compileAll(std::span<const Part> parts);

private:
  /// Code of an edge's parts, null where there is none yet.
  struct Entry {
    GuardFn guard = nullptr;
    StepFn update = nullptr;
    StepFn step = nullptr;
    GuardAllFn guardAll = nullptr;
    StepAllFn stepAll = nullptr;
  };
  struct PartState {
    uint32_t equal = 0; ///< the first edge with the same body: it alone is compiled
    bool used = false;
    bool tried = false;
  };

  bool slowHolds(ir::EdgeId edge, const Slot* frame);
  Taken slowUpdate(ir::EdgeId edge, const Slot* frame, Slot* next);
  Taken slowStep(ir::EdgeId edge, const Slot* frame, Slot* next);
  void findEqualBodies();
  void* code(const Entry& entry, Part part) const;
  void setCode(Entry& entry, Part part, void* address);
  PartState& state(ir::EdgeId edge, Part part) { return states_[edge.value][static_cast<size_t>(part)]; }
  /// Notes a use that no code serves; compiles when it pays. True if there is code now.
  bool consider(ir::EdgeId edge, Part part, size_t count);
  bool compile(std::span<const Wanted> wanted);

  const Layout& layout_;
  Mode mode_;
  bool keepText_;
  std::vector<Entry> entries_;
  std::vector<std::array<PartState, kParts>> states_;
  std::vector<std::array<uint32_t, 2>> costs_; // guard, updates: nanoseconds of interpretation, roughly
  uint64_t spent_ = 0;                         // nanoseconds interpreted since the last compilation, roughly
  std::vector<Wanted> used_;                   // not compiled yet
  std::unique_ptr<Jit> jit_;
  std::string error_;
  Stats stats_;
};

} // namespace tioc::eval
