#include "runtime/semantics/concrete_state.hpp"

namespace tioc::semantics {

using ir::Rational;

void ConcreteState::advance(const Rational& delay) {
  for (size_t i = 1; i < clocks.size(); ++i)
    clocks[i] = clocks[i] + delay;
}

bool Window::isEmpty() const {
  return high && (*high < low || (*high == low && (lowOpen || highOpen)));
}

bool Window::contains(const Rational& delay) const {
  return (lowOpen ? low < delay : low <= delay) && (!high || (highOpen ? delay < *high : delay <= *high));
}

void Window::keepFrom(const Rational& bound, bool open) {
  if (bound > low) {
    low = bound;
    lowOpen = open;
  } else if (bound == low) {
    lowOpen |= open;
  }
}

void Window::keepTo(const Rational& bound, bool open) {
  if (!high || bound < *high) {
    high = bound;
    highOpen = open;
  } else if (bound == *high) {
    highOpen |= open;
  }
}

void Window::intersect(const Window& other) {
  keepFrom(other.low, other.lowOpen);
  if (other.high)
    keepTo(*other.high, other.highOpen);
}

std::string show(const Window& window) {
  std::string text = (window.lowOpen ? "(" : "[") + window.low.toString() + ", ";
  return text + (window.high ? window.high->toString() + (window.highOpen ? ")" : "]") : "inf)");
}

std::vector<Window> without(const std::vector<Window>& windows, const Window& hole) {
  std::vector<Window> result;
  for (const Window& window : windows) {
    Window before = window;
    before.keepTo(hole.low, !hole.lowOpen);
    if (!before.isEmpty())
      result.push_back(before);
    if (!hole.high)
      continue;
    Window behind = window;
    behind.keepFrom(*hole.high, !hole.highOpen);
    if (!behind.isEmpty())
      result.push_back(behind);
  }
  return result;
}

} // namespace tioc::semantics
