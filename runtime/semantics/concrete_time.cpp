#include "runtime/semantics/concrete.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace tioc::semantics {

using eval::Slot;
using ir::EdgeId;
using ir::Rational;

namespace {

/// The instants around the first window that windows cover without a gap.
Window firstRun(std::vector<Window> windows) {
  std::sort(windows.begin(), windows.end(),
            [](const Window& a, const Window& b) { return std::tie(a.low, a.lowOpen) < std::tie(b.low, b.lowOpen); });
  Window run = windows[0];
  for (const Window& next : windows) {
    if (!run.high || next.low > *run.high || (next.low == *run.high && next.lowOpen && run.highOpen))
      break;
    if (!next.high || *next.high > *run.high || (*next.high == *run.high && run.highOpen)) {
      run.high = next.high;
      run.highOpen = next.highOpen;
    }
  }
  return run;
}

} // namespace

/// When the edges can step together by their deadlines: one window for each message, as far as messages change it. With
/// First it is enough to know those that begin the first run.
bool Concrete::chances(const ConcreteState& state, std::span<const EdgeId> edges, Chances which,
                       std::vector<Window>& windows) {
  const ir::ChannelId channel = model_[edges[0]].channel;
  Slot* frame = load(state);
  const bool read =
      std::any_of(edges.begin(), edges.end(), [&](EdgeId id) { return facts_[id.value].deadlineReadsMessage; });
  const auto add = [&] {
    Window window;
    for (EdgeId id : edges)
      if (!cut(window, state, deadlineOf(id).clocks, &model_[id], frame))
        return;
    if (!window.isEmpty())
      windows.push_back(std::move(window));
  };
  const auto dataHolds = [&](EdgeId id) {
    if (!model_[id].deadline)
      return code_.holds(id, frame);
    const eval::Result data = eval::evaluate(layout_, model_[id].deadline->data, &model_[id], frame);
    return data.ok() && data.value.isTrue();
  };
  const Messages::Plan& plan = messages_.plan(channel, edges, Messages::By::Deadline, false);
  const Messages::Answer answer = messages_.forEach(plan, frame, [&] {
    if (!std::all_of(edges.begin(), edges.end(), dataHolds))
      return true;
    add();
    return read;
  });
  if (answer == Messages::Answer::TooLarge)
    return fail(answer, model_[edges[0]].span);
  if (answer != Messages::Answer::NotConcrete)
    return true;

  if (read && which == Chances::All)
    return fail(answer, model_[edges[0]].span);
  windows.clear();
  std::vector<const ir::Guard*> guards;
  for (EdgeId id : edges)
    guards.push_back(&deadlineOf(id));
  Window run;
  const Choices::Answer chosen =
      read ? choices_.firstRun(state, channel, guards, run) : choices_.dataHolds(state, channel, guards);
  if (chosen == Choices::Answer::Unknown)
    return fail(model_[edges[0]].span,
                "not known how long '" + model_[channel].name + "' lets time pass: " + choices_.reason());
  if (chosen == Choices::Answer::None)
    return true;
  if (read)
    windows.push_back(std::move(run));
  else
    add();
  return true;
}

bool Concrete::limit(const ConcreteState& state, const Deadline& deadline, Window& delays) {
  const bool eager = deadline.urgency == ir::Urgency::Eager;
  if (!eager && std::none_of(deadline.edges.begin(), deadline.edges.end(),
                             [&](EdgeId id) { return facts_[id.value].hasUpperBound; }))
    return true; // there is no last chance
  std::vector<Window> windows;
  if (!chances(state, deadline.edges, Chances::First, windows))
    return false;
  if (windows.empty())
    return true;
  const Window run = firstRun(std::move(windows));
  if (eager)
    delays.keepTo(run.low, false);
  else if (run.high)
    delays.keepTo(*run.high, run.highOpen);
  return true;
}

std::optional<Window> Concrete::invariant(const ConcreteState& state, ir::LocationId id) const {
  Window window;
  if (!cut(window, state, model_[id].invariant.clocks, nullptr, state.variables.data()) || window.isEmpty())
    return std::nullopt;
  return window;
}

