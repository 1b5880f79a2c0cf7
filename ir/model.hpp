#pragma once

#include "ir/expr.hpp"
#include "ir/ids.hpp"
#include "ir/types.hpp"

#include <map>
#include <string>
#include <vector>

namespace tioc::ir {

struct Enum {
  std::string name;
  std::vector<std::string> literals;
  Span span;
};

struct Member {
  std::string name;
  TypeId type;
};

struct Record {
  std::string name;
  std::vector<Member> fields;
  Span span;
};

/// Seen from the system under test.
enum class Direction : uint8_t { Input, Output, Inout, Internal };

struct Channel {
  std::string name;
  std::vector<Member> parameters;
  Direction direction = Direction::Input;
  bool broadcast = false;
  bool open = false; ///< an internal signal that the environment may send and see too (C, section 3.1)
  Span span;
};

enum class Role : uint8_t { Plain, Input, Output };

struct Variable {
  std::string name;
  TypeId type;
  ExprId initial;    ///< invalid: starts symbolic, limited by the initial condition
  AutomatonId owner; ///< invalid: shared, declared at module level
  Role role = Role::Plain;
  Span span;
};

struct Clock {
  std::string name;
  AutomatonId owner; ///< invalid: shared
  Span span;
};

/// left - right < bound, or <= bound. The clock 0 is the constant zero; so `x >= 3` is `zero - x <= -3`. The bound is
/// of type Real and counts time units.
struct ClockConstraint {
  ClockId left;
  ClockId right;
  bool strict = false;
  ExprId bound;
  Span span;
};

/// A condition on data and clocks: the conjunction of both parts.
struct Guard {
  ExprId data;
  std::vector<ClockConstraint> clocks;
};

/// How a purpose judges a run that gets here: `accept` ends the selection, `reject` prunes it.
enum class Mark : uint8_t { None, Accept, Reject };

struct Location {
  std::string name;
  AutomatonId automaton;
  Mark mark = Mark::None;
  bool urgent = false;
  bool committed = false;
  Guard invariant;
  Span span;
};

enum class ActionKind : uint8_t {
  Internal,   ///< unobservable; in an ESTS a tau with both outcomes (C, rule 6)
  Receive,    ///< c?(p…)
  Send,       ///< c!(p…)
  Completion, ///< ESTS: as soon as the guard holds
  Delay,      ///< ESTS: when the clock of the group reaches the timeout
  Update,     ///< VDTA: urgent change of outputs
  Otherwise,  ///< purpose: any observable action that no other edge of the location matches
};

/// Ordered: the deadline of a synchronisation is the larger of the two.
enum class Urgency : uint8_t { Lazy, Delayable, Eager };

struct Update {
  VariableId variable;
  ExprId value; ///< over the old values and the message parameters
};

struct Reset {
  ClockId clock;
  ClockId source; ///< valid: copies that clock, and `value` is zero
  ExprId value;   ///< of type Real
};

struct Edge {
  std::string name; ///< given by the model, or empty
  LocationId source;
  LocationId target;
  ActionKind action = ActionKind::Internal;
  ChannelId channel;              ///< Receive, Send
  std::vector<Member> parameters; ///< one per channel parameter; the guard speaks of them as Local
  Guard guard;
  std::vector<Update> updates; ///< simultaneous; at most one per variable
  std::vector<Reset> resets;
  Urgency urgency = Urgency::Lazy;
  std::optional<Guard> deadline; ///< what the urgency is about where that is more than the guard: the edge of the
                                 ///< specification that a product cut up
  uint32_t priority = 0;         ///< larger wins
  Rational weight = 1;
  ExprId minDuration; ///< ESTS, of type Real
  ExprId maxDuration;
  ExprId jitter;                 ///< ESTS, of type Real
  GroupId delayGroup;            ///< Delay: the group whose clock is waited for
  std::vector<GroupId> restarts; ///< ESTS: groups whose clock starts anew
  uint32_t origin = 0;           ///< edges cut from one edge of the source (a disjunctive guard of a VDTA) share it
  Span span;
};

/// C, definition 2. Every delay edge of the group has this timeout.
struct TimingGroup {
  std::string name;
  bool implicit = false; ///< made for an `after` written inside a state
  AutomatonId automaton;
  ClockId clock;
  std::vector<LocationId> locations;
  ExprId timeout; ///< of type Real
  Span span;
};

enum class AutomatonKind : uint8_t { Tiosts, Ests, Vdta, Purpose };
enum class Deadlines : uint8_t { Edges, Location };

struct Automaton {
  std::string name;
  AutomatonKind kind = AutomatonKind::Tiosts;
  std::vector<Member> parameters; ///< empty after instantiation
  Deadlines deadlines = Deadlines::Edges;
  std::vector<VariableId> variables;
  std::vector<ClockId> clocks;
  std::vector<LocationId> locations;
  std::vector<EdgeId> edges;
  std::vector<GroupId> groups;
  LocationId initial;
  ExprId initialCondition;
  Span initialSpan;
  SystemId subject; ///< Purpose: what it is for
  Span span;
};

struct Component {
  std::string name;
  AutomatonId automaton;
  std::vector<ExprId> arguments;
  Span span;
};

enum class Composition : uint8_t { Rendezvous, Queue };

struct System {
  std::string name;
  Composition composition = Composition::Rendezvous;
  std::vector<Component> components;
  bool implicit = false; ///< stands for an automaton without parameters on its own
  Span span;
};

enum class Goal : uint8_t { States, Edges, EdgePairs, DefUse, Boundary, Conditions, Purposes };
enum class Timing : uint8_t { Earliest, Latest, Middle, Boundary, Random };
enum class DataChoice : uint8_t { Any, Boundary, Random };

/// What a `suite` asks for. An option that was not stated has no value.
struct Suite {
  std::string name;
  SystemId subject;
  std::vector<AutomatonId> purposes;
  std::vector<Goal> goals;
  std::vector<Timing> timings;
  std::vector<DataChoice> data;
  std::optional<uint32_t> random; ///< number of random walks
  std::optional<uint32_t> length;
  std::optional<uint32_t> depth;
  std::optional<uint32_t> loops;
  std::optional<uint32_t> digital; ///< digital-clock trees up to this depth
  std::optional<uint64_t> seed;
  std::optional<Rational> tolerance; ///< time units
  Span span;
};

/// A whole program after the frontend: everything the files declare, flat, with constants, functions, type names and
/// imports resolved. Variables, clocks, locations and edges of all automata stand in one vector each; an automaton
/// lists its own.
///
/// `clocks[0]` is the reference clock that is always zero.
struct Model {
  Model();
  Model(Model&& other) noexcept;
  Model(const Model& other);
  Model& operator=(Model&& other) noexcept;
  Model& operator=(const Model&) = delete;

