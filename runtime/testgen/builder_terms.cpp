#include "runtime/testgen/builder.hpp"

#include <algorithm>

// What is seen, and states in terms of it.
namespace tioc::testgen {

using ir::ExprId;
using semantics::SymbolicState;
using semantics::SymbolicStep;

// Steps are counted by events: behind event e every state has taken (e + 1) * kStride steps, whatever nobody saw. So
// the time of an event is the time of that step, in all states alike, and steps stay in the order of time.
static constexpr uint32_t kStride = 12;
static_assert(kStride > Builder::kMostUnseen + 1);

uint32_t Builder::stepOf(uint32_t event) {
  return (event + 1) * kStride;
}

ExprId Builder::seen(uint32_t position, ir::TypeId type, const std::string& name) {
  const ExprId leaf = symbols_.unknown(stepOf(event_), position, type, name);
  markSeen(leaf);
  return leaf;
}

void Builder::markSeen(ExprId leaf) {
  const uint32_t id = pool_.payload(leaf);
  if (isSeen_.size() <= id)
    isSeen_.resize(id + 1);
  isSeen_[id] = true;
}

ExprId Builder::timeOf(uint32_t event) {
  while (times_.size() <= event)
    times_.push_back(symbols_.timeOf(stepOf(static_cast<uint32_t>(times_.size()))));
  return times_[event];
}

ir::VariableId Builder::variableFor(ExprId unknown, const std::string& name) {
  const auto [it, isNew] =
      variables_.try_emplace(pool_.payload(unknown), static_cast<uint32_t>(test_.variables.size()));
  if (isNew)
    test_.variables.push_back({name, pool_.type(unknown), {}});
  return ir::VariableId(it->second);
}

/// From unknowns that were seen to variables of the test, and to the message at hand.
ExprId Builder::translate(ExprId expr) {
  return pool_.substitute(expr, [&](ExprId leaf) -> ExprId {
    if (pool_.op(leaf) != ir::Op::Parameter)
      return {};
    const auto local = std::find(message_.begin(), message_.end(), leaf);
    if (local != message_.end())
      return pool_.local(static_cast<uint32_t>(local - message_.begin()), pool_.type(leaf));
    const auto variable = variables_.find(pool_.payload(leaf));
    return variable == variables_.end() ? ExprId() : pool_.variable(ir::VariableId(variable->second), pool_.type(leaf));
  });
}

ExprId Builder::slack() {
  if (!slack_.valid()) {
    const ir::TypeId real = symbols_.model().types.real();
    slack_ = pool_.variable(ir::VariableId(test_.variables.size()), real);
    test_.variables.push_back({"slack", real, pool_.real(0), true});
  }
  return slack_;
}

/// A condition on what was seen, as a test can ask it: times are measured, so comparisons of them leave the system the
/// slack. What is no comparison of linear terms is not asked.
ExprId Builder::loosen(ExprId condition) {
  const auto isTime = [&](uint32_t unknown) {
    return std::any_of(times_.begin(), times_.end(), [&](ExprId time) { return pool_.payload(time) == unknown; });
  };
  const auto& used = symbols_.terms().unknownsOf(condition);
  if (std::none_of(used.begin(), used.end(), isTime))
    return condition;
  const auto operandsOf = [&](ExprId id) {
    return std::vector<ExprId>(pool_.operands(id).begin(), pool_.operands(id).end());
  };
  const auto all = [&](std::vector<ExprId> parts, bool negated, bool either) {
    for (ExprId& part : parts)
      part = loosen(negated ? pool_.negation(part) : part);
    return either ? pool_.disjunction(parts) : pool_.conjunction(parts);
  };
  if (auto form = project_.linear(condition)) {
    ir::Rational later, earlier;
    for (const auto& [unknown, factor] : form->factors)
      if (isTime(unknown)) {
        ir::Rational& sum = factor.sign() > 0 ? later : earlier;
        sum = sum + (factor.sign() > 0 ? factor : -factor);
      }
    const ir::Rational weight = later < earlier ? earlier : later;
    const ExprId allowance =
        weight == ir::Rational(1) ? slack() : pool_.multiply(std::vector<ExprId>{pool_.real(weight), slack()});
    if (form->relation != Projection::Linear::Relation::Equal)
      return project_.expr(*form, allowance);
    form->relation = Projection::Linear::Relation::LessEqual;
    const ExprId below = project_.expr(*form, allowance);
    for (auto& [unknown, factor] : form->factors)
      factor = -factor;
    form->constant = -form->constant;
    return pool_.conjunction(below, project_.expr(*form, allowance));
  }
  const ir::Op op = pool_.op(condition);
  if (op == ir::Op::And || op == ir::Op::Or)
    return all(operandsOf(condition), false, op == ir::Op::Or);
  if (op != ir::Op::Not)
    return pool_.boolean(true);
  const std::vector<ExprId> parts = operandsOf(operandsOf(condition)[0]);
  switch (pool_.op(pool_.operands(condition)[0])) {
  case ir::Op::And:
    return all(parts, true, true);
  case ir::Op::Or:
    return all(parts, true, false);
  case ir::Op::Equal:
    if (symbols_.model().types.isNumeric(pool_.type(parts[0])))
      return pool_.disjunction(loosen(pool_.less(parts[0], parts[1])), loosen(pool_.less(parts[1], parts[0])));
    [[fallthrough]];
  default:
    return pool_.boolean(true);
  }
}

/// The values of the path, in the terms of states that follow it: before a step has been seen, and after.
void Builder::readPlan() {
  plan_ = model_;
  uint32_t event = 0, unseen = 0;
  for (uint32_t i = 0; i < path_->steps.size(); ++i) {
    const SymbolicStep& step = path_->steps[i].step;
    const bool isEvent = step.visibility != semantics::Visibility::Unobservable;
    const uint32_t before = event * kStride + ++unseen;
    for (uint32_t number : isEvent ? std::vector<uint32_t>{before, stepOf(event)} : std::vector<uint32_t>{before}) {
      if (const eval::Result time = symbols_.terms().evaluate(step.time, model_); time.ok())
        plan_.set(pool_.payload(symbols_.timeOf(number)), time.value);
      for (uint32_t k = 0; k < step.values.size(); ++k) {
        const eval::Result value = symbols_.terms().evaluate(step.values[k], model_);
        if (!value.ok())
          continue;
        const ir::Member& parameter = symbols_.model()[step.channel].parameters[k];
        plan_.set(pool_.payload(symbols_.unknown(number, k, parameter.type, parameter.name)), value.value);
        // Edges may narrow the type of what they receive.
        if (pool_.op(step.values[k]) == ir::Op::Parameter)
          plan_.set(pool_.payload(symbols_.unknown(number, k, symbols_.unknowns().type(pool_.payload(step.values[k])),
                                                   parameter.name)),
                    value.value);
      }
    }
    if (isEvent) {
      ++event;
      unseen = 0;
    }
  }
}

/// Puts a term in place of an unknown, everywhere but in the times of steps. False: a condition became false.
bool Builder::replace(SymbolicState& state, ExprId leaf, ExprId value) {
  const uint32_t unknown = pool_.payload(leaf);
  const auto mentions = [&](ExprId expr) {
    const auto& used = symbols_.terms().unknownsOf(expr);
    return std::binary_search(used.begin(), used.end(), unknown);
  };
  bool agrees = state.settled == state.conditions.size() && !state.uncertain;
  if (agrees) {
    const eval::Result own = symbols_.terms().evaluate(leaf, state.witness);
    const eval::Result other = symbols_.terms().evaluate(value, state.witness);
    agrees = own.ok() && other.ok() && own.value == other.value;
  }
  ir::ExprPool::Substitution put(pool_, [&](ExprId id) { return id == leaf ? value : ExprId(); });
  std::vector<ExprId> conditions;
  for (ExprId condition : state.conditions) {
    if (mentions(condition)) {
      condition = put(condition);
      if (pool_.isFalse(condition))
        return false;
      if (pool_.isTrue(condition) || std::find(conditions.begin(), conditions.end(), condition) != conditions.end())
        continue;
    }
    conditions.push_back(condition);
  }
  state.conditions = std::move(conditions);
  const auto putInto = [&](ExprId& term) {
    if (term.valid() && mentions(term))
      term = put(term);
  };
  semantics::forEachPart(state, putInto, [&](semantics::TimeTerm& time) { putInto(time.data); });
  state.settled = agrees ? static_cast<uint32_t>(state.conditions.size()) : 0;
  return true;
}

/// The term is what was seen; the witness agrees. Hidden values that follow from it are known from now on.
bool Builder::agree(SymbolicState& state, ExprId term, ExprId value) {
  if (term == value)
    return symbols_.isFeasible(state);
  const auto isHidden = [&](uint32_t id) { return id >= isSeen_.size() || !isSeen_[id]; };
  if (pool_.op(value) == ir::Op::Parameter) {
    eval::Result is = symbols_.terms().evaluate(term, state.witness);
    if (is.ok())
      state.witness.set(pool_.payload(value), std::move(is.value));
  }
  if (pool_.op(term) == ir::Op::Parameter && isHidden(pool_.payload(term)) && pool_.type(term) == pool_.type(value))
    return replace(state, term, value) && symbols_.isFeasible(state);
  const ExprId equality = pool_.equal(term, value);
  if (const auto form = project_.linear(equality); form && !form->isReal)
    for (const auto& [unknown, factor] : form->factors) {
      if (!isHidden(unknown) || symbols_.unknowns().type(unknown) == symbols_.model().types.real())
        continue;
      const auto bound = project_.boundOf(equality, unknown);
      if (!bound)
        continue;
      std::vector<ExprId> ranges{symbols_.terms().defined(bound->term)};
      symbols_.terms().ranges(bound->term, symbols_.unknowns().type(unknown), ranges);
      for (ExprId range : ranges)
        if (!symbols_.assume(state, range))
          return false;
      if (!symbols_.isFeasible(state))
        return false;
      return replace(state, symbols_.unknowns().leaf(pool_, unknown), bound->term) && symbols_.isFeasible(state);
    }
  return symbols_.assume(state, equality) && symbols_.isFeasible(state);
}

/// `time` is when the next event comes, to which the state belongs.
bool Builder::agreeOnTime(SymbolicState& state, ExprId time) {
  const uint32_t number = stepOf(event_), old = state.steps;
  const bool isOwn = time == symbols_.timeOf(old);
  state.steps = number;
  if (const eval::Result is = symbols_.terms().evaluate(time, state.witness); is.ok())
    state.witness.set(pool_.payload(timeOf(event_)), is.value);
  if (!isOwn) // it follows from earlier steps
    return symbols_.assume(state, pool_.equal(time, timeOf(event_))) && symbols_.isFeasible(state);
  const auto keep = [](ExprId) {};
  semantics::forEachPart(state, keep, [&](semantics::TimeTerm& term) {
    if (term.step == old)
      term.step = number;
  });
  return replace(state, time, timeOf(event_)) && symbols_.isFeasible(state);
}

/// The state behind a step whose time and values were seen as the next event.
bool Builder::agreeOn(SymbolicState& state, const SymbolicStep& step, const std::vector<ExprId>& message) {
  if (!agreeOnTime(state, step.time))
    return false;
  std::vector<ExprId> terms = step.values;
  for (size_t i = 0; i < terms.size(); ++i) {
    const ExprId term = terms[i];
    if (!agree(state, term, message[i]))
      return false;
    if (pool_.op(term) == ir::Op::Parameter) // it may stand for another value of the message, too
      for (size_t k = i + 1; k < terms.size(); ++k)
        terms[k] = pool_.substitute(terms[k], [&](ExprId id) { return id == term ? message[i] : ExprId(); });
  }
  return true;
}

/// The unknowns of the message of the next event.
const std::vector<ExprId>& Builder::messageOn(ir::ChannelId id) {
  const ir::Channel& channel = symbols_.model()[id];
  message_.clear();
  for (uint32_t i = 0; i < channel.parameters.size(); ++i)
    message_.push_back(seen(i, channel.parameters[i].type, channel.parameters[i].name));
  return message_;
}

/// What the next output looks like on this way. Null: it cannot be.
const SymbolicState* Builder::agreed(Next& next) {
  if (next.looked)
    return next.agreed ? &*next.agreed : nullptr;
  next.looked = true;
  SymbolicState state = next.state;
  if (agreeOn(state, next.step, messageOn(next.step.channel)))
    next.agreed = std::move(state);
  return next.agreed ? &*next.agreed : nullptr;
}

} // namespace tioc::testgen