std::optional<Window> Concrete::delays(const ConcreteState& state) {
  Window delays;
  const Window none{0, false, Rational(0), false};
  if (network_.stopsTime(state.locations))
    return none;
  for (ir::LocationId id : state.locations) {
    const std::optional<Window> allowed = invariant(state, id);
    if (!allowed || !allowed->contains(0))
      return none;
    delays.intersect(*allowed);
  }
  if (!network_.mayBind(state.locations))
    return delays;
  bool ok = true;
  network_.forEachDeadline(state.locations,
                           [&](const Deadline& deadline) { ok = ok && limit(state, deadline, delays); });
  for (uint32_t i = 0; ok && i < network_.size(); ++i)
    if (network_.hasLocationDeadlines(i))
      ok = limitByLocation(state, i, delays);
  return ok ? std::optional(std::move(delays)) : std::nullopt;
}

// ---- deadlines of locations

/// A, definition 8: time passes as long as an edge of the component can still fire, or where the component on its own
/// is quiescent. Waiting never ends quiescence, so it is enough to look where the last edge has its last chance.
bool Concrete::limitByLocation(const ConcreteState& state, uint32_t component, Window& delays) {
  std::optional<Window> last;
  for (EdgeId id : network_.edges(state.locations[component])) {
    std::vector<Window> windows;
    if (!chances(state, {&id, 1}, Chances::All, windows))
      return false;
    for (Window& one : windows) {
      if (!one.high)
        return true;
      if (!last || *one.high > *last->high || (*one.high == *last->high && last->highOpen))
        last = std::move(one);
    }
  }
  Rational end = last ? *last->high : Rational(0);
  const bool open = last && last->highOpen;
  const Rational bound = end;
  if (open) {
    const std::optional<std::vector<Rational>> turns = instants(state, component);
    if (!turns)
      return false;
    Rational before = 0;
    for (const Rational& instant : *turns)
      if (instant < bound)
        before = instant;
    end = (before + bound) / Rational(2);
  }
  ConcreteState later = state;
  later.advance(end);
  const std::optional<bool> silent = isSilent(later, component);
  if (silent && !*silent)
    delays.keepTo(bound, open);
  return silent.has_value();
}

const Concrete::Grain& Concrete::grainOf(uint32_t component) {
  std::optional<Grain>& known = grains_[component];
  if (known)
    return *known;
  Grain grain;
  const auto constant = [&](ir::ExprId expr) {
    const Rational* number = model_.exprs.number(expr);
    if (!number) {
      grain.plain = false;
      return;
    }
    grain.step = Rational(1) / lcm(Rational(1) / grain.step, number->denominator());
    grain.largest = std::max(grain.largest, number->sign() < 0 ? -*number : *number);
  };
  const auto guard = [&](const ir::Guard& guard) {
    for (const ir::ClockConstraint& c : guard.clocks) {
      constant(c.bound);
      grain.plain &= c.left == ir::Model::zeroClock() || c.right == ir::Model::zeroClock();
    }
  };
  const ir::Automaton& automaton = model_[network_.component(component)];
  for (ir::LocationId id : automaton.locations)
    guard(model_[id].invariant);
  for (EdgeId id : automaton.edges) {
    guard(model_[id].guard);
    guard(deadlineOf(id));
    for (const ir::Reset& reset : model_[id].resets)
      if (!reset.source.valid())
        constant(reset.value);
  }
  known = std::move(grain);
  return *known;
}

/// Delays such that every behaviour of the component's clocks on the way shows at one of them: where a clock reaches a
/// multiple of the grain or a guard changes, one between each two of these, and one behind all.
std::optional<std::vector<Rational>> Concrete::instants(const ConcreteState& state, uint32_t component) {
  const Grain& grain = grainOf(component);
  std::set<Rational> turns{0};
  const Rational end = grain.largest + grain.step;
  for (size_t i = 1; i < state.clocks.size(); ++i) {
    const Rational& value = state.clocks[i];
    for (Rational next = (value / grain.step).floor() * grain.step - value; next <= end; next = next + grain.step)
      if (next.sign() >= 0)
        turns.insert(next);
  }
  for (EdgeId id : network_.edges(state.locations[component])) {
    std::vector<Window> windows;
    if (!chances(state, {&id, 1}, Chances::All, windows))
      return std::nullopt;
    for (const Window& one : windows) {
      turns.insert(one.low);
      if (one.high)
        turns.insert(*one.high);
    }
  }
  std::vector<Rational> result;
  for (const Rational& turn : turns) {
    if (!result.empty())
      result.push_back((result.back() + turn) / Rational(2));
    result.push_back(turn);
  }
  result.push_back(result.back() + grain.step);
  return result;
}

