#pragma once

#include "runtime/eval/edge_code.hpp"
#include "runtime/explore/bounds.hpp"
#include "runtime/semantics/location_deadlines.hpp"
#include "runtime/semantics/messages.hpp"
#include "runtime/semantics/plain_code.hpp"
#include "runtime/semantics/waiting.hpp"
#include "runtime/zones/aligned.hpp"

#include <utility>

namespace tioc::explore {

/// How symbolic states are compared.
enum class Abstraction : uint8_t {
  ALu,         ///< exact zones, Z is covered by Z' if it lies within aLU(Z')
  ExtraLuPlus, ///< zones are extrapolated, and covered by inclusion
  None,        ///< exact zones and inclusion: may never end
};

/// The discrete part of a symbolic state, and which clocks its zone is about. The zone's index of a clock that is not
/// active is 0.
struct Place {
  std::vector<ir::LocationId> at;
  std::vector<eval::Slot> frame; ///< variables; behind them room for a message
  zones::Dim dim = 1;
  bool stopsTime = false;                    ///< a location is urgent or committed
  bool mayBind = false;                      ///< some edge may limit waiting
  std::vector<uint16_t> index;               ///< by network clock
  std::vector<zones::Clock> clocks;          ///< by zone index
  std::vector<int32_t> lower;                ///< by zone index: L
  std::vector<int32_t> upper;                ///< by zone index: U
  std::vector<int32_t> negatedUpper;         ///< by zone index, as isSubsetOfALU wants it
  std::vector<zones::Constraint> invariants; ///< clock invariants, over the zone's clocks
};

/// A slot of the initial valuation that starts with any value between two limits.
struct OpenSlot;

/// The symbolic step relation on concrete data: from a place and a zone that is closed under waiting to all successors,
/// closed under waiting themselves. Works in its own scratch memory; the hot path allocates nothing.
class Stepper {
public:
  struct Options {
    eval::Mode eval = eval::Mode::Auto;
    Abstraction abstraction = Abstraction::ALu;
    BoundOptions bounds;
    uint64_t messages = 100'000; ///< most values of one message
    uint64_t starts = 100'000;   ///< most initial valuations
  };
  Stepper(const ir::Model& model, const Options& options);

  /// Why the model cannot be explored, or what stopped the last call.
  const std::optional<semantics::Problem>& problem() const { return problem_; }
  const semantics::Network& network() const { return network_; }
  const semantics::ClockCode& clocks() const { return clocks_; }
  const eval::Layout& layout() const { return layout_; }
  const eval::EdgeCode& code() const { return code_; }
  /// What is really used: clock differences rule out extrapolation.
  Abstraction abstraction() const { return options_.abstraction; }

  Place makePlace() const;
  /// Fills in everything about clocks and time.
  void readClocks(Place& place) const;

  /// Calls `sink(const Place&, const zones::Bound*)` for every initial state, closed under waiting.
  template <class Sink>
  void start(Sink&& sink);
  /// Calls `sink(const semantics::Move&, const Place&, const zones::Bound*)` for every successor. The message lies in
  /// from.frame then. A `sink.approach(const Place&)` is told locations and data as soon as they are known. Where
  /// `enabled` is not null it gets the points of the zone at which some move is possible.
  template <class Sink>
  void expand(Place& from, const zones::Bound* zone, Sink&& sink, zones::Federation* enabled = nullptr);

  /// What limits waiting here, besides invariants and urgent locations; pointers live as long as this object.
  void collectBindings(Place& place, std::vector<const semantics::Binding*>& bindings);
  /// The same of components with `deadlines location`, over the clocks of a zone: `index` gives each its place there.
  void collectLimits(Place& place, const uint16_t* index, zones::Dim dim, std::vector<zones::Limit>& limits);
  bool dataInvariantsHold(const Place& place) const;

