#include "runtime/explore/tree_reach.hpp"

#include "runtime/semantics/concrete.hpp"

#include <algorithm>

namespace tioc::explore {

using ir::ExprId;
using semantics::SymbolicState;

TreeReach::TreeReach(semantics::Symbols& symbols, semantics::StepRelation& relation, const semantics::Network& network,
                     Condition condition)
    : symbols_(symbols), relation_(relation), network_(network), condition_(std::move(condition)), put_(symbols),
      index_(symbols.model().variables.size(), UINT32_MAX) {
  for (size_t i = 0; i < network.variables().size(); ++i)
    index_[network.variables()[i].value] = static_cast<uint32_t>(i);
}

void TreeReach::run(Tree& tree) {
  tree.run([&](uint32_t node) { return visit(tree, node); });
}

bool TreeReach::visit(const Tree& tree, uint32_t node) {
  const SymbolicState& state = tree.nodes()[node].state;
  for (ir::LocationId id : condition_.locations) {
    const uint32_t component = network_.componentOf(id);
    if (std::none_of(condition_.locations.begin(), condition_.locations.end(), [&](ir::LocationId other) {
          return network_.componentOf(other) == component && state.at[component] == other;
        }))
      return true;
  }
  if (condition_.guard.clocks.empty())
    look(tree, node, SymbolicState(state));
  else
    relation_.wait(state, [&](SymbolicState&& later) {
      if (!found_)
        look(tree, node, std::move(later));
    });
  return !found_;
}

/// The guard at the end of `state`, over the unknowns; nothing if it is plainly false.
std::optional<ExprId> TreeReach::wanted(const SymbolicState& state) {
  ir::ExprPool& pool = symbols_.pool();
  put_.begin(state.store, index_, {});
  std::vector<ExprId> parts;
  if (condition_.guard.data.valid())
    parts.push_back(put_(condition_.guard.data));
  const auto clock = [&](ir::ClockId id) { // its value
    const zones::Clock x = network_.clock(id);
    if (x == 0)
      return pool.real(0);
    return pool.add(std::vector<ExprId>{symbols_.expr(state.now), pool.negate(symbols_.expr(state.since[x]))});
  };
  for (const ir::ClockConstraint& c : condition_.guard.clocks) {
    const ExprId difference = pool.add(std::vector<ExprId>{clock(c.left), pool.negate(clock(c.right))});
    const ExprId bound = put_(c.bound);
    parts.push_back(c.strict ? pool.less(difference, bound) : pool.lessEqual(difference, bound));
  }
  const ExprId all = pool.conjunction(parts);
  return pool.isFalse(all) ? std::nullopt : std::optional(all);
}

void TreeReach::look(const Tree& tree, uint32_t node, SymbolicState&& end) {
  const std::optional<ExprId> condition = wanted(end);
  if (!condition)
    return;
  std::vector<ExprId> conditions = end.conditions;
  if (!symbols_.pool().isTrue(*condition))
    conditions.push_back(*condition);
  solver::Solver& solver = symbols_.solver();
  solver::Reply reply = solver.check(conditions, &end.witness);
  if (reply.answer == solver::Answer::Unknown)
    ++undecided_;
  if (reply.answer != solver::Answer::Sat)
    return;
  // The shortest run reads best.
  solver::Optimum soonest = solver.minimise(conditions, symbols_.expr(end.now), &reply.model);
  const bool attained = soonest.kind == solver::Optimum::Kind::Attained;
  found_ = runTo(symbols_, network_, tree, node, symbols_.expr(end.now), attained ? soonest.model : reply.model);
  if (!found_)
    ++undecided_;
}

std::optional<TimedRun> runTo(semantics::Symbols& symbols, const semantics::Network& network, const Tree& tree,
                              uint32_t node, ExprId end, const solver::Assignment& model) {
  const ir::Model& source = symbols.model();
  const eval::Layout layout(source);
  bool fits = true;
  const auto valueOf = [&](ExprId expr) { return symbols.terms().evaluate(expr, model).value; };
  std::vector<uint32_t> path;
  for (uint32_t at = node; at != UINT32_MAX; at = tree.nodes()[at].parent)
    path.push_back(at);
  std::reverse(path.begin(), path.end());
  TimedRun run;
  run.initial.assign(layout.stateSize(), 0);
  const std::vector<ExprId>& store = tree.nodes()[path[0]].state.store;
  for (size_t i = 0; i < store.size(); ++i) {
    const ir::VariableId id = network.variables()[i];
    fits &= layout.store(source[id].type, valueOf(store[i]), run.initial.data() + layout.offsetOf(id));
  }
  ir::Rational now;
  for (size_t i = 1; i < path.size(); ++i) {
    const semantics::SymbolicStep& step = tree.nodes()[path[i]].step;
    const ir::Rational time = valueOf(step.time).number;
    TimedStep timed{time - now, {step.channel, step.visibility, step.edges, {}}};
    now = time;
    for (size_t v = 0; v < step.values.size(); ++v) {
      const ir::TypeId type = source[step.channel].parameters[v].type;
      const size_t size = timed.step.message.size();
      timed.step.message.resize(size + layout.sizeOf(type));
      fits &= layout.store(type, valueOf(step.values[v]), timed.step.message.data() + size);
    }
    run.steps.push_back(std::move(timed));
  }
  run.delay = valueOf(end).number - now;
  return fits ? std::optional(std::move(run)) : std::nullopt;
}

std::optional<std::string> confirmRun(const semantics::Network& network, const TimedRun& run) {
  const ir::Model& model = network.model();
  semantics::ConcreteOptions options;
  options.eval = eval::Mode::Interpret;
  semantics::Concrete concrete(network, options);
  const eval::Layout& layout = concrete.layout();
  semantics::ConcreteState state{
      {network.initial().begin(), network.initial().end()}, run.initial, std::vector<ir::Rational>(network.dim())};
  const auto canWait = [&](const ir::Rational& delay) -> std::optional<std::string> {
    const auto delays = concrete.delays(state);
    if (!delays)
      return concrete.problem().text;
    if (!delays->contains(delay))
      return "a delay of " + delay.toString() + " is not possible, only " + semantics::show(*delays);
    return std::nullopt;
  };
  for (size_t i = 0; i < run.steps.size(); ++i) {
    const auto& [delay, step] = run.steps[i];
    const std::string place = "step " + std::to_string(i + 1) + ": ";
    if (auto complaint = canWait(delay))
      return place + *complaint;
    std::vector<eval::Value> values;
    const eval::Slot* slot = step.message.data();
    if (step.channel.valid())
      for (const ir::Member& member : model[step.channel].parameters) {
        values.push_back(layout.load(member.type, slot));
        slot += layout.sizeOf(member.type);
      }
    const auto moves =
        step.channel.valid() ? concrete.on(state, step.visibility, step.channel, values) : concrete.reactions(state, 0);
    if (!moves)
      return place + concrete.problem().text;
    const auto same = std::find_if(moves->begin(), moves->end(), [&](const semantics::ConcreteMove& move) {
      return move.channel == step.channel && move.edges == step.edges && move.window.contains(delay);
    });
    if (same == moves->end())
      return place + "the edges cannot step together here";
    state = concrete.successor(state, *same, delay);
  }
  if (auto complaint = canWait(run.delay))
    return "at the end: " + *complaint;
  return std::nullopt;
}

} // namespace tioc::explore
