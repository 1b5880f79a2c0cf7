#include "runtime/testgen/digital_model.hpp"

#include "ir/passes.hpp"
#include "runtime/semantics/concrete.hpp"

#include <algorithm>
#include <map>

namespace tioc::testgen {

using ir::ExprId;
using ir::Rational;
using semantics::Problem;
using semantics::Visibility;

namespace {

/// Adds the automata of one instantiated model to another.
class Join {
public:
  Join(ir::Model& target, const ir::Model& source) : target_(target), source_(source) {}

  void run() {
    clocks_.emplace(ir::Model::zeroClock(), ir::Model::zeroClock());
    for (const ir::Component& component : source_.systems[0].components)
      target_.systems[0].components.push_back({component.name, automaton(component.automaton), {}, component.span});
  }
  ir::ChannelId channel(ir::ChannelId id) {
    const auto [it, isNew] = channels_.try_emplace(id, ir::ChannelId(target_.channels.size()));
    if (isNew)
      target_.channels.push_back(source_[id]);
    return it->second;
  }

private:
  ir::TypeId type(ir::TypeId id) {
    const ir::Type& type = source_.types[id];
    return type.range ? target_.types.ranged(*type.range) : id; // bool, int and real are the same everywhere
  }

  ExprId expr(ExprId root) {
    if (!root.valid())
      return root;
    const ir::ExprPool& from = source_.exprs;
    from.visit(root, [&](ExprId id) {
      if (known_.contains(id))
        return;
      std::vector<ExprId> operands;
      for (ExprId operand : from.operands(id))
        operands.push_back(known_.at(operand));
      known_[id] = from.op(id) == ir::Op::Variable
                       ? target_.exprs.variable(variables_.at(ir::VariableId(from.payload(id))), type(from.type(id)))
                       : target_.exprs.adopt(from, id, operands);
    });
    return known_.at(root);
  }

  ir::Guard guard(const ir::Guard& from) {
    ir::Guard result{expr(from.data), {}};
    for (const ir::ClockConstraint& c : from.clocks)
      result.clocks.push_back({clocks_.at(c.left), clocks_.at(c.right), c.strict, expr(c.bound), c.span});
    return result;
  }

  ir::AutomatonId automaton(ir::AutomatonId from) {
    const ir::AutomatonId self(target_.automata.size());
    ir::Automaton result = source_[from];
    target_.automata.emplace_back();
    for (ir::VariableId& id : result.variables) {
      ir::Variable variable = source_[id];
      variable.owner = self;
      variable.type = type(variable.type);
      variable.initial = expr(variable.initial);
      const ir::VariableId fresh(target_.variables.size());
      variables_[id] = fresh;
      target_.variables.push_back(std::move(variable));
      id = fresh;
    }
    for (ir::ClockId& id : result.clocks) {
      const ir::ClockId fresh(target_.clocks.size());
      target_.clocks.push_back({source_[id].name, self, source_[id].span});
      clocks_[id] = fresh;
      id = fresh;
    }
    result.initialCondition = expr(result.initialCondition);
    std::map<ir::LocationId, ir::LocationId> locations;
    for (ir::LocationId& id : result.locations) {
      ir::Location location = source_[id];
      location.automaton = self;
      location.invariant = guard(location.invariant);
      const ir::LocationId fresh(target_.locations.size());
      locations[id] = fresh;
      target_.locations.push_back(std::move(location));
      id = fresh;
    }
    result.initial = locations.at(result.initial);
    for (ir::EdgeId& id : result.edges) {
      target_.edges.push_back(edge(source_[id], locations));
      id = ir::EdgeId(target_.edges.size() - 1);
    }
    target_[self] = std::move(result);
    return self;
  }

  ir::Edge edge(ir::Edge from, const std::map<ir::LocationId, ir::LocationId>& locations) {
    from.source = locations.at(from.source);
    from.target = locations.at(from.target);
    if (from.channel.valid())
      from.channel = channel(from.channel);
    for (ir::Member& parameter : from.parameters)
      parameter.type = type(parameter.type);
    from.guard = guard(from.guard);
    if (from.deadline)
      from.deadline = guard(*from.deadline);
    for (ir::Update& update : from.updates)
      update = {variables_.at(update.variable), expr(update.value)};
    for (ir::Reset& reset : from.resets)
      reset = {clocks_.at(reset.clock), reset.source.valid() ? clocks_.at(reset.source) : reset.source,
               expr(reset.value)};
    return from;
  }

  ir::Model& target_;
  const ir::Model& source_;
  std::map<ir::VariableId, ir::VariableId> variables_;
  std::map<ir::ClockId, ir::ClockId> clocks_;
  std::map<ir::ChannelId, ir::ChannelId> channels_;
  std::map<ExprId, ExprId> known_;
};

bool isPlain(const ir::Model& model, ir::TypeId id) {
  const ir::TypeKind kind = model.types[id].kind;
  return kind == ir::TypeKind::Bool || kind == ir::TypeKind::Int || kind == ir::TypeKind::Real;
}

/// Whether clocks or variables are used that do not belong to one automaton.
class Shared {
public:
  explicit Shared(const ir::Model& model) : model_(model) {}

