#pragma once

#include "ir/model.hpp"

#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

// A slow, plain reading of expressions, guards and steps, to compare the real thing with.
namespace tioc::ir::reference {

/// A value as text would write it: numbers and booleans are numbers, records and arrays lists.
struct Value {
  Rational number;
  std::vector<Value> parts;
  std::strong_ordering operator<=>(const Value& other) const;
  bool operator==(const Value& other) const { return number == other.number && parts == other.parts; }
};

struct Valuation {
  std::map<uint32_t, Value> variables;
  std::vector<Value> locals;
};

/// The value of an expression, or nothing where it has none: division by zero, an index out of range.
std::optional<Value> evaluate(const Model& model, ExprId expr, const Valuation& at);

/// Whether a guard holds; a guard without a value does not.
bool holds(const Model& model, const Guard& guard, const Valuation& at, const std::map<uint32_t, Rational>& clocks);

/// One automaton on its own, moved by hand: time and actions, no deadlines.
struct State {
  LocationId location;
  std::map<uint32_t, Value> variables;
  std::map<uint32_t, Rational> clocks;
  bool operator<(const State& other) const;
};

void delay(State& state, const Rational& time);
/// The state behind `edge` with these message values, or nothing if the edge is not enabled.
std::optional<State> take(const Model& model, const Edge& edge, const State& state, const std::vector<Value>& values);

} // namespace tioc::ir::reference
