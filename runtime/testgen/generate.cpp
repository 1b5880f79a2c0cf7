#include "runtime/testgen/generate.hpp"

#include "ir/print.hpp"
#include "runtime/semantics/tiosts.hpp"
#include "runtime/testgen/builder.hpp"

#include <algorithm>
#include <set>

namespace tioc::testgen {

using ir::EdgeId;
using semantics::SymbolicState;
using semantics::SymbolicStep;

namespace {

/// An identifier: letters, digits and `_`.
std::string identifier(const std::string& text) {
  std::string result;
  for (char c : text)
    result += (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') ? c : '_';
  return result;
}

/// Time enough for anything with a deadline: twice the largest constant that clocks are compared with.
ir::Rational defaultPatience(const ir::Model& model) {
  ir::Rational largest = 1;
  for (const ir::Edge& edge : model.edges)
    for (const ir::ClockConstraint& c : edge.guard.clocks)
      if (const ir::Rational* bound = model.exprs.number(c.bound))
        largest = std::max(largest, bound->sign() < 0 ? -*bound : *bound);
  return largest * ir::Rational(2);
}

class Generator {
public:
  Generator(ir::Model& model, const GenerateOptions& options, Generated& result)
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
        result_.notes.push_back(std::string("coverage of ") + ir::word(goal) + " is not generated yet");
    for (uint32_t i = 0; i < options_.random; ++i)
      forWalk(i);
    if (!relation_.imprecise().empty())
      result_.notes.push_back(relation_.imprecise());
    result_.problem = relation_.problem();
  }

private:
  Observer observerOf(ir::AutomatonId purpose) { return {symbols_, purpose, network_.variables(), clocks_}; }

  /// A case for each timing and choice of data; those that say the same as an earlier one are left out.
  bool addCases(const Search& search, uint32_t node, Observer& observer, const std::string& name,
                const std::string& about) {
    bool any = false;
    std::string why;
    for (ir::Timing timing : options_.timings)
      for (ir::DataChoice data : options_.data) {
        BuildOptions build{timing, data, options_.seed + result_.suite.cases.size(),
                           options_.patience ? *options_.patience : defaultPatience(model_)};
        Builder builder(symbols_, relation_, observer, build);
        std::optional<ir::TestCase> test = builder.build(search, node);
        if (!test) {
          why = builder.problem();
          continue;
        }
        any = true;
        test->name =
            unique(identifier(name) + (options_.timings.size() > 1 ? std::string("_") + ir::word(timing) : "") +
                   (options_.data.size() > 1 ? std::string("_") + ir::word(data) : ""));
        test->about = about + "; inputs " + ir::word(timing);
        if (!isRepetition(*test))
          result_.suite.cases.push_back(std::move(*test));
      }
    if (!any)
      result_.notes.push_back(name + ": " + why);
    return any;
  }

  std::string unique(std::string name) {
    std::string result = name;
    for (int i = 2; !names_.insert(result).second; ++i)
      result = name + "_" + std::to_string(i);
    return result;
  }

  bool isRepetition(const ir::TestCase& test) {
    // The names of cases apart, equal tests print alike.
    ir::TestSuite one;
    one.model = ir::Model(model_);
    one.cases.push_back(test);
    one.cases[0].name = "same";
    one.cases[0].about.clear();
    return !texts_.insert(ir::print(one)).second;
  }

  void forPurpose(ir::AutomatonId purpose) {
    Observer observer = observerOf(purpose);
    const std::string name = model_[purpose].name;
    if (!options_.way.empty()) {
      Search known(symbols_, relation_, observer, options_.limits);
      if (const auto end = known.along(options_.way))
        if (observer.mark(known[*end].purpose) == ir::Mark::Accept &&
            addCases(known, *end, observer, name, "purpose " + name))
          return;
    }
    Search search(symbols_, relation_, observer, options_.limits);
    bool done = false;
    std::string why;
    search.run([&](uint32_t node) {
      if (observer.mark(search[node].purpose) != ir::Mark::Accept)
        return true;
      done = addCases(search, node, observer, name, "purpose " + name);
      return !done;
    });
    if (done)
      return;
    if (search.stopped().empty())
      why = "no run of the model gets to accept";
    else
      why = "not found before the limit of " + search.stopped();
    if (search.nearest().valid())
      why += "; the purpose came as far as " + model_[search.nearest()].name;
    result_.suite.uncovered.emplace_back(ir::Covered{"purpose " + name, model_[purpose].span}, why);
  }

  void forCoverage(ir::Goal goal) {
    Observer observer = observerOf({});
    Search search(symbols_, relation_, observer, options_.limits);
    std::map<uint32_t, uint32_t> first; // goal, node that reaches it first
    std::set<uint32_t> wanted;
    for (uint32_t i = 0; i < network_.size(); ++i) {
      const ir::Automaton& automaton = model_[network_.component(i)];
      for (EdgeId id : automaton.edges)
        if (!(goal == ir::Goal::Edges ? model_[id].implicit : model_[model_[id].target].implicit))
          wanted.insert(goal == ir::Goal::Edges ? id.value : model_[id].target.value);
    }
    const auto reached = [&](const SearchNode& node) {
      std::vector<uint32_t> goals;
      for (EdgeId id : node.step.edges)
        goals.push_back(goal == ir::Goal::Edges ? id.value : model_[id].target.value);
      return goals;
    };
    search.run([&](uint32_t node) {
      for (uint32_t id : reached(search[node]))
        if (wanted.contains(id))
          first.emplace(id, node);
      return first.size() < wanted.size();
    });
    // The deepest first: their paths cover much of the rest.
    std::vector<std::pair<uint32_t, uint32_t>> order; // node, goal
    for (auto [id, node] : first)
      order.emplace_back(node, id);
    std::sort(order.rbegin(), order.rend());
    std::set<uint32_t> covered;
    for (auto [node, id] : order) {
      if (covered.contains(id))
        continue;
      const std::string what = goal == ir::Goal::Edges ? describe(model_, EdgeId(id)) : nameOf(ir::LocationId(id));
      if (!addCases(search, node, observer, "cover_" + std::to_string(id), "covers " + what))
        continue;
      for (uint32_t step : search.path(node))
        for (uint32_t other : reached(search[step]))
          covered.insert(other);
    }
    for (uint32_t id : wanted)
      if (!covered.contains(id)) {
        const bool edge = goal == ir::Goal::Edges;
        const std::string what = edge ? describe(model_, EdgeId(id)) : nameOf(ir::LocationId(id));
        const std::string why = first.contains(id)         ? "no test can be told from what the tester sees"
                                : search.stopped().empty() ? "unreachable"
                                                           : "not found before the limit of " + search.stopped();
        result_.suite.uncovered.emplace_back(
            ir::Covered{what, edge ? model_.edges[id].span : model_.locations[id].span}, why);
      }
  }

  std::string nameOf(ir::LocationId id) const { return model_[model_[id].automaton].name + "." + model_[id].name; }

  void forWalk(uint32_t index) {
    Observer observer = observerOf({});
    Search search(symbols_, relation_, observer, options_.limits);
    const std::optional<uint32_t> end = search.walk(options_.seed + index, options_.length);
    if (end)
      addCases(search, *end, observer, "walk_" + std::to_string(index + 1),
               "random walk with seed " + std::to_string(options_.seed + index));
  }

  ir::Model& model_;
  const GenerateOptions& options_;
  Generated& result_;
  semantics::Network network_;
  semantics::Symbols symbols_;
  semantics::Tiosts relation_;
  std::vector<ir::ClockId> clocks_;
  std::set<std::string> names_;
  std::set<std::string> texts_;
};

} // namespace

Generated generate(ir::Model model, const GenerateOptions& options) {
  Generated result;
  result.suite.name = options.name;
  result.suite.system = model.systems[0].name;
  result.suite.tolerance = options.tolerance;
  Generator(model, options, result).run();
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
