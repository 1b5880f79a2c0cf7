#include "driver/deep.hpp"

#include "driver/exploration.hpp"
#include "driver/progress.hpp"
#include "driver/subject.hpp"

#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "runtime/explore/deep.hpp"

#include <algorithm>
#include <array>

namespace tioc::driver {

void DeepOptions::addTo(CLI::App& command) {
  command.add_flag("--deep", deep,
                   "Explore each system: what is never reached, non-determinism, states where time cannot pass");
  command.add_flag("--completeness", completeness, "With --deep: a table of the inputs that each state accepts");
  command.add_option("--seconds", seconds, "With --deep: longest time per system; 0: no limit")->capture_default_str();
  command.add_option("--memory", megabytes, "With --deep: most memory in MB; 0: no limit")->capture_default_str();
}

namespace {

using frontend::Kind;

bool samePlace(ir::Span a, ir::Span b) {
  return a.file == b.file && a.begin == b.begin && a.end == b.end;
}

/// One system's findings on their way to the diagnostics. A component made twice of one automaton, and an edge that was
/// cut into several, have one place in the source: what is said about the place holds for all of them.
class Teller {
public:
  Teller(const ir::Model& model, const explore::Deep& deep, const ir::Rational& unit, Compilation& compilation,
         DeepReport& report)
      : model_(model), deep_(deep), unit_(unit), network_(model), system_(model.systems[0].name),
        diagnostics_(compilation.diagnostics()), report_(report) {}

  void tell() {
    for (ir::LocationId id : deep_.unreachable)
      unreachable(id);
    for (const explore::DeadEdge& dead : deep_.dead)
      neverTaken(dead);
    for (const explore::Overlap& overlap : deep_.overlaps)
      overlaps(overlap);
    if (deep_.unstable)
      unstable(*deep_.unstable);
    if (deep_.openStart)
      report_.text += system_ + ": several starts: " + *deep_.openStart + "\n";
    if (deep_.timeBlock)
      timeBlock(*deep_.timeBlock);
  }

private:
  /// True the first time that it is asked for a place.
  bool isNew(Kind kind, ir::Span span) {
    const bool known = std::any_of(told_.begin(), told_.end(), [&](const auto& entry) {
      return entry.first == kind && samePlace(entry.second, span);
    });
    if (!known)
      told_.emplace_back(kind, span);
    return !known;
  }

  /// The frontend has said it without looking deep.
  bool wasSaid(Kind kind, ir::Span within) const {
    const auto list = diagnostics_.sorted();
    return std::any_of(list.begin(), list.end(), [&](const frontend::Diagnostic& diagnostic) {
      return diagnostic.kind == kind && diagnostic.span.file == within.file && diagnostic.span.begin >= within.begin &&
             diagnostic.span.end <= within.end;
    });
  }

  bool isDead(ir::EdgeId id) const {
    return std::any_of(deep_.dead.begin(), deep_.dead.end(), [&](const auto& dead) { return dead.edge == id; });
  }
  bool isUnreachable(ir::LocationId id) const {
    return std::find(deep_.unreachable.begin(), deep_.unreachable.end(), id) != deep_.unreachable.end();
  }

  void unreachable(ir::LocationId id) {
    const ir::Span span = model_[id].span;
    for (uint32_t i = 0; i < network_.size(); ++i)
      for (ir::LocationId other : model_[network_.component(i)].locations)
        if (samePlace(model_[other].span, span) && !isUnreachable(other))
          return;
    if (!isNew(Kind::NeverReached, span) || wasSaid(Kind::UnreachableState, span))
      return;
    frontend::Diagnostic& diagnostic = diagnostics_.report(Kind::NeverReached, span, {system_, model_[id].name});
    for (ir::EdgeId edge : network_.edges(id))
      diagnostic.note(model_[edge].span, "so this edge is never taken");
  }

  void neverTaken(const explore::DeadEdge& dead) {
    const ir::Edge& edge = model_[dead.edge];
    if (dead.why == explore::Dead::SourceUnreachable)
      return; // told with the state
    for (uint32_t i = 0; i < network_.size(); ++i)
      for (ir::EdgeId other : model_[network_.component(i)].edges)
        if (samePlace(model_[other].span, edge.span) && !isDead(other))
          return;
    if (!isNew(Kind::NeverTaken, edge.span) || wasSaid(Kind::GuardNeverTrue, edge.span))
      return;
    diagnostics_.report(Kind::NeverTaken, edge.span, {system_, reasonText(dead.why, edge)});
  }

  std::string reasonText(explore::Dead why, const ir::Edge& edge) const {
    if (why == explore::Dead::NeverTrue)
      return "no values satisfy its guard";
    if (why == explore::Dead::NoPartner)
      return "nobody is at the other end of '" + model_[edge.channel].name + "'";
    return "whenever state '" + model_[edge.source].name + "' is reached, it is not possible";
  }

  void overlaps(const explore::Overlap& overlap) {
    const ir::Edge& first = model_[overlap.first];
    const ir::Edge& second = model_[overlap.second];
    if (samePlace(first.span, second.span) || !isNew(Kind::NonDeterministic, first.span))
      return;
    const explore::Replay seen = explore::replay(model_, overlap.run);
    const eval::Layout layout(model_);
    const bool message = overlap.message.channel.valid();
    std::string example = "for example";
    if (message)
      example += " on " + explore::stepLabel(model_, layout, overlap.message);
    if (!seen.complaint)
      example += " at " + showState(model_, seen.states.back()) + ", after: " + showSteps(model_, overlap.run, unit_);
    diagnostics_.report(Kind::NonDeterministic, first.span, {system_})
        .note(second.span, message ? "the other one" : "the other one: both are enabled at one instant")
        .note({}, example);
  }

