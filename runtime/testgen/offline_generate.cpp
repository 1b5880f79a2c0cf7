#include "ir/print.hpp"
#include "runtime/semantics/tiosts.hpp"
#include "runtime/testgen/goals.hpp"
#include "runtime/testgen/offline.hpp"
#include "runtime/testgen/search.hpp"

#include <algorithm>
#include <set>

namespace tioc::testgen {

namespace {

/// Finds the paths of a suite and makes input sequences of them.
class OfflineGenerator {
public:
  OfflineGenerator(ir::Model& model, const GenerateOptions& options, Generated& result)
      : model_(model), options_(options), result_(result), network_(model), symbols_(model, options.solver),
        relation_(symbols_, network_, semantics::TimeKind::Symbolic) {
    for (zones::Clock x = 0; x < network_.dim(); ++x)
      clocks_.push_back(network_.clockId(x));
  }

  void run() {
    for (ir::AutomatonId purpose : options_.purposes)
      forPurpose(purpose);
    for (ir::Goal goal : options_.goals)
      if (goal == ir::Goal::Edges || goal == ir::Goal::States)
        forCoverage(goal);
      else
        result_.notes.push_back(std::string("input sequences cover edges and states, not ") + ir::word(goal));
    for (uint32_t i = 0; i < options_.random; ++i)
      forWalk(i);
    if (!relation_.imprecise().empty())
      result_.notes.push_back(relation_.imprecise());
    result_.problem = relation_.problem();
  }

private:
  Observer observerOf(ir::AutomatonId purpose) { return {symbols_, purpose, network_.variables(), clocks_}; }

  bool addCases(const Search& search, uint32_t node, const std::string& name, const std::string& about) {
    std::vector<semantics::SymbolicStep> path;
    for (Path::Step& one : search.path(node).steps)
      path.push_back(std::move(one.step));
    bool any = false;
    for (ir::Timing timing : options_.timings)
      for (ir::DataChoice data : options_.data) {
        OfflineBuilder builder(symbols_, relation_,
                               {timing, data, options_.seed + result_.suite.cases.size(),
                                options_.patience ? *options_.patience : defaultPatience(model_)});
        std::optional<ir::TestCase> test = builder.build(path, search[node].state);
        if (!test) {
          result_.notes.push_back(name + ": " + builder.problem());
          continue;
        }
        any = true;
        if (!sequences_.insert(builder.notation()).second)
          continue;
        test->name = name + "_" + std::to_string(++numbers_[name]);
        test->about = about + ", inputs " + ir::word(timing) + ": " + builder.notation();
        for (const std::string& freedom : builder.freedoms())
          result_.notes.push_back(test->name + ": a correct system may leave the path " + freedom);
        if (builder.freedoms().empty())
          test->about += "; a correct system follows the path";
        result_.suite.cases.push_back(std::move(*test));
      }
    return any;
  }

  void forPurpose(ir::AutomatonId purpose) {
    Observer observer = observerOf(purpose);
    Search search(symbols_, relation_, observer, options_.limits);
    const std::string name = model_[purpose].name;
    bool done = false;
    search.run([&](uint32_t node) {
      if (observer.mark(search[node].purpose) == ir::Mark::Accept)
        done = addCases(search, node, name, "purpose " + name);
      return !done;
    });
    if (!done)
      result_.suite.uncovered.emplace_back(ir::Covered{"purpose " + name, model_[purpose].span},
                                           search.stopped().empty()
                                               ? "no run of the model gets to accept"
                                               : "not found before the limit of " + search.stopped());
  }

  void forCoverage(ir::Goal goal) {
    const bool edges = goal == ir::Goal::Edges;
    Observer observer = observerOf({});
    Search search(symbols_, relation_, observer, options_.limits);
    std::set<uint32_t> wanted;
    for (uint32_t i = 0; i < network_.size(); ++i)
      for (ir::EdgeId id : model_[network_.component(i)].edges)
        wanted.insert(edges ? id.value : model_[id].target.value);
    const auto reached = [&](uint32_t node) {
      std::set<uint32_t> goals;
      for (ir::EdgeId id : search[node].step.edges)
        goals.insert(edges ? id.value : model_[id].target.value);
      return goals;
    };
    std::map<uint32_t, uint32_t> first; // goal, node that reaches it first
    search.run([&](uint32_t node) {
      for (uint32_t id : reached(node))
        first.emplace(id, node);
      return first.size() < wanted.size();
    });
    // The deepest first: their paths cover much of the rest.
    std::vector<std::pair<uint32_t, uint32_t>> order;
    for (auto [id, node] : first)
      order.emplace_back(node, id);
    std::sort(order.rbegin(), order.rend());
    std::set<uint32_t> covered;
    for (auto [node, id] : order)
      if (!covered.contains(id) && addCases(search, node, "cover", "covers " + nameOf(edges, id)))
        for (uint32_t at = node; at != UINT32_MAX; at = search[at].parent)
          covered.merge(reached(at));
    for (uint32_t id : wanted)
      if (!covered.contains(id))
        result_.suite.uncovered.emplace_back(
            ir::Covered{nameOf(edges, id), edges ? model_.edges[id].span : model_.locations[id].span},
            first.contains(id)         ? "no input sequence was found"
            : search.stopped().empty() ? "unreachable"
                                       : "not found before the limit of " + search.stopped());
  }

  std::string nameOf(bool edge, uint32_t id) const {
    return edge ? describe(model_, ir::EdgeId(id)) : describe(model_, ir::LocationId(id));
  }

  void forWalk(uint32_t index) {
    Observer observer = observerOf({});
    Search search(symbols_, relation_, observer, options_.limits);
    const uint64_t seed = options_.seed + index;
    if (const std::optional<uint32_t> end = search.walk(seed, options_.length))
      addCases(search, *end, "walk", "random walk with seed " + std::to_string(seed));
  }

  ir::Model& model_;
  const GenerateOptions& options_;
  Generated& result_;
  semantics::Network network_;
  semantics::Symbols symbols_;
  semantics::Tiosts relation_;
  std::vector<ir::ClockId> clocks_;
  std::map<std::string, uint32_t> numbers_; // by name: cases so far
  std::set<std::string> sequences_;
};

} // namespace

Generated generateOffline(ir::Model model, const GenerateOptions& options) {
  Generated result;
  result.suite.name = options.name;
  result.suite.system = model.systems[0].name;
  result.suite.tolerance = options.tolerance;
  OfflineGenerator(model, options, result).run();
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
