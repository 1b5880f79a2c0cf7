#pragma once

#include "runtime/semantics/step_relation.hpp"

#include <functional>
#include <memory>

namespace tioc::conformance {

/// A specification ready for symbolic execution, with symbolic time, in memory of its own: whoever follows it for long
/// takes a new one now and then and leaves the old expressions behind.
class Specification {
public:
  virtual ~Specification() = default;

  virtual semantics::Symbols& symbols() = 0;
  virtual semantics::StepRelation& relation() = 0;
  /// What the entries of a state's `store` and `since` are.
  virtual std::span<const ir::VariableId> variables() const = 0;
  virtual std::span<const ir::ClockId> clocks() const = 0;
  /// The mark of the purpose's location that a state is in; None without purpose.
  virtual ir::Mark mark(const semantics::SymbolicState& state) = 0;
};

using MakeSpecification = std::function<std::unique_ptr<Specification>()>;

/// A network of TIOSTS, `model` being a result of `ir::instantiate` and `ir::resolvePriorities`. A valid `purpose` of
/// it runs beside; what it accepts or rejects stays so. The model must outlive the result.
MakeSpecification tiostsSpecification(const ir::Model& model, const solver::Options& options = {},
                                      ir::AutomatonId purpose = {});

} // namespace tioc::conformance
