#include "runtime/testgen/digital.hpp"

#include "runtime/testgen/digital_emit.hpp"
#include "runtime/testgen/goals.hpp"

#include <algorithm>

namespace tioc::testgen {

using Choice = DigitalOptions::Choice;

namespace {

/// `rank` of `count` numbers spread evenly over 0 to `total` - 1.
uint64_t spread(uint64_t rank, uint64_t count, uint64_t total) {
  return static_cast<uint64_t>(static_cast<unsigned __int128>(rank) * total / count);
}

class DigitalGenerator {
public:
  DigitalGenerator(Sampled& sampled, const ir::Model& clock, const DigitalOptions& options, DigitalSuite& result)
      : sampled_(sampled), clock_(clock), options_(options), result_(result), states_(sampled, options.solver) {}

  void run() {
    if (states_.problem()) {
      result_.problem = states_.problem();
      return;
    }
    const KnowledgeGraph graph(states_, options_.depth, options_.data, options_.seed, options_.limits);
    if (states_.problem()) {
      result_.problem = states_.problem();
      return;
    }
    semantics::Problem problem;
    // Where a tree ends by waiting, the tick behind it is looked at too.
    std::optional<std::vector<ir::Rational>> ticks = tickTimes(clock_, options_.depth + 1, problem);
    if (!ticks) {
      result_.problem = std::move(problem);
      return;
    }
    if (graph.start() == KnowledgeGraph::kNone) {
      result_.notes.push_back("the model has no state to start in");
      return;
    }
    if (!graph.stopped().empty())
      result_.notes.push_back("the limit of " + graph.stopped() +
                              " was reached: tests stop where nothing more is known");
    if (!states_.imprecise().empty())
      result_.notes.push_back(states_.imprecise());
    DigitalTrees trees(graph, options_.depth, options_.earlyStops && options_.choice == Choice::All);
    result_.trees = trees.count();
    DigitalEmitter emitter(graph, sampled_, std::move(*ticks));
    for (const DigitalTree& tree : chooseTrees(trees)) {
      ir::TestCase test = emitter.emit(tree);
      test.name = "digital_" + std::to_string(result_.suite.cases.size() + 1);
      test.about = "digital clock " + clock_.systems[0].name + ", depth " + std::to_string(options_.depth);
      result_.suite.cases.push_back(std::move(test));
    }
  }

private:
  std::vector<DigitalTree> chooseTrees(DigitalTrees& trees) {
    std::vector<DigitalTree> result;
    const std::string total =
        result_.trees == DigitalTrees::kMany ? "too many to count" : std::to_string(result_.trees);
    if (options_.choice == Choice::Edges) {
      std::set<ir::EdgeId> covered;
      result = trees.cover(covered);
      nameUncovered(covered);
      return result;
    }
    if (options_.choice == Choice::Random) {
      std::mt19937_64 dice(options_.seed);
      const uint64_t wanted = std::min(options_.most, result_.trees);
      for (uint64_t i = 0; result.size() < wanted && i < 20 * wanted; ++i) {
        DigitalTree tree = trees.random(dice);
        if (std::find(result.begin(), result.end(), tree) == result.end())
          result.push_back(std::move(tree));
      }
      return result;
    }
    const uint64_t wanted = std::min(options_.most, result_.trees);
    for (uint64_t i = 0; i < wanted; ++i)
      result.push_back(trees.tree(wanted == result_.trees ? i : spread(i, wanted, result_.trees)));
    if (wanted < result_.trees)
      result_.notes.push_back("trees up to depth " + std::to_string(options_.depth) + ": " + total + "; " +
                              std::to_string(wanted) + " of them are written");
    return result;
  }

  void nameUncovered(const std::set<ir::EdgeId>& covered) {
    const ir::Model& model = sampled_.model;
    for (uint32_t i = 0; i < sampled_.components; ++i)
      for (ir::EdgeId id : model[states_.network().component(i)].edges)
        if (states_.network().visibility(model[id]) == semantics::Visibility::Input && !covered.contains(id))
          result_.suite.uncovered.emplace_back(ir::Covered{describe(model, id), model[id].span},
                                               "cannot be tried within " + std::to_string(options_.depth) + " events");
  }

  Sampled& sampled_;
  const ir::Model& clock_;
  const DigitalOptions& options_;
  DigitalSuite& result_;
  DigitalStates states_;
};

} // namespace

DigitalSuite generateDigital(const ir::Model& specification, const ir::Model& clock, const DigitalOptions& options) {
  DigitalSuite result;
  result.suite.name = options.name;
  result.suite.system = specification.systems[0].name;
  result.suite.tolerance = options.tolerance;
  semantics::Problem problem;
  std::optional<Sampled> sampled = sample(specification, clock, problem);
  if (!sampled) {
    result.problem = std::move(problem);
    return result;
  }
  DigitalGenerator(*sampled, clock, options, result).run();
  ir::Model& model = sampled->model;
  // Messages and times are those of the specification: the ticks are the tester's own.
  model.secondsPerUnit = specification.secondsPerUnit;
  model.channels.resize(specification.channels.size());
  model.variables.clear();
  model.clocks.resize(1);
  model.locations.clear();
  model.edges.clear();
  model.groups.clear();
  model.automata.clear();
  model.systems.clear();
  model.suites.clear();
  result.suite.model = std::move(model);
  return result;
}

} // namespace tioc::testgen
