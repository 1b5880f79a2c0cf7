#include "runtime/semantics/location_deadlines.hpp"

namespace tioc::semantics {

using ir::EdgeId;
using zones::Federation;
using zones::Zone;

LocationDeadlines::LocationDeadlines(const Network& network, const ClockCode& clocks)
    : network_(network), clocks_(clocks) {
  const ir::Model& model = network.model();
  std::vector<uint8_t> location(model.locations.size());
  leadsOut_.assign(model.edges.size(), 0);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < network.size(); ++i)
      for (EdgeId id : model[network.component(i)].edges) {
        const ir::Edge& edge = model[id];
        const Visibility seen = network.visibility(edge);
        const bool leads =
            seen == Visibility::Output || (seen == Visibility::Unobservable && location[edge.target.value]);
        if (!leads || leadsOut_[id.value])
          continue;
        leadsOut_[id.value] = location[edge.source.value] = 1;
        changed = true;
      }
  }
}

bool LocationDeadlines::isOpen(EdgeId edge) const {
  return leadsOut(edge) && network_.visibility(network_.model()[edge]) == Visibility::Unobservable;
}

std::optional<zones::Limit> LocationDeadlines::limit(std::span<const EdgeId> ready, const uint16_t* index,
                                                     zones::Dim dim) const {
  Federation within(dim);
  std::vector<Zone> outputs, inputs;
  for (EdgeId id : ready) {
    Zone guard = Zone::universe(dim);
    for (const zones::Constraint& c : clocks_.deadline(id))
      guard.constrain({index[c.left], index[c.right], c.bound});
    if (guard.isEmpty())
      continue;
    guard.down();
    within.unite(guard);
    (leadsOut(id) ? outputs : inputs).push_back(std::move(guard));
  }
  Federation bound(dim);
  for (const Zone& output : outputs) {
    Federation last(output);
    for (const Zone& input : inputs) {
      Federation later(input);
      last.subtract(later.subtract(output.data()).down());
    }
    bound.unite(last);
  }
  if (bound.isEmpty())
    return std::nullopt;
  return zones::Limit{Federation(dim), std::move(bound), std::move(within)};
}

} // namespace tioc::semantics
