#pragma once

#include "runtime/eval/interpreter.hpp"
#include "runtime/semantics/int_program.hpp"
#include "runtime/semantics/network.hpp"
#include "runtime/semantics/problem.hpp"

#include <array>
#include <deque>
#include <map>
#include <optional>

namespace tioc::semantics {

/// Chooses the values of messages where variables are concrete. A conjunct `parameter == term` of a guard says the
/// value; other parameters of small types are tried one value after the other, within what the guards' plain
/// comparisons leave; one that nothing looks at gets any value.
class Messages {
public:
  /// `limit`: how many choices for one step are tried before giving up.
  Messages(const Network& network, const eval::Layout& layout, uint64_t limit);

  /// How to choose for edges that step together.
  class Plan;
  /// Whether the guards or the deadlines count.
  enum class By : uint8_t { Guard, Deadline };
  /// `edges` as in Move or Deadline; `broadcast`: receivers come later and may look at every parameter.
  const Plan& plan(ir::ChannelId channel, std::span<const ir::EdgeId> edges, By by, bool broadcast);

  enum class Answer : uint8_t {
    Done,
    Stopped,     ///< `visit` said so
    NotConcrete, ///< see `problem`
    TooLarge,    ///< a value does not fit into 64 bits
  };
  /// Calls `visit()` with every choice written into the frame behind the variables; `visit` returns whether to go on.
  /// The guards still have to be asked.
  template <class Visit>
  Answer forEach(const Plan& plan, eval::Slot* frame, Visit&& visit);
  const Problem& problem() const { return problem_; }

  class Plan {
  public:
    /// Nothing to choose.
    bool isTrivial() const { return steps_.empty(); }
    /// No message satisfies the guards: they ask for different constants.
    bool isNever() const { return never_; }

  private:
    friend class Messages;
    enum class Kind : uint8_t { Copy, Constant, Computed, Tried };
    /// One slot that is tried, or one parameter that is computed.
    struct Step {
      Kind kind = Kind::Tried;
      uint32_t slot = 0;
      uint32_t from = 0; // Copy: slot
      uint32_t size = 1;
      ir::TypeId type;
      ir::ExprId value;                  // Computed
      std::optional<IntProgram> program; // … the quick way
      std::vector<eval::Slot> slots;     // Constant
      std::optional<int64_t> low;        // Tried: limits of the type
      std::optional<int64_t> high;
      std::vector<std::pair<ir::ExprId, bool>> above; // Tried: terms below the value, and whether it may be equal
      std::vector<std::pair<ir::ExprId, bool>> below;
    };
    const ir::Edge* edge_ = nullptr; // tells where parameters lie
    std::vector<Step> steps_;
    bool never_ = false;
    std::optional<Problem> problem_;
    std::vector<ir::ExprId> plain_; // conjuncts without parameters: if one is false, a problem does not matter
  };

private:
  class Planner;
  const Plan** shortcut(ir::ChannelId channel, std::span<const ir::EdgeId> edges, By by, bool broadcast);
  struct Limits {
    int64_t low = 0;
    int64_t high = -1;
  };

  template <class Visit>
  Answer from(const Plan& plan, size_t at, eval::Slot* frame, uint64_t& count, Visit& visit);
  /// Writes what is no choice; false if there is no value.
  Answer settle(const Plan& plan, const Plan::Step& step, eval::Slot* frame, bool& exists);
  Answer limits(const Plan& plan, const Plan::Step& step, const eval::Slot* frame, Limits& result);
  bool mayHold(const Plan& plan, const eval::Slot* frame) const;

  const Network& network_;
  const eval::Layout& layout_;
  uint64_t limit_;
  Problem problem_;
  struct Key {
    ir::ChannelId channel;
    ir::EdgeId first;
    ir::EdgeId second;
    By by;
    bool broadcast;
    auto operator<=>(const Key&) const = default;
  };
  std::deque<Plan> plans_;
  std::map<Key, const Plan*> known_;
  // Shortcuts to what is asked all the time, for the guards and for the deadlines.
  std::array<std::vector<const Plan*>, 2> single_;             // by edge
  std::array<std::vector<std::vector<const Plan*>>, 2> pairs_; // by sender and the receiver's place on the channel
  std::vector<uint32_t> position_;                             // by edge: among the receivers of its channel
  std::vector<uint32_t> receivers_;                            // by channel: how many edges
};

template <class Visit>
Messages::Answer Messages::forEach(const Plan& plan, eval::Slot* frame, Visit&& visit) {
  if (plan.never_)
    return Answer::Done;
  if (plan.steps_.empty() && !plan.problem_)
    return visit() ? Answer::Done : Answer::Stopped;
  if (plan.problem_) {
    if (!mayHold(plan, frame))
      return Answer::Done;
    problem_ = *plan.problem_;
    return Answer::NotConcrete;
  }
  uint64_t count = 0;
  return from(plan, 0, frame, count, visit);
}

template <class Visit>
Messages::Answer Messages::from(const Plan& plan, size_t at, eval::Slot* frame, uint64_t& count, Visit& visit) {
  if (at == plan.steps_.size())
    return visit() ? Answer::Done : Answer::Stopped;
  const Plan::Step& step = plan.steps_[at];
  if (step.kind != Plan::Kind::Tried) {
    bool exists = true;
    const Answer answer = settle(plan, step, frame, exists);
    return answer == Answer::Done && exists ? from(plan, at + 1, frame, count, visit) : answer;
  }
  Limits range;
  if (const Answer answer = limits(plan, step, frame, range); answer != Answer::Done)
    return answer;
  for (int64_t value = range.low; value <= range.high; ++value) {
    if (++count > limit_) {
      problem_ = {plan.edge_ ? plan.edge_->span : ir::Span{},
                  "a message has more than " + std::to_string(limit_) + " values to try"};
      return Answer::NotConcrete;
    }
    frame[step.slot] = value;
    if (const Answer answer = from(plan, at + 1, frame, count, visit); answer != Answer::Done)
      return answer;
  }
  return Answer::Done;
}

} // namespace tioc::semantics