  bool in(ExprId root) const {
    bool found = false;
    if (root.valid())
      model_.exprs.visit(root, [&](ExprId id) {
        found |= model_.exprs.op(id) == ir::Op::Variable && !model_.variables[model_.exprs.payload(id)].owner.valid();
      });
    return found;
  }
  bool in(ir::ClockId id) const { return id.valid() && id != ir::Model::zeroClock() && !model_[id].owner.valid(); }
  bool in(const ir::Guard& guard) const {
    return in(guard.data) || std::any_of(guard.clocks.begin(), guard.clocks.end(), [&](const ir::ClockConstraint& c) {
             return in(c.left) || in(c.right) || in(c.bound);
           });
  }
  bool in(const ir::Edge& edge) const {
    return in(edge.guard) ||
           std::any_of(edge.updates.begin(), edge.updates.end(),
                       [&](const ir::Update& u) { return !model_[u.variable].owner.valid() || in(u.value); }) ||
           std::any_of(edge.resets.begin(), edge.resets.end(),
                       [&](const ir::Reset& r) { return in(r.clock) || in(r.source) || in(r.value); });
  }

private:
  const ir::Model& model_;
};

/// The tick: the only channel on which the clock meets its environment.
std::optional<ir::ChannelId> tickOf(const ir::Model& clock, Problem& problem) {
  constexpr const char* kShared = "a tester's clock must not touch what others share";
  const semantics::Network network(clock);
  const Shared shared(clock);
  std::optional<ir::ChannelId> tick;
  const auto fail = [&](ir::Span span, std::string text) {
    problem = {span, std::move(text)};
    return std::nullopt;
  };
  for (uint32_t i = 0; i < network.size(); ++i) {
    const ir::Automaton& automaton = clock[network.component(i)];
    if (shared.in(automaton.initialCondition))
      return fail(automaton.span, kShared);
    for (ir::VariableId id : automaton.variables)
      if (!isPlain(clock, clock[id].type))
        return fail(clock[id].span, "the variables of a clock are booleans and numbers");
    for (ir::LocationId id : automaton.locations)
      if (clock[id].committed || shared.in(clock[id].invariant))
        return fail(clock[id].span, clock[id].committed ? "a tester's clock has no committed states" : kShared);
    for (ir::EdgeId id : automaton.edges) {
      const ir::Edge& edge = clock[id];
      if (shared.in(edge))
        return fail(edge.span, kShared);
      const Visibility seen = network.visibility(edge);
      if (seen == Visibility::Unobservable)
        continue;
      if (seen == Visibility::Input || !edge.parameters.empty() || (tick && *tick != edge.channel))
        return fail(edge.span, "a clock has one output without parameters, its tick, and no inputs");
      tick = edge.channel;
    }
  }
  return tick ? tick
              : fail(clock.systems[0].span, "'" + clock.systems[0].name + "' has no output that could be a tick");
}

} // namespace

std::optional<Sampled> sample(const ir::Model& specification, const ir::Model& clock, Problem& problem) {
  const std::optional<ir::ChannelId> tick = tickOf(clock, problem);
  if (!tick)
    return std::nullopt;
  const semantics::Network network(specification);
  for (uint32_t i = 0; i < network.size(); ++i) {
    const ir::Automaton& automaton = specification[network.component(i)];
    for (ir::LocationId id : automaton.locations)
      if (specification[id].committed) {
        problem = {specification[id].span, "digital-clock tests do not know committed states; urgent ones they do"};
        return std::nullopt;
      }
    for (ir::EdgeId id : automaton.edges)
      if (const ir::Edge& edge = specification[id];
          edge.channel.valid() && specification[edge.channel].name == clock[*tick].name) {
        problem = {edge.span, "the system itself uses '" + clock[*tick].name + "', the tick of the tester's clock"};
        return std::nullopt;
      }
  }
  Sampled result{ir::Model(specification), {}, network.size(), {}};
  Join join(result.model, clock);
  join.run();
  result.tick = join.channel(*tick);
  result.since = ir::ClockId(result.model.clocks.size());
  result.model.clocks.push_back({"since", {}, {}});
  result.model = ir::resolvePriorities(ir::scaleTime(std::move(result.model)));
  return result;
}

std::optional<std::vector<Rational>> tickTimes(const ir::Model& clock, uint32_t count, Problem& problem) {
  constexpr uint32_t kMostSteps = 1000; // between two ticks
  const ir::Model model = ir::resolvePriorities(ir::Model(clock));
  const semantics::Network network(model);
  semantics::Concrete concrete(network);
  std::vector<Rational> times;
  Rational now;
  std::optional<semantics::ConcreteState> state = concrete.initial(0);
  for (uint32_t steps = 0; state && times.size() < count; ++steps) {
    const std::optional<semantics::Window> delays = concrete.delays(*state);
    const auto moves = delays ? concrete.reactions(*state, 0) : std::nullopt;
    if (!moves)
      break;
    const semantics::ConcreteMove* chosen = nullptr;
    Rational delay;
    for (const semantics::ConcreteMove& move : *moves) {
      semantics::Window window = move.window;
      window.intersect(*delays);
      if (window.isEmpty())
        continue;
      const Rational end = window.high ? *window.high : window.low + Rational(window.lowOpen ? 1 : 0);
      const Rational middle = (window.low + end) / Rational(2);
      if (!chosen || middle < delay) {
        chosen = &move;
        delay = middle;
      }
    }
    if (!chosen || steps == kMostSteps) {
      problem = {clock.systems[0].span, "the clock stops ticking after " + std::to_string(times.size()) + " ticks"};
      return std::nullopt;
    }
    now = now + delay;
    state = concrete.successor(*state, *chosen, delay);
    if (chosen->visibility == Visibility::Output) {
      if (!times.empty() && now == times.back()) {
        problem = {clock.systems[0].span, "the clock ticks twice at " + now.toString()};
        return std::nullopt;
      }
      times.push_back(now);
      steps = 0;
    }
  }
  if (times.size() == count)
    return times;
  problem = concrete.problem();
  return std::nullopt;
}

} // namespace tioc::testgen
