#include "frontend/lowering.hpp"

#include "ir/decide.hpp"

#include <algorithm>
#include <set>

namespace tioc::frontend {

using namespace syntax;
using ir::Rational;

namespace {

const char* clauseName(ClauseKind kind) {
  static constexpr const char* kNames[] = {"when", "do", "takes", "priority", "weight", "jitter"};
  return kNames[static_cast<size_t>(kind)];
}

const char* kindName(AutomatonKind kind) {
  static constexpr const char* kNames[] = {"a tiosts", "an ests", "a vdta", "a purpose"};
  return kNames[static_cast<size_t>(kind)];
}

std::string count(size_t n, const char* noun) {
  return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
}

} // namespace

void Lowering::lowerEdge(AutomatonScope& scope, const Edge& edge, ir::LocationId source, Scope& names) {
  for (ir::Edge& body : edgeBody(scope, edge, names)) {
    body.source = source;
    if (body.action == ir::ActionKind::Delay)
      body.delayGroup = scope.implicitGroups.at(source);
    model_[scope.id].edges.push_back(ir::EdgeId(model_.edges.size()));
    model_.edges.push_back(std::move(body));
  }
}

std::vector<ir::Edge> Lowering::edgeBody(AutomatonScope& scope, const Edge& edge, Scope& names) {
  ir::Edge base;
  base.span = edge.span;
  base.name = edge.name.text;
  base.origin = nextOrigin_++;
  std::vector<BoundName> bound;
  std::vector<ExprId> terms;
  names.bound = &bound;
  size_t errors = diagnostics_.hardErrors();
  lowerTrigger(scope, edge, base, names, terms);

  AutomatonKind kind = scope.syntax->kind;
  base.urgency = ir::defaultUrgency(model_[scope.id].kind, base.action);
  if (edge.urgency != Urgency::Default) {
    if (kind != AutomatonKind::Tiosts)
      diagnostics_.report(Kind::NotAllowedHere, edge.urgencySpan, {"an urgency", kindName(kind)});
    base.urgency = edge.urgency == Urgency::Lazy        ? ir::Urgency::Lazy
                   : edge.urgency == Urgency::Delayable ? ir::Urgency::Delayable
                                                        : ir::Urgency::Eager;
  }
  if (std::optional<ir::LocationId> target = state(scope, edge.target))
    base.target = *target;

  std::vector<ir::Guard> alternatives{trueGuard()};
  std::set<ClauseKind> seen;
  for (const Clause& clause : edge.clauses) {
    if (!seen.insert(clause.kind).second) {
      diagnostics_.report(Kind::DuplicateClause, clause.span, {clauseName(clause.kind)});
      continue;
    }
    if (!clauseAllowed(scope, clause))
      continue;
    if (clause.kind == ClauseKind::When)
      alternatives = guards(clause.first, names,
                            kind == AutomatonKind::Vdta ||
                                (kind == AutomatonKind::Purpose && base.action == ir::ActionKind::Update),
                            "a guard");
    else
      lowerClause(scope, clause, base, names);
  }
  // Clocks of its own are refused where they are declared.
  auto shared = [&](ir::ClockId id) { return id != ir::Model::zeroClock() && !model_[id].owner.valid(); };
  bool timed = std::any_of(base.resets.begin(), base.resets.end(), [&](const ir::Reset& r) { return shared(r.clock); });
  for (const ir::Guard& guard : alternatives)
    for (const ir::ClockConstraint& c : guard.clocks)
      timed |= shared(c.left) || shared(c.right);
  if (kind == AutomatonKind::Ests && timed)
    diagnostics_.report(Kind::NotAllowedHere, edge.span, {"a clock", kindName(kind)})
        .note({}, "its time is in 'group', 'after' and 'takes'");
  if (diagnostics_.hardErrors() == errors)
    afterEdge(edge, base, bound);
  names.bound = nullptr;
  if (diagnostics_.hardErrors() != errors)
    return {};
  std::vector<ir::Edge> result;
  for (ir::Guard& guard : alternatives) {
    ir::Edge copy = base;
    std::vector<ExprId> parts = terms;
    parts.push_back(guard.data);
    copy.guard = {model_.exprs.conjunction(parts), std::move(guard.clocks)};
    result.push_back(std::move(copy));
  }
  return result;
}

bool Lowering::clauseAllowed(AutomatonScope& scope, const Clause& clause) {
  AutomatonKind kind = scope.syntax->kind;
  bool allowed = true;
  if (clause.kind == ClauseKind::Takes || clause.kind == ClauseKind::Jitter)
    allowed = kind == AutomatonKind::Ests;
  else if (clause.kind == ClauseKind::Priority || clause.kind == ClauseKind::Weight)
    allowed = kind == AutomatonKind::Ests || kind == AutomatonKind::Tiosts;
  if (!allowed)
    diagnostics_.report(Kind::NotAllowedHere, clause.span,
                        {"'" + std::string(clauseName(clause.kind)) + "'", kindName(kind)});
  return allowed;
}

// ---- triggers

bool Lowering::lowerTrigger(AutomatonScope& scope, const Edge& edge, ir::Edge& result, Scope& names,
                            std::vector<ExprId>& terms) {
  AutomatonKind kind = scope.syntax->kind;
  bool ofVdta = false;
  if (kind == AutomatonKind::Purpose && model_[scope.id].subject.valid()) {
    const auto& parts = model_[model_[scope.id].subject].components;
    ofVdta = !parts.empty() && model_[parts[0].automaton].kind == ir::AutomatonKind::Vdta;
  }
  auto refuse = [&](const char* what) {
    diagnostics_.report(Kind::NotAllowedHere, edge.trigger.span,
                        {what, ofVdta ? "a purpose for a vdta" : kindName(kind)});
    return false;
  };
  switch (edge.trigger.kind) {
  case TriggerKind::None:
    result.action = kind == AutomatonKind::Ests             ? ir::ActionKind::Completion
                    : kind == AutomatonKind::Vdta || ofVdta ? ir::ActionKind::Update
                                                            : ir::ActionKind::Internal;
    return true;
  case TriggerKind::Tau:
    result.action = ir::ActionKind::Internal;
    return kind == AutomatonKind::Vdta || ofVdta ? refuse("'tau'") : true;
  case TriggerKind::Otherwise:
    result.action = ir::ActionKind::Otherwise;
    return kind != AutomatonKind::Purpose || ofVdta ? refuse("'otherwise'") : true;
  case TriggerKind::After:
    result.action = ir::ActionKind::Delay;
    return kind != AutomatonKind::Ests ? refuse("'after'") : true;
  case TriggerKind::Receive:
  case TriggerKind::Send:
    result.action = edge.trigger.kind == TriggerKind::Receive ? ir::ActionKind::Receive : ir::ActionKind::Send;
    if (kind == AutomatonKind::Vdta || ofVdta)
      return refuse("a message");
    return lowerMessage(scope, edge, result, names, terms);
  }
  return true;
}

/// Whether a name in the place of a message parameter stands for a value that is fixed, so that it is matched and not
/// bound.
bool Lowering::isDataConstantName(const Expr& expr, Scope& scope) {
  if (LocalSymbol* local = localOf(*scope.automaton, expr.text))
    return local->kind == LocalSymbol::Kind::Parameter;
  Symbol* symbol = findSimple(expr.text, expr.span, scope.module, true);
  return symbol && (symbol->kind == SymbolKind::Constant || symbol->kind == SymbolKind::EnumLiteral);
}

bool Lowering::lowerMessage(AutomatonScope& scope, const Edge& edge, ir::Edge& result, Scope& names,
                            std::vector<ExprId>& terms) {
  const Trigger& trigger = edge.trigger;
  Symbol* symbol = expect(trigger.channel, scope.module, SymbolKind::Channel, "a channel");
  if (!symbol)
    return false;
  result.channel = ir::ChannelId(symbol->index);
  // A copy: checking arguments may not touch the channel, but it must not depend on that.
  const std::vector<ir::Member> parameters = model_[result.channel].parameters;
  for (const ir::Member& parameter : parameters)
    result.parameters.push_back({"", parameter.type});
  if (!trigger.hasArguments)
    return true;
  if (trigger.arguments.size() != parameters.size()) {
    diagnostics_
        .report(Kind::WrongArgumentCount, trigger.span,
                {"'" + std::string(symbol->name.text) + "'", count(parameters.size(), "value"),
                 std::to_string(trigger.arguments.size())})
        .note(symbol->name.span, "it is declared here");
    return false;
  }
  bool purpose = scope.syntax->kind == AutomatonKind::Purpose;
  bool receive = trigger.kind == TriggerKind::Receive;
  // Names are bound first: a value may speak of a parameter that stands behind it.
  std::vector<bool> isBinding(parameters.size());
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    if (trigger.arguments[i] == kNoExpr)
      continue;
    const Expr& expr = tree(names).exprs[trigger.arguments[i]];
    if (expr.kind != ExprKind::Name || isDataConstantName(expr, names))
      continue;
    LocalSymbol* local = localOf(scope, expr.text);
    Symbol* outer = local ? nullptr : findSimple(expr.text, expr.span, scope.module, true);
    bool value = local || (outer && (outer->kind == SymbolKind::Variable || outer->kind == SymbolKind::Clock));
    for (AutomatonScope* subject : names.subjects)
      value |= localOf(*subject, expr.text) != nullptr;
    if (value && receive && !purpose) {
      bool clock = local ? local->kind == LocalSymbol::Kind::Clock : outer->kind == SymbolKind::Clock;
      std::string name(expr.text);
      diagnostics_.report(Kind::HidesVariable, expr.span, {name, clock ? "a clock" : "a variable", name})
          .note(local ? local->name.span : outer->name.span, "it is declared here");
      return false;
    }
    if (value)
      continue;
    for (const BoundName& other : *names.bound)
      if (other.name.text == expr.text) {
        diagnostics_.report(Kind::DuplicateName, expr.span, {std::string(expr.text)});
        return false;
      }
    names.bound->push_back({i, parameters[i].type, {expr.text, expr.span}});
    result.parameters[i].name = expr.text;
    isBinding[i] = true;
  }
  bool good = true;
  for (uint32_t i = 0; i < parameters.size(); ++i) {
    if (trigger.arguments[i] == kNoExpr || isBinding[i])
      continue;
    ExprId value = limited(
        convert(check(trigger.arguments[i], names, parameters[i].type), parameters[i].type, trigger.argumentSpans[i]),
        trigger.argumentSpans[i]);
    good &= value.valid();
    if (value.valid())
      terms.push_back(model_.exprs.equal(model_.exprs.local(i, parameters[i].type), value));
  }
  return good;
}

