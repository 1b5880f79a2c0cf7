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
  size_t errors = diagnostics_.errors();
  lowerTrigger(scope, edge, base, names, terms);

  AutomatonKind kind = scope.syntax->kind;
  base.urgency = ir::defaultUrgency(model_[scope.id].kind, base.action);
  if (edge.urgency != Urgency::Default) {
    if (kind != AutomatonKind::Tiosts)
      diagnostics_.report(Kind::NotAllowedHere, edge.urgencySpan, {"an urgency", kindName(kind)});
    base.urgency = edge.urgency == Urgency::Lazy ? ir::Urgency::Lazy : edge.urgency == Urgency::Delayable ? ir::Urgency::Delayable : ir::Urgency::Eager;
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
      alternatives = guards(clause.first, names, kind == AutomatonKind::Vdta || (kind == AutomatonKind::Purpose && base.action == ir::ActionKind::Update),
                            "a guard");
    else
      lowerClause(scope, clause, base, names);
  }
  bool timed = std::any_of(alternatives.begin(), alternatives.end(), [](const ir::Guard& g) { return !g.clocks.empty(); }) || !base.resets.empty();
  if (kind == AutomatonKind::Ests && timed)
    diagnostics_.report(Kind::NotAllowedHere, edge.span, {"a clock", kindName(kind)}).note({}, "its time is in 'group', 'after' and 'takes'");
  if (diagnostics_.errors() == errors)
    afterEdge(edge, base, bound);
  names.bound = nullptr;
  if (diagnostics_.errors() != errors)
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
    diagnostics_.report(Kind::NotAllowedHere, clause.span, {"'" + std::string(clauseName(clause.kind)) + "'", kindName(kind)});
  return allowed;
}

// ---- triggers