  void unstable(const explore::UnstableLoop& loop) {
    const ir::Span first = model_[loop.edges[0]].span;
    if (wasSaid(Kind::UnstableLoop, model_[network_.component(0)].span))
      return;
    std::string shown = ir::sourceName(model_[model_[loop.edges[0]].source]);
    for (ir::EdgeId id : loop.edges)
      shown += " -> " + ir::sourceName(model_[model_[id].target]);
    frontend::Diagnostic& diagnostic = diagnostics_.report(Kind::UnstableLoop, first, {shown});
    for (size_t i = 1; i < loop.edges.size(); ++i)
      diagnostic.note(model_[loop.edges[i]].span, "then this one");
    if (const explore::Replay seen = explore::replay(model_, loop.run); !seen.complaint)
      diagnostic.note({},
                      "at " + showState(model_, seen.states.back()) + ", after: " + showSteps(model_, loop.run, unit_));
  }

  void timeBlock(const explore::TimedRun& run) {
    const explore::Replay seen = explore::replay(model_, run);
    if (seen.complaint)
      return;
    const ir::LocationId last =
        run.steps.empty() ? network_.initial()[0] : model_[run.steps.back().step.edges[0]].target;
    diagnostics_.report(Kind::TimeBlock, model_[last].span, {system_})
        .note({}, "at " + showState(model_, seen.states.back()) + ", after: " + showSteps(model_, run, unit_));
  }

  const ir::Model& model_;
  const explore::Deep& deep_;
  const ir::Rational& unit_;
  semantics::Network network_;
  std::string system_;
  frontend::Diagnostics& diagnostics_;
  DeepReport& report_;
  std::vector<std::pair<Kind, ir::Span>> told_;
};

std::string completenessTable(const ir::Model& model, const explore::Deep& deep) {
  std::vector<std::array<std::string, 3>> rows;
  const bool several = semantics::Network(model).size() > 1;
  for (const explore::InputUse& use : explore::inputUses(model, deep)) {
    const ir::Location& location = model[use.location];
    std::string when;
    for (ir::EdgeId id : use.edges) {
      const std::string guard = ir::printGuard(model, model[id].guard, &model[id]);
      when += (when.empty() ? "when " : ", or ") + (guard.empty() ? "possible" : guard);
    }
    rows.push_back({(several ? model[location.automaton].name + "." : "") + location.name,
                    model[use.channel].name + "?",
                    use.edges.empty()                 ? "refused"
                    : use.always == ir::Decision::Yes ? "always"
                                                      : when});
  }
  size_t width[2] = {0, 0};
  for (const auto& row : rows)
    for (size_t i = 0; i < 2; ++i)
      width[i] = std::max(width[i], row[i].size());
  std::string text = rows.empty() ? "  no inputs\n" : "";
  for (const auto& row : rows)
    text += "  " + row[0] + std::string(width[0] - row[0].size() + 2, ' ') + row[1] +
            std::string(width[1] - row[1].size() + 2, ' ') + row[2] + "\n";
  return text;
}

/// The systems that are looked at: the named one, else those that the file declares, else its automata.
std::vector<ir::SystemId> systemsOf(const ir::Model& model, const std::string& name) {
  std::vector<ir::SystemId> result;
  const bool declared =
      std::any_of(model.systems.begin(), model.systems.end(), [](const ir::System& s) { return !s.implicit; });
  for (size_t i = 0; i < model.systems.size(); ++i)
    if (name.empty() ? model.systems[i].implicit != declared : model.systems[i].name == name)
      result.emplace_back(i);
  return result;
}

} // namespace

DeepReport checkDeep(const ir::Model& model, const DeepOptions& options, Compilation& compilation, Io& io) {
  DeepReport report;
  const Interruption interruption;
  if (!options.system.empty() &&
      !named(model.systems, options.system, "system", io, [](const ir::System&) { return true; })) {
    report.failed = true;
    return report;
  }
  for (ir::SystemId id : systemsOf(model, options.system)) {
    const std::string name = model[id].name;
    if (const auto other = otherKind(model, id)) {
      report.text += name + ": " + *other + "; only networks of tiosts are explored so far\n";
      continue;
    }
    const ir::Model subject = prepare(model, id);
    explore::DeepLimits limits;
    limits.seconds = options.seconds;
    limits.bytes = options.megabytes << 20;
    limits.interrupted = Interruption::requested;
    const explore::Deep deep = explore::analyse(subject, limits);
    if (deep.problem) {
      report.text += name + ": not explored: " + compilation.describe(deep.problem->span) + deep.problem->text + "\n";
      continue;
    }
    const ir::Rational unit = model.secondsPerUnit / subject.secondsPerUnit;
    Teller(subject, deep, unit, compilation, report).tell();
    for (const std::string& open : deep.open)
      report.text += name + ": not decided: " + open + "\n";
    report.limited |= deep.limited;
    if (options.completeness)
      report.text += name + ": inputs by state\n" + completenessTable(subject, deep);
  }
  return report;
}

} // namespace tioc::driver
