#include "explore/reach_support.hpp"

#include "ir/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tioc::explore {
namespace {

using namespace test;

/// N processes that enter a critical section by Fischer's protocol; safe if they wait at least `wait` after writing.
std::string fischer(unsigned count, const std::string& enter = "x > 2") {
  return "module fischer; const N = " + std::to_string(count) +
         "; var id: int[0..N] = 0, inside: int[0..N] = 0;"
         "tiosts Process(own: int) { clock x; init A;"
         "state A { lazy tau when id == 0 do x := 0 -> Req; }"
         "state Req invariant x <= 2 { lazy tau do x := 0, id := own -> Wait; }"
         "state Wait { lazy tau when id == 0 do x := 0 -> Req; lazy tau when " +
         enter +
         " && id == own do inside := inside + 1 -> Cs; }"
         "state Cs { lazy tau do id := 0, inside := inside - 1 -> A; } }"
         "system Net = Process(i) for i in 1..N;";
}

ir::ExprId isTwo(ir::Model& model, const std::string& name) {
  for (size_t i = 0; i < model.variables.size(); ++i)
    if (model.variables[i].name == name)
      return model.exprs.equal(model.exprs.variable(ir::VariableId(i), model.types.integer()), model.exprs.integer(2));
  throw std::runtime_error("no variable " + name);
}

const Abstraction kAbstractions[] = {Abstraction::ALu, Abstraction::ExtraLuPlus, Abstraction::None};
const Order kOrders[] = {Order::BreadthFirst, Order::DepthFirst, Order::Priority};

TEST(Reach, DelaysAreTheSmallestThatTheRestAllows) {
  Prepared net("module m; output a, b;"
               "tiosts P { clock x, y; init S;"
               "state S { a! when x >= 2 && x <= 5 do x := 0 -> T; }"
               "state T { b! when y == 9 && x <= 4 -> U; } state U { } }");
  ReachOptions options;
  options.target = at(net.model, "P", "U");
  const ReachResult result = reach(net.model, options);
  ASSERT_TRUE(result.reached());
  const RunResult run = concreteRun(net.model, *result.path, {});
  ASSERT_TRUE(run.run);
  EXPECT_EQ(delays(*run.run), "5 4 0");
  EXPECT_FALSE(validateRun(net.model, *run.run));
}

TEST(Reach, StrictBoundsGiveFractionsWhereNoWholeNumberFits) {
  Prepared net("module m; output a; tiosts P { clock x; init S; state S { lazy a! when x > 2 && x < 3 -> T; } "
               "state T { } }");
  ReachOptions options;
  options.target = at(net.model, "P", "T");
  const ReachResult result = reach(net.model, options);
  ASSERT_TRUE(result.reached());
  EXPECT_EQ(delays(*concreteRun(net.model, *result.path, {}).run), "2.5 0");
}

TEST(Reach, MutualExclusionHoldsWithEnoughWaitingAndFailsWithout) {
  for (Abstraction abstraction : kAbstractions)
    for (Order order : kOrders) {
      Prepared safe(fischer(3));
      Prepared broken(fischer(3, "x >= 1"));
      ReachOptions options;
      options.abstraction = abstraction;
      options.order = order;
      options.target = Target{{}, isTwo(safe.model, "inside"), {}};
      if (abstraction != Abstraction::None) { // exact zones grow for ever here
        EXPECT_EQ(reach(safe.model, options).stop, Stop::Complete);
      }
      options.target->data = isTwo(broken.model, "inside");
      const ReachResult result = reach(broken.model, options);
      ASSERT_TRUE(result.reached());
      const RunResult run = concreteRun(broken.model, *result.path, {});
      ASSERT_TRUE(run.run) << run.problem->text;
      EXPECT_FALSE(validateRun(broken.model, *run.run));
      EXPECT_FALSE(replay(broken, *run.run).refused);
    }
}

TEST(Reach, EnginesOfDataAgree) {
  Prepared net(fischer(4));
  ReachOptions options;
  options.eval = eval::Mode::Interpret;
  const ReachResult interpreted = reach(net.model, options);
  options.eval = eval::Mode::Jit;
  const ReachResult compiled = reach(net.model, options);
  EXPECT_EQ(interpreted.stats.stored, compiled.stats.stored);
  EXPECT_EQ(interpreted.stats.transitions, compiled.stats.transitions);
  EXPECT_EQ(interpreted.edges, compiled.edges);
}

TEST(Reach, ClockConditionsOfTheTargetCount) {
  Prepared net("module m; output a; tiosts P { clock x, y; init S; state S { lazy a! when x >= 1 do x := 0 -> S; } }");
  const semantics::Network network(net.model);
  const zones::Clock x = network.clock(ir::ClockId(1));
  const zones::Clock y = network.clock(ir::ClockId(2));
  for (Abstraction abstraction : kAbstractions) {
    ReachOptions options;
    options.abstraction = abstraction;
    options.target = Target{{}, {}, {{x, 0, zones::Bound::atMost(0)}, {0, y, zones::Bound::atMost(-7)}}};
    const ReachResult result = reach(net.model, options);
    ASSERT_TRUE(result.reached());
    const RunResult run = concreteRun(net.model, *result.path, {options.target->clocks, {}});
    ASSERT_TRUE(run.run);
    const Replay end = replay(net, *run.run);
    ASSERT_FALSE(end.refused);
    EXPECT_EQ(end.end.clocks.at(1), 0);
    EXPECT_GE(end.end.clocks.at(2), ir::Rational(7));
  }
  ReachOptions options;
  options.target = Target{{}, {}, {{y, 0, zones::Bound::atMost(3)}, {0, x, zones::Bound::atMost(-4)}}};
  EXPECT_EQ(reach(net.model, options).stop, Stop::Complete);
}

TEST(Reach, DeadlineThatIsNoZoneGivesSeveralStates) {
  // Who enters T with y < 1 can still be caught by the eager edge at y == 3; who is behind it may wait for ever.
  const std::string model = "module m; output a, b; input i;"
                            "tiosts P { clock x, y; init S; state S { lazy a! do x := 0 -> T; }"
                            "state T { eager b! when y == 3 -> U; i? when x == 5 -> V; } state U { } state V { } }";
  Prepared net(model);
  ReachOptions options;
  options.target = at(net.model, "P", "V");
  const ReachResult result = reach(net.model, options);
  ASSERT_TRUE(result.reached());
  const RunResult run = concreteRun(net.model, *result.path, {});
  ASSERT_TRUE(run.run);
  EXPECT_FALSE(replay(net, *run.run).refused) << delays(*run.run);
  EXPECT_GT(run.run->steps[0].delay, ir::Rational(3));
}

TEST(Reach, ValidationRefusesWrongRuns) {
  Prepared net("module m; output a, b; tiosts P { clock x; init S; state S { a! when x >= 2 && x <= 5 do x := 0 -> T; }"
               "state T { eager b! when x == 1 -> U; } state U { } }");
  ReachOptions options;
  options.target = at(net.model, "P", "U");
  const TimedRun good = *concreteRun(net.model, *reach(net.model, options).path, {}).run;
  ASSERT_FALSE(validateRun(net.model, good));
  TimedRun early = good;
  early.steps[0].delay = 1;
  EXPECT_TRUE(validateRun(net.model, early)); // the guard
  TimedRun late = good;
  late.steps[0].delay = 6;
  EXPECT_TRUE(validateRun(net.model, late)); // the deadline
  TimedRun lazy = good;
  lazy.steps[1].delay = 2;
  EXPECT_TRUE(validateRun(net.model, lazy)); // the eager edge
  TimedRun jump = good;
  jump.steps.erase(jump.steps.begin());
  EXPECT_TRUE(validateRun(net.model, jump)); // the location
}

TEST(Reach, EveryLimitIsNamed) {
  Prepared net(fischer(4));
  ReachOptions options;
  options.maxStates = 10;
  EXPECT_EQ(reach(net.model, options).stop, Stop::States);
  options = {};
  options.maxDepth = 3;
  const ReachResult shallow = reach(net.model, options);
  EXPECT_EQ(shallow.stop, Stop::Depth);
  EXPECT_EQ(shallow.stats.depth, 2U);
  options = {};
  options.maxBytes = 1;
  EXPECT_EQ(reach(net.model, options).stop, Stop::Memory);
  options = {};
  options.maxSeconds = 0;
  EXPECT_EQ(reach(net.model, options).stop, Stop::Seconds);
  options = {};
  unsigned asked = 0;
  options.stop = [&] { return ++asked == 2; };
  EXPECT_EQ(reach(Prepared(fischer(6)).model, options).stop, Stop::Asked);
}

TEST(Reach, OpenVariablesAreTriedOrNamed) {
  Prepared small("module m; output a; tiosts P { var n: int[0..5], m: int; init S when n > 3 && 7 <= m && m < 9;"
                 "state S { a! when n == 5 && m == 8 -> T; } state T { } }");
  ReachOptions options;
  options.target = at(small.model, "P", "T");
  const ReachResult result = reach(small.model, options);
  ASSERT_TRUE(result.reached());
  EXPECT_FALSE(validateRun(small.model, *concreteRun(small.model, *result.path, {}).run));
  EXPECT_EQ(reach(small.model).stats.discrete, 5U); // two times two, and one in T

  const ReachResult wide =
      reach(Prepared("module m; output a; tiosts P { var n: int; init S when n > 0; state S { a! when n == 5 -> S; } }")
                .model);
  ASSERT_EQ(wide.stop, Stop::Problem);
  EXPECT_NE(wide.problem->text.find("'n'"), std::string::npos) << wide.problem->text;
}

TEST(Reach, ValuesThatLeaveTheMachineWordAreAProblem) {
  const ReachResult result = reach(
      Prepared("module m; output a; tiosts P { var n: int = 1; init S; state S { lazy a! do n := n * 1000000 -> S; } }")
          .model);
  EXPECT_EQ(result.stop, Stop::Problem);
}

TEST(Reach, ClockDifferencesSwitchAbstractionOff) {
  Prepared net("module m; output a, b; tiosts P { clock x, y; init S; state S { lazy a! when x <= 3 do x := 0 -> S; "
               "lazy b! when y - x >= 2 -> T; } state T { } }");
  ReachOptions options;
  options.target = at(net.model, "P", "T");
  const ReachResult result = reach(net.model, options);
  EXPECT_TRUE(result.reached());
  EXPECT_EQ(result.abstraction, Abstraction::None);
}

TEST(Reach, ClocksOutsideTheirUseDoNotTellStatesApart) {
  // y is set before it is tested again: one zone per location, whatever y was.
  Prepared net("module m; output a, b; tiosts P { clock x, y; init S;"
               "state S { lazy a! when x >= 1 do x := 0, y := 0 -> T; }"
               "state T { lazy b! when y <= 5 && x >= 1 do x := 0 -> S; } }");
  ReachOptions options;
  options.abstraction = Abstraction::None;
  options.maxStates = 100;
  EXPECT_EQ(reach(net.model, options).stop, Stop::Complete);
}

TEST(Reach, GraphHasAllStatesAndTransitions) {
  Prepared net("module m; input go(v: int[0..1]); output a; tiosts P { clock x; var n: int[0..1] = 0; init S;"
               "state S { go?(p) do n := p, x := 0 -> T; } state T { e: a! when x <= 2 -> S; } }");
  ReachOptions options;
  options.graph = true;
  Reachability search(net.model, options);
  const ReachResult result = search.run();
  const ir::Graph graph = search.graph();
  EXPECT_EQ(graph.nodes.size(), result.stats.stored + result.stats.covered);
  EXPECT_EQ(graph.edges.size(), result.stats.transitions);
  EXPECT_EQ(graph.nodes[0].place, "S");
  const auto labelled = [&](const std::string& label) {
    return std::any_of(graph.edges.begin(), graph.edges.end(), [&](auto& edge) { return edge.label == label; });
  };
  EXPECT_TRUE(labelled("go?(1)"));
  EXPECT_TRUE(labelled("a!"));
}

TEST(Reach, ExamplesAreExploredOrSayWhyNot) {
  unsigned explored = 0;
  for (const std::string& file : tioc::test::filesBelow("examples", ".tio")) {
    const ir::Model all = tioc::test::compileOk(tioc::test::readFile(tioc::test::sourceDir() + "/" + file));
    for (size_t i = 0; i < all.systems.size(); ++i) {
      const bool network = std::all_of(all.systems[i].components.begin(), all.systems[i].components.end(),
                                       [&](auto& c) { return all[c.automaton].kind == ir::AutomatonKind::Tiosts; });
      if (!network || all.systems[i].composition != ir::Composition::Rendezvous)
        continue;
      SCOPED_TRACE(file + " " + all.systems[i].name);
      Prepared net(all, i);
      ReachOptions options;
      options.maxStates = 20000;
      const ReachResult result = reach(net.model, options);
      explored += result.problem ? 0 : 1;
      if (result.problem) {
        EXPECT_FALSE(result.problem->text.empty());
        continue;
      }
      for (size_t id = 0; id < result.locations.size(); ++id) {
        if (!result.locations[id] || result.stop != Stop::Complete)
          continue;
        options.target = Target{{ir::LocationId(id)}, {}, {}};
        const ReachResult one = reach(net.model, options);
        ASSERT_TRUE(one.reached());
        const RunResult run = concreteRun(net.model, *one.path, {});
        ASSERT_TRUE(run.run) << run.problem->text;
        EXPECT_FALSE(validateRun(net.model, *run.run));
      }
    }
  }
  EXPECT_GE(explored, 5U);
}

// ---- time blocks

ReachResult block(const Prepared& net) {
  ReachOptions options;
  options.timeBlocks = true;
  return reach(net.model, options);
}

TEST(TimeBlock, InvariantWithoutWayOut) {
  Prepared net("module m; output a; tiosts P { clock x; init S; state S { lazy a! when x >= 1 do x := 0 -> T; }"
               "state T invariant x <= 3 { lazy a! when x <= 1 -> S; } }");
  const ReachResult result = block(net);
  ASSERT_TRUE(result.reached());
  const RunResult run = concreteRun(net.model, *result.path, {{}, result.blocked});
  ASSERT_TRUE(run.run);
  EXPECT_FALSE(validateRun(net.model, *run.run));
  EXPECT_EQ(delays(*run.run), "1 2"); // the first instant behind x <= 1 that is whole
}

TEST(TimeBlock, NoneWhereSomethingIsPossibleUntilTheEnd) {
  EXPECT_EQ(
      block(Prepared("module m; output a; tiosts P { clock x; init S; state S { a! when x <= 3 do x := 0 -> S; } }"))
          .stop,
      Stop::Complete);
  EXPECT_EQ(block(Prepared("module m; input a; tiosts P { clock x; init S; state S { a? when x <= 3 -> S; } }")).stop,
            Stop::Complete);
}

TEST(TimeBlock, DeadlinesThatWaitForEachOther) {
  // Two senders, each with a deadline that the other's partner cannot serve in time.
  Prepared net(
      "module m; internal s; output a; tiosts P { clock x; init S; state S { a! when x >= 4 && x <= 5 -> S; } }"
      "tiosts Q { clock y; init S; state S { delayable s! when y <= 3 -> S; } }"
      "tiosts R { clock z; init S; state S { s? when z < 0 -> S; } } system Net = P || Q || R;");
  EXPECT_EQ(block(net).stop, Stop::Complete); // no partner can ever come: no deadline
  Prepared stuck("module m; internal s; output a;"
                 "tiosts P { clock x; init S; state S { eager a! when x == 2 -> T; } state T invariant x <= 2 { } }"
                 "system Net = P;");
  EXPECT_TRUE(block(stuck).reached());
}

} // namespace
} // namespace tioc::explore
