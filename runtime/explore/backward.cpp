#include "runtime/explore/backward.hpp"

#include "ir/guards.hpp"
#include "ir/print.hpp"
#include "runtime/zones/print.hpp"

#include <algorithm>
#include <set>

namespace tioc::explore {

using ir::ExprId;
using zones::Federation;
using zones::Zone;

Backward::Backward(ir::Model& model, Limits limits, solver::Options options)
    : model_(model), self_(model.systems[0].components[0].automaton), symbols_(model, std::move(options)),
      pool_(model.exprs), limits_(std::move(limits)) {
  const ir::Automaton& automaton = model[self_];
  for (uint32_t i = 0; i < automaton.variables.size(); ++i) {
    const ir::Variable& variable = model[automaton.variables[i]];
    unknowns_.push_back(symbols_.unknown(0, i, variable.type, variable.name));
  }
  clocks_[ir::Model::zeroClock()] = 0;
  for (ir::ClockId id : automaton.clocks)
    clocks_.emplace(id, static_cast<zones::Clock>(clocks_.size()));
  readModel();
}

void Backward::readModel() {
  const ir::Automaton automaton = model_[self_];
  for (ir::LocationId id : automaton.locations)
    places_[id];
  for (ir::EdgeId id : automaton.edges)
    places_[model_[id].target].entering.push_back(id);
  for (ir::LocationId id : automaton.locations) {
    std::vector<ir::Guard> whole;
    for (ir::EdgeId edge : ir::edgesFrom(model_, automaton, id)) {
      const ir::Guard guard = model_[edge].deadline ? *model_[edge].deadline : model_[edge].guard;
      places_[id].edges.push_back({edge, guardOf(model_[edge].guard)});
      if (std::none_of(whole.begin(), whole.end(), [&](const auto& known) { return ir::sameGuard(known, guard); }))
        whole.push_back(guard);
    }
    for (const ir::Guard& guard : whole)
      places_[id].bound.push_back(guardOf(guard));
    for (const ir::Guard& guard : ir::noneOf(model_, whole))
      places_[id].stable.push_back(guardOf(guard));
  }
}

ExprId Backward::put(ExprId expr) {
  const ir::Automaton& automaton = model_[self_];
  return pool_.substitute(expr, [&](ExprId leaf) -> ExprId {
    if (pool_.op(leaf) == ir::Op::Variable)
      for (size_t i = 0; i < automaton.variables.size(); ++i)
        if (automaton.variables[i].value == pool_.payload(leaf))
          return unknowns_[i];
    return {};
  });
}

Backward::Guard Backward::guardOf(const ir::Guard& guard) {
  Guard result{put(guard.data), Zone::universe(static_cast<zones::Dim>(clocks_.size()))};
  for (const ir::ClockConstraint& c : guard.clocks) {
    const ir::Rational* number = pool_.number(c.bound);
    const auto value = number ? number->toInt64() : std::nullopt;
    const auto bound = value ? zones::Bound::make(*value, !c.strict) : std::nullopt;
    if (!bound) {
      problem_ = semantics::Problem{c.span, "a clock bound that is no constant, or too large"};
      continue;
    }
    result.zone.constrain({clockOf(c.left), clockOf(c.right), *bound});
  }
  return result;
}

const std::vector<uint32_t>& Backward::setsAt(ir::LocationId at) const {
  static const std::vector<uint32_t> kNone;
  const auto place = places_.find(at);
  return place == places_.end() ? kNone : place->second.sets;
}

void Backward::run() {
  Watch watch(limits_);
  if (problem_)
    return;
  for (ir::LocationId id : model_[self_].locations)
    if (model_[id].mark == ir::Mark::Accept)
      add({id, {}, {}, Zone::universe(static_cast<zones::Dim>(clocks_.size()))});
  // Sets come in the order of their rank.
  for (uint32_t set = 0; set < sets_.size() && !problem_; ++set) {
    if (const char* limit = watch.check(sets_.size())) {
      stopped_ = limit;
      return;
    }
    expand(set);
  }
}

void Backward::expand(uint32_t set) {
  const Place& place = places_.at(sets_[set].at);
  for (ir::EdgeId id : place.entering)
    if (model_[model_[id].source].mark == ir::Mark::None)
      byEdge(set, id);
  if (model_[sets_[set].at].mark != ir::Mark::None)
    return;
  if (sets_[set].how != Toward::Input)
    byInput(set);
  if (sets_[set].how != Toward::Wait)
    byWaiting(set);
}

/// The clocks before the resets, as far as these did not set them. False: a clock takes the value of one that another
/// reset overwrites by a copy.
bool Backward::unreset(Zone& zone, const ir::Edge& edge) {
  for (const ir::Reset& reset : edge.resets) {
    if (reset.source.valid())
      continue;
    const ir::Rational* number = pool_.number(reset.value);
    const auto value = number ? number->toInt64() : std::nullopt;
    const auto upper = value ? zones::Bound::make(*value, true) : std::nullopt;
    const auto lower = value ? zones::Bound::make(-*value, true) : std::nullopt;
    if (!upper || !lower)
      return false;
    const zones::Clock clock = clockOf(reset.clock);
    zone.constrain({clock, 0, *upper}).constrain({0, clock, *lower}).free(clock);
  }
  for (const ir::Reset& reset : edge.resets) {
    if (!reset.source.valid())
      continue;
    for (const ir::Reset& other : edge.resets)
      if (other.source.valid() && other.clock == reset.source)
        return false;
    const zones::Clock to = clockOf(reset.clock), from = clockOf(reset.source);
    zone.constrain({to, from, zones::Bound::zero()}).constrain({from, to, zones::Bound::zero()}).free(to);
  }
  return true;
}

void Backward::byEdge(uint32_t set, ir::EdgeId id) {
  const ir::Edge edge = model_[id];
  const Place& source = places_.at(edge.source);
  const auto own =
      std::find_if(source.edges.begin(), source.edges.end(), [&](const Leaving& leaving) { return leaving.id == id; });
  BackwardSet before = sets_[set];
  before.at = edge.source;
  before.how = Toward::Edge;
  before.edge = id;
  before.next = set;
  before.rank = sets_[set].rank + 1;
  if (!unreset(before.zone, edge)) {
    problem_ = semantics::Problem{edge.span, "resets that copy clocks in a circle"};
    return;
  }
  before.zone.intersect(own->guard.zone);
  const ir::Automaton& automaton = model_[self_];
  std::vector<ExprId> behind = unknowns_;
  for (const ir::Update& update : edge.updates)
    for (size_t i = 0; i < behind.size(); ++i)
      if (automaton.variables[i] == update.variable)
        behind[i] = put(update.value);
  for (ExprId& conjunct : before.data)
    conjunct = pool_.substitute(conjunct, [&](ExprId leaf) -> ExprId {
      const auto at = std::find(unknowns_.begin(), unknowns_.end(), leaf);
      return at == unknowns_.end() ? ExprId() : behind[static_cast<size_t>(at - unknowns_.begin())];
    });
  before.data.push_back(own->guard.data);
  // An edge that would leave the range of a variable is not taken.
  for (const ir::Update& update : edge.updates)
    if (const auto& range = model_.types[model_[update.variable].type].range) {
      const ExprId value = put(update.value);
      before.data.push_back(pool_.lessEqual(pool_.integer(range->first), value));
      before.data.push_back(pool_.lessEqual(value, pool_.integer(range->last)));
    }
  add(std::move(before));
}

void Backward::byInput(uint32_t set) {
  const ir::Automaton& automaton = model_[self_];
  std::map<ExprId, ExprId> later;
  BackwardSet before = sets_[set];
  for (size_t i = 0; i < unknowns_.size(); ++i)
    if (model_[automaton.variables[i]].role == ir::Role::Input) {
      later[unknowns_[i]] = symbols_.twin(pool_.payload(unknowns_[i]));
      before.inner.push_back(pool_.payload(later[unknowns_[i]]));
    }
  for (ExprId& conjunct : before.data)
    conjunct = pool_.substitute(conjunct, [&](ExprId leaf) {
      const auto twin = later.find(leaf);
      return twin == later.end() ? ExprId() : twin->second;
    });
  before.how = Toward::Input;
  before.next = set;
  before.rank = sets_[set].rank + 1;
  for (const Guard& stable : places_.at(before.at).stable) {
    BackwardSet part = before;
    part.zone.intersect(stable.zone);
    part.data.push_back(stable.data);
    add(std::move(part));
  }
}

void Backward::byWaiting(uint32_t set) {
  byWaiting(set, 0, sets_[set].data, {});
}

/// One case for each choice of guards whose data part holds.
void Backward::byWaiting(uint32_t set, size_t index, std::vector<ExprId> data, std::vector<zones::Limit> limits) {
  const std::vector<Guard>& guards = places_.at(sets_[set].at).bound;
  if (index == guards.size()) {
    const Federation before = zones::timePredecessors(sets_[set].zone, limits);
    for (size_t i = 0; i < before.size(); ++i) {
      BackwardSet part = sets_[set];
      part.zone = Zone::copyOf(before.dim(), before[i]);
      part.data = data;
      part.how = Toward::Wait;
      part.next = set;
      part.rank = sets_[set].rank + 1;
      add(std::move(part));
    }
    return;
  }
  const Guard guard = guards[index];
  const auto follow = [&](ExprId condition, bool binds) {
    std::vector<ExprId> narrower = data;
    narrower.push_back(condition);
    if (pool_.isFalse(condition) || !canHold(narrower))
      return;
    std::vector<zones::Limit> more = limits;
    if (binds)
      more.push_back(zones::limitOf({zones::Urgency::Eager, guard.zone}));
    byWaiting(set, index + 1, std::move(narrower), std::move(more));
  };
  if (guard.zone.isEmpty())
    return byWaiting(set, index + 1, std::move(data), std::move(limits));
  // A guard without a value does not hold.
  follow(pool_.disjunction(pool_.negation(symbols_.terms().defined(guard.data)), pool_.negation(guard.data)), false);
  if (guard.zone != Zone::universe(guard.zone.dim())) // else no time passes
    follow(guard.data, true);
}

// ---- sets

bool Backward::canHold(std::span<const ExprId> data) {
  const solver::Answer answer = symbols_.solver().check(data).answer;
  uncertain_ |= answer == solver::Answer::Unknown;
  return answer != solver::Answer::Unsat;
}

bool Backward::simplify(BackwardSet& set) {
  std::vector<ExprId> parts;
  for (ExprId conjunct : set.data)
    for (ExprId part : pool_.conjuncts(conjunct))
      if (std::find(parts.begin(), parts.end(), part) == parts.end())
        parts.push_back(part);
  if (std::any_of(parts.begin(), parts.end(), [&](ExprId part) { return pool_.isFalse(part); }) || !canHold(parts))
    return false;
  // Conjuncts that share an inner unknown, directly or by others, belong together.
  std::set<uint32_t> inner(set.inner.begin(), set.inner.end());
  std::vector<ExprId> kept;
  std::set<uint32_t> used;
  while (!parts.empty()) {
    std::vector<ExprId> group{parts.back()};
    parts.pop_back();
    std::set<uint32_t> shared;
    bool free = true;
    for (size_t i = 0; i < group.size(); ++i)
      for (uint32_t unknown : symbols_.terms().unknownsOf(group[i])) {
        free &= inner.contains(unknown);
        if (!inner.contains(unknown) || !shared.insert(unknown).second)
          continue;
        for (size_t j = parts.size(); j-- > 0;)
          if (const auto& of = symbols_.terms().unknownsOf(parts[j]);
              std::find(of.begin(), of.end(), unknown) != of.end()) {
            group.push_back(parts[j]);
            parts.erase(parts.begin() + static_cast<ptrdiff_t>(j));
          }
      }
    if (free)
      continue; // all parts can hold together, and so can these
    kept.insert(kept.end(), group.begin(), group.end());
    used.insert(shared.begin(), shared.end());
  }
  std::sort(kept.begin(), kept.end());
  set.data = std::move(kept);
  set.inner.assign(used.begin(), used.end());
  return true;
}

bool Backward::isImplied(const std::vector<ExprId>& data, const BackwardSet& by) {
  if (std::includes(data.begin(), data.end(), by.data.begin(), by.data.end()))
    return true;
  if (by.inner.empty())
    return symbols_.solver().implies(data, pool_.conjunction(by.data)) == ir::Decision::Yes;
  // Its inner unknowns may be those of `data` too.
  std::map<uint32_t, ExprId> fresh;
  std::vector<uint32_t> inner;
  for (uint32_t unknown : by.inner) {
    fresh[unknown] = symbols_.twin(unknown);
    inner.push_back(pool_.payload(fresh[unknown]));
  }
  std::vector<ExprId> some;
  for (ExprId conjunct : by.data)
    some.push_back(pool_.substitute(conjunct, [&](ExprId leaf) {
      const auto renamed = pool_.op(leaf) == ir::Op::Parameter ? fresh.find(pool_.payload(leaf)) : fresh.end();
      return renamed == fresh.end() ? ExprId() : renamed->second;
    }));
  return symbols_.solver().includes(data, some, inner) == ir::Decision::Yes;
}

bool Backward::isCovered(const BackwardSet& set) {
  Federation known(set.zone.dim());
  for (uint32_t other : places_.at(set.at).sets) {
    Zone common = sets_[other].zone;
    if (common.intersect(set.zone).isEmpty() || !isImplied(set.data, sets_[other]))
      continue;
    known.unite(sets_[other].zone);
    if (known.includes(set.zone.data()))
      return true;
  }
  return false;
}

void Backward::add(BackwardSet set) {
  if (set.zone.isOutOfRange()) {
    problem_ = semantics::Problem{model_[set.at].span, "a clock bound leaves the range that zones can hold"};
    return;
  }
  if (set.zone.isEmpty() || !simplify(set) || isCovered(set))
    return;
  places_.at(set.at).sets.push_back(static_cast<uint32_t>(sets_.size()));
  sets_.push_back(std::move(set));
}

// ---- questions

std::vector<ExprId> Backward::at(const std::vector<ExprId>& data, std::span<const eval::Value> values) {
  std::vector<ExprId> result;
  for (ExprId conjunct : data)
    result.push_back(pool_.substitute(conjunct, [&](ExprId leaf) -> ExprId {
      const auto at = std::find(unknowns_.begin(), unknowns_.end(), leaf);
      if (at == unknowns_.end())
        return {};
      const auto i = static_cast<size_t>(at - unknowns_.begin());
      return symbols_.terms().constant(pool_.type(leaf), values[i]);
    }));
  return result;
}

ir::Decision Backward::fromStart() {
  const ir::Automaton automaton = model_[self_];
  std::vector<ExprId> start{put(automaton.initialCondition)};
  for (size_t i = 0; i < unknowns_.size(); ++i)
    if (const ExprId value = model_[automaton.variables[i]].initial; value.valid())
      start.push_back(pool_.equal(unknowns_[i], value));
  bool open = !stopped_.empty() || problem_;
  for (uint32_t set : setsAt(automaton.initial)) {
    Zone zone = Zone::zero(sets_[set].zone.dim());
    if (zone.intersect(sets_[set].zone).isEmpty())
      continue;
    std::vector<ExprId> both = start;
    both.insert(both.end(), sets_[set].data.begin(), sets_[set].data.end());
    const solver::Answer answer = symbols_.solver().check(both).answer;
    if (answer == solver::Answer::Sat && !uncertain_)
      return ir::Decision::Yes;
    open |= answer != solver::Answer::Unsat;
  }
  return open ? ir::Decision::Unknown : ir::Decision::No;
}

std::optional<uint32_t> Backward::find(ir::LocationId where, std::span<const eval::Value> values, zones::Point clocks) {
  for (uint32_t set : setsAt(where))
    if (zones::contains(sets_[set].zone.data(), sets_[set].zone.dim(), clocks) &&
        symbols_.solver().check(at(sets_[set].data, values)).answer == solver::Answer::Sat)
      return set;
  return std::nullopt;
}

std::optional<std::vector<eval::Value>> Backward::inputsFor(uint32_t set, std::span<const eval::Value> values) {
  // What the set beyond asks of the inputs, with the other values as they are.
  const ir::Automaton& automaton = model_[self_];
  std::vector<ExprId> wanted;
  for (ExprId conjunct : sets_[sets_[set].next].data)
    wanted.push_back(pool_.substitute(conjunct, [&](ExprId leaf) -> ExprId {
      const auto at = std::find(unknowns_.begin(), unknowns_.end(), leaf);
      const auto i = static_cast<size_t>(at - unknowns_.begin());
      if (at == unknowns_.end() || model_[automaton.variables[i]].role == ir::Role::Input)
        return {};
      return symbols_.terms().constant(pool_.type(leaf), values[i]);
    }));
  // As they are, wherever nothing else is asked for.
  solver::Assignment hint;
  for (size_t i = 0; i < unknowns_.size(); ++i)
    hint.set(pool_.payload(unknowns_[i]), values[i]);
  const solver::Reply reply = symbols_.solver().check(wanted, &hint);
  if (reply.answer != solver::Answer::Sat)
    return std::nullopt;
  hint.merge(reply.model);
  std::vector<eval::Value> inputs;
  for (size_t i = 0; i < unknowns_.size(); ++i)
    if (model_[automaton.variables[i]].role == ir::Role::Input)
      inputs.push_back(symbols_.terms().evaluate(unknowns_[i], hint).value);
  return inputs;
}

std::string Backward::show(uint32_t index) {
  const BackwardSet& set = sets_[index];
  const ir::Automaton& automaton = model_[self_];
  std::vector<std::string> names{""};
  for (ir::ClockId id : automaton.clocks)
    names.push_back(model_[id].name);
  std::string text = zones::toString(set.zone, names);
  bool later = false;
  for (ExprId conjunct : set.data) {
    const auto& used = symbols_.terms().unknownsOf(conjunct);
    if (std::any_of(used.begin(), used.end(), [&](uint32_t unknown) {
          return std::find(set.inner.begin(), set.inner.end(), unknown) != set.inner.end();
        })) {
      later = true;
      continue;
    }
    const ExprId named = pool_.substitute(conjunct, [&](ExprId leaf) -> ExprId {
      const auto at = std::find(unknowns_.begin(), unknowns_.end(), leaf);
      return at == unknowns_.end()
                 ? ExprId()
                 : pool_.variable(automaton.variables[static_cast<size_t>(at - unknowns_.begin())], pool_.type(leaf));
    });
    text = ir::printExpr(model_, named) + (text == "true" ? "" : " && " + text);
  }
  return later ? text + ", with inputs to come that suit" : text;
}

} // namespace tioc::explore
