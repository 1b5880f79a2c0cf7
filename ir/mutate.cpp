#include "ir/mutate.hpp"

#include "ir/mutate_expr.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "ir/verify.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tioc::ir {

namespace {

constexpr const char* kWords[] = {
    "edge-drop",      "target",        "guard-negate",   "guard-drop",  "guard-relation",  "guard-shift",
    "guard-operator", "clock-shift",   "clock-strict",   "clock-drop",  "reset-drop",      "reset-add",
    "output-channel", "output-value",  "urgency",        "update-drop", "update-operator", "update-constant",
    "initial",        "timeout-shift", "duration-shift", "priority",    "restart-drop",    "restart-add"};

/// Half of a bound that is smaller than a time unit, so that it stays one.
Rational shiftOf(const Rational* bound) {
  if (!bound || bound->isZero())
    return 1;
  const Rational size = bound->sign() < 0 ? -*bound : *bound;
  return size < Rational(1) ? size / Rational(2) : Rational(1);
}

/// Walks through the automata and offers every change to a sink.
class Mutator {
public:
  struct Offer {
    Mutation mutation;
    std::string place;
    std::string what;
    Span span;
    std::function<void(Model&)> change;
  };
  using Sink = std::function<void(Offer&&)>;

  Mutator(Model& model, Sink sink) : model_(model), pool_(model.exprs), sink_(std::move(sink)) {}

  void run(SystemId system) {
    std::set<AutomatonId> seen;
    std::vector<AutomatonId> order;
    for (const Component& component : model_[system].components)
      if (seen.insert(component.automaton).second)
        order.push_back(component.automaton);
    for (AutomatonId id : order)
      automaton(id);
    for (uint32_t i = 0; i < model_.variables.size(); ++i)
      if (!model_.variables[i].owner.valid())
        initialValue(VariableId(i), model_.name, nullptr);
  }

private:
  void offer(Mutation mutation, const std::string& place, std::string what, Span span,
             std::function<void(Model&)> change) {
    sink_({mutation, place, std::move(what), span, std::move(change)});
  }

  void automaton(AutomatonId id) {
    const Automaton& automaton = model_[id];
    for (VariableId variable : automaton.variables)
      initialValue(variable, automaton.name, &automaton);
    if (!pool_.isTrue(automaton.initialCondition))
      for (const ExprVariant& variant : conditionVariants(model_, automaton.initialCondition))
        offer(variant.mutation, automaton.name + ".init",
              becomes(exprText(automaton.initialCondition, nullptr, automaton),
                      exprText(variant.expr, nullptr, automaton)),
              automaton.initialSpan, [=](Model& m) { m[id].initialCondition = variant.expr; });
    for (LocationId location : automaton.locations) {
      invariant(location, automaton);
      for (EdgeId edge : edgesFrom(model_, automaton, location))
        atEdge(edge, automaton);
    }
    for (GroupId group : automaton.groups)
      timeout(group, automaton);
  }

  // ---- in words

  static std::string becomes(const std::string& before, const std::string& after) {
    return before + " becomes " + after;
  }
  std::string exprText(ExprId expr, const Edge* edge, const Automaton& automaton) const {
    return printExpr(model_, expr, edge, &automaton);
  }
  std::string clocksText(std::vector<ClockConstraint> clocks, const Edge* edge, const Automaton& automaton) const {
    return printGuard(model_, {ExprId(), std::move(clocks)}, edge, &automaton);
  }

  /// `Atm.Verify.DispenseCash`; a second one of that name gets a number.
  std::string placeOf(EdgeId id, const Automaton& automaton) {
    const Edge& edge = model_[id];
    std::string label = edge.name;
    if (label.empty())
      switch (edge.action) {
      case ActionKind::Receive:
      case ActionKind::Send:
        label = model_[edge.channel].name;
        break;
      case ActionKind::Internal:
        label = "tau";
        break;
      case ActionKind::Delay:
        label = "after";
        break;
      case ActionKind::Completion:
      case ActionKind::Update:
      case ActionKind::Otherwise:
        label = "to_" + model_[edge.target].name;
        break;
      }
    const std::string place = automaton.name + "." + model_[edge.source].name + "." + label;
    const int count = ++labels_[place];
    return count == 1 ? place : place + "." + std::to_string(count);
  }

  // ---- edges

