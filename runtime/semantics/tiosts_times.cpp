#include "runtime/semantics/tiosts.hpp"

#include <algorithm>

// Waiting where the times of steps are unknowns. Along a wait a conjunction of clock constraints holds during one
// interval of times, so everything about it can be said by comparing the ends.
namespace tioc::semantics {

using ir::ExprId;
using ir::Rational;

ExprId Tiosts::before(const TimeTerm& a, const TimeTerm& b, bool strict) {
  return symbols_.before(a, b, strict);
}

/// Precondition: `put_` has begun with what the bounds speak of.
Tiosts::Window Tiosts::windowOf(const SymbolicState& state, std::span<const ir::ClockConstraint> clocks) {
  Window window;
  for (const ir::ClockConstraint& c : clocks) {
    const ExprId bound = put_(c.bound);
    const Rational* number = pool_.number(bound);
    const auto shifted = [&](TimeTerm time, bool forward) {
      if (number)
        return time.plus(forward ? *number : -*number);
      const ExprId amount = forward ? bound : pool_.negate(bound);
      time.data = time.data.valid() ? pool_.add(std::vector<ExprId>{time.data, amount}) : amount;
      return time;
    };
    if (!number)
      window.fixed.push_back(symbols_.terms().defined(bound));
    const zones::Clock left = network_.clock(c.left), right = network_.clock(c.right);
    if (left == 0 && right == 0)
      window.fixed.push_back(before({}, shifted({}, true), c.strict));
    else if (right == 0)
      window.uppers.push_back({shifted(state.since[left], true), c.strict});
    else if (left == 0)
      window.lowers.push_back({shifted(state.since[right], false), c.strict});
    else // since[right] - since[left] < bound
      window.fixed.push_back(before(state.since[right], shifted(state.since[left], true), c.strict));
  }
  std::erase_if(window.fixed, [&](ExprId id) { return pool_.isTrue(id); });
  return window;
}

/// The constraints hold at the time.
ExprId Tiosts::within(const Window& window, const TimeTerm& time) {
  std::vector<ExprId> parts = window.fixed;
  for (const End& lower : window.lowers)
    parts.push_back(before(lower.time, time, lower.strict));
  for (const End& upper : window.uppers)
    parts.push_back(before(time, upper.time, upper.strict));
  return pool_.conjunction(parts);
}

/// No time from `now` on is inside: some end lies before the other.
ExprId Tiosts::isPassed(const Window& window, const TimeTerm& now) {
  std::vector<ExprId> cases;
  for (const End& upper : window.uppers) {
    cases.push_back(before(upper.time, now, !upper.strict));
    for (const End& lower : window.lowers)
      cases.push_back(before(upper.time, lower.time, !upper.strict && !lower.strict));
  }
  return pool_.disjunction(cases);
}

namespace {

/// Whatever happens when: the times of steps do not go back.
bool isSurelyUpTo(const TimeTerm& a, const TimeTerm& b) {
  return a.data == b.data && a.step <= b.step && a.offset <= b.offset;
}

} // namespace

/// Waiting from `now` until `time` is possible as far as the chance goes (semantics, section 3).
ExprId Tiosts::allowed(const Chance& chance, const TimeTerm& now, const TimeTerm& time) {
  std::vector<ExprId> cases{pool_.negation(chance.enabled), isPassed(chance.window, now)};
  if (chance.urgency == ir::Urgency::Eager) {
    // Until the latest of them. One that is never the latest would be a needless choice.
    std::vector<TimeTerm> ends{now};
    for (const End& lower : chance.window.lowers) {
      const auto comesLater = [&](const TimeTerm& end) { return isSurelyUpTo(lower.time, end); };
      if (std::any_of(ends.begin(), ends.end(), comesLater))
        continue;
      std::erase_if(ends, [&](const TimeTerm& end) { return isSurelyUpTo(end, lower.time); });
      ends.push_back(lower.time);
    }
    for (const TimeTerm& end : ends)
      cases.push_back(before(time, end, false));
  } else {
    std::vector<ExprId> inTime;
    for (const End& upper : chance.window.uppers)
      inTime.push_back(before(time, upper.time, upper.strict));
    cases.push_back(pool_.conjunction(inTime));
  }
  return pool_.disjunction(cases);
}

/// The chance is open at some instant from `time` on.
ExprId Tiosts::reachesBeyond(const Chance& chance, const TimeTerm& now, const TimeTerm& time) {
  const ExprId never = pool_.disjunction(isPassed(chance.window, now), isPassed(chance.window, time));
  return pool_.conjunction(chance.enabled, pool_.negation(never));
}

/// Window `a` ends behind window `b`.
ExprId Tiosts::endsLater(const Window& a, const Window& b) {
  std::vector<ExprId> cases;
  for (const End& own : b.uppers) {
    std::vector<ExprId> all;
    for (const End& other : a.uppers)
      all.push_back(before(own.time, other.time, !(own.strict && !other.strict)));
    cases.push_back(pool_.conjunction(all));
  }
  return pool_.disjunction(cases);
}

/// A, definition 8: some edge can still fire, or the last one that could was no output.
ExprId Tiosts::allowed(const LocationChances& location, const TimeTerm& now, const TimeTerm& time) {
  std::vector<ExprId> cases;
  for (const Chance& chance : location.edges)
    cases.push_back(reachesBeyond(chance, now, time));
  cases.push_back(isQuiet(location, now));
  return pool_.disjunction(cases);
}

/// No output is left that no input outlasts.
ExprId Tiosts::isQuiet(const LocationChances& location, const TimeTerm& now) {
  std::vector<ExprId> quiet;
  for (size_t o = 0; o < location.edges.size(); ++o) {
    if (!location.leadsOut[o])
      continue;
    const Chance& output = location.edges[o];
    std::vector<ExprId> ways{pool_.negation(output.enabled), isPassed(output.window, now)};
    for (size_t i = 0; i < location.edges.size(); ++i) {
      const Chance& input = location.edges[i];
      if (!location.leadsOut[i])
        ways.push_back(pool_.conjunction(std::vector<ExprId>{input.enabled, pool_.negation(isPassed(input.window, now)),
                                                             endsLater(input.window, output.window)}));
    }
    quiet.push_back(pool_.disjunction(ways));
  }
  return pool_.conjunction(quiet);
}

void Tiosts::addEnds(const Chance& chance, const TimeTerm& now, std::vector<ExprId>& reached,
                     std::vector<ExprId>& neared) {
  const ExprId binds =
      pool_.conjunction(std::vector<ExprId>{chance.enabled, pool_.negation(isPassed(chance.window, now))});
  std::vector<ExprId> over;
  if (chance.urgency == ir::Urgency::Eager) {
    for (const End& lower : chance.window.lowers)
      over.push_back(before(lower.time, now, false));
    reached.push_back(pool_.conjunction(std::vector<ExprId>{binds, pool_.conjunction(over)}));
    return;
  }
  for (const End& upper : chance.window.uppers)
    if (upper.strict)
      neared.push_back(binds);
    else
      over.push_back(before(upper.time, now, false));
  reached.push_back(pool_.conjunction(std::vector<ExprId>{binds, pool_.disjunction(over)}));
}

void Tiosts::addEnds(const LocationChances& location, const TimeTerm& now, std::vector<ExprId>& reached,
                     std::vector<ExprId>& neared) {
  // All that may still fire does so until now, or until an end at all.
  std::vector<ExprId> over{pool_.negation(isQuiet(location, now))}, bounded = over;
  bool isStrict = false;
  for (const Chance& chance : location.edges) {
    std::vector<ExprId> never{pool_.negation(chance.enabled), isPassed(chance.window, now)};
    if (chance.window.uppers.empty())
      bounded.push_back(pool_.disjunction(never));
    for (const End& upper : chance.window.uppers) {
      never.push_back(before(upper.time, now, false));
      isStrict |= upper.strict;
    }
    over.push_back(pool_.disjunction(never));
  }
  reached.push_back(pool_.conjunction(over));
  if (isStrict)
    neared.push_back(pool_.conjunction(bounded));
}

Tiosts::Ends Tiosts::ends(const SymbolicState& state) {
  const Limits limits = limitsOf(state);
  if (limits.stopped)
    return {pool_.boolean(true), pool_.boolean(false)};
  std::vector<ExprId> reached, neared;
  put_.begin(state.store, index_, {});
  for (ir::LocationId id : state.at)
    for (const End& upper : windowOf(state, model_[id].invariant.clocks).uppers)
      if (upper.strict)
        neared.push_back(pool_.boolean(true));
      else
        reached.push_back(before(upper.time, state.now, false));
  for (const Chance& chance : limits.chances)
    addEnds(chance, state.now, reached, neared);
  for (const LocationChances& location : limits.locations)
    addEnds(location, state.now, reached, neared);
  return {pool_.disjunction(reached), pool_.disjunction(neared)};
}

/// Assumes that time may pass from the draft's present until `time`; does not move the present.
bool Tiosts::waitUntil(SymbolicState& draft, const Limits& limits, const TimeTerm& time) {
  if (limits.stopped)
    return true;
  if (!symbols_.assume(draft, pool_.lessEqual(symbols_.expr(draft.now), symbols_.expr(time))))
    return false;
  put_.begin(draft.store, index_, {});
  for (ir::LocationId id : draft.at)
    if (!symbols_.assume(draft, within(windowOf(draft, model_[id].invariant.clocks), time)))
      return false;
  for (const Chance& chance : limits.chances)
    if (!symbols_.assume(draft, allowed(chance, draft.now, time)))
      return false;
  return std::all_of(limits.locations.begin(), limits.locations.end(), [&](const LocationChances& location) {
    return symbols_.assume(draft, allowed(location, draft.now, time));
  });
}

std::optional<Rational> Tiosts::valueOf(const SymbolicState& state, const TimeTerm& term) {
  Rational value = term.offset;
  if (term.step != 0)
    if (const eval::Value* known = state.witness.find(pool_.payload(symbols_.timeOf(term.step))))
      value = value + known->number;
  if (term.data.valid()) {
    eval::Result data = symbols_.terms().evaluate(term.data, state.witness);
    if (!data.ok())
      return std::nullopt;
    value = value + data.value.number;
  }
  return value;
}

/// Lets the witness take the earliest time that suits the window.
void Tiosts::guessTime(SymbolicState& draft, const Window& window, const TimeTerm& time) {
  Rational low = valueOf(draft, draft.now).value_or(0);
  bool strict = false;
  for (const End& lower : window.lowers)
    if (const auto value = valueOf(draft, lower.time); value && (*value > low || (*value == low && lower.strict))) {
      low = *value;
      strict = lower.strict;
    }
  if (strict) {
    std::optional<Rational> high;
    for (const End& upper : window.uppers)
      if (const auto value = valueOf(draft, upper.time); value && (!high || *value < *high))
        high = value;
    low = high && *high > low && *high <= low + Rational(1) ? (low + *high) / Rational(2) : low + Rational(1);
  }
  draft.witness.set(pool_.payload(symbols_.timeOf(time.step)), eval::Value{low, {}});
}

// ---- quiescence

bool Tiosts::areSettled(std::span<const ir::ClockConstraint> clocks) const {
  bool settled = true;
  for (const ir::ClockConstraint& c : clocks)
    if (!pool_.isConstant(c.bound))
      pool_.visit(c.bound, [&](ExprId leaf) {
        settled &= pool_.op(leaf) != ir::Op::Local || locals_[pool_.payload(leaf)].valid();
      });
  return settled;
}

std::optional<ExprId> Tiosts::quiescent(const SymbolicState& state) {
  std::vector<ExprId> none;
  bool known = true;
  const auto never = [&](const Move& move) {
    const bool leads = std::any_of(move.edges.begin(), move.edges.end(),
                                   [&](ir::EdgeId id) { return locationDeadlines_.leadsOut(id); });
    if (move.visibility == Visibility::Input || (move.visibility == Visibility::Unobservable && !leads))
      return;
    const std::optional<ExprId> data = plans_.exists(plans_.guards(move.edges), state, index_, put_, locals_);
    std::vector<ir::ClockConstraint> clocks;
    for (ir::LocationId id : state.at)
      clocks.insert(clocks.end(), model_[id].invariant.clocks.begin(), model_[id].invariant.clocks.end());
    for (ir::EdgeId id : move.edges)
      clocks.insert(clocks.end(), model_[id].guard.clocks.begin(), model_[id].guard.clocks.end());
    if (!data || move.broadcast || !areSettled(clocks)) {
      known = false;
      return;
    }
    put_.begin(state.store, index_, locals_);
    const Window window = windowOf(state, clocks);
    std::vector<ExprId> ways{pool_.negation(*data), isPassed(window, state.now)};
    for (ExprId fixed : window.fixed)
      ways.push_back(pool_.negation(fixed));
    const ExprId impossible = pool_.disjunction(ways);
    // Whether an unobservable step is followed by an output cannot be said in one condition.
    if (move.visibility == Visibility::Unobservable && !pool_.isTrue(impossible))
      known = false;
    none.push_back(impossible);
  };
  network_.forEachMove(state.at, never);
  return known ? std::optional(pool_.conjunction(none)) : std::nullopt;
}

} // namespace tioc::semantics
