#pragma once

#include "runtime/execute/machine.hpp"
#include "runtime/semantics/concrete.hpp"

namespace tioc::execute {

/// A network of TIOSTS that runs.
class TiostsMachine final : public Machine {
public:
  /// `model` is a result of `ir::instantiate` whose system is a network of TIOSTS.
  explicit TiostsMachine(const ir::Model& model, semantics::ConcreteOptions options = {});

  bool start(Dice& dice) override;
  std::optional<Outlook> outlook(Dice& dice) override;
  void advance(const ir::Rational& delay) override;
  void take(const Step& step) override;
  Acceptance accept(ir::ChannelId channel, const std::vector<eval::Value>& values, Dice& dice) override;
  const ir::Model& model() const override { return model_; }

  const semantics::ConcreteState& state() const { return state_; }

private:
  ir::Model model_;
  semantics::Network network_;
  semantics::Concrete concrete_;
  semantics::ConcreteState state_;
  std::vector<semantics::ConcreteMove> moves_; // of the last outlook
};

} // namespace tioc::execute
