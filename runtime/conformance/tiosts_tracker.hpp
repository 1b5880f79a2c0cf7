#pragma once

#include "runtime/conformance/flat_network.hpp"
#include "runtime/conformance/step_tracker.hpp"

namespace tioc::conformance {

/// Follows a network of TIOSTS: on concrete states as long as data and the times of unobservable steps are determined,
/// else on symbolic ones, and back as soon as these have become concrete. Every No is confirmed on symbolic states,
/// which also explain it.
class TiostsTracker final : public Tracker {
public:
  /// `model` is a result of `ir::instantiate` and `ir::resolvePriorities`.
  explicit TiostsTracker(const ir::Model& model, TrackLimits limits = {}, const solver::Options& options = {});

  Answer start() override;
  Answer wait(const ir::Rational& time) override;
  Answer output(ir::ChannelId channel, const std::vector<eval::Value>& values) override;
  Answer input(ir::ChannelId channel, const std::vector<eval::Value>& values) override;
  const ir::Rational& now() const override { return now_; }
  Outlook outlook() override;
  std::vector<Chance> stimuli(uint64_t seed) override;
  Answer quiescent() override;
  Marks marks() const override;
  const std::vector<bool>& taken() const override { return taken_; }
  Explanation explain() override { return symbolic_.explain(); }
  const std::string& reason() const override { return reason_; }
  const ir::Model& model() const override { return model_; }

  struct Counts {
    uint64_t concrete = 0;     ///< observations that concrete states answered
    uint64_t symbolic = 0;     ///< those that symbolic states answered
    uint64_t contradicted = 0; ///< No of concrete states that symbolic ones did not confirm; must stay 0
  };
  const Counts& counts() const { return counts_; }

private:
  Answer observe(semantics::Visibility kind, ir::ChannelId channel, const std::vector<eval::Value>& values);
  Answer symbolically(semantics::Visibility kind, ir::ChannelId channel, const std::vector<eval::Value>& values);
  /// Goes over to the next set of concrete states.
  void accept();
  void toSymbolic();
  /// Goes on with concrete states if the symbolic ones are.
  void toConcrete();
  Answer after(Answer answer);
  std::optional<std::vector<semantics::ConcreteMove>> inputsOf(const semantics::ConcreteState& state, uint64_t seed);
  bool close();

  ir::Model model_;
  semantics::Network network_;
  FlatNetwork flat_;
  StepTracker symbolic_;
  bool concrete_ = false; // how states are followed now
  bool closed_ = false;
  Rows rows_;
  Rows next_;
  TrackLimits limits_;
  ir::Rational now_;
  int64_t nowTicks_ = 0;
  std::vector<bool> taken_;
  std::string reason_;
  Counts counts_;
};

} // namespace tioc::conformance
