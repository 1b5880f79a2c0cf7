#pragma once

#include "runtime/eval/layout.hpp"
#include "runtime/semantics/network.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tioc::semantics {

/// A state of a network: where it is, the variables as slots, the clocks by the network's index (clock 0 is zero).
struct ConcreteState {
  std::vector<ir::LocationId> locations;
  std::vector<eval::Slot> variables;
  std::vector<ir::Rational> clocks;

  void advance(const ir::Rational& delay);
  bool operator==(const ConcreteState&) const = default;
};

/// An interval of delays, from now on.
struct Window {
  ir::Rational low;
  bool lowOpen = false;
  std::optional<ir::Rational> high; ///< nothing: without end
  bool highOpen = false;

  bool isEmpty() const;
  bool contains(const ir::Rational& delay) const;
  /// Keeps the delays from `bound` on, or up to it; `open`: without it.
  void keepFrom(const ir::Rational& bound, bool open);
  void keepTo(const ir::Rational& bound, bool open);
  void intersect(const Window& other);
  bool operator==(const Window&) const = default;
};

/// `[2, 8)`, `[0, inf)`
std::string show(const Window& window);

/// What of `windows` lies outside `hole`.
std::vector<Window> without(const std::vector<Window>& windows, const Window& hole);

/// One joint step with its message, and when it is possible.
struct ConcreteMove {
  Visibility visibility = Visibility::Unobservable;
  ir::ChannelId channel; ///< invalid for an internal edge
  std::vector<ir::EdgeId> edges;
  std::vector<eval::Value> values;
  Window window; ///< never empty
};

} // namespace tioc::semantics
