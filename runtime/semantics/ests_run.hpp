#pragma once

#include "runtime/semantics/ests_net.hpp"
#include "runtime/semantics/problem.hpp"

#include <algorithm>
#include <optional>

namespace tioc::semantics {

/// How ESTS that share a queue react to one event until the environment has its turn again: a system execution trace
/// (C, definition 7). Written once; what values, times and conditions are, the domain says:
///
///   State      copyable, with `at`: the location of each component
///   Before     what `take` may remember of an edge
///   Message, Time, Condition
///   kLongest                                    more transitions count as without end
///   yes, both, either, opposite, isFalse        on conditions
///   assume(state, condition)                    false: it cannot hold
///   before(state, a, b, strict), earliest(time) a time that hangs on open durations is at least `earliest`
///   lasts(busy, from, to)                       the reaction, which went on until `from`, goes on until `to`
///   due(state, group)                           when the clock of the group reaches its timeout
///   messages(draft, edge, fn)                   fn(message, condition) for what an edge sends that receives nothing
///   enabled(state, edge)                        some message of such an edge is possible
///   enabled(state, edge, message)               the edge takes that message
///   take(draft, edge, message)                  the step: location, values, restarts, `now`; false: not possible
///   seenAt(draft, edge)                         when the environment sees what was sent just now; nothing: never
///   choose(options)                             leaves the options that are followed
template <class Domain>
class EstsRun {
public:
  using State = typename Domain::State;
  using Message = typename Domain::Message;
  using Time = typename Domain::Time;
  using Condition = typename Domain::Condition;

  // More ways than these count as without end.
  static constexpr size_t kMostWays = 4096;

  struct Sent {
    ir::EdgeId edge;
    Message message;
    Time time;
    bool seen = false;
  };
  struct Signal {
    ir::ChannelId channel;
    Message message;
    uint32_t sender = EstsNet::kNobody; ///< a component, or the environment
  };
  /// A reaction that goes on.
  struct Draft {
    State state;
    Time now;               ///< C, equation 9: goes back where an overdue delay counts from its due time
    Time begin;             ///< when the event came
    std::vector<Time> busy; ///< it lasts until the latest of these
    std::vector<ir::EdgeId> trace;
    std::vector<typename Domain::Before> before; ///< what the domain remembers of each edge of the trace, or nothing
    std::vector<Sent> sent;
    std::vector<Signal> queue;
    std::optional<Signal> delivery; ///< that is being given to the receivers
    size_t nextReceiver = 0;
    bool taken = false;                 ///< somebody took the delivery
    uint32_t toStart = 0;               ///< components from here on have to run from their initial locations
    uint32_t active = EstsNet::kNobody; ///< runs and is not interrupted
    bool resting = false;
  };

  enum class Kind : uint8_t { Take, Stay, Receive, Skip, Fire, Rest };
  struct Option {
    Kind kind;
    ir::EdgeId edge;
    Message message;
    Condition condition;
    Time time; ///< Fire: from when on
  };

  EstsRun(const EstsNet& net, Domain& domain) : net_(net), domain_(domain) {}

  /// The start: nothing has happened.
  Draft starting(State state, Time now) const { return draft(std::move(state), now, 0); }
  /// The environment sends a signal. A draft that nobody takes it from has no end.
  Draft receiving(State state, Time now, ir::ChannelId channel, Message message) const {
    Draft result = draft(std::move(state), now, net_.size());
    result.delivery = Signal{channel, std::move(message), EstsNet::kNobody};
    return result;
  }
  /// Time has come to `now`.
  Draft waking(State state, Time now) const { return draft(std::move(state), now, net_.size()); }

  /// Calls `sink(Draft&&)` with every end of the reaction.
  template <class Sink>
  void run(Draft&& first, Sink&& sink);

  /// A reaction without end, with its loop.
  const std::optional<Problem>& problem() const { return problem_; }