/// Message parameters that nothing looks at.
void Lowering::afterEdge(const Edge& edge, const ir::Edge& result, std::vector<BoundName>& bound) {
  for (const BoundName& name : bound) {
    std::string text(name.name.text);
    bool observer = model_[model_[result.target].automaton].kind == ir::AutomatonKind::Purpose;
    if (edge.trigger.kind == TriggerKind::Send && !observer && !name.inGuard) {
      Diagnostic& d = diagnostics_.report(Kind::UnconstrainedOutput, name.name.span, {text});
      Scope scope;
      AutomatonScope* owner = &automata_[model_[result.target].automaton.value];
      scope.module = owner->module;
      scope.automaton = owner;
      if (auto guess = didYouMean(text, visibleNames(scope)))
        d.note({}, "did you mean '" + *guess + "'?");
    } else if (!name.used) {
      diagnostics_.report(Kind::UnusedParameter, name.name.span, {text, "; write '_'"});
    }
  }
}

// ---- clauses

void Lowering::lowerClause(AutomatonScope& scope, const Clause& clause, ir::Edge& result, Scope& names) {
  Span at = clause.first == kNoExpr ? clause.span : tree(names).exprs[clause.first].span;
  switch (clause.kind) {
  case ClauseKind::When:
    break;
  case ClauseKind::Do:
    lowerAssignments(scope, clause, result, names);
    break;
  case ClauseKind::Takes: {
    ExprId first = time(clause.first, names, "the duration");
    ExprId second = clause.second == kNoExpr
                        ? first
                        : time(clause.second, names, clause.plusMinus ? "the tolerance" : "the duration");
    if (!first.valid() || !second.valid())
      break;
    ir::ExprPool& pool = model_.exprs;
    result.minDuration = clause.plusMinus ? pool.add({{first, pool.negate(second)}}) : first;
    result.maxDuration = clause.plusMinus ? pool.add({{first, second}}) : second;
    const Rational* low = pool.number(result.minDuration);
    const Rational* high = pool.number(result.maxDuration);
    if (low && low->sign() < 0)
      diagnostics_.report(Kind::NegativeTime, at, {"the shortest duration"});
    else if (low && high && *high < *low)
      diagnostics_.report(Kind::BadInterval, at);
    break;
  }
  case ClauseKind::Jitter:
    result.jitter = time(clause.first, names, "the jitter");
    break;
  case ClauseKind::Priority: {
    std::optional<Rational> number = wholeNumber(clause.first, names, "a priority");
    if (!number)
      break;
    std::optional<int64_t> value = number->toInt64();
    if (!value || *value < 0 || *value > INT32_MAX)
      diagnostics_.report(Kind::BadNumber, at, {"a priority", "a whole number from 0 on"});
    else
      result.priority = static_cast<uint32_t>(*value);
    break;
  }
  case ClauseKind::Weight: {
    ExprId id = constant(clause.first, names, "a weight", model_.types.real());
    if (!id.valid())
      break;
    result.weight = *model_.exprs.number(id);
    if (result.weight.sign() <= 0)
      diagnostics_.report(Kind::BadNumber, at, {"a weight", "a positive number"});
    break;
  }
  }
}

