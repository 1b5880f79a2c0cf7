#pragma once

#include "runtime/semantics/concrete_state.hpp"
#include "runtime/solver/solver.hpp"
#include "runtime/solver/terms.hpp"

#include <memory>
#include <span>

namespace tioc::semantics {

/// Any value of the type: small numbers are likely. Changes `seed`.
eval::Value anyValue(const ir::Model& model, ir::TypeId type, uint64_t& seed);

/// Lets the solver choose where trying one value after the other is no way: messages and initial values that their
/// types do not limit.
class Choices {
public:
  Choices(const Network& network, const eval::Layout& layout, solver::Options options);

  enum class Answer : uint8_t { Found, None, Unknown };
  /// Why an answer was Unknown.
  const std::string& reason() const { return reason_; }

  /// Values for the variables without initial value. Precondition: `state` has the others, and its clocks.
  Answer initial(ConcreteState& state, uint64_t seed);

  /// A message with which the edges of a move can step after a delay in `delays`, into `targets` whose invariants hold.
  Answer message(const ConcreteState& state, const Move& move, Locations targets, const Window& delays, uint64_t seed,
                 std::vector<eval::Value>& values);

  /// Whether some message satisfies the data parts of all the guards.
  Answer dataHolds(const ConcreteState& state, ir::ChannelId channel, std::span<const ir::Guard* const> guards);

  /// The first run of delays without a gap in which some message satisfies all the guards.
  Answer firstRun(const ConcreteState& state, ir::ChannelId channel, std::span<const ir::Guard* const> guards,
                  Window& run);

private:
  /// A copy of the model that may grow, and who knows it.
  struct Desk;
  /// A step written down in terms of unknowns.
  class Script;

  Desk& desk();
  Answer unknown(std::string reason);

  const Network& network_;
  const eval::Layout& layout_;
  solver::Options options_;
  std::shared_ptr<Desk> desk_;
  std::string reason_;
};

} // namespace tioc::semantics
