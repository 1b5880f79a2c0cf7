#pragma once

#include "runtime/semantics/problem.hpp"
#include "runtime/semantics/symbolic.hpp"

#include <functional>

namespace tioc::semantics {

/// Which inputs of the environment are looked for: all, one, or none.
struct Inputs {
  bool all = true;
  ir::ChannelId only;
  bool has(ir::ChannelId channel) const { return all || channel == only; }
};
inline constexpr Inputs kNoInputs{false, {}};

/// How a kind of model moves, symbolically. Exploration, test selection and conformance are written on this alone.
class StepRelation {
public:
  using Sink = std::function<void(SymbolicStep&& step, SymbolicState&& state)>;

  virtual ~StepRelation() = default;

  /// Set where the model cannot be treated this way; nothing else may be asked then.
  virtual const std::optional<Problem>& problem() const = 0;
  virtual TimeKind time() const = 0;
  /// Several where the first instant can be cut up.
  virtual std::vector<SymbolicState> initial() = 0;
  /// Every step that is possible after some wait, with the states behind it. Together they are exactly the concrete
  /// successors, but for what `imprecise` says.
  void successors(const SymbolicState& state, const Sink& sink) { successors(state, sink, {}); }
  virtual void successors(const SymbolicState& state, const Sink& sink, const Inputs& inputs) = 0;
  /// The states reached by waiting alone, at a new time; `steps` counts it. Symbolic time only.
  virtual void wait(const SymbolicState& state, const std::function<void(SymbolicState&& later)>& sink) = 0;
  /// No output will come from here, however long one waits, also not behind unobservable steps (A, definition 12), as a
  /// condition that always has a value. Nothing where it cannot be told.
  virtual std::optional<ir::ExprId> quiescent(const SymbolicState& state) = 0;
  /// A limit of waiting that had to be left out, so that more waits are allowed than the model allows; empty: none.
  virtual const std::string& imprecise() const = 0;
};

} // namespace tioc::semantics