namespace {

/// A copy of `whole` with what the steps lead to replaced.
ExprId replaced(ir::ExprPool& pool, ExprId whole, const std::vector<PlaceStep>& steps, size_t from, ExprId value) {
  if (from == steps.size())
    return value;
  const PlaceStep& step = steps[from];
  if (step.field)
    return pool.setField(whole, step.index,
                         replaced(pool, pool.field(whole, step.index, step.type), steps, from + 1, value));
  return pool.setElement(whole, step.at, replaced(pool, pool.element(whole, step.at), steps, from + 1, value));
}

} // namespace

/// `t := 0`, `t := u`: true if the place is a clock, whether the assignment is good or not.
bool Lowering::assignClock(AutomatonScope& scope, const Assignment& assignment, std::set<std::string>& places,
                           ir::Edge& result, Scope& names) {
  const Module& source = tree(names);
  const Expr& place = source.exprs[assignment.place];
  std::optional<ir::ClockId> clock = clockNamed(place, names, false);
  if (!clock)
    return false;
  const ir::Clock& target = model_[*clock];
  if (target.owner != scope.id && (target.owner.valid() || scope.syntax->kind == AutomatonKind::Purpose)) {
    diagnostics_.report(Kind::NotAssignable, place.span,
                        {"a purpose reads the clocks of its subject and never sets them"});
    return true;
  }
  if (!places.insert(target.name).second) {
    diagnostics_.report(Kind::AssignedTwice, place.span, {target.name});
    return true;
  }
  if (std::optional<ir::ClockId> other = clockNamed(source.exprs[assignment.value], names, true)) {
    result.resets.push_back({*clock, *other, model_.exprs.real(0)});
    return true;
  }
  Span at = source.exprs[assignment.value].span;
  ExprId value = convert(check(assignment.value, names), model_.types.real(), at);
  if (!value.valid())
    return true;
  bool fixed = true; // by constants and parameters of the automaton
  model_.exprs.visit(value, [&](ExprId id) {
    fixed &= model_.exprs.op(id) != ir::Op::Variable && model_.exprs.op(id) != ir::Op::Local;
  });
  const Rational* number = model_.exprs.number(value);
  if (!fixed || (number && number->sign() < 0))
    diagnostics_.report(Kind::BadClockValue, at);
  else
    result.resets.push_back({*clock, {}, value});
  return true;
}

