#include "runtime/conformance/watched.hpp"

namespace tioc::conformance {

using semantics::SymbolicState;
using semantics::SymbolicStep;
using testgen::PurposeState;

Watched::Watched(semantics::Symbols& symbols, semantics::StepRelation& system, ir::AutomatonId purpose,
                 std::span<const ir::VariableId> variables, std::span<const ir::ClockId> clocks)
    : symbols_(symbols), system_(system), observer_(symbols, purpose, variables, clocks), variables_(variables.size()),
      clocks_(clocks.size()) {}

SymbolicState Watched::systemPart(const SymbolicState& state) const {
  SymbolicState system = state;
  system.at.pop_back();
  system.store.resize(variables_);
  system.since.resize(clocks_);
  return system;
}

PurposeState Watched::purposePart(const SymbolicState& state) {
  PurposeState purpose;
  purpose.at = state.at.back();
  purpose.store.assign(state.store.begin() + static_cast<ptrdiff_t>(variables_), state.store.end());
  for (size_t i = clocks_; i < state.since.size(); ++i)
    purpose.since.push_back(symbols_.expr(state.since[i]));
  return purpose;
}

SymbolicState Watched::join(SymbolicState&& state, const PurposeState& purpose) const {
  state.at.push_back(purpose.at);
  state.store.insert(state.store.end(), purpose.store.begin(), purpose.store.end());
  for (ir::ExprId since : purpose.since)
    state.since.push_back({0, 0, since});
  return std::move(state);
}

std::vector<SymbolicState> Watched::initial() {
  std::vector<SymbolicState> result;
  for (SymbolicState& state : system_.initial())
    result.push_back(join(std::move(state), observer_.initial()));
  return result;
}

void Watched::successors(const SymbolicState& state, const Sink& sink, const semantics::Inputs& inputs) {
  const SymbolicState from = systemPart(state);
  const PurposeState purpose = purposePart(state);
  const bool decided = observer_.mark(purpose) != ir::Mark::None;
  const auto follow = [&](SymbolicStep&& step, SymbolicState&& to) {
    if (decided) {
      sink(std::move(step), join(std::move(to), purpose));
      return;
    }
    observer_.follow(from, purpose, step, std::move(to), [&](SymbolicState&& behind, PurposeState&& next) {
      sink(SymbolicStep(step), join(std::move(behind), next));
    });
  };
  system_.successors(from, follow, inputs);
}

void Watched::wait(const SymbolicState& state, const std::function<void(SymbolicState&& later)>& sink) {
  const PurposeState purpose = purposePart(state);
  system_.wait(systemPart(state), [&](SymbolicState&& later) { sink(join(std::move(later), purpose)); });
}

std::optional<ir::ExprId> Watched::quiescent(const SymbolicState& state) {
  return system_.quiescent(systemPart(state));
}

} // namespace tioc::conformance
