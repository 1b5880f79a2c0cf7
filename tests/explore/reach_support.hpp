#pragma once

#include "ir/passes.hpp"
#include "runtime/explore/reach_run.hpp"
#include "semantics/reference.hpp"
#include "support/support.hpp"

#include <set>

namespace tioc::explore::test {

/// A model in the form that exploration wants.
struct Prepared {
  explicit Prepared(const ir::Model& all, size_t system = SIZE_MAX)
      : model(ir::resolvePriorities(
            ir::scaleTime(ir::instantiate(all, ir::SystemId(std::min(system, all.systems.size() - 1)))))) {}
  explicit Prepared(const std::string& text) : Prepared(tioc::test::compileOk(text)) {}

  ir::Model model;
};

inline ir::LocationId locationCalled(const ir::Model& model, const std::string& automaton, const std::string& name) {
  for (size_t i = 0; i < model.locations.size(); ++i)
    if (model.locations[i].name == name && model[model.locations[i].automaton].name == automaton)
      return ir::LocationId(i);
  throw std::runtime_error("no location " + automaton + "." + name);
}

inline Target at(const ir::Model& model, const std::string& automaton, const std::string& name) {
  return {{locationCalled(model, automaton, name)}, {}, {}};
}

inline ReachResult reach(const ir::Model& model, ReachOptions options = {}) {
  return Reachability(model, std::move(options)).run();
}

/// The delays of a run, as text.
inline std::string delays(const TimedRun& run) {
  std::string text;
  for (const TimedStep& step : run.steps)
    text += step.delay.toString() + " ";
  return text + run.delay.toString();
}

/// Follows the run in the reference. Returns what it refuses, or the state at the end.
struct Replay {
  std::optional<std::string> refused;
  semantics::reference::State end;
};
Replay replay(const Prepared& prepared, const TimedRun& run);

} // namespace tioc::explore::test
