#include "frontend/lower.hpp"

#include "ir/decide.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"

#include <algorithm>
#include <set>

namespace tioc::frontend {

using namespace ir;

namespace {

/// Well-formedness that shows only on the finished model.
class Rules {
public:
  Rules(Model& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  void run() {
    for (Automaton& automaton : model_.automata) {
      leaving_.clear();
      for (EdgeId id : automaton.edges)
        leaving_[model_[id].source].push_back(id);
      initial(automaton);
      for (EdgeId id : automaton.edges) {
        urgency(automaton, model_[id]);
        guard(model_[id]);
      }
      reachability(automaton);
      if (automaton.kind == AutomatonKind::Purpose)
        purpose(automaton);
      if (automaton.kind == AutomatonKind::Vdta)
        stability(automaton);
    }
    directions();
    for (size_t i = 0; i < model_.systems.size(); ++i)
      instances(SystemId(i));
  }

private:
  void initial(const Automaton& automaton) {
    // What has an initial value is not free.
    ExprId condition = model_.exprs.substitute(automaton.initialCondition, [&](ExprId leaf) -> ExprId {
      if (model_.exprs.op(leaf) != Op::Variable)
        return {};
      ExprId value = model_.variables[model_.exprs.payload(leaf)].initial;
      return value.valid() && model_.exprs.isConstant(value) ? value : ExprId();
    });
    if (satisfiable(model_, {condition, {}}) == Decision::No)
      diagnostics_.report(Kind::InitNeverTrue, automaton.initialSpan);
  }

  /// A deadline must exist: the first instant of an eager edge, the last of a delayable one.
  void urgency(const Automaton& automaton, const Edge& edge) {
    bool timed = edge.action == ActionKind::Update || // also of a purpose that watches a VDTA
                 (automaton.kind == AutomatonKind::Tiosts && automaton.deadlines == Deadlines::Edges);
    if (!timed)
      return;
    for (const ClockConstraint& c : edge.guard.clocks) {
      if (!c.strict)
        continue;
      bool lower = c.left == Model::zeroClock();
      bool upper = c.right == Model::zeroClock();
      if (lower && edge.urgency == Urgency::Eager)
        diagnostics_.report(Kind::EagerStrictLowerBound, c.span, {model_[c.right].name});
      if (upper && edge.urgency == Urgency::Delayable)
        diagnostics_.report(Kind::DelayableStrictUpperBound, c.span, {model_[c.left].name});
    }
  }

  void guard(const Edge& edge) {
    if (!seenOrigins_.insert(edge.origin).second)
      return; // one alternative of a guard is enough to judge: others may hold
    if (!model_.exprs.isTrue(edge.guard.data) || !edge.guard.clocks.empty())
      if (satisfiable(model_, edge.guard, &edge) == Decision::No && !hasAlternatives(edge))
        diagnostics_.report(Kind::GuardNeverTrue, edge.span);
  }

  bool hasAlternatives(const Edge& edge) {
    return std::count_if(leaving_[edge.source].begin(), leaving_[edge.source].end(),
                         [&](EdgeId id) { return model_[id].origin == edge.origin; }) > 1;
  }

  void reachability(const Automaton& automaton) {
    std::set<LocationId> seen{automaton.initial};
    std::vector<LocationId> open{automaton.initial};
    while (!open.empty()) {
      LocationId here = open.back();
      open.pop_back();
      for (EdgeId id : leaving_[here])
        if (seen.insert(model_[id].target).second)
          open.push_back(model_[id].target);
    }
    for (LocationId id : automaton.locations)
      if (!seen.contains(id) && model_[id].mark == Mark::None)
        diagnostics_.report(Kind::UnreachableState, model_[id].span, {model_[id].name});
    if (automaton.kind != AutomatonKind::Purpose)
      return;
    bool accepts =
        std::any_of(seen.begin(), seen.end(), [&](LocationId id) { return model_[id].mark == Mark::Accept; });
    if (!accepts)
      diagnostics_.report(Kind::PurposeNeverAccepts, automaton.span, {automaton.name});
  }

  // ---- purposes

  /// B, definition 5.1: deterministic. What the quick decision cannot tell is left to the modeller, with a warning.
  void purpose(const Automaton& automaton) {
    for (LocationId location : automaton.locations) {
      const std::vector<EdgeId>& edges = leaving_[location];
      for (size_t i = 0; i < edges.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          overlap(model_[edges[j]], model_[edges[i]]);
    }
    std::set<std::pair<ChannelId, ActionKind>> actions;
    for (const Component& component : model_[automaton.subject].components)
      for (EdgeId id : model_[component.automaton].edges)
        actions.emplace(model_[id].channel, model_[id].action);
    for (EdgeId id : automaton.edges) {
      const Edge& edge = model_[id];
      if (!edge.channel.valid())
        continue;
      const Channel& channel = model_[edge.channel];
      bool hidden = channel.direction == Direction::Internal && !channel.open;
      if (hidden || !actions.contains({edge.channel, edge.action})) {
        Diagnostic& d = diagnostics_.report(
            Kind::NotAnActionOfSubject, edge.span,
            {model_[automaton.subject].name, channel.name + (edge.action == ActionKind::Send ? "!" : "?")});
        if (hidden)
          d.note(channel.span, "the channel is internal, so nobody outside sees it");
      }
    }
  }

  void overlap(const Edge& a, const Edge& b) {
    if (a.origin == b.origin || a.action != b.action || a.channel != b.channel)
      return;
    Guard both = conjunction(model_, a.guard, b.guard);
    Decision decision = satisfiable(model_, both, &a);
    if (decision == Decision::Yes)
      diagnostics_.report(Kind::PurposeNotDeterministic, b.span).note(a.span, "the other edge is here");
    else if (decision == Decision::Unknown)
      diagnostics_.report(Kind::PurposeMayOverlap, b.span).note(a.span, "the other edge is here");
  }

  // ---- VDTA

  /// E: a loop of transitions that can all fire without time passing. Only certain loops are reported; the rest is
  /// found by exploration.
  void stability(const Automaton& automaton) {
    budget_ = kMaxSteps;
    for (LocationId location : automaton.locations) {
      path_.clear();
      onPath_.clear();
      searchLoop(location, location);
    }
  }

  void searchLoop(LocationId start, LocationId here) {
    for (EdgeId id : leaving_[here]) {
      if (budget_ == 0 || model_[id].target < start)
        continue; // each loop is looked at from its smallest location only
      --budget_;
      path_.push_back(id);
      if (model_[id].target == start) {
        judgeLoop();
      } else if (path_.size() < kMaxLoop && onPath_.insert(model_[id].target).second) {
        searchLoop(start, model_[id].target);
        onPath_.erase(model_[id].target);
      }
      path_.pop_back();
    }
  }

  /// After one turn with constant assignments every later turn sees the same values: the loop is endless exactly if it
  /// can be run once more from there.
  void judgeLoop() {
    std::unordered_map<uint32_t, ExprId> values;
    std::set<ClockId> zero;
    for (EdgeId id : path_) {
      const Edge& edge = model_[id];
      for (const Update& update : edge.updates) {
        if (!model_.exprs.isConstant(update.value))
          return;
        values[update.variable.value] = update.value;
      }
      for (const Reset& reset : edge.resets) {
        const Rational* value = model_.exprs.number(reset.value);
        if (reset.source.valid() || !value || !value->isZero())
          return;
        zero.insert(reset.clock);
      }
    }
    Guard all{model_.exprs.boolean(true), {}};
    for (EdgeId id : path_) {
      const Edge& edge = model_[id];
      Guard guard = edge.guard;
      guard.data = model_.exprs.substitute(guard.data, [&](ExprId leaf) -> ExprId {
        if (model_.exprs.op(leaf) != Op::Variable)
          return {};
        auto it = values.find(model_.exprs.payload(leaf));
        return it == values.end() ? ExprId() : it->second;
      });
      // A clock that the loop resets is zero at every step of the later turns.
      for (ClockConstraint& c : guard.clocks) {
        if (zero.contains(c.left))
          c.left = Model::zeroClock();
        if (zero.contains(c.right))
          c.right = Model::zeroClock();
      }
      std::vector<ClockConstraint> rest;
      for (const ClockConstraint& c : guard.clocks) {
        if (c.left != c.right) {
          rest.push_back(c);
          continue;
        }
        const Rational* bound = model_.exprs.number(c.bound);
        if (!bound)
          return;
        if (bound->sign() < 0 || (bound->isZero() && c.strict))
          return; // zero does not satisfy it
      }
      guard.clocks = std::move(rest);
      all = conjunction(model_, all, guard);
      for (const Update& update : edge.updates)
        values[update.variable.value] = update.value;
    }
    if (satisfiable(model_, all) != Decision::Yes)
      return;
    std::string shown = model_[model_[path_[0]].source].name;
    for (EdgeId id : path_)
      shown += " -> " + model_[model_[id].target].name;
    if (!reportedLoops_.insert(shown).second)
      return;
    Diagnostic& d = diagnostics_.report(Kind::UnstableLoop, model_[path_[0]].span, {shown});
    for (size_t i = 1; i < path_.size(); ++i)
      d.note(model_[path_[i]].span, "then this one");
  }

  // ---- systems

  /// What only the arguments of a component show: times below zero, divisions by zero, indices out of range.
  void instances(SystemId id) {
    bool arguments = false;
    for (const Component& component : model_[id].components)
      arguments |= !component.arguments.empty();
    if (!arguments)
      return;
    Model network = instantiate(model_, id);
    for (size_t i = 0; i < network.systems[0].components.size(); ++i) {
      const Component& component = model_[id].components[i];
      if (component.arguments.empty())
        continue;
      const Automaton& automaton = network[network.systems[0].components[i].automaton];
      if (const Edge* edge = brokenEdge(network, automaton))
        diagnostics_.report(Kind::BadArguments, component.span, {component.name})
            .note(edge->span, "this edge cannot work with them");
    }
  }

  static const Edge* brokenEdge(const Model& network, const Automaton& automaton) {
    auto negative = [&](ExprId expr) {
      const Rational* value = expr.valid() ? network.exprs.number(expr) : nullptr;
      return value && value->sign() < 0;
    };
    for (EdgeId id : automaton.edges) {
      const Edge& edge = network[id];
      bool bad = negative(edge.minDuration) || negative(edge.jitter) || undefined(network, edge.guard.data);
      bad |= edge.delayGroup.valid() && negative(network[edge.delayGroup].timeout);
      for (const Reset& reset : edge.resets)
        bad |= negative(reset.value);
      for (const Update& update : edge.updates)
        bad |= undefined(network, update.value);
      if (bad)
        return &edge;
    }
    return nullptr;
  }

  /// Whether some part can never have a value.
  static bool undefined(const Model& network, ExprId expr) {
    bool result = false;
    network.exprs.visit(expr, [&](ExprId id) {
      Op op = network.exprs.op(id);
      auto ops = network.exprs.operands(id);
      const Rational* second = ops.size() > 1 ? network.exprs.number(ops[1]) : nullptr;
      if (!second)
        return;
      if (op == Op::Divide || op == Op::Remainder)
        result |= second->isZero();
      if (op == Op::Element || op == Op::SetElement)
        result |= second->sign() < 0 || *second >= Rational(network.types[network.exprs.type(ops[0])].size);
    });
    return result;
  }

  // ---- channels

  /// A channel used against its direction needs somebody at the other end.
  void directions() {
    std::vector<std::set<AutomatonId>> senders(model_.channels.size());
    std::vector<std::set<AutomatonId>> receivers(model_.channels.size());
    auto eachMessage = [&](auto&& fn) {
      for (size_t i = 0; i < model_.automata.size(); ++i) {
        if (model_.automata[i].kind == AutomatonKind::Purpose)
          continue;
        for (EdgeId id : model_.automata[i].edges)
          if (model_[id].channel.valid())
            fn(AutomatonId(i), model_[id]);
      }
    };
    eachMessage([&](AutomatonId id, const Edge& edge) {
      (edge.action == ActionKind::Send ? senders : receivers)[edge.channel.value].insert(id);
    });
    eachMessage([&](AutomatonId id, const Edge& edge) {
      const Channel& channel = model_[edge.channel];
      bool against = channel.direction == Direction::Input    ? edge.action == ActionKind::Send
                     : channel.direction == Direction::Output ? edge.action == ActionKind::Receive
                                                              : false;
      if (!against)
        return;
      const auto& others = (edge.action == ActionKind::Send ? receivers : senders)[edge.channel.value];
      if (others.size() > (others.contains(id) ? 1 : 0))
        return;
      bool input = channel.direction == Direction::Input;
      diagnostics_
          .report(Kind::WrongDirection, edge.span,
                  {channel.name, input ? "input" : "output",
                   input ? "the system receives it ('" + channel.name + "?')"
                         : "the system sends it ('" + channel.name + "!')"})
          .note(channel.span, "'inout' allows both directions, 'internal' hides it in the system");
    });
  }

  static constexpr size_t kMaxLoop = 6;
  static constexpr size_t kMaxSteps = 100000;

  Model& model_;
  Diagnostics& diagnostics_;
  std::unordered_map<LocationId, std::vector<EdgeId>> leaving_;
  std::set<uint32_t> seenOrigins_;
  std::vector<EdgeId> path_;
  std::set<LocationId> onPath_;
  std::set<std::string> reportedLoops_;
  size_t budget_ = 0;
};

} // namespace

void checkRules(Model& model, Diagnostics& diagnostics) {
  Rules(model, diagnostics).run();
}

} // namespace tioc::frontend
