#pragma once

#include "runtime/execute/machine.hpp"
#include "runtime/semantics/ests_concrete.hpp"

#include <map>

namespace tioc::execute {

/// The random walk of C, section 5, on concrete states: at every turn of the environment an input that is possible, by
/// the normalised weights of its edges, or a wait between 0 and the smallest active timeout.
class EstsWalk {
public:
  enum class Strategy : uint8_t {
    Random,
    Coverage, ///< what was done least often in these places comes first
  };

  /// `model` is a result of `ir::instantiate` whose system is a queue of ESTS.
  EstsWalk(const ir::Model& model, uint64_t seed, Strategy strategy = Strategy::Random,
           semantics::EstsOptions options = {});

  /// To the beginning; what was taken stays known. False: there is none, see `problem`.
  bool start();
  /// An input or a wait, with the whole reaction to it. False: the model is wrong, see `problem`.
  bool step();

  /// What the last step sent; nothing: it was a wait.
  const std::optional<semantics::EstsConcrete::Input>& input() const { return input_; }
  std::vector<eval::Value> values(const semantics::EstsConcrete::Input& input) const;
  const semantics::EstsState& state() const { return state_; }
  /// The outputs of the last step, in the order of time.
  const std::vector<semantics::EstsState::Output>& outputs() const { return outputs_; }
  /// The transitions of the last step.
  const std::vector<ir::EdgeId>& trace() const { return trace_; }
  const std::vector<bool>& taken() const { return taken_; } ///< by edge
  const std::optional<semantics::Problem>& problem() const { return concrete_.problem(); }

private:
  semantics::EstsConcrete::Sink keep();
  void wait(const std::optional<ir::Rational>& due);
  void guide();
  const semantics::EstsConcrete::Input* choose();

  ir::Model model_;
  semantics::Network network_;
  semantics::EstsConcrete concrete_;
  semantics::EstsConcrete::Chance chance_;
  Dice dice_;
  Strategy strategy_;
  semantics::EstsState state_;
  std::vector<semantics::EstsConcrete::Input> inputs_;
  std::optional<semantics::EstsConcrete::Input> input_;
  std::vector<semantics::EstsState::Output> outputs_;
  std::vector<ir::EdgeId> trace_;
  std::vector<bool> taken_;
  bool mayWait_ = true;
  std::map<std::pair<std::vector<ir::LocationId>, ir::EdgeId>, uint32_t> done_; // no edge: a wait
};

} // namespace tioc::execute
