#pragma once

#include "ir/test.hpp"
#include "runtime/semantics/network.hpp"

namespace tioc::testgen {

/// One thing that a coverage goal asks for.
struct Wanted {
  enum class Shape : uint8_t {
    State,  ///< an edge leads to `location`
    Edge,   ///< `edge` is taken
    Pair,   ///< `edge` is the next one of its component behind `first`
    Use,    ///< `edge` reads what `first` wrote last
    Moment, ///< `edge` is taken while one of `when` holds
    Beside, ///< one of `others` is taken while one of `when` holds
  };

  ir::Goal goal = ir::Goal::Edges;
  Shape shape = Shape::Edge;
  ir::Covered what;
  ir::LocationId location;
  ir::EdgeId edge;
  ir::EdgeId first;
  ir::VariableId variable; ///< Use: this, or
  ir::ClockId clock;       ///< this
  /// Conditions before the step, over the variables, the clocks and the message; the better ones first.
  std::vector<ir::Guard> when;
  std::vector<ir::EdgeId> others;
};

/// What the goal asks of the network. `nearness` is how close a test comes to a bound that it may not reach. New
/// expressions are made in the model's pool; `network` belongs to the model.
std::vector<Wanted> wantedBy(ir::Model& model, const semantics::Network& network, ir::Goal goal,
                             const ir::Rational& nearness);

/// What an edge reads and writes.
struct Touched {
  std::vector<ir::VariableId> reads, writes;
  std::vector<ir::ClockId> readsClocks, writesClocks;
};
Touched touchedBy(const ir::Model& model, ir::EdgeId edge);

/// `Atm: Idle -> Verify by Withdrawal?`
std::string describe(const ir::Model& model, ir::EdgeId edge);
/// `Atm.Idle`
std::string describe(const ir::Model& model, ir::LocationId location);

} // namespace tioc::testgen
