#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"
#include "runtime/explore/deep.hpp"
#include "runtime/explore/reach.hpp"
#include "support/support.hpp"
#include "vdta/engine.hpp"
#include "vdta/random_vdta.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

// The step relation of VDTA: what the engines do with the result of `ir::signals` is what the simulator does with the
// model.
namespace tioc::vdta {
namespace {

unsigned rounds(unsigned few) {
  return std::getenv("TIOC_LONG") ? few * 20 : few;
}

std::string show(const std::set<Observation>& all) {
  std::string text;
  for (const Observation& one : all) {
    for (const Change& change : one.changes) {
      text += change.time.toString() + ":";
      for (const Value& value : change.outputs)
        text += " " + value.number.toString();
      text += "; ";
    }
    text += one.mark == ir::Mark::Accept ? "accept\n" : one.mark == ir::Mark::Reject ? "reject\n" : "\n";
  }
  return text;
}

struct Tally {
  unsigned compared = 0;
  unsigned loops = 0;
  unsigned changes = 0;
  unsigned accepted = 0;
};

void compare(const RandomOptions& options, unsigned models, Tally& tally) {
  const unsigned steps = 14;
  for (uint64_t seed = 0; seed < models; ++seed) {
    const std::string text = randomVdta(seed, options);
    const std::optional<ir::Model> model = compiledVdta(text);
    if (!model)
      continue;
    const ir::AutomatonId purpose = purposeOf(*model);
    const Simulator simulator(*model, purpose, kGrid);
    const ir::AutomatonId spec = model->systems[0].components[0].automaton;
    const ir::Model moved = ir::signals(purpose.valid() ? ir::product(*model, spec, purpose) : ir::Model(*model));
    ASSERT_TRUE(ir::verify(moved).empty()) << ir::verify(moved)[0] << "\n" << text;
    Engine engine(moved);
    for (uint64_t i = 0; i < 4; ++i) {
      const Schedule schedule = randomSchedule(seed * 100 + i, simulator.allInputs(), steps);
      const auto wanted = observations(simulator, schedule, steps, kGrid);
      if (!wanted) {
        ++tally.loops;
        break;
      }
      const std::set<Observation> got = engine.observations(schedule, steps, kGrid);
      ASSERT_EQ(got, *wanted) << "seed " << seed << "\n"
                              << text << "\nengine:\n"
                              << show(got) << "simulator:\n"
                              << show(*wanted) << ir::print(moved);
      ++tally.compared;
      for (const Observation& one : *wanted) {
        tally.changes += static_cast<unsigned>(one.changes.size());
        tally.accepted += one.mark == ir::Mark::Accept;
      }
    }
  }
}

TEST(VdtaSteps, EngineAndSimulatorSeeTheSameSignals) {
  Tally tally;
  compare({}, rounds(300), tally);
  EXPECT_GT(tally.compared, 200U);
  EXPECT_GT(tally.changes, 500U);
}

TEST(VdtaSteps, EngineAndSimulatorAgreeOnDeterministicModels) {
  Tally tally;
  RandomOptions options;
  options.deterministic = true;
  compare(options, rounds(150), tally);
  EXPECT_GT(tally.compared, 200U);
}

TEST(VdtaSteps, ProductFollowsThePurposeAndChangesNoSignal) {
  Tally tally;
  RandomOptions options;
  options.purpose = true;
  options.deterministic = true;
  compare(options, rounds(150), tally);
  EXPECT_GT(tally.compared, 200U);
  EXPECT_GT(tally.accepted, 20U);
}

/// Locations and edges that are reached at all, by exhaustion of the grid.
struct Reached {
  std::set<uint32_t> locations;
  std::set<uint32_t> edges;
  std::set<std::pair<uint32_t, uint32_t>> overlaps; ///< edges that are enabled both
  bool loops = false;
};

Reached exhaust(const ir::Model& model, const Simulator& simulator, const Rational& cap) {
  Reached result;
  std::set<State> known;
  std::vector<State> open = simulator.initial();
  const std::vector<Signals> inputs = simulator.allInputs();
  while (!open.empty()) {
    State state = std::move(open.back());
    open.pop_back();
    for (auto& [id, value] : state.clocks)
      value = std::min(value, cap);
    if (!known.insert(state).second)
      continue;
    result.locations.insert(state.location.value);
    const std::vector<State> next = simulator.urgent(state);
    if (!next.empty()) {
      result.loops |= !simulator.settle(state);
      std::vector<uint32_t> enabled;
      for (const ir::EdgeId id : model[model.systems[0].components[0].automaton].edges)
        if (model[id].source == state.location &&
            ir::reference::holds(model, model[id].guard, {state.variables, {}}, state.clocks))
          enabled.push_back(id.value);
      for (const uint32_t first : enabled)
        for (const uint32_t second : enabled)
          if (first < second)
            result.overlaps.insert({first, second});
      result.edges.insert(enabled.begin(), enabled.end());
      open.insert(open.end(), next.begin(), next.end());
      continue;
    }
    for (const Signals& values : inputs)
      open.push_back(simulator.withInputs(state, values));
    open.push_back(simulator.later(state));
  }
  return result;
}

TEST(VdtaSteps, ZoneGraphReachesWhatTheGridReaches) {
  RandomOptions options;
  options.differences = false;
  unsigned compared = 0;
  for (uint64_t seed = 1000; seed < 1000 + rounds(60); ++seed) {
    const std::string text = randomVdta(seed, options);
    const std::optional<ir::Model> model = compiledVdta(text);
    if (!model)
      continue;
    const Reached wanted = exhaust(*model, Simulator(*model, {}, kGrid), options.constant + 2);
    const ir::Model moved = ir::resolvePriorities(ir::signals(ir::Model(*model)));
    const explore::ReachResult result = explore::Reachability(moved, {}).run();
    ASSERT_EQ(result.stop, explore::Stop::Complete) << text;
    std::set<uint32_t> locations, edges;
    for (uint32_t i = 0; i < model->locations.size(); ++i)
      for (uint32_t j = 0; j < moved.locations.size(); ++j)
        if (result.locations[j] && (j == i || moved.locations[j].name == moved.locations[i].name + "_settling"))
          locations.insert(i);
    for (uint32_t i = 0; i < moved.edges.size(); ++i)
      if (!ir::isImplicit(moved.edges[i]) && result.edges[i])
        edges.insert(i);
    ASSERT_EQ(locations, wanted.locations) << text;
    ASSERT_EQ(edges, wanted.edges) << text;
    ++compared;
  }
  EXPECT_GT(compared, 30U);
}

TEST(VdtaSteps, CheckFindsTheLoopsAndOverlapsThatTheGridHas) {
  RandomOptions options;
  options.clocks = 1;
  unsigned compared = 0, loops = 0, overlaps = 0;
  for (uint64_t seed = 2000; seed < 2000 + rounds(40); ++seed) {
    const std::string text = randomVdta(seed, options);
    const std::optional<ir::Model> model = compiledVdta(text);
    if (!model)
      continue;
    const Reached wanted = exhaust(*model, Simulator(*model, {}, kGrid), options.constant + 2);
    const explore::Deep deep =
        explore::analyse(ir::resolvePriorities(ir::scaleTime(ir::signals(ir::Model(*model)))), {});
    ASSERT_FALSE(deep.problem) << text;
    ASSERT_FALSE(deep.limited) << text;
    ASSERT_EQ(deep.unstable.has_value(), wanted.loops) << text;
    std::set<std::pair<uint32_t, uint32_t>> found;
    for (const explore::Overlap& overlap : deep.overlaps)
      found.insert(std::minmax(overlap.first.value, overlap.second.value));
    for (const auto& pair : found)
      ASSERT_TRUE(wanted.overlaps.contains(pair)) << text;
    for (const auto& [first, second] : wanted.overlaps) // what leads to the same is no choice
      ASSERT_TRUE(found.contains({first, second}) || model->edges[first].target == model->edges[second].target) << text;
    ++compared;
    loops += wanted.loops;
    overlaps += !found.empty();
  }
  EXPECT_GT(compared, 20U);
  EXPECT_GT(loops, 0U);
  EXPECT_GT(overlaps, 3U);
}

// ---- by hand

Observation only(const std::set<Observation>& all) {
  EXPECT_EQ(all.size(), 1U);
  return all.empty() ? Observation() : *all.begin();
}

Engine engineOf(const std::string& text) {
  return Engine(ir::signals(ir::instantiate(test::compileOk(text), ir::SystemId(0))));
}

TEST(VdtaSteps, ValuesOnTheWayAreNotSeen) {
  Engine engine = engineOf(R"(module glitch;
    vdta G {
      input a: int[0..9];
      output o: int[0..9], done: bool;
      init Idle when a == 0 && o == 0 && !done;
      state Idle { when a == 1 do o := 7 -> Up; when a == 2 do o := 7 -> Both; }
      state Up { when o == 7 do o := 0 -> Rest; }
      state Both { when o == 7 do o := 0, done := true -> Rest; }
      state Rest { when a == 0 do done := false -> Idle; }
    })");
  EXPECT_TRUE(only(engine.observations({{1, {{1, {}}}}}, 6, kGrid)).changes.empty());
  const Observation both = only(engine.observations({{1, {{2, {}}}}}, 6, kGrid));
  ASSERT_EQ(both.changes.size(), 1U);
  EXPECT_EQ(both.changes[0].time, kGrid);
  EXPECT_EQ(both.changes[0].outputs, (Signals{{0, {}}, {1, {}}}));
}

TEST(VdtaSteps, TransitionThatIsDueComesBeforeTheInputOfThatInstant) {
  Engine engine = engineOf(R"(module due;
    vdta D {
      input a: bool;
      output o: int[0..3];
      clock t;
      init Wait when !a && o == 0;
      state Wait { when t >= 2 && !a do o := 1 -> Done; when a do o := 2 -> Done; }
      state Done { when o == 1 && a do o := 3 -> Done; }
    })");
  const Observation seen = only(engine.observations({{4, {{1, {}}}}}, 8, kGrid));
  ASSERT_EQ(seen.changes.size(), 2U);
  EXPECT_EQ(seen.changes[0], (Change{2, {{1, {}}}}));
  EXPECT_EQ(seen.changes[1], (Change{2, {{3, {}}}}));
}

TEST(VdtaSteps, StartThatIsNotStableIsSeenAtOnce) {
  Engine engine = engineOf(R"(module start;
    vdta S { input a: bool; output o: int[0..3]; init A when !a && o == 0;
      state A { when !a do o := 1 -> B; } state B { } })");
  EXPECT_EQ(only(engine.observations({}, 2, kGrid)).changes, (std::vector<Change>{{0, {{1, {}}}}}));
}

} // namespace
} // namespace tioc::vdta