/// Whether the component on its own can give an output after one of the delays; else what it can do unseen.
std::optional<bool> Concrete::reacts(const ConcreteState& state, uint32_t component, const Window& delays,
                                     std::vector<ConcreteMove>& unobservable) {
  for (EdgeId id : network_.edges(state.locations[component])) {
    const ir::Edge& edge = model_[id];
    if (edge.action == ir::ActionKind::Receive)
      continue;
    const bool hidden = !edge.channel.valid() ||
                        (model_[edge.channel].direction == ir::Direction::Internal && !network_.isClosed(edge.channel));
    Move move;
    move.channel = edge.channel;
    move.edges = {&id, 1};
    const ir::LocationId targets[] = {edge.target};
    std::vector<ConcreteMove> moves;
    load(state);
    bool ok = true;
    const Messages::Plan& plan = messages_.plan(move.channel, move.edges, Messages::By::Guard, false);
    const Messages::Answer answer = messages_.forEach(plan, frame_.data(), [&] {
      return ok = !code_.holds(id, frame_.data()) || addWindows(state, move, targets, moves);
    });
    if (!ok)
      return std::nullopt;
    if (answer == Messages::Answer::NotConcrete && !hidden) {
      std::vector<eval::Value> values;
      const Choices::Answer found = choices_.message(state, move, targets, delays, 0, values);
      if (found == Choices::Answer::Found)
        return true;
      if (found == Choices::Answer::None)
        continue;
      fail(edge.span, "not known whether '" + model_[edge.channel].name + "' can come: " + choices_.reason());
      return std::nullopt;
    }
    if (answer != Messages::Answer::Done) {
      fail(answer, edge.span);
      return std::nullopt;
    }
    for (ConcreteMove& one : moves) {
      one.window.intersect(delays);
      if (one.window.isEmpty())
        continue;
      if (!hidden)
        return true;
      unobservable.push_back(std::move(one));
    }
  }
  return false;
}

/// Whether the component, left alone with time, never gives an output (A, definition 12). What lies behind too many
/// unobservable steps counts as an output, which only makes time stop.
std::optional<bool> Concrete::isSilent(const ConcreteState& state, uint32_t component) {
  constexpr unsigned kMostSteps = 6;
  constexpr size_t kMostStates = 5000;
  const Grain& grain = grainOf(component);
  const auto less = [](const ConcreteState& a, const ConcreteState& b) {
    return std::tie(a.locations, a.variables, a.clocks) < std::tie(b.locations, b.variables, b.clocks);
  };
  std::set<ConcreteState, decltype(less)> seen(less);
  seen.insert(state);
  std::vector<ConcreteState> layer{state};
  for (unsigned depth = 0; !layer.empty(); ++depth) {
    std::vector<ConcreteState> next;
    for (const ConcreteState& from : layer) {
      const ir::Location& location = model_[from.locations[component]];
      const std::optional<Window> allowed = invariant(from, from.locations[component]);
      Window delays{0, false, Rational(0), false};
      if (allowed && allowed->contains(0) && !location.urgent && !location.committed)
        delays = *allowed;
      std::vector<ConcreteMove> moves;
      const std::optional<bool> output = reacts(from, component, delays, moves);
      if (!output)
        return std::nullopt;
      if (*output)
        return false;
      if (moves.empty())
        continue;
      const std::optional<std::vector<Rational>> turns = instants(from, component);
      if (!turns)
        return std::nullopt;
      for (const Rational& delay : *turns)
        for (const ConcreteMove& move : moves) {
          if (!move.window.contains(delay))
            continue;
          ConcreteState target = successor(from, move, delay);
          // Behind the largest constant all values of a clock are alike.
          if (grain.plain)
            for (Rational& clock : target.clocks)
              clock = std::min(clock, grain.largest + Rational(1));
          if (seen.insert(target).second)
            next.push_back(std::move(target));
        }
    }
    if (!next.empty() && (depth == kMostSteps || seen.size() > kMostStates))
      return false;
    layer = std::move(next);
  }
  return true;
}

} // namespace tioc::semantics
