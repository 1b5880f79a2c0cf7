#include "runtime/semantics/network.hpp"

#include <algorithm>
#include <cassert>

namespace tioc::semantics {

using ir::ActionKind;
using ir::ChannelId;
using ir::Edge;
using ir::EdgeId;
using ir::LocationId;
using ir::Urgency;

Network::Network(const ir::Model& model) : model_(&model) {
  assert(!model.systems.empty());
  for (const ir::Component& component : model.systems[0].components) {
    const ir::Automaton& automaton = model[component.automaton];
    assert(automaton.parameters.empty());
    components_.push_back(component.automaton);
    initial_.push_back(automaton.initial);
    locationDeadlines_.push_back(automaton.deadlines == ir::Deadlines::Location ? 1 : 0);
    anyLocationDeadlines_ |= automaton.deadlines == ir::Deadlines::Location;
  }
  readSymbols();
  places_.resize(model.locations.size());
  for (uint32_t i = 0; i < size(); ++i)
    for (LocationId id : model[components_[i]].locations)
      places_[id.value].component = i;
  urgencies_.resize(model.edges.size(), Urgency::Lazy);
  for (uint32_t i = 0; i < size(); ++i)
    for (EdgeId id : model[components_[i]].edges)
      if (!hasLocationDeadlines(i))
        urgencies_[id.value] = model[id].urgency;
  readChannels();
  for (ir::AutomatonId automaton : components_)
    for (LocationId id : model[automaton].locations)
      readPlace(automaton, id);
  for (size_t i = 0; i < solos_.size(); ++i)
    solos_[i].edges = {&soloEdges_[i], 1};
}

void Network::readSymbols() {
  const auto belongs = [&](ir::AutomatonId owner) {
    return !owner.valid() || std::find(components_.begin(), components_.end(), owner) != components_.end();
  };
  clockIndex_.assign(model_->clocks.size(), UINT32_MAX);
  for (size_t i = 0; i < model_->clocks.size(); ++i)
    if (i == 0 || belongs(model_->clocks[i].owner)) {
      clockIndex_[i] = static_cast<zones::Clock>(clocks_.size());
      clocks_.push_back(ir::ClockId(i));
    }
  for (size_t i = 0; i < model_->variables.size(); ++i)
    if (belongs(model_->variables[i].owner))
      variables_.push_back(ir::VariableId(i));
}

void Network::readChannels() {
  channels_.resize(model_->channels.size());
  const auto note = [](std::vector<uint32_t>& list, uint32_t component) {
    if (list.empty() || list.back() != component)
      list.push_back(component);
  };
  for (uint32_t i = 0; i < size(); ++i)
    for (EdgeId id : (*model_)[components_[i]].edges) {
      const Edge& edge = (*model_)[id];
      if (edge.action == ActionKind::Send)
        note(channels_[edge.channel.value].senders, i);
      else if (edge.action == ActionKind::Receive)
        note(channels_[edge.channel.value].receivers, i);
    }
  for (size_t c = 0; c < channels_.size(); ++c) {
    ChannelUse& use = channels_[c];
    const ir::Channel& channel = model_->channels[c];
    use.closed = !use.senders.empty() && !use.receivers.empty() &&
                 (use.senders.size() > 1 || use.receivers.size() > 1 || use.senders[0] != use.receivers[0]);
    const bool internal = channel.direction == ir::Direction::Internal;
    use.sync = internal ? Visibility::Unobservable : Visibility::Output;
    if (channel.broadcast && !use.closed && !internal && !use.receivers.empty())
      announcements_.push_back(ChannelId(c));
  }
}

Visibility Network::visibility(const Edge& edge) const {
  if (!edge.channel.valid())
    return Visibility::Unobservable;
  const ChannelUse& use = channels_[edge.channel.value];
  return edge.action == ActionKind::Send || use.closed ? use.sync : Visibility::Input;
}

void Network::readPlace(ir::AutomatonId automaton, LocationId id) {
  Place& place = places_[id.value];
  const ir::Location& location = (*model_)[id];
  place.committed = location.committed;
  place.stopsTime = location.committed || location.urgent;
  place.edges.first = static_cast<uint32_t>(edges_.size());
  place.solos.first = static_cast<uint32_t>(solos_.size());
  place.sends.first = static_cast<uint32_t>(sends_.size());
  place.receives.first = static_cast<uint32_t>(receives_.size());
  std::vector<std::pair<ChannelId, EdgeId>> receives;
  for (EdgeId edgeId : ir::edgesFrom(*model_, (*model_)[automaton], id)) {
    const Edge& edge = (*model_)[edgeId];
    assert(edge.priority == 0 || (*model_)[automaton].kind != ir::AutomatonKind::Tiosts);
    const bool message = edge.channel.valid();
    const bool closed = message && isClosed(edge.channel);
    const bool broadcast = message && (*model_)[edge.channel].broadcast;
    const bool send = edge.action == ActionKind::Send;
    if (message && (*model_)[edge.channel].direction == ir::Direction::Internal && !closed && !(broadcast && send))
      continue; // never fires
    edges_.push_back(edgeId);
    place.binds |= urgency(edgeId) != Urgency::Lazy;
    if (edge.action == ActionKind::Receive && (closed || broadcast)) {
      receives.emplace_back(edge.channel, edgeId);
    } else if (send && closed && !broadcast) {
      sends_.push_back(edgeId);
    } else {
      Move move;
      move.channel = edge.channel;
      move.visibility = visibility(edge);
      move.urgency = urgency(edgeId);
      move.broadcast = broadcast;
      solos_.push_back(move);
      soloEdges_.push_back(edgeId);
    }
  }
  std::stable_sort(receives.begin(), receives.end(), [](auto& a, auto& b) { return a.first < b.first; });
  for (auto [channel, edge] : receives) {
    if (receives_.size() == place.receives.first || receives_.back().channel != channel)
      receives_.push_back({channel, {static_cast<uint32_t>(received_.size()), 0}});
    received_.push_back(edge);
    ++receives_.back().edges.count;
  }
  place.edges.count = static_cast<uint32_t>(edges_.size()) - place.edges.first;
  place.solos.count = static_cast<uint32_t>(solos_.size()) - place.solos.first;
  place.sends.count = static_cast<uint32_t>(sends_.size()) - place.sends.first;
  place.receives.count = static_cast<uint32_t>(receives_.size()) - place.receives.first;
}

std::span<const EdgeId> Network::receives(LocationId id, ChannelId channel) const {
  for (const Receives& entry : slice(receives_, place(id).receives))
    if (entry.channel == channel)
      return slice(received_, entry.edges);
  return {};
}

bool Network::isCommitted(Locations at) const {
  return std::any_of(at.begin(), at.end(), [&](LocationId id) { return place(id).committed; });
}

bool Network::stopsTime(Locations at) const {
  return std::any_of(at.begin(), at.end(), [&](LocationId id) { return place(id).stopsTime; });
}

bool Network::mayBind(Locations at) const {
  return anyLocationDeadlines_ || std::any_of(at.begin(), at.end(), [&](LocationId id) { return place(id).binds; });
}

} // namespace tioc::semantics
