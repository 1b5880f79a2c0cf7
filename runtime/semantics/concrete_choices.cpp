#include "runtime/semantics/concrete_choices.hpp"

#include <map>

namespace tioc::semantics {

using ir::ExprId;
using ir::Rational;
using solver::Optimum;

namespace {

/// splitmix64: enough chance for one value, at no cost to begin.
uint64_t roll(uint64_t& seed) {
  uint64_t mixed = seed += 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31);
}

} // namespace

eval::Value anyValue(const ir::Model& model, ir::TypeId id, uint64_t& seed) {
  const ir::Type& type = model.types[id];
  const auto between = [&](const Rational& first, int64_t count) {
    return first + Rational(static_cast<int64_t>(roll(seed) % static_cast<uint64_t>(count)));
  };
  eval::Value value;
  switch (type.kind) {
  case ir::TypeKind::Bool:
    value.number = between(0, 2);
    break;
  case ir::TypeKind::Enum:
    value.number = between(0, static_cast<int64_t>(model[type.enumeration].literals.size()));
    break;
  case ir::TypeKind::Int:
    if (type.range) {
      const auto count = (type.range->last - type.range->first + Rational(1)).toInt64();
      value.number = between(type.range->first, count.value_or(INT64_MAX));
      break;
    }
    value.number = between(-10, 20);
    if (roll(seed) % 4 == 0)
      value.number = value.number * between(1, 1'000'000);
    break;
  case ir::TypeKind::Real:
    value.number = between(-40, 80) / Rational(4);
    break;
  case ir::TypeKind::Record:
    for (const ir::Member& field : model[type.record].fields)
      value.parts.push_back(anyValue(model, field.type, seed));
    break;
  case ir::TypeKind::Array:
    for (uint32_t i = 0; i < type.size; ++i)
      value.parts.push_back(anyValue(model, type.element, seed));
    break;
  }
  return value;
}

struct Choices::Desk {
  Desk(const ir::Model& original, const solver::Options& options)
      : model(original), terms(model, unknowns), solver(model, unknowns, options) {
    delay = unknowns.add(model.types.real(), "delay");
  }

  uint32_t firstOf(ir::ChannelId channel) {
    auto [entry, isNew] = messages.try_emplace(channel, static_cast<uint32_t>(unknowns.size()));
    if (isNew)
      for (const ir::Member& parameter : model[channel].parameters)
        unknowns.add(parameter.type, parameter.name);
    return entry->second;
  }
  ExprId leaf(uint32_t unknown) { return unknowns.leaf(model.exprs, unknown); }

  ir::Model model;
  solver::Unknowns unknowns;
  solver::Terms terms;
  solver::Solver solver;
  uint32_t delay = 0;
  std::map<ir::ChannelId, uint32_t> messages;   // first unknown of each
  std::map<ir::VariableId, uint32_t> variables; // those that start open
};

class Choices::Script {
public:
  Script(Desk& desk, const Network& network, const eval::Layout& layout, const ConcreteState& state,
         ir::ChannelId channel)
      : desk_(desk), pool_(desk.model.exprs), network_(network),
        firstLocal_(channel.valid() ? desk.firstOf(channel) : 0) {
    for (ir::VariableId id : network.variables()) {
      const ir::TypeId type = desk.model[id].type;
      variables_[id] = desk.terms.constant(type, layout.load(type, state.variables.data() + layout.offsetOf(id)));
    }
    for (const Rational& clock : state.clocks)
      clocks_.push_back({pool_.real(clock), true});
    clocks_[0].runs = false;
  }

  void open(ir::VariableId id, uint32_t unknown) { variables_[id] = desk_.leaf(unknown); }