  /// The edges that the source writes as one: the delay of a group stands at each of its states, an alternative of a
  /// VDTA's guard is an edge of its own.
  std::vector<EdgeId> writtenAsOne(EdgeId id, const Automaton& automaton) const {
    const Edge& edge = model_[id];
    if (edge.action != ActionKind::Delay && edge.action != ActionKind::Update)
      return {id};
    std::vector<EdgeId> result;
    for (EdgeId other : automaton.edges)
      if (model_[other].origin == edge.origin && model_[other].action == edge.action)
        result.push_back(other);
    return result;
  }

  void atEdge(EdgeId id, const Automaton& automaton) {
    const std::vector<EdgeId> edges = writtenAsOne(id, automaton);
    const bool first = edges[0] == id;
    std::vector<EdgeId> alike; // with the same guard
    for (EdgeId other : edges)
      if (sameGuard(model_[other], model_[id]))
        alike.push_back(other);
    const bool leads = alike[0] == id;
    if (!leads)
      return;
    const std::string place = placeOf(id, automaton);
    if (first) {
      drop(edges, place, automaton);
      target(edges, place, automaton);
    }
    data(id, alike, place, automaton);
    clocks(id, alike, place, automaton);
    if (first) {
      resets(edges, place, automaton);
      output(id, place);
      urgency(id, place, automaton);
      updates(edges, place, automaton);
      duration(edges, place, automaton);
      priority(edges, place, automaton);
      restarts(id, place, automaton);
    }
  }

  static bool sameGuard(const Edge& a, const Edge& b) {
    return a.guard.data == b.guard.data &&
           std::equal(a.guard.clocks.begin(), a.guard.clocks.end(), b.guard.clocks.begin(), b.guard.clocks.end(),
                      [](const ClockConstraint& x, const ClockConstraint& y) {
                        return x.left == y.left && x.right == y.right && x.strict == y.strict && x.bound == y.bound;
                      });
  }

  /// Changes each of the edges.
  template <class Change>
  static std::function<void(Model&)> each(const std::vector<EdgeId>& edges, Change change) {
    return [edges, change](Model& m) {
      for (EdgeId id : edges)
        change(m, m[id]);
    };
  }

  void drop(const std::vector<EdgeId>& edges, const std::string& place, const Automaton& automaton) {
    const AutomatonId owner = model_[model_[edges[0]].source].automaton;
    offer(Mutation::EdgeDrop, place, printEdge(model_, model_[edges[0]], automaton) + " is gone", model_[edges[0]].span,
          [edges, owner](Model& m) {
            std::erase_if(m[owner].edges,
                          [&](EdgeId id) { return std::find(edges.begin(), edges.end(), id) != edges.end(); });
            dropIdleGroups(m, m[owner]);
          });
  }

  /// A timing group without a delay is none.
  static void dropIdleGroups(Model& model, Automaton& automaton) {
    const auto isIdle = [&](GroupId group) {
      return std::none_of(automaton.edges.begin(), automaton.edges.end(),
                          [&](EdgeId id) { return model[id].delayGroup == group; });
    };
    for (GroupId group : std::vector<GroupId>(automaton.groups)) {
      if (!isIdle(group))
        continue;
      for (EdgeId id : automaton.edges)
        std::erase(model[id].restarts, group);
      std::erase(automaton.clocks, model[group].clock);
      std::erase(automaton.groups, group);
    }
  }

  void target(const std::vector<EdgeId>& edges, const std::string& place, const Automaton& automaton) {
    const LocationId now = model_[edges[0]].target;
    for (LocationId to : automaton.locations)
      if (to != now)
        offer(Mutation::Target, place, becomes("-> " + model_[now].name, "-> " + model_[to].name),
              model_[edges[0]].span, each(edges, [to, groups = automaton.groups](Model& m, Edge& edge) {
                const Edge before = edge;
                edge.target = to;
                for (GroupId group : groups) // what restarts by default goes on to do so
                  if (isIn(before.restarts, group) == restartsByDefault(m, before, group)) {
                    std::erase(edge.restarts, group);
                    if (restartsByDefault(m, edge, group))
                      edge.restarts.push_back(group);
                  }
              }));
  }

  static bool isIn(const std::vector<GroupId>& groups, GroupId group) {
    return std::find(groups.begin(), groups.end(), group) != groups.end();
  }

