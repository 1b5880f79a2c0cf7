#pragma once

#include "runtime/testgen/observer.hpp"

namespace tioc::conformance {

/// A step relation with a purpose that runs beside it: the place, variables and clocks of the purpose stand behind
/// those of the system in every state.
class Watched final : public semantics::StepRelation {
public:
  /// `variables` and `clocks` are those of the system's states.
  Watched(semantics::Symbols& symbols, semantics::StepRelation& system, ir::AutomatonId purpose,
          std::span<const ir::VariableId> variables, std::span<const ir::ClockId> clocks);

  const std::optional<semantics::Problem>& problem() const override { return system_.problem(); }
  semantics::TimeKind time() const override { return semantics::TimeKind::Symbolic; }
  std::vector<semantics::SymbolicState> initial() override;
  using StepRelation::successors;
  void successors(const semantics::SymbolicState& state, const Sink& sink, const semantics::Inputs& inputs) override;
  void wait(const semantics::SymbolicState& state,
            const std::function<void(semantics::SymbolicState&& later)>& sink) override;
  std::optional<ir::ExprId> quiescent(const semantics::SymbolicState& state) override;
  const std::string& imprecise() const override { return system_.imprecise(); }

private:
  semantics::SymbolicState systemPart(const semantics::SymbolicState& state) const;
  testgen::PurposeState purposePart(const semantics::SymbolicState& state);
  semantics::SymbolicState join(semantics::SymbolicState&& state, const testgen::PurposeState& purpose) const;

  semantics::Symbols& symbols_;
  semantics::StepRelation& system_;
  testgen::Observer observer_;
  size_t variables_;
  size_t clocks_;
};

} // namespace tioc::conformance
