#pragma once

#include "ir/model.hpp"
#include "ir/reference.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

// A slow, plain reading of ESTS compositions, to compare engines with. It knows `ir/` and the plain reading of
// expressions beside it, and nothing else.
namespace tioc::semantics::reference {

using ir::Rational;
using ir::reference::Value;

/// C, definition 3, of all automata at once. Clocks are told by when they were zero.
struct Configuration {
  std::vector<ir::LocationId> at; ///< one per component
  std::map<uint32_t, Value> attributes;
  std::map<uint32_t, Rational> zero; ///< by group

  bool operator==(const Configuration&) const = default;
};

/// C, definition 6.
struct Observable {
  ir::ChannelId signal;
  std::vector<Value> values;
  Rational time;
  uint32_t sender = 0; ///< component

  bool operator==(const Observable&) const = default;
};

/// A system execution trace (C, definition 7) that has come to its end.
struct Reaction {
  Configuration end;
  std::vector<ir::EdgeId> trace;
  std::vector<Observable> seen;   ///< obs with a bar, in the order of the trace
  std::vector<Observable> hidden; ///< obs with a hat
  Rational rest;                  ///< the latest time in it
};

/// Every output says its values, every attribute has an initial value. Open durations and jitters are multiples of a
/// grain behind the shortest; without a grain they are the shortest.
class Composition {
public:
  /// `model` is a result of `ir::instantiate`, its priorities not resolved.
  explicit Composition(const ir::Model& model, Rational grain = 0);

  /// What may happen at the start.
  std::vector<Reaction> start();
  /// What may happen if the environment sends a signal at `time`; none: nobody takes it.
  std::vector<Reaction> send(const Configuration& from, const Rational& time, ir::ChannelId signal,
                             const std::vector<Value>& values);
  /// What may happen at the next timeout if nothing comes before.
  std::vector<Reaction> wait(const Configuration& from);
  std::optional<Rational> nextTimeout(const Configuration& from) const;

  /// A reaction had no end; the results are not complete then.
  bool isEndless() const { return endless_; }
  /// There were more ways than this can follow in reasonable time.
  bool hasGivenUp() const { return work_ > kMostWork; }

private:
  struct Signal {
    ir::ChannelId name;
    std::vector<Value> values;
    std::optional<uint32_t> sender;
  };
  /// A reaction that goes on. `spent` is what each transition adds to the time (C, equation 9).
  struct World {
    Configuration now;
    Rational begin;
    std::vector<ir::EdgeId> trace;
    std::vector<Rational> spent;
    std::deque<Signal> queue;
    std::vector<Observable> seen;
    std::vector<Observable> hidden;

    Rational time() const;
    Rational latest() const;
  };
  struct Overdue {
    uint32_t component = 0;
    ir::GroupId group;
    Rational due;
  };

  std::vector<ir::EdgeId> out(const Configuration& at, uint32_t component) const;
  std::optional<Configuration> after(const Configuration& at, ir::EdgeId edge, const std::vector<Value>& values) const;
  std::vector<Value> sent(const Configuration& at, ir::EdgeId edge) const;
  /// The edges of one signal that may be traversed: enabled, and none with a higher priority is.
  std::vector<ir::EdgeId> strongest(const Configuration& at, std::vector<ir::EdgeId> edges,
                                    const std::vector<Value>* values) const;
  std::vector<Overdue> timeouts(const Configuration& at) const;

  std::vector<Rational> choices(const Rational& low, const Rational& high) const;
  std::vector<World> traverse(const World& world, uint32_t component, ir::EdgeId edge, const std::vector<Value>& values,
                              std::optional<Rational> due = std::nullopt) const;
  std::vector<World> complete(const World& world, uint32_t component);
  std::vector<World> deliver(const World& world, const Signal& signal, bool& taken);
  std::vector<World> drain(const World& world);
  std::vector<World> settle(const World& world);
  std::vector<Reaction> finish(const std::vector<World>& worlds) const;

  const ir::Model& model_;
  std::vector<ir::AutomatonId> components_;
  Rational grain_;
  bool endless_ = false;
  static constexpr size_t kMostWork = 5'000;
  size_t work_ = 0;
};

} // namespace tioc::semantics::reference
