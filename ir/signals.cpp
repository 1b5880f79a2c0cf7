#include "ir/guards.hpp"
#include "ir/passes.hpp"

#include <algorithm>
#include <cassert>
#include <set>

namespace tioc::ir {

namespace {

constexpr uint32_t kImplicit = UINT32_MAX; // no edge of the source has this origin
constexpr const char* kSettling = "_settling";
constexpr const char* kChanged = "_changed";

class Signals {
public:
  Signals(Model& model, AutomatonId self, SignalView view)
      : model_(model), pool_(model.exprs), self_(self), view_(view) {}

  void run() {
    putInStart();
    declare();
    const std::vector<LocationId> places = automaton().locations;
    for (LocationId place : places)
      settling_[place] = addTwin(place, kSettling);
    for (EdgeId id : automaton().edges)
      moveToSettling(id);
    for (LocationId place : places) {
      addWaking(place);
      addInputs(place);
      addSettled(place);
    }
    automaton().initial = settling_.at(automaton().initial);
    automaton().kind = AutomatonKind::Tiosts;
  }

private:
  /// An edge of the source speaks for itself while it settles, and wakes its settled location.
  struct Ready {
    Guard guard; ///< of the whole edge, where a product cut it up
    Span span;
  };

  Automaton& automaton() { return model_[self_]; }
  ExprId read(VariableId id) { return pool_.variable(id, model_[id].type); }

  // ---- the start

  /// Values that the initial condition states are initial values. As unknowns they would be asked for at every step.
  void putInStart() {
    std::vector<ExprId> parts = pool_.conjuncts(automaton().initialCondition);
    std::erase_if(parts, [&](ExprId part) { return putInStart(part); });
    automaton().initialCondition = pool_.conjunction(parts);
  }

  /// False: the part says something else.
  bool putInStart(ExprId part) {
    const Op op = pool_.op(part);
    if (op == Op::Variable)
      return startWith(part, pool_.boolean(true));
    if (op != Op::Not && op != Op::Equal)
      return false;
    const ExprId first = pool_.operands(part)[0];
    if (op == Op::Not)
      return startWith(first, pool_.boolean(false));
    const ExprId second = pool_.operands(part)[1];
    return startWith(first, second) || startWith(second, first);
  }

  bool startWith(ExprId expr, ExprId value) {
    if (pool_.op(expr) != Op::Variable || !pool_.isConstant(value))
      return false;
    Variable& variable = model_[VariableId(pool_.payload(expr))];
    const Type& type = model_.types[variable.type];
    const Rational* number = pool_.number(value);
    const bool fits = type.kind == TypeKind::Int
                          ? number && (!type.range || (type.range->first <= *number && *number <= type.range->last))
                          : type.kind != TypeKind::Record && type.kind != TypeKind::Array;
    if (variable.initial.valid() || !fits)
      return false;
    variable.initial = value;
    return true;
  }

  // ---- the interface

  void declare() {
    model_.channels.clear(); // a VDTA has no messages
    const std::vector<VariableId> variables = automaton().variables;
    for (VariableId id : variables) {
      names_.insert(model_[id].name);
      if (model_[id].role == Role::Input)
        inputs_.push_back(id);
      else if (model_[id].role == Role::Output)
        outputs_.push_back(id);
    }
    for (VariableId id : outputs_)
      remember(id);
    addChannel(inputChannel_, kInputs, Direction::Input, inputs_);
    addChannel(outputChannel_, kOutputs, Direction::Output, outputs_);
  }

  /// A variable for the value that was last seen from outside; at the start, what the initial condition says.
  void remember(VariableId id) {
    Variable seen = model_[id];
    seen.name = fresh("seen_" + seen.name);
    seen.role = Role::Plain;
    const VariableId copy(model_.variables.size());
    const bool open = !seen.initial.valid();
    model_.variables.push_back(std::move(seen));
    automaton().variables.push_back(copy);
    seen_.push_back(copy);
    if (open)
      automaton().initialCondition = pool_.conjunction(automaton().initialCondition, pool_.equal(read(copy), read(id)));
  }

