#include "runtime/semantics/ests_net.hpp"

#include <algorithm>
#include <cassert>

namespace tioc::semantics {

using ir::ActionKind;
using ir::EdgeId;

EstsNet::EstsNet(const ir::Model& model) : model_(&model) {
  owner_.assign(model.locations.size(), kNobody);
  places_.resize(model.locations.size());
  stronger_.resize(model.edges.size());
  receivers_.resize(model.channels.size());
  for (const ir::Component& part : model.systems[0].components) {
    const ir::Automaton& automaton = model[part.automaton];
    assert(automaton.kind == ir::AutomatonKind::Ests && automaton.parameters.empty());
    const uint32_t index = size();
    components_.push_back(part.automaton);
    for (ir::LocationId id : automaton.locations)
      owner_[id.value] = index;
    for (EdgeId id : automaton.edges) {
      const ir::Edge& edge = model[id];
      readPlace(edge.source, id);
      if (edge.action == ActionKind::Receive)
        if (auto& list = receivers_[edge.channel.value]; list.empty() || list.back() != index)
          list.push_back(index);
      for (EdgeId other : automaton.edges)
        if (const ir::Edge& rival = model[other]; rival.priority > edge.priority && rival.source == edge.source &&
                                                  rival.action == edge.action && rival.channel == edge.channel &&
                                                  rival.delayGroup == edge.delayGroup)
          stronger_[id.value].push_back(other);
    }
  }
  for (Place& place : places_)
    std::stable_sort(place.receptions.begin(), place.receptions.end(),
                     [&](EdgeId a, EdgeId b) { return model[a].channel < model[b].channel; });
  readAnswers();
  readIdle();
}

void EstsNet::readPlace(ir::LocationId id, EdgeId edgeId) {
  Place& place = places_[id.value];
  const ir::Edge& edge = (*model_)[edgeId];
  if (edge.action == ActionKind::Receive) {
    place.receptions.push_back(edgeId);
  } else if (edge.action == ActionKind::Delay) {
    auto it = std::lower_bound(place.timeouts.begin(), place.timeouts.end(), edge.delayGroup,
                               [](const Timeout& timeout, ir::GroupId group) { return timeout.group < group; });
    if (it == place.timeouts.end() || it->group != edge.delayGroup)
      it = place.timeouts.insert(it, {edge.delayGroup, {}});
    it->edges.push_back(edgeId);
  } else {
    place.completions.push_back(edgeId);
  }
}

std::span<const EdgeId> EstsNet::receptions(ir::LocationId id, ir::ChannelId channel) const {
  const std::vector<EdgeId>& all = places_[id.value].receptions;
  const auto of = [&](EdgeId edge) { return (*model_)[edge].channel; };
  const auto first = std::lower_bound(all.begin(), all.end(), channel,
                                      [&](EdgeId edge, ir::ChannelId wanted) { return of(edge) < wanted; });
  auto last = first;
  while (last != all.end() && of(*last) == channel)
    ++last;
  return {first, last};
}

bool EstsNet::isSeen(ir::ChannelId id) const {
  const ir::Channel& channel = (*model_)[id];
  return channel.direction == ir::Direction::Output || channel.direction == ir::Direction::Inout ||
         (channel.direction == ir::Direction::Internal && channel.open);
}

bool EstsNet::isOffered(ir::ChannelId id) const {
  const ir::Channel& channel = (*model_)[id];
  return !receivers(id).empty() &&
         (channel.direction == ir::Direction::Input || channel.direction == ir::Direction::Inout ||
          (channel.direction == ir::Direction::Internal && channel.open));
}

/// Signals, completions and later timeouts are followed; guards are not looked at.
void EstsNet::readAnswers() {
  mayAnswer_.assign(model_->edges.size(), false);
  const auto sees = [&](const ir::Edge& edge) { return edge.action == ActionKind::Send && isSeen(edge.channel); };
  for (bool changed = true; changed;) {
    changed = false;
    for (ir::AutomatonId automaton : components_)
      for (EdgeId id : (*model_)[automaton].edges) {
        if (mayAnswer_[id.value])
          continue;
        const ir::Edge& edge = (*model_)[id];
        const Place& behind = places_[edge.target.value];
        const auto answers = [&](EdgeId next) { return mayAnswer_[next.value] == true; };
        bool may = sees(edge) || std::any_of(behind.completions.begin(), behind.completions.end(), answers);
        for (const Timeout& timeout : behind.timeouts)
          may |= std::any_of(timeout.edges.begin(), timeout.edges.end(), answers);
        if (edge.action == ActionKind::Send)
          for (uint32_t j : receivers(edge.channel))
            for (EdgeId other : (*model_)[components_[j]].edges)
              may |= (*model_)[other].action == ActionKind::Receive && (*model_)[other].channel == edge.channel &&
                     answers(other);
        changed |= may;
        mayAnswer_[id.value] = may;
      }
  }
}

/// By edges that do not restart the clock some state of the group is reached, or none is.
void EstsNet::readIdle() {
  idle_.resize(model_->locations.size());
  for (ir::AutomatonId id : components_) {
    const ir::Automaton& automaton = (*model_)[id];
    for (ir::GroupId group : automaton.groups) {
      std::vector<bool> counts(model_->locations.size());
      for (ir::LocationId at : automaton.locations)
        counts[at.value] = std::any_of(timeouts(at).begin(), timeouts(at).end(),
                                       [&](const Timeout& timeout) { return timeout.group == group; });
      for (bool changed = true; changed;) {
        changed = false;
        for (EdgeId edgeId : automaton.edges) {
          const ir::Edge& edge = (*model_)[edgeId];
          if (counts[edge.source.value] || !counts[edge.target.value] ||
              std::find(edge.restarts.begin(), edge.restarts.end(), group) != edge.restarts.end())
            continue;
          counts[edge.source.value] = changed = true;
        }
      }
      for (ir::LocationId at : automaton.locations)
        if (!counts[at.value])
          idle_[at.value].push_back(group);
    }
  }
}

std::vector<ir::GroupId> EstsNet::idle(std::span<const ir::LocationId> at) const {
  std::vector<ir::GroupId> result;
  for (ir::LocationId id : at)
    result.insert(result.end(), idle_[id.value].begin(), idle_[id.value].end());
  return result;
}

std::string EstsNet::loopOf(std::span<const EdgeId> run) const {
  const size_t size = run.size();
  const auto repeats = [&](size_t period) {
    for (size_t i = 0; i < 2 * period; ++i)
      if (run[size - 1 - i] != run[size - 1 - i - period])
        return false;
    return true;
  };
  size_t period = 1;
  while (3 * period <= size && !repeats(period))
    ++period;
  // A run that never repeats itself exactly is shown by its end.
  constexpr size_t kShown = 8;
  if (3 * period > size)
    period = std::min(size, kShown);
  std::string text;
  for (EdgeId id : run.subspan(size - period)) {
    const ir::Edge& edge = (*model_)[id];
    text += (text.empty() ? "" : ", ") + (*model_)[(*model_)[edge.source].automaton].name + "." +
            (*model_)[edge.source].name + " -> " + (*model_)[edge.target].name;
    if (edge.channel.valid())
      text += " by " + (*model_)[edge.channel].name + (edge.action == ActionKind::Send ? "!" : "?");
  }
  return text;
}

} // namespace tioc::semantics
