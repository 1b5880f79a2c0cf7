#pragma once

#include "ir/model.hpp"

#include <span>
#include <string>
#include <vector>

namespace tioc::semantics {

/// The static structure of ESTS that share one queue (C, sections 2 and 3): what may follow where.
class EstsNet {
public:
  static constexpr uint32_t kNobody = UINT32_MAX;

  /// A timing group that runs out in a location.
  struct Timeout {
    ir::GroupId group;
    std::vector<ir::EdgeId> edges; ///< its delay transitions from there
  };

  /// `model` is a result of `ir::instantiate`, its system a queue of ESTS; it must outlive the net.
  explicit EstsNet(const ir::Model& model);

  const ir::Model& model() const { return *model_; }
  uint32_t size() const { return static_cast<uint32_t>(components_.size()); }
  ir::AutomatonId component(uint32_t index) const { return components_[index]; }
  uint32_t componentOf(ir::EdgeId id) const { return owner_[(*model_)[id].source.value]; }

  /// Outputs, completions and tau of a location.
  std::span<const ir::EdgeId> completions(ir::LocationId id) const { return places_[id.value].completions; }
  std::span<const Timeout> timeouts(ir::LocationId id) const { return places_[id.value].timeouts; }
  std::span<const ir::EdgeId> receptions(ir::LocationId id, ir::ChannelId channel) const;
  /// Those of the same location and signal that have a higher priority.
  std::span<const ir::EdgeId> stronger(ir::EdgeId id) const { return stronger_[id.value]; }

  /// Components that have an edge for the signal, in order.
  std::span<const uint32_t> receivers(ir::ChannelId id) const { return receivers_[id.value]; }
  /// What is sent on it leaves the system: it is external, or opened.
  bool isSeen(ir::ChannelId id) const;
  /// The environment may send it.
  bool isOffered(ir::ChannelId id) const;
  /// Groups whose clocks are restarted before a timeout of theirs can come.
  std::vector<ir::GroupId> idle(std::span<const ir::LocationId> at) const;
  /// An output may follow the edge before the environment has its turn again, as far as the structure tells.
  bool mayAnswer(ir::EdgeId id) const { return mayAnswer_[id.value]; }

  /// `A.S1 -> S2 by b!, B.T0 -> T1 by b?`: the edges that such a long run repeats at its end.
  std::string loopOf(std::span<const ir::EdgeId> run) const;

private:
  struct Place {
    std::vector<ir::EdgeId> completions;
    std::vector<Timeout> timeouts;
    std::vector<ir::EdgeId> receptions; // by channel
  };

  void readPlace(ir::LocationId id, ir::EdgeId edge);
  void readAnswers();
  void readIdle();

  const ir::Model* model_;
  std::vector<ir::AutomatonId> components_;
  std::vector<uint32_t> owner_;                   // by location: component
  std::vector<Place> places_;                     // by location
  std::vector<std::vector<ir::EdgeId>> stronger_; // by edge
  std::vector<std::vector<uint32_t>> receivers_;  // by channel
  std::vector<bool> mayAnswer_;                   // by edge
  std::vector<std::vector<ir::GroupId>> idle_;    // by location: of its automaton
};

} // namespace tioc::semantics
