#include "runtime/execute/player.hpp"

#include "ir/passes.hpp"
#include "runtime/execute/tiosts_machine.hpp"
#include "semantics/random_models.hpp"
#include "semantics/reference.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace tioc::execute {
namespace {

using ir::Rational;
namespace reference = semantics::reference;

reference::Value toReference(const eval::Value& value) {
  reference::Value result{value.number, {}};
  for (const eval::Value& part : value.parts)
    result.parts.push_back(toReference(part));
  return result;
}

/// Asks the reference about everything that is done with the machine behind it.
class Watched final : public Machine {
public:
  explicit Watched(const ir::Model& model)
      : machine_(model), network_(machine_.model()), layout_(machine_.model()), reference_(machine_.model()) {}

  bool start(Dice& dice) override {
    const bool started = machine_.start(dice);
    problem_ = machine_.problem();
    return started;
  }
  std::optional<Outlook> outlook(Dice& dice) override {
    auto result = machine_.outlook(dice);
    problem_ = machine_.problem();
    return result;
  }
  void advance(const Rational& delay) override {
    EXPECT_TRUE(reference_.canDelay(state(), delay)) << reference::show(model(), state()) << " +" << delay.toString();
    machine_.advance(delay);
    waits += delay.sign() > 0;
  }
  void take(const Step& step) override {
    const reference::State before = state();
    machine_.take(step);
    check(before, step.output.valid() ? reference::Kind::Output : reference::Kind::Unobservable, step.output,
          step.values);
    ++steps;
  }
  Acceptance accept(ir::ChannelId channel, const std::vector<eval::Value>& values, Dice& dice) override {
    const reference::State before = state();
    const Acceptance result = machine_.accept(channel, values, dice);
    problem_ = machine_.problem();
    if (result == Acceptance::Taken) {
      check(before, reference::Kind::Input, channel, values);
      ++inputs;
    } else if (result == Acceptance::Refused) {
      EXPECT_FALSE(possible(before, reference::Kind::Input, channel, values, nullptr));
      ++refusals;
    }
    return result;
  }
  const ir::Model& model() const override { return machine_.model(); }

  size_t waits = 0;
  size_t steps = 0;
  size_t inputs = 0;
  size_t refusals = 0;

private:
  reference::State state() const {
    const semantics::ConcreteState& own = machine_.state();
    reference::State state;
    state.locations = own.locations;
    for (ir::VariableId id : network_.variables())
      state.variables[id.value] =
          toReference(layout_.load(model()[id].type, own.variables.data() + layout_.offsetOf(id)));
    for (size_t i = 1; i < own.clocks.size(); ++i)
      state.clocks[network_.clockId(static_cast<zones::Clock>(i)).value] = own.clocks[i];
    return state;
  }
  /// Whether the reference knows such a move from there, to that state unless it is null. The channel of an
  /// unobservable step is not told.
  bool possible(const reference::State& before, reference::Kind kind, ir::ChannelId channel,
                const std::vector<eval::Value>& values, const reference::State* target) const {
    std::vector<Rational> numbers{0, 1, 2, 3};
    std::vector<reference::Value> wanted;
    for (const eval::Value& value : values) {
      numbers.push_back(value.number);
      wanted.push_back(toReference(value));
    }
    for (const reference::Move& move : reference_.moves(before, numbers))
      if (move.label.kind == kind && (!target || move.target == *target) &&
          (kind == reference::Kind::Unobservable || (move.label.channel == channel && move.label.values == wanted)))
        return true;
    return false;
  }
  void check(const reference::State& before, reference::Kind kind, ir::ChannelId channel,
             const std::vector<eval::Value>& values) const {
    const reference::State after = state();
    EXPECT_TRUE(possible(before, kind, channel, values, &after))
        << reference::show(model(), before) << " -> " << reference::show(model(), after);
  }

  TiostsMachine machine_;
  semantics::Network network_;
  eval::Layout layout_;
  reference::Network reference_;
};

/// Lines of a tester that knows nothing: any input, any delay.
std::string anyLine(const ir::Model& model, Dice& dice) {
  std::vector<size_t> inputs;
  for (size_t i = 0; i < model.channels.size(); ++i)
    if (model.channels[i].direction == ir::Direction::Input || model.channels[i].direction == ir::Direction::Inout)
      inputs.push_back(i);
  if (inputs.empty() || dice.chance(50))
    return wire::write(model, wire::Advance{Rational(static_cast<int64_t>(dice.below(40)), 12)});
  wire::Message message;
  message.channel = ir::ChannelId(inputs[dice.below(inputs.size())]);
  for (const ir::Member& parameter : model[message.channel].parameters) {
    const bool isBool = model.types[parameter.type].kind == ir::TypeKind::Bool;
    message.values.push_back({static_cast<int64_t>(dice.below(isBool ? 2 : 4)), {}});
  }
  return wire::write(model, message);
}

TEST(Legality, WhateverAPlayerDoesTheReferenceAllows) {
  size_t waits = 0;
  size_t steps = 0;
  size_t inputs = 0;
  size_t refusals = 0;
  for (uint64_t seed = 0; seed < 1200 && !testing::Test::HasFailure(); ++seed) {
    const std::string text = semantics::randomModel(seed, semantics::randomOptions(seed, true));
    SCOPED_TRACE(text);
    const ir::Model model = test::compileOk(text);
    Watched machine(ir::resolvePriorities(ir::instantiate(model, ir::SystemId(model.systems.size() - 1))));
    PlayOptions options;
    options.seed = seed;
    options.policy = static_cast<Policy>(seed % 3);
    options.stepsPerGrain = 20;
    Player player(machine, options);
    std::vector<std::string> answers;
    player.hear(R"({"start":"tio/1","time":"virtual"})", 0, answers);
    Dice dice(seed);
    for (int i = 0; i < 30 && !player.hasEnded(); ++i)
      player.hear(anyLine(machine.model(), dice), 0, answers);
    waits += machine.waits;
    steps += machine.steps;
    inputs += machine.inputs;
    refusals += machine.refusals;
  }
  std::cout << waits << " waits, " << steps << " steps, " << inputs << " inputs, " << refusals << " refusals\n";
  EXPECT_GT(waits, 3000U);
  EXPECT_GT(steps, 3000U);
  EXPECT_GT(inputs, 1000U);
  EXPECT_GT(refusals, 1000U);
}

} // namespace
} // namespace tioc::execute
