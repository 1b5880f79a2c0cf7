#include "runtime/semantics/clock_code.hpp"

#include "ir/print.hpp"

#include <algorithm>

namespace tioc::semantics {

using zones::Bound;

ClockCode::ClockCode(const Network& network) {
  const ir::Model& model = network.model();
  edges_.resize(model.edges.size());
  invariants_.resize(model.locations.size());
  for (uint32_t i = 0; i < network.size(); ++i) {
    const ir::Automaton& automaton = model[network.component(i)];
    for (ir::LocationId id : automaton.locations)
      invariants_[id.value] = read(network, model[id].invariant.clocks);
    for (ir::EdgeId id : automaton.edges) {
      EdgeParts& parts = edges_[id.value];
      const ir::Edge& edge = model[id];
      parts.guard = read(network, edge.guard.clocks);
      parts.deadline = edge.deadline ? read(network, edge.deadline->clocks) : parts.guard;
      parts.resets = read(network, edge);
    }
  }
}

void ClockCode::complain(ir::Span span, std::string text) {
  if (!problem_)
    problem_ = {span, std::move(text)};
}

ClockCode::Range ClockCode::read(const Network& network, const std::vector<ir::ClockConstraint>& clocks) {
  const ir::Model& model = network.model();
  Range range{static_cast<uint32_t>(constraints_.size()), 0};
  for (const ir::ClockConstraint& c : clocks) {
    const ir::Rational* value = model.exprs.number(c.bound);
    if (!value) {
      complain(c.span, "the bound " + ir::printTime(model, c.bound) + " of a clock depends on data");
      continue;
    }
    const std::optional<int64_t> whole = value->toInt64();
    const std::optional<Bound> bound = whole ? Bound::make(*whole, !c.strict) : std::nullopt;
    if (!bound) {
      complain(c.span, "the bound " + value->toString() + " of a clock is not a whole number of ticks below " +
                           std::to_string(zones::maxValue));
      continue;
    }
    const zones::Constraint constraint{network.clock(c.left), network.clock(c.right), *bound};
    diagonals_ |= constraint.left != 0 && constraint.right != 0;
    constraints_.push_back(constraint);
    ++range.count;
  }
  return range;
}

ClockCode::Range ClockCode::read(const Network& network, const ir::Edge& edge) {
  Range range{static_cast<uint32_t>(resets_.size()), 0};
  for (const ir::Reset& reset : edge.resets) {
    ClockReset result{network.clock(reset.clock), 0, 0};
    const ir::Rational* value = network.model().exprs.number(reset.value);
    if (reset.source.valid()) {
      result.source = network.clock(reset.source);
    } else if (const auto whole = value ? value->toInt64() : std::nullopt;
               whole && *whole >= 0 && *whole <= zones::maxValue) {
      result.value = static_cast<int32_t>(*whole);
    } else {
      complain(edge.span, "a clock is set to " + ir::printTime(network.model(), reset.value, &edge) +
                              ", which is no constant whole number of ticks");
      continue;
    }
    resets_.push_back(result);
    ++range.count;
  }
  return range;
}

ClockMap::ClockMap(zones::Dim dim) : source_(dim), offset_(dim, 0) {
  for (zones::Clock x = 0; x < dim; ++x)
    source_[x] = x;
}

void ClockMap::clear() {
  for (zones::Clock x : changed_) {
    source_[x] = x;
    offset_[x] = 0;
  }
  changed_.clear();
}

void ClockMap::then(std::span<const ClockReset> resets) {
  if (resets.empty())
    return;
  values_.assign(resets.begin(), resets.end());
  for (ClockReset& reset : values_)
    if (reset.source != 0) {
      reset.value = offset_[reset.source];
      reset.source = source_[reset.source];
    }
  for (const ClockReset& reset : values_) {
    source_[reset.clock] = reset.source;
    offset_[reset.clock] = reset.value;
    changed_.push_back(reset.clock);
  }
}

void assignClocks(const Bound* from, zones::Dim fromDim, Bound* to, zones::Dim dim, const uint16_t* source,
                  const int32_t* offset) {
  if (std::all_of(offset, offset + dim, [](int32_t value) { return value == 0; })) { // nearly always
    for (zones::Dim i = 0; i < dim; ++i, to += dim) {
      const Bound* const row = from + size_t{source[i]} * fromDim;
      for (zones::Dim j = 0; j < dim; ++j)
        to[j] = row[source[j]];
    }
    return;
  }
  for (zones::Dim i = 0; i < dim; ++i) {
    const Bound* const row = from + size_t{source[i]} * fromDim;
    Bound* const out = to + size_t{i} * dim;
    const int32_t shift = offset[i] * 2;
    for (zones::Dim j = 0; j < dim; ++j) {
      const int32_t raw = row[source[j]].raw;
      out[j].raw = raw == zones::infinityRaw ? raw : raw + shift - offset[j] * 2;
    }
  }
}

} // namespace tioc::semantics
