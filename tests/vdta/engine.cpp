#include "vdta/engine.hpp"

#include "ir/passes.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tioc::vdta {

namespace {

std::vector<eval::Value> convert(const Signals& signals) {
  std::vector<eval::Value> result;
  for (const Value& value : signals)
    result.push_back({value.number, {}});
  return result;
}

Signals convert(const std::vector<eval::Value>& values) {
  Signals result;
  for (const eval::Value& value : values)
    result.push_back({value.number, {}});
  return result;
}

void add(std::vector<Engine::Run>& runs, Engine::Run run) {
  if (std::find(runs.begin(), runs.end(), run) == runs.end())
    runs.push_back(std::move(run));
}

} // namespace

Engine::Engine(const ir::Model& model) : model_(ir::resolvePriorities(model)), network_(model_), concrete_(network_) {}

std::vector<Engine::Run> Engine::start() {
  return {{*concrete_.initial(0), {}}};
}

void Engine::close(std::vector<Run>& runs, const Rational& now, bool outputs) {
  for (size_t i = 0; i < runs.size(); ++i) {
    ASSERT_LT(i, 10000U) << "steps without end";
    const Run run = runs[i];
    const std::vector<semantics::ConcreteMove> moves = concrete_.reactions(run.state, 0).value();
    for (const semantics::ConcreteMove& move : moves) {
      const bool seen = move.visibility == semantics::Visibility::Output;
      if (!move.window.contains(0) || (seen && !outputs))
        continue;
      Run next{concrete_.successor(run.state, move, 0), run.changes};
      if (seen)
        next.changes.push_back({now, convert(move.values)});
      add(runs, std::move(next));
    }
  }
}

void Engine::accept(std::vector<Run>& runs, const Signals& inputs) {
  std::vector<Run> behind;
  for (const Run& run : runs) {
    const auto moves = concrete_.on(run.state, semantics::Visibility::Input, ir::ChannelId(0), convert(inputs)).value();
    for (const semantics::ConcreteMove& move : moves)
      if (move.window.contains(0))
        add(behind, {concrete_.successor(run.state, move, 0), run.changes});
  }
  runs = std::move(behind);
}

void Engine::see(std::vector<Run>& runs, const Signals& outputs) {
  std::vector<Run> behind;
  for (const Run& run : runs) {
    const auto moves =
        concrete_.on(run.state, semantics::Visibility::Output, ir::ChannelId(1), convert(outputs)).value();
    for (const semantics::ConcreteMove& move : moves)
      if (move.window.contains(0))
        add(behind, {concrete_.successor(run.state, move, 0), run.changes});
  }
  runs = std::move(behind);
}

void Engine::wait(std::vector<Run>& runs, const Rational& grid) {
  std::erase_if(runs, [&](const Run& run) { return !concrete_.delays(run.state)->contains(grid); });
  for (Run& run : runs)
    run.state.advance(grid);
}

std::set<Observation> Engine::observations(const Schedule& schedule, unsigned steps, const Rational& grid, bool early) {
  std::vector<Run> runs = start();
  Rational now = 0;
  for (unsigned i = 0; i <= steps; ++i, now = now + grid) {
    const auto inputs = schedule.find(i);
    close(runs, now, early || inputs == schedule.end());
    if (inputs != schedule.end()) {
      accept(runs, inputs->second);
      close(runs, now);
    }
    std::vector<Run> later = runs;
    wait(later, grid);
    if (i < steps)
      runs = std::move(later);
    else // only states that have settled
      std::erase_if(runs, [&](const Run& run) { return !concrete_.delays(run.state)->contains(grid); });
  }
  std::set<Observation> result;
  for (const Run& run : runs)
    result.insert({run.changes, model_[run.state.locations[0]].mark});
  return result;
}

Schedule randomSchedule(uint64_t seed, const std::vector<Signals>& inputs, unsigned steps) {
  std::mt19937_64 random(seed);
  Schedule schedule;
  for (unsigned i = 0; i < 6; ++i)
    schedule[static_cast<unsigned>(random() % steps)] = inputs[random() % inputs.size()];
  return schedule;
}

std::optional<ir::Model> compiledVdta(const std::string& text) {
  test::Compiled result = test::compile(text);
  if (!result.model) {
    EXPECT_TRUE(result.has(frontend::Kind::UnstableLoop) || result.has(frontend::Kind::PurposeNotDeterministic))
        << result.text() << text;
    return std::nullopt;
  }
  return ir::instantiate(*result.model, ir::SystemId(0));
}

ir::AutomatonId purposeOf(const ir::Model& model) {
  for (size_t i = 0; i < model.automata.size(); ++i)
    if (model.automata[i].kind == ir::AutomatonKind::Purpose)
      return ir::AutomatonId(i);
  return {};
}

} // namespace tioc::vdta
