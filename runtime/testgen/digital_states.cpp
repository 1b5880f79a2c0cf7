#include "runtime/testgen/digital_states.hpp"

#include <algorithm>
#include <map>

namespace tioc::testgen {

using ir::ExprId;
using semantics::SymbolicState;
using semantics::SymbolicStep;
using semantics::Visibility;
using zones::Federation;
using zones::Zone;

namespace {

// Unobservable steps between two events lead to no more states than this.
constexpr size_t kMostStates = 20'000;

/// What two states must have in common for their zones to be united.
std::vector<uint32_t> dataOf(const SymbolicState& state) {
  std::vector<uint32_t> key;
  for (ir::LocationId id : state.at)
    key.push_back(id.value);
  for (ExprId id : state.store)
    key.push_back(id.value);
  for (ExprId id : state.conditions)
    key.push_back(id.value);
  return key;
}

Zone copyOf(const Federation& all, size_t at) {
  return Zone::copyOf(all.dim(), all[at]);
}

} // namespace

DigitalStates::DigitalStates(Sampled& sampled, solver::Options options)
    : sampled_(sampled), network_(sampled.model), symbols_(sampled.model, std::move(options)),
      relation_(symbols_, network_, semantics::TimeKind::Zones), clocks_(network_),
      since_(network_.clock(sampled.since)) {}

StateSet DigitalStates::initial() {
  return normal(relation_.initial());
}

std::vector<uint32_t> DigitalStates::keyOf(const StateSet& states) {
  std::vector<uint32_t> key;
  for (const SymbolicState& state : states) {
    const std::vector<uint32_t> data = dataOf(state);
    key.push_back(static_cast<uint32_t>(data.size()));
    key.insert(key.end(), data.begin(), data.end());
    for (size_t i = 0; i < zones::dbm::size(state.zone.dim()); ++i)
      key.push_back(static_cast<uint32_t>(state.zone.data()[i].raw));
  }
  return key;
}

/// Unites zones where data agree, and puts everything in a fixed order.
StateSet DigitalStates::normal(StateSet states) const {
  std::map<std::vector<uint32_t>, std::pair<Federation, SymbolicState>> groups;
  for (SymbolicState& state : states) {
    if (state.zone.isEmpty())
      continue;
    Zone zone = state.zone;
    zone.reset(since_);
    auto [it, isNew] = groups.try_emplace(dataOf(state), Federation(zone), SymbolicState());
    if (!isNew) {
      it->second.first.unite(zone);
      state.steps = std::max(state.steps, it->second.second.steps);
      state.uncertain = state.uncertain && it->second.second.uncertain;
    }
    it->second.second = std::move(state);
  }
  StateSet result;
  for (auto& [key, group] : groups) {
    group.first.mergeConvex();
    std::vector<Zone> zones;
    for (size_t i = 0; i < group.first.size(); ++i)
      zones.push_back(copyOf(group.first, i));
    std::sort(zones.begin(), zones.end(), [](const Zone& a, const Zone& b) {
      const size_t size = zones::dbm::size(a.dim());
      return std::lexicographical_compare(a.data(), a.data() + size, b.data(), b.data() + size);
    });
    for (Zone& zone : zones) {
      result.push_back(group.second);
      result.back().zone = std::move(zone);
    }
  }
  return result;
}

DigitalStates::Closure DigitalStates::close(const StateSet& states) {
  Closure closure;
  std::map<std::vector<uint32_t>, Federation> known;
  const auto add = [&](SymbolicState&& state) {
    const auto it = known.try_emplace(dataOf(state), Federation(network_.dim())).first;
    if (it->second.includes(state.zone.data()))
      return;
    it->second.unite(state.zone);
    closure.states.push_back(std::move(state));
  };
  for (const SymbolicState& state : states)
    add(SymbolicState(state));
  for (size_t i = 0; i < closure.states.size(); ++i) {
    if (closure.states.size() > kMostStates) {
      closure.complete = false;
      break;
    }
    const SymbolicState state = closure.states[i];
    relation_.successors(state, [&](SymbolicStep&& step, SymbolicState&& behind) {
      if (step.visibility == Visibility::Unobservable)
        add(std::move(behind));
      else
        closure.found.push_back({std::move(step), std::move(behind), i});
    });
  }
  closure.complete &= !relation_.problem();
  return closure;
}

/// An eager tick is seen before everything else of its instant, so nothing else is seen while one is due.
void DigitalStates::cutTick(SymbolicState&& state, StateSet& to) const {
  Federation rest(state.zone);
  for (uint32_t i = sampled_.components; i < network_.size(); ++i)
    for (ir::EdgeId id : network_.edges(state.at[i])) {
      const ir::Edge& edge = sampled_.model[id];
      if (edge.channel != sampled_.tick || network_.urgency(id) != ir::Urgency::Eager ||
          !sampled_.model.exprs.isTrue(edge.guard.data))
        continue;
      Zone due = Zone::universe(network_.dim());
      due.constrain(clocks_.guard(id));
      if (!due.isEmpty())
        rest.subtract(due.data());
    }
  for (size_t i = 0; i < rest.size(); ++i) {
    to.push_back(state);
    to.back().zone = copyOf(rest, i);
  }
}

bool DigitalStates::restrictToNow(SymbolicState& state) const {
  state.zone.constrain({since_, 0, zones::Bound::zero()});
  return !state.zone.isEmpty();
}

bool DigitalStates::fix(const SymbolicStep& step, const std::vector<ExprId>& values, SymbolicState& state) {
  ir::ExprPool& pool = symbols_.pool();
  std::map<ExprId, ExprId> given;
  std::vector<ExprId> conditions;
  for (size_t i = 0; i < values.size(); ++i) {
    if (pool.op(step.values[i]) == ir::Op::Parameter) {
      given.emplace(step.values[i], values[i]);
      symbols_.terms().ranges(values[i], symbols_.unknowns().type(pool.payload(step.values[i])), conditions);
    }
    conditions.push_back(pool.equal(step.values[i], values[i]));
  }
  ir::ExprPool::Substitution put(pool, [&](ExprId leaf) {
    const auto it = given.find(leaf);
    return it == given.end() ? ExprId() : it->second;
  });
  for (ExprId& term : state.store)
    term = put(term);
  conditions.insert(conditions.end(), state.conditions.begin(), state.conditions.end());
  state.conditions.clear();
  state.settled = 0;
  for (ExprId condition : conditions)
    if (!symbols_.assume(state, put(condition)))
      return false;
  return symbols_.isFeasible(state);
}

// ---- outputs

void DigitalStates::addOutput(const Found& found, Outlook& outlook) const {
  const ir::ExprPool& pool = sampled_.model.exprs;
  Message message{found.step.channel, found.step.values};
  for (ExprId value : found.step.values)
    if (!pool.isConstant(value))
      message.values.reset();
  StateSet parts;
  cutTick(SymbolicState(found.behind), parts);
  if (parts.empty())
    return;
  auto it = std::find_if(outlook.outputs.begin(), outlook.outputs.end(),
                         [&](const Outlook::Step& step) { return step.message == message; });
  if (it == outlook.outputs.end())
    it = outlook.outputs.insert(it, Outlook::Step{std::move(message), {}, {}});
  it->behind.insert(it->behind.end(), parts.begin(), parts.end());
  it->edges.insert(it->edges.end(), found.step.edges.begin(), found.step.edges.end());
}

/// Where some values of a channel are open, a value that is seen does not tell them from the others.
void DigitalStates::mergeOpen(Outlook& outlook) const {
  std::vector<Outlook::Step> merged;
  for (Outlook::Step& step : outlook.outputs) {
    const auto isOpen = std::any_of(outlook.outputs.begin(), outlook.outputs.end(), [&](const Outlook::Step& other) {
      return other.message.channel == step.message.channel && !other.message.values;
    });
    if (isOpen)
      step.message.values.reset();
    const auto it = std::find_if(merged.begin(), merged.end(),
                                 [&](const Outlook::Step& other) { return other.message == step.message; });
    if (it == merged.end()) {
      merged.push_back(std::move(step));
      continue;
    }
    it->behind.insert(it->behind.end(), step.behind.begin(), step.behind.end());
    it->edges.insert(it->edges.end(), step.edges.begin(), step.edges.end());
  }
  outlook.outputs = std::move(merged);
}

// ---- inputs

/// Values for the parameters of every input that can be given now: for each way of taking it one by each choice.
std::vector<Message> DigitalStates::messages(const Closure& closure, std::span<const ir::DataChoice> data,
                                             uint64_t seed) {
  std::vector<Message> result;
  const auto add = [&](const Found& found, const solver::Assignment& model) {
    Message message{found.step.channel, std::vector<ExprId>()};
    for (size_t i = 0; i < found.step.values.size(); ++i) {
      const eval::Result value = symbols_.terms().evaluate(found.step.values[i], model);
      if (!value.ok())
        return;
      message.values->push_back(
          symbols_.terms().constant(sampled_.model[found.step.channel].parameters[i].type, value.value));
    }
    if (std::find(result.begin(), result.end(), message) == result.end())
      result.push_back(std::move(message));
  };
  for (const Found& found : closure.found) {
    SymbolicState now = found.behind;
    if (found.step.visibility != Visibility::Input || !restrictToNow(now))
      continue;
    const bool fixed = std::all_of(found.step.values.begin(), found.step.values.end(),
                                   [&](ExprId value) { return symbols_.pool().isConstant(value); });
    for (ir::DataChoice choice : fixed ? data.first(1) : data) {
      if (choice == ir::DataChoice::Any || fixed)
        add(found, now.witness);
      else if (choice == ir::DataChoice::Random)
        if (const solver::Reply reply = symbols_.solver().diverse(now.conditions, seed, {}, &now.witness);
            reply.answer == solver::Answer::Sat)
          add(found, reply.model);
      if (choice != ir::DataChoice::Boundary || fixed)
        continue;
      for (ExprId value : found.step.values)
        if (sampled_.model.types.isNumeric(symbols_.pool().type(value)))
          for (const solver::Optimum& end : {symbols_.solver().minimise(now.conditions, value, &now.witness),
                                             symbols_.solver().maximise(now.conditions, value, &now.witness)})
            if (end.kind == solver::Optimum::Kind::Attained)
              add(found, end.model);
      if (std::none_of(result.begin(), result.end(),
                       [&](const Message& known) { return known.channel == found.step.channel; }))
        add(found, now.witness); // nothing has an end
    }
  }
  return result;
}

Outlook::Stimulus DigitalStates::give(const Closure& closure, const Message& message) {
  Outlook::Stimulus result{{message, {}, {}}, {}};
  std::vector<Federation> rest; // by state of the closure: where it is not taken
  for (const SymbolicState& state : closure.states) {
    SymbolicState now = state;
    rest.emplace_back(restrictToNow(now) ? Federation(now.zone) : Federation(network_.dim()));
  }
  for (const Found& found : closure.found) {
    SymbolicState state = found.behind;
    if (found.step.visibility != Visibility::Input || found.step.channel != message.channel || !restrictToNow(state) ||
        !fix(found.step, *message.values, state))
      continue;
    const SymbolicState& from = closure.states[found.from];
    // Taken for certain only where nothing but the clocks of the edges has a say.
    const bool always =
        state.conditions == from.conditions &&
        std::all_of(state.at.begin(), state.at.end(), [&](ir::LocationId id) { return clocks_.invariant(id).empty(); });
    if (always) {
      Zone guard = Zone::universe(network_.dim());
      for (ir::EdgeId id : found.step.edges)
        guard.constrain(clocks_.guard(id));
      if (!guard.isEmpty())
        rest[found.from].subtract(guard.data());
    }
    result.edges.insert(result.edges.end(), found.step.edges.begin(), found.step.edges.end());
    cutTick(std::move(state), result.behind);
  }
  for (size_t i = 0; i < rest.size(); ++i)
    for (size_t part = 0; part < rest[i].size(); ++part) {
      result.refusing.push_back(closure.states[i]);
      result.refusing.back().zone = copyOf(rest[i], part);
    }
  result.behind = normal(std::move(result.behind));
  result.refusing = normal(std::move(result.refusing));
  return result;
}

Outlook DigitalStates::outlook(const StateSet& states, std::span<const ir::DataChoice> data, uint64_t seed,
                               std::span<const Message> wanted) {
  const Closure closure = close(states);
  Outlook result;
  result.complete = closure.complete;
  for (const Found& found : closure.found) {
    if (found.step.visibility != Visibility::Output)
      continue;
    if (found.step.channel == sampled_.tick)
      result.tick.push_back(found.behind);
    else
      addOutput(found, result);
  }
  mergeOpen(result);
  for (Outlook::Step& step : result.outputs) {
    step.behind = normal(std::move(step.behind));
    std::sort(step.edges.begin(), step.edges.end());
    step.edges.erase(std::unique(step.edges.begin(), step.edges.end()), step.edges.end());
  }
  result.tick = normal(std::move(result.tick));
  std::vector<Message> all = data.empty() ? std::vector<Message>() : messages(closure, data, seed);
  for (const Message& message : wanted)
    if (std::find(all.begin(), all.end(), message) == all.end())
      all.push_back(message);
  for (const Message& message : all)
    result.inputs.push_back(give(closure, message));
  result.complete &= !relation_.problem();
  return result;
}

} // namespace tioc::testgen
