#include "conformance/runs.hpp"

#include "ir/passes.hpp"
#include "ir/test.hpp"
#include "runtime/execute/wire.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tioc::conformance {

using execute::Dice;
using ir::Rational;
using semantics::Window;

ir::Model systemOf(const std::string& text, const std::string& system) {
  const ir::Model model = test::compileOk(text);
  for (size_t i = 0; i < model.systems.size(); ++i)
    if (model.systems[i].name == system)
      return ir::resolvePriorities(ir::instantiate(model, ir::SystemId(i)));
  ADD_FAILURE() << "no system " << system;
  return {};
}

ir::Model exampleSystem(const std::string& file, const std::string& system) {
  return systemOf(test::readFile(test::sourceDir() + "/examples/" + file), system);
}

namespace {

/// A delay in the window that ends on the grain, if there is one.
std::optional<Rational> chooseDelay(const Window& window, const Rational& now, const Rational& grain, Dice& dice) {
  const Rational end = window.high ? std::min(*window.high, window.low + Rational(5)) : window.low + Rational(3);
  const Rational first = -((-(now + window.low)) / grain).floor();
  const std::optional<int64_t> count = (((now + end) / grain).floor() - first).toInt64();
  if (!count || *count < 0)
    return window.contains(window.low) ? std::optional(window.low) : std::nullopt;
  for (int tries = 0; tries < 4; ++tries) {
    const auto step = dice.chance(25)   ? 0
                      : dice.chance(25) ? static_cast<uint64_t>(*count)
                                        : dice.below(static_cast<uint64_t>(*count) + 1);
    const Rational delay = (first + Rational(static_cast<int64_t>(step))) * grain - now;
    if (window.contains(delay))
      return delay;
  }
  return std::nullopt;
}

} // namespace

std::vector<Event> randomRun(execute::TiostsMachine& machine, uint64_t seed, size_t events, const Rational& grain) {
  Dice dice(seed);
  const semantics::Network network(machine.model());
  semantics::Concrete concrete(network);
  std::vector<Event> run;
  Rational now;
  if (!machine.start(dice))
    return run;
  for (size_t tries = 0; run.size() < events && tries < events * 4; ++tries) {
    const auto outlook = machine.outlook(dice);
    if (!outlook)
      break;
    const auto inputs = dice.chance(60) ? concrete.inputs(machine.state(), dice.next()) : std::nullopt;
    if (inputs && !inputs->empty()) {
      const semantics::ConcreteMove& move = (*inputs)[dice.below(inputs->size())];
      Window window = move.window;
      window.intersect(outlook->delays);
      const auto delay = window.isEmpty() ? std::nullopt : chooseDelay(window, now, grain, dice);
      if (delay) {
        machine.advance(*delay);
        now = now + *delay;
        if (machine.accept(move.channel, move.values, dice) != execute::Machine::Acceptance::Taken)
          break;
        run.push_back({Event::Kind::Input, move.channel, move.values, now});
        continue;
      }
    }
    if (outlook->steps.empty()) {
      if (const auto delay = chooseDelay(outlook->delays, now, grain, dice)) {
        machine.advance(*delay);
        now = now + *delay;
        run.push_back({Event::Kind::Silence, {}, {}, now});
      }
      continue;
    }
    const execute::Step step = outlook->steps[dice.below(outlook->steps.size())];
    const auto delay = chooseDelay(step.window, now, grain, dice);
    if (!delay)
      continue;
    machine.advance(*delay);
    now = now + *delay;
    machine.take(step);
    if (step.output.valid())
      run.push_back({Event::Kind::Output, step.output, step.values, now});
  }
  return run;
}

std::vector<Event> perturbed(const ir::Model& model, std::vector<Event> run, uint64_t seed, const Rational& grain) {
  if (run.empty())
    return run;
  Dice dice(seed);
  const size_t at = dice.below(run.size());
  const auto shift = [&](size_t from, const Rational& by) {
    for (size_t i = from; i < run.size(); ++i)
      run[i].time = run[i].time + by;
  };
  switch (dice.below(5)) {
  case 0: // later
    shift(at, grain * Rational(static_cast<int64_t>(1 + dice.below(12))));
    break;
  case 1: // sooner, as far as that goes
    if (const Rational gap = run[at].time - (at ? run[at - 1].time : Rational()); gap >= grain)
      shift(at, -grain);
    break;
  case 2: // another value
    for (eval::Value& value : run[at].values)
      if (value.parts.empty()) {
        eval::Value other = value;
        other.number = other.number + Rational(1);
        const auto& parameters = model[run[at].channel].parameters;
        if (eval::fits(model, parameters[static_cast<size_t>(&value - run[at].values.data())].type, other))
          value = other;
        break;
      }
    break;
  case 3: // another channel without values
    for (size_t i = 0; i < model.channels.size(); ++i)
      if (model.channels[i].parameters.empty() && ir::isObservable(model.channels[i]) && dice.chance(50))
        run[at] = {Event::Kind::Output, ir::ChannelId(i), {}, run[at].time};
    break;
  default:
    if (dice.chance(50))
      run.erase(run.begin() + static_cast<ptrdiff_t>(at));
    else
      run.insert(run.begin() + static_cast<ptrdiff_t>(at), run[at]);
  }
  return run;
}

Followed follow(Tracker& tracker, const std::vector<Event>& run) {
  Followed result;
  result.answer = tracker.start();
  for (const Event& event : run) {
    if (event.time > tracker.now())
      result.answer = tracker.wait(event.time);
    result.silence = true;
    if (result.answer == Answer::No)
      return result;
    result.silence = false;
    if (event.kind != Event::Kind::Silence)
      result.answer = event.kind == Event::Kind::Output ? tracker.output(event.channel, event.values)
                                                        : tracker.input(event.channel, event.values);
    if (result.answer == Answer::No)
      return result;
    ++result.position;
  }
  return result;
}

std::string show(const ir::Model& model, const std::vector<Event>& run) {
  std::string text;
  for (const Event& event : run)
    text += event.time.toString() + " " + showEvent(model, event) + "\n";
  return text;
}

std::string toLines(const ir::Model& model, const std::vector<Event>& run) {
  namespace wire = execute::wire;
  std::string text;
  for (const Event& event : run)
    text += (event.kind == Event::Kind::Silence
                 ? wire::write(model, wire::Now{event.time})
                 : wire::write(model, wire::Message{event.kind == Event::Kind::Output, event.channel, event.values,
                                                    event.time})) +
            "\n";
  return text;
}

} // namespace tioc::conformance
