#pragma once

#include "ir/model.hpp"
#include "runtime/zones/bound.hpp"

#include <span>
#include <vector>

namespace tioc::semantics {

/// Where each component is, in the order of the system's components.
using Locations = std::span<const ir::LocationId>;

/// Seen from outside the network.
enum class Visibility : uint8_t { Input, Output, Unobservable };

/// Edges that step together, before guards and values are looked at.
struct Move {
  ir::ChannelId channel; ///< invalid for an internal edge
  Visibility visibility = Visibility::Unobservable;
  ir::Urgency urgency = ir::Urgency::Lazy;
  /// Its receivers are not chosen yet: `Network::forEachReception` does. A broadcast of the environment has no edges.
  bool broadcast = false;
  std::span<const ir::EdgeId> edges; ///< the sender first, receivers in the order of components
  /// Of a broadcast with chosen receivers: edges that must not be enabled, because their components do not take part.
  std::span<const ir::EdgeId> silent;
};

/// Edges that together limit waiting, by a urgency that is not lazy. Each speaks by its deadline, or else its guard.
struct Deadline {
  ir::Urgency urgency;
  std::span<const ir::EdgeId> edges; ///< one or two; the sender first
};

/// Whether an edge can receive a broadcast whose values are known.
enum class Readiness : uint8_t {
  No,
  Perhaps, ///< only where its clock guard holds, or it is not known
  Yes,
};

/// The static structure of a network of TIOSTS (semantics, section 5): which edges can step together from where.
///
/// A channel that one component sends on and another one receives on is closed: both sides step together only. A
/// broadcast needs no receiver, but everyone takes part who can. Other channels are the interface.
class Network {
public:
  /// `model` is a result of `ir::instantiate` and `ir::resolvePriorities`, its system a network of TIOSTS; it must
  /// outlive the network. Purposes of the system are not part of the network. Of a system of another kind only
  /// components, variables and clocks mean something.
  explicit Network(const ir::Model& model);

  const ir::Model& model() const { return *model_; }
  /// Number of components.
  uint32_t size() const { return static_cast<uint32_t>(components_.size()); }
  ir::AutomatonId component(uint32_t index) const { return components_[index]; }
  uint32_t componentOf(ir::LocationId id) const { return places_[id.value].component; }
  uint32_t componentOf(ir::EdgeId id) const { return componentOf((*model_)[id].source); }
  Locations initial() const { return initial_; }

  /// Clocks of the components and shared ones, the reference clock 0 included.
  zones::Dim dim() const { return static_cast<zones::Dim>(clocks_.size()); }
  zones::Clock clock(ir::ClockId id) const { return clockIndex_[id.value]; }
  ir::ClockId clockId(zones::Clock clock) const { return clocks_[clock]; }
  /// Variables of the components and shared ones.
  std::span<const ir::VariableId> variables() const { return variables_; }

  bool isClosed(ir::ChannelId id) const { return channels_[id.value].closed; }
  std::span<const uint32_t> senders(ir::ChannelId id) const { return channels_[id.value].senders; }
  std::span<const uint32_t> receivers(ir::ChannelId id) const { return channels_[id.value].receivers; }
  /// Edges that leave the location, without those that can never step (an internal channel without partner).
  std::span<const ir::EdgeId> edges(ir::LocationId id) const { return slice(edges_, places_[id.value].edges); }
  std::span<const ir::EdgeId> receives(ir::LocationId id, ir::ChannelId channel) const;
  /// Whether the component reads deadlines off its locations (A, definition 8); its edges then are not urgent.
  bool hasLocationDeadlines(uint32_t component) const { return locationDeadlines_[component] != 0; }
  bool hasLocationDeadlines() const { return anyLocationDeadlines_; }
  ir::Urgency urgency(ir::EdgeId id) const { return urgencies_[id.value]; }
  /// How the edge would step if it were alone with its channel's other side.
  Visibility visibility(const ir::Edge& edge) const;

  /// Some component is in a committed location: only moves that leave one are possible.
  bool isCommitted(Locations at) const;
  /// No time passes: a location is urgent or committed.
  bool stopsTime(Locations at) const;
  /// False: no edge from here limits waiting.
  bool mayBind(Locations at) const;

