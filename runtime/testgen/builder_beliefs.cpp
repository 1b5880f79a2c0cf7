#include "runtime/testgen/builder.hpp"

#include <algorithm>

// The states that agree with what was seen so far.
namespace tioc::testgen {

using ir::ExprId;
using semantics::SymbolicState;
using semantics::SymbolicStep;
using semantics::Visibility;

namespace {

// Beyond these, more is allowed than needs be: outputs that no branch knows are inconclusive.
constexpr size_t kMostBeliefs = 40;
// Deadlines that depend on each other in more ways than this are not told; a late output is then inconclusive.
constexpr size_t kMostEnds = 6;

} // namespace

bool Builder::isOnPath(const Belief& from, const SymbolicStep& step) const {
  return from.at < length_ && path_->steps[from.at].step.edges == step.edges;
}

/// Adds the states behind unobservable steps, and lists the observable ones that can follow: outputs, and of the inputs
/// those that are asked for.
void Builder::close(std::vector<Belief>& beliefs, std::vector<Next>& nexts, const semantics::Inputs& inputs) {
  nexts.clear();
  for (size_t i = 0; i < beliefs.size(); ++i) {
    const SymbolicState state = beliefs[i].state;
    const auto add = [&](SymbolicStep&& step, SymbolicState&& behind) {
      if (step.visibility != Visibility::Unobservable) {
        nexts.push_back({std::move(step), std::move(behind), i, false, false, {}, {}});
        return;
      }
      if (beliefs.size() >= kMostBeliefs || beliefs[i].unseen >= kMostUnseen) {
        permissive_ = true;
        return;
      }
      Belief next{std::move(behind), {}, kOff, beliefs[i].unseen + 1};
      if (isOnPath(beliefs[i], step)) {
        next.at = beliefs[i].at + 1;
        next.purpose = beliefs[i].purpose;
        restore(next.state);
      }
      beliefs.push_back(std::move(next));
    };
    relation_.successors(state, add, inputs);
  }
}

/// The belief behind a step of the path, where the purpose does what it does on the path.
std::optional<Builder::Belief> Builder::onPath(const std::vector<Belief>& beliefs, const Next& next) {
  const Belief& from = beliefs[next.from];
  if (!isOnPath(from, next.step))
    return std::nullopt;
  const PurposeState& wanted = path_->steps[from.at].purpose;
  std::optional<Belief> result;
  observer_.follow(from.state, from.purpose, next.step, SymbolicState(next.state),
                   [&](SymbolicState&& state, PurposeState&& purpose) {
                     if (purpose.at == wanted.at && !result)
                       result = Belief{std::move(state), std::move(purpose), from.at + 1, 0};
                   });
  if (result)
    restore(result->state);
  return result;
}

/// Back to the values that were chosen for the whole path: a step took the first that would do.
void Builder::restore(SymbolicState& state) {
  state.witness.merge(plan_);
  state.settled = 0;
  symbols_.isFeasible(state);
}

/// Events are in the order of time: what says no more than that.
bool Builder::saysOrderOnly(ExprId condition) {
  const auto& form = project_.linear(condition);
  if (!form || form->relation == Projection::Linear::Relation::Equal || form->factors.size() > 2 ||
      form->constant.sign() > 0 || (form->relation == Projection::Linear::Relation::Less && form->constant.isZero()))
    return false;
  const auto eventOf = [&](uint32_t unknown) {
    for (size_t i = 0; i < times_.size(); ++i)
      if (pool_.payload(times_[i]) == unknown)
        return static_cast<int64_t>(i);
    return int64_t{-1};
  };
  int64_t earlier = -1, later = -1;
  for (const auto& [unknown, factor] : form->factors) {
    const int64_t event = eventOf(unknown);
    if (event < 0 || (factor != ir::Rational(1) && factor != ir::Rational(-1)))
      return false;
    (factor.sign() > 0 ? earlier : later) = event;
  }
  return later >= 0 && earlier < later;
}

/// The unknown and the constant, where a condition says no more than what one unknown is. Times are left as they are.
std::optional<std::pair<ExprId, ExprId>> Builder::valueIn(ExprId condition) {
  const ir::Op op = pool_.op(condition);
  const auto isUnknown = [&](ExprId id) {
    return pool_.op(id) == ir::Op::Parameter && pool_.type(id) != symbols_.model().types.real();
  };
  if (isUnknown(condition))
    return std::pair(condition, pool_.boolean(true));
  if (op == ir::Op::Not && isUnknown(pool_.operands(condition)[0]))
    return std::pair(pool_.operands(condition)[0], pool_.boolean(false));
  if (op != ir::Op::Equal)
    return std::nullopt;
  const ExprId a = pool_.operands(condition)[0], b = pool_.operands(condition)[1];
  if (isUnknown(a) && pool_.isConstant(b))
    return std::pair(a, b);
  if (isUnknown(b) && pool_.isConstant(a))
    return std::pair(b, a);
  return std::nullopt;
}

/// Values that are known, or that one condition tells, in place of unknowns of the others. False: a contradiction.
bool Builder::putValues(Conjunction& conditions) {
  std::unordered_map<ExprId, ExprId> values;
  for (ExprId condition : known_)
    if (const auto value = valueIn(condition))
      values.insert(*value);
  const size_t before = values.size();
  for (ExprId condition : conditions)
    if (const auto value = valueIn(condition);
        value && !values.insert(*value).second && values[value->first] != value->second)
      return false;
  if (values.empty())
    return true;
  ir::ExprPool::Substitution put(pool_, [&](ExprId leaf) {
    const auto value = values.find(leaf);
    return value == values.end() ? ExprId() : value->second;
  });
  Conjunction result;
  for (ExprId condition : conditions) {
    const auto own = valueIn(condition);
    const ExprId reduced = own ? condition : project_.canonical(put(condition));
    if (pool_.isFalse(reduced))
      return false;
    if (!pool_.isTrue(reduced) && std::find(result.begin(), result.end(), reduced) == result.end())
      result.push_back(reduced);
  }
  const bool again = result != conditions && values.size() > before;
  conditions = std::move(result);
  return !again || putValues(conditions);
}

bool Builder::reduce(Conjunction& conditions) {
  if (!putValues(conditions))
    return false;
  for (size_t i = conditions.size(); i-- > 0;) {
    const ExprId condition = conditions[i];
    conditions.erase(conditions.begin() + static_cast<ptrdiff_t>(i));
    const auto holds = [&](ExprId id) {
      return isGiven(id) || saysOrderOnly(id) ||
             std::any_of(conditions.begin(), conditions.end(), [&](ExprId other) { return implies(other, id); }) ||
             follows(id, conditions);
    };
    if (holds(project_.canonical(pool_.negation(condition))))
      return false;
    const auto parts = pool_.operands(condition);
    const bool redundant =
        holds(condition) ||
        (pool_.op(condition) == ir::Op::Or &&
         std::any_of(parts.begin(), parts.end(), [&](ExprId part) { return holds(project_.canonical(part)); }));
    if (!redundant)
      conditions.insert(conditions.begin() + static_cast<ptrdiff_t>(i), condition);
  }
  return true;
}

/// What a condition says about the difference of two times, if that is all it says.
const std::optional<Builder::Difference>& Builder::differenceIn(ExprId id) {
  using Relation = Projection::Linear::Relation;
  const auto [known, isNew] = differences_.try_emplace(id);
  if (!isNew)
    return known->second;
  const auto& form = project_.linear(id);
  if (!form || !form->isReal || form->relation == Relation::Equal || form->factors.empty() || form->factors.size() > 2)
    return known->second;
  Difference bound{kStart, kStart, -form->constant, form->relation == Relation::Less};
  for (const auto& [unknown, factor] : form->factors) {
    uint32_t& end = factor == ir::Rational(1) ? bound.to : bound.from;
    if (end != kStart || (factor != ir::Rational(1) && factor != ir::Rational(-1)))
      return known->second;
    end = unknown;
  }
  known->second = std::move(bound);
  return known->second;
}

/// Whether a bound on the difference of two times follows from other such bounds along a chain: from what is known, the
/// order of events, and `others`.
bool Builder::follows(ExprId condition, const Conjunction& others) {
  const auto wanted = differenceIn(condition);
  if (!wanted)
    return false;
  std::vector<const Difference*> bounds;
  for (const Conjunction* list : {&std::as_const(known_), &others})
    for (ExprId id : *list)
      if (const auto& bound = differenceIn(id))
        bounds.push_back(&*bound);
  std::vector<Difference> order;
  for (size_t i = 0; i < times_.size(); ++i)
    order.push_back({i == 0 ? kStart : pool_.payload(times_[i - 1]), pool_.payload(times_[i]), 0, false});
  for (const Difference& bound : order)
    bounds.push_back(&bound);
  const auto leadsThere = [&](const Difference* bound) { return bound->to == wanted->to; };
  const auto startsHere = [&](const Difference* bound) { return bound->from == wanted->from; };
  if (std::none_of(bounds.begin(), bounds.end(), leadsThere) || std::none_of(bounds.begin(), bounds.end(), startsHere))
    return false;
  struct Distance {
    ir::Rational by;
    bool strict = false;
  };
  std::vector<std::pair<uint32_t, Distance>> distances{{wanted->from, {}}}; // few: a list is faster than a map
  const auto distanceOf = [&](uint32_t unknown) -> Distance* {
    const auto found =
        std::find_if(distances.begin(), distances.end(), [&](const auto& one) { return one.first == unknown; });
    return found == distances.end() ? nullptr : &found->second;
  };
  const auto isCloser = [](const Distance& a, const Distance& b) {
    return a.by < b.by || (a.by == b.by && a.strict && !b.strict);
  };
  bool changed = true;
  for (size_t round = 0; changed && round <= bounds.size(); ++round) {
    changed = false;
    for (const Difference* bound : bounds) {
      const Distance* from = distanceOf(bound->from);
      if (!from)
        continue;
      Distance next{from->by + bound->by, from->strict || bound->strict};
      if (bound->to == wanted->to && !isCloser({wanted->by, wanted->strict}, next))
        return true;
      Distance* to = distanceOf(bound->to);
      if (to && !isCloser(next, *to))
        continue;
      if (to)
        *to = std::move(next);
      else
        distances.emplace_back(bound->to, std::move(next));
      changed = true;
    }
  }
  return false;
}

/// Whether one comparison says at once that another holds.
bool Builder::implies(ExprId condition, ExprId other) {
  using Relation = Projection::Linear::Relation;
  const auto &a = project_.linear(condition), &b = project_.linear(other);
  if (!a || !b || a->relation == Relation::Equal || b->relation == Relation::Equal || a->factors != b->factors)
    return false;
  return a->constant > b->constant ||
         (a->constant == b->constant && (b->relation == Relation::LessEqual || a->relation == Relation::Less));
}

/// The condition, or one that asks for more, is among what is known.
bool Builder::isGiven(ExprId condition) {
  return std::any_of(known_.begin(), known_.end(),
                     [&](ExprId known) { return known == condition || implies(known, condition); });
}

bool Builder::isKnown(ExprId condition) {
  return isGiven(condition) || follows(condition);
}

/// Every run that got here satisfies what the state asks of things seen: branches need not ask again.
void Builder::noteFacts(const SymbolicState& state) {
  for (ExprId condition : state.conditions) {
    const auto& used = symbols_.terms().unknownsOf(condition);
    if (std::all_of(used.begin(), used.end(), [&](uint32_t id) { return id < isSeen_.size() && isSeen_[id]; }))
      facts_.insert(condition);
  }
}

/// What the conditions say about the next event, given all that was seen.
std::vector<Conjunction> Builder::casesOf(const Conjunction& conditions) {
  const uint32_t unknown = pool_.payload(timeOf(event_));
  const auto isSeen = [&](uint32_t id) { return id == unknown || (id < isSeen_.size() && isSeen_[id]); };
  Conjunction open;
  for (ExprId condition : conditions)
    if (!facts_.contains(condition))
      open.push_back(condition);
  std::vector<Conjunction> result;
  for (Conjunction& one : project_(open, isSeen, unknown).cases)
    if (reduce(one) && std::find(result.begin(), result.end(), one) == result.end())
      result.push_back(std::move(one));
  return result;
}

/// What is known of an input that is due at a time: the tester may be late by the tolerance, and measure wrong by it.
Conjunction Builder::givenAt(ExprId time) {
  const auto shifted = [&](ExprId id, const ir::Rational& by) {
    return by.isZero() ? id : pool_.add(std::vector<ExprId>{id, pool_.real(by)});
  };
  const ExprId late = shifted(time, options_.tolerance * ir::Rational(2));
  Conjunction result{pool_.lessEqual(timeOf(event_), late)};
  const auto extreme = extremes_.find(time);
  for (ExprId bound : extreme != extremes_.end() && extreme->second.largest ? extreme->second.of : std::vector{time})
    result.push_back(pool_.lessEqual(shifted(bound, -options_.tolerance), timeOf(event_)));
  return result;
}

/// Whether the state can be the one in which an input is given that is due at a time.
bool Builder::isPossibleAt(SymbolicState state, ExprId time) {
  const Conjunction given = givenAt(time);
  return std::all_of(given.begin(), given.end(), [&](ExprId condition) { return symbols_.assume(state, condition); }) &&
         symbols_.isFeasible(state);
}

/// Whether the system may be in a state that does not take the input. The model says nothing of what follows then.
bool Builder::mayRefuse(const std::vector<Belief>& beliefs, const std::vector<Next>& nexts, ir::ChannelId channel,
                        ExprId time) {
  for (size_t i = 0; i < beliefs.size(); ++i) {
    const bool takes = std::any_of(nexts.begin(), nexts.end(), [&](const Next& next) {
      return next.from == i && next.step.visibility == Visibility::Input && next.step.channel == channel;
    });
    // A committed location is left before the environment gets its turn, and what follows is believed too.
    const auto isCommitted = [&](ir::LocationId id) { return symbols_.model()[id].committed; };
    if (takes || std::any_of(beliefs[i].state.at.begin(), beliefs[i].state.at.end(), isCommitted))
      continue;
    bool lasts = false;
    relation_.wait(beliefs[i].state, [&](SymbolicState&& later) {
      lasts = lasts || (agreeOnTime(later, symbols_.expr(later.now)) && isPossibleAt(std::move(later), time));
    });
    if (lasts)
      return true;
  }
  return false;
}

/// The latest time of silence that some belief allows. Not bounded: none, and the result is one to wait for.
ExprId Builder::silence(const std::vector<Belief>& beliefs, bool& bounded) {
  const uint32_t unknown = pool_.payload(timeOf(event_));
  bounded = !permissive_;
  std::vector<Silence> ends;
  const auto add = [&](ExprId when, ExprId end) {
    if (std::none_of(ends.begin(), ends.end(), [&](const Silence& s) { return s.when == when && s.end == end; }))
      ends.push_back({when, end});
  };
  add(pool_.boolean(true), now());
  for (const Belief& belief : beliefs)
    relation_.wait(belief.state, [&](SymbolicState&& later) {
      if (!agreeOnTime(later, symbols_.expr(later.now)))
        return;
      for (const Conjunction& conditions : casesOf(later.conditions)) {
        std::vector<ExprId> uppers, others;
        for (ExprId condition : conditions) {
          const auto bound = project_.boundOf(condition, unknown);
          if (bound && bound->upper)
            uppers.push_back(bound->term);
          else if (const auto& used = symbols_.terms().unknownsOf(condition);
                   !std::binary_search(used.begin(), used.end(), unknown))
            others.push_back(loosen(condition));
        }
        if (uppers.empty())
          bounded = false;
        else
          add(pool_.conjunction(others), choose(uppers, false));
      }
    });
  if (ends.size() > kMostEnds)
    bounded = false;
  if (bounded)
    if (const ExprId end = latest(std::move(ends)); pool_.treeSize(end) <= kLargestTerm)
      return end;
  bounded = false;
  return pool_.add(std::vector<ExprId>{now(), pool_.real(options_.patience)});
}

/// The latest end of those whose condition holds. Ends that differ by a number are put in order, so that the first that
/// holds is it.
ExprId Builder::latest(std::vector<Silence> ends) {
  const auto difference = [&](const Silence& a, const Silence& b) -> std::optional<ir::Rational> {
    if (a.end == b.end)
      return ir::Rational(0);
    if (const ir::Rational* x = pool_.number(a.end), *y = pool_.number(b.end); x && y)
      return *x - *y;
    const auto& form = project_.linear(pool_.lessEqual(a.end, b.end));
    if (form && form->factors.empty())
      return form->constant;
    return std::nullopt;
  };
  bool ordered = true;
  for (const Silence& end : ends)
    ordered &= difference(end, ends[0]).has_value();
  if (!ordered) {
    std::vector<ExprId> terms;
    for (const Silence& end : ends)
      terms.push_back(pool_.ifThenElse(end.when, end.end, now()));
    return choose(terms, true);
  }
  const Silence reference = ends[0];
  std::stable_sort(ends.begin(), ends.end(), [&](const Silence& a, const Silence& b) {
    return *difference(a, reference) > *difference(b, reference);
  });
  ExprId result = now();
  for (auto end = ends.rbegin(); end != ends.rend(); ++end)
    result = pool_.ifThenElse(end->when, end->end, result);
  return result;
}

} // namespace tioc::testgen
