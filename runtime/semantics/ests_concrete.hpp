#pragma once

#include "runtime/eval/edge_code.hpp"
#include "runtime/semantics/concrete_choices.hpp"
#include "runtime/semantics/ests_run.hpp"
#include "runtime/semantics/messages.hpp"

namespace tioc::semantics {

/// A concrete state of ESTS that share one queue. Times count from the start.
struct EstsState {
  struct Output {
    ir::EdgeId edge;
    std::vector<eval::Value> values;
    ir::Rational time;
    bool operator==(const Output&) const = default;
  };

  std::vector<ir::LocationId> at;
  std::vector<eval::Slot> variables;
  std::vector<ir::Rational> since; ///< by clock of the network: when it was zero
  ir::Rational now;
  ir::Rational busy;           ///< until then the last reaction lasts
  std::vector<Output> pending; ///< sent and not seen yet, in the order of time
  bool operator==(const EstsState&) const = default;
};

struct EstsOptions {
  uint64_t tries = 1024; ///< messages of one output that are tried one by one
  eval::Mode eval = eval::Mode::Auto;
  solver::Options solver;
};

/// The step relation of ESTS that share one queue on concrete states (C; semantics, section 8).
class EstsConcrete {
public:
  using State = EstsState;
  struct Before {};
  using Message = std::vector<eval::Slot>;
  using Time = ir::Rational;
  using Condition = bool;
  static constexpr size_t kLongest = 1000;
  using Run = EstsRun<EstsConcrete>;
  using Draft = Run::Draft;
  /// Random bits; where it is set, one way is chosen by the weights of the edges, and open durations by chance.
  /// Without it all ways are followed, with durations and jitter as short as possible.
  using Chance = std::function<uint64_t()>;

  /// `network` must outlive it.
  explicit EstsConcrete(const Network& network, EstsOptions options = {});

  const EstsNet& net() const { return net_; }
  const eval::Layout& layout() const { return layout_; }
  /// Set where a run cannot go on.
  const std::optional<Problem>& problem() const { return problem_; }

  /// The end of a reaction and the edges that were taken.
  using Sink = std::function<void(EstsState&& state, std::vector<ir::EdgeId>&& trace)>;
  /// The start; `seed` chooses the variables without initial value.
  void start(uint64_t seed, const Chance& chance, const Sink& sink);
  /// A signal of the environment now; nothing is called where nobody takes it. Precondition: `isResting`.
  void receive(const EstsState& state, ir::ChannelId channel, const std::vector<eval::Value>& values,
               const Chance& chance, const Sink& sink);
  /// An edge that takes a signal of the environment now, and one such signal.
  struct Input {
    ir::EdgeId edge;
    ir::ChannelId channel;
    Message message;
  };
  void receive(const EstsState& state, const Input& input, const Chance& chance, const Sink& sink);
  /// Messages are chosen by `seed` where there are many. Precondition: `isResting`.
  void inputs(const EstsState& state, uint64_t seed, std::vector<Input>& inputs);
  /// Precondition: `isResting`, and `now` is the next timeout.
  void wake(const EstsState& state, const Chance& chance, const Sink& sink);

  bool isResting(const EstsState& state) const { return state.pending.empty() && state.now >= state.busy; }
  /// When the next delay transition fires if nothing comes before.
  std::optional<ir::Rational> nextTimeout(const EstsState& state);

  // What EstsRun asks for.
  bool yes() const { return true; }
  bool both(bool a, bool b) const { return a && b; }
  bool either(bool a, bool b) const { return a || b; }
  bool opposite(bool a) const { return !a; }
  bool isFalse(bool a) const { return !a; }
  bool assume(EstsState&, bool condition) const { return condition; }
  bool before(const EstsState&, const Time& a, const Time& b, bool strict) const { return strict ? a < b : a <= b; }
  const Time& earliest(const Time& time) const { return time; }
  void lasts(std::vector<Time>& busy, const Time&, const Time& to) const { busy[0] = std::max(busy[0], to); }
  Time due(const EstsState& state, ir::GroupId group);
  template <class Fn>
  void messages(const Draft& draft, ir::EdgeId edge, Fn&& fn);
  bool enabled(const EstsState& state, ir::EdgeId edge);
  bool enabled(const EstsState& state, ir::EdgeId edge, const Message& message);
  bool take(Draft& draft, ir::EdgeId edge, const Message& message);
  std::optional<Time> seenAt(Draft& draft, ir::EdgeId edge);
  void choose(std::vector<Run::Option>& options);

private:
  /// An expression that counts time, read as fast as its form allows.
  struct TimeCode {
    std::optional<ir::Rational> constant;
    uint32_t slot = UINT32_MAX; ///< of an integer variable
    ir::ExprId expr;
  };
  /// What of an edge takes time.
  struct EdgeTimes {
    TimeCode low, high, jitter;
    bool open = false;
  };

  TimeCode codeOf(ir::ExprId expr) const;
  Time valueOf(const TimeCode& code, const ir::Edge* edge, const eval::Slot* frame);
  Time between(const Time& low, const Time& high);
  bool isEnabled(ir::EdgeId edge);
  bool chooseMessage(ir::EdgeId edge, uint64_t& seed);
  eval::Slot* load(const EstsState& state);
  void load(const Message& message);
  void fail(ir::Span span, std::string text);
  void run(Draft&& draft, const Chance& chance, const Sink& sink);

  const Network& network_;
  const ir::Model& model_;
  EstsNet net_;
  EstsOptions options_;
  eval::Layout layout_;
  eval::EdgeCode code_;
  Messages messages_;
  Choices choices_;
  Run run_;
  std::optional<Problem> problem_;
  const Chance* chance_ = nullptr;
  std::vector<EdgeTimes> times_;      // by edge
  std::vector<TimeCode> timeouts_;    // by group
  std::vector<uint32_t> messageSize_; // by channel
  std::vector<eval::Slot> frame_;
  std::vector<eval::Slot> after_;
};

template <class Fn>
void EstsConcrete::messages(const Draft& draft, ir::EdgeId id, Fn&& fn) {
  const ir::Edge& edge = model_[id];
  if (edge.action != ir::ActionKind::Send || edge.parameters.empty())
    return fn(Message(), enabled(draft.state, id, {}));
  eval::Slot* frame = load(draft.state);
  const uint32_t first = layout_.stateSize();
  std::vector<Message> found;
  const auto answer = messages_.forEach(messages_.plan(edge.channel, {&id, 1}, Messages::By::Guard, false), frame, [&] {
    if (isEnabled(id))
      found.emplace_back(frame + first, frame + first + messageSize_[edge.channel.value]);
    return true;
  });
  if (answer == Messages::Answer::NotConcrete || answer == Messages::Answer::TooLarge)
    fail(edge.span,
         answer == Messages::Answer::TooLarge ? "a number does not fit into 64 bits" : messages_.problem().text);
  for (Message& message : found)
    fn(std::move(message), true);
}

} // namespace tioc::semantics
