#pragma once

#include "runtime/eval/edge_code.hpp"
#include "runtime/semantics/int_program.hpp"

namespace tioc::semantics {

/// The data parts of edges as short programs, where they are about bools, enums and integers; the rest, and what a
/// program hands back, goes to the edge's code. Answers are those of the interpreter.
class PlainCode {
public:
  explicit PlainCode(eval::EdgeCode& code);

  bool holds(ir::EdgeId id, const eval::Slot* frame) {
    const Edge& edge = edges_[id.value];
    eval::Slot answer = 0;
    if (edge.always)
      return true;
    if (edge.guard && edge.guard->run(frame, answer)) [[likely]]
      return answer != 0;
    return code_.holds(id, frame);
  }
  /// In place; what the frame holds counts only after Yes.
  eval::Taken update(ir::EdgeId id, eval::Slot* frame);

private:
  static constexpr size_t kMostChanges = 16;

  /// slot, or slot + index, := value.
  struct Change {
    uint32_t slot = 0;
    uint32_t size = 1;               ///< of the array
    std::optional<IntProgram> index; ///< of the element that changes
    IntProgram value;
    eval::Slot low = INT64_MIN;
    eval::Slot high = INT64_MAX;
  };
  struct Edge {
    bool always = false; ///< the guard is true
    bool plainUpdate = false;
    std::optional<IntProgram> guard;
    std::vector<Change> changes;
  };

  bool read(const ir::Edge& edge, const ir::Update& update, Change& change) const;

  eval::EdgeCode& code_;
  std::vector<Edge> edges_; // by id
};

} // namespace tioc::semantics
