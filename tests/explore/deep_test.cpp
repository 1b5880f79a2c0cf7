#include "explore/reach_support.hpp"

#include "runtime/explore/deep.hpp"
#include "semantics/random_models.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tioc::explore {
namespace {

using namespace test;

std::vector<std::string> names(const ir::Model& model, const std::vector<ir::LocationId>& locations) {
  std::vector<std::string> result;
  for (ir::LocationId id : locations)
    result.push_back(model[id].name);
  return result;
}

TEST(Deep, SaysWhyAnEdgeIsNeverTaken) {
  const Prepared net(
      "module m; input a(n: int[0..9]); output b; internal lonely;"
      "tiosts P { var v: int[0..9] = 0; clock x; init S;"
      "state S { a?(k) when k > 3 do v := k, x := 0 -> T; lazy lonely! -> T; }"
      "state T { b! when v > 2 && x <= 1 -> S; b! when v < 2 && x <= 1 -> U; b! when v > 8 && v < 3 -> S; }"
      "state U { b! -> S; } }");
  const Deep deep = analyse(net.model, {});
  EXPECT_TRUE(deep.concrete);
  EXPECT_TRUE(deep.open.empty());
  EXPECT_EQ(names(net.model, deep.unreachable), std::vector<std::string>{"U"});
  ASSERT_EQ(deep.dead.size(), 4U);
  EXPECT_EQ(deep.dead[0].why, Dead::NoPartner);
  EXPECT_EQ(deep.dead[1].why, Dead::NeverEnabled);
  EXPECT_EQ(deep.dead[2].why, Dead::NeverTrue);
  EXPECT_EQ(deep.dead[3].why, Dead::SourceUnreachable);
}

TEST(Deep, FindsOverlapsOnlyWhereBothEdgesAreReallyPossible) {
  const Prepared net("module m; input a(n: int[0..9]); output b;"
                     "tiosts P { var v: int[0..9] = 0; clock x; init S;"
                     "state S { a?(k) when k <= 4 do x := 0 -> T; a?(k) when k >= 4 do x := 0, v := 1 -> T; }"
                     "state T { b! when 1 <= x && x <= 2 -> S; b! when x <= 1 && v == 1 do v := 0 -> S;"
                     "b! when x <= 1 && v > 5 -> T; } }");
  const Deep deep = analyse(net.model, {});
  ASSERT_EQ(deep.overlaps.size(), 2U);
  const eval::Layout layout(net.model);
  EXPECT_EQ(stepLabel(net.model, layout, deep.overlaps[0].message), "a?(4)");
  EXPECT_EQ(delays(deep.overlaps[1].run), "0 1");
  for (const Overlap& overlap : deep.overlaps)
    EXPECT_FALSE(validateRun(net.model, overlap.run));
}

TEST(Deep, FindsOverlapsOfDataWithoutNumber) {
  const Prepared net("module m; input a(n: int); output b;"
                     "tiosts P { var v: int; clock x; init S when v > 100;"
                     "state S { a?(k) when k <= v do x := 0 -> T; a?(k) when k >= v do x := 0, v := v + 1 -> T;"
                     "a?(k) when k < 100 && k > v -> S; }"
                     "state T { b! when x <= 2 -> S; } }");
  const Deep deep = analyse(net.model, {});
  EXPECT_FALSE(deep.concrete);
  ASSERT_EQ(deep.overlaps.size(), 1U);
  EXPECT_FALSE(validateRun(net.model, deep.overlaps[0].run));
  EXPECT_TRUE(deep.open.empty());
  EXPECT_FALSE(deep.limited);
}

TEST(Deep, FindsATimeBlockAndTheWayThere) {
  const Prepared net("module m; input a; output b;"
                     "tiosts P { clock x; init S; state S { a? do x := 0 -> T; }"
                     "state T invariant x <= 3 { lazy b! when x <= 3 -> S; lazy a? when x > 2 -> U; }"
                     "state U invariant x <= 3 { } }");
  const Deep deep = analyse(net.model, {});
  ASSERT_TRUE(deep.timeBlock);
  EXPECT_FALSE(validateRun(net.model, *deep.timeBlock));
  EXPECT_EQ(deep.timeBlock->steps.size(), 2U); // in U; from T something can always happen
}

TEST(Deep, FindsTimeBlocksThatHangOnDataWithoutNumber) {
  const auto blockOf = [](const std::string& guard) {
    const Prepared net("module m; input a(n: int); output b;"
                       "tiosts P { var v: int, w: int = 0; clock x; init S when v > 100;"
                       "state S { a?(k) when k > v do w := k, x := 0 -> T; }"
                       "state T invariant x <= 3 { lazy b! when w < 2 * v && x <= 3 -> S; lazy b! when " +
                       guard + " -> S; } }");
    Deep deep = analyse(net.model, {});
    EXPECT_FALSE(deep.concrete);
    EXPECT_EQ(deep.open.size(), 0U);
    if (deep.timeBlock) {
      EXPECT_FALSE(validateRun(net.model, *deep.timeBlock));
    }
    return std::move(deep.timeBlock);
  };
  EXPECT_FALSE(blockOf("w >= 2 * v"));
  EXPECT_FALSE(blockOf("w >= 2 * v && x == 3"));
  EXPECT_TRUE(blockOf("w > 2 * v"));           // w == 2 * v
  EXPECT_TRUE(blockOf("w >= 2 * v && x < 3")); // at 3
}

TEST(Deep, ALimitLeavesThingsOpen) {
  const Prepared net(
      "module m; output b; tiosts P { var v: int[0..1000] = 0; init S;"
      "state S { lazy b! when v < 1000 do v := v + 1 -> S; lazy b! when v == 1000 -> T; } state T { } }");
  DeepLimits limits;
  limits.states = 10;
  const Deep deep = analyse(net.model, limits);
  EXPECT_TRUE(deep.limited);
  EXPECT_FALSE(deep.open.empty());
  EXPECT_TRUE(deep.unreachable.empty());
  EXPECT_TRUE(deep.dead.empty());
}

TEST(Deep, TellsWhichInputsAreAccepted) {
  const Prepared net("module m; input a(n: int[0..9]), c; output b;"
                     "tiosts P { clock x; init S;"
                     "state S { a?(k) when k < 4 do x := 0 -> T; a?(k) when k >= 4 -> S; }"
                     "state T { b! when x <= 2 -> S; c? when x > 1 -> S; } }");
  const Deep deep = analyse(net.model, {});
  const std::vector<InputUse> uses = inputUses(net.model, deep);
  ASSERT_EQ(uses.size(), 4U);
  EXPECT_EQ(uses[0].always, ir::Decision::Yes); // a in S
  EXPECT_TRUE(uses[1].edges.empty());           // c in S
  EXPECT_TRUE(uses[2].edges.empty());           // a in T
  EXPECT_EQ(uses[3].always, ir::Decision::No);  // c in T
}

/// Nothing that the reference does is called impossible, and every overlap and time block is a real run.
TEST(DeepRandom, FactsAgreeWithTheReference) {
  const uint64_t rounds = std::getenv("TIOC_LONG") ? 1000 : 40;
  size_t dead = 0, overlaps = 0;
  for (uint64_t seed = 1; seed <= rounds; ++seed) {
    semantics::RandomModelOptions options = semantics::randomOptions(seed);
    options.dataBounds = false;
    options.locationDeadlines = false;
    const std::string text = semantics::randomModel(seed, options);
    const Prepared prepared(text);
    DeepLimits limits;
    limits.states = 2000;
    limits.seconds = 5;
    const Deep deep = analyse(prepared.model, limits);
    semantics::reference::ExploreOptions steps;
    steps.step = ir::Rational(1) / ir::Rational(2);
    steps.horizon = 5;
    steps.depth = 5;
    steps.states = 400;
    steps.numbers = {0, 1, 2, 3};
    const semantics::reference::Network network(prepared.model);
    const semantics::reference::Exploration seen = semantics::reference::explore(network, steps);
    for (const DeadEdge& edge : deep.dead) {
      ++dead;
      EXPECT_FALSE(seen.edges.contains(edge.edge)) << "seed " << seed << "\n" << text;
    }
    for (const Overlap& overlap : deep.overlaps) {
      ++overlaps;
      EXPECT_FALSE(replay(prepared, overlap.run).refused) << "seed " << seed << "\n" << text;
    }
    if (deep.timeBlock) {
      EXPECT_FALSE(replay(prepared, *deep.timeBlock).refused) << "seed " << seed << "\n" << text;
    }
  }
  EXPECT_GT(dead, 10U);
  EXPECT_GT(overlaps, 3U);
}

} // namespace
} // namespace tioc::explore
