#include "runtime/explore/deep.hpp"

#include "ir/passes.hpp"
#include "runtime/explore/loop_watch.hpp"
#include "runtime/explore/reach_run.hpp"
#include "runtime/explore/tree_blocks.hpp"
#include "runtime/explore/tree_reach.hpp"
#include "runtime/semantics/tiosts.hpp"

#include <algorithm>

namespace tioc::explore {

using ir::EdgeId;
using ir::LocationId;
using semantics::TimeKind;

namespace {

/// The answer to one search.
struct Answer {
  std::optional<TimedRun> run;
  std::string open; ///< why there may be one though none was found, or empty
  bool limited = false;
};

/// Edges of one location that might be allowed both.
struct Pair {
  EdgeId first;
  EdgeId second;
};

class Analysis {
public:
  Analysis(const ir::Model& model, const DeepLimits& limits)
      : model_(model), limits_(limits), network_(model_), begin_(std::chrono::steady_clock::now()) {}

  Deep run() {
    cover();
    if (deep_.problem)
      return std::move(deep_);
    if (complete_) {
      listUnreachable();
      listDead();
    }
    for (uint32_t i = 0; i < network_.size(); ++i)
      listOverlaps(i);
    if (isSignalForm()) {
      findUnstableLoop();
      findOpenStart();
    }
    findTimeBlock();
    return std::move(deep_);
  }

private:
  double secondsLeft() const {
    if (limits_.seconds <= 0)
      return 1e9;
    const double used = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    return std::max(0.01, limits_.seconds - used);
  }

  ReachOptions reachOptions() const {
    ReachOptions options;
    options.maxSeconds = secondsLeft();
    if (limits_.states)
      options.maxStates = limits_.states;
    if (limits_.bytes)
      options.maxBytes = limits_.bytes;
    options.stop = limits_.interrupted;
    return options;
  }

  TreeOptions treeOptions() const {
    TreeOptions options;
    options.limits = {limits_.states, 0, secondsLeft(), limits_.bytes, limits_.interrupted};
    return options;
  }

  void leaveOpen(const std::string& what, const std::string& why, bool limited) {
    deep_.open.push_back(what + ": " + why);
    deep_.limited |= limited;
  }

  // ---- what is reached at all

  void cover() {
    ReachResult result = Reachability(model_, reachOptions()).run();
    deep_.concrete = result.stop != Stop::Problem;
    if (!deep_.concrete)
      return coverByTree();
    locations_ = std::move(result.locations);
    edges_ = std::move(result.edges);
    complete_ = result.stop == Stop::Complete;
    if (!complete_)
      leaveOpen("unreachable states and edges", stopName(result.stop), true);
  }

  void coverByTree() {
    locations_.assign(model_.locations.size(), 0);
    edges_.assign(model_.edges.size(), 0);
    ir::Model copy(model_);
    const semantics::Network network(copy);
    const TimeKind time = semantics::ClockCode(network).problem() ? TimeKind::Symbolic : TimeKind::Zones;
    semantics::Symbols symbols(copy, {});
    semantics::Tiosts relation(symbols, network, time);
    if (!relation.problem()) {
      Tree tree(symbols, relation, network, treeOptions());
      tree.run([&](uint32_t node) {
        for (LocationId id : tree.nodes()[node].state.at)
          locations_[id.value] = 1;
        for (EdgeId id : tree.nodes()[node].step.edges)
          edges_[id.value] = 1;
        return true;
      });
      complete_ = tree.stopped().empty();
      if (!complete_)
        leaveOpen("unreachable states and edges", "limit of " + tree.stopped(), true);
    }
    deep_.problem = relation.problem();
  }

  void listUnreachable() {
    for (uint32_t i = 0; i < network_.size(); ++i)
      for (LocationId id : model_[network_.component(i)].locations)
        if (!locations_[id.value] && !ir::isImplicit(model_[id]))
          deep_.unreachable.push_back(id);
  }

  void listDead() {
    for (uint32_t i = 0; i < network_.size(); ++i)
      for (EdgeId id : model_[network_.component(i)].edges)
        if (!edges_[id.value] && !ir::isImplicit(model_[id]))
          deep_.dead.push_back({id, reason(id)});
  }