  /// A value that is sent: `c!(e)` says that parameter == e.
  struct Sent {
    uint32_t parameter;
    ExprId value;
  };
  std::optional<Sent> sentValue(const Edge& edge, ExprId conjunct) const {
    if (edge.action != ActionKind::Send || pool_.op(conjunct) != Op::Equal)
      return std::nullopt;
    for (size_t side : {0, 1}) {
      const ExprId local = pool_.operands(conjunct)[side], value = pool_.operands(conjunct)[1 - side];
      if (pool_.op(local) != Op::Local)
        continue;
      bool open = false;
      pool_.visit(value, [&](ExprId id) { open |= id == local; });
      if (!open)
        return Sent{pool_.payload(local), value};
    }
    return std::nullopt;
  }

  void data(EdgeId id, const std::vector<EdgeId>& alike, const std::string& place, const Automaton& automaton) {
    const Edge edge = model_[id];
    std::vector<ExprId> sent, rest;
    for (ExprId part : pool_.conjuncts(edge.guard.data))
      (sentValue(edge, part) ? sent : rest).push_back(part);
    const auto put = [&](Mutation mutation, const std::string& what, ExprId guard) {
      offer(mutation, place, what, edge.span, each(alike, [guard](Model&, Edge& e) { e.guard.data = guard; }));
    };
    for (size_t i = 0; i < sent.size(); ++i) {
      const auto [parameter, value] = *sentValue(edge, sent[i]);
      for (ExprId other : valueVariants(model_, value))
        if (fits(other, model_[edge.channel].parameters[parameter].type))
          put(Mutation::OutputValue,
              model_[edge.channel].name +
                  "!: " + becomes(exprText(value, &edge, automaton), exprText(other, &edge, automaton)),
              replaced(pool_, edge.guard.data, sent[i], replaced(pool_, sent[i], value, other)));
      put(Mutation::OutputValue,
          model_[edge.channel].name + "!: " + exprText(value, &edge, automaton) + " becomes any value",
          replaced(pool_, edge.guard.data, sent[i], pool_.boolean(true)));
    }
    const ExprId own = pool_.conjunction(rest);
    for (const ExprVariant& variant : conditionVariants(model_, own)) {
      std::vector<ExprId> parts = sent;
      parts.push_back(variant.expr);
      const std::string after = pool_.isTrue(variant.expr) ? "true" : exprText(variant.expr, &edge, automaton);
      put(variant.mutation, becomes(exprText(own, &edge, automaton), after), pool_.conjunction(parts));
    }
  }

  void output(EdgeId id, const std::string& place) {
    const Edge& edge = model_[id];
    if (edge.action != ActionKind::Send)
      return;
    const Channel& channel = model_[edge.channel];
    for (uint32_t i = 0; i < model_.channels.size(); ++i) {
      const Channel& other = model_.channels[i];
      const bool alike =
          other.direction == channel.direction && other.broadcast == channel.broadcast &&
          std::equal(other.parameters.begin(), other.parameters.end(), channel.parameters.begin(),
                     channel.parameters.end(), [](const Member& a, const Member& b) { return a.type == b.type; });
      if (alike && ChannelId(i) != edge.channel)
        offer(Mutation::OutputChannel, place, becomes(channel.name + "!", other.name + "!"), edge.span,
              each({id}, [i](Model&, Edge& e) { e.channel = ChannelId(i); }));
    }
  }

  // ---- clocks

  using PutClocks = std::function<void(Mutation, const std::string& what, Span, std::vector<ClockConstraint>)>;

  void clocks(EdgeId id, const std::vector<EdgeId>& alike, const std::string& place, const Automaton& automaton) {
    const Edge edge = model_[id];
    clockVariants(edge.guard.clocks, &edge, automaton,
                  [&](Mutation mutation, const std::string& what, Span span, std::vector<ClockConstraint> clocks) {
                    offer(mutation, place, what, span,
                          each(alike, [clocks](Model&, Edge& e) { e.guard.clocks = clocks; }));
                  });
  }

