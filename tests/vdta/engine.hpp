#pragma once

#include "runtime/semantics/concrete.hpp"
#include "vdta/simulator.hpp"

#include <optional>
#include <string>

namespace tioc::vdta {

inline const Rational kGrid{1, 2};

/// The message form of a VDTA on the concrete step relation, on a grid and with every choice that it has.
class Engine {
public:
  /// `model` is a result of `ir::signals`.
  explicit Engine(const ir::Model& model);

  struct Run {
    semantics::ConcreteState state;
    std::vector<Change> changes;
    bool operator==(const Run&) const = default;
  };

  std::vector<Run> start();
  /// Adds what follows at this instant; without `outputs`, unobservable steps only.
  void close(std::vector<Run>& runs, const Rational& now, bool outputs = true);
  void accept(std::vector<Run>& runs, const Signals& inputs);
  /// Keeps what is behind this message, at this instant.
  void see(std::vector<Run>& runs, const Signals& outputs);
  /// Keeps what can wait a step of the grid.
  void wait(std::vector<Run>& runs, const Rational& grid);

  /// `early`: the outputs of an instant are also seen before its inputs.
  std::set<Observation> observations(const Schedule& schedule, unsigned steps, const Rational& grid, bool early = true);

private:
  ir::Model model_;
  semantics::Network network_;
  semantics::Concrete concrete_;
};

Schedule randomSchedule(uint64_t seed, const std::vector<Signals>& inputs, unsigned steps);

/// The only system of a text; nothing where the compiler refuses the text, as it does for loops that it sees.
std::optional<ir::Model> compiledVdta(const std::string& text);
/// The first purpose of the model; invalid: none.
ir::AutomatonId purposeOf(const ir::Model& model);

} // namespace tioc::vdta
