#pragma once

#include "ir/model.hpp"
#include "ir/reference.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// A slow, plain reading of the step relation of TIOSTS networks, to compare engines with. It knows `ir/` and the plain
// reading of expressions beside it, and nothing else.
namespace tioc::semantics::reference {

using ir::Rational;
using ir::reference::Value;

/// A concrete state of a network. Variables and clocks are keyed by their ids; those of purposes are left out.
struct State {
  std::vector<ir::LocationId> locations; ///< one per component
  std::map<uint32_t, Value> variables;
  std::map<uint32_t, Rational> clocks;

  bool operator==(const State&) const = default;
  bool operator<(const State& other) const;
};

/// Seen from outside the network.
enum class Kind : uint8_t { Input, Output, Unobservable };

struct Label {
  Kind kind = Kind::Unobservable;
  ir::ChannelId channel; ///< invalid for an internal edge
  std::vector<Value> values;

  bool operator==(const Label&) const = default;
  bool operator<(const Label& other) const;
};

/// One joint step. The sender's edge stands first; the receivers of a broadcast follow in the order of components.
struct Move {
  Label label;
  std::vector<ir::EdgeId> edges;
  State target;
};

/// The delays that a state allows: all from 0 up to the bound.
struct Delays {
  std::optional<Rational> bound; ///< nothing: without limit
  bool open = false;             ///< the bound itself is not reached

  bool contains(const Rational& delay) const;
  bool operator==(const Delays&) const = default;
};

/// The network of an instantiated model: the result of `ir::instantiate`, whose first system lists the components.
/// The model must outlive it.
///
/// Where a definition says "for some values of the message", values are searched for: all of a small type, `numbers`,
/// and those around each number that a parameter is compared with. That finds a value whenever one exists, as long as
/// the guards compare each parameter, times a constant, with terms over variables and earlier parameters.
class Network {
public:
  explicit Network(const ir::Model& model, std::vector<Rational> numbers = {-1, 0, 1, 2, 3});

  const ir::Model& model() const { return *model_; }
  const std::vector<ir::AutomatonId>& components() const { return components_; }

  /// The states in which the network may start. A variable without initial value takes each of the values given for it,
  /// or each candidate of its type, as far as types, initial conditions and invariants allow.
  std::vector<State> initialStates(const std::map<ir::VariableId, std::vector<Value>>& open = {}) const;

  /// Every joint step that is possible now. Open message values range over the candidates: `numbers`, every value of a
  /// small type, and what the guards state by `==`.
  std::vector<Move> moves(const State& state, const std::vector<Rational>& numbers) const;
  std::vector<Move> moves(const State& state) const { return moves(state, numbers_); }

  /// The state behind a joint step by exactly these edges with these values, in the order of `Move`; nothing if the
  /// step is not possible.
  std::optional<State> take(const State& state, const std::vector<ir::EdgeId>& edges,
                            const std::vector<Value>& values) const;

  /// How long time may pass from here. Precondition: the invariants hold. Under `deadlines location` a component counts
  /// as quiescent only if `quiescent` of it alone finds so within its default depth.
  Delays delays(const State& state) const;
  bool canDelay(const State& state, const Rational& delay) const { return delays(state).contains(delay); }

  /// Whether no output can come, however long one waits, also not behind unobservable steps (A, definition 12). Nothing
  /// if the answer lies behind more than `depth` of these. Delays are tried once in every region, so the answer is
  /// exact where clock bounds are constant.
  std::optional<bool> quiescent(const State& state, unsigned depth = 6) const;

  /// Delays such that every behaviour of the clocks on the way from here on shows at one of them: all instants at which
  /// a clock reaches a multiple of the model's time grain or a guard changes, up to the largest constant, one instant
  /// between each two of them, and one behind all.
  std::vector<Rational> instants(const State& state) const;

private:
  enum class Search : uint8_t { Candidates, Derived };

  /// Edges that would step together, before the values are known. The receivers of a broadcast are not yet chosen; a
  /// broadcast of the environment has no edges at all.
  struct Sync {
    Kind kind = Kind::Unobservable;
    ir::ChannelId channel;
    std::vector<ir::EdgeId> edges;
    bool broadcast = false;
  };

  /// A deadline: some edges that would step together, with the strictest of their urgencies.
  struct Binding {
    ir::Urgency urgency = ir::Urgency::Lazy;
    std::vector<ir::EdgeId> edges;
  };

