#include "explore/reach_support.hpp"

#include "runtime/explore/tree_blocks.hpp"
#include "semantics/random_models.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tioc::explore {

namespace test {

namespace reference = semantics::reference;

namespace {

reference::Value convert(const eval::Value& value) {
  reference::Value result{value.number, {}};
  for (const eval::Value& part : value.parts)
    result.parts.push_back(convert(part));
  return result;
}

std::optional<reference::State> take(const Prepared& prepared, const reference::Network& network,
                                     const reference::State& state, const PathStep& step) {
  const eval::Layout layout(prepared.model);
  std::vector<reference::Value> values;
  const eval::Slot* slot = step.message.data();
  if (step.channel.valid())
    for (const ir::Member& member : prepared.model[step.channel].parameters) {
      values.push_back(convert(layout.load(member.type, slot)));
      slot += layout.sizeOf(member.type);
    }
  return network.take(state, step.edges, values);
}

} // namespace

Replay replay(const Prepared& prepared, const TimedRun& run) {
  const reference::Network network(prepared.model);
  const eval::Layout layout(prepared.model);
  std::map<ir::VariableId, std::vector<reference::Value>> open;
  for (size_t i = 0; i < prepared.model.variables.size(); ++i)
    open[ir::VariableId(i)] = {convert(
        layout.load(prepared.model.variables[i].type, run.initial.data() + layout.offsetOf(ir::VariableId(i))))};
  const auto starts = network.initialStates(open);
  if (starts.size() != 1)
    return {"no such initial state", {}};
  reference::State state = starts[0];
  for (size_t i = 0; i < run.steps.size(); ++i) {
    if (!network.canDelay(state, run.steps[i].delay))
      return {"delay " + std::to_string(i) + " of " + run.steps[i].delay.toString(), state};
    state = reference::wait(std::move(state), run.steps[i].delay);
    auto next = take(prepared, network, state, run.steps[i].step);
    if (!next)
      return {"step " + std::to_string(i), state};
    state = std::move(*next);
  }
  if (!network.canDelay(state, run.delay))
    return {"the last delay", state};
  return {std::nullopt, reference::wait(std::move(state), run.delay)};
}

} // namespace test

