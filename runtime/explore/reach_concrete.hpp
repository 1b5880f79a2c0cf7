#pragma once

#include "runtime/explore/reach.hpp"

namespace tioc::explore {

/// The delays that a state allows: all from 0 up to the limit.
struct Delays {
  std::optional<ir::Rational> limit; ///< nothing: without end
  bool open = false;                 ///< the limit itself is not reached

  bool contains(const ir::Rational& delay) const {
    return delay.sign() >= 0 && (!limit || delay < *limit || (delay == *limit && !open));
  }
  void atMost(const ir::Rational& bound, bool isOpen) {
    if (!limit || bound < *limit || (bound == *limit && isOpen)) {
      limit = bound;
      open = isOpen;
    }
  }
};

/// A network in one concrete state. Every function that moves it checks that the definitions allow that, and says what
/// is wrong otherwise; the state is then unspecified. A direct reading of semantics, sections 2, 3 and 5: guards are
/// evaluated by the interpreter, times are rationals.
class ConcreteNetwork {
public:
  using Complaint = std::optional<std::string>;

  explicit ConcreteNetwork(const ir::Model& model);

  Complaint start(std::span<const eval::Slot> variables);
  Complaint wait(const ir::Rational& delay);
  Complaint take(const PathStep& step);
  /// Precondition: the invariants hold.
  Delays delays();

  semantics::Locations at() const { return at_; }
  const eval::Slot* frame() const { return frame_.data(); }
  std::span<const ir::Rational> clocks() const { return clocks_; } ///< by network clock
  const semantics::Network& network() const { return network_; }
  const eval::Layout& layout() const { return layout_; }

private:
  struct Window {
    ir::Rational low;
    bool lowOpen = false;
    std::optional<ir::Rational> high;
    bool highOpen = false;
  };

  bool holds(ir::ExprId data, const ir::Edge* edge) const;
  bool holds(const std::vector<ir::ClockConstraint>& constraints) const;
  bool isEnabled(ir::EdgeId edge) const;
  bool invariantsHold() const;
  /// When all constraints hold from now on; nothing if never.
  std::optional<Window> window(std::span<const std::vector<ir::ClockConstraint>* const> constraints) const;
  bool isReady(const semantics::Deadline& deadline);
  void limitByLocation(uint32_t component, Delays& delays);
  bool isMove(const PathStep& step);
  Complaint apply(ir::EdgeId id);

  const ir::Model& model_;
  semantics::Network network_;
  eval::Layout layout_;
  semantics::Messages messages_;
  std::vector<ir::LocationId> at_;
  std::vector<eval::Slot> frame_;
  std::vector<ir::Rational> clocks_;
};

} // namespace tioc::explore
