#include "runtime/conformance/step_tracker.hpp"

#include "ir/print.hpp"
#include "runtime/semantics/concrete_choices.hpp"

#include <algorithm>

// What a specification may do next, and why it does not do what was observed.
namespace tioc::conformance {

using ir::ExprId;
using ir::Rational;
using semantics::kNoInputs;
using semantics::SymbolicState;
using semantics::SymbolicStep;
using semantics::Visibility;
using semantics::Window;
using solver::Optimum;

namespace {

/// More than a person reads.
constexpr size_t kMostStates = 5;
constexpr size_t kMostObstacles = 12;

/// What `textOf` says about a value that is not determined names it.
bool isRange(const std::string& text, const std::string& name) {
  return text.starts_with(name + " ") || text.find(" " + name + " ") != std::string::npos;
}

bool isFound(const Optimum& optimum) {
  return optimum.kind == Optimum::Kind::Attained || optimum.kind == Optimum::Kind::Limit;
}

} // namespace

StepTracker::Future& StepTracker::future() {
  if (future_)
    return *future_;
  const bool before = std::exchange(truncated_, false);
  Future future;
  future.states = beliefs_;
  size_t looked = 0;
  for (; looked < future.states.size() && looked < limits_.outlook; ++looked)
    expand(future.states, looked, Within::Forever, {}, {}, [&](SymbolicStep&& step, SymbolicState&& behind) {
      future.nexts.push_back({std::move(step), std::move(behind)});
    });
  future.complete = looked == future.states.size() && !truncated_ && !before && !lost_ && !relation().problem();
  future.states.resize(looked);
  truncated_ = before;
  return future_.emplace(std::move(future));
}

std::optional<Window> StepTracker::windowOf(ExprId time, const SymbolicState& state) {
  const auto absolute = [&](Window window) {
    window.low = zero_ + window.low;
    if (window.high)
      window.high = zero_ + *window.high;
    return window;
  };
  if (const Rational* constant = symbols().pool().number(time))
    return absolute({*constant, false, *constant, false});
  if (symbols().pool().op(time) == ir::Op::Parameter)
    if (const auto window = normal_->range(symbols().pool().payload(time), state.conditions))
      return absolute(*window);
  const Optimum low = symbols().solver().minimise(state.conditions, time, &state.witness);
  const Optimum high = symbols().solver().maximise(state.conditions, time, &state.witness);
  if (!isFound(low) || (!isFound(high) && high.kind != Optimum::Kind::Unbounded))
    return std::nullopt;
  Window window{low.value, low.kind == Optimum::Kind::Limit, std::nullopt, false};
  if (isFound(high)) {
    window.high = high.value;
    window.highOpen = high.kind == Optimum::Kind::Limit;
  }
  return absolute(std::move(window));
}

/// `5`, `1 <= amount <= 9`, or just the name where any will do.
std::string StepTracker::textOf(ExprId value, ir::TypeId type, const SymbolicState& state, const std::string& name) {
  const ir::Model& model = symbols().model();
  if (symbols().pool().isConstant(value)) {
    const eval::Result result = symbols().terms().evaluate(value, {});
    return result.ok() ? eval::printValue(model, type, result.value) : name;
  }
  if (!model.types.isNumeric(type))
    return name;
  const Optimum low = symbols().solver().minimise(state.conditions, value, &state.witness);
  const Optimum high = symbols().solver().maximise(state.conditions, value, &state.witness);
  const auto sign = [](const Optimum& end) { return end.kind == Optimum::Kind::Limit ? " < " : " <= "; };
  if (isFound(low) && isFound(high))
    return low.value == high.value ? low.value.toString()
                                   : low.value.toString() + sign(low) + name + sign(high) + high.value.toString();
  if (isFound(low))
    return name + (low.kind == Optimum::Kind::Limit ? " > " : " >= ") + low.value.toString();
  return isFound(high) ? name + sign(high) + high.value.toString() : name;
}

Chance StepTracker::chanceOf(Next& next, Words words) {
  const ir::Model& model = symbols().model();
  const SymbolicStep& step = next.step;
  Chance chance;
  chance.channel = step.channel;
  chance.edges = step.edges;
  chance.window = {now_, false, std::nullopt, false};
  if (auto window = windowOf(step.time, next.behind))
    chance.window = std::move(*window);
  chance.text = model[step.channel].name;
  const auto& parameters = model[step.channel].parameters;
  for (size_t i = 0; i < parameters.size(); ++i) {
    chance.values.push_back(symbols().terms().evaluate(step.values[i], next.behind.witness).value);
    const bool isOpen = !symbols().pool().isConstant(step.values[i]);
    chance.text += (i ? ", " : "(") + (isOpen && words == Words::Few ? parameters[i].name
                                                                     : textOf(step.values[i], parameters[i].type,
                                                                              next.behind, parameters[i].name));
  }
  if (!parameters.empty())
    chance.text += ")";
  return chance;
}

/// Lets the message have other values, where some that chance finds satisfy the conditions.
void StepTracker::choose(Next& next, uint64_t seed) {
  constexpr int kTries = 8;
  std::vector<uint32_t> open;
  for (ExprId value : next.step.values)
    for (uint32_t unknown : symbols().terms().unknownsOf(value))
      open.push_back(unknown);
  if (open.empty())
    return;
  for (int i = 0; i < kTries; ++i) {
    solver::Assignment other = next.behind.witness;
    for (uint32_t unknown : open)
      other.set(unknown, semantics::anyValue(symbols().model(), symbols().unknowns().type(unknown), seed));
    if (!symbols().terms().isModel(next.behind.conditions, other))
      continue;
    next.behind.witness = std::move(other);
    return;
  }
}

Outlook StepTracker::outlook() {
  return outlook(Words::Few);
}

Outlook StepTracker::outlook(Words words) {
  Outlook outlook;
  Future& future = this->future();
  outlook.complete = future.complete;
  for (Next& next : future.nexts)
    if (next.step.visibility == Visibility::Output)
      outlook.outputs.push_back(chanceOf(next, words));
  outlook.silence = {now_, false, now_, false};
  for (const Belief& belief : future.states)
    relation().wait(belief.state, [&](SymbolicState&& later) {
      const std::optional<Window> window = windowOf(symbols().expr(later.now), later);
      if (!window || !window->high)
        outlook.silence.high.reset();
      else if (outlook.silence.high && (*window->high > *outlook.silence.high ||
                                        (*window->high == *outlook.silence.high && outlook.silence.highOpen))) {
        outlook.silence.high = window->high;
        outlook.silence.highOpen = window->highOpen;
      }
    });
  if (!outlook.complete)
    outlook.silence.high.reset();
  return outlook;
}

std::vector<Chance> StepTracker::stimuli(uint64_t seed) {
  std::vector<Chance> result;
  for (Next& next : future().nexts)
    if (next.step.visibility == Visibility::Input) {
      choose(next, ++seed);
      result.push_back(chanceOf(next, Words::Few));
    }
  return result;
}

Answer StepTracker::quiescent() {
  bool all = true;
  for (const Belief& belief : beliefs_) {
    const std::optional<ExprId> condition = relation().quiescent(belief.state);
    all = all && condition && symbols().solver().implies(belief.state.conditions, *condition) == ir::Decision::Yes;
  }
  if (all)
    return isExact() ? Answer::Yes : Answer::Unknown;
  const Outlook next = outlook();
  if (!next.outputs.empty())
    return Answer::No;
  return next.complete ? Answer::Yes : Answer::Unknown;
}

// ---- explanations

std::string StepTracker::describe(const SymbolicState& state) {
  const ir::Model& model = symbols().model();
  std::string text;
  for (ir::LocationId id : state.at)
    text += (text.empty() ? "" : ", ") + (state.at.size() > 1 ? model[model[id].automaton].name + "." : "") +
            model[id].name;
  std::string values;
  const auto add = [&](const std::string& name, const std::string& value) {
    values += (values.empty() ? " with " : ", ") + (isRange(value, name) ? value : name + " = " + value);
  };
  const auto variables = specification_->variables();
  for (size_t i = 0; i < state.store.size(); ++i) {
    const ir::Variable& variable = model[variables[i]];
    const std::string value = textOf(state.store[i], variable.type, state, variable.name);
    if (value != variable.name)
      add(variable.name, value);
  }
  const auto clocks = specification_->clocks();
  for (size_t i = 0; i < state.since.size(); ++i)
    if (clocks[i] != ir::Model::zeroClock()) {
      const ExprId age = symbols().pool().add(
          std::vector<ExprId>{symbols().expr(state.now), symbols().pool().negate(symbols().expr(state.since[i]))});
      add(model[clocks[i]].name, textOf(age, model.types.real(), state, model[clocks[i]].name));
    }
  return text + values;
}

std::vector<StepTracker::Part> StepTracker::partsOf(const ir::Edge& edge, const SymbolicState& state,
                                                    std::span<const ExprId> message) {
  const ir::Model& model = symbols().model();
  ir::ExprPool& pool = symbols().pool();
  std::vector<uint32_t> index(model.variables.size(), UINT32_MAX);
  const auto variables = specification_->variables();
  for (size_t i = 0; i < variables.size(); ++i)
    index[variables[i].value] = static_cast<uint32_t>(i);
  semantics::Substitute put(symbols());
  put.begin(state.store, index, message);
  std::vector<Part> parts;
  ir::Edge named = edge; // a value that the model does not name is called as the channel calls it
  for (size_t i = 0; i < named.parameters.size(); ++i)
    if (named.parameters[i].name.empty())
      named.parameters[i].name = model[edge.channel].parameters[i].name;
  const auto note = [&](Part& part, const std::string& name, ExprId value, ir::TypeId type) {
    const std::string text = textOf(value, type, state, name);
    if (text != name)
      part.facts.push_back(isRange(text, name) ? text : name + " is " + text);
  };
  const auto noteAll = [&](Part& part, ExprId expr) {
    pool.visit(expr, [&](ExprId leaf) {
      if (pool.op(leaf) == ir::Op::Variable && index[pool.payload(leaf)] != UINT32_MAX) {
        const ir::Variable& variable = model.variables[pool.payload(leaf)];
        note(part, variable.name, state.store[index[pool.payload(leaf)]], variable.type);
      } else if (pool.op(leaf) == ir::Op::Local) {
        const ir::Member& parameter = named.parameters[pool.payload(leaf)];
        note(part, parameter.name, message[pool.payload(leaf)], parameter.type);
      }
    });
  };
  for (ExprId conjunct : pool.conjuncts(edge.guard.data)) {
    const ExprId condition = put(conjunct);
    Part part{pool.conjunction(symbols().terms().defined(condition), condition),
              edge.span,
              ir::printExpr(model, conjunct, &named),
              {}};
    noteAll(part, conjunct);
    parts.push_back(std::move(part));
  }
  const auto clocks = specification_->clocks();
  const auto age = [&](ir::ClockId clock) {
    for (size_t i = 0; i < clocks.size(); ++i)
      if (clocks[i] == clock && clock != ir::Model::zeroClock())
        return pool.add(std::vector<ExprId>{symbols().expr(state.now), pool.negate(symbols().expr(state.since[i]))});
    return pool.real(0);
  };
  for (const ir::ClockConstraint& c : edge.guard.clocks) {
    const ExprId left = age(c.left);
    const ExprId right = pool.add(std::vector<ExprId>{age(c.right), put(c.bound)});
    Part part{c.strict ? pool.less(left, right) : pool.lessEqual(left, right),
              c.span,
              ir::printGuard(model, {pool.boolean(true), {c}}, &named),
              {}};
    for (ir::ClockId clock : {c.left, c.right})
      if (clock != ir::Model::zeroClock())
        note(part, model[clock].name, age(clock), model.types.real());
    noteAll(part, c.bound);
    parts.push_back(std::move(part));
  }
  return parts;
}

void StepTracker::addObstacles(const SymbolicState& state, std::vector<Obstacle>& obstacles) {
  const ir::Model& model = symbols().model();
  const auto action = last_.kind == Visibility::Input ? ir::ActionKind::Receive : ir::ActionKind::Send;
  std::vector<ExprId> message;
  const auto& parameters = model[last_.channel].parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    message.push_back(symbols().terms().constant(parameters[i].type, last_.values[i]));
  for (size_t e = 0; e < model.edges.size(); ++e) {
    const ir::Edge& edge = model.edges[e];
    if (edge.channel != last_.channel || edge.action != action ||
        std::find(state.at.begin(), state.at.end(), edge.source) == state.at.end())
      continue;
    bool found = false;
    for (const Part& part : partsOf(edge, state, message)) {
      std::vector<ExprId> conditions = state.conditions;
      conditions.push_back(part.condition);
      if (symbols().solver().check(conditions, &state.witness).answer != solver::Answer::Unsat)
        continue;
      std::string text = part.text + " is false";
      for (size_t i = 0; i < part.facts.size(); ++i)
        text += (i ? ", " : ": ") + part.facts[i];
      obstacles.push_back({ir::EdgeId(e), part.span, std::move(text)});
      found = true;
    }
    if (!found)
      obstacles.push_back({ir::EdgeId(e), edge.span, "what it asks for cannot hold together, or not here"});
  }
}

Explanation StepTracker::explain() {
  Explanation result;
  result.allowed = outlook(Words::Full);
  std::vector<Belief> work = beliefs_;
  if (!closed_)
    for (size_t i = 0; i < work.size() && i < limits_.outlook; ++i)
      expand(work, i, Within::Time, {}, kNoInputs, [](SymbolicStep&&, SymbolicState&&) {});
  for (const Belief& belief : work) {
    if (result.states.size() < kMostStates)
      result.states.push_back(describe(belief.state));
    else
      ++result.moreStates;
    if (last_.kind != Visibility::Unobservable && result.obstacles.size() < kMostObstacles)
      addObstacles(belief.state, result.obstacles);
  }
  if (last_.kind != Visibility::Unobservable)
    return result;
  // Silence was too long: what had to come by when.
  const ir::Model& model = symbols().model();
  for (const Chance& chance : result.allowed.outputs)
    for (ir::EdgeId id : chance.edges)
      for (const ir::ClockConstraint& c : model[id].guard.clocks)
        if (c.right == ir::Model::zeroClock() && chance.window.high && result.obstacles.size() < kMostObstacles)
          result.obstacles.push_back({id, c.span,
                                      ir::printGuard(model, {symbols().pool().boolean(true), {c}}, &model[id]) +
                                          " lets it come until " + chance.window.high->toString() + " only"});
  return result;
}

} // namespace tioc::conformance