  void addChannel(ChannelId& id, const char* name, Direction direction, const std::vector<VariableId>& signals) {
    if (signals.empty())
      return;
    Channel channel;
    channel.name = name;
    channel.direction = direction;
    channel.span = automaton().span;
    for (VariableId signal : signals)
      channel.parameters.push_back({model_[signal].name, model_[signal].type});
    id = ChannelId(model_.channels.size());
    model_.channels.push_back(std::move(channel));
  }

  std::string fresh(std::string name) {
    while (!names_.insert(name).second)
      name += "_";
    return name;
  }

  // ---- locations and edges

  /// Another location of the same place, in which no time passes. Marks stay on the settled one: a purpose has got
  /// there when its outputs can be seen.
  LocationId addTwin(LocationId place, const char* suffix) {
    Location twin = model_[place];
    twin.name += suffix;
    const auto taken = [&](LocationId id) { return model_[id].name == twin.name; };
    while (std::any_of(automaton().locations.begin(), automaton().locations.end(), taken))
      twin.name += "_";
    twin.mark = Mark::None;
    twin.urgent = twin.committed = true;
    const LocationId id(model_.locations.size());
    model_.locations.push_back(std::move(twin));
    automaton().locations.push_back(id);
    return id;
  }

  void moveToSettling(EdgeId id) {
    Edge& edge = model_[id];
    std::vector<Ready>& ready = ready_[edge.source];
    const Guard whole = edge.deadline ? *edge.deadline : edge.guard;
    if (std::none_of(ready.begin(), ready.end(), [&](const Ready& known) { return sameGuard(known.guard, whole); }))
      ready.push_back({whole, edge.span});
    edge.deadline.reset();
    edge.action = ActionKind::Internal;
    edge.urgency = Urgency::Eager;
    edge.source = settling_.at(edge.source);
    edge.target = settling_.at(edge.target);
  }

  Edge implicitEdge(LocationId from, LocationId to, Span span) {
    Edge edge;
    edge.source = from;
    edge.target = to;
    edge.urgency = Urgency::Eager;
    edge.guard = {pool_.boolean(true), {}};
    edge.origin = kImplicit;
    edge.span = span;
    return edge;
  }

  void add(Edge edge) {
    automaton().edges.push_back(EdgeId(model_.edges.size()));
    model_.edges.push_back(std::move(edge));
  }

  /// Waiting changes nothing but clocks, so in a settled location only a lower bound can become true.
  static bool comesWithTime(const Ready& ready) {
    return std::any_of(ready.guard.clocks.begin(), ready.guard.clocks.end(),
                       [](const ClockConstraint& c) { return c.left == Model::zeroClock(); });
  }

  void addWaking(LocationId place) {
    for (const Ready& ready : ready_[place]) {
      if (!comesWithTime(ready))
        continue;
      Edge edge = implicitEdge(place, settling_.at(place), ready.span);
      edge.guard = ready.guard;
      add(std::move(edge));
    }
  }

  void addInputs(LocationId place) {
    std::vector<Guard> awaited;
    for (const Ready& ready : ready_[place])
      if (comesWithTime(ready))
        awaited.push_back(ready.guard);
    for (const Guard& quiet : noneOf(model_, awaited))
      addReception(place, place, quiet);
  }

  void addReception(LocationId from, LocationId place, const Guard& guard) {
    if (!inputChannel_.valid())
      return;
    Edge edge = implicitEdge(from, settling_.at(place), model_[place].span);
    edge.action = ActionKind::Receive;
    edge.urgency = Urgency::Lazy;
    edge.channel = inputChannel_;
    edge.parameters = model_[inputChannel_].parameters;
    edge.guard = guard;
    for (uint32_t i = 0; i < inputs_.size(); ++i)
      edge.updates.push_back({inputs_[i], pool_.local(i, model_[inputs_[i]].type)});
    add(std::move(edge));
  }

