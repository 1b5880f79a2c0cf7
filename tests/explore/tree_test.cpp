#include "explore/reach_support.hpp"

#include "ir/print.hpp"
#include "runtime/explore/tree_graph.hpp"
#include "runtime/explore/tree_reach.hpp"
#include "runtime/semantics/tiosts.hpp"
#include "semantics/random_models.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tioc::explore {
namespace {

using namespace test;
using semantics::TimeKind;

/// A tree with all that it stands on.
struct Grown {
  Grown(const ir::Model& source, TimeKind time, TreeOptions options)
      : model(source), network(model), symbols(model, {}), relation(symbols, network, time),
        tree(symbols, relation, network, std::move(options)) {}

  ir::Model model;
  semantics::Network network;
  semantics::Symbols symbols;
  semantics::Tiosts relation;
  Tree tree;
};

ir::Model example(const std::string& name, const std::string& system) {
  const ir::Model all =
      tioc::test::compileOk(tioc::test::readFile(tioc::test::sourceDir() + "/examples/" + name + ".tio"));
  for (size_t i = 0; i < all.systems.size(); ++i)
    if (all.systems[i].name == system)
      return Prepared(all, i).model;
  throw std::runtime_error("no system " + system);
}

/// A, figure 3.
TEST(Tree, OneLoopOfTheTrajectoryModulePassesEightTransitions) {
  TreeOptions options;
  options.limits.depth = 8;
  options.inclusion = false;
  Grown grown(example("trajectory", "Trajectory"), TimeKind::Symbolic, options);
  grown.tree.run();
  const Namer names(grown.symbols, grown.network);
  const std::vector<std::string> loop{"location?", "plan!", "plan?", "param!", "param?", "calc!", "calc?", "nCmd!"};
  size_t found = 0;
  for (uint32_t i = 0; i < grown.tree.nodes().size(); ++i) {
    std::vector<uint32_t> path;
    for (uint32_t at = i; at != UINT32_MAX; at = grown.tree.nodes()[at].parent)
      path.insert(path.begin(), at);
    bool same = path.size() == loop.size() + 1;
    for (size_t k = 0; same && k < loop.size(); ++k)
      same = names.label(grown.tree.nodes()[path[k + 1]].step).starts_with(loop[k]);
    if (!same)
      continue;
    ++found;
    const semantics::SymbolicState& state = grown.tree.nodes()[i].state;
    EXPECT_EQ(names.place(state), "WaitLocation");
    std::vector<ir::ExprId> time(1);
    for (size_t k = 1; k < path.size(); ++k)
      time.push_back(grown.tree.nodes()[path[k]].step.time);
    // Since when each clock runs, when it is looked at, and its bound: fClock, fClock, dClock, dClock, cClock, cClock,
    // aClock.
    const std::vector<std::tuple<int, int, int>> bounds{{1, 2, 1}, {2, 3, 2}, {3, 4, 1}, {4, 5, 1},
                                                        {5, 6, 1}, {6, 7, 2}, {1, 8, 9}};
    for (const auto& [since, until, bound] : bounds) {
      const ir::ExprId length =
          grown.symbols.pool().add(std::vector<ir::ExprId>{time[until], grown.symbols.pool().negate(time[since])});
      ir::ExprPool& pool = grown.symbols.pool();
      const auto canLast = [&](const ir::Rational& least) {
        std::vector<ir::ExprId> conditions = state.conditions;
        conditions.push_back(pool.lessEqual(pool.real(least), length));
        return grown.symbols.solver().check(conditions).answer;
      };
      EXPECT_EQ(canLast(bound), solver::Answer::Unsat) << until;
      EXPECT_EQ(canLast(ir::Rational(bound) - ir::Rational(1) / ir::Rational(1000)), solver::Answer::Sat) << until;
    }
  }
  EXPECT_EQ(found, 1U);
}

/// B, figures 4 and 5: what can follow a withdrawal.
TEST(Tree, AWithdrawalIsServedOrRefused) {
  TreeOptions options;
  options.limits.depth = 2;
  Grown grown(example("atm", "Atm"), TimeKind::Zones, options);
  grown.tree.run();
  const Namer names(grown.symbols, grown.network);
  std::vector<std::string> seen;
  for (const TreeNode& node : grown.tree.nodes())
    if (node.parent != UINT32_MAX)
      seen.push_back(names.label(node.step) + " " + names.place(node.state));
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_TRUE(seen[0].starts_with("Withdrawal?")) << seen[0];
  EXPECT_TRUE(seen[1].starts_with("DispenseCash!")) << seen[1];
  EXPECT_TRUE(seen[2].starts_with("InsufficientFunds!")) << seen[2];
}

/// What a tree says about a location: reached by a checked run, not reached, or nothing.
std::optional<bool> treeReaches(const ir::Model& model, ir::LocationId location) {
  TreeOptions options;
  options.limits.states = 2000;
  options.limits.seconds = 2;
  Grown grown(model, TimeKind::Symbolic, options);
  if (grown.relation.problem())
    return std::nullopt;
  Condition condition;
  condition.locations = {location};
  TreeReach search(grown.symbols, grown.relation, grown.network, condition);
  search.run(grown.tree);
  if (search.found()) {
    const auto complaint = confirmRun(grown.network, *search.found());
    if (!grown.relation.imprecise().empty() && complaint)
      return std::nullopt;
    EXPECT_FALSE(complaint) << *complaint;
    const auto wrong = validateRun(model, *search.found());
    EXPECT_FALSE(wrong) << *wrong;
    return true;
  }
  return grown.tree.stopped().empty() && search.undecided() == 0 ? std::optional(false) : std::nullopt;
}

TEST(TreeRandom, TreesAndZoneGraphsReachTheSameLocations) {
  const uint64_t rounds = std::getenv("TIOC_LONG") ? 2000 : 60;
  size_t compared = 0, reachedOnes = 0;
  for (uint64_t seed = 1; seed <= rounds; ++seed) {
    semantics::RandomModelOptions options = semantics::randomOptions(seed, seed % 2 == 0);
    options.dataBounds = false;
    options.locationDeadlines = seed % 3 == 0;
    const std::string text = semantics::randomModel(seed, options);
    const Prepared prepared(text);
    const semantics::Network network(prepared.model);
    for (uint32_t i = 0; i < network.size(); ++i)
      for (ir::LocationId id : prepared.model[network.component(i)].locations) {
        ReachOptions reachOptions;
        reachOptions.target = Target{{id}, {}, {}};
        reachOptions.maxStates = 3000;
        const ReachResult graph = reach(prepared.model, reachOptions);
        if (!graph.reached() && graph.stop != Stop::Complete)
          continue;
        const std::optional<bool> tree = treeReaches(prepared.model, id);
        if (!tree)
          continue;
        ++compared;
        reachedOnes += *tree ? 1 : 0;
        EXPECT_EQ(*tree, graph.reached()) << "seed " << seed << ", " << prepared.model[id].name << "\n" << text;
      }
  }
  EXPECT_GT(compared, rounds);
  EXPECT_GT(reachedOnes, compared / 4);
  EXPECT_LT(reachedOnes, compared);
}

} // namespace
} // namespace tioc::explore
