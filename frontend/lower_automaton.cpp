#include "frontend/lowering.hpp"

#include "ir/print.hpp"

#include <algorithm>
#include <unordered_set>

namespace tioc::frontend {

using namespace syntax;

namespace {

std::string kindName(AutomatonKind kind) {
  switch (kind) {
  case AutomatonKind::Tiosts:
    return "a tiosts";
  case AutomatonKind::Ests:
    return "an ests";
  case AutomatonKind::Vdta:
    return "a vdta";
  case AutomatonKind::Purpose:
    return "a purpose";
  }
  return "an automaton";
}

} // namespace

void Lowering::declareAutomata() {
  for (AutomatonScope& scope : automata_) {
    declareLocals(scope);
    declareStates(scope);
  }
}

void Lowering::declareLocals(AutomatonScope& scope) {
  const Automaton& syntax = *scope.syntax;
  ir::Automaton& automaton = model_[scope.id];
  auto add = [&](LocalSymbol local) {
    auto [it, fresh] = scope.names.try_emplace(local.name.text, scope.locals.size());
    if (!fresh)
      diagnostics_.report(Kind::DuplicateName, local.name.span, {std::string(local.name.text)})
          .note(scope.locals[it->second].name.span, "the first declaration is here");
    else if (auto outer = modules_[scope.module].names.find(local.name.text);
             outer != modules_[scope.module].names.end()) {
      const Symbol& hidden = symbols_[outer->second];
      if (hidden.kind == SymbolKind::Constant || hidden.kind == SymbolKind::Variable ||
          hidden.kind == SymbolKind::Clock)
        diagnostics_
            .report(Kind::ShadowedName, local.name.span,
                    {std::string(local.name.text), std::string(describe(hidden.kind))})
            .note(hidden.name.span, "it is declared here");
    }
    scope.locals.push_back(std::move(local));
  };
  for (const Parameter& parameter : syntax.parameters) {
    TypeId resolved = type(parameter.type, scope.module);
    add({LocalSymbol::Kind::Parameter, static_cast<uint32_t>(automaton.parameters.size()), resolved, parameter.name});
    automaton.parameters.push_back({std::string(parameter.name.text), resolved});
  }
  for (const Variable& variable : syntax.variables) {
    bool signal = variable.kind != VariableKind::Plain;
    if (signal != (syntax.kind == AutomatonKind::Vdta))
      diagnostics_
          .report(Kind::NotAllowedHere, variable.name.span,
                  {signal ? "an input or output variable" : "'var'", kindName(syntax.kind)})
          .note({}, signal ? "only a vdta has variables as its interface; declare it with 'var'"
                           : "declare it as 'output'");
    TypeId resolved = type(variable.type, scope.module);
    ir::VariableId id(model_.variables.size());
    model_.variables.push_back(
        {.name = std::string(variable.name.text), .type = resolved, .owner = scope.id, .span = variable.name.span});
    model_[id].role = variable.kind == VariableKind::Plain   ? ir::Role::Plain
                      : variable.kind == VariableKind::Input ? ir::Role::Input
                                                             : ir::Role::Output;
    automaton.variables.push_back(id);
    add({LocalSymbol::Kind::Variable, id.value, resolved, variable.name});
  }
  for (const Clock& clock : syntax.clocks) {
    if (syntax.kind == AutomatonKind::Ests)
      diagnostics_.report(Kind::NotAllowedHere, clock.name.span, {"a clock", kindName(syntax.kind)})
          .note({}, "its time is in 'group', 'after' and 'takes'");
    ir::ClockId id(model_.clocks.size());
    model_.clocks.push_back({std::string(clock.name.text), scope.id, clock.name.span});
    automaton.clocks.push_back(id);
    add({LocalSymbol::Kind::Clock, id.value, {}, clock.name});
  }
}

void Lowering::declareStates(AutomatonScope& scope) {
  const Automaton& syntax = *scope.syntax;
  ir::Automaton& automaton = model_[scope.id];
  auto add = [&](std::string_view name, Span span, ir::Mark mark) {
    ir::LocationId id(model_.locations.size());
    scope.locations.try_emplace(name, id);
    ir::Location location;
    location.name = name;
    location.automaton = scope.id;
    location.mark = mark;
    location.invariant = trueGuard();
    location.span = span;
    model_.locations.push_back(std::move(location));
    automaton.locations.push_back(id);
  };
  for (const State& state : syntax.states) {
    if (auto it = scope.locations.find(state.name.text); it != scope.locations.end())
      diagnostics_.report(Kind::DuplicateName, state.name.span, {std::string(state.name.text)})
          .note(model_[it->second].span, "the first state of that name is here");
    if (syntax.kind == AutomatonKind::Purpose && (state.name.text == "accept" || state.name.text == "reject"))
      diagnostics_.report(Kind::ReservedState, state.name.span, {std::string(state.name.text)});
    add(state.name.text, state.name.span, ir::Mark::None);
  }
  if (syntax.kind != AutomatonKind::Purpose)
    return;
  for (auto [name, mark] : {std::pair{"accept", ir::Mark::Accept}, std::pair{"reject", ir::Mark::Reject}}) {
    bool wanted = std::any_of(syntax.states.begin(), syntax.states.end(), [&](const State& state) {
      return std::any_of(state.edges.begin(), state.edges.end(),
                         [&](const Edge& edge) { return edge.target.text == name; });
    });
    if (wanted && !scope.locations.contains(name))
      add(name, syntax.name.span, mark);
  }
}

std::optional<ir::LocationId> Lowering::state(AutomatonScope& scope, const Name& name) {
  auto it = scope.locations.find(name.text);
  if (it != scope.locations.end())
    return it->second;
  std::vector<std::string> names;
  for (const State& state : scope.syntax->states)
    names.emplace_back(state.name.text);
  Diagnostic& d = diagnostics_.report(Kind::UnknownState, name.span,
                                      {std::string(scope.syntax->name.text), std::string(name.text)});
  if (auto guess = didYouMean(name.text, names))
    d.note({}, "did you mean '" + *guess + "'?");
  return std::nullopt;
}

Scope Lowering::scopeOf(AutomatonScope& automaton) {
  Scope scope;
  scope.module = automaton.module;
  scope.automaton = &automaton;
  ir::SystemId subject = model_[automaton.id].subject;
  if (!subject.valid())
    return scope;
  std::unordered_map<ir::AutomatonId, int> copies;
  for (const ir::Component& component : model_[subject].components)
    ++copies[component.automaton];
  for (const ir::Component& component : model_[subject].components) {
    if (copies[component.automaton] != 1)
      continue; // whose variable would it be?
    AutomatonScope& part = automata_[component.automaton.value];
    scope.subjects.push_back(&part);
    scope.arguments[&part] = &component.arguments;
    scope.namedSubjects.emplace(part.syntax->name.text, &part);
    scope.namedSubjects.emplace(component.name, &part);
  }
  return scope;
}

void Lowering::lowerAutomata() {
  for (AutomatonScope& scope : automata_)
    if (scope.syntax->kind != AutomatonKind::Purpose)
      lowerAutomaton(scope);
  for (AutomatonScope& scope : automata_)
    if (scope.syntax->kind == AutomatonKind::Purpose) {
      if (std::optional<ir::SystemId> of = subject(scope.syntax->subject, scope.module))
        model_[scope.id].subject = *of;
      else
        continue;
      lowerAutomaton(scope);
    }
}

void Lowering::lowerAutomaton(AutomatonScope& scope) {
  const Automaton& syntax = *scope.syntax;
  Scope names = scopeOf(scope);
  for (size_t i = 0; i < syntax.variables.size(); ++i) {
    const Variable& variable = syntax.variables[i];
    ir::VariableId id = model_[scope.id].variables[i];
    if (variable.value == kNoExpr || !model_[id].type.valid())
      continue;
    Span at = tree(names).exprs[variable.value].span;
    ExprId value = limited(convert(check(variable.value, names, model_[id].type), model_[id].type, at), at);
    if (!value.valid())
      continue;
    bool constant = true;
    model_.exprs.visit(value, [&](ExprId leaf) { constant &= model_.exprs.op(leaf) != ir::Op::Variable; });
    if (!constant)
      diagnostics_.report(Kind::NotConstant, at, {"an initial value"});
    model_[id].initial = value;
  }
  if (syntax.deadlines.size() > 1)
    diagnostics_.report(Kind::DuplicateClause, syntax.deadlines[1].span, {"deadlines"});
  for (const Name& reading : syntax.deadlines) {
    if (reading.text != "location")
      diagnostics_.report(Kind::BadDeadlines, reading.span, {std::string(reading.text)});
    else if (syntax.kind != AutomatonKind::Tiosts)
      diagnostics_.report(Kind::NotAllowedHere, reading.span, {"'deadlines'", kindName(syntax.kind)});
    model_[scope.id].deadlines = ir::Deadlines::Location;
  }
  if (syntax.states.empty()) {
    diagnostics_.report(Kind::NoStates, syntax.name.span, {std::string(syntax.name.text)});
    return;
  }
  lowerInit(scope, names);
  if (syntax.kind != AutomatonKind::Ests)
    for (const Group& group : syntax.groups)
      diagnostics_.report(Kind::NotAllowedHere, group.name.span, {"a timing group", kindName(syntax.kind)});

  for (size_t i = 0; i < syntax.states.size(); ++i) {
    const State& state = syntax.states[i];
    ir::LocationId id = model_[scope.id].locations[i];
    if (state.urgent && state.committed)
      diagnostics_.report(Kind::UrgentAndCommitted, state.modifierSpan);
    bool timed = syntax.kind == AutomatonKind::Tiosts;
    if ((state.urgent || state.committed) && !timed)
      diagnostics_.report(Kind::NotAllowedHere, state.modifierSpan,
                          {state.urgent ? "'urgent'" : "'committed'", kindName(syntax.kind)});
    model_[id].urgent = state.urgent;
    model_[id].committed = state.committed;
    if (state.invariant == kNoExpr)
      continue;
    if (!timed)
      diagnostics_.report(Kind::NotAllowedHere, tree(names).exprs[state.invariant].span,
                          {"'invariant'", kindName(syntax.kind)});
    std::vector<ir::Guard> invariant = guards(state.invariant, names, false, "an invariant");
    if (!invariant.empty())
      model_[id].invariant = std::move(invariant[0]);
  }
  if (syntax.kind == AutomatonKind::Ests)
    lowerGroups(scope, names);
  size_t errors = diagnostics_.hardErrors();
  std::unordered_set<std::string_view> seen;
  for (size_t i = 0; i < syntax.states.size(); ++i)
    for (const Edge& edge : syntax.states[i].edges) {
      if (!edge.name.text.empty() && !seen.insert(edge.name.text).second)
        diagnostics_.report(Kind::DuplicateName, edge.name.span, {std::string(edge.name.text)});
      lowerEdge(scope, edge, model_[scope.id].locations[i], names);
    }
  scope.broken = diagnostics_.hardErrors() != errors;
  if (syntax.kind == AutomatonKind::Ests) {
    for (size_t g = 0; g < syntax.groups.size(); ++g)
      lowerGroupDelays(scope, syntax.groups[g], model_[scope.id].groups[g], names);
    for (size_t g = 0; g < model_[scope.id].groups.size(); ++g) {
      static const Group kImplicit;
      lowerRestarts(scope, g < syntax.groups.size() ? syntax.groups[g] : kImplicit, model_[scope.id].groups[g]);
    }
  }
}

void Lowering::lowerInit(AutomatonScope& scope, Scope& names) {
  const Automaton& syntax = *scope.syntax;
  ir::Automaton& automaton = model_[scope.id];
  automaton.initialCondition = model_.exprs.boolean(true);
  automaton.initial = automaton.locations.front();
  if (syntax.inits.empty() && syntax.kind != AutomatonKind::Purpose)
    diagnostics_.report(Kind::MissingInit, syntax.name.span, {std::string(syntax.name.text)});
  if (syntax.inits.size() > 1)
    diagnostics_.report(Kind::DuplicateInit, syntax.inits[1].span).note(syntax.inits[0].span, "the first one is here");
  if (syntax.inits.empty())
    return;
  if (std::optional<ir::LocationId> initial = state(scope, syntax.inits[0].location))
    model_[scope.id].initial = *initial;
  model_[scope.id].initialSpan = syntax.inits[0].span;
  if (syntax.inits[0].condition != kNoExpr)
    if (ExprId condition_ = condition(syntax.inits[0].condition, names); condition_.valid())
      model_[scope.id].initialCondition = condition_;
}

ir::GroupId Lowering::addGroup(AutomatonScope& scope, std::string name, bool implicit, Span span) {
  ir::GroupId id(model_.groups.size());
  ir::ClockId clock(model_.clocks.size());
  model_.clocks.push_back({name + ".clock", scope.id, span});
  model_[scope.id].clocks.push_back(clock);
  model_.groups.push_back(
      {.name = std::move(name), .implicit = implicit, .automaton = scope.id, .clock = clock, .span = span});
  model_[scope.id].groups.push_back(id);
  return id;
}

/// Groups with their states, and one for every state with an `after` of its own.
void Lowering::lowerGroups(AutomatonScope& scope, Scope& names) {
  const Automaton& syntax = *scope.syntax;
  std::unordered_map<std::string_view, Span> seen;
  for (const Group& group : syntax.groups) {
    if (auto [it, fresh] = seen.try_emplace(group.name.text, group.name.span); !fresh)
      diagnostics_.report(Kind::DuplicateName, group.name.span, {std::string(group.name.text)})
          .note(it->second, "the first group of that name is here");
    ir::GroupId id = addGroup(scope, std::string(group.name.text), false, group.name.span);
    std::vector<ir::LocationId> members;
    for (uint32_t index : group.states)
      members.push_back(model_[scope.id].locations[index]);
    for (const Name& include : group.includes)
      if (std::optional<ir::LocationId> location = state(scope, include))
        members.push_back(*location);
    std::sort(members.begin(), members.end());
    members.erase(std::unique(members.begin(), members.end()), members.end());
    model_[id].locations = std::move(members);
    if (model_[id].locations.empty())
      diagnostics_.report(Kind::GroupWithoutStates, group.name.span, {std::string(group.name.text)});
    for (const Edge& edge : group.edges) {
      if (edge.trigger.kind != TriggerKind::After) {
        diagnostics_.report(Kind::NotAllowedHere, edge.span, {"an edge without 'after'", "a timing group"})
            .note({}, "put it into the state where it starts");
        continue;
      }
      ExprId timeout = time(edge.trigger.timeout, names, "the timeout");
      if (!timeout.valid())
        timeout = model_.exprs.real(0);
      if (!model_[id].timeout.valid())
        model_[id].timeout = timeout;
      else if (model_[id].timeout != timeout)
        diagnostics_.report(Kind::GroupTimeoutsDiffer, edge.trigger.span, {std::string(group.name.text)});
    }
    if (group.edges.empty())
      diagnostics_.report(Kind::GroupWithoutDelay, group.name.span, {std::string(group.name.text)});
    if (!model_[id].timeout.valid())
      model_[id].timeout = model_.exprs.real(0);
  }
  for (size_t i = 0; i < syntax.states.size(); ++i) {
    ir::GroupId id;
    for (const Edge& edge : syntax.states[i].edges) {
      if (edge.trigger.kind != TriggerKind::After)
        continue;
      ExprId timeout = time(edge.trigger.timeout, names, "the timeout");
      if (!timeout.valid())
        timeout = model_.exprs.real(0);
      if (!id.valid()) {
        id = addGroup(scope, std::string(syntax.states[i].name.text), true, edge.trigger.span);
        model_[id].locations = {model_[scope.id].locations[i]};
        model_[id].timeout = timeout;
        scope.implicitGroups[model_[scope.id].locations[i]] = id;
      } else if (model_[id].timeout != timeout) {
        diagnostics_.report(Kind::GroupTimeoutsDiffer, edge.trigger.span, {std::string(syntax.states[i].name.text)});
      }
    }
  }
}

/// C: every state of a group has the delay transition of the group.
void Lowering::lowerGroupDelays(AutomatonScope& scope, const Group& group, ir::GroupId id, Scope& names) {
  for (const Edge& edge : group.edges) {
    if (edge.trigger.kind != TriggerKind::After)
      continue;
    std::vector<ir::Edge> bodies = edgeBody(scope, edge, names);
    for (const ir::Edge& body : bodies)
      for (ir::LocationId location : model_[id].locations) {
        ir::Edge copy = body;
        copy.source = location;
        copy.delayGroup = id;
        model_[scope.id].edges.push_back(ir::EdgeId(model_.edges.size()));
        model_.edges.push_back(std::move(copy));
      }
  }
}

void Lowering::lowerRestarts(AutomatonScope& scope, const Group& group, ir::GroupId id) {
  if (group.restarts.empty()) {
    for (ir::EdgeId edge : model_[scope.id].edges)
      if (ir::restartsByDefault(model_, model_[edge], id))
        model_[edge].restarts.push_back(id);
    return;
  }
  for (const EdgeReference& restart : group.restarts) {
    std::optional<ir::LocationId> source = state(scope, restart.source);
    std::optional<ir::LocationId> target = state(scope, restart.target);
    if (!source || !target)
      continue;
    const auto& members = model_[id].locations;
    if (std::find(members.begin(), members.end(), *target) == members.end()) {
      diagnostics_.report(Kind::RestartOutside, restart.span,
                          {std::string(group.name.text), std::string(restart.target.text)});
      continue;
    }
    bool found = false;
    for (ir::EdgeId edge : model_[scope.id].edges)
      if (model_[edge].source == *source && model_[edge].target == *target) {
        found = true;
        auto& list = model_[edge].restarts;
        if (std::find(list.begin(), list.end(), id) == list.end())
          list.push_back(id);
      }
    if (!found && !scope.broken)
      diagnostics_.report(Kind::RestartUnknownEdge, restart.span,
                          {std::string(restart.source.text), std::string(restart.target.text)});
  }
}

} // namespace tioc::frontend
