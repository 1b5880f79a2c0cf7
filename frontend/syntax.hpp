#pragma once

#include "frontend/source.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

/// The syntax tree: what a file says, before any name is looked up. Names are views into the source text.
namespace tioc::frontend::syntax {

struct Name {
  std::string_view text;
  Span span;
};

/// `a.b.c`; the span covers the whole.
struct QualifiedName {
  std::vector<Name> parts;
  Span span;
};

using ExprRef = uint32_t;
inline constexpr ExprRef kNoExpr = UINT32_MAX;

enum class ExprKind : uint8_t {
  Error, ///< could not be parsed; already reported
  Number,
  Time,
  True,
  False,
  Name,
  Field,     // children: base; text: field
  Index,     // children: base, index
  Call,      // children: callee, arguments…; names: one per argument, empty if positional
  Array,     // children: elements
  Fill,      // children: element, size
  Negate,    // children: operand
  Not,       // children: operand
  Sum,       // children: terms; signs: one per term
  Product,   // children: factors
  Divide,    // children: two
  Remainder, // children: two
  Less,      // children: two
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  And,         // children: two or more
  Or,          // children: two or more
  Implies,     // children: two
  Conditional, // children: condition, yes, no
};

struct Expr {
  ExprKind kind = ExprKind::Error;
  Span span;
  std::string_view text;   ///< literals, names, fields
  uint32_t firstChild = 0; ///< into Module::children
  uint32_t childCount = 0;
  uint32_t extra = 0; ///< Call: into Module::names; Sum: into Module::signs
};

struct Dimension {
  ExprRef first = kNoExpr;
  ExprRef last = kNoExpr; ///< given: a range
  Span span;
};

enum class Builtin : uint8_t { None, Bool, Int, Real };

struct Type {
  Builtin builtin = Builtin::None;
  QualifiedName name;
  std::vector<Dimension> dimensions;
  Span span;
};

struct Parameter {
  Name name;
  Type type;
};

struct Import {
  QualifiedName name;
};

struct Timescale {
  std::string_view text; ///< a number, or a time with its unit
  Span amount;
  Name divisor; ///< of `1/3 s`, may be empty
  Name unit;    ///< empty if the text has one
};

struct Const {
  Name name;
  std::optional<Type> type;
  ExprRef value = kNoExpr;
};

struct Enum {
  Name name;
  std::vector<Name> literals;
};

struct Record {
  Name name;
  std::vector<Parameter> fields;
};

struct Alias {
  Name name;
  Type type;
};

struct Function {
  Name name;
  std::vector<Parameter> parameters;
  Type result;
  ExprRef body = kNoExpr;
};

enum class ChannelKind : uint8_t { Input, Output, Inout, Internal };

struct Channel {
  Name name;
  std::vector<Parameter> parameters;
  ChannelKind kind = ChannelKind::Internal;
  bool broadcast = false;
  bool open = false;
  Span openSpan;
};

enum class VariableKind : uint8_t { Plain, Input, Output };

struct Variable {
  Name name;
  Type type;
  ExprRef value = kNoExpr;
  VariableKind kind = VariableKind::Plain;
};

struct Clock {
  Name name;
};

enum class TriggerKind : uint8_t { None, Receive, Send, Tau, Otherwise, After };

struct Trigger {
  TriggerKind kind = TriggerKind::None;
  QualifiedName channel;
  bool hasArguments = false;
  std::vector<ExprRef> arguments; ///< kNoExpr: `_`
  std::vector<Span> argumentSpans;
  ExprRef timeout = kNoExpr;
  Span span;
};

enum class ClauseKind : uint8_t { When, Do, Takes, Priority, Weight, Jitter };

struct Assignment {
  ExprRef place = kNoExpr;
  ExprRef value = kNoExpr;
};

struct Clause {
  ClauseKind kind = ClauseKind::When;
  ExprRef first = kNoExpr;
  ExprRef second = kNoExpr;
  bool plusMinus = false;
  std::vector<Assignment> assignments;
  Span span; ///< the keyword
};

enum class Urgency : uint8_t { Default, Lazy, Delayable, Eager };

struct Edge {
  Name name; ///< may be empty
  Urgency urgency = Urgency::Default;
  Span urgencySpan;
  Trigger trigger;
  std::vector<Clause> clauses;
  Name target;
  Span span;
};

struct State {
  Name name;
  bool urgent = false;
  bool committed = false;
  Span modifierSpan;
  ExprRef invariant = kNoExpr;
  std::vector<Edge> edges;
};

struct EdgeReference {
  Name source;
  Name target;
  Span span;
};

/// The states of an automaton stand in one list; groups refer to them by index.
struct Group {
  Name name;
  std::vector<EdgeReference> restarts;
  std::vector<uint32_t> states;
  std::vector<Name> includes; ///< `states A, B;`
  std::vector<Edge> edges;
  std::optional<uint32_t> parent;
};

enum class AutomatonKind : uint8_t { Tiosts, Ests, Vdta, Purpose };

struct Init {
  Name location;
  ExprRef condition = kNoExpr;
  Span span;
};

struct Automaton {
  AutomatonKind kind = AutomatonKind::Tiosts;
  Name name;
  std::vector<Parameter> parameters;
  QualifiedName subject; ///< purposes
  std::vector<Variable> variables;
  std::vector<Clock> clocks;
  std::vector<Init> inits;
  std::vector<Name> deadlines;
  std::vector<State> states;
  std::vector<Group> groups; ///< outer ones before inner ones
};

struct Component {
  Name name; ///< may be empty
  QualifiedName automaton;
  std::vector<ExprRef> arguments;
  Name index; ///< `for index in first..last`, may be empty
  ExprRef first = kNoExpr;
  ExprRef last = kNoExpr;
  Span span;
};

struct System {
  Name name;
  bool queue = false;
  std::vector<Component> components;
};

struct Setting {
  Name key;
  std::vector<Name> values;
  Span span;
};

struct Suite {
  Name name;
  QualifiedName subject;
  std::vector<Setting> settings;
};

using Item = std::variant<Import, Timescale, Const, Enum, Record, Alias, Function, Channel, Variable, Clock, Automaton,
                          System, Suite>;

struct Module {
  uint32_t file = 0;
  QualifiedName name;
  std::vector<Item> items; ///< in the order of the source

  std::vector<Expr> exprs;
  std::vector<ExprRef> children;
  std::vector<Name> names;
  std::vector<bool> signs; ///< true: subtracted

  ExprRef child(const Expr& expr, uint32_t index) const { return children[expr.firstChild + index]; }
};

} // namespace tioc::frontend::syntax