  /// An interval of delays.
  struct Window {
    Rational low;
    bool lowOpen = false;
    std::optional<Rational> high;
    bool highOpen = false;
  };

  Network(const Network& whole, size_t component);

  void readChannels();
  void readConstants();
  bool closed(ir::ChannelId channel) const { return closed_.contains(channel); }
  bool isDead(const ir::Edge& edge) const;
  Kind kindOf(const ir::Edge& edge) const;
  size_t componentOf(const ir::Edge& edge) const;
  std::vector<ir::EdgeId> leaving(const State& state, size_t component, ir::ActionKind action,
                                  ir::ChannelId channel) const;
  std::vector<ir::EdgeId> receivers(const State& state, ir::ChannelId channel, size_t except) const;
  ir::Urgency urgencyOf(ir::EdgeId edge) const;

  std::vector<Sync> syncs(const State& state) const;
  std::vector<Binding> bindings(const State& state) const;

  bool fits(ir::TypeId type, const Value& value) const;
  std::vector<Value> candidates(ir::TypeId type, const std::vector<Rational>& numbers) const;
  std::vector<std::vector<Value>> messages(const State& state, ir::ChannelId channel,
                                           const std::vector<const ir::Guard*>& guards,
                                           const std::vector<Rational>& numbers, Search search) const;
  std::vector<Value> namedValues(const State& state, const ir::Guard& guard, const std::vector<Value>& earlier,
                                 ir::TypeId type, Search search) const;

  bool enabled(const State& state, const ir::Edge& edge, const std::vector<Value>& values) const;
  bool apply(State& state, const ir::Edge& edge, const std::vector<Value>& values) const;
  bool invariantsHold(const State& state) const;
  std::vector<Move> complete(const State& state, const Sync& sync, const std::vector<Value>& values) const;
  std::vector<Move> moves(const State& state, const std::vector<Rational>& numbers, Search search) const;

  std::optional<Window> window(const State& state, const std::vector<const ir::Guard*>& guards,
                               const std::vector<Value>& values) const;
  std::vector<Window> windows(const State& state, const std::vector<ir::EdgeId>& edges) const;
  void limitByInvariants(const State& state, Delays& delays) const;
  void limitByLocation(const State& state, size_t component, Delays& delays) const;
  bool quiescentAlone(const State& state, size_t component) const;

  const ir::Model* model_;
  std::vector<Rational> numbers_;
  std::vector<ir::AutomatonId> components_;
  std::set<ir::ChannelId> partnered_; ///< sent and received by different components of the whole network
  std::set<ir::ChannelId> closed_;    ///< the same among these components
  bool alone_ = false;                ///< one component of a larger network, on its own
  Rational grain_ = 1;                ///< every constant bound is a multiple
  Rational largest_;                  ///< the largest constant bound
  bool plainClocks_ = true;           ///< all bounds constant, no differences of clocks
};

/// The same state `delay` later.
State wait(State state, const Rational& delay);

// ---- exploration on a grid

struct ExploreOptions {
  Rational step = 1;     ///< delays are multiples of it
  Rational horizon = 4;  ///< the longest single delay
  unsigned depth = 8;    ///< most moves in a row
  size_t states = 20000; ///< most states
  unsigned traceDepth = 0;
  std::vector<Rational> numbers = {0, 1, 2};
  std::map<ir::VariableId, std::vector<Value>> open; ///< see Network::initialStates
};

struct TimedLabel {
  Rational delay; ///< since the label before
  Label label;
  bool operator==(const TimedLabel&) const = default;
  bool operator<(const TimedLabel& other) const;
};
using Trace = std::vector<TimedLabel>;

struct Exploration {
  std::set<std::vector<ir::LocationId>> locations;
  std::set<ir::EdgeId> edges;
  std::set<Trace> traces; ///< up to traceDepth moves, unobservable ones included; closed under prefixes
  std::set<State> states; ///< right after a move
  bool complete = true;   ///< neither depth nor states cut it short
};

Exploration explore(const Network& network, const ExploreOptions& options = {});

/// The trace without its unobservable steps; their delays count for what follows.
Trace observable(const Trace& trace);

std::string show(const Delays& delays);
std::string show(const ir::Model& model, const Label& label);
std::string show(const ir::Model& model, const State& state);
std::string show(const ir::Model& model, const Trace& trace);

} // namespace tioc::semantics::reference