  /// No values satisfy the guard; the clocks alone, or the data alone.
  bool isNeverTrue(const ir::Edge& edge) const {
    if (ir::satisfiable(model_, edge.guard, &edge) == ir::Decision::No)
      return true;
    ir::Model copy(model_);
    semantics::Symbols symbols(copy, {});
    std::vector<ir::ExprId> values, message;
    std::vector<uint32_t> index(model_.variables.size());
    for (uint32_t i = 0; i < index.size(); ++i) {
      index[i] = i;
      values.push_back(symbols.unknown(0, i, model_.variables[i].type, model_.variables[i].name));
    }
    for (uint32_t i = 0; i < edge.parameters.size(); ++i)
      message.push_back(symbols.unknown(1, i, edge.parameters[i].type, edge.parameters[i].name));
    semantics::Substitute put(symbols);
    put.begin(values, index, message);
    const ir::ExprId data = put(edge.guard.data);
    return symbols.solver().check({&data, 1}).answer == solver::Answer::Unsat;
  }

  Dead reason(EdgeId id) const {
    const ir::Edge& edge = model_[id];
    if (isNeverTrue(edge))
      return Dead::NeverTrue;
    if (!locations_[edge.source.value])
      return Dead::SourceUnreachable;
    const auto usable = network_.edges(edge.source);
    return std::find(usable.begin(), usable.end(), id) == usable.end() ? Dead::NoPartner : Dead::NeverEnabled;
  }

  // ---- searches

  Answer find(ir::Model& model, const Condition& condition) const {
    return deep_.concrete ? findInGraph(model, condition) : findInTree(model, condition);
  }

  Answer findInGraph(const ir::Model& model, const Condition& condition) const {
    ReachOptions options = reachOptions();
    options.target = targetOf(condition, semantics::Network(model));
    return runOf(model, Reachability(model, std::move(options)).run());
  }

  static Answer runOf(const ir::Model& model, const ReachResult& result) {
    Answer answer;
    if (result.stop == Stop::Problem)
      answer.open = result.problem->text;
    else if (result.stop != Stop::Complete && !result.reached())
      answer = {std::nullopt, stopName(result.stop), true};
    if (!result.reached())
      return answer;
    RunResult run = concreteRun(model, *result.path, {{}, result.blocked});
    answer.run = std::move(run.run);
    if (!answer.run)
      answer.open = run.problem->text;
    return answer;
  }

  Answer findInTree(ir::Model& model, const Condition& condition) const {
    const semantics::Network network(model);
    semantics::Symbols symbols(model, {});
    semantics::Tiosts relation(symbols, network, TimeKind::Symbolic);
    Tree tree(symbols, relation, network, treeOptions());
    TreeReach search(symbols, relation, network, condition);
    search.run(tree);
    Answer answer;
    if (search.found()) {
      answer.run = search.found();
      if (auto complaint = confirmRun(network, *answer.run))
        answer = {std::nullopt, *complaint, false};
    } else if (search.undecided()) {
      answer.open = "the solver could not tell";
    } else if (!tree.stopped().empty()) {
      answer = {std::nullopt, "limit of " + tree.stopped(), true};
    }
    return answer;
  }

  // ---- non-determinism

  bool differ(const ir::Edge& a, const ir::Edge& b) const {
    const auto sameUpdate = [](const ir::Update& x, const ir::Update& y) {
      return x.variable == y.variable && x.value == y.value;
    };
    const auto sameReset = [](const ir::Reset& x, const ir::Reset& y) {
      return x.clock == y.clock && x.source == y.source && x.value == y.value;
    };
    return a.target != b.target ||
           !std::equal(a.updates.begin(), a.updates.end(), b.updates.begin(), b.updates.end(), sameUpdate) ||
           !std::equal(a.resets.begin(), a.resets.end(), b.resets.begin(), b.resets.end(), sameReset);
  }

  std::vector<Pair> candidates(uint32_t component) {
    std::vector<Pair> pairs;
    for (LocationId location : model_[network_.component(component)].locations) {
      const auto edges = network_.edges(location);
      for (size_t i = 0; i < edges.size(); ++i)
        for (size_t j = i + 1; j < edges.size(); ++j) {
          const ir::Edge &a = model_[edges[i]], &b = model_[edges[j]];
          const bool chosen =
              a.channel.valid() || (ir::isImplicit(model_[location]) && !ir::isImplicit(a) && !ir::isImplicit(b));
          if (a.action != b.action || a.channel != b.channel || !chosen || !differ(a, b) ||
              (complete_ && (!edges_[edges[i].value] || !edges_[edges[j].value])))
            continue;
          const ir::Guard both = ir::conjunction(model_, a.guard, b.guard);
          if (ir::satisfiable(model_, both, &model_[edges[i]]) != ir::Decision::No)
            pairs.push_back({edges[i], edges[j]});
        }
    }
    return pairs;
  }

