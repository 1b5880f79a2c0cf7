#pragma once

#include "runtime/semantics/concrete.hpp"

#include <span>
#include <vector>

namespace tioc::conformance {

/// A set of concrete states as rows of machine words: locations, variables as slots, clocks in ticks.
class Rows {
public:
  explicit Rows(size_t width) : width_(width) {}

  size_t size() const { return count_; }
  const int64_t* operator[](size_t row) const { return words_.data() + row * width_; }
  int64_t* operator[](size_t row) { return words_.data() + row * width_; }
  void clear() { count_ = 0; }
  /// A new row at the end, to be filled and then confirmed by `keep`.
  int64_t* draft();
  /// Keeps the draft unless it is there already.
  void keep();

private:
  size_t width_;
  size_t count_ = 0;
  std::vector<int64_t> words_;
};

/// The step relation of a network of TIOSTS on sets of concrete states, made for speed: clocks are counted in ticks of
/// a common length, so that everything about time is integer arithmetic and exact; nothing is allocated while sets keep
/// their size. What it cannot hold (values or times of unobservable steps that are open, numbers beyond 64 bits) it
/// says, and the caller goes on with symbolic states.
class FlatNetwork {
public:
  /// `network` must outlive it.
  explicit FlatNetwork(const semantics::Network& network);

  /// Clock bounds are constants. Nothing else may be asked otherwise.
  bool isUsable() const { return usable_; }
  size_t width() const { return width_; }
  semantics::Concrete& concrete() { return concrete_; }

  enum class Result : uint8_t {
    Done,
    Open, ///< more than concrete states can say; what was written does not count
  };
  /// The states to start in.
  Result start(Rows& to);
  /// The states after so many ticks without observation.
  Result wait(const Rows& from, int64_t delay, Rows& to);
  /// The states behind a message, now.
  Result observe(const Rows& from, semantics::Visibility kind, ir::ChannelId channel,
                 const std::vector<eval::Value>& values, Rows& to);

  /// Times as ticks. Makes ticks finer where needed, which changes the rows given along; nothing if 64 bits do not do.
  std::optional<int64_t> ticks(const ir::Rational& time, std::span<Rows* const> rows);
  int64_t ticksPerUnit() const { return ticksPerUnit_; }
  ir::Rational time(int64_t ticks) const { return {ticks, ticksPerUnit_}; }

  semantics::ConcreteState state(const int64_t* row) const;
  /// False if it cannot be said in ticks.
  bool setRow(const semantics::ConcreteState& state, int64_t* row) const;

  /// Edges that were taken on the way to the last results.
  const std::vector<ir::EdgeId>& edges() const { return edges_; }

private:
  /// left - right < bound, or <=
  struct Bound {
    zones::Clock left;
    zones::Clock right;
    bool strict;
    ir::Rational value;
    int64_t ticks;
  };
  struct Reset {
    zones::Clock clock;
    zones::Clock source; ///< 0: the value counts
    ir::Rational value;
    int64_t ticks;
  };
  struct EdgeClocks {
    std::vector<Bound> guard;
    std::vector<Bound> deadline;
    std::vector<Reset> resets;
    bool hasUpperBound = false;
  };
  enum class Yes : uint8_t { No, Yes, Open };

  bool read(const std::vector<ir::ClockConstraint>& clocks, std::vector<Bound>& bounds);
  bool setTicks(int64_t ticksPerUnit);
  const int64_t* clocksOf(const int64_t* row) const { return row + clocks_; }
  void load(const int64_t* row);
  static bool holds(const std::vector<Bound>& bounds, const int64_t* clocks);
  /// The delays from now on within which the bounds hold; false: none.
  struct Span {
    int64_t low = 0;
    bool lowOpen = false;
    int64_t high = INT64_MAX; ///< INT64_MAX: without end
    bool highOpen = false;
  };
  static bool narrow(const std::vector<Bound>& bounds, const int64_t* clocks, Span& span);

  Yes mayStay(const int64_t* row, int64_t delay);
  Yes limits(const semantics::Deadline& deadline, const int64_t* row, int64_t delay);
  bool mayStepUnseen(const int64_t* row, int64_t delay);
  Result waitUnseen(const int64_t* row, int64_t delay, Rows& to);
  Result take(const int64_t* row, std::span<const ir::EdgeId> edges, Rows& to);
  bool isInvariant(const int64_t* row) const;

  const semantics::Network& network_;
  const ir::Model& model_;
  semantics::Concrete concrete_;
  const eval::Layout& layout_;
  eval::EdgeCode code_;
  semantics::Messages messages_;
  bool usable_ = true;
  size_t variables_; // where they begin in a row
  size_t clocks_;
  size_t width_;
  int64_t ticksPerUnit_ = 1;
  std::vector<EdgeClocks> edgeClocks_;         // by edge
  std::vector<std::vector<Bound>> invariants_; // by location
  std::vector<ir::LocationId> at_;             // of the row that is looked at
  std::vector<eval::Slot> frame_;              // its variables, and a message
  std::vector<eval::Slot> after_;
  std::vector<int64_t> oldClocks_;
  std::vector<ir::EdgeId> edges_;
};

} // namespace tioc::conformance