  ExprId term(ExprId expr) {
    return pool_.substitute(expr, [&](ExprId leaf) {
      if (pool_.op(leaf) == ir::Op::Variable)
        return variables_.at(ir::VariableId(pool_.payload(leaf)));
      return pool_.op(leaf) == ir::Op::Local ? desk_.leaf(firstLocal_ + pool_.payload(leaf)) : ExprId();
    });
  }
  ExprId data(const ir::Guard& guard) { return term(guard.data); }
  /// The constraint `delay` later. `lax`: a strict lower bound counts as a closed one.
  ExprId clocks(const ir::ClockConstraint& c, ExprId delay, bool lax = false) {
    const ClockTerm& left = clocks_[network_.clock(c.left)];
    const ClockTerm& right = clocks_[network_.clock(c.right)];
    std::vector<ExprId> sum{left.value, pool_.negate(right.value)};
    if (left.runs && !right.runs)
      sum.push_back(delay);
    if (right.runs && !left.runs)
      sum.push_back(pool_.negate(delay));
    const ExprId difference = pool_.add(sum);
    const bool strict = c.strict && !(lax && right.runs && !left.runs);
    return strict ? pool_.less(difference, term(c.bound)) : pool_.lessEqual(difference, term(c.bound));
  }
  /// The delay at which the first upper bound is reached; invalid if there is none.
  ExprId end(std::span<const ir::Guard* const> guards) {
    ExprId least;
    for (const ir::Guard* guard : guards)
      for (const ir::ClockConstraint& c : guard->clocks) {
        const ClockTerm& left = clocks_[network_.clock(c.left)];
        if (!left.runs || clocks_[network_.clock(c.right)].runs)
          continue;
        const ExprId parts[] = {term(c.bound), pool_.negate(left.value)};
        const ExprId rest = pool_.add(parts);
        least = least.valid() ? pool_.ifThenElse(pool_.less(rest, least), rest, least) : rest;
      }
    return least;
  }
  ExprId whole(const ir::Guard& guard, ExprId delay, bool lax = false) {
    std::vector<ExprId> parts{data(guard)};
    for (const ir::ClockConstraint& c : guard.clocks)
      parts.push_back(clocks(c, delay, lax));
    return pool_.conjunction(parts);
  }
  /// Lets the edge happen; what follows is about the state behind it.
  void take(const ir::Edge& edge, std::vector<ExprId>& conditions) {
    std::map<ir::VariableId, ExprId> variables = variables_;
    std::vector<ClockTerm> clocks = clocks_;
    for (const ir::Update& update : edge.updates) {
      const ExprId value = term(update.value);
      conditions.push_back(desk_.terms.defined(value));
      desk_.terms.ranges(value, desk_.model[update.variable].type, conditions);
      variables[update.variable] = value;
    }
    for (const ir::Reset& reset : edge.resets) {
      ClockTerm& clock = clocks[network_.clock(reset.clock)];
      clock = reset.source.valid() ? clocks_[network_.clock(reset.source)] : ClockTerm{term(reset.value), false};
      conditions.push_back(desk_.terms.defined(clock.value));
    }
    variables_ = std::move(variables);
    clocks_ = std::move(clocks);
  }

private:
  struct ClockTerm {
    ExprId value;
    bool runs = true; // with the delay
  };

  Desk& desk_;
  ir::ExprPool& pool_;
  const Network& network_;
  uint32_t firstLocal_;
  std::map<ir::VariableId, ExprId> variables_;
  std::vector<ClockTerm> clocks_;
};

Choices::Choices(const Network& network, const eval::Layout& layout, solver::Options options)
    : network_(network), layout_(layout), options_(std::move(options)) {}

/// Every question leaves expressions behind; a long run starts afresh from time to time.
Choices::Desk& Choices::desk() {
  constexpr size_t kMost = 500'000;
  if (!desk_ || desk_->model.exprs.size() > network_.model().exprs.size() + kMost)
    desk_ = std::make_shared<Desk>(network_.model(), options_);
  return *desk_;
}

Choices::Answer Choices::unknown(std::string reason) {
  reason_ = std::move(reason);
  return Answer::Unknown;
}

Choices::Answer Choices::initial(ConcreteState& state, uint64_t seed) {
  Desk& desk = this->desk();
  Script script(desk, network_, layout_, state, {});
  for (ir::VariableId id : network_.variables())
    if (!desk.model[id].initial.valid()) {
      if (!desk.variables.contains(id))
        desk.variables[id] = desk.unknowns.add(desk.model[id].type, desk.model[id].name);
      script.open(id, desk.variables[id]);
    }
  std::vector<ExprId> conditions;
  for (uint32_t i = 0; i < network_.size(); ++i) {
    conditions.push_back(script.term(desk.model[network_.component(i)].initialCondition));
    conditions.push_back(script.whole(desk.model[state.locations[i]].invariant, desk.model.exprs.real(0)));
  }
  const solver::Reply reply = desk.solver.diverse(conditions, seed);
  if (reply.answer == solver::Answer::Unknown)
    return unknown(reply.reason);
  if (reply.answer == solver::Answer::Unsat)
    return Answer::None;
  for (auto [id, unknownId] : desk.variables) {
    const ir::TypeId type = desk.model[id].type;
    const eval::Value* value = reply.model.find(unknownId);
    if (!layout_.store(type, value ? *value : anyValue(desk.model, type, seed),
                       state.variables.data() + layout_.offsetOf(id)))
      return unknown("a value does not fit into 64 bits");
  }
  return Answer::Found;
}

