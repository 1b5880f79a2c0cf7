#include "runtime/testgen/generate.hpp"

#include "ir/print.hpp"
#include "runtime/semantics/relation.hpp"
#include "runtime/testgen/builder.hpp"
#include "runtime/testgen/coverage.hpp"
#include "runtime/testgen/obstacles.hpp"
#include "runtime/testgen/outline.hpp"
#include "runtime/testgen/replay.hpp"

#include <algorithm>
#include <set>

namespace tioc::testgen {

using ir::EdgeId;
using semantics::SymbolicState;
using semantics::SymbolicStep;

ir::Rational defaultPatience(const ir::Model& model) {
  ir::Rational largest = 1;
  for (const ir::Edge& edge : model.edges)
    for (const ir::ClockConstraint& c : edge.guard.clocks)
      if (const ir::Rational* bound = model.exprs.number(c.bound))
        largest = std::max(largest, bound->sign() < 0 ? -*bound : *bound);
  for (const ir::TimingGroup& group : model.groups)
    if (const ir::Rational* timeout = model.exprs.number(group.timeout))
      largest = std::max(largest, *timeout);
  return largest * ir::Rational(2);
}

namespace {

// How long, in nodes, a search for another way to accept goes on: this many times those before, and some.
constexpr uint32_t kPatience = 3;
constexpr uint32_t kPatienceAtLeast = 200;

const std::string kWeak = "a system may be where the model does not say what is right";

/// An identifier: letters, digits and `_`.
std::string identifier(const std::string& text) {
  std::string result;
  for (char c : text)
    result += (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') ? c : '_';
  return result;
}

/// Equal for tests that say the same, whatever their names.
std::vector<uint32_t> fingerprint(const ir::TestCase& test) {
  std::vector<uint32_t> key;
  const auto add = [&](auto... ids) { (key.push_back(ids.value), ...); };
  const auto bound = [&](const ir::TimeBound& b) {
    add(b.time);
    key.push_back(b.strict);
  };
  for (const ir::TestNode& node : test.nodes) {
    key.push_back(static_cast<uint32_t>(node.index()));
    if (const auto* send = std::get_if<ir::SendNode>(&node)) {
      add(send->channel, send->stamp, send->next);
      for (ir::ExprId argument : send->arguments)
        add(argument);
    } else if (const auto* await = std::get_if<ir::AwaitNode>(&node)) {
      key.push_back(static_cast<uint32_t>(await->branches.size()));
      add(await->until, await->timeout);
      for (const ir::AwaitBranch& branch : await->branches) {
        add(branch.channel, branch.guard, branch.stamp, branch.next);
        bound(branch.from);
        bound(branch.to);
        for (const ir::Update& update : branch.updates)
          add(update.variable, update.value);
      }
    } else {
      key.push_back(static_cast<uint32_t>(std::get<ir::VerdictNode>(node).verdict));
    }
  }
  return key;
}

/// The greatest number of which every constant bound of a clock is a multiple, by ten.
ir::Rational defaultNearness(const ir::Model& model) {
  ir::Rational divisor = 0;
  for (const ir::Edge& edge : model.edges)
    for (const ir::ClockConstraint& c : edge.guard.clocks)
      if (const ir::Rational* bound = model.exprs.number(c.bound)) {
        ir::Rational a = bound->sign() < 0 ? -*bound : *bound;
        for (ir::Rational b = divisor; !b.isZero();) {
          const ir::Rational rest = a - (a / b).floor() * b;
          a = std::move(b);
          b = rest;
        }
        divisor = a;
      }
  return divisor.isZero() ? ir::Rational(1, 10) : divisor / ir::Rational(10);
}

class Generator {
public:
  Generator(ir::Model& model, const GenerateOptions& options, Generated& result)
      : model_(model), options_(options), result_(result), network_(model), symbols_(model, options.solver),
        owner_(semantics::makeRelation(symbols_, network_, semantics::TimeKind::Symbolic)), relation_(*owner_),
        moments_(symbols_, network_), project_(symbols_),
        patience_(options.patience ? *options.patience : defaultPatience(model)),
        nearness_(options.nearness ? *options.nearness : defaultNearness(model)) {
    for (zones::Clock x = 0; x < network_.dim(); ++x)
      clocks_.push_back(network_.clockId(x));
  }

  void run() {
    std::vector<ir::AutomatonId> purposes = options_.purposes;
    std::vector<Wanted> wanted;
    for (ir::Goal goal : options_.goals) {
      std::vector<Wanted> more = wantedBy(model_, network_, goal, nearness_);
      std::move(more.begin(), more.end(), std::back_inserter(wanted));
      for (size_t i = 0; goal == ir::Goal::Purposes && i < model_.automata.size(); ++i)
        if (model_.automata[i].kind == ir::AutomatonKind::Purpose &&
            std::find(purposes.begin(), purposes.end(), ir::AutomatonId(i)) == purposes.end())
          purposes.emplace_back(i);
    }
    for (ir::AutomatonId purpose : purposes)
      forPurpose(purpose);
    if (!wanted.empty())
      forCoverage(std::move(wanted));
    isWalking_ = true;
    forWalks();
    if (!relation_.imprecise().empty())
      result_.notes.push_back(relation_.imprecise());
    result_.problem = relation_.problem();
  }

private:
  Observer observerOf(ir::AutomatonId purpose) { return {symbols_, purpose, network_.variables(), clocks_}; }

  /// A test as it stands in the suite, or would stand there if an earlier one did not say the same.
  struct Made {
    size_t certain = 0; ///< see Builder
    solver::Assignment model;
  };

  /// A case for each timing and choice of data; those that say the same as an earlier one are left out.
  /// A weak one comes to where a system may do anything.
  std::vector<Made> addCases(const Path& path, Observer& observer, const std::string& name, const std::string& about,
                             std::string& why, bool acceptWeak = true) {
    std::vector<Made> made;
    for (ir::Timing timing : options_.timings)
      for (ir::DataChoice data : options_.data) {
        BuildOptions build;
        build.timing = timing;
        build.data = data;
        build.seed = options_.seed + result_.suite.cases.size();
        build.tolerance = options_.tolerance;
        build.patience = patience_;
        build.nearness = nearness_;
        build.quick = isWalking_ && timing == ir::Timing::Earliest && data == ir::DataChoice::Any;
        build.endsAtGoal = path.steps.empty() || observer.mark(path.steps.back().purpose) == ir::Mark::Accept;
        Builder builder(symbols_, relation_, observer, moments_, project_, build);
        std::optional<ir::TestCase> test = builder.build(path);
        if (!test) {
          why = builder.problem();
          continue;
        }
        if (builder.isWeak() && !acceptWeak) {
          why = kWeak;
          continue;
        }
        if (std::string wrong = replay(symbols_, *test, path, builder.length(), builder.model()); !wrong.empty()) {
          why = "a test would not follow its own path: " + wrong;
          continue;
        }
        made.push_back({builder.certain(), builder.model()});
        if (!texts_.insert(fingerprint(*test)).second)
          continue;
        test->name =
            unique(identifier(name) + (options_.timings.size() > 1 ? std::string("_") + ir::word(timing) : "") +
                   (options_.data.size() > 1 ? std::string("_") + ir::word(data) : ""));
        test->about = about + "; inputs " + ir::word(timing);
        result_.suite.cases.push_back(std::move(*test));
      }
    return made;
  }

  std::string unique(std::string name) {
    std::string result = name;
    for (int i = 2; !names_.insert(result).second; ++i)
      result = name + "_" + std::to_string(i);
    return result;
  }

  /// One test for each edge that leads to `accept`, or with `all` one for each path.
  void forPurpose(ir::AutomatonId purpose) {
    Observer observer = observerOf(purpose);
    const std::string name = model_[purpose].name;
    std::set<ir::EdgeId> ways, done;
    for (ir::EdgeId id : model_[purpose].edges)
      if (model_[model_[id].target].mark == ir::Mark::Accept)
        ways.insert(id);
    if (!options_.way.empty()) {
      Search known(symbols_, relation_, observer, options_.limits);
      std::string why;
      if (const auto end = known.along(options_.way))
        if (observer.mark(known[*end].purpose) == ir::Mark::Accept &&
            !addCases(known.path(*end), observer, name, "purpose " + name, why).empty())
          return;
    }
    Search search(symbols_, relation_, observer, options_.limits);
    std::string why;
    uint32_t last = 0;
    std::map<ir::EdgeId, uint32_t> weak; // the first run with a weak test, by way
    search.run([&](uint32_t node) {
      const PurposeState& at = search[node].purpose;
      if (observer.mark(at) == ir::Mark::Accept && (options_.all || !done.contains(at.via))) {
        if (!addCases(search.path(node), observer, name, "purpose " + name, why, options_.all).empty())
          done.insert(at.via);
        else if (why == kWeak)
          weak.emplace(at.via, node);
        if ((done.contains(at.via) || weak.contains(at.via)) && last == 0)
          last = node;
        if (done.contains(at.via))
          last = node;
      }
      // Another way, or a better one, is looked for about as long as it took to find those before.
      return options_.all || last == 0 || (done.size() < ways.size() && node < kPatience * last + kPatienceAtLeast);
    });
    for (const auto& [way, node] : weak)
      if (!done.contains(way) && !addCases(search.path(node), observer, name, "purpose " + name, why).empty())
        done.insert(way);
    if (!done.empty())
      return;
    Obstacle obstacle = obstacleOf(symbols_, network_, moments_, observer, search, purpose);
    if (!why.empty())
      obstacle = {"a run gets to accept, but no test can follow it: " + why, model_[purpose].span};
    else if (search.stopped().empty())
      obstacle.text = "no run of the model gets to accept; " + obstacle.text;
    else
      obstacle.text = "not found before the limit of " + search.stopped() + "; " + obstacle.text;
    result_.suite.uncovered.emplace_back(ir::Covered{"purpose " + name, obstacle.span}, obstacle.text);
  }

  void forCoverage(std::vector<Wanted> wanted) {
    Observer observer = observerOf({});
    Search search(symbols_, relation_, observer, options_.limits);
    Coverage coverage(symbols_, relation_, network_, moments_, std::move(wanted), options_.tail);
    search.run([&](uint32_t node) { return coverage.visit(search, node); });
    std::vector<Group> groups;
    for (size_t item : coverage.order()) {
      if (coverage.isCovered(item))
        continue;
      Group group{result_.suite.cases.size(), 0, {}};
      std::string why;
      Path path;
      std::vector<Made> tests;
      const size_t ways = coverage.ways(item);
      // Ways whose tests are not weak first; if there is none, the first of all.
      for (size_t i = 0; i < 2 * ways && tests.empty(); ++i) {
        path = coverage.pathTo(search, item, i % ways);
        tests = addCases(path, observer, "cover_" + std::to_string(item + 1), "covers " + coverage[item].what.what, why,
                         i >= ways);
      }
      for (const Made& made : tests)
        for (size_t other : coverage.credit(path, made.certain, made.model))
          if (std::find(group.items.begin(), group.items.end(), other) == group.items.end())
            group.items.push_back(other);
      group.end = result_.suite.cases.size();
      if (!coverage.isCovered(item))
        coverage.fail(item, "uncontrollable: " + (why.empty() ? "the test cannot bring it about" : why));
      groups.push_back(std::move(group));
    }
    dropNeedless(groups, coverage.size());
    for (size_t item = 0; item < coverage.size(); ++item)
      if (!coverage.isCovered(item))
        result_.suite.uncovered.emplace_back(coverage[item].what, coverage.reason(search, item));
  }

  /// The tests of one path, and what they cover.
  struct Group {
    size_t begin = 0, end = 0; ///< cases
    std::vector<size_t> items;
  };

  /// Tests that cover nothing beyond the others go, the latest first: their paths are the shortest.
  void dropNeedless(const std::vector<Group>& groups, size_t items) {
    std::vector<uint32_t> times(items);
    for (const Group& group : groups)
      for (size_t item : group.items)
        ++times[item];
    for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
      if (std::any_of(group->items.begin(), group->items.end(), [&](size_t item) { return times[item] == 1; }))
        continue;
      for (size_t item : group->items)
        --times[item];
      std::vector<ir::TestCase>& cases = result_.suite.cases;
      cases.erase(cases.begin() + static_cast<ptrdiff_t>(group->begin),
                  cases.begin() + static_cast<ptrdiff_t>(group->end));
    }
  }

  void forWalks() {
    Observer observer = observerOf({});
    Search search(symbols_, relation_, observer, options_.limits);
    std::map<std::string, uint32_t> failed; // by reason
    for (uint32_t i = 0; i < options_.random; ++i) {
      const std::optional<uint32_t> end = search.walk(options_.seed + i, options_.length);
      const std::string name = "walk_" + std::to_string(i + 1);
      std::string why;
      if (end &&
          addCases(search.path(*end), observer, name, "random walk with seed " + std::to_string(options_.seed + i), why)
              .empty())
        ++failed[why];
    }
    for (const auto& [why, count] : failed)
      result_.notes.push_back(std::to_string(count) + (count == 1 ? " walk" : " walks") + " left out: " + why);
  }

  ir::Model& model_;
  const GenerateOptions& options_;
  Generated& result_;
  semantics::Network network_;
  semantics::Symbols symbols_;
  std::unique_ptr<semantics::StepRelation> owner_;
  semantics::StepRelation& relation_;
  Moments moments_;
  Projection project_;
  ir::Rational patience_;
  ir::Rational nearness_;
  std::vector<ir::ClockId> clocks_;
  bool isWalking_ = false;
  std::set<std::string> names_;
  std::set<std::vector<uint32_t>> texts_;
};

} // namespace

namespace {

/// In words what every await allows.
void describeAllowed(ir::TestSuite& suite) {
  ir::TestText text(suite);
  for (ir::TestCase& test : suite.cases) {
    text.enter(test);
    for (ir::TestNode& node : test.nodes) {
      auto* await = std::get_if<ir::AwaitNode>(&node);
      if (!await)
        continue;
      std::vector<std::string> parts;
      for (const ir::AwaitBranch& branch : await->branches) {
        std::string part = suite.model[branch.channel].name;
        if (!suite.model.exprs.isTrue(branch.guard))
          part += " with " + text.expr(branch.guard, branch.channel);
        if (branch.from.time.valid())
          part += (branch.from.strict ? " after " : " from ") + text.time(branch.from.time);
        if (branch.to.time.valid())
          part += (branch.to.strict ? " before " : " until ") + text.time(branch.to.time);
        if (std::find(parts.begin(), parts.end(), part) == parts.end())
          parts.push_back(std::move(part));
      }
      for (const std::string& part : parts)
        await->allows += (await->allows.empty() ? "" : "; ") + part;
      if (parts.empty())
        await->allows = "no output";
    }
  }
}

} // namespace

Generated generate(ir::Model model, const GenerateOptions& options) {
  Generated result;
  result.suite.name = options.name;
  result.suite.system = model.systems[0].name;
  result.suite.tolerance = options.tolerance;
  result.suite.automata = outline(model);
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
  describeAllowed(result.suite);
  return result;
}

} // namespace tioc::testgen
