#pragma once

#include "runtime/conformance/trace.hpp"
#include "semantics/ests_reference.hpp"

namespace tioc::conformance {

/// All that a composition of ESTS may have done, one concrete world each: a blocking configuration and the outputs on
/// their way. Open durations and jitters are multiples of a grain, so a world may be missing that needs finer ones.
class EstsReferenceTracker {
public:
  struct World {
    semantics::reference::Configuration at;
    std::vector<semantics::reference::Observable> pending; ///< in the order of sending
    ir::Rational rest;                                     ///< when the reaction is over
    bool operator==(const World&) const = default;
  };

  EstsReferenceTracker(const ir::Model& model, ir::Rational grain) : composition_(model, std::move(grain)) {}

  enum class Answer : uint8_t { No, Yes, TooLarge };
  Answer start();
  Answer wait(const ir::Rational& time);
  Answer output(ir::ChannelId channel, const std::vector<eval::Value>& values);
  Answer input(ir::ChannelId channel, const std::vector<eval::Value>& values);
  /// Every world takes it now.
  bool isAccepted(ir::ChannelId channel, const std::vector<eval::Value>& values);

  const std::vector<World>& worlds() const { return worlds_; }
  const ir::Rational& now() const { return now_; }

private:
  using Reactions = std::vector<semantics::reference::Reaction>;
  Answer keep(std::vector<World>&& worlds);
  Reactions reactions(const World& world, ir::ChannelId channel, const std::vector<eval::Value>& values);
  static void add(std::vector<World>& worlds, const Reactions& reactions);
  static void add(std::vector<World>& worlds, World world);

  static constexpr size_t kMost = 300;
  semantics::reference::Composition composition_;
  std::vector<World> worlds_;
  ir::Rational now_;
};

} // namespace tioc::conformance
