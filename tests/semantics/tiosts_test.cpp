#include "runtime/semantics/tiosts.hpp"

#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "runtime/explore/tree.hpp"
#include "semantics/random_models.hpp"
#include "semantics/reference.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

namespace tioc::semantics {
namespace {

/// The edges that step, one entry a step.
using Path = std::vector<std::vector<ir::EdgeId>>;

size_t rounds(size_t few, size_t many) {
  return std::getenv("TIOC_LONG") ? many : few;
}

ir::Model prepared(const std::string& text, const std::string& system) {
  const ir::Model all = test::compileOk(text);
  for (size_t i = 0; i < all.systems.size(); ++i)
    if (all.systems[i].name == system)
      return ir::resolvePriorities(ir::scaleTime(ir::instantiate(all, ir::SystemId(i))));
  ADD_FAILURE() << "no system " << system;
  return {};
}

struct Explored {
  std::set<Path> paths;
  std::string imprecise;
  bool uncertain = false;
  std::optional<Problem> problem;
};

Explored explore(const std::string& text, TimeKind time, uint32_t depth) {
  ir::Model model = prepared(text, "Net");
  const Network network(model);
  Symbols symbols(model, {});
  Tiosts relation(symbols, network, time);
  Explored result;
  result.problem = relation.problem();
  if (result.problem)
    return result;
  explore::TreeOptions options;
  options.inclusion = false;
  options.limits.depth = depth;
  options.limits.states = 4000;
  explore::Tree tree(symbols, relation, network, options);
  tree.run();
  result.imprecise = relation.imprecise();
  result.problem = relation.problem();
  if (tree.stopped() == "states") {
    result.uncertain = true;
    return result;
  }
  for (uint32_t i = 0; i < tree.nodes().size(); ++i) {
    Path path;
    for (uint32_t at = i; tree.nodes()[at].parent != UINT32_MAX; at = tree.nodes()[at].parent)
      path.insert(path.begin(), tree.nodes()[at].step.edges);
    result.paths.insert(path);
    result.uncertain |= tree.nodes()[i].state.uncertain;
  }
  return result;
}

/// The paths of runs whose delays lie on a grid.
struct Grid {
  const reference::Network& network;
  ir::Rational step;
  ir::Rational horizon;
  std::set<Path> paths;

  void walk(const reference::State& state, const Path& path, uint32_t depth) {
    paths.insert(path);
    if (depth == 0)
      return;
    const reference::Delays possible = network.delays(state);
    std::set<std::pair<std::vector<ir::EdgeId>, reference::State>> seen;
    for (ir::Rational delay = 0; delay <= horizon && possible.contains(delay); delay = delay + step)
      for (const reference::Move& move : network.moves(reference::wait(state, delay), {-2, -1, 0, 1, 2, 3, 4, 5, 6}))
        if (seen.insert({move.edges, move.target}).second) {
          Path longer = path;
          longer.push_back(move.edges);
          walk(move.target, longer, depth - 1);
        }
  }
};

std::string show(const ir::Model& model, const Path& path) {
  std::string text;
  for (const auto& edges : path) {
    text += "\n   ";
    for (ir::EdgeId id : edges)
      text += " + " + model[model[model[id].source].automaton].name + "." + model[model[id].source].name + ": " +
              ir::printEdge(model, model[id], model[model[model[id].source].automaton]);
  }
  return text;
}

void expectSubset(const ir::Model& model, const std::set<Path>& a, const std::set<Path>& b, const std::string& what,
                  const std::string& text) {
  for (const Path& path : a)
    if (!b.contains(path)) {
      ADD_FAILURE() << what << show(model, path) << "\n" << text;
      return;
    }
}

TEST(Tiosts, ZonesAndSymbolicTimeAndTheReferenceAllowTheSamePaths) {
  size_t compared = 0, paths = 0, skipped = 0;
  for (uint64_t seed = 0; seed < rounds(250, 6000) && !testing::Test::HasFailure(); ++seed) {
    RandomModelOptions features = randomOptions(seed, true);
    features.dataBounds = false;
    features.components = std::min(features.components, 2U);
    features.constant = std::min(features.constant, 3U);
    const std::string text = randomModel(seed, features);
    const uint32_t depth = 3;
    const Explored symbolic = explore(text, TimeKind::Symbolic, depth);
    const Explored zones = explore(text, TimeKind::Zones, depth);
    if (symbolic.uncertain || zones.uncertain || zones.problem || !symbolic.imprecise.empty()) {
      ++skipped;
      continue;
    }
    const ir::Model model = prepared(text, "Net");
    const std::string title = "seed " + std::to_string(seed) + ": ";
    expectSubset(model, symbolic.paths, zones.paths, title + "only with symbolic time:", text);
    expectSubset(model, zones.paths, symbolic.paths, title + "only with zones:", text);
    const reference::Network network(model);
    Grid grid{network, ir::Rational(1, 2), 4, {}};
    for (const reference::State& state : network.initialStates())
      grid.walk(state, {}, 2);
    expectSubset(model, grid.paths, symbolic.paths, title + "only in the reference:", text);
    ++compared;
    paths += symbolic.paths.size();
  }
  EXPECT_GT(compared, 5 * skipped);
  EXPECT_GT(paths, 10 * compared);
  RecordProperty("compared", static_cast<int>(compared));
  std::cout << compared << " models, " << skipped << " skipped, " << paths << " paths\n";
}

TEST(Tiosts, ClosedModelsHaveExactlyTheRunsOfTheIntegerGrid) {
  size_t compared = 0, paths = 0;
  for (uint64_t seed = 0; seed < rounds(150, 3000) && !testing::Test::HasFailure(); ++seed) {
    RandomModelOptions features = randomOptions(seed, false);
    features.strict = false;
    features.broadcast = false; // who does not receive is told by an open guard
    features.priorities = false;
    features.fractions = false;
    features.components = std::min(features.components, 2U);
    features.constant = std::min(features.constant, 3U);
    const std::string text = randomModel(seed, features);
    const Explored symbolic = explore(text, TimeKind::Symbolic, 2);
    if (symbolic.uncertain || !symbolic.imprecise.empty())
      continue;
    const ir::Model model = prepared(text, "Net");
    const reference::Network network(model);
    Grid grid{network, 1, 4, {}};
    for (const reference::State& state : network.initialStates())
      grid.walk(state, {}, 2);
    const std::string title = "seed " + std::to_string(seed) + ": ";
    expectSubset(model, symbolic.paths, grid.paths, title + "only symbolically:", text);
    expectSubset(model, grid.paths, symbolic.paths, title + "only in the reference:", text);
    ++compared;
    paths += grid.paths.size();
  }
  EXPECT_GT(compared, 50U);
  EXPECT_GT(paths, 5 * compared);
}

} // namespace
} // namespace tioc::semantics