  /// The model with a place for each pair that is entered where both edges are allowed. It limits no waiting, and the
  /// search ends there.
  ir::Model withSinks(uint32_t component, std::span<const Pair> pairs, Condition& condition) const {
    ir::Model model(model_);
    const ir::AutomatonId owner = network_.component(component);
    condition.guard.data = model.exprs.boolean(true);
    for (const Pair& pair : pairs) {
      const LocationId sink(model.locations.size());
      ir::Location place;
      place.name = "both";
      place.automaton = owner;
      place.invariant.data = model.exprs.boolean(true);
      model.locations.push_back(std::move(place));
      model[owner].locations.push_back(sink);
      condition.locations.push_back(sink);
      ir::Edge edge = model[pair.first];
      edge.guard = ir::conjunction(model, model[pair.first].guard, model[pair.second].guard);
      edge.deadline.reset();
      edge.urgency = ir::Urgency::Lazy;
      edge.updates.clear();
      edge.resets.clear();
      edge.target = sink;
      model[owner].edges.push_back(EdgeId(model.edges.size()));
      model.edges.push_back(std::move(edge));
    }
    return model;
  }

  void listOverlaps(uint32_t component) {
    for (std::vector<Pair> pairs = candidates(component); !pairs.empty();) {
      Condition condition;
      ir::Model model = withSinks(component, pairs, condition);
      Answer answer = find(model, condition);
      if (!answer.run) {
        if (!answer.open.empty())
          leaveOpen("non-determinism of '" + model_[network_.component(component)].name + "'", answer.open,
                    answer.limited);
        return;
      }
      if (const Replay seen = replay(model, *answer.run); seen.complaint)
        return leaveOpen("non-determinism", *seen.complaint, false);
      const TimedStep last = answer.run->steps.back();
      const auto sink = std::find_if(last.step.edges.begin(), last.step.edges.end(),
                                     [&](EdgeId id) { return id.value >= model_.edges.size(); });
      const auto at = pairs.begin() + static_cast<ptrdiff_t>(sink->value - model_.edges.size());
      Overlap overlap{at->first, at->second, *answer.run, last.step};
      overlap.run.steps.pop_back();
      overlap.run.delay = last.delay;
      std::replace(overlap.message.edges.begin(), overlap.message.edges.end(), *sink, at->first);
      deep_.overlaps.push_back(std::move(overlap));
      pairs.erase(at);
    }
  }

  // ---- VDTA

  bool isSignalForm() const { return ir::isImplicit(model_[network_.initial()[0]]); }

  void findUnstableLoop() {
    std::optional<LoopWatch> watch = watchLoops(model_);
    if (!watch)
      return;
    Condition condition;
    condition.guard.data = watch->model.exprs.boolean(true);
    condition.locations = {watch->found};
    Answer answer = find(watch->model, condition);
    if (!answer.run) {
      if (!answer.open.empty())
        leaveOpen("endless transitions at one instant", answer.open, answer.limited);
      return;
    }
    if (const Replay seen = replay(watch->model, *answer.run); seen.complaint)
      return leaveOpen("endless transitions at one instant", *seen.complaint, false);
    UnstableLoop loop;
    loop.run.initial = answer.run->initial;
    loop.run.initial.resize(eval::Layout(model_).stateSize());
    bool inside = false;
    for (TimedStep& step : answer.run->steps) {
      const EdgeId id = step.step.edges[0];
      inside |= id.value >= model_.edges.size();
      if (!inside)
        loop.run.steps.push_back(std::move(step));
      else if (watch->originals[id.value].valid())
        loop.edges.push_back(watch->originals[id.value]);
    }
    deep_.unstable = std::move(loop);
  }

  /// E, definition 1: a deterministic VDTA has one start.
  void findOpenStart() {
    ir::Model copy(model_);
    const semantics::Network network(copy);
    semantics::Symbols symbols(copy, {});
    semantics::Tiosts relation(symbols, network, TimeKind::Symbolic);
    for (const semantics::SymbolicState& state : relation.initial())
      for (size_t i = 0; i < state.store.size(); ++i) {
        const ir::Variable& variable = copy[network.variables()[i]];
        const eval::Result value = symbols.terms().evaluate(state.store[i], state.witness);
        if (!value.ok() || variable.role == ir::Role::Plain)
          continue;
        std::vector<ir::ExprId> other = state.conditions;
        other.push_back(copy.exprs.negation(
            copy.exprs.equal(state.store[i], symbols.terms().constant(variable.type, value.value))));
        const solver::Reply reply = symbols.solver().check(other);
        if (reply.answer != solver::Answer::Sat)
          continue;
        const eval::Result second = symbols.terms().evaluate(state.store[i], reply.model);
        deep_.openStart = "'" + variable.name + "' may be " + eval::printValue(copy, variable.type, value.value) +
                          " or " + eval::printValue(copy, variable.type, second.value);
        return;
      }
  }