  /// Whether a is covered by b, both zones of the place.
  bool covers(const Place& place, const zones::Bound* a, const zones::Bound* b) const {
    return options_.abstraction == Abstraction::ALu
               ? zones::dbm::isSubsetOfALU(a, b, place.dim, place.lower.data(), place.negatedUpper.data())
               : zones::dbm::isSubset(a, b, place.dim);
  }

private:
  using Frames = std::vector<std::vector<eval::Slot>>;

  /// What a location adds to a place.
  struct LocationFacts {
    std::span<const BoundEntry> bounds;
    std::span<const zones::Constraint> invariants;
    bool stopsTime = false;
    bool mayBind = false;
  };

  void fail(ir::Span span, std::string text);
  bool mayHappen(std::span<const ir::EdgeId> edges, const Place& from, const zones::Bound* zone) const;
  semantics::Readiness readiness(ir::EdgeId edge, Place& from, const zones::Bound* zone);
  /// The zone within the clock guards; null if it is empty. Copies only if something changes.
  const zones::Bound* constrained(std::span<const ir::EdgeId> edges, const Place& from, const zones::Bound* zone);
  zones::Federation withoutSilent(const semantics::Move& move, const Place& from, const zones::Bound* zone);
  /// Writes the target into next_; false if the move is not possible.
  bool takeData(const semantics::Move& move, const Place& from);
  void noteEnabled(const Place& from, const zones::Bound* zone, zones::Federation& enabled);
  bool isReady(const semantics::Deadline& deadline, Place& place);
  /// Resets and invariants; false if nothing is left.
  bool arrive(const Place& from, const zones::Bound* zone);
  /// Waits in `arrived_`; calls `use(const Bound*)` for each zone of the result, abstracted.
  template <class Use>
  void wait(Use&& use);
  bool abstracted(zones::Bound* zone);
  template <class Sink>
  void fire(const semantics::Move& move, const Place& from, const zones::Bound* zone, Sink&& sink,
            zones::Federation* enabled);
  bool checkDim();
  Frames startFrames();
  Frames startFrames(std::vector<eval::Slot> frame, std::span<const OpenSlot> open);

  Options options_;
  semantics::Network network_;
  eval::Layout layout_;
  eval::EdgeCode code_;
  semantics::PlainCode plain_;
  semantics::ClockCode clocks_;
  LocationBounds bounds_;
  semantics::Messages messages_;
  semantics::Waiting waiting_;
  semantics::LocationDeadlines locationDeadlines_;
  std::vector<LocationFacts> facts_;      // by location
  std::vector<uint8_t> hasDataInvariant_; // by location
  std::vector<uint32_t> componentOf_;     // by edge
  bool anyDataInvariant_ = false;
  std::optional<semantics::Problem> problem_;

