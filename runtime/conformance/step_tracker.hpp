#pragma once

#include "runtime/conformance/normal_form.hpp"
#include "runtime/conformance/specification.hpp"
#include "runtime/conformance/tracker.hpp"

#include <optional>

namespace tioc::conformance {

/// Each answer says which limit it hung on.
struct TrackLimits {
  size_t states = 64;      ///< symbolic states that are followed; what is beyond is lost, and No becomes Unknown
  uint32_t unseen = 100;   ///< unobservable steps in a row
  size_t outlook = 64;     ///< states that an outlook looks at
  size_t terms = 1U << 19; ///< expressions after which memory is renewed
};

/// Follows any specification that has a step relation with symbolic time: sets of symbolic states, with values of
/// messages and times of observations put in, and what cannot matter any more projected out. Memory does not grow with
/// the number of observations.
///
/// Where times were measured, a tolerance says how far each may be from the true one. Everything is then allowed that
/// true times within the tolerance, in the order of the observations, make possible.
class StepTracker final : public Tracker {
public:
  explicit StepTracker(MakeSpecification make, TrackLimits limits = {}, ir::Rational tolerance = {});

  Answer start() override;
  Answer wait(const ir::Rational& time) override;
  Answer output(ir::ChannelId channel, const std::vector<eval::Value>& values) override;
  Answer input(ir::ChannelId channel, const std::vector<eval::Value>& values) override;
  bool isAccepted(ir::ChannelId channel, const std::vector<eval::Value>& values) override;
  const ir::Rational& now() const override { return now_; }
  Outlook outlook() override;
  std::vector<Chance> stimuli(uint64_t seed) override;
  Answer quiescent() override;
  Marks marks() const override;
  const std::vector<bool>& taken() const override { return taken_; }
  Explanation explain() override;
  const std::string& reason() const override { return reason_; }
  const ir::Model& model() const override { return specification_->symbols().model(); }

  /// Goes on from these states at a time, whatever was before. They are in normal form, of `specification`.
  void resume(std::vector<semantics::SymbolicState> states, const ir::Rational& now);
  /// The states that are followed, in normal form.
  std::vector<semantics::SymbolicState> states() const;
  /// Every state is a single concrete one.
  bool isConcrete() const;
  /// All states that there are are followed, and no others.
  bool isExact() const { return !lost_ && !truncated_ && !enlarged_; }
  Specification& specification() { return *specification_; }

private:
  /// A state that agrees with what was seen. Its time 0 is `zero_`; its present is a true time, not before that.
  struct Belief {
    semantics::SymbolicState state;
    std::vector<ir::EdgeId> edges; ///< taken since the last observation
    uint32_t unseen = 0;
  };
  /// What was asked last.
  struct Observation {
    semantics::Visibility kind = semantics::Visibility::Unobservable; ///< Unobservable: silence
    ir::ChannelId channel;
    std::vector<eval::Value> values;
    ir::Rational time;
  };

  semantics::Symbols& symbols() { return specification_->symbols(); }
  semantics::StepRelation& relation() { return specification_->relation(); }
  Answer observe(semantics::Visibility kind, ir::ChannelId channel, const std::vector<eval::Value>& values);
  std::vector<ir::ExprId> constantsOf(ir::ChannelId channel, const std::vector<eval::Value>& values);
  /// Cuts what is behind a step down to where its message has these values and it happens now. False: nowhere.
  bool isNow(const semantics::SymbolicStep& step, semantics::SymbolicState& behind,
             std::span<const ir::ExprId> constants);
  bool isTaken(const semantics::SymbolicStep& step, const std::vector<ir::ExprId>& conditions,
               std::span<const ir::ExprId> constants);
  /// Adds the states behind unobservable steps of `work[index]` that come within so much time, or at any time; calls
  /// `seen` with the observable steps.
  enum class Within : uint8_t { Nothing, Time, Forever };
  void expand(std::vector<Belief>& work, size_t index, Within within, const ir::Rational& time,
              const semantics::Inputs& inputs, const semantics::StepRelation::Sink& seen);
  void stay(const Belief& belief, const ir::Rational& delay, std::vector<Belief>& next);
  NormalForm::Present present() const {
    return tolerance_.isZero() ? NormalForm::Present::Is0 : NormalForm::Present::Stays;
  }
  bool add(std::vector<Belief>& beliefs, Belief&& belief, size_t most);
  Answer accept(std::vector<Belief>&& next);
  Answer unknown(std::string reason);
  void renew();

  // step_tracker_outlook.cpp
  /// A conjunct of a guard in some state.
  struct Part {
    ir::ExprId condition; ///< over the unknowns
    ir::Span span;
    std::string text;
    std::vector<std::string> facts; ///< what its names stand for
  };
  /// An observable step that may come next.
  struct Next {
    semantics::SymbolicStep step;
    semantics::SymbolicState behind;
  };
  /// Everything that may come next if time passes, and the states it comes from. Valid until the next observation.
  struct Future {
    std::vector<Belief> states;
    std::vector<Next> nexts;
    bool complete = true; ///< no limit cut it short
  };
  Future& future();
  enum class Words : uint8_t { Few, Full };
  Outlook outlook(Words words);
  Chance chanceOf(Next& next, Words words);
  void choose(Next& next, uint64_t seed);
  /// Nothing where the solver cannot tell.
  std::optional<semantics::Window> windowOf(ir::ExprId time, const semantics::SymbolicState& state);
  std::string textOf(ir::ExprId value, ir::TypeId type, const semantics::SymbolicState& state, const std::string& name);
  std::string describe(const semantics::SymbolicState& state);
  std::vector<Part> partsOf(const ir::Edge& edge, const semantics::SymbolicState& state,
                            std::span<const ir::ExprId> message);
  void addObstacles(const semantics::SymbolicState& state, std::vector<Obstacle>& obstacles);

  MakeSpecification make_;
  TrackLimits limits_;
  ir::Rational tolerance_;
  std::unique_ptr<Specification> specification_;
  std::optional<NormalForm> normal_;
  ir::Rational now_;  ///< as measured
  ir::Rational zero_; ///< the earliest true time of the last observation
  std::vector<Belief> beliefs_;
  bool closed_ = false;    ///< unobservable steps that take no time are in
  bool truncated_ = false; ///< states were dropped
  bool enlarged_ = false;  ///< states were added that may not be possible
  bool lost_ = false;      ///< nothing is known any more
  size_t mostTerms_ = 0;
  std::vector<bool> taken_;
  Observation last_;
  std::optional<Future> future_;
  std::string reason_;
};

} // namespace tioc::conformance