  std::string name;
  Rational secondsPerUnit = 1; ///< what one time unit is when a test runs for real
  TypeTable types;
  ExprPool exprs;
  std::vector<Enum> enums;
  std::vector<Record> records;
  std::vector<Channel> channels;
  std::vector<Variable> variables;
  std::vector<Clock> clocks;
  std::vector<Location> locations;
  std::vector<Edge> edges;
  std::vector<TimingGroup> groups;
  std::vector<Automaton> automata;
  std::vector<System> systems;
  std::vector<Suite> suites;

  Enum& operator[](EnumId id) { return enums[id.value]; }
  const Enum& operator[](EnumId id) const { return enums[id.value]; }
  Record& operator[](RecordId id) { return records[id.value]; }
  const Record& operator[](RecordId id) const { return records[id.value]; }
  Channel& operator[](ChannelId id) { return channels[id.value]; }
  const Channel& operator[](ChannelId id) const { return channels[id.value]; }
  Variable& operator[](VariableId id) { return variables[id.value]; }
  const Variable& operator[](VariableId id) const { return variables[id.value]; }
  Clock& operator[](ClockId id) { return clocks[id.value]; }
  const Clock& operator[](ClockId id) const { return clocks[id.value]; }
  Location& operator[](LocationId id) { return locations[id.value]; }
  const Location& operator[](LocationId id) const { return locations[id.value]; }
  Edge& operator[](EdgeId id) { return edges[id.value]; }
  const Edge& operator[](EdgeId id) const { return edges[id.value]; }
  TimingGroup& operator[](GroupId id) { return groups[id.value]; }
  const TimingGroup& operator[](GroupId id) const { return groups[id.value]; }
  Automaton& operator[](AutomatonId id) { return automata[id.value]; }
  const Automaton& operator[](AutomatonId id) const { return automata[id.value]; }
  System& operator[](SystemId id) { return systems[id.value]; }
  const System& operator[](SystemId id) const { return systems[id.value]; }
  Suite& operator[](SuiteId id) { return suites[id.value]; }
  const Suite& operator[](SuiteId id) const { return suites[id.value]; }

  static constexpr ClockId zeroClock() { return ClockId(0); }
};

/// What the language says when an edge states no urgency: outputs delayable, inputs lazy, internal edges eager; the
/// edges of purposes are lazy (B) unless they watch a VDTA (E), those of ESTS and VDTA follow their own step relations
/// and count as eager unless they wait for the environment.
Urgency defaultUrgency(AutomatonKind kind, ActionKind action);

/// The edges of `automaton` that leave `location`, in the order of the source.
std::vector<EdgeId> edgesFrom(const Model& model, const Automaton& automaton, LocationId location);

/// Whether the edge restarts the group's clock when the group states no restarts: it enters the group from outside, or
/// it is the group's own delay and stays inside.
bool restartsByDefault(const Model& model, const Edge& edge, GroupId group);

/// Calls `fn` with every expression that the model holds, by reference: passes rewrite through it. `isTime` tells
/// whether the value counts time units.
void forEachExpr(Model& model, const std::function<void(ExprId& expr, bool isTime)>& fn);

/// Whether both models say the same: equal up to source places and the numbering of expressions.
bool sameModel(const Model& a, const Model& b);

} // namespace tioc::ir
