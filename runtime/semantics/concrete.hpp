#pragma once

#include "runtime/eval/edge_code.hpp"
#include "runtime/semantics/concrete_choices.hpp"
#include "runtime/semantics/concrete_state.hpp"
#include "runtime/semantics/messages.hpp"
#include "runtime/semantics/network.hpp"
#include "runtime/semantics/problem.hpp"

#include <map>
#include <optional>
#include <vector>

namespace tioc::semantics {

struct ConcreteOptions {
  uint64_t tries = 1024; ///< messages of one step that are tried one by one; where there are more, the solver chooses
  uint32_t samples = 3;  ///< messages that the solver is asked for then
  eval::Mode eval = eval::Mode::Auto;
  solver::Options solver;
};

/// The step relation of a network of TIOSTS on concrete states: exact rational clocks, bounds that may depend on data
/// (semantics, sections 2 to 5).
///
/// An answer that is nothing means that it is not known: `problem` says why. Answers depend on the questions asked so
/// far and on nothing else, as long as the solver reaches no limit of time.
class Concrete {
public:
  /// `network` must outlive it.
  explicit Concrete(const Network& network, ConcreteOptions options = {});

  const Network& network() const { return network_; }
  const eval::Layout& layout() const { return layout_; }
  const Problem& problem() const { return problem_; }

  /// A state to start in; `seed` chooses the variables without initial value.
  std::optional<ConcreteState> initial(uint64_t seed);

  /// The delays that are possible: a window from 0 on. Precondition: the invariants hold.
  std::optional<Window> delays(const ConcreteState& state);

  /// What the network does by itself after some delay, whether or not `delays` lets that much time pass: outputs and
  /// unobservable steps, with every message where these are few, else with some that `seed` chooses. A step that is
  /// possible in several windows is listed with each.
  std::optional<std::vector<ConcreteMove>> reactions(const ConcreteState& state, uint64_t seed);
  /// Unobservable steps alone, every one of them: nothing where there are more messages than are tried.
  std::optional<std::vector<ConcreteMove>> unobservable(const ConcreteState& state);
  /// As `reactions` for what the environment may send.
  std::optional<std::vector<ConcreteMove>> inputs(const ConcreteState& state, uint64_t seed);
  /// The same for one message.
  std::optional<std::vector<ConcreteMove>> on(const ConcreteState& state, Visibility visibility, ir::ChannelId channel,
                                              const std::vector<eval::Value>& values);

  /// The state behind a move of `state`, `delay` later. Precondition: `delay` lies in the move's window.
  ConcreteState successor(const ConcreteState& state, const ConcreteMove& move, const ir::Rational& delay);

  /// The message as `frame` holds it.
  std::vector<eval::Value> loadMessage(ir::ChannelId channel, const eval::Slot* frame) const;

private:
  /// What a clock is behind a step: a fixed value, or one that grows with the delay before the step.
  struct ClockAfter {
    ir::Rational value;
    bool runs = true;
  };
  /// Facts about an edge that no state changes.
  struct EdgeFacts {
    bool deadlineReadsMessage = false; ///< in a clock bound of what its urgency is about
    std::vector<bool> ignored;         ///< by message parameter: neither guard nor effects look at it
    bool hasUpperBound = false;        ///< the same has one
  };
  /// The constants of one component's clocks, for `isSilent`.
  struct Grain {
    ir::Rational step = 1; ///< every constant bound is a multiple
    ir::Rational largest;
    bool plain = true; ///< bounds are constants and compare no two clocks
  };

  void readFacts();
  const Grain& grainOf(uint32_t component);
  bool fail(ir::Span span, std::string text);
  bool fail(Messages::Answer answer, ir::Span span);
  eval::Slot* load(const ConcreteState& state);
  bool storeMessage(ir::ChannelId channel, const std::vector<eval::Value>& values);
  const ir::Guard& deadlineOf(ir::EdgeId id) const;

  // Windows. `cut` gives false where a bound has no value.
  std::optional<ir::Rational> bound(ir::ExprId expr, const ir::Edge* edge, const eval::Slot* frame) const;
  bool cut(Window& window, const ConcreteState& state, const std::vector<ir::ClockConstraint>& clocks,
           const ir::Edge* edge, const eval::Slot* frame) const;
  bool cutByTargets(Window& window, Locations targets, const std::vector<ClockAfter>& clocks,
                    const eval::Slot* frame) const;
  std::optional<Window> invariant(const ConcreteState& state, ir::LocationId id) const;

  // Moves.
  enum class Want : uint8_t { Reactions, Inputs, Unobservable };
  std::optional<std::vector<ConcreteMove>> collect(const ConcreteState& state, Want want, uint64_t seed);
  bool collect(const ConcreteState& state, const Move& move, Want want, uint64_t seed,
               std::vector<ConcreteMove>& moves);
  bool collectChosen(const ConcreteState& state, const Move& move, uint64_t seed, std::vector<ConcreteMove>& moves);
  void varyIgnored(ConcreteMove& move, uint64_t seed) const;
  bool complete(const ConcreteState& state, const Move& move, std::vector<ConcreteMove>& moves);
  bool addWindows(const ConcreteState& state, const Move& move, Locations targets, std::vector<ConcreteMove>& moves);
  eval::Taken apply(std::span<const ir::EdgeId> edges, eval::Slot* frame, std::vector<ClockAfter>& clocks);

  // Time.
  enum class Chances : uint8_t { All, First };
  bool chances(const ConcreteState& state, std::span<const ir::EdgeId> edges, Chances which,
               std::vector<Window>& windows);
  bool limit(const ConcreteState& state, const Deadline& deadline, Window& delays);
  bool limitByLocation(const ConcreteState& state, uint32_t component, Window& delays);
  std::optional<bool> isSilent(const ConcreteState& state, uint32_t component);
  std::optional<bool> reacts(const ConcreteState& state, uint32_t component, const Window& delays,
                             std::vector<ConcreteMove>& unobservable);
  std::optional<std::vector<ir::Rational>> instants(const ConcreteState& state, uint32_t component);

  const Network& network_;
  const ir::Model& model_;
  ConcreteOptions options_;
  eval::Layout layout_;
  eval::EdgeCode code_;
  Messages messages_;
  Choices choices_;
  Problem problem_;
  std::vector<EdgeFacts> facts_;             // by edge
  std::vector<std::optional<Grain>> grains_; // by component
  std::vector<eval::Slot> frame_;            // the state that is looked at, and a message
  std::vector<eval::Slot> after_;            // the same behind a step
  std::vector<ClockAfter> clocksAfter_;
  std::vector<ir::LocationId> targets_;
  Network::Reception reception_;
};

} // namespace tioc::semantics