  /// Where nothing is enabled any more, outputs that changed are there to be seen.
  void addSettled(LocationId place) {
    std::vector<Guard> all;
    for (const Ready& ready : ready_[place])
      all.push_back(ready.guard);
    std::vector<ExprId> same;
    for (size_t i = 0; i < outputs_.size(); ++i)
      same.push_back(pool_.equal(read(outputs_[i]), read(seen_[i])));
    const ExprId unchanged = pool_.conjunction(same);
    const LocationId settling = settling_.at(place);
    const bool rows = view_ == SignalView::Rows && !outputs_.empty();
    const LocationId changed = rows ? addTwin(place, kChanged) : LocationId();
    for (const Guard& stable : noneOf(model_, all)) {
      Edge edge = implicitEdge(settling, place, model_[place].span);
      edge.guard = stable;
      if (view_ != SignalView::Samples)
        edge.guard.data = pool_.conjunction(stable.data, unchanged);
      else
        for (size_t i = 0; i < outputs_.size(); ++i)
          edge.updates.push_back({seen_[i], read(outputs_[i])});
      add(edge);
      edge.guard.data = pool_.conjunction(stable.data, pool_.negation(unchanged));
      edge.target = changed;
      if (rows)
        add(std::move(edge));
      else if (view_ == SignalView::Changes && !outputs_.empty())
        addAnnouncement(settling, place, edge.guard, outputs_);
    }
    const Guard always{pool_.boolean(true), {}};
    if (rows) {
      addReception(changed, place, always);
      addAnnouncement(changed, place, always, outputs_);
    } else if (view_ == SignalView::Samples && !outputs_.empty()) {
      addAnnouncement(place, place, always, outputs_);
      addAnnouncement(settling, settling, always, seen_);
    }
  }

  /// Sends the values of these variables, which are from now on those that were seen last.
  void addAnnouncement(LocationId from, LocationId to, const Guard& guard, const std::vector<VariableId>& values) {
    Edge edge = implicitEdge(from, to, model_[to].span);
    edge.action = ActionKind::Send;
    if (from == to)
      edge.urgency = Urgency::Lazy; // a look, which nobody waits for
    edge.channel = outputChannel_;
    edge.parameters = model_[outputChannel_].parameters;
    std::vector<ExprId> sent{guard.data};
    for (uint32_t i = 0; i < values.size(); ++i) {
      sent.push_back(pool_.equal(pool_.local(i, model_[values[i]].type), read(values[i])));
      if (from != to)
        edge.updates.push_back({seen_[i], read(values[i])});
    }
    edge.guard = {pool_.conjunction(sent), guard.clocks};
    add(std::move(edge));
  }

  Model& model_;
  ExprPool& pool_;
  AutomatonId self_;
  SignalView view_;
  std::set<std::string> names_; // of variables
  std::vector<VariableId> inputs_;
  std::vector<VariableId> outputs_;
  std::vector<VariableId> seen_; // by output
  ChannelId inputChannel_;
  ChannelId outputChannel_;
  std::unordered_map<LocationId, LocationId> settling_;
  std::unordered_map<LocationId, std::vector<Ready>> ready_;
};

} // namespace

bool isImplicit(const Location& location) {
  return location.urgent && location.committed; // in the source a location is one of them at most
}

bool isImplicit(const Edge& edge) {
  return edge.origin == kImplicit;
}

std::string sourceName(const Location& location) {
  for (const char* suffix : {kSettling, kChanged})
    if (const size_t at = location.name.rfind(suffix); isImplicit(location) && at != std::string::npos)
      return location.name.substr(0, at);
  return location.name;
}

Model signals(Model model, SignalView view) {
  assert(!model.systems.empty());
  for (const Component& component : model.systems[0].components)
    if (model[component.automaton].kind == AutomatonKind::Vdta)
      Signals(model, component.automaton, view).run();
  return model;
}

} // namespace tioc::ir
