#include "runtime/execute/tiosts_machine.hpp"

#include "ir/passes.hpp"

namespace tioc::execute {

TiostsMachine::TiostsMachine(const ir::Model& model, semantics::ConcreteOptions options)
    : model_(ir::resolvePriorities(model)), network_(model_), concrete_(network_, std::move(options)) {}

bool TiostsMachine::start(Dice& dice) {
  std::optional<semantics::ConcreteState> first = concrete_.initial(dice.next());
  if (first)
    state_ = std::move(*first);
  else
    problem_ = concrete_.problem();
  return first.has_value();
}

std::optional<Outlook> TiostsMachine::outlook(Dice& dice) {
  std::optional<semantics::Window> delays = concrete_.delays(state_);
  auto moves = delays ? concrete_.reactions(state_, dice.next()) : std::nullopt;
  if (!moves) {
    problem_ = concrete_.problem();
    return std::nullopt;
  }
  moves_ = std::move(*moves);
  Outlook outlook;
  for (size_t i = 0; i < moves_.size(); ++i) {
    semantics::Window window = moves_[i].window;
    window.intersect(*delays);
    if (window.isEmpty())
      continue;
    const bool seen = moves_[i].visibility == semantics::Visibility::Output;
    outlook.steps.push_back({seen ? moves_[i].channel : ir::ChannelId(), moves_[i].values, std::move(window), i});
  }
  outlook.delays = std::move(*delays);
  return outlook;
}

void TiostsMachine::advance(const ir::Rational& delay) {
  state_.advance(delay);
}

void TiostsMachine::take(const Step& step) {
  state_ = concrete_.successor(state_, moves_[step.index], 0);
}

Machine::Acceptance TiostsMachine::accept(ir::ChannelId channel, const std::vector<eval::Value>& values, Dice& dice) {
  auto moves = concrete_.on(state_, semantics::Visibility::Input, channel, values);
  if (!moves) {
    problem_ = concrete_.problem();
    return Acceptance::Failed;
  }
  std::erase_if(*moves, [](const semantics::ConcreteMove& move) { return !move.window.contains(0); });
  if (moves->empty())
    return Acceptance::Refused;
  state_ = concrete_.successor(state_, (*moves)[dice.below(moves->size())], 0);
  return Acceptance::Taken;
}

} // namespace tioc::execute
