#include "runtime/conformance/specification.hpp"

#include "runtime/conformance/watched.hpp"
#include "runtime/semantics/relation.hpp"

namespace tioc::conformance {

namespace {

class NetworkSpecification final : public Specification {
public:
  NetworkSpecification(const ir::Model& model, const solver::Options& options, ir::AutomatonId purpose)
      : model_(model), network_(model_), symbols_(model_, options),
        owner_(semantics::makeRelation(symbols_, network_, semantics::TimeKind::Symbolic)), system_(*owner_),
        variables_(network_.variables().begin(), network_.variables().end()), hasPurpose_(purpose.valid()) {
    for (zones::Clock x = 0; x < network_.dim(); ++x)
      clocks_.push_back(network_.clockId(x));
    if (!hasPurpose_)
      return;
    watched_.emplace(symbols_, system_, purpose, variables_, clocks_);
    variables_.insert(variables_.end(), model_[purpose].variables.begin(), model_[purpose].variables.end());
    clocks_.insert(clocks_.end(), model_[purpose].clocks.begin(), model_[purpose].clocks.end());
  }

  semantics::Symbols& symbols() override { return symbols_; }
  semantics::StepRelation& relation() override {
    return watched_ ? static_cast<semantics::StepRelation&>(*watched_) : system_;
  }
  std::span<const ir::VariableId> variables() const override { return variables_; }
  std::span<const ir::ClockId> clocks() const override { return clocks_; }
  ir::Mark mark(const semantics::SymbolicState& state) override {
    return model_[state.at.back()].mark; // of the purpose, or of a system that is a product with one
  }

private:
  ir::Model model_;
  semantics::Network network_;
  semantics::Symbols symbols_;
  std::unique_ptr<semantics::StepRelation> owner_;
  semantics::StepRelation& system_;
  std::vector<ir::VariableId> variables_;
  std::vector<ir::ClockId> clocks_;
  bool hasPurpose_;
  std::optional<Watched> watched_;
};

} // namespace

MakeSpecification tiostsSpecification(const ir::Model& model, const solver::Options& options, ir::AutomatonId purpose) {
  return [&model, options, purpose] { return std::make_unique<NetworkSpecification>(model, options, purpose); };
}

} // namespace tioc::conformance