  /// Calls `visit(const Move&)` for every joint move, committed locations heeded. Spans in the move live until the call
  /// returns. Allocates nothing.
  template <class Visit>
  void forEachMove(Locations at, Visit&& visit) const;

  /// Memory for `forEachReception`, to be used again and again.
  struct Reception {
    struct Group { ///< one component's edges that may receive
      std::vector<ir::EdgeId> ready;
      bool mayRefuse = false;
      size_t choice = 0;
    };
    std::vector<Group> groups;
    std::vector<ir::EdgeId> edges;
    std::vector<ir::EdgeId> silent;
  };
  /// Calls `visit(const Move&)` for every choice of receivers of a broadcast that `forEachMove` gave: each component
  /// with edges that can receive takes part by one of them. `readiness(EdgeId)` answers for the message's values.
  template <class Ready, class Visit>
  void forEachReception(Locations at, const Move& broadcast, Reception& memory, Ready&& readiness, Visit&& visit) const;

  /// Calls `visit(const Deadline&)` for everything that may limit waiting. A broadcast binds as its sender does; a
  /// receiver that is not lazy adds its urgency while both are ready.
  template <class Visit>
  void forEachDeadline(Locations at, Visit&& visit) const;

private:
  struct Range {
    uint32_t first = 0;
    uint32_t count = 0;
  };
  struct Receives {
    ir::ChannelId channel;
    Range edges; // in received_
  };
  struct Place {
    uint32_t component = UINT32_MAX;
    bool committed = false;
    bool stopsTime = false;
    bool binds = false;
    Range edges;
    Range solos;    // moves of one edge, broadcasts included
    Range sends;    // on closed channels that are no broadcasts
    Range receives; // by channel
  };
  struct ChannelUse {
    bool closed = false;
    Visibility sync = Visibility::Output; // what a send on it looks like
    std::vector<uint32_t> senders;
    std::vector<uint32_t> receivers;
  };

  template <class T>
  static std::span<const T> slice(const std::vector<T>& all, Range range) {
    return {all.data() + range.first, range.count};
  }
  void readChannels();
  void readPlace(ir::AutomatonId automaton, ir::LocationId id);
  void readSymbols();
  template <class Visit>
  void forEachPair(Locations at, Visit&& visit) const;
  const Place& place(ir::LocationId id) const { return places_[id.value]; }