  void invariant(LocationId id, const Automaton& automaton) {
    const Location location = model_[id];
    const std::string place = automaton.name + "." + location.name + ".invariant";
    clockVariants(location.invariant.clocks, nullptr, automaton,
                  [&](Mutation mutation, const std::string& what, Span span, std::vector<ClockConstraint> clocks) {
                    offer(mutation, place, what, span, [id, clocks](Model& m) { m[id].invariant.clocks = clocks; });
                  });
    if (!pool_.isTrue(location.invariant.data))
      for (const ExprVariant& variant : conditionVariants(model_, location.invariant.data))
        offer(
            variant.mutation, place,
            becomes(exprText(location.invariant.data, nullptr, automaton), exprText(variant.expr, nullptr, automaton)),
            location.span, [=](Model& m) { m[id].invariant.data = variant.expr; });
    if (location.urgent || location.committed)
      offer(Mutation::Urgency, automaton.name + "." + location.name,
            std::string(location.committed ? "committed" : "urgent") + " state becomes an ordinary one", location.span,
            [id](Model& m) { m[id].urgent = m[id].committed = false; });
  }

  void clockVariants(const std::vector<ClockConstraint>& all, const Edge* edge, const Automaton& automaton,
                     const PutClocks& put) {
    for (size_t i = 0; i < all.size(); ++i) {
      const size_t twin = otherHalf(all, i);
      const std::string before = clocksText({all[i]}, edge, automaton);
      for (int by : {1, -1}) {
        std::vector<ClockConstraint> changed = all;
        shift(changed[i], by);
        put(Mutation::ClockShift, becomes(before, clocksText({changed[i]}, edge, automaton)), all[i].span, changed);
        if (twin <= i)
          continue;
        shift(changed[twin], -by); // x == 5 as a whole
        put(Mutation::ClockShift,
            becomes(clocksText({all[i], all[twin]}, edge, automaton),
                    clocksText({changed[i], changed[twin]}, edge, automaton)),
            all[i].span, changed);
      }
      std::vector<ClockConstraint> changed = all;
      changed[i].strict = !changed[i].strict;
      put(Mutation::ClockStrict, becomes(before, clocksText({changed[i]}, edge, automaton)), all[i].span, changed);
      changed.erase(changed.begin() + static_cast<ptrdiff_t>(i));
      put(Mutation::ClockDrop, before + " is gone", all[i].span, changed);
    }
  }

  void shift(ClockConstraint& constraint, int by) {
    const Rational amount = shiftOf(pool_.number(constraint.bound)) * Rational(by);
    constraint.bound = pool_.add(std::vector<ExprId>{constraint.bound, pool_.real(amount)});
  }

  /// The other bound of an equality, or the size of the list.
  size_t otherHalf(const std::vector<ClockConstraint>& all, size_t i) {
    for (size_t j = 0; j < all.size(); ++j)
      if (all[j].left == all[i].right && all[j].right == all[i].left && !all[i].strict && !all[j].strict &&
          all[j].bound == pool_.negate(all[i].bound))
        return j;
    return i;
  }

  void resets(const std::vector<EdgeId>& edges, const std::string& place, const Automaton& automaton) {
    const Edge edge = model_[edges[0]];
    for (size_t i = 0; i < edge.resets.size(); ++i)
      offer(Mutation::ResetDrop, place, "reset of " + model_[edge.resets[i].clock].name + " is gone", edge.span,
            each(edges, [i](Model&, Edge& e) { e.resets.erase(e.resets.begin() + static_cast<ptrdiff_t>(i)); }));
    for (ClockId clock : automaton.clocks) {
      const bool isReset =
          std::any_of(edge.resets.begin(), edge.resets.end(), [&](const Reset& reset) { return reset.clock == clock; });
      const bool isOfGroup = std::any_of(automaton.groups.begin(), automaton.groups.end(),
                                         [&](GroupId group) { return model_[group].clock == clock; });
      if (isReset || isOfGroup)
        continue;
      const Reset reset{clock, ClockId(), pool_.real(0)};
      offer(Mutation::ResetAdd, place, model_[clock].name + " := 0 is added", edge.span,
            each(edges, [reset](Model&, Edge& e) { e.resets.push_back(reset); }));
    }
  }

  /// Only where the system itself acts: it cannot press the environment.
  void urgency(EdgeId id, const std::string& place, const Automaton& automaton) {
    const Edge& edge = model_[id];
    if (automaton.kind != AutomatonKind::Tiosts || automaton.deadlines == Deadlines::Location ||
        edge.action == ActionKind::Receive)
      return;
    using enum Urgency;
    for (Urgency other : {Lazy, Delayable, Eager})
      if (other != edge.urgency)
        offer(Mutation::Urgency, place, becomes(word(edge.urgency), word(other)), edge.span,
              each({id}, [other](Model&, Edge& e) { e.urgency = other; }));
  }

