#include "runtime/testgen/goals.hpp"
#include "runtime/testgen/offline.hpp"

#include <algorithm>
#include <map>

// Which inputs leave a correct system no way but the path.
namespace tioc::testgen {

using ir::ExprId;
using semantics::SymbolicState;
using semantics::SymbolicStep;
using semantics::Visibility;

namespace {

/// What `longer` has beyond `conditions`.
Conjunction beyond(const Conjunction& longer, const Conjunction& conditions) {
  Conjunction result;
  for (ExprId id : longer)
    if (std::find(conditions.begin(), conditions.end(), id) == conditions.end())
      result.push_back(id);
  return result;
}

} // namespace

/// `behind plan!`, for people.
std::string OfflineBuilder::placeOf(size_t at) const {
  for (size_t i = at; i-- > 0;)
    if (path_[i].visibility != Visibility::Unobservable)
      return "behind " + symbols_.model()[path_[i].channel].name +
             (path_[i].visibility == Visibility::Input ? "?" : "!") + " (step " + std::to_string(i + 1) + ")";
  return "at the start";
}

/// The time of the next input, up to which the system is on its own; behind the last one, the end of the recording.
ExprId OfflineBuilder::horizon(size_t at) {
  const size_t next = nextInput(at);
  if (next < path_.size())
    return path_[next].time;
  const ExprId patience = pool_.real(options_.patience);
  for (size_t i = path_.size(); i-- > 0;)
    if (path_[i].visibility == Visibility::Input)
      return pool_.add(std::vector<ExprId>{path_[i].time, patience});
  return patience;
}

/// The conditions describe a way off the path. Inputs under which they cannot hold, whatever the system chooses, are
/// asked for; where there are none, the way stays open.
void OfflineBuilder::avoid(size_t at, const std::string& what, Conjunction conditions) {
  const Projected open = project_(conditions, [&](uint32_t unknown) { return isTesters(unknown); });
  Conjunction longer = conditions_;
  for (const Conjunction& one : open.cases)
    longer.push_back(pool_.negation(pool_.conjunction(one)));
  if (longer.size() == conditions_.size())
    return;
  const solver::Reply reply = symbols_.solver().check(longer, &model_);
  if (reply.answer == solver::Answer::Sat) {
    conditions_ = std::move(longer);
    model_.merge(reply.model);
    return;
  }
  std::string text = placeOf(at) + ": " + what;
  if (reply.answer == solver::Answer::Unknown || !open.exact)
    text += " (as far as could be told)";
  if (std::find(freedoms_.begin(), freedoms_.end(), text) == freedoms_.end())
    freedoms_.push_back(std::move(text));
}

/// Steps that the system may take instead of the path's, until the next input or by it.
void OfflineBuilder::avoidOthers(size_t at, const SymbolicState& before) {
  struct Other {
    SymbolicStep step;
    Conjunction conditions;
  };
  std::vector<Other> others;
  relation_.successors(before, [&](SymbolicStep&& other, SymbolicState&& behind) {
    if (other.edges != path_[at].edges &&
        (other.visibility != Visibility::Input ||
         (path_[at].visibility == Visibility::Input && path_[at].channel == other.channel)))
      others.push_back({std::move(other), std::move(behind.conditions)});
  });
  for (Other& other : others) {
    const bool input = other.step.visibility == Visibility::Input;
    // Branches share the unknowns of a step; this one is beside the path's.
    std::map<ExprId, ExprId> renamed;
    const auto rename = [&](ExprId term, ExprId to) {
      if (pool_.op(term) == ir::Op::Parameter)
        renamed.emplace(term, to.valid() ? to : symbols_.twin(pool_.payload(term)));
    };
    const ExprId fresh = symbols_.timeOf(before.steps + 1);
    if (other.step.time == fresh)
      rename(fresh, input ? path_[at].time : ExprId());
    for (uint32_t i = 0; i < other.step.values.size(); ++i) {
      const ExprId value = other.step.values[i];
      if (pool_.op(value) == ir::Op::Parameter &&
          value == symbols_.unknown(before.steps + 1, i, symbols_.unknowns().type(pool_.payload(value)), ""))
        rename(value, input ? path_[at].values[i] : ExprId());
    }
    ir::ExprPool::Substitution put(pool_, [&](ExprId leaf) {
      const auto it = renamed.find(leaf);
      return it == renamed.end() ? ExprId() : it->second;
    });
    Conjunction conditions = before.conditions;
    for (ExprId id : beyond(other.conditions, before.conditions))
      conditions.push_back(put(id));
    if (input)
      for (size_t i = 0; i < other.step.values.size(); ++i)
        conditions.push_back(pool_.equal(put(other.step.values[i]), path_[at].values[i]));
    else
      conditions.push_back(pool_.lessEqual(put(other.step.time), horizon(at)));
    avoid(at, "'" + describe(symbols_.model(), other.step.edges[0]) + "' may be taken", std::move(conditions));
  }
}

/// The path goes on by the system itself, which may still be waiting when the next input comes.
void OfflineBuilder::avoidSilence(size_t at, const SymbolicState& before) {
  std::vector<std::pair<ExprId, Conjunction>> waits;
  relation_.wait(before, [&](SymbolicState&& later) {
    waits.emplace_back(symbols_.expr(later.now), std::move(later.conditions));
  });
  for (auto& [time, conditions] : waits) {
    conditions.push_back(pool_.equal(time, horizon(at)));
    const size_t next = nextInput(at);
    avoid(at,
          "'" + describe(symbols_.model(), path_[at].edges[0]) + "' may not have been taken " +
              (next < path_.size() ? "when " + symbols_.model()[path_[next].channel].name + "? is sent" : "in the end"),
          std::move(conditions));
  }
}

/// The system got here in time, but where it now is it does not take the input.
void OfflineBuilder::avoidRefusal(size_t at, const SymbolicState& before, const SymbolicState& behind) {
  std::vector<std::pair<ExprId, Conjunction>> waits;
  relation_.wait(before, [&](SymbolicState&& later) {
    waits.emplace_back(symbols_.expr(later.now), std::move(later.conditions));
  });
  for (auto& [time, conditions] : waits) {
    if (time != path_[at].time)
      conditions.push_back(pool_.equal(time, path_[at].time));
    conditions.push_back(symbols_.terms().fails(pool_.conjunction(beyond(behind.conditions, before.conditions))));
    avoid(at, symbols_.model()[path_[at].channel].name + "? may not be taken as on the path", std::move(conditions));
  }
}

/// Goes along the path, the system's times and values open. False: the path is none of this relation.
bool OfflineBuilder::force() {
  std::vector<SymbolicState> starts = relation_.initial();
  if (starts.size() != 1)
    return false;
  SymbolicState before = std::move(starts[0]);
  for (size_t at = 0; at < path_.size(); ++at) {
    std::optional<SymbolicState> behind;
    relation_.successors(before, [&](SymbolicStep&& other, SymbolicState&& state) {
      if (!behind && other.edges == path_[at].edges)
        behind = std::move(state);
    });
    if (!behind)
      return false;
    avoidOthers(at, before);
    if (path_[at].visibility == Visibility::Input)
      avoidRefusal(at, before, *behind);
    else
      avoidSilence(at, before);
    before = std::move(*behind);
  }
  return true;
}

} // namespace tioc::testgen