  const ir::Model* model_;
  std::vector<ir::AutomatonId> components_;
  std::vector<ir::LocationId> initial_;
  std::vector<ir::ClockId> clocks_;      // by index
  std::vector<zones::Clock> clockIndex_; // by id
  std::vector<ir::VariableId> variables_;
  std::vector<ChannelUse> channels_;         // by id
  std::vector<ir::ChannelId> announcements_; // broadcasts that only the environment sends
  std::vector<Place> places_;                // by location
  std::vector<ir::EdgeId> edges_;
  std::vector<Move> solos_;
  std::vector<ir::EdgeId> soloEdges_; // one per entry of solos_
  std::vector<ir::EdgeId> sends_;
  std::vector<Receives> receives_;
  std::vector<ir::EdgeId> received_;
  std::vector<ir::Urgency> urgencies_;     // by edge
  std::vector<uint8_t> locationDeadlines_; // by component
  bool anyLocationDeadlines_ = false;
};

template <class Visit>
void Network::forEachPair(Locations at, Visit&& visit) const {
  ir::EdgeId pair[2];
  for (uint32_t i = 0; i < at.size(); ++i)
    for (ir::EdgeId send : slice(sends_, place(at[i]).sends)) {
      const ir::ChannelId channel = (*model_)[send].channel;
      pair[0] = send;
      for (uint32_t j : channels_[channel.value].receivers) {
        if (j == i)
          continue;
        for (ir::EdgeId receive : receives(at[j], channel)) {
          pair[1] = receive;
          visit(channel, std::span<const ir::EdgeId>(pair), i, j);
        }
      }
    }
}

template <class Visit>
void Network::forEachMove(Locations at, Visit&& visit) const {
  const bool committed = isCommitted(at);
  for (ir::LocationId id : at)
    for (const Move& move : slice(solos_, place(id).solos))
      if (!committed || place(id).committed || move.broadcast) // a broadcast's receivers may be committed
        visit(move);
  forEachPair(at, [&](ir::ChannelId channel, std::span<const ir::EdgeId> pair, uint32_t i, uint32_t j) {
    if (committed && !place(at[i]).committed && !place(at[j]).committed)
      return;
    Move move;
    move.channel = channel;
    move.visibility = channels_[channel.value].sync;
    move.urgency = std::max(urgency(pair[0]), urgency(pair[1]));
    move.edges = pair;
    visit(move);
  });
  for (ir::ChannelId channel : announcements_)
    for (uint32_t j : channels_[channel.value].receivers)
      if (!receives(at[j], channel).empty()) {
        Move move;
        move.channel = channel;
        move.visibility = Visibility::Input;
        move.broadcast = true;
        visit(move);
        break;
      }
}

template <class Ready, class Visit>
void Network::forEachReception(Locations at, const Move& broadcast, Reception& memory, Ready&& readiness,
                               Visit&& visit) const {
  const uint32_t sender = broadcast.edges.empty() ? size() : componentOf(broadcast.edges[0]);
  size_t used = 0;
  for (uint32_t j : channels_[broadcast.channel.value].receivers) {
    if (j == sender)
      continue;
    if (used == memory.groups.size())
      memory.groups.emplace_back();
    Reception::Group& group = memory.groups[used];
    group.ready.clear();
    group.mayRefuse = true;
    group.choice = 0;
    for (ir::EdgeId edge : receives(at[j], broadcast.channel)) {
      const Readiness ready = readiness(edge);
      if (ready != Readiness::No)
        group.ready.push_back(edge);
      if (ready == Readiness::Yes)
        group.mayRefuse = false;
    }
    if (!group.ready.empty())
      ++used;
  }
  const bool committed = isCommitted(at);
  while (true) {
    memory.edges.assign(broadcast.edges.begin(), broadcast.edges.end());
    memory.silent.clear();
    for (size_t g = 0; g < used; ++g) {
      const Reception::Group& group = memory.groups[g];
      if (group.choice < group.ready.size())
        memory.edges.push_back(group.ready[group.choice]);
      else
        memory.silent.insert(memory.silent.end(), group.ready.begin(), group.ready.end());
    }
    bool possible = !memory.edges.empty() && !committed;
    Move move = broadcast;
    move.broadcast = false;
    for (ir::EdgeId edge : memory.edges) {
      possible |= place((*model_)[edge].source).committed;
      move.urgency = std::max(move.urgency, urgency(edge));
    }
    move.edges = memory.edges;
    move.silent = memory.silent;
    if (possible)
      visit(static_cast<const Move&>(move));
    size_t g = 0;
    for (; g < used; ++g) {
      Reception::Group& group = memory.groups[g];
      if (++group.choice < group.ready.size() + (group.mayRefuse ? 1 : 0))
        break;
      group.choice = 0;
    }
    if (g == used)
      return;
  }
}

template <class Visit>
void Network::forEachDeadline(Locations at, Visit&& visit) const {
  ir::EdgeId pair[2];
  const auto withReceivers = [&](const Move& move, uint32_t sender) {
    for (uint32_t j : channels_[move.channel.value].receivers) {
      if (j == sender)
        continue;
      for (ir::EdgeId receive : receives(at[j], move.channel)) {
        // An eager sender stops time before the pair could.
        if (urgency(receive) == ir::Urgency::Lazy || move.urgency == ir::Urgency::Eager)
          continue;
        pair[0] = receive;
        if (!move.edges.empty()) {
          pair[0] = move.edges[0];
          pair[1] = receive;
        }
        visit(Deadline{urgency(receive), {pair, move.edges.size() + 1}});
      }
    }
  };
  for (uint32_t i = 0; i < at.size(); ++i)
    for (const Move& move : slice(solos_, place(at[i]).solos)) {
      if (move.urgency != ir::Urgency::Lazy)
        visit(Deadline{move.urgency, move.edges});
      if (move.broadcast)
        withReceivers(move, i);
    }
  forEachPair(at, [&](ir::ChannelId, std::span<const ir::EdgeId> edges, uint32_t, uint32_t) {
    const ir::Urgency both = std::max(urgency(edges[0]), urgency(edges[1]));
    if (both != ir::Urgency::Lazy)
      visit(Deadline{both, edges});
  });
  for (ir::ChannelId channel : announcements_) {
    Move move;
    move.channel = channel;
    withReceivers(move, size());
  }
}

} // namespace tioc::semantics