  // ---- data

  /// A constant keeps to its type; what is computed is looked at when the model runs.
  bool fits(ExprId value, TypeId id) const {
    const Type& type = model_.types[id];
    const auto parts = pool_.operands(value);
    if (pool_.op(value) == Op::MakeArray)
      return std::all_of(parts.begin(), parts.end(), [&](ExprId part) { return fits(part, type.element); });
    if (pool_.op(value) == Op::MakeRecord) {
      for (size_t i = 0; i < parts.size(); ++i)
        if (!fits(parts[i], model_[type.record].fields[i].type))
          return false;
      return true;
    }
    const Rational* number = pool_.number(value);
    return !number || !type.range || (type.range->first <= *number && *number <= type.range->last);
  }

  void updates(const std::vector<EdgeId>& edges, const std::string& place, const Automaton& automaton) {
    const Edge edge = model_[edges[0]];
    for (size_t i = 0; i < edge.updates.size(); ++i) {
      const Update& update = edge.updates[i];
      const std::string name = model_[update.variable].name + " := ";
      const std::string before = name + exprText(update.value, &edge, automaton);
      offer(Mutation::UpdateDrop, place, before + " is gone", edge.span,
            each(edges, [i](Model&, Edge& e) { e.updates.erase(e.updates.begin() + static_cast<ptrdiff_t>(i)); }));
      for (const ExprVariant& variant : termVariants(model_, update.value))
        if (fits(variant.expr, model_[update.variable].type))
          offer(variant.mutation, place, becomes(before, name + exprText(variant.expr, &edge, automaton)), edge.span,
                each(edges, [i, value = variant.expr](Model&, Edge& e) { e.updates[i].value = value; }));
    }
  }

  void initialValue(VariableId id, const std::string& owner, const Automaton* automaton) {
    const Variable variable = model_[id];
    if (!variable.initial.valid() || variable.role != Role::Plain)
      return;
    for (ExprId other : valueVariants(model_, variable.initial))
      if (fits(other, variable.type))
        offer(Mutation::Initial, owner + "." + variable.name,
              variable.name + " = " +
                  becomes(printExpr(model_, variable.initial, nullptr, automaton),
                          printExpr(model_, other, nullptr, automaton)),
              variable.span, [id, other](Model& m) { m[id].initial = other; });
  }

  // ---- ESTS

  /// The changed times: one unit more, and one less where that is certain not to go below zero.
  std::vector<ExprId> timeVariants(ExprId time) {
    const Rational* number = pool_.number(time);
    const Rational amount = shiftOf(number);
    std::vector<ExprId> result{pool_.add(std::vector<ExprId>{time, pool_.real(amount)})};
    if (number && *number >= amount)
      result.push_back(pool_.real(*number - amount));
    return result;
  }

  void timeout(GroupId id, const Automaton& automaton) {
    const TimingGroup group = model_[id];
    const std::string place =
        automaton.name + "." + (group.implicit ? model_[group.locations[0]].name + ".after" : group.name);
    for (ExprId other : timeVariants(group.timeout))
      offer(Mutation::TimeoutShift, place,
            becomes("after " + printTime(model_, group.timeout, nullptr, &automaton),
                    "after " + printTime(model_, other, nullptr, &automaton)),
            group.span, [id, other](Model& m) { m[id].timeout = other; });
  }

  void duration(const std::vector<EdgeId>& edges, const std::string& place, const Automaton& automaton) {
    const Edge edge = model_[edges[0]];
    if (!edge.minDuration.valid())
      return;
    const auto text = [&](ExprId low, ExprId high) {
      return "takes " + printTime(model_, low, &edge, &automaton) +
             (low == high ? "" : " .. " + printTime(model_, high, &edge, &automaton));
    };
    const std::vector<ExprId> lows = timeVariants(edge.minDuration), highs = timeVariants(edge.maxDuration);
    for (size_t i = 0; i < std::min(lows.size(), highs.size()); ++i)
      offer(Mutation::DurationShift, place, becomes(text(edge.minDuration, edge.maxDuration), text(lows[i], highs[i])),
            edge.span, each(edges, [low = lows[i], high = highs[i]](Model&, Edge& e) {
              e.minDuration = low;
              e.maxDuration = high;
            }));
  }