namespace {

using namespace test;
namespace reference = semantics::reference;

std::set<size_t> marked(const std::vector<uint8_t>& marks) {
  std::set<size_t> found;
  for (size_t i = 0; i < marks.size(); ++i)
    if (marks[i])
      found.insert(i);
  return found;
}

struct Found {
  std::set<size_t> locations;
  std::set<size_t> edges;
};

Found referenceFinds(const Prepared& prepared, const ir::Rational& step) {
  reference::ExploreOptions options;
  options.step = step;
  options.horizon = 5;
  options.depth = 5;
  options.states = 400;
  options.numbers = {0, 1, 2, 3};
  const reference::Network network(prepared.model);
  const reference::Exploration seen = reference::explore(network, options);
  Found found;
  for (ir::EdgeId id : seen.edges)
    found.edges.insert(id.value);
  for (const auto& vector : seen.locations)
    for (ir::LocationId id : vector)
      found.locations.insert(id.value);
  return found;
}

void expectSubset(const std::set<size_t>& small, const std::set<size_t>& large) {
  for (size_t id : small)
    EXPECT_TRUE(large.contains(id)) << id;
}

/// How much a campaign really compared.
struct Tally {
  unsigned models = 0;
  unsigned complete = 0;
  unsigned problems = 0;
  unsigned runs = 0;
  unsigned fractional = 0;
  unsigned blocked = 0;
  unsigned free = 0;
};

ReachOptions limited(Abstraction abstraction = Abstraction::ALu) {
  ReachOptions options;
  options.abstraction = abstraction;
  options.maxStates = 3000;
  options.eval = eval::Mode::Interpret;
  return options;
}

/// A run to every location that was reached; the reference must accept it.
void checkRuns(const Prepared& prepared, const ReachResult& all, Tally& tally) {
  for (size_t i = 0; i < prepared.model.locations.size(); ++i) {
    if (!all.locations[i])
      continue;
    ReachOptions options = limited(tally.runs % 2 == 0 ? Abstraction::ALu : Abstraction::ExtraLuPlus);
    options.order = static_cast<Order>(tally.runs % 3);
    options.target = Target{{ir::LocationId(i)}, {}, {}};
    const ReachResult result = reach(prepared.model, options);
    if (result.stop == Stop::States)
      continue;
    ASSERT_TRUE(result.reached()) << prepared.model.locations[i].name;
    const RunResult run = concreteRun(prepared.model, *result.path, {});
    ASSERT_TRUE(run.run) << run.problem->text;
    const auto complaint = validateRun(prepared.model, *run.run);
    ASSERT_FALSE(complaint) << *complaint;
    const Replay replayed = replay(prepared, *run.run);
    ASSERT_FALSE(replayed.refused) << *replayed.refused << " in " << delays(*run.run);
    ASSERT_EQ(replayed.end.locations[semantics::Network(prepared.model).componentOf(ir::LocationId(i))].value, i);
    ++tally.runs;
    for (const TimedStep& step : run.run->steps)
      tally.fractional += step.delay.isInteger() ? 0 : 1;
  }
}

/// Whether time ends here and no move comes before that.
bool isBlocked(const reference::Network& network, const reference::State& state) {
  const reference::Delays possible = network.delays(state);
  if (!possible.bound)
    return false;
  for (const ir::Rational& instant : network.instants(state))
    if (possible.contains(instant) && !network.moves(reference::wait(state, instant), {-1, 0, 1, 2, 3, 4, 5}).empty())
      return false;
  return true;
}

/// A time block that is found is one; where none is found, the reference meets none.
void checkBlocks(const Prepared& prepared, Tally& tally) {
  ReachOptions options = limited();
  options.timeBlocks = true;
  const ReachResult result = reach(prepared.model, options);
  const reference::Network network(prepared.model);
  if (result.reached()) {
    ++tally.blocked;
    const RunResult run = concreteRun(prepared.model, *result.path, {{}, result.blocked});
    ASSERT_TRUE(run.run) << run.problem->text;
    const Replay replayed = replay(prepared, *run.run);
    ASSERT_FALSE(replayed.refused) << *replayed.refused << " in " << delays(*run.run);
    EXPECT_TRUE(isBlocked(network, replayed.end)) << delays(*run.run);
  } else if (result.stop == Stop::Complete) {
    ++tally.free;
    reference::ExploreOptions grid;
    grid.step = ir::Rational(1, 2);
    grid.horizon = 3;
    grid.depth = 3;
    grid.states = 40;
    for (const reference::State& state : reference::explore(network, grid).states) {
      const reference::Delays possible = network.delays(state);
      for (const ir::Rational& instant : network.instants(state))
        if (possible.contains(instant)) {
          EXPECT_FALSE(isBlocked(network, reference::wait(state, instant)))
              << reference::show(prepared.model, state) << " after " << instant.toString();
        }
    }
  }
}

/// The tree finds a time block where the zone graph does, and what it finds is one.
void checkBlocksOfTree(const Prepared& prepared, Tally& tally) {
  ReachOptions options = limited();
  options.timeBlocks = true;
  const ReachResult graph = reach(prepared.model, options);
  if (!graph.reached() && graph.stop != Stop::Complete)
    return;
  ir::Model model(prepared.model);
  const semantics::Network net(model);
  semantics::Symbols symbols(model, {});
  semantics::Tiosts relation(symbols, net, semantics::TimeKind::Symbolic);
  TreeOptions limits;
  limits.limits.states = 30;
  Tree tree(symbols, relation, net, limits);
  TreeBlocks search(symbols, net);
  search.run(tree);
  if (!search.imprecise().empty() || (!search.found() && (search.undecided() || !tree.stopped().empty())))
    return;
  ++(search.found() ? tally.blocked : tally.free);
  EXPECT_EQ(search.found().has_value(), graph.reached());
  if (search.found()) {
    const Replay replayed = replay(prepared, *search.found());
    ASSERT_FALSE(replayed.refused) << *replayed.refused << " in " << delays(*search.found());
    EXPECT_TRUE(isBlocked(reference::Network(prepared.model), replayed.end)) << delays(*search.found());
  }
}

void checkModel(const Prepared& prepared, Tally& tally) {
  ++tally.models;
  const ReachResult lu = reach(prepared.model, limited());
  if (lu.problem) {
    ++tally.problems;
    return;
  }
  const ReachResult extra = reach(prepared.model, limited(Abstraction::ExtraLuPlus));
  const ReachResult exact = reach(prepared.model, limited(Abstraction::None));
  ASSERT_FALSE(extra.problem || exact.problem);
  const auto locations = marked(lu.locations);
  const auto edges = marked(lu.edges);
  if (lu.stop == Stop::Complete && extra.stop == Stop::Complete) {
    ++tally.complete;
    EXPECT_EQ(locations, marked(extra.locations));
    EXPECT_EQ(edges, marked(extra.edges));
    expectSubset(marked(exact.locations), locations);
    expectSubset(marked(exact.edges), edges);
    if (exact.stop == Stop::Complete) {
      EXPECT_EQ(edges, marked(exact.edges));
    }
    const Found found = referenceFinds(prepared, ir::Rational(1, 2));
    expectSubset(found.locations, locations);
    expectSubset(found.edges, edges);
  }
  if (tally.models % 3 == 0)
    checkRuns(prepared, lu, tally);
}

/// The long form takes more models.
template <class Check>
Tally campaign(uint64_t first, uint64_t count, bool all, Check check, bool locationDeadlines = false) {
  Tally tally;
  count *= std::getenv("TIOC_LONG") ? 10 : 1;
  for (uint64_t seed = first; seed < first + count && !::testing::Test::HasFailure(); ++seed) {
    semantics::RandomModelOptions options = semantics::randomOptions(seed, all);
    options.dataBounds = false;
    options.locationDeadlines = locationDeadlines;
    const std::string text = semantics::randomModel(seed, options);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
    check(Prepared(text), tally);
  }
  return tally;
}

TEST(ReachRandom, FindsWhatTheReferenceFindsAndRunsAreReal) {
  const Tally tally = campaign(1, 800, false, checkModel);
  EXPECT_GT(tally.complete, tally.models / 2);
  EXPECT_GT(tally.runs, tally.models / 4);
}

TEST(ReachRandom, SameWithDifferencesCopiesFractionsAndOpenVariables) {
  const Tally tally = campaign(100001, 800, true, checkModel);
  EXPECT_GT(tally.complete, tally.models / 3);
  EXPECT_GT(tally.runs, tally.models / 4);
}

TEST(ReachRandom, SameWithDeadlinesOfLocations) {
  const Tally tally = campaign(300001, 600, false, checkModel, true);
  EXPECT_GT(tally.complete, tally.models / 3);
  EXPECT_GT(tally.runs, tally.models / 4);
  EXPECT_LT(tally.problems, tally.models / 2);
}

TEST(ReachRandom, TimeBlocksAreThoseOfTheReference) {
  const Tally tally = campaign(200001, 600, false, checkBlocks);
  EXPECT_GT(tally.blocked, 50U);
  EXPECT_GT(tally.free, 50U);
  const Tally byLocation = campaign(400001, 300, false, checkBlocks, true);
  EXPECT_GT(byLocation.blocked, 10U);
  EXPECT_GT(byLocation.free, 10U);
}

TEST(ReachRandom, TreesFindTheTimeBlocksOfTheZoneGraph) {
  const Tally tally = campaign(500001, 60, false, checkBlocksOfTree);
  EXPECT_GT(tally.blocked, 5U);
  EXPECT_GT(tally.free, 5U);
  const Tally byLocation = campaign(600001, 80, false, checkBlocksOfTree, true);
  EXPECT_GT(byLocation.blocked, 1U);
  EXPECT_GT(byLocation.free, 5U);
}

} // namespace
} // namespace tioc::explore