bool Lowering::lowerTrigger(AutomatonScope& scope, const Edge& edge, ir::Edge& result, Scope& names, std::vector<ExprId>& terms) {
  AutomatonKind kind = scope.syntax->kind;
  bool ofVdta = false;
  if (kind == AutomatonKind::Purpose && model_[scope.id].subject.valid()) {
    const auto& parts = model_[model_[scope.id].subject].components;
    ofVdta = !parts.empty() && model_[parts[0].automaton].kind == ir::AutomatonKind::Vdta;
  }
  auto refuse = [&](const char* what) {
    diagnostics_.report(Kind::NotAllowedHere, edge.trigger.span, {what, ofVdta ? "a purpose for a vdta" : kindName(kind)});
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

/// Whether a name in the place of a message parameter stands for a value that is fixed, so that it is matched and not bound.
bool Lowering::isDataConstantName(const Expr& expr, Scope& scope) {
  if (LocalSymbol* local = localOf(*scope.automaton, expr.text))
    return local->kind == LocalSymbol::Kind::Parameter;
  Symbol* symbol = findSimple(expr.text, expr.span, scope.module, true);
  return symbol && (symbol->kind == SymbolKind::Constant || symbol->kind == SymbolKind::EnumLiteral);
}

bool Lowering::lowerMessage(AutomatonScope& scope, const Edge& edge, ir::Edge& result, Scope& names, std::vector<ExprId>& terms) {
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
    diagnostics_.report(Kind::WrongArgumentCount, trigger.span, {"'" + std::string(symbol->name.text) + "'", count(parameters.size(), "value"), std::to_string(trigger.arguments.size())})
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
    ExprId value = limited(convert(check(trigger.arguments[i], names, parameters[i].type), parameters[i].type, trigger.argumentSpans[i]), trigger.argumentSpans[i]);
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
    ExprId second = clause.second == kNoExpr ? first : time(clause.second, names, clause.plusMinus ? "the tolerance" : "the duration");
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

/// One step into a record or an array.
struct Step {
  bool field = false;
  uint32_t index = 0; // of the field
  ExprId at;          // of the element
  TypeId type;        // of what the step leads to
};

/// A copy of `whole` with what the steps lead to replaced.
ExprId replaced(ir::ExprPool& pool, ExprId whole, const std::vector<Step>& steps, size_t from, ExprId value) {
  if (from == steps.size())
    return value;
  const Step& step = steps[from];
  if (step.field)
    return pool.setField(whole, step.index, replaced(pool, pool.field(whole, step.index, step.type), steps, from + 1, value));
  return pool.setElement(whole, step.at, replaced(pool, pool.element(whole, step.at), steps, from + 1, value));
}

} // namespace

void Lowering::lowerAssignments(AutomatonScope& scope, const Clause& clause, ir::Edge& result, Scope& names) {
  const Module& source = tree(names);
  std::set<std::string> places;
  for (const Assignment& assignment : clause.assignments) {
    const Expr& place = source.exprs[assignment.place];
    Span valueSpan = source.exprs[assignment.value].span;
    // Clocks first: their values are times.
    if (std::optional<ir::ClockId> clock = clockNamed(place, names, false)) {
      const ir::Clock& target = model_[*clock];
      if (target.owner.valid() && target.owner != scope.id) {
        diagnostics_.report(Kind::NotAssignable, place.span, {"a purpose reads the clocks of its subject and never sets them"});
        continue;
      }
      if (!places.insert(target.name).second) {
        diagnostics_.report(Kind::AssignedTwice, place.span, {target.name});
        continue;
      }
      if (std::optional<ir::ClockId> other = clockNamed(source.exprs[assignment.value], names, true)) {
        result.resets.push_back({*clock, *other, model_.exprs.real(0)});
        continue;
      }
      ExprId value = convert(check(assignment.value, names), model_.types.real(), valueSpan);
      if (!value.valid())
        continue;
      const Rational* number = model_.exprs.number(value);
      bool parameterised = !number && model_.exprs.op(value) != ir::Op::Variable;
      model_.exprs.visit(value, [&](ExprId id) {
        ir::Op op = model_.exprs.op(id);
        parameterised &= op != ir::Op::Variable && op != ir::Op::Local;
      });
      if (number ? number->sign() < 0 : !parameterised) {
        diagnostics_.report(Kind::BadClockValue, valueSpan);
        continue;
      }
      result.resets.push_back({*clock, {}, value});
      continue;
    }
    // The variable at the root of `a[i].f`, and the steps from there.
    std::vector<ExprRef> chain;
    ExprRef root = assignment.place;
    while (source.exprs[root].kind == ExprKind::Field || source.exprs[root].kind == ExprKind::Index) {
      chain.push_back(root);
      root = source.child(source.exprs[root], 0);
    }
    const Expr& rootExpr = source.exprs[root];
    if (rootExpr.kind != ExprKind::Name) {
      diagnostics_.report(Kind::NotAssignable, place.span, {"only a variable, a clock, a field or an element can be assigned"});
      continue;
    }
    LocalSymbol* local = localOf(scope, rootExpr.text);
    Symbol* symbol = nullptr;
    std::optional<ir::VariableId> variable;
    bool foreign = false;
    for (const BoundName& bound : *names.bound)
      if (bound.name.text == rootExpr.text) {
        local = nullptr;
        foreign = true;
        diagnostics_.report(Kind::NotAssignable, place.span, {"'" + std::string(rootExpr.text) + "' is a message parameter; only variables can be assigned"});
      }
    if (foreign)
      continue;
    if (local) {
      local->used = true;
      if (local->kind == LocalSymbol::Kind::Variable)
        variable = ir::VariableId(local->index);
    } else {
      bool ofSubject = false;
      for (AutomatonScope* subject : names.subjects)
        ofSubject |= localOf(*subject, rootExpr.text) != nullptr;
      if (ofSubject || names.namedSubjects.contains(rootExpr.text)) {
        diagnostics_.report(Kind::NotAssignable, place.span, {"a purpose reads the variables of its subject and never writes them"});
        continue;
      }
      symbol = findSimple(rootExpr.text, rootExpr.span, scope.module, true);
      if (!symbol) {
        unknown(rootExpr.text, rootExpr.span, visibleNames(names));
        continue;
      }
      if (symbol->kind == SymbolKind::Variable)
        variable = ir::VariableId(symbol->index);
    }
    if (!variable) {
      std::string what = local ? "a parameter of the automaton" : describe(symbol->kind);
      diagnostics_.report(Kind::NotAssignable, place.span, {"'" + std::string(rootExpr.text) + "' is " + what + "; only variables can be assigned"});
      continue;
    }
    if (model_[*variable].role == ir::Role::Input) {
      diagnostics_.report(Kind::NotAssignable, place.span, {"'" + std::string(rootExpr.text) + "' is an input; only the environment sets it"});
      continue;
    }
    TypeId type = model_[*variable].type;
    if (!type.valid())
      continue;
    std::vector<Step> steps;
    std::string key(rootExpr.text);
    bool fixed = true;
    bool good = true;
    for (size_t i = chain.size(); i-- > 0 && good;) {
      const Expr& part = source.exprs[chain[i]];
      const ir::Type& shape = model_.types[type];
      if (part.kind == ExprKind::Field && shape.kind == ir::TypeKind::Record) {
        const ir::Record& record = model_[shape.record];
        auto it = std::find_if(record.fields.begin(), record.fields.end(), [&](const ir::Member& m) { return m.name == part.text; });
        if (it == record.fields.end()) {
          diagnostics_.report(Kind::UnknownField, part.span, {"record '" + record.name + "'", std::string(part.text)});
          good = false;
          break;
        }
        type = it->type;
        steps.push_back({true, static_cast<uint32_t>(it - record.fields.begin()), {}, type});
        key += "." + it->name;
      } else if (part.kind == ExprKind::Index && shape.kind == ir::TypeKind::Array) {
        ExprRef indexRef = source.child(part, 1);
        ExprId index = convert(check(indexRef, names), model_.types.integer(), source.exprs[indexRef].span);
        const Rational* number = index.valid() ? model_.exprs.number(index) : nullptr;
        if (number && (number->sign() < 0 || *number >= Rational(shape.size))) {
          diagnostics_.report(Kind::OutOfRange, source.exprs[indexRef].span, {"index " + number->toString(), "0.." + std::to_string(shape.size - 1)});
          index = {};
        }
        good = index.valid();
        fixed &= number != nullptr;
        key += "[" + (number ? number->toString() : "") + "]";
        type = model_.types[type].element;
        steps.push_back({false, 0, index, type});
      } else {
        diagnostics_.report(Kind::BadOperand, part.span, {part.kind == ExprKind::Field ? "." + std::string(part.text) : "[…]", show(type)});
        good = false;
      }
    }
    if (!good)
      continue;
    ExprId value = limited(convert(check(assignment.value, names, type), type, valueSpan), valueSpan);
    if (!value.valid())
      continue;
    // The same place twice, or a whole and one of its parts, contradict each other.
    bool clash = false;
    for (const std::string& other : places)
      clash |= fixed && (other == key || other.starts_with(key + ".") || other.starts_with(key + "[") || key.starts_with(other + ".") || key.starts_with(other + "["));
    if (clash) {
      diagnostics_.report(Kind::AssignedTwice, place.span, {key});
      continue;
    }
    if (fixed)
      places.insert(key);
    auto known = std::find_if(result.updates.begin(), result.updates.end(), [&](const ir::Update& u) { return u.variable == *variable; });
    ExprId current = known != result.updates.end() ? known->value : model_.exprs.variable(*variable, model_[*variable].type);
    ExprId next = limited(replaced(model_.exprs, current, steps, 0, value), place.span);
    if (known != result.updates.end())
      known->value = next;
    else
      result.updates.push_back({*variable, next});
  }
}

} // namespace tioc::frontend