/// The variable at the root of a place that may be written, or nothing after a report. Steps that turn out to be part
/// of its name leave the chain.
std::optional<ir::VariableId> Lowering::writableVariable(AutomatonScope& scope, const Expr& root,
                                                         std::vector<ExprRef>& chain, Span place, Scope& names) {
  std::string shown = "'" + std::string(root.text) + "'";
  auto refuse = [&](const std::string& why) {
    diagnostics_.report(Kind::NotAssignable, place, {why});
    return std::nullopt;
  };
  if (root.kind != ExprKind::Name)
    return refuse("only a variable, a clock, a field or an element can be assigned");
  for (const BoundName& bound : *names.bound)
    if (bound.name.text == root.text)
      return refuse(shown + " is a message parameter; only variables can be assigned");
  ir::VariableId variable;
  if (LocalSymbol* local = localOf(scope, root.text)) {
    local->used = true;
    if (local->kind != LocalSymbol::Kind::Variable)
      return refuse(shown + " is a parameter of the automaton; only variables can be assigned");
    variable = ir::VariableId(local->index);
  } else {
    bool ofSubject = names.namedSubjects.contains(root.text);
    for (AutomatonScope* subject : names.subjects)
      ofSubject |= localOf(*subject, root.text) != nullptr;
    if (ofSubject)
      return refuse("a purpose reads the variables of its subject and never writes them");
    Symbol* symbol = findSimple(root.text, root.span, scope.module, true);
    // `module.variable`: the first step of the chain is part of the name.
    if (!symbol && !chain.empty()) {
      QualifiedName name = asQualified(tree(names), chain.back());
      symbol = name.parts.empty() ? nullptr : find(name, scope.module, true);
      if (symbol)
        chain.pop_back();
    }
    if (!symbol) {
      unknown(root.text, root.span, visibleNames(names));
      return std::nullopt;
    }
    if (symbol->kind != SymbolKind::Variable)
      return refuse(shown + " is " + describe(symbol->kind) + "; only variables can be assigned");
    if (scope.syntax->kind == AutomatonKind::Purpose)
      return refuse("a purpose reads the variables of its subject and never writes them");
    variable = ir::VariableId(symbol->index);
  }
  if (model_[variable].role == ir::Role::Input)
    return refuse(shown + " is an input; only the environment sets it");
  if (!model_[variable].type.valid())
    return std::nullopt;
  return variable;
}