  // ---- time

  Answer timeBlockInGraph() const {
    ReachOptions options = reachOptions();
    options.timeBlocks = true;
    return runOf(model_, Reachability(model_, std::move(options)).run());
  }

  Answer timeBlockInTree() const {
    ir::Model model(model_);
    const semantics::Network network(model);
    semantics::Symbols symbols(model, {});
    semantics::Tiosts relation(symbols, network, TimeKind::Symbolic);
    Tree tree(symbols, relation, network, treeOptions());
    TreeBlocks search(symbols, network);
    search.run(tree);
    if (search.found()) {
      if (auto complaint = confirmRun(network, *search.found()))
        return {std::nullopt, *complaint, false};
      return {search.found(), {}, false};
    }
    if (search.undecided())
      return {std::nullopt, "the solver could not tell", false};
    if (!tree.stopped().empty())
      return {std::nullopt, "limit of " + tree.stopped(), true};
    return {std::nullopt, search.imprecise(), false};
  }

  void findTimeBlock() {
    const std::string what = "states where time cannot pass";
    Answer answer = deep_.concrete ? timeBlockInGraph() : timeBlockInTree();
    if (answer.run) {
      const std::optional<std::string> complaint = validateRun(model_, *answer.run);
      if (complaint)
        return leaveOpen(what, *complaint, false);
      deep_.timeBlock = std::move(answer.run);
    } else if (!answer.open.empty()) {
      leaveOpen(what, answer.open, answer.limited);
    }
  }

  ir::Model model_; // a copy: its pool grows
  const DeepLimits& limits_;
  semantics::Network network_;
  std::chrono::steady_clock::time_point begin_;
  Deep deep_;
  std::vector<uint8_t> locations_; // by id: reached
  std::vector<uint8_t> edges_;     // by id: taken
  bool complete_ = false;
};

/// Whether every valuation satisfies one of the guards. Unknown also where there are too many cases.
ir::Decision coversAll(ir::Model& model, std::span<const EdgeId> edges) {
  constexpr size_t kMostCases = 64;
  std::vector<ir::Guard> rest{{model.exprs.boolean(true), {}}};
  for (EdgeId id : edges) {
    std::vector<ir::Guard> next;
    for (const ir::Guard& missing : ir::complement(model, model[id].guard))
      for (const ir::Guard& part : rest) {
        ir::Guard both = ir::conjunction(model, part, missing);
        if (ir::satisfiable(model, both, &model[id]) != ir::Decision::No)
          next.push_back(std::move(both));
      }
    rest = std::move(next);
    if (rest.size() > kMostCases)
      return ir::Decision::Unknown;
  }
  const bool surely = std::any_of(rest.begin(), rest.end(), [&](const ir::Guard& guard) {
    return ir::satisfiable(model, guard, edges.empty() ? nullptr : &model[edges[0]]) == ir::Decision::Yes;
  });
  return rest.empty() ? ir::Decision::Yes : surely ? ir::Decision::No : ir::Decision::Unknown;
}

} // namespace

Deep analyse(const ir::Model& model, const DeepLimits& limits) {
  return Analysis(model, limits).run();
}

std::vector<InputUse> inputUses(const ir::Model& model, const Deep& deep) {
  ir::Model copy(model);
  const semantics::Network network(copy);
  std::vector<InputUse> result;
  for (uint32_t i = 0; i < network.size(); ++i) {
    const ir::Automaton& automaton = copy[network.component(i)];
    std::vector<ir::ChannelId> inputs;
    for (EdgeId id : automaton.edges) {
      const ir::Edge& edge = copy[id];
      if (edge.action == ir::ActionKind::Receive && !network.isClosed(edge.channel) &&
          network.visibility(edge) == semantics::Visibility::Input &&
          std::find(inputs.begin(), inputs.end(), edge.channel) == inputs.end())
        inputs.push_back(edge.channel);
    }
    for (LocationId location : automaton.locations) {
      if (std::find(deep.unreachable.begin(), deep.unreachable.end(), location) != deep.unreachable.end())
        continue;
      for (ir::ChannelId channel : inputs) {
        InputUse use{location, channel, {}, ir::Decision::No};
        for (EdgeId id : network.edges(location))
          if (copy[id].action == ir::ActionKind::Receive && copy[id].channel == channel &&
              std::none_of(deep.dead.begin(), deep.dead.end(), [&](const DeadEdge& dead) { return dead.edge == id; }))
            use.edges.push_back(id);
        if (!use.edges.empty())
          use.always = coversAll(copy, use.edges);
        result.push_back(std::move(use));
      }
    }
  }
  return result;
}

} // namespace tioc::explore
