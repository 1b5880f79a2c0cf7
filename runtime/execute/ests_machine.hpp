#pragma once

#include "runtime/execute/machine.hpp"
#include "runtime/semantics/ests_concrete.hpp"

namespace tioc::execute {

/// ESTS on one queue that run. While a reaction lasts, messages are refused.
class EstsMachine final : public Machine {
public:
  /// `model` is a result of `ir::instantiate` whose system is a queue of ESTS.
  explicit EstsMachine(const ir::Model& model, semantics::EstsOptions options = {});

  bool start(Dice& dice) override;
  std::optional<Outlook> outlook(Dice& dice) override;
  void advance(const ir::Rational& delay) override { state_.now = state_.now + delay; }
  void take(const Step& step) override;
  Acceptance accept(ir::ChannelId channel, const std::vector<eval::Value>& values, Dice& dice) override;
  const ir::Model& model() const override { return model_; }

  const semantics::EstsState& state() const { return state_; }
  /// The edges of the last reaction.
  const std::vector<ir::EdgeId>& trace() const { return trace_; }

private:
  semantics::EstsConcrete::Sink keep();
  bool hasFailed();

  ir::Model model_;
  semantics::Network network_;
  semantics::EstsConcrete concrete_;
  semantics::EstsState state_;
  std::vector<ir::EdgeId> trace_;
  bool reacted_ = false;
  uint64_t seed_ = 0; // of what a timeout leads to
};

} // namespace tioc::execute