/// Follows `.f` and `[i]` from a variable; false after a report.
bool Lowering::followPlace(const std::vector<ExprRef>& chain, Scope& names, Place& place) {
  const Module& source = tree(names);
  for (size_t i = chain.size(); i-- > 0;) {
    const Expr& part = source.exprs[chain[i]];
    const ir::Type shape = model_.types[place.type];
    if (part.kind == ExprKind::Field && shape.kind == ir::TypeKind::Record) {
      const ir::Record& record = model_[shape.record];
      auto it = std::find_if(record.fields.begin(), record.fields.end(),
                             [&](const ir::Member& m) { return m.name == part.text; });
      if (it == record.fields.end()) {
        diagnostics_.report(Kind::UnknownField, part.span, {"record '" + record.name + "'", std::string(part.text)});
        return false;
      }
      place.type = it->type;
      place.steps.push_back({true, static_cast<uint32_t>(it - record.fields.begin()), {}, place.type});
      place.key += "." + it->name;
    } else if (part.kind == ExprKind::Index && shape.kind == ir::TypeKind::Array) {
      ExprRef indexRef = source.child(part, 1);
      ExprId index = convert(check(indexRef, names), model_.types.integer(), source.exprs[indexRef].span);
      if (!index.valid())
        return false;
      const Rational* number = model_.exprs.number(index);
      if (number && (number->sign() < 0 || *number >= Rational(shape.size))) {
        diagnostics_.report(Kind::OutOfRange, source.exprs[indexRef].span,
                            {"index " + number->toString(), "0.." + std::to_string(shape.size - 1)});
        return false;
      }
      place.fixed &= number != nullptr;
      place.key += "[" + (number ? number->toString() : "") + "]";
      place.type = shape.element;
      place.steps.push_back({false, 0, index, place.type});
    } else {
      diagnostics_.report(Kind::BadOperand, part.span,
                          {part.kind == ExprKind::Field ? "." + std::string(part.text) : "[…]", show(place.type)});
      return false;
    }
    if (!place.type.valid())
      return false;
  }
  return true;
}

void Lowering::assignVariable(AutomatonScope& scope, const Assignment& assignment, std::set<std::string>& places,
                              ir::Edge& result, Scope& names) {
  const Module& source = tree(names);
  Span placeSpan = source.exprs[assignment.place].span;
  Span valueSpan = source.exprs[assignment.value].span;
  std::vector<ExprRef> chain;
  ExprRef root = assignment.place;
  while (source.exprs[root].kind == ExprKind::Field || source.exprs[root].kind == ExprKind::Index) {
    chain.push_back(root);
    root = source.child(source.exprs[root], 0);
  }
  std::optional<ir::VariableId> variable = writableVariable(scope, source.exprs[root], chain, placeSpan, names);
  if (!variable)
    return;
  Place place{std::string(source.exprs[root].text), model_[*variable].type};
  if (!followPlace(chain, names, place))
    return;
  ExprId value = limited(convert(check(assignment.value, names, place.type), place.type, valueSpan), valueSpan);
  if (!value.valid())
    return;
  // The same place twice, or a whole and one of its parts, contradict each other; which element a variable index means
  // is known only when the edge fires.
  auto inside = [](const std::string& part, const std::string& whole) {
    return part.starts_with(whole + ".") || part.starts_with(whole + "[");
  };
  for (const std::string& other : places)
    if ((place.fixed && other == place.key) || inside(other, place.key) || inside(place.key, other)) {
      diagnostics_.report(Kind::AssignedTwice, placeSpan, {place.key});
      return;
    }
  places.insert(place.key);
  auto known = std::find_if(result.updates.begin(), result.updates.end(),
                            [&](const ir::Update& u) { return u.variable == *variable; });
  if (known == result.updates.end()) {
    result.updates.push_back({*variable, model_.exprs.variable(*variable, model_[*variable].type)});
    known = std::prev(result.updates.end());
  }
  known->value = limited(replaced(model_.exprs, known->value, place.steps, 0, value), placeSpan);
}

void Lowering::lowerAssignments(AutomatonScope& scope, const Clause& clause, ir::Edge& result, Scope& names) {
  std::set<std::string> places;
  for (const Assignment& assignment : clause.assignments)
    if (!assignClock(scope, assignment, places, result, names))
      assignVariable(scope, assignment, places, result, names);
}

} // namespace tioc::frontend