Choices::Answer Choices::message(const ConcreteState& state, const Move& move, Locations targets, const Window& delays,
                                 uint64_t seed, std::vector<eval::Value>& values) {
  Desk& desk = this->desk();
  ir::ExprPool& pool = desk.model.exprs;
  Script script(desk, network_, layout_, state, move.channel);
  const ExprId delay = desk.leaf(desk.delay);
  std::vector<ExprId> conditions;
  const ExprId low = pool.real(delays.low);
  conditions.push_back(delays.lowOpen ? pool.less(low, delay) : pool.lessEqual(low, delay));
  if (delays.high) {
    const ExprId high = pool.real(*delays.high);
    conditions.push_back(delays.highOpen ? pool.less(delay, high) : pool.lessEqual(delay, high));
  }
  for (ir::EdgeId id : move.edges)
    conditions.push_back(script.whole(desk.model[id].guard, delay));
  for (ir::EdgeId id : move.silent)
    conditions.push_back(desk.terms.fails(script.whole(desk.model[id].guard, delay)));
  for (ir::EdgeId id : move.edges)
    script.take(desk.model[id], conditions);
  for (ir::LocationId id : targets)
    conditions.push_back(script.whole(desk.model[id].invariant, delay));
  const solver::Reply reply = desk.solver.diverse(conditions, seed);
  if (reply.answer == solver::Answer::Unknown)
    return unknown(reply.reason);
  if (reply.answer == solver::Answer::Unsat)
    return Answer::None;
  values.clear();
  uint32_t index = desk.firstOf(move.channel);
  for (const ir::Member& parameter : desk.model[move.channel].parameters) {
    const eval::Value* value = reply.model.find(index++);
    values.push_back(value ? *value : anyValue(desk.model, parameter.type, seed));
  }
  return Answer::Found;
}

Choices::Answer Choices::dataHolds(const ConcreteState& state, ir::ChannelId channel,
                                   std::span<const ir::Guard* const> guards) {
  Desk& desk = this->desk();
  Script script(desk, network_, layout_, state, channel);
  std::vector<ExprId> conditions;
  for (const ir::Guard* guard : guards)
    conditions.push_back(script.data(*guard));
  const solver::Reply reply = desk.solver.check(conditions);
  if (reply.answer == solver::Answer::Unknown)
    return unknown(reply.reason);
  return reply.answer == solver::Answer::Sat ? Answer::Found : Answer::None;
}

/// For every message the delays are an interval; some guard has an upper bound. Grows the run by the interval that
/// reaches furthest among those that touch it, until none does.
Choices::Answer Choices::firstRun(const ConcreteState& state, ir::ChannelId channel,
                                  std::span<const ir::Guard* const> guards, Window& run) {
  constexpr int kMostTurns = 64;
  Desk& desk = this->desk();
  ir::ExprPool& pool = desk.model.exprs;
  Script script(desk, network_, layout_, state, channel);
  const ExprId delay = desk.leaf(desk.delay);
  const auto enabled = [&](ExprId at, bool lax, std::vector<ExprId>& conditions) {
    for (const ir::Guard* guard : guards)
      conditions.push_back(script.whole(*guard, at, lax));
  };
  std::vector<ExprId> now{pool.lessEqual(pool.real(0), delay)};
  enabled(delay, false, now);
  const Optimum first = desk.solver.minimise(now, delay);
  if (first.kind == Optimum::Kind::Unsat)
    return Answer::None;
  if (first.kind != Optimum::Kind::Attained && first.kind != Optimum::Kind::Limit)
    return unknown(first.reason);
  run = {first.value, first.kind == Optimum::Kind::Limit, first.value, false};
  const ExprId end = script.end(guards);
  if (!end.valid()) {
    run.high.reset();
    return Answer::Found;
  }
  for (int turn = 0; turn < kMostTurns; ++turn) {
    std::vector<ExprId> conditions;
    enabled(pool.real(*run.high), !run.highOpen, conditions);
    conditions.push_back(pool.less(pool.real(*run.high), end));
    const Optimum next = desk.solver.maximise(conditions, end);
    if (next.kind == Optimum::Kind::Unknown)
      return unknown(next.reason);
    if (next.kind == Optimum::Kind::Unbounded) {
      run.high.reset();
      return Answer::Found;
    }
    const bool grows = next.kind != Optimum::Kind::Unsat;
    if (!grows && !run.highOpen)
      return Answer::Found;
    if (grows)
      run.high = next.value;
    // The end itself belongs to the run if some message, be it another one, is possible there.
    std::vector<ExprId> last;
    enabled(pool.real(*run.high), false, last);
    const solver::Reply reply = desk.solver.check(last);
    if (reply.answer == solver::Answer::Unknown)
      return unknown(reply.reason);
    run.highOpen = reply.answer == solver::Answer::Unsat;
    if (!grows && run.highOpen)
      return Answer::Found;
  }
  return unknown("the delays change with the message without end");
}

} // namespace tioc::semantics