  // Scratch.
  Place next_;
  std::vector<uint32_t> moved_; // components whose location in next_ is not that of the expanded place
  bool frameChanged_ = true;    // … and whether the variables may differ
  zones::MatrixVector guarded_;
  zones::MatrixVector arrived_;
  zones::MatrixVector part_;
  semantics::ClockMap resets_;   // of the move
  std::vector<uint16_t> source_; // by zone index of next_
  std::vector<int32_t> offset_;
  std::vector<const semantics::Binding*> bindings_;
  std::vector<zones::Limit> limits_;
  zones::ClockBounds luBounds_;
  zones::Federation several_;
  semantics::Network::Reception reception_;
};

template <class Sink>
void Stepper::expand(Place& from, const zones::Bound* zone, Sink&& sink, zones::Federation* enabled) {
  std::copy(from.at.begin(), from.at.end(), next_.at.begin());
  moved_.clear();
  frameChanged_ = true;
  network_.forEachMove(from.at, [&](const semantics::Move& move) {
    if (problem_)
      return;
    const auto& plan = messages_.plan(move.channel, move.edges, semantics::Messages::By::Guard, move.broadcast);
    if (plan.isNever() || !mayHappen(move.edges, from, zone))
      return;
    const auto answer = messages_.forEach(plan, from.frame.data(), [&] {
      for (ir::EdgeId edge : move.edges)
        if (!plain_.holds(edge, from.frame.data()))
          return true;
      if (move.broadcast)
        network_.forEachReception(
            from.at, move, reception_, [&](ir::EdgeId edge) { return readiness(edge, from, zone); },
            [&](const semantics::Move& joint) { fire(joint, from, zone, sink, enabled); });
      else
        fire(move, from, zone, sink, enabled);
      return !problem_;
    });
    if (answer == semantics::Messages::Answer::NotConcrete)
      fail(messages_.problem().span, messages_.problem().text);
    else if (answer == semantics::Messages::Answer::TooLarge)
      fail(network_.model()[move.channel].span, "a value of the message does not fit into 64 bits");
  });
}

template <class Sink>
void Stepper::fire(const semantics::Move& move, const Place& from, const zones::Bound* zone, Sink&& sink,
                   zones::Federation* enabled) {
  const zones::Bound* const guarded = constrained(move.edges, from, zone);
  if (!guarded || !takeData(move, from))
    return;
  if constexpr (requires { sink.approach(next_); })
    sink.approach(next_);
  readClocks(next_);
  if (!checkDim())
    return;
  resets_.clear();
  for (ir::EdgeId edge : move.edges)
    resets_.then(clocks_.resets(edge));
  const auto land = [&](const zones::Bound* start) {
    if (enabled)
      noteEnabled(from, start, *enabled);
    if (arrive(from, start))
      wait([&](const zones::Bound* result) { sink(move, std::as_const(next_), result); });
  };
  if (move.silent.empty())
    return land(guarded);
  const zones::Federation parts = withoutSilent(move, from, guarded);
  for (size_t i = 0; i < parts.size() && !problem_; ++i)
    land(parts[i]);
}

template <class Use>
void Stepper::wait(Use&& use) {
  using Shape = semantics::Waiting::Shape;
  zones::Bound* const zone = arrived_.data();
  Shape shape = Shape::One;
  if (!next_.stopsTime) {
    bindings_.clear();
    limits_.clear();
    if (next_.mayBind) {
      collectBindings(next_, bindings_);
      collectLimits(next_, next_.index.data(), next_.dim, limits_);
    }
    shape = waiting_.wait(zone, next_.dim, next_.index.data(), bindings_, next_.invariants, limits_, several_);
  }
  if (shape == Shape::OutOfRange)
    fail({}, "a clock bound leaves the range of zones");
  if (problem_)
    return;
  if (shape == Shape::One) {
    if (abstracted(zone))
      use(static_cast<const zones::Bound*>(zone));
    return;
  }
  for (size_t i = 0; i < several_.size(); ++i) {
    std::copy_n(several_[i], zones::dbm::size(next_.dim), part_.data());
    if (abstracted(part_.data()))
      use(static_cast<const zones::Bound*>(part_.data()));
  }
}

template <class Sink>
void Stepper::start(Sink&& sink) {
  for (const std::vector<eval::Slot>& frame : startFrames()) {
    std::copy(network_.initial().begin(), network_.initial().end(), next_.at.begin());
    next_.frame = frame;
    if (problem_ || !dataInvariantsHold(next_))
      continue;
    readClocks(next_);
    if (!checkDim())
      return;
    zones::dbm::setZero(arrived_.data(), next_.dim);
    const zones::Outcome outcome = zones::dbm::constrain(arrived_.data(), next_.dim, next_.invariants);
    if (outcome == zones::Outcome::NonEmpty)
      wait([&](const zones::Bound* zone) { sink(std::as_const(next_), zone); });
    else if (outcome == zones::Outcome::OutOfRange)
      fail({}, "a clock bound leaves the range of zones");
  }
}

} // namespace tioc::explore
