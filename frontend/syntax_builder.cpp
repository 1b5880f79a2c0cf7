#include "frontend/syntax_builder.hpp"

namespace tioc::frontend {

using namespace syntax;
using grammar::TioParser;

namespace {

/// How many operators that do not merge into one node may follow each other: `a / b / c …`, `a[1][2]…`.
constexpr size_t kMaxChain = 256;

ExprKind binaryKind(size_t op) {
  switch (op) {
  case TioParser::STAR:
    return ExprKind::Product;
  case TioParser::SLASH:
    return ExprKind::Divide;
  case TioParser::PERCENT:
    return ExprKind::Remainder;
  case TioParser::PLUS:
  case TioParser::MINUS:
    return ExprKind::Sum;
  case TioParser::LESS:
    return ExprKind::Less;
  case TioParser::LESSEQUAL:
    return ExprKind::LessEqual;
  case TioParser::GREATER:
    return ExprKind::Greater;
  case TioParser::GREATEREQUAL:
    return ExprKind::GreaterEqual;
  case TioParser::EQUAL:
    return ExprKind::Equal;
  case TioParser::NOTEQUAL:
    return ExprKind::NotEqual;
  case TioParser::AND:
    return ExprKind::And;
  case TioParser::OR:
    return ExprKind::Or;
  default:
    return ExprKind::Implies;
  }
}

/// The context as one of exactly that class. Alternatives of a rule are final, so comparing the type is enough and much
/// quicker than a cast.
template <class T>
T* as(TioParser::ExprContext* ctx) {
  return typeid(*ctx) == typeid(T) ? static_cast<T*>(ctx) : nullptr;
}

bool merges(ExprKind kind) {
  return kind == ExprKind::Sum || kind == ExprKind::Product || kind == ExprKind::And || kind == ExprKind::Or;
}

} // namespace

SyntaxBuilder::SyntaxBuilder(const Sources& sources, uint32_t file, const TokenStream& tokens, Diagnostics& diagnostics)
    : sources_(sources), tokens_(tokens), diagnostics_(diagnostics) {
  module_.file = file;
}

Name SyntaxBuilder::name(antlr4::Token* token) const {
  if (!token)
    return {};
  Span at = tokens_.span(token);
  return {sources_.text(at), at};
}

QualifiedName SyntaxBuilder::qualified(TioParser::QualifiedNameContext* ctx) const {
  QualifiedName result{{}, span(ctx)};
  for (antlr4::Token* part : ctx->parts)
    result.parts.push_back(name(part));
  return result;
}

void SyntaxBuilder::header(TioParser::HeaderContext* ctx) {
  module_.name = qualified(ctx->name);
}

void SyntaxBuilder::item(TioParser::ItemContext* ctx) {
  if (auto* import = ctx->asImport) {
    module_.items.emplace_back(Import{qualified(import->name)});
  } else if (auto* scale = ctx->asTimescale) {
    Name amount = name(scale->amount);
    module_.items.emplace_back(Timescale{amount.text, amount.span, name(scale->divisor), name(scale->unit)});
  } else if (auto* constant = ctx->asConst) {
    Const result{name(constant->name), {}, expr(constant->value)};
    if (constant->valueType)
      result.type = type(constant->valueType);
    module_.items.emplace_back(std::move(result));
  } else if (auto* enumeration = ctx->asEnum) {
    Enum result{name(enumeration->name), {}};
    for (antlr4::Token* literal : enumeration->literals)
      result.literals.push_back(name(literal));
    module_.items.emplace_back(std::move(result));
  } else if (auto* record = ctx->asRecord) {
    module_.items.emplace_back(Record{name(record->name), parameters(record->fields)});
  } else if (auto* alias = ctx->asType) {
    module_.items.emplace_back(Alias{name(alias->name), type(alias->aliased)});
  } else if (auto* function = ctx->asFunction) {
    module_.items.emplace_back(
        Function{name(function->name), parameters(function->parameters), type(function->result), expr(function->body)});
  } else if (ctx->asChannel) {
    channels(ctx->asChannel);
  } else if (ctx->asVar) {
    std::vector<Variable> list;
    variables(ctx->asVar->variables, VariableKind::Plain, list);
    for (Variable& variable : list)
      module_.items.emplace_back(std::move(variable));
  } else if (ctx->asClock) {
    for (antlr4::Token* token : ctx->asClock->names)
      module_.items.emplace_back(Clock{name(token)});
  } else if (auto* automaton = ctx->asAutomaton) {
    Automaton result;
    result.kind = automaton->kind->getType() == P::TIOSTS ? AutomatonKind::Tiosts
                  : automaton->kind->getType() == P::ESTS ? AutomatonKind::Ests
                                                          : AutomatonKind::Vdta;
    result.name = name(automaton->name);
    result.parameters = parameters(automaton->parameters);
    members(automaton->members, result);
    module_.items.emplace_back(std::move(result));
  } else if (auto* purpose = ctx->asPurpose) {
    Automaton result;
    result.kind = AutomatonKind::Purpose;
    result.name = name(purpose->name);
    result.subject = qualified(purpose->subject);
    members(purpose->members, result);
    module_.items.emplace_back(std::move(result));
  } else if (ctx->asSystem) {
    module_.items.emplace_back(system(ctx->asSystem));
  } else if (ctx->asSuite) {
    module_.items.emplace_back(suite(ctx->asSuite));
  }
}

Type SyntaxBuilder::type(TioParser::TypeContext* ctx) {
  Type result;
  result.span = span(ctx);
  if (ctx->builtin)
    result.builtin = ctx->builtin->getType() == P::BOOL  ? Builtin::Bool
                     : ctx->builtin->getType() == P::INT ? Builtin::Int
                                                         : Builtin::Real;
  else
    result.name = qualified(ctx->name);
  for (P::DimensionContext* dimension : ctx->dimensions)
    result.dimensions.push_back(
        {expr(dimension->first), dimension->last ? expr(dimension->last) : kNoExpr, span(dimension)});
  return result;
}

std::vector<Parameter> SyntaxBuilder::parameters(const std::vector<TioParser::ParameterContext*>& list) {
  std::vector<Parameter> result;
  for (P::ParameterContext* parameter : list)
    result.push_back({name(parameter->name), type(parameter->parameterType)});
  return result;
}

void SyntaxBuilder::channels(TioParser::ChannelDeclContext* ctx) {
  for (P::ChannelContext* channel : ctx->channels) {
    Channel result;
    result.name = name(channel->name);
    result.parameters = parameters(channel->parameters);
    result.broadcast = ctx->broadcast != nullptr;
    result.open = ctx->open != nullptr;
    if (result.open)
      result.openSpan = tokens_.span(ctx->open);
    if (ctx->direction)
      result.kind = ctx->direction->getType() == P::INPUT    ? ChannelKind::Input
                    : ctx->direction->getType() == P::OUTPUT ? ChannelKind::Output
                    : ctx->direction->getType() == P::INOUT  ? ChannelKind::Inout
                                                             : ChannelKind::Internal;
    module_.items.emplace_back(std::move(result));
  }
}

void SyntaxBuilder::variables(const std::vector<TioParser::VariableContext*>& list, VariableKind kind,
                              std::vector<Variable>& out) {
  for (P::VariableContext* variable : list)
    out.push_back(
        {name(variable->name), type(variable->variableType), variable->value ? expr(variable->value) : kNoExpr, kind});
}

void SyntaxBuilder::members(const std::vector<TioParser::MemberContext*>& list, Automaton& automaton) {
  for (P::MemberContext* member : list) {
    if (member->asVar) {
      variables(member->asVar->variables, VariableKind::Plain, automaton.variables);
    } else if (member->asClock) {
      for (antlr4::Token* token : member->asClock->names)
        automaton.clocks.push_back({name(token)});
    } else if (auto* signal = member->asSignal) {
      variables(signal->variables,
                signal->direction->getType() == P::INPUT ? VariableKind::Input : VariableKind::Output,
                automaton.variables);
    } else if (auto* init = member->asInit) {
      automaton.inits.push_back({name(init->location), init->condition ? expr(init->condition) : kNoExpr, span(init)});
    } else if (member->asDeadlines) {
      automaton.deadlines.push_back(name(member->asDeadlines->reading));
    } else if (member->asState) {
      state(member->asState, automaton);
    } else if (member->asGroup) {
      group(member->asGroup, automaton, std::nullopt);
    }
  }
}

uint32_t SyntaxBuilder::state(TioParser::StateDeclContext* ctx, Automaton& automaton) {
  State result;
  result.name = name(ctx->name);
  for (antlr4::Token* modifier : ctx->modifiers) {
    (modifier->getType() == P::URGENT ? result.urgent : result.committed) = true;
    result.modifierSpan = tokens_.span(modifier);
  }
  if (ctx->invariant)
    result.invariant = expr(ctx->invariant);
  result.edges.reserve(ctx->edges.size());
  for (P::EdgeContext* one : ctx->edges)
    result.edges.push_back(edge(one));
  automaton.states.push_back(std::move(result));
  return static_cast<uint32_t>(automaton.states.size() - 1);
}

void SyntaxBuilder::group(TioParser::GroupDeclContext* ctx, Automaton& automaton, std::optional<uint32_t> parent) {
  auto self = static_cast<uint32_t>(automaton.groups.size());
  automaton.groups.push_back({name(ctx->name), {}, {}, {}, {}, parent});
  for (P::EdgeReferenceContext* restart : ctx->restarts)
    automaton.groups[self].restarts.push_back({name(restart->source), name(restart->destination), span(restart)});
  for (P::GroupMemberContext* member : ctx->members) {
    if (member->asState) {
      uint32_t index = state(member->asState, automaton);
      // An inner group's states belong to the outer ones as well.
      for (std::optional<uint32_t> g = self; g; g = automaton.groups[*g].parent)
        automaton.groups[*g].states.push_back(index);
    } else if (member->asGroup) {
      group(member->asGroup, automaton, self);
    } else if (member->asStates) {
      for (antlr4::Token* token : member->asStates->names)
        automaton.groups[self].includes.push_back(name(token));
    } else if (member->asEdge) {
      Edge one = edge(member->asEdge);
      automaton.groups[self].edges.push_back(std::move(one));
    }
  }
}

Edge SyntaxBuilder::edge(TioParser::EdgeContext* ctx) {
  Edge result;
  result.name = name(ctx->name);
  if (ctx->urgency) {
    result.urgency = ctx->urgency->getType() == P::LAZY        ? Urgency::Lazy
                     : ctx->urgency->getType() == P::DELAYABLE ? Urgency::Delayable
                                                               : Urgency::Eager;
    result.urgencySpan = tokens_.span(ctx->urgency);
  }
  if (ctx->cause)
    result.trigger = trigger(ctx->cause);
  for (P::ClauseContext* one : ctx->clauses)
    result.clauses.push_back(clause(one));
  result.target = name(ctx->destination);
  result.span = span(ctx);
  return result;
}

Trigger SyntaxBuilder::trigger(TioParser::TriggerContext* ctx) {
  Trigger result;
  result.span = span(ctx);
  if (ctx->internal) {
    result.kind = TriggerKind::Tau;
  } else if (ctx->otherwise) {
    result.kind = TriggerKind::Otherwise;
  } else if (ctx->after) {
    result.kind = TriggerKind::After;
    result.timeout = expr(ctx->timeout);
  } else {
    result.kind = ctx->direction->getType() == P::QUESTION ? TriggerKind::Receive : TriggerKind::Send;
    result.channel = qualified(ctx->channelName);
    result.hasArguments = ctx->list != nullptr;
    for (P::ArgumentContext* argument : ctx->arguments) {
      result.arguments.push_back(argument->wildcard ? kNoExpr : expr(argument->value));
      result.argumentSpans.push_back(span(argument));
    }
  }
  return result;
}

Clause SyntaxBuilder::clause(TioParser::ClauseContext* ctx) {
  Clause result;
  result.span = tokens_.span(ctx->kind);
  switch (ctx->kind->getType()) {
  case P::WHEN:
    result.kind = ClauseKind::When;
    result.first = expr(ctx->condition);
    break;
  case P::DO:
    result.kind = ClauseKind::Do;
    for (P::AssignmentContext* assignment : ctx->assignments)
      result.assignments.push_back({expr(assignment->place), expr(assignment->value)});
    break;
  case P::TAKES:
    result.kind = ClauseKind::Takes;
    result.first = expr(ctx->first);
    if (ctx->interval) {
      result.plusMinus = ctx->interval->getType() == P::PLUSMINUS;
      result.second = expr(ctx->second);
    }
    break;
  default:
    result.kind = ctx->kind->getType() == P::PRIORITY ? ClauseKind::Priority
                  : ctx->kind->getType() == P::WEIGHT ? ClauseKind::Weight
                                                      : ClauseKind::Jitter;
    result.first = expr(ctx->number);
  }
  return result;
}

System SyntaxBuilder::system(TioParser::SystemDeclContext* ctx) {
  System result{name(ctx->name), ctx->queue != nullptr, {}};
  for (P::ComponentContext* component : ctx->components) {
    Component one;
    one.name = name(component->name);
    one.automaton = qualified(component->automaton);
    for (P::ExprContext* argument : component->arguments)
      one.arguments.push_back(expr(argument));
    one.index = name(component->index);
    if (component->index) {
      one.first = bound(component->first);
      one.last = bound(component->last);
    }
    one.span = span(component);
    result.components.push_back(std::move(one));
  }
  return result;
}

ExprRef SyntaxBuilder::bound(TioParser::BoundContext* ctx) {
  if (ctx->inner)
    return expr(ctx->inner);
  Name text = name(ctx->number ? ctx->number : ctx->name);
  ExprRef value = push(ctx->number ? ExprKind::Number : ExprKind::Name, text.span, text.text, {});
  return ctx->minus ? push(ExprKind::Negate, span(ctx), {}, {value}) : value;
}

Suite SyntaxBuilder::suite(TioParser::SuiteDeclContext* ctx) {
  Suite result{name(ctx->name), qualified(ctx->subject), {}};
  for (P::SettingContext* setting : ctx->settings) {
    Setting one{name(setting->key), {}, span(setting)};
    for (P::SettingValueContext* value : setting->values)
      one.values.push_back(name(value->word));
    result.settings.push_back(std::move(one));
  }
  return result;
}

// ---- expressions

ExprRef SyntaxBuilder::push(ExprKind kind, Span at, std::string_view text, const std::vector<ExprRef>& children,
                            uint32_t extra) {
  Expr result{kind, at, text, static_cast<uint32_t>(module_.children.size()), static_cast<uint32_t>(children.size()),
              extra};
  module_.children.insert(module_.children.end(), children.begin(), children.end());
  module_.exprs.push_back(result);
  return static_cast<ExprRef>(module_.exprs.size() - 1);
}

/// Operators on the left side of each other are taken in a loop, so that a sum of thousands of terms needs no stack;
/// sums, products and the boolean connectives become one node with many children.
ExprRef SyntaxBuilder::expr(TioParser::ExprContext* ctx) {
  std::vector<P::ExprContext*> spine;
  P::ExprContext* node = ctx;
  while (true) {
    if (auto* binary = as<P::BinaryContext>(node)) {
      spine.push_back(node);
      node = binary->left;
    } else if (auto* field = as<P::FieldContext>(node)) {
      spine.push_back(node);
      node = field->base;
    } else if (auto* index = as<P::IndexContext>(node)) {
      spine.push_back(node);
      node = index->base;
    } else if (auto* call = as<P::CallContext>(node)) {
      spine.push_back(node);
      node = call->callee;
    } else {
      break;
    }
  }
  ExprRef result = primary(node);
  antlr4::Token* first = ctx->getStart();
  std::vector<ExprRef> operands; // of a chain that still grows
  std::vector<bool> signs;
  ExprKind open = ExprKind::Error;
  antlr4::Token* last = node->getStop();
  size_t closed = 0;
  auto close = [&]() {
    if (open == ExprKind::Error)
      return;
    auto extra = static_cast<uint32_t>(module_.signs.size());
    module_.signs.insert(module_.signs.end(), signs.begin(), signs.end());
    result = push(open, tokens_.span(first, last), {}, operands, extra);
    open = ExprKind::Error;
    operands.clear();
    signs.clear();
    ++closed;
  };
  for (size_t i = spine.size(); i-- > 0;) {
    P::ExprContext* step = spine[i];
    if (auto* binary = as<P::BinaryContext>(step)) {
      ExprKind kind = binaryKind(binary->op->getType());
      if (open != kind || !merges(kind)) {
        close();
        open = kind;
        operands.push_back(result);
        signs.push_back(false);
      }
      operands.push_back(expr(binary->right));
      signs.push_back(binary->op->getType() == P::MINUS);
      last = step->getStop();
      continue;
    }
    close();
    last = step->getStop();
    Span at = tokens_.span(first, last);
    ++closed;
    if (auto* field = as<P::FieldContext>(step)) {
      result = push(ExprKind::Field, at, name(field->field).text, {result});
    } else if (auto* index = as<P::IndexContext>(step)) {
      result = push(ExprKind::Index, at, {}, {result, expr(index->index)});
    } else if (auto* call = as<P::CallContext>(step)) {
      std::vector<ExprRef> children{result};
      std::vector<Name> names;
      for (P::CallArgumentContext* argument : call->arguments) {
        children.push_back(expr(argument->value));
        names.push_back(name(argument->name));
      }
      auto extra = static_cast<uint32_t>(module_.names.size());
      module_.names.insert(module_.names.end(), names.begin(), names.end());
      result = push(ExprKind::Call, at, {}, children, extra);
    }
  }
  close();
  if (closed > kMaxChain) {
    diagnostics_.report(Kind::NestedTooDeeply, tokens_.span(ctx->getStart()), {std::to_string(kMaxChain)});
    return push(ExprKind::Error, span(ctx), {}, {});
  }
  return result;
}

ExprRef SyntaxBuilder::primary(TioParser::ExprContext* ctx) {
  if (auto* inner = as<P::ParenthesisedContext>(ctx))
    return expr(inner->inner);
  if (auto* literal = as<P::LiteralContext>(ctx)) {
    ExprKind kind = literal->literal->getType() == P::NUMBER ? ExprKind::Number
                    : literal->literal->getType() == P::TIME ? ExprKind::Time
                    : literal->literal->getType() == P::TRUE ? ExprKind::True
                                                             : ExprKind::False;
    Name text = name(literal->literal);
    return push(kind, text.span, text.text, {});
  }
  if (auto* use = as<P::NameUseContext>(ctx)) {
    Name text = name(use->name);
    return push(ExprKind::Name, text.span, text.text, {});
  }
  if (auto* array = as<P::ArrayLiteralContext>(ctx)) {
    std::vector<ExprRef> children;
    for (P::ExprContext* element : array->elements)
      children.push_back(expr(element));
    if (!array->size)
      return push(ExprKind::Array, span(ctx), {}, children);
    if (children.size() > 1)
      diagnostics_.report(Kind::FillTakesOneValue, span(ctx));
    children.resize(1);
    children.push_back(expr(array->size));
    return push(ExprKind::Fill, span(ctx), {}, children);
  }
  if (auto* unary = as<P::UnaryContext>(ctx)) {
    ExprRef operand = expr(unary->operand);
    return push(unary->op->getType() == P::MINUS ? ExprKind::Negate : ExprKind::Not, span(ctx), {}, {operand});
  }
  auto* conditional = as<P::ConditionalContext>(ctx);
  ExprRef condition = expr(conditional->condition);
  ExprRef yes = expr(conditional->yes);
  ExprRef no = expr(conditional->no);
  return push(ExprKind::Conditional, span(ctx), {}, {condition, yes, no});
}

} // namespace tioc::frontend
