#pragma once

#include "runtime/conformance/trace.hpp"
#include "semantics/reference.hpp"

#include <set>

namespace tioc::conformance {

/// Sets of states after observations as D, section 5.1 defines them, on the reference of the step relation.
/// Unobservable steps happen at multiples of a grain only, so a set may lack states where such steps need other times;
/// without unobservable steps it is exact.
class ReferenceTracker {
public:
  /// The model is instantiated, its priorities resolved, its variables have initial values.
  ReferenceTracker(const ir::Model& model, ir::Rational grain) : network_(model), grain_(std::move(grain)) {}

  enum class Answer : uint8_t { No, Yes, TooLarge };
  Answer start();
  /// dsucc behind tsucc. Times must be multiples of the grain.
  Answer take(const Event& event);
  bool hasStepped() const { return stepped_; } ///< an unobservable step was possible

private:
  using States = std::set<semantics::reference::State>;
  bool close();
  bool wait(const ir::Rational& delay);

  static constexpr size_t kMost = 2000;
  semantics::reference::Network network_;
  ir::Rational grain_;
  ir::Rational now_;
  States states_;
  bool stepped_ = false;
};

} // namespace tioc::conformance
