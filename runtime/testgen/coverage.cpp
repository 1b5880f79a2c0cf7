#include "runtime/testgen/coverage.hpp"

#include <algorithm>

namespace tioc::testgen {

using ir::EdgeId;
using ir::ExprId;
using semantics::SymbolicState;
using semantics::SymbolicStep;
using semantics::Visibility;

namespace {

// A condition that was impossible at so many places is given up.
constexpr uint32_t kMostTries = 60;
// Where only conditions are left, the search ends when nothing was found in this many times the nodes before.
constexpr uint32_t kStale = 3;
constexpr uint32_t kStaleAtLeast = 400;
// Other ways to what was found: how many are remembered, and for how many nodes they are looked for at the end.
constexpr size_t kMostOthers = 3;
constexpr uint32_t kOthersWithin = 60;
// How much less interesting an input to a busy system is, which may refuse it.
constexpr uint32_t kHaste = 5;

template <class T>
bool contains(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

} // namespace

Coverage::Coverage(semantics::Symbols& symbols, semantics::StepRelation& relation, const semantics::Network& network,
                   Moments& moments, std::vector<Wanted> wanted, uint32_t tail)
    : symbols_(symbols), relation_(relation), network_(network), moments_(moments), wanted_(std::move(wanted)),
      tail_(tail), byEdge_(symbols.model().edges.size()), found_(wanted_.size()), covered_(wanted_.size()),
      isTaken_(symbols.model().edges.size()) {
  const ir::Model& model = symbols.model();
  for (size_t i = 0; i < model.edges.size(); ++i)
    touched_.push_back(touchedBy(model, EdgeId(i)));
  for (size_t i = 0; i < wanted_.size(); ++i) {
    const Wanted& wanted = wanted_[i];
    ++open_;
    openPlain_ += isTimed(wanted) ? 0 : 1;
    if (wanted.shape == Wanted::Shape::State) {
      for (size_t e = 0; e < model.edges.size(); ++e)
        if (model.edges[e].target == wanted.location)
          byEdge_[e].push_back(i);
    } else if (wanted.shape == Wanted::Shape::Beside) {
      for (EdgeId other : wanted.others)
        byEdge_[other.value].push_back(i);
    } else {
      byEdge_[wanted.edge.value].push_back(i);
    }
  }
}

template <class Back>
bool Coverage::comesBehind(const Wanted& wanted, Back&& back) const {
  const ir::Model& model = symbols_.model();
  const uint32_t component = network_.componentOf(wanted.edge);
  for (size_t i = 1;; ++i) {
    const SymbolicStep* step = back(i);
    if (!step)
      return false;
    // Edges of one step write one after the other.
    for (auto edge = step->edges.rbegin(); edge != step->edges.rend(); ++edge) {
      const bool last = wanted.shape == Wanted::Shape::Pair
                            ? network_.componentOf(model[*edge].source) == component
                            : (wanted.variable.valid() && contains(touched_[edge->value].writes, wanted.variable)) ||
                                  (wanted.clock.valid() && contains(touched_[edge->value].writesClocks, wanted.clock));
      if (last)
        return *edge == wanted.first;
    }
  }
}

// ---- looking

void Coverage::look(const SearchNode& from, const SearchNode& node, uint32_t id, size_t item, EdgeId edge) {
  Found& found = found_[item];
  const Wanted& wanted = wanted_[item];
  for (size_t i = 0; i < std::min(found.when, wanted.when.size()) && found.tries < kMostTries; ++i) {
    ++found.tries;
    SymbolicState state = node.state;
    if (!symbols_.assume(state, moments_.condition(wanted.when[i], from.state, node.step, edge)) ||
        !symbols_.isFeasible(state) || state.uncertain)
      continue;
    open_ -= found.node == UINT32_MAX ? 1 : 0;
    found.node = id;
    found.when = i;
    lastFind_ = id;
    return;
  }
}

bool Coverage::visit(const Search& search, uint32_t id) {
  const SearchNode& node = search[id];
  if (node.parent == UINT32_MAX)
    return open_ > 0;
  for (EdgeId edge : node.step.edges) {
    if (!isTaken_[edge.value])
      lastFind_ = id; // what lies behind is new as well
    isTaken_[edge.value] = true;
    for (size_t item : byEdge_[edge.value]) {
      const Wanted& wanted = wanted_[item];
      if (isTimed(wanted)) {
        look(search[node.parent], node, id, item, edge);
        continue;
      }
      Found& found = found_[item];
      if (found.node != UINT32_MAX && found.others.size() == kMostOthers)
        continue;
      if (wanted.shape == Wanted::Shape::Pair || wanted.shape == Wanted::Shape::Use) {
        uint32_t at = id;
        const bool behind = comesBehind(wanted, [&](size_t) -> const SymbolicStep* {
          at = search[at].parent;
          return search[at].parent == UINT32_MAX ? nullptr : &search[at].step;
        });
        if (!behind)
          continue;
      }
      if (found.node != UINT32_MAX) {
        found.others.push_back(id);
        continue;
      }
      found.node = id;
      lastFind_ = id;
      --open_;
      --openPlain_;
    }
  }
  return openPlain_ > 0 || id < (open_ > 0 ? lastFind_ * kStale + kStaleAtLeast : lastFind_ + kOthersWithin);
}

std::vector<size_t> Coverage::order() const {
  std::vector<size_t> items;
  for (size_t i = 0; i < wanted_.size(); ++i)
    if (found_[i].node != UINT32_MAX)
      items.push_back(i);
  std::stable_sort(items.begin(), items.end(), [&](size_t a, size_t b) { return found_[a].node > found_[b].node; });
  return items;
}

// ---- paths

/// The edge of the step that bears on the item.
EdgeId Coverage::takenFor(const SymbolicStep& step, size_t item) const {
  return *std::find_if(step.edges.begin(), step.edges.end(),
                       [&](EdgeId edge) { return contains(byEdge_[edge.value], item); });
}

/// Asks for the guard at an edge of a step, if that is possible.
bool Coverage::wish(Path& path, size_t at, EdgeId edge, const ir::Guard& guard) {
  SymbolicState end = path.end;
  const ExprId condition = moments_.condition(guard, path.steps[at].from, path.steps[at].step, edge);
  if (!symbols_.assume(end, condition) || !symbols_.isFeasible(end) || end.uncertain)
    return false;
  path.steps[at].wishes.emplace_back(edge, guard);
  path.end = std::move(end);
  return true;
}

Path Coverage::pathTo(const Search& search, size_t item, size_t way) {
  Path path = search.path(way == 0 ? found_[item].node : found_[item].others[way - 1]);
  if (isTimed(wanted_[item]))
    wish(path, path.steps.size() - 1, takenFor(path.steps.back().step, item), wanted_[item].when[found_[item].when]);
  addTail(path);
  addWishes(path);
  return path;
}

/// What else is open and can be had on the way. Only where the tester decides: what the system does would have to be
/// waited for.
void Coverage::addWishes(Path& path) {
  for (size_t at = 0; at < path.steps.size(); ++at) {
    const Path::Step& step = path.steps[at];
    if (step.step.visibility != Visibility::Input)
      continue;
    for (EdgeId edge : step.step.edges)
      for (size_t item : byEdge_[edge.value])
        if (isTimed(wanted_[item]) && !covered_[item])
          for (const ir::Guard& when : wanted_[item].when)
            if (wish(path, at, edge, when))
              break;
  }
}

void Coverage::note(Fresh& fresh, const SymbolicStep& step) const {
  for (EdgeId edge : step.edges) {
    const Touched& touched = touched_[edge.value];
    std::erase_if(fresh.variables, [&](ir::VariableId id) { return contains(touched.reads, id); });
    std::erase_if(fresh.clocks, [&](ir::ClockId id) { return contains(touched.readsClocks, id); });
    for (ir::VariableId id : touched.writes)
      if (!contains(fresh.variables, id))
        fresh.variables.push_back(id);
    for (ir::ClockId id : touched.writesClocks)
      if (!contains(fresh.clocks, id))
        fresh.clocks.push_back(id);
  }
}

/// How much a step shows: things not covered yet, and what was written before.
uint32_t Coverage::interest(const Path& path, const Fresh& fresh, const SymbolicStep& step) const {
  uint32_t result = step.visibility == Visibility::Output ? 1 : 0;
  for (EdgeId edge : step.edges) {
    for (size_t item : byEdge_[edge.value]) {
      const Wanted& wanted = wanted_[item];
      if (covered_[item])
        continue;
      const bool plain = wanted.shape != Wanted::Shape::Pair && wanted.shape != Wanted::Shape::Use;
      if (plain || comesBehind(wanted, [&](size_t i) {
            return i > path.steps.size() ? nullptr : &path.steps[path.steps.size() - i].step;
          }))
        result += isTimed(wanted) ? 2 : 20;
    }
    for (ir::VariableId id : touched_[edge.value].reads)
      result += contains(fresh.variables, id) ? 6 : 0;
    for (ir::ClockId id : touched_[edge.value].readsClocks)
      result += contains(fresh.clocks, id) ? 6 : 0;
  }
  return result;
}

void Coverage::addTail(Path& path) {
  Fresh fresh;
  for (const Path::Step& step : path.steps)
    note(fresh, step.step);
  for (uint32_t seen = 0, steps = 0; seen < tail_ && steps < 2 * tail_; ++steps) {
    std::vector<std::pair<SymbolicStep, SymbolicState>> behind;
    relation_.successors(path.end, [&](SymbolicStep&& step, SymbolicState&& state) {
      behind.emplace_back(std::move(step), std::move(state));
    });
    const auto isInput = [](const SymbolicStep& step) { return step.visibility == Visibility::Input; };
    const bool isBusy =
        !std::all_of(behind.begin(), behind.end(), [&](const auto& next) { return isInput(next.first); });
    std::pair<SymbolicStep, SymbolicState>* best = nullptr;
    uint32_t most = 0;
    for (auto& next : behind) {
      uint32_t interesting = interest(path, fresh, next.first) + 1;
      if (isBusy && isInput(next.first))
        interesting = interesting > kHaste ? interesting - kHaste : 1;
      if (next.second.uncertain || interesting <= most)
        continue;
      most = interesting;
      best = &next;
    }
    // One more event tells where the goal has led to; others must have something to show.
    if (most == 0 || (seen > 0 && most == 1))
      return;
    seen += best->first.visibility != Visibility::Unobservable ? 1 : 0;
    note(fresh, best->first);
    const PurposeState purpose = path.steps.empty() ? PurposeState() : path.steps.back().purpose;
    path.steps.push_back({std::move(best->first), std::move(path.end), purpose, {}});
    path.end = std::move(best->second);
  }
}

// ---- what a test covers

bool Coverage::holdsAt(const Path& path, size_t at, size_t item) const {
  const Wanted& wanted = wanted_[item];
  return (wanted.shape != Wanted::Shape::Pair && wanted.shape != Wanted::Shape::Use) ||
         comesBehind(wanted, [&](size_t i) { return i > at ? nullptr : &path.steps[at - i].step; });
}

std::vector<size_t> Coverage::credit(const Path& path, size_t length, const solver::Assignment& model) {
  std::vector<size_t> result;
  for (size_t at = 0; at < length; ++at) {
    const Path::Step& step = path.steps[at];
    for (EdgeId edge : step.step.edges)
      for (size_t item : byEdge_[edge.value]) {
        if (contains(result, item))
          continue;
        bool covers = !isTimed(wanted_[item]) && holdsAt(path, at, item);
        for (const ir::Guard& when : wanted_[item].when) {
          if (covers)
            break;
          const ExprId wanted = moments_.condition(when, step.from, step.step, edge);
          if (step.step.visibility == Visibility::Input) {
            covers = symbols_.terms().holds(wanted, model);
          } else if (!covered_[item]) { // the system decides; the test waits for it
            SymbolicState state = at + 1 < path.steps.size() ? path.steps[at + 1].from : path.end;
            covers = symbols_.assume(state, wanted) && symbols_.isFeasible(state) && !state.uncertain;
          }
        }
        if (covers)
          result.push_back(item);
      }
  }
  for (size_t item : result)
    covered_[item] = true;
  return result;
}

std::string Coverage::reason(const Search& search, size_t item) const {
  const Found& found = found_[item];
  if (!found.failure.empty())
    return found.failure;
  const std::string limit = "the limit of " + search.stopped();
  if (isTimed(wanted_[item]) && found.tries > 0)
    return search.stopped().empty() ? "impossible: whenever the edge is taken, this does not hold"
                                    : "impossible in " + std::to_string(found.tries) + " places where it was tried";
  if (search.stopped().empty())
    return "unreachable";
  return "not found in " + std::to_string(search.size()) + " states" +
         (search.stopped() == "found" ? "" : ", " + limit);
}

} // namespace tioc::testgen
