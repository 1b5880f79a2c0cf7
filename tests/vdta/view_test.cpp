#include "ir/passes.hpp"
#include "vdta/engine.hpp"
#include "vdta/random_vdta.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

// What is seen of the outputs in a log with one row per instant, and by looking now and then.
namespace tioc::vdta {
namespace {

constexpr unsigned kSteps = 14;

/// What a deterministic model leaves behind at each instant, and the stable values that it passes at that instant.
struct Instant {
  Signals last;
  std::set<Signals> stable; ///< those before the instant included
};

std::optional<std::vector<Instant>> instants(const Simulator& simulator, const Schedule& schedule) {
  std::vector<Instant> result;
  State state = simulator.initial().at(0);
  Signals before = simulator.outputs(state);
  for (unsigned i = 0; i <= kSteps; ++i) {
    Instant instant;
    instant.stable.insert(before);
    const auto settle = [&] {
      const auto stable = simulator.settle(state);
      if (!stable)
        return false;
      EXPECT_EQ(stable->size(), 1U);
      state = *stable->begin();
      instant.stable.insert(simulator.outputs(state));
      return true;
    };
    if (!settle())
      return std::nullopt;
    if (const auto inputs = schedule.find(i); inputs != schedule.end()) {
      state = simulator.withInputs(state, inputs->second);
      if (!settle())
        return std::nullopt;
    }
    instant.last = before = simulator.outputs(state);
    result.push_back(std::move(instant));
    state = simulator.later(state);
  }
  return result;
}

template <class Check>
void forRandomModels(unsigned count, const Check& check) {
  RandomOptions options;
  options.deterministic = true;
  unsigned compared = 0;
  for (uint64_t seed = 500; seed < 500 + (std::getenv("TIOC_LONG") ? count * 20 : count); ++seed) {
    const std::string text = randomVdta(seed, options);
    const std::optional<ir::Model> model = compiledVdta(text);
    if (!model)
      continue;
    const Simulator simulator(*model, {}, kGrid);
    for (uint64_t i = 0; i < 3; ++i) {
      const Schedule schedule = randomSchedule(seed * 100 + i, simulator.allInputs(), kSteps);
      const auto wanted = instants(simulator, schedule);
      if (!wanted)
        break;
      check(*model, simulator.initial().at(0), simulator, schedule, *wanted, text);
      ++compared;
      if (testing::Test::HasFatalFailure())
        return;
    }
  }
  EXPECT_GT(compared, count);
}

TEST(SignalViews, RowsShowWhatEachInstantLeavesBehind) {
  forRandomModels(100, [](const ir::Model& model, const State& start, const Simulator& simulator,
                          const Schedule& schedule, const std::vector<Instant>& wanted, const std::string& text) {
    Observation rows;
    Signals before = simulator.outputs(start);
    for (unsigned i = 0; i < wanted.size(); ++i)
      if (wanted[i].last != before)
        rows.changes.push_back({kGrid * Rational(i), before = wanted[i].last});
    Engine engine(ir::signals(ir::Model(model), ir::SignalView::Rows));
    ASSERT_EQ(engine.observations(schedule, kSteps, kGrid, false), std::set{rows}) << text;
  });
}

TEST(SignalViews, SamplesShowStableValuesOfTheInstantAndNoOthers) {
  std::mt19937_64 random(7);
  forRandomModels(60, [&](const ir::Model& model, const State&, const Simulator&, const Schedule& schedule,
                          const std::vector<Instant>& wanted, const std::string& text) {
    Engine engine(ir::signals(ir::Model(model), ir::SignalView::Samples));
    std::vector<Engine::Run> runs = engine.start();
    for (unsigned i = 0; i < wanted.size(); ++i) {
      const auto inputs = schedule.find(i);
      engine.close(runs, 0, false);
      if (inputs != schedule.end()) {
        engine.accept(runs, inputs->second);
        engine.close(runs, 0, false);
      }
      ASSERT_FALSE(runs.empty()) << text;
      if (random() % 2 == 0) {
        for (int64_t o = 0; o < 2; ++o)
          for (int64_t p = 0; p < 4; ++p) {
            std::vector<Engine::Run> seen = runs;
            engine.see(seen, {{o, {}}, {p, {}}});
            // Behind inputs, only what came before them or what they lead to.
            const bool right = inputs == schedule.end() ? wanted[i].stable.contains({{o, {}}, {p, {}}}) : !seen.empty();
            EXPECT_EQ(!seen.empty(), right) << "step " << i << " o " << o << " p " << p << "\n" << text;
            EXPECT_TRUE(seen.empty() || wanted[i].stable.contains({{o, {}}, {p, {}}})) << text;
          }
        engine.see(runs, wanted[i].last);
        ASSERT_FALSE(runs.empty()) << "step " << i << "\n" << text;
        engine.close(runs, 0, false);
      }
      engine.wait(runs, kGrid);
    }
  });
}

} // namespace
} // namespace tioc::vdta
