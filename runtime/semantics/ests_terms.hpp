#pragma once

#include "runtime/semantics/ests_run.hpp"
#include "runtime/semantics/message_plan.hpp"

#include <map>

namespace tioc::semantics {

/// A time that may hang on open durations, and what it is with these as short, and as long, as they may be.
struct OpenTime {
  TimeTerm at;
  TimeTerm early;
  TimeTerm late;

  OpenTime() = default;
  OpenTime(const TimeTerm& time) : at(time), early(time), late(time) {}
  OpenTime(const TimeTerm& time, const std::pair<TimeTerm, TimeTerm>& ends)
      : at(time), early(ends.first), late(ends.second) {}
  bool isOpen() const { return early != late; }
  bool operator==(const OpenTime&) const = default;
};

/// What reactions of ESTS are made of where values, times and conditions are terms over unknowns. An open duration is
/// an unknown of its own.
class EstsTerms {
public:
  using State = SymbolicState;
  using Before = SymbolicStep::Before;
  using Message = std::vector<ir::ExprId>;
  using Time = OpenTime;
  using Condition = ir::ExprId;
  // Terms grow with the reaction.
  static constexpr size_t kLongest = 200;
  using Draft = EstsRun<EstsTerms>::Draft;
  using Option = EstsRun<EstsTerms>::Option;

  EstsTerms(Symbols& symbols, const Network& network, const EstsNet& net);

  Condition yes() { return pool_.boolean(true); }
  Condition both(Condition a, Condition b) { return pool_.conjunction(a, b); }
  Condition either(Condition a, Condition b) { return pool_.disjunction(a, b); }
  Condition opposite(Condition a) { return pool_.negation(a); }
  bool isFalse(Condition a) const { return pool_.isFalse(a); }
  bool assume(SymbolicState& state, Condition condition);
  Condition before(const SymbolicState& state, const OpenTime& a, const OpenTime& b, bool strict);
  OpenTime earliest(const OpenTime& time) const { return time.early; }
  void lasts(std::vector<OpenTime>& busy, const OpenTime& from, const OpenTime& to);
  OpenTime due(const SymbolicState& state, ir::GroupId group);
  void messages(const Draft& draft, ir::EdgeId edge, const std::function<void(Message message, Condition)>& fn);
  Condition enabled(const SymbolicState& state, ir::EdgeId edge);
  Condition enabled(const SymbolicState& state, ir::EdgeId edge, const Message& message);
  bool take(Draft& draft, ir::EdgeId edge, const Message& message);
  std::optional<OpenTime> seenAt(Draft& draft, ir::EdgeId edge);
  void choose(std::vector<Option>&) {} // all of them

  /// Something that cannot be said in one condition, so that more is allowed than the model allows; empty: none.
  const std::string& imprecise() const { return imprecise_; }
  std::span<const uint32_t> index() const { return index_; }

private:
  /// What an unknown of a reaction stands for.
  struct Place {
    ir::EdgeId edge;
    size_t occurrence; ///< position in the reaction
    uint32_t role;     ///< a parameter, or one of the following
    ir::ExprId low;
    ir::ExprId high;
    auto operator<=>(const Place&) const = default;
  };
  static constexpr uint32_t kDuration = 1U << 20, kJitter = kDuration + 1;

  ir::ExprId unknown(const Draft& draft, Place place, ir::TypeId type, const std::string& name);
  std::optional<ir::ExprId> between(Draft& draft, ir::EdgeId edge, uint32_t role, ir::ExprId low, ir::ExprId high);
  void addEffects(ir::EdgeId edge, std::vector<ir::ExprId>& parts);
  void addHolds(ir::ExprId condition, std::vector<ir::ExprId>& parts);
  TimeTerm plus(TimeTerm time, ir::ExprId amount);
  OpenTime plus(const OpenTime& time, ir::ExprId amount, ir::ExprId least, ir::ExprId most);

  Symbols& symbols_;
  ir::Model& model_;
  ir::ExprPool& pool_;
  const Network& network_;
  const EstsNet& net_;
  MessagePlans plans_;
  Substitute put_;
  std::vector<uint32_t> index_; // by variable of the model: its place in the store
  std::vector<ir::ExprId> locals_;
  std::map<Place, uint32_t> places_; // position among the unknowns of a step
  std::string imprecise_;
};

} // namespace tioc::semantics
