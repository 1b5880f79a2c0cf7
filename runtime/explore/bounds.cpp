#include "runtime/explore/bounds.hpp"

#include <algorithm>

namespace tioc::explore {

using ir::EdgeId;
using ir::LocationId;
using semantics::ClockCode;
using semantics::Network;
using zones::Clock;
using zones::Constraint;

namespace {

struct Cell {
  bool active = false;
  int32_t lower = zones::noBound;
  int32_t upper = zones::noBound;

  /// Returns whether that changed anything.
  bool join(const Cell& other) {
    const Cell before = *this;
    active |= other.active;
    lower = std::max(lower, other.lower);
    upper = std::max(upper, other.upper);
    return active != before.active || lower != before.lower || upper != before.upper;
  }
};

enum class Sides : uint8_t { AsWritten, Both };

/// Propagates tests backwards along the edges of each component until nothing changes.
class Analysis {
public:
  Analysis(const Network& network, const ClockCode& clocks, const BoundOptions& options)
      : network_(network), model_(network.model()), clocks_(clocks), both_(options.bothSides),
        cells_(model_.locations.size() * network.dim()), overall_(size_t{network.size()} * network.dim()) {
    findDeadlineChannels();
    for (uint32_t i = 0; i < network.size(); ++i)
      for (LocationId id : model_[network.component(i)].locations)
        readTests(i, id);
    for (uint32_t i = 0; i < network.size(); ++i)
      for (LocationId id : model_[network.component(i)].locations)
        if (asks(options.question, id))
          test(id, options.question.clocks, Sides::AsWritten);
    while (propagate())
      ;
  }

  const Cell& cell(LocationId id, Clock clock) const { return cells_[size_t{id.value} * network_.dim() + clock]; }

private:
  Cell& cell(LocationId id, Clock clock) { return cells_[size_t{id.value} * network_.dim() + clock]; }

  static bool asks(const ClockQuestion& question, LocationId id) {
    return question.locations.empty() ||
           std::find(question.locations.begin(), question.locations.end(), id) != question.locations.end();
  }

  /// The deadline of a synchronisation speaks of all its edges, even if one alone is urgent.
  void findDeadlineChannels() {
    urgent_.assign(model_.channels.size(), 0);
    for (uint32_t i = 0; i < network_.size(); ++i)
      for (EdgeId id : model_[network_.component(i)].edges)
        if (model_[id].channel.valid() && network_.urgency(id) != ir::Urgency::Lazy)
          urgent_[model_[id].channel.value] = 1;
  }

  void test(LocationId id, std::span<const Constraint> constraints, Sides sides) {
    for (const Constraint& c : constraints) {
      const bool diagonal = c.left != 0 && c.right != 0;
      for (Clock clock : {c.left, c.right}) {
        if (clock == 0)
          continue;
        Cell use;
        use.active = true;
        const int32_t value = std::max(0, clock == c.left ? c.bound.value() : -c.bound.value());
        if (!diagonal && (clock == c.right || sides == Sides::Both))
          use.lower = value;
        if (!diagonal && (clock == c.left || sides == Sides::Both))
          use.upper = value;
        cell(id, clock).join(use);
      }
    }
  }

  void readTests(uint32_t component, LocationId id) {
    const Sides plain = both_ ? Sides::Both : Sides::AsWritten;
    test(id, clocks_.invariant(id), plain);
    for (EdgeId edge : network_.edges(id)) {
      const ir::ChannelId channel = model_[edge].channel;
      const bool message = channel.valid();
      const bool refused =
          message && model_[channel].broadcast && model_[edge].action == ir::ActionKind::Receive; // if not enabled
      const bool deadline = network_.urgency(edge) != ir::Urgency::Lazy || (message && urgent_[channel.value]) ||
                            network_.hasLocationDeadlines(component);
      test(id, clocks_.guard(edge), refused ? Sides::Both : plain);
      if (deadline)
        test(id, clocks_.deadline(edge), Sides::Both);
    }
  }

  bool propagate() {
    bool changed = false;
    for (uint32_t i = 0; i < network_.size(); ++i)
      for (LocationId id : model_[network_.component(i)].locations) {
        for (Clock x = 1; x < network_.dim(); ++x)
          changed |= overall_[size_t{i} * network_.dim() + x].join(cell(id, x));
        for (EdgeId edge : network_.edges(id))
          changed |= propagate(i, edge);
      }
    return changed;
  }

  bool propagate(uint32_t component, EdgeId id) {
    const ir::Edge& edge = model_[id];
    const auto resets = clocks_.resets(id);
    bool changed = false;
    for (Clock x = 1; x < network_.dim(); ++x) {
      const bool kept = std::none_of(resets.begin(), resets.end(), [&](const auto& reset) { return reset.clock == x; });
      if (kept)
        changed |= cell(edge.source, x).join(Cell(cell(edge.target, x)));
    }
    for (const semantics::ClockReset& reset : resets) {
      if (reset.source == 0)
        continue;
      changed |= cell(edge.source, reset.source).join(Cell(cell(edge.target, reset.clock)));
      // Wherever the others are, they may test what the clock holds now.
      for (uint32_t other = 0; other < network_.size(); ++other)
        if (other != component)
          changed |= cell(edge.source, reset.source).join(overall_[size_t{other} * network_.dim() + reset.clock]);
    }
    return changed;
  }

  const Network& network_;
  const ir::Model& model_;
  const ClockCode& clocks_;
  bool both_;
  std::vector<Cell> cells_;     // by location and clock
  std::vector<Cell> overall_;   // by component and clock: all its locations
  std::vector<uint8_t> urgent_; // by channel
};

} // namespace

LocationBounds::LocationBounds(const Network& network, const ClockCode& clocks, const BoundOptions& options) {
  const Analysis analysis(network, clocks, options);
  const size_t count = network.model().locations.size();
  for (size_t i = 0; i < count; ++i) {
    first_.push_back(static_cast<uint32_t>(entries_.size()));
    for (Clock x = 1; x < network.dim(); ++x)
      if (const Cell& cell = analysis.cell(LocationId(i), x); cell.active)
        entries_.push_back({x, cell.lower, cell.upper,
                            cell.upper == zones::noBound ? zones::infinityRaw : zones::Bound::atMost(-cell.upper).raw});
  }
  first_.push_back(static_cast<uint32_t>(entries_.size()));
}

} // namespace tioc::explore
