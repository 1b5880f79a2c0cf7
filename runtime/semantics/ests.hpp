#pragma once

#include "runtime/semantics/ests_terms.hpp"
#include "runtime/semantics/step_relation.hpp"

namespace tioc::semantics {

/// The symbolic step relation of ESTS that share one queue (C; semantics, section 8), with symbolic time.
///
/// A step is an event and the whole reaction to it: an input, or a timeout while nothing happens. The outputs of the
/// reaction follow one by one at their times. The environment sends again when the reaction is surely over and no
/// timeout can have come.
class Ests final : public StepRelation {
public:
  /// `network` belongs to the model of `symbols`.
  Ests(Symbols& symbols, const Network& network, TimeKind time);

  const std::optional<Problem>& problem() const override { return problem_; }
  TimeKind time() const override { return TimeKind::Symbolic; }
  std::vector<SymbolicState> initial() override;
  using StepRelation::successors;
  void successors(const SymbolicState& state, const Sink& sink, const Inputs& inputs) override;
  void wait(const SymbolicState& state, const std::function<void(SymbolicState&& later)>& sink) override;
  std::optional<ir::ExprId> quiescent(const SymbolicState& state) override;
  const std::string& imprecise() const override { return terms_.imprecise(); }

  using Run = EstsRun<EstsTerms>;
  using Ends = std::function<void(Run::Draft&& draft)>;
  /// Every reaction to an input of the channel, from a state that has nothing left to show, at the time of a new step.
  void react(const SymbolicState& state, ir::ChannelId channel, const Ends& sink);
  /// Every reaction to a timeout. The draft began when it came.
  void react(const SymbolicState& state, const Ends& sink);

private:
  /// The environment sends something.
  struct Turn {
    SymbolicState state; ///< right before it
    TimeTerm time;       ///< that of a new step
    std::vector<ir::ExprId> message;
    ir::ExprId taken; ///< as in SymbolicStep
  };
  std::optional<Turn> turn(const SymbolicState& state, ir::ChannelId channel);
  bool isStarted(const SymbolicState& state) const { return !state.busy.empty(); }
  void show(const SymbolicState& state, const Sink& sink);
  void finish(Run::Draft&& draft, SymbolicStep&& step, const Sink& sink);
  void guessTime(SymbolicState& state, const TimeTerm& time);

  Symbols& symbols_;
  ir::Model& model_;
  ir::ExprPool& pool_;
  const Network& network_;
  EstsNet net_;
  EstsTerms terms_;
  Run run_;
  std::optional<Problem> problem_;
};

} // namespace tioc::semantics
