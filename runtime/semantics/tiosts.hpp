#pragma once

#include "runtime/semantics/location_deadlines.hpp"
#include "runtime/semantics/message_plan.hpp"
#include "runtime/semantics/step_relation.hpp"
#include "runtime/semantics/waiting.hpp"

namespace tioc::semantics {

/// The symbolic step relation of TIOSTS networks (semantics, sections 2 to 6), with zones or symbolic time.
///
/// Time and data meet in deadlines: an edge binds only while its data guard can hold. With zones a state is cut in two
/// where that is open; with symbolic time it is part of the path condition.
class Tiosts final : public StepRelation {
public:
  /// `network` belongs to the model of `symbols`.
  Tiosts(Symbols& symbols, const Network& network, TimeKind time);

  const std::optional<Problem>& problem() const override { return problem_; }
  TimeKind time() const override { return time_; }
  std::vector<SymbolicState> initial() override;
  using StepRelation::successors;
  void successors(const SymbolicState& state, const Sink& sink, const Inputs& inputs) override;
  void wait(const SymbolicState& state, const std::function<void(SymbolicState&& later)>& sink) override;
  std::optional<ir::ExprId> quiescent(const SymbolicState& state) override;
  const std::string& imprecise() const override { return imprecise_; }

  /// How waiting comes to an end, as conditions.
  struct Ends {
    ir::ExprId reached; ///< no time can pass from the state's present on
    ir::ExprId neared;  ///< some can, but there is an instant that it comes near to and never reaches
  };
  /// Symbolic time only.
  Ends ends(const SymbolicState& state);

private:
  struct End {
    TimeTerm time;
    bool strict = false;
  };
  /// When clock constraints hold, as ends of an interval of times, and conditions that waiting does not change.
  struct Window {
    std::vector<End> lowers;
    std::vector<End> uppers;
    std::vector<ir::ExprId> fixed;
  };
  /// Edges that limit waiting.
  struct Chance {
    ir::Urgency urgency = ir::Urgency::Lazy;
    std::vector<ir::EdgeId> edges;
    ir::ExprId enabled; ///< their data parts can hold
    Window window;      ///< Symbolic only
  };
  /// The edges of a component that reads deadlines off its locations.
  struct LocationChances {
    std::vector<Chance> edges;
    std::vector<bool> leadsOut; ///< by edge: an output, or an unobservable step that one may follow
  };
  /// What limits waiting in a state.
  struct Limits {
    bool stopped = false;
    std::vector<Chance> chances;
    std::vector<LocationChances> locations;
  };

  // tiosts.cpp: data
  void take(const SymbolicState& state, const Move& move, const Limits& limits, const Sink& sink);
  bool choose(const MessagePlan& plan, SymbolicState& draft, const SymbolicState& from);
  bool apply(SymbolicState& draft, std::span<const ir::EdgeId> edges);
  bool enter(SymbolicState& draft);
  Limits limitsOf(const SymbolicState& state);
  std::optional<ir::ExprId> enabledData(const SymbolicState& state, std::span<const ir::EdgeId> edges);
  bool addChance(const SymbolicState& state, ir::Urgency urgency, std::span<const ir::EdgeId> edges,
                 std::vector<Chance>& chances);
  void noteImprecise(ir::EdgeId edge, const std::string& what);

  // tiosts_zones.cpp
  using Branch = std::function<void(SymbolicState&& draft)>;
  void split(SymbolicState&& draft, ir::ExprId condition, const Branch& yes, const Branch& no);
  void waitInZone(SymbolicState&& draft, const Limits& limits, size_t at, std::vector<const Binding*>& bindings,
                  const Branch& sink);
  void waitAtLocations(SymbolicState&& draft, const Limits& limits, std::vector<const Binding*>& bindings,
                       const Branch& sink);
  void decideEdges(SymbolicState&& draft, const Limits& limits, size_t location, size_t edge,
                   std::vector<std::vector<bool>>& ready, const Branch& sink);
  std::vector<zones::Limit> limitsOfLocations(const Limits& limits, const std::vector<std::vector<bool>>& ready) const;
  void elapse(SymbolicState&& draft, std::span<const Binding* const> bindings, std::span<const zones::Limit> limits,
              const Branch& sink);
  void silence(SymbolicState&& draft, std::span<const ir::EdgeId> silent, size_t at, const Branch& sink);
  bool resetZone(SymbolicState& draft, ir::EdgeId edge) const;

  // tiosts_times.cpp
  /// No bound speaks of a message value that is open.
  bool areSettled(std::span<const ir::ClockConstraint> clocks) const;
  ir::ExprId before(const TimeTerm& a, const TimeTerm& b, bool strict);
  Window windowOf(const SymbolicState& state, std::span<const ir::ClockConstraint> clocks);
  ir::ExprId within(const Window& window, const TimeTerm& time);
  ir::ExprId isPassed(const Window& window, const TimeTerm& now);
  ir::ExprId reachesBeyond(const Chance& chance, const TimeTerm& now, const TimeTerm& time);
  ir::ExprId endsLater(const Window& a, const Window& b);
  ir::ExprId allowed(const Chance& chance, const TimeTerm& now, const TimeTerm& time);
  ir::ExprId allowed(const LocationChances& location, const TimeTerm& now, const TimeTerm& time);
  ir::ExprId isQuiet(const LocationChances& location, const TimeTerm& now);
  void addEnds(const Chance& chance, const TimeTerm& now, std::vector<ir::ExprId>& reached,
               std::vector<ir::ExprId>& neared);
  void addEnds(const LocationChances& location, const TimeTerm& now, std::vector<ir::ExprId>& reached,
               std::vector<ir::ExprId>& neared);
  bool waitUntil(SymbolicState& draft, const Limits& limits, const TimeTerm& time);
  void guessTime(SymbolicState& draft, const Window& window, const TimeTerm& time);
  std::optional<ir::Rational> valueOf(const SymbolicState& state, const TimeTerm& term);

  Symbols& symbols_;
  ir::Model& model_;
  ir::ExprPool& pool_;
  const Network& network_;
  TimeKind time_;
  std::optional<Problem> problem_;
  std::string imprecise_;
  ClockCode clocks_;
  Waiting waiting_;
  LocationDeadlines locationDeadlines_;
  MessagePlans plans_;
  Substitute put_;
  std::vector<uint32_t> index_;    // by variable of the model: its place in the store
  std::vector<uint16_t> identity_; // by clock
  std::vector<ir::ExprId> locals_; // of the move that is looked at
  Network::Reception reception_;
};

} // namespace tioc::semantics
