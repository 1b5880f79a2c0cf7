#pragma once

#include "runtime/semantics/network.hpp"
#include "runtime/semantics/problem.hpp"

#include <optional>

namespace tioc::semantics {

/// clock := value, or clock := source where that is not 0.
struct ClockReset {
  zones::Clock clock;
  zones::Clock source;
  int32_t value;
};

/// The clock parts of a network as zones read them, over the network's clock indices. All resets of an edge happen at
/// once.
class ClockCode {
public:
  explicit ClockCode(const Network& network);

  /// Set where zones do not do: some bound or reset is no constant, no integer (see `ir::scaleTime`), or too large.
  const std::optional<Problem>& problem() const { return problem_; }

  std::span<const zones::Constraint> guard(ir::EdgeId id) const { return slice(constraints_, edges_[id.value].guard); }
  /// What the edge's urgency is about.
  std::span<const zones::Constraint> deadline(ir::EdgeId id) const {
    return slice(constraints_, edges_[id.value].deadline);
  }
  std::span<const ClockReset> resets(ir::EdgeId id) const { return slice(resets_, edges_[id.value].resets); }
  std::span<const zones::Constraint> invariant(ir::LocationId id) const {
    return slice(constraints_, invariants_[id.value]);
  }
  /// Some constraint compares two clocks: extrapolation is unsound then.
  bool hasDiagonals() const { return diagonals_; }

private:
  struct Range {
    uint32_t first = 0;
    uint32_t count = 0;
  };
  struct EdgeParts {
    Range guard;
    Range deadline;
    Range resets;
  };

  template <class T>
  static std::span<const T> slice(const std::vector<T>& all, Range range) {
    return {all.data() + range.first, range.count};
  }
  Range read(const Network& network, const std::vector<ir::ClockConstraint>& clocks);
  Range read(const Network& network, const ir::Edge& edge);
  void complain(ir::Span span, std::string text);

  std::optional<Problem> problem_;
  bool diagonals_ = false;
  std::vector<zones::Constraint> constraints_;
  std::vector<ClockReset> resets_;
  std::vector<EdgeParts> edges_;  // by id
  std::vector<Range> invariants_; // by location
};

/// What a step makes of the clocks: x takes the old value of source(x) plus offset(x). Edges that step together set
/// theirs one edge after the other.
class ClockMap {
public:
  explicit ClockMap(zones::Dim dim);

  zones::Clock source(zones::Clock clock) const { return source_[clock]; }
  int32_t offset(zones::Clock clock) const { return offset_[clock]; }
  /// Back to where no clock changes.
  void clear();
  /// Then sets the clocks of one edge, all at once.
  void then(std::span<const ClockReset> resets);

private:
  std::vector<zones::Clock> source_;
  std::vector<int32_t> offset_;
  std::vector<zones::Clock> changed_;
  std::vector<ClockReset> values_; // scratch
};

/// Writes the zone after the resets to `to`, which is not `from`. `source` and `offset` have `dim` entries: clock x
/// takes the old value of source[x] plus offset[x]. Precondition: source[0] is 0, offset[0] is 0.
void assignClocks(const zones::Bound* from, zones::Dim fromDim, zones::Bound* to, zones::Dim dim,
                  const uint16_t* source, const int32_t* offset);

} // namespace tioc::semantics
