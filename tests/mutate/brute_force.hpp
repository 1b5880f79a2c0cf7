#pragma once

#include "runtime/conformance/refines.hpp"
#include "semantics/reference.hpp"

// Conformance by trying everything on a grid of times, with the plain step relation.
namespace tioc::mutate {

struct BruteOptions {
  ir::Rational step = {1, 2}; ///< the candidate acts at multiples of it
  unsigned finer = 4;         ///< the specification's unobservable steps at so much finer ones
  ir::Rational horizon = 4;   ///< the longest time without a step
  unsigned depth = 3;         ///< steps of the candidate
  size_t nodes = 400;
};

/// A candidate beside all states in which a specification may be. Both models must outlive it.
class BruteForce {
public:
  BruteForce(const ir::Model& candidate, const ir::Model& specification, BruteOptions options = {});

  /// A run of the candidate on the grid that the specification does not allow, in words. Nothing: none was found.
  std::optional<std::string> violation();
  /// Whether `nodes` cut the search short.
  bool isCut() const { return nodes_ > options_.nodes; }

  /// What is wrong with a trace that is said to tell both apart; empty: it does.
  std::string judge(const std::vector<conformance::TraceEvent>& trace);

private:
  using State = semantics::reference::State;
  using Label = semantics::reference::Label;
  using Network = semantics::reference::Network;
  using States = std::set<State>;
  struct Node {
    State candidate;
    States specification;
    unsigned steps = 0;
    ir::Rational since; ///< the last step
    std::string trace;
    ir::Rational now;
  };

  static States closed(const Network& network, States states);
  /// The states after some silence, unobservable steps at multiples of `step` included.
  static States later(const Network& network, States states, const ir::Rational& delay, const ir::Rational& step);
  States after(const Network& network, const States& states, const Label& label) const;
  bool allTake(const States& states, const Label& label) const;
  void look(const Node& node);
  void tryInputs(const Node& node, const std::vector<semantics::reference::Move>& moves);
  void push(const Node& from, const State& candidate, States specification, const Label* label);

  BruteOptions options_;
  Network candidate_;
  Network specification_;
  std::vector<ir::Rational> numbers_ = {0, 1, 2, 3};
  std::vector<Node> open_;
  std::set<std::pair<State, States>> seen_;
  size_t nodes_ = 0;
  std::optional<std::string> found_;
};

} // namespace tioc::mutate
