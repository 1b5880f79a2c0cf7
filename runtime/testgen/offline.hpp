#pragma once

#include "ir/test.hpp"
#include "runtime/semantics/step_relation.hpp"
#include "runtime/testgen/generate.hpp"
#include "runtime/testgen/projection.hpp"

namespace tioc::testgen {

struct OfflineOptions {
  ir::Timing timing = ir::Timing::Earliest;
  ir::DataChoice data = ir::DataChoice::Any;
  uint64_t seed = 0;
  ir::Rational patience = 10; ///< how long outputs are recorded behind the last input, in time units
};

/// Makes an input sequence of a path (A, section 5): inputs with values at fixed times, played whatever the system
/// does. What it does is recorded and judged afterwards, by the log.
///
/// A correct system need not follow the path: its outputs have their freedom of time, value and choice. Values and
/// times are chosen so that it must, wherever that is possible: for each point at which the specification has another
/// way on, the inputs that leave that way open are projected out of its conditions and avoided. Where every choice
/// leaves one open, `freedoms` says which.
class OfflineBuilder {
public:
  OfflineBuilder(semantics::Symbols& symbols, semantics::StepRelation& relation, OfflineOptions options);

  /// `path` leads from the start to `end`. Nothing, and `problem`, where no inputs can be chosen.
  std::optional<ir::TestCase> build(std::vector<semantics::SymbolicStep> path, const semantics::SymbolicState& end);
  const std::string& problem() const { return problem_; }
  /// Other ways that a correct system may go, of the last path: `behind location?: may take …`.
  const std::vector<std::string>& freedoms() const { return freedoms_; }
  /// The last input sequence: `0.1 location?4 2.8 plan?5`.
  std::string notation() const;

private:
  struct Given {
    ir::Rational time;
    ir::ChannelId channel;
    std::vector<ir::ExprId> values; ///< constants
    std::vector<ir::Covered> covers;
  };

  /// The next input at or behind a step of the path, or the end of it.
  size_t nextInput(size_t at) const;
  bool isTesters(uint32_t unknown) const;

  // offline_forcing.cpp
  bool force();
  void avoidOthers(size_t at, const semantics::SymbolicState& before);
  void avoidSilence(size_t at, const semantics::SymbolicState& before);
  void avoidRefusal(size_t at, const semantics::SymbolicState& before, const semantics::SymbolicState& behind);
  void avoid(size_t at, const std::string& what, Conjunction conditions);
  ir::ExprId horizon(size_t at);
  std::string placeOf(size_t at) const;

  // offline.cpp
  void readTesters();
  bool solve();
  void chooseData();
  void chooseTimes();
  void chooseTime(ir::ExprId time, uint64_t chance);
  void lower(ir::ExprId time);
  bool fix(ir::ExprId term, const ir::Rational& value);
  void readInputs();
  ir::TestCase emit() const;

  semantics::Symbols& symbols_;
  semantics::StepRelation& relation_;
  OfflineOptions options_;
  ir::ExprPool& pool_;
  Projection project_;
  std::string problem_;
  std::vector<std::string> freedoms_;

  std::vector<semantics::SymbolicStep> path_;
  std::vector<uint32_t> testers_; // unknowns that the tester chooses, sorted
  Conjunction conditions_;        // of the path, and what forces the system onto it
  solver::Assignment model_;
  std::vector<Given> inputs_;
};

/// Input sequences for the purposes, goals and random walks of `options`; `model` as for `generate`. A suite of tests
/// that record (see docs/offline.md); the notes say where a correct system may leave a path.
Generated generateOffline(ir::Model model, const GenerateOptions& options);

} // namespace tioc::testgen
