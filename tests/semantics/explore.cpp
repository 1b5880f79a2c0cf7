#include "semantics/reference.hpp"

#include "ir/print.hpp"

#include <tuple>

namespace tioc::semantics::reference {

bool TimedLabel::operator<(const TimedLabel& other) const {
  return std::tie(delay, label) < std::tie(other.delay, other.label);
}

namespace {

/// Every state that a delay on the grid and then a move lead to.
template <class Fn>
void successors(const Network& network, const State& state, const ExploreOptions& options, Fn&& fn) {
  Delays possible = network.delays(state);
  for (Rational delay = 0; delay <= options.horizon && possible.contains(delay); delay = delay + options.step)
    for (Move& move : network.moves(wait(state, delay), options.numbers))
      fn(delay, move);
}

} // namespace

Exploration explore(const Network& network, const ExploreOptions& options) {
  Exploration result;
  std::vector<State> layer = network.initialStates(options.open);
  std::set<std::pair<State, Trace>> runs;
  for (const State& state : layer) {
    result.states.insert(state);
    result.locations.insert(state.locations);
    runs.insert({state, {}});
    result.traces.insert(Trace{});
  }

  for (unsigned depth = 0; !layer.empty(); ++depth) {
    if (depth == options.depth) {
      result.complete = false;
      break;
    }
    std::vector<State> next;
    for (const State& state : layer)
      successors(network, state, options, [&](const Rational&, Move& move) {
        result.edges.insert(move.edges.begin(), move.edges.end());
        result.locations.insert(move.target.locations);
        if (result.states.size() >= options.states)
          result.complete = false;
        else if (result.states.insert(move.target).second)
          next.push_back(std::move(move.target));
      });
    layer = std::move(next);
  }

  for (unsigned depth = 0; depth < options.traceDepth; ++depth) {
    std::set<std::pair<State, Trace>> longer;
    for (const auto& [state, trace] : runs)
      successors(network, state, options, [&, &trace = trace](const Rational& delay, Move& move) {
        Trace extended = trace;
        extended.push_back({delay, move.label});
        result.traces.insert(extended);
        longer.insert({std::move(move.target), std::move(extended)});
      });
    runs = std::move(longer);
  }
  return result;
}

Trace observable(const Trace& trace) {
  Trace result;
  Rational passed = 0;
  for (const TimedLabel& step : trace) {
    passed = passed + step.delay;
    if (step.label.kind == Kind::Unobservable)
      continue;
    result.push_back({passed, step.label});
    passed = 0;
  }
  return result;
}

namespace {

std::string show(const Value& value) {
  if (value.parts.empty())
    return value.number.toString();
  std::string text = "[";
  for (size_t i = 0; i < value.parts.size(); ++i)
    text += (i ? ", " : "") + show(value.parts[i]);
  return text + "]";
}

} // namespace

std::string show(const Delays& delays) {
  return delays.bound ? "[0, " + delays.bound->toString() + (delays.open ? ")" : "]") : "[0, inf)";
}

std::string show(const ir::Model& model, const Label& label) {
  std::string text = label.channel.valid() ? model[label.channel].name : "tau";
  text += label.kind == Kind::Input ? "?" : label.kind == Kind::Output ? "!" : "";
  for (size_t i = 0; i < label.values.size(); ++i)
    text += (i ? ", " : "(") + show(label.values[i]);
  return text + (label.values.empty() ? "" : ")");
}

std::string show(const ir::Model& model, const State& state) {
  std::string text;
  for (ir::LocationId id : state.locations)
    text += (text.empty() ? "" : " ") + model[model[id].automaton].name + "." + model[id].name;
  for (const auto& [id, value] : state.variables)
    text += " " + model.variables[id].name + "=" + show(value);
  for (const auto& [id, value] : state.clocks)
    text += " " + model.clocks[id].name + "=" + value.toString();
  return text;
}

std::string show(const ir::Model& model, const Trace& trace) {
  std::string text;
  for (const TimedLabel& step : trace)
    text += (text.empty() ? "" : " ") + step.delay.toString() + " " + show(model, step.label);
  return text;
}

} // namespace tioc::semantics::reference