  /// Timeouts that some delay transition of the present locations waits for.
  struct Due {
    uint32_t component = 0;
    const EstsNet::Timeout* timeout = nullptr;
    Time time;
    Condition ready; ///< some guard of its delay transitions holds
  };
  const std::vector<Due>& dues(const State& state);
  /// Waiting until `time` surely passes none of them.
  Condition mayWait(const State& state, const std::vector<Due>& dues, const Time& time, uint32_t component,
                    bool strict);
  /// Somebody takes the message of the environment at `time`.
  Condition taken(const State& state, ir::ChannelId channel, const Message& message, const Time& time);

private:
  Draft draft(State state, const Time& now, uint32_t toStart) const {
    Draft result{};
    result.state = std::move(state);
    result.now = result.begin = now;
    result.busy.push_back(now);
    result.toStart = toStart;
    return result;
  }
  bool list(Draft& draft);
  void listCompletions(Draft& draft);
  bool listReceptions(Draft& draft);
  bool listTimeouts(Draft& draft);
  Condition outranked(const State& state, ir::EdgeId edge, const Message* message);
  bool follow(Draft& draft, Option& option);
  bool step(Draft& draft, ir::EdgeId edge, const Message& message);
  void fail(const Draft& draft, const char* what);

  const EstsNet& net_;
  Domain& domain_;
  std::optional<Problem> problem_;
  std::vector<Option> options_;
  std::vector<Due> dues_;
};

template <class Domain>
template <class Sink>
void EstsRun<Domain>::run(Draft&& first, Sink&& sink) {
  std::vector<Draft> open;
  open.push_back(std::move(first));
  std::vector<Option> options;
  for (size_t ways = 0; !open.empty();) {
    Draft draft = std::move(open.back());
    open.pop_back();
    while (true) {
      if (draft.trace.size() > Domain::kLongest)
        return fail(draft, "a reaction that never comes to rest");
      if (draft.resting || !list(draft)) {
        if (++ways > kMostWays)
          return fail(draft, "more ways to react than can be followed");
        sink(std::move(draft));
        break;
      }
      std::erase_if(options_, [&](const Option& option) { return domain_.isFalse(option.condition); });
      domain_.choose(options_);
      if (options_.empty())
        break;
      options.swap(options_);
      for (size_t i = options.size(); i-- > 1;) {
        Draft other = draft;
        if (follow(other, options[i]))
          open.push_back(std::move(other));
      }
      if (!follow(draft, options[0]))
        break;
    }
  }
}

/// What can happen next; false: nothing, the reaction is over.
template <class Domain>
bool EstsRun<Domain>::list(Draft& draft) {
  options_.clear();
  while (true) {
    if (draft.active != EstsNet::kNobody) {
      if (!net_.completions(draft.state.at[draft.active]).empty()) {
        listCompletions(draft);
        return true;
      }
      draft.active = EstsNet::kNobody;
    } else if (draft.toStart < net_.size()) {
      draft.active = draft.toStart++;
    } else if (draft.delivery) {
      if (listReceptions(draft))
        return true;
      if (draft.delivery->sender == EstsNet::kNobody && !draft.taken)
        return true; // refused: no option
      draft.delivery.reset();
    } else if (!draft.queue.empty()) {
      draft.delivery = std::move(draft.queue.front());
      draft.queue.erase(draft.queue.begin());
      draft.nextReceiver = 0;
    } else {
      return listTimeouts(draft);
    }
  }
}

/// C, equation 7: outputs and completions fire as soon as they can; a tau may fire or not (rule 6).
template <class Domain>
void EstsRun<Domain>::listCompletions(Draft& draft) {
  Condition none = domain_.yes();
  for (ir::EdgeId id : net_.completions(draft.state.at[draft.active])) {
    domain_.messages(draft, id, [&](Message message, Condition enabled) {
      const Condition wins = domain_.opposite(outranked(draft.state, id, nullptr));
      options_.push_back({Kind::Take, id, std::move(message), domain_.both(enabled, wins), {}});
    });
    if (net_.model()[id].action != ir::ActionKind::Internal)
      none = domain_.both(none, domain_.opposite(domain_.enabled(draft.state, id)));
  }
  options_.push_back({Kind::Stay, {}, {}, none, {}});
}

template <class Domain>
bool EstsRun<Domain>::listReceptions(Draft& draft) {
  const Signal& signal = *draft.delivery;
  const std::span<const uint32_t> receivers = net_.receivers(signal.channel);
  for (; draft.nextReceiver < receivers.size(); ++draft.nextReceiver) {
    const uint32_t component = receivers[draft.nextReceiver];
    const auto edges = net_.receptions(draft.state.at[component], signal.channel);
    if (component == signal.sender || edges.empty())
      continue;
    // Rule 2: the environment comes before the timeout; a queued signal is taken even if one is overdue.
    Condition inTime = domain_.yes();
    if (signal.sender == EstsNet::kNobody)
      inTime = mayWait(draft.state, dues(draft.state), draft.begin, component, true);
    Condition none = domain_.yes();
    for (ir::EdgeId id : edges) {
      const Condition enabled = domain_.enabled(draft.state, id, signal.message);
      if (domain_.isFalse(enabled))
        continue;
      none = domain_.both(none, domain_.opposite(enabled));
      const Condition wins = domain_.opposite(outranked(draft.state, id, &signal.message));
      options_.push_back({Kind::Receive, id, signal.message, domain_.both(inTime, domain_.both(enabled, wins)), {}});
    }
    options_.push_back({Kind::Skip, {}, {}, domain_.either(none, domain_.opposite(inTime)), {}});
    return true;
  }
  return false;
}

template <class Domain>
const std::vector<typename EstsRun<Domain>::Due>& EstsRun<Domain>::dues(const State& state) {
  dues_.clear();
  for (uint32_t i = 0; i < net_.size(); ++i)
    for (const EstsNet::Timeout& timeout : net_.timeouts(state.at[i])) {
      Condition ready = domain_.opposite(domain_.yes());
      for (ir::EdgeId id : timeout.edges)
        ready = domain_.either(ready, domain_.enabled(state, id));
      if (!domain_.isFalse(ready))
        dues_.push_back({i, &timeout, domain_.due(state, timeout.group), ready});
    }
  return dues_;
}

/// `component`: of this one only, or of all.
template <class Domain>
typename EstsRun<Domain>::Condition EstsRun<Domain>::mayWait(const State& state, const std::vector<Due>& dues,
                                                             const Time& time, uint32_t component, bool strict) {
  Condition result = domain_.yes();
  for (const Due& due : dues)
    if (component == EstsNet::kNobody || due.component == component)
      result = domain_.both(result, domain_.either(domain_.opposite(due.ready),
                                                   domain_.before(state, time, domain_.earliest(due.time), strict)));
  return result;
}

template <class Domain>
typename EstsRun<Domain>::Condition EstsRun<Domain>::taken(const State& state, ir::ChannelId channel,
                                                           const Message& message, const Time& time) {
  // As long as nobody has taken it, everybody is where he was.
  Condition result = domain_.opposite(domain_.yes());
  for (uint32_t component : net_.receivers(channel)) {
    const Condition inTime = mayWait(state, dues(state), time, component, true);
    for (ir::EdgeId id : net_.receptions(state.at[component], channel))
      result = domain_.either(result, domain_.both(inTime, domain_.enabled(state, id, message)));
  }
  return result;
}

/// The most overdue delay transition comes next; of equal ones that of the earlier component.
template <class Domain>
bool EstsRun<Domain>::listTimeouts(Draft& draft) {
  const State& state = draft.state;
  const std::vector<Due>& dues = this->dues(state);
  if (dues.empty())
    return false;
  Condition none = domain_.yes();
  for (size_t k = 0; k < dues.size(); ++k) {
    Condition first = domain_.opposite(domain_.yes());
    for (const Time& end : draft.busy)
      first = domain_.either(first, domain_.before(state, dues[k].time, end, false));
    none = domain_.both(none, domain_.opposite(domain_.both(dues[k].ready, first)));
    for (size_t m = 0; m < dues.size(); ++m)
      if (m != k)
        first = domain_.both(first, domain_.either(domain_.opposite(dues[m].ready),
                                                   domain_.before(state, dues[k].time, dues[m].time, m < k)));
    if (domain_.isFalse(first))
      continue;
    // One that became possible long after its due time cannot count from before the event.
    const Condition counts = domain_.before(state, draft.begin, dues[k].time, false);
    for (ir::EdgeId id : dues[k].timeout->edges)
      domain_.messages(draft, id, [&](const Message& message, Condition enabled) {
        const Condition wins = domain_.both(enabled, domain_.opposite(outranked(state, id, nullptr)));
        const Condition now = domain_.both(wins, first);
        options_.push_back({Kind::Fire, id, message, domain_.both(now, counts), dues[k].time});
        options_.push_back({Kind::Fire, id, message, domain_.both(now, domain_.opposite(counts)), draft.begin});
      });
  }
  options_.push_back({Kind::Rest, {}, {}, none, {}});
  return true;
}

template <class Domain>
typename EstsRun<Domain>::Condition EstsRun<Domain>::outranked(const State& state, ir::EdgeId edge,
                                                               const Message* message) {
  Condition result = domain_.opposite(domain_.yes());
  for (ir::EdgeId other : net_.stronger(edge))
    result = domain_.either(result, message ? domain_.enabled(state, other, *message) : domain_.enabled(state, other));
  return result;
}

template <class Domain>
bool EstsRun<Domain>::follow(Draft& draft, Option& option) {
  if (!domain_.assume(draft.state, option.condition))
    return false;
  switch (option.kind) {
  case Kind::Take:
    return step(draft, option.edge, option.message);
  case Kind::Stay:
    draft.active = EstsNet::kNobody;
    return true;
  case Kind::Receive:
    ++draft.nextReceiver;
    draft.taken = true;
    return step(draft, option.edge, option.message);
  case Kind::Skip:
    ++draft.nextReceiver;
    return true;
  case Kind::Fire:
    draft.now = option.time;
    return step(draft, option.edge, option.message);
  case Kind::Rest:
    draft.resting = true;
    return true;
  }
  return false;
}

template <class Domain>
bool EstsRun<Domain>::step(Draft& draft, ir::EdgeId id, const Message& message) {
  const ir::Edge& edge = net_.model()[id];
  const uint32_t component = net_.componentOf(id);
  const Time before = draft.now;
  if (!domain_.take(draft, id, message))
    return false;
  draft.active = component;
  draft.trace.push_back(id);
  domain_.lasts(draft.busy, before, draft.now);
  if (edge.action != ir::ActionKind::Send)
    return true;
  const bool seen = net_.isSeen(edge.channel);
  const std::optional<Time> time = seen ? domain_.seenAt(draft, id) : draft.now;
  if (!time)
    return false;
  draft.sent.push_back({id, message, *time, seen});
  if (seen)
    domain_.lasts(draft.busy, *time, *time);
  const std::span<const uint32_t> receivers = net_.receivers(edge.channel);
  if (std::any_of(receivers.begin(), receivers.end(), [&](uint32_t other) { return other != component; }))
    draft.queue.push_back({edge.channel, message, component});
  return true;
}

template <class Domain>
void EstsRun<Domain>::fail(const Draft& draft, const char* what) {
  if (!problem_)
    problem_ = Problem{net_.model()[draft.trace.back()].span,
                       std::string(what) + "; it goes round by " + net_.loopOf(draft.trace)};
}

} // namespace tioc::semantics