  void priority(const std::vector<EdgeId>& edges, const std::string& place, const Automaton& automaton) {
    const Edge edge = model_[edges[0]];
    uint32_t largest = 0;
    size_t rivals = 0;
    for (EdgeId other : edgesFrom(model_, automaton, edge.source))
      if (model_[other].action == edge.action && model_[other].channel == edge.channel) {
        ++rivals;
        largest = std::max(largest, model_[other].priority);
      }
    if (largest == 0 || rivals < 2)
      return;
    for (uint32_t other : {0U, largest + 1})
      if (other != edge.priority)
        offer(Mutation::Priority, place,
              becomes("priority " + std::to_string(edge.priority), "priority " + std::to_string(other)), edge.span,
              each(edges, [other](Model&, Edge& e) { e.priority = other; }));
  }

  /// The source states restarts by the two states that an edge connects.
  void restarts(EdgeId id, const std::string& place, const Automaton& automaton) {
    const Edge edge = model_[id];
    std::vector<EdgeId> same;
    for (EdgeId other : automaton.edges)
      if (model_[other].source == edge.source && model_[other].target == edge.target)
        same.push_back(other);
    if (same[0] != id)
      return;
    for (GroupId group : automaton.groups) {
      const bool inside = std::find(model_[group].locations.begin(), model_[group].locations.end(), edge.target) !=
                          model_[group].locations.end();
      if (!inside || model_[group].implicit)
        continue;
      const bool restarts = isIn(edge.restarts, group);
      offer(restarts ? Mutation::RestartDrop : Mutation::RestartAdd, place,
            "group " + model_[group].name + (restarts ? " no longer restarts" : " restarts"), edge.span,
            each(same, [restarts, group](Model&, Edge& e) {
              std::erase(e.restarts, group);
              if (!restarts)
                e.restarts.push_back(group);
            }));
    }
  }

  Model& model_;
  ExprPool& pool_;
  Sink sink_;
  std::map<std::string, int> labels_;
};

/// Purposes and suites speak of the original: a mutant may lack what they mention. Their variables and states stay
/// behind, listed by no automaton.
Model withoutPurposes(Model model) {
  std::vector<AutomatonId> newId(model.automata.size(), AutomatonId(0));
  std::vector<Automaton> kept;
  for (size_t i = 0; i < model.automata.size(); ++i)
    if (model.automata[i].kind != AutomatonKind::Purpose) {
      newId[i] = AutomatonId(kept.size());
      kept.push_back(std::move(model.automata[i]));
    }
  model.automata = std::move(kept);
  model.suites.clear();
  const auto move = [&](AutomatonId& id) {
    if (id.valid())
      id = newId[id.value];
  };
  for (Variable& variable : model.variables)
    move(variable.owner);
  for (Clock& clock : model.clocks)
    move(clock.owner);
  for (Location& location : model.locations)
    move(location.automaton);
  for (TimingGroup& group : model.groups)
    move(group.automaton);
  for (System& system : model.systems)
    for (Component& component : system.components)
      move(component.automaton);
  return model;
}

} // namespace

const char* word(Mutation mutation) {
  return kWords[static_cast<size_t>(mutation)];
}

const std::vector<Mutation>& allMutations() {
  static const std::vector<Mutation> all = [] {
    std::vector<Mutation> result;
    for (size_t i = 0; i < std::size(kWords); ++i)
      result.push_back(static_cast<Mutation>(i));
    return result;
  }();
  return all;
}

Model Mutants::make(const Mutant& mutant) const {
  Model copy = model;
  mutant.change(copy);
  return copy;
}

Mutants mutants(const Model& model, SystemId system, const IsLegal& isLegal) {
  Mutants result{withoutPurposes(model), {}};
  std::vector<Mutator::Offer> offers;
  Mutator(result.model, [&](Mutator::Offer&& offer) { offers.push_back(std::move(offer)); }).run(system);
  std::set<std::string> texts{print(simplify(result.model))};
  std::map<std::string, int> counts;
  for (Mutator::Offer& offer : offers) {
    Model changed = result.model;
    offer.change(changed);
    if (!verify(changed).empty() || (isLegal && !isLegal(changed)) || !texts.insert(print(simplify(changed))).second)
      continue;
    const std::string name = std::string(word(offer.mutation)) + "@" + offer.place;
    result.list.push_back({name + "#" + std::to_string(++counts[name]), offer.mutation, std::move(offer.what),
                           offer.span, std::move(offer.change)});
  }
  return result;
}

} // namespace tioc::ir
