#include "runtime/explore/reach_stepper.hpp"

#include <algorithm>

namespace tioc::explore {

using ir::EdgeId;
using ir::LocationId;
using semantics::Deadline;
using semantics::Move;
using semantics::Readiness;
using zones::Bound;
using zones::Clock;
using zones::Constraint;
using zones::Outcome;

namespace {

/// Zones of more clocks do not fit into one block of the store.
constexpr zones::Dim kMostClocks = 512;
const char* const kOutOfRange = "a clock bound leaves the range of zones";

Constraint mapped(Constraint c, const Place& place) {
  return {place.index[c.left], place.index[c.right], c.bound};
}

/// Whether taking the edge can be impossible though its guard holds: an update without value or out of range, an
/// invariant of the target.
bool mayFail(const ir::Model& model, const ir::Edge& edge) {
  const ir::Guard& invariant = model[edge.target].invariant;
  bool may = !invariant.clocks.empty() || !model.exprs.isTrue(invariant.data);
  for (const ir::Update& update : edge.updates) {
    const ir::Type& type = model.types[model[update.variable].type];
    may |= type.range.has_value() || type.kind == ir::TypeKind::Record || type.kind == ir::TypeKind::Array;
    model.exprs.visit(update.value, [&](ir::ExprId id) {
      const ir::Op op = model.exprs.op(id);
      may |= op == ir::Op::Divide || op == ir::Op::Remainder || op == ir::Op::Element;
    });
  }
  return may;
}

} // namespace

Stepper::Stepper(const ir::Model& model, const Options& options)
    : options_(options), network_(model), layout_(model), code_(layout_, options.eval), plain_(code_),
      clocks_(network_), bounds_(network_, clocks_, options.bounds), messages_(network_, layout_, options.messages),
      waiting_(network_, clocks_), locationDeadlines_(network_, clocks_), hasDataInvariant_(model.locations.size(), 0),
      next_(makePlace()), resets_(network_.dim()), luBounds_(next_.lower, next_.upper), several_(1) {
  problem_ = clocks_.problem();
  for (uint32_t i = 0; i < network_.size(); ++i)
    if (network_.hasLocationDeadlines(i))
      for (EdgeId id : model[network_.component(i)].edges) {
        if (locationDeadlines_.isOpen(id))
          fail(model[id].span, "under `deadlines location`, a step that nobody sees may be followed by an output; "
                               "symbolic exploration can take it");
        else if (locationDeadlines_.leadsOut(id) && mayFail(model, model[id]))
          fail(model[id].span, "under `deadlines location`, an output may be impossible although its guard holds; "
                               "symbolic exploration can take it");
      }
  const auto& asked = options.bounds.question.clocks;
  const bool differences = std::any_of(asked.begin(), asked.end(), [](auto& c) { return c.left != 0 && c.right != 0; });
  if (clocks_.hasDiagonals() || differences)
    options_.abstraction = Abstraction::None;
  for (size_t i = 0; i < model.locations.size(); ++i) {
    hasDataInvariant_[i] = !model.exprs.isTrue(model.locations[i].invariant.data);
    anyDataInvariant_ |= hasDataInvariant_[i] != 0 && network_.componentOf(LocationId(i)) != UINT32_MAX;
  }
  facts_.resize(model.locations.size());
  for (uint32_t i = 0; i < network_.size(); ++i)
    for (LocationId id : model[network_.component(i)].locations)
      facts_[id.value] = {bounds_.at(id), clocks_.invariant(id), network_.stopsTime({&id, 1}),
                          network_.mayBind({&id, 1})};
  for (size_t i = 0; i < model.edges.size(); ++i)
    componentOf_.push_back(network_.componentOf(ir::EdgeId(i)));
  const size_t clockCount = network_.dim();
  const size_t cells = zones::dbm::size(std::min<zones::Dim>(network_.dim(), kMostClocks));
  for (zones::MatrixVector* zone : {&guarded_, &arrived_, &part_})
    zone->resize(cells, Bound::zero());
  source_.assign(clockCount, 0);
  offset_.assign(clockCount, 0);
}

void Stepper::fail(ir::Span span, std::string text) {
  if (!problem_)
    problem_ = {span, std::move(text)};
}

Place Stepper::makePlace() const {
  Place place;
  const size_t clocks = network_.dim();
  place.at.resize(network_.size());
  place.frame.assign(layout_.frameSize(), 0);
  place.index.assign(clocks, 0);
  place.clocks.assign(clocks, 0);
  place.lower.assign(clocks, 0);
  place.upper.assign(clocks, 0);
  place.negatedUpper.assign(clocks, Bound::zero().raw);
  return place;
}

void Stepper::readClocks(Place& place) const {
  std::fill(place.index.begin(), place.index.end(), uint16_t{0});
  place.invariants.clear();
  zones::Dim dim = 1;
  place.stopsTime = false;
  place.mayBind = false;
  for (LocationId id : place.at) {
    const LocationFacts& facts = facts_[id.value];
    place.stopsTime |= facts.stopsTime;
    place.mayBind |= facts.mayBind;
    for (const BoundEntry& entry : facts.bounds) {
      uint16_t at = place.index[entry.clock];
      if (at == 0) {
        at = place.index[entry.clock] = static_cast<uint16_t>(dim++);
        place.clocks[at] = entry.clock;
        place.lower[at] = entry.lower;
        place.upper[at] = entry.upper;
        place.negatedUpper[at] = entry.negatedUpper;
      } else {
        place.lower[at] = std::max(place.lower[at], entry.lower);
        place.upper[at] = std::max(place.upper[at], entry.upper);
        place.negatedUpper[at] = std::min(place.negatedUpper[at], entry.negatedUpper);
      }
    }
    for (const Constraint& c : facts.invariants) // its clocks are active here
      place.invariants.push_back(mapped(c, place));
  }
  place.dim = dim;
}

bool Stepper::checkDim() {
  if (next_.dim > kMostClocks)
    fail({}, "more than " + std::to_string(kMostClocks - 1) + " clocks are active at once");
  return !problem_;
}

// ---- guards

bool Stepper::mayHappen(std::span<const EdgeId> edges, const Place& from, const Bound* zone) const {
  for (EdgeId edge : edges)
    for (const Constraint& c : clocks_.guard(edge))
      if (!zones::dbm::allows(zone, from.dim, mapped(c, from)))
        return false;
  return true;
}

Readiness Stepper::readiness(EdgeId edge, Place& from, const Bound* zone) {
  if (!mayHappen({&edge, 1}, from, zone) || !plain_.holds(edge, from.frame.data()))
    return Readiness::No;
  for (const Constraint& c : clocks_.guard(edge)) {
    const Constraint own = mapped(c, from);
    if (zone[size_t{own.left} * from.dim + own.right] > own.bound)
      return Readiness::Perhaps;
  }
  return Readiness::Yes;
}

const Bound* Stepper::constrained(std::span<const EdgeId> edges, const Place& from, const Bound* zone) {
  bool copied = false;
  for (EdgeId edge : edges)
    for (const Constraint& c : clocks_.guard(edge)) {
      const Constraint own = mapped(c, from);
      if ((copied ? guarded_.data() : zone)[size_t{own.left} * from.dim + own.right] <= own.bound)
        continue;
      if (!copied)
        std::copy_n(zone, zones::dbm::size(from.dim), guarded_.data());
      copied = true;
      const Outcome outcome = zones::dbm::constrain(guarded_.data(), from.dim, own);
      if (outcome == Outcome::OutOfRange)
        fail(network_.model()[edge].span, kOutOfRange);
      if (outcome != Outcome::NonEmpty)
        return nullptr;
    }
  return copied ? guarded_.data() : zone;
}

zones::Federation Stepper::withoutSilent(const Move& move, const Place& from, const Bound* zone) {
  zones::Federation rest(zones::Zone::copyOf(from.dim, zone));
  for (EdgeId edge : move.silent) {
    zones::Zone guard = zones::Zone::universe(from.dim);
    for (const Constraint& c : clocks_.guard(edge))
      guard.constrain(mapped(c, from));
    if (guard.isOutOfRange())
      fail(network_.model()[edge].span, kOutOfRange);
    else if (!guard.isEmpty())
      rest.subtract(guard.data());
  }
  if (rest.isOutOfRange())
    fail({}, kOutOfRange);
  return rest;
}

// ---- the target

bool Stepper::takeData(const Move& move, const Place& from) {
  const ir::Model& model = network_.model();
  for (uint32_t component : moved_)
    next_.at[component] = from.at[component];
  moved_.clear();
  bool updates = false;
  for (EdgeId id : move.edges) {
    const ir::Edge& edge = model[id];
    next_.at[componentOf_[id.value]] = edge.target;
    moved_.push_back(componentOf_[id.value]);
    updates |= !edge.updates.empty();
  }
  if (updates || frameChanged_)
    std::copy(from.frame.begin(), from.frame.end(), next_.frame.begin());
  frameChanged_ = updates;
  for (EdgeId id : move.edges) {
    const ir::Edge& edge = model[id];
    if (edge.updates.empty())
      continue;
    switch (plain_.update(id, next_.frame.data())) {
    case eval::Taken::No:
      return false;
    case eval::Taken::Stuck:
      fail(edge.span, "a value does not fit into 64 bits");
      return false;
    case eval::Taken::Yes:
      break;
    }
  }
  return dataInvariantsHold(next_);
}

bool Stepper::dataInvariantsHold(const Place& place) const {
  if (!anyDataInvariant_)
    return true;
  return std::all_of(place.at.begin(), place.at.end(), [&](LocationId id) {
    if (!hasDataInvariant_[id.value])
      return true;
    const eval::Result result =
        eval::evaluate(layout_, network_.model()[id].invariant.data, nullptr, place.frame.data());
    return result.ok() && result.value.isTrue();
  });
}

bool Stepper::arrive(const Place& from, const Bound* zone) {
  for (zones::Dim i = 1; i < next_.dim; ++i) {
    const Clock clock = next_.clocks[i];
    source_[i] = from.index[resets_.source(clock)];
    offset_[i] = resets_.offset(clock);
  }
  semantics::assignClocks(zone, from.dim, arrived_.data(), next_.dim, source_.data(), offset_.data());
  for (const Constraint& c : next_.invariants) {
    const Outcome outcome = zones::dbm::constrain(arrived_.data(), next_.dim, c);
    if (outcome == Outcome::OutOfRange)
      fail({}, kOutOfRange);
    if (outcome != Outcome::NonEmpty)
      return false;
  }
  return true;
}

/// The part of `zone` from which the resets lead into the invariants of the target.
void Stepper::noteEnabled(const Place& from, const Bound* zone, zones::Federation& enabled) {
  zones::Zone part = zones::Zone::copyOf(from.dim, zone);
  for (LocationId id : next_.at)
    for (const Constraint& c : clocks_.invariant(id)) {
      const Clock left = resets_.source(c.left);
      const Clock right = resets_.source(c.right);
      const int64_t value = int64_t{c.bound.value()} - resets_.offset(c.left) + resets_.offset(c.right);
      const auto bound = Bound::make(value, c.bound.isClosed());
      if (left == right) {
        if (value < 0 || (value == 0 && !c.bound.isClosed()))
          return;
      } else if (bound) {
        part.constrain({from.index[left], from.index[right], *bound});
      } else if (value < 0) {
        return fail({}, kOutOfRange);
      }
    }
  enabled.unite(part);
}

// ---- time

bool Stepper::isReady(const Deadline& deadline, Place& place) {
  const ir::Model& model = network_.model();
  eval::Slot* const frame = place.frame.data();
  const auto& plan =
      messages_.plan(model[deadline.edges[0]].channel, deadline.edges, semantics::Messages::By::Deadline, false);
  bool found = false;
  const auto answer = messages_.forEach(plan, frame, [&] {
    found = std::all_of(deadline.edges.begin(), deadline.edges.end(), [&](EdgeId id) {
      const ir::Edge& edge = model[id];
      if (!edge.deadline)
        return plain_.holds(id, frame);
      const eval::Result result = eval::evaluate(layout_, edge.deadline->data, &edge, frame);
      return result.ok() && result.value.isTrue();
    });
    return !found;
  });
  if (answer == semantics::Messages::Answer::NotConcrete)
    fail(messages_.problem().span, messages_.problem().text);
  else if (answer == semantics::Messages::Answer::TooLarge)
    fail(model[deadline.edges[0]].span, "a value does not fit into 64 bits");
  return found;
}

void Stepper::collectBindings(Place& place, std::vector<const semantics::Binding*>& bindings) {
  waiting_.collect(
      place.at, [&](const Deadline& deadline) { return isReady(deadline, place); }, bindings);
}

void Stepper::collectLimits(Place& place, const uint16_t* index, zones::Dim dim, std::vector<zones::Limit>& limits) {
  if (!network_.hasLocationDeadlines())
    return;
  std::vector<EdgeId> ready;
  for (uint32_t i = 0; i < network_.size(); ++i) {
    if (!network_.hasLocationDeadlines(i))
      continue;
    ready.clear();
    for (EdgeId id : network_.edges(place.at[i]))
      if (isReady({ir::Urgency::Delayable, {&id, 1}}, place))
        ready.push_back(id);
    if (auto limit = locationDeadlines_.limit(ready, index, dim))
      limits.push_back(std::move(*limit));
  }
}

bool Stepper::abstracted(Bound* zone) {
  if (options_.abstraction != Abstraction::ExtraLuPlus || next_.dim == 1)
    return true;
  luBounds_.assign({next_.lower.data(), next_.dim}, {next_.upper.data(), next_.dim});
  const Outcome outcome = zones::dbm::extraLUPlus(zone, next_.dim, luBounds_);
  if (outcome == Outcome::OutOfRange)
    fail({}, kOutOfRange);
  return outcome == Outcome::NonEmpty;
}

} // namespace tioc::explore
