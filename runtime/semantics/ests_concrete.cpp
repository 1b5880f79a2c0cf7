#include "runtime/semantics/ests_concrete.hpp"

#include <algorithm>
#include <numeric>

namespace tioc::semantics {

using ir::EdgeId;
using ir::Rational;

EstsConcrete::EstsConcrete(const Network& network, EstsOptions options)
    : network_(network), model_(network.model()), net_(model_), options_(std::move(options)), layout_(model_),
      code_(layout_, options_.eval), messages_(network, layout_, options_.tries),
      choices_(network, layout_, options_.solver), run_(net_, *this), times_(model_.edges.size()),
      messageSize_(model_.channels.size()), frame_(layout_.frameSize()), after_(layout_.frameSize()) {
  for (size_t i = 0; i < model_.edges.size(); ++i) {
    const ir::Edge& edge = model_.edges[i];
    times_[i] = {codeOf(edge.minDuration), codeOf(edge.maxDuration.valid() ? edge.maxDuration : edge.minDuration),
                 codeOf(edge.jitter), edge.maxDuration.valid() && edge.maxDuration != edge.minDuration};
  }
  for (const ir::TimingGroup& group : model_.groups)
    timeouts_.push_back(codeOf(group.timeout));
  for (size_t c = 0; c < model_.channels.size(); ++c)
    for (const ir::Member& parameter : model_.channels[c].parameters)
      messageSize_[c] += layout_.sizeOf(parameter.type);
}

void EstsConcrete::fail(ir::Span span, std::string text) {
  if (!problem_)
    problem_ = Problem{span, std::move(text)};
}

// ---- times

EstsConcrete::TimeCode EstsConcrete::codeOf(ir::ExprId expr) const {
  TimeCode code;
  code.expr = expr;
  const ir::ExprPool& pool = model_.exprs;
  if (!expr.valid())
    code.constant = Rational(0);
  else if (const Rational* number = pool.number(expr))
    code.constant = *number;
  else if (pool.op(expr) == ir::Op::ToReal && pool.op(pool.operands(expr)[0]) == ir::Op::Variable)
    code.slot = layout_.offsetOf(ir::VariableId(pool.payload(pool.operands(expr)[0])));
  return code;
}

Rational EstsConcrete::valueOf(const TimeCode& code, const ir::Edge* edge, const eval::Slot* frame) {
  if (code.constant)
    return *code.constant;
  if (code.slot != UINT32_MAX)
    return frame[code.slot];
  eval::Result result = eval::evaluate(layout_, code.expr, edge, frame);
  if (!result.ok())
    fail(edge ? edge->span : ir::Span{}, std::string("a time has no value: ") + eval::faultName(result.fault));
  return result.ok() ? result.value.number : Rational(0);
}

Rational EstsConcrete::between(const Rational& low, const Rational& high) {
  if (low == high || !chance_ || !*chance_)
    return low;
  // Both ends are among them.
  constexpr int64_t kParts = 16;
  return low + (high - low) * Rational(static_cast<int64_t>((*chance_)() % (kParts + 1)), kParts);
}

Rational EstsConcrete::due(const EstsState& state, ir::GroupId id) {
  return state.since[network_.clock(model_[id].clock)] + valueOf(timeouts_[id.value], nullptr, state.variables.data());
}

std::optional<Rational> EstsConcrete::seenAt(Draft& draft, EdgeId id) {
  const TimeCode& code = times_[id.value].jitter;
  if (!code.expr.valid())
    return draft.now;
  const Rational most = valueOf(code, &model_[id], draft.state.variables.data());
  return std::max(draft.begin, draft.now + between(-most, most));
}

// ---- edges

eval::Slot* EstsConcrete::load(const EstsState& state) {
  std::copy(state.variables.begin(), state.variables.end(), frame_.begin());
  return frame_.data();
}

void EstsConcrete::load(const Message& message) {
  std::copy(message.begin(), message.end(), frame_.begin() + layout_.stateSize());
}

/// Of the frame.
bool EstsConcrete::isEnabled(EdgeId id) {
  if (!code_.holds(id, frame_.data()))
    return false;
  if (model_[id].updates.empty())
    return true;
  const eval::Taken taken = code_.update(id, frame_.data(), after_.data());
  if (taken == eval::Taken::Stuck)
    fail(model_[id].span, "a number does not fit into 64 bits");
  return taken == eval::Taken::Yes;
}

bool EstsConcrete::enabled(const EstsState& state, EdgeId id, const Message& message) {
  load(state);
  load(message);
  return isEnabled(id);
}

bool EstsConcrete::enabled(const EstsState& state, EdgeId id) {
  const ir::Edge& edge = model_[id];
  if (edge.action != ir::ActionKind::Send || edge.parameters.empty())
    return enabled(state, id, {});
  bool any = false;
  eval::Slot* frame = load(state);
  const Messages::Plan& plan = messages_.plan(edge.channel, {&id, 1}, Messages::By::Guard, false);
  messages_.forEach(plan, frame, [&] {
    any = isEnabled(id);
    return !any;
  });
  return any;
}

bool EstsConcrete::take(Draft& draft, EdgeId id, const Message& message) {
  const ir::Edge& edge = model_[id];
  EstsState& state = draft.state;
  const EdgeTimes& times = times_[id.value];
  load(state);
  load(message);
  Rational duration = valueOf(times.low, &edge, frame_.data());
  if (times.open)
    duration = between(duration, valueOf(times.high, &edge, frame_.data()));
  if (!edge.updates.empty()) {
    if (code_.update(id, frame_.data(), after_.data()) != eval::Taken::Yes)
      return false;
    std::copy_n(after_.begin(), layout_.stateSize(), state.variables.begin());
  }
  draft.now = draft.now + duration;
  state.at[net_.componentOf(id)] = edge.target;
  for (ir::GroupId group : edge.restarts)
    state.since[network_.clock(model_[group].clock)] = draft.now;
  return true;
}

void EstsConcrete::choose(std::vector<Run::Option>& options) {
  if (options.size() < 2 || !chance_ || !*chance_)
    return;
  const auto weightOf = [&](const Run::Option& option) {
    return option.edge.valid() ? model_[option.edge].weight : Rational(1);
  };
  Rational sum;
  for (const Run::Option& option : options)
    sum = sum + weightOf(option);
  // Weights are exact; chance needs no more parts than this.
  constexpr int64_t kParts = 1 << 20;
  Rational pick = sum * Rational(static_cast<int64_t>((*chance_)() % kParts), kParts);
  size_t chosen = 0;
  for (; chosen + 1 < options.size() && pick >= weightOf(options[chosen]); ++chosen)
    pick = pick - weightOf(options[chosen]);
  std::swap(options[0], options[chosen]);
  options.resize(1, options[0]);
}

// ---- reactions

void EstsConcrete::run(Draft&& first, const Chance& chance, const Sink& sink) {
  chance_ = &chance;
  run_.run(std::move(first), [&](Draft&& draft) {
    EstsState& state = draft.state;
    for (const Run::Sent& sent : draft.sent) {
      if (!sent.seen)
        continue;
      EstsState::Output output{sent.edge, {}, sent.time};
      const eval::Slot* slot = sent.message.data();
      for (const ir::Member& parameter : model_[model_[sent.edge].channel].parameters) {
        output.values.push_back(layout_.load(parameter.type, slot));
        slot += layout_.sizeOf(parameter.type);
      }
      state.pending.push_back(std::move(output));
    }
    std::stable_sort(state.pending.begin(), state.pending.end(),
                     [](const EstsState::Output& a, const EstsState::Output& b) { return a.time < b.time; });
    state.now = draft.begin;
    state.busy = draft.busy[0];
    sink(std::move(state), std::move(draft.trace));
  });
  chance_ = nullptr;
  if (!problem_)
    problem_ = run_.problem();
}

void EstsConcrete::start(uint64_t seed, const Chance& chance, const Sink& sink) {
  ConcreteState first{{network_.initial().begin(), network_.initial().end()},
                      std::vector<eval::Slot>(layout_.stateSize()),
                      std::vector<Rational>(network_.dim())};
  bool open = false;
  for (ir::VariableId id : network_.variables()) {
    const ir::Variable& variable = model_[id];
    open |= !variable.initial.valid();
    if (!variable.initial.valid())
      continue;
    const eval::Result value = eval::evaluate(layout_, variable.initial, nullptr, first.variables.data());
    if (!value.ok() || !layout_.store(variable.type, value.value, first.variables.data() + layout_.offsetOf(id)))
      return fail(variable.span, "the initial value cannot be stored");
  }
  if (open && choices_.initial(first, seed) != Choices::Answer::Found)
    return fail(model_.systems[0].span, "no initial values were found; " + choices_.reason());
  EstsState state;
  state.at = std::move(first.locations);
  state.variables = std::move(first.variables);
  state.since.resize(network_.dim());
  run(run_.starting(std::move(state), 0), chance, sink);
}

void EstsConcrete::receive(const EstsState& state, ir::ChannelId channel, const std::vector<eval::Value>& values,
                           const Chance& chance, const Sink& sink) {
  Message message(messageSize_[channel.value]);
  eval::Slot* slot = message.data();
  for (size_t i = 0; i < values.size(); ++i) {
    const ir::TypeId type = model_[channel].parameters[i].type;
    if (!layout_.store(type, values[i], slot))
      return fail(model_[channel].span, "a number does not fit into 64 bits");
    slot += layout_.sizeOf(type);
  }
  receive(state, {{}, channel, std::move(message)}, chance, sink);
}

void EstsConcrete::receive(const EstsState& state, const Input& input, const Chance& chance, const Sink& sink) {
  run(run_.receiving(state, state.now, input.channel, input.message), chance, sink);
}

/// Into the frame, which holds the state. Any that the guard lets pass, or else the first one.
bool EstsConcrete::chooseMessage(EdgeId id, uint64_t& seed) {
  const ir::Edge& edge = model_[id];
  constexpr int kTries = 4;
  for (int i = 0; i < kTries; ++i) {
    eval::Slot* slot = frame_.data() + layout_.stateSize();
    bool stored = true;
    for (const ir::Member& parameter : model_[edge.channel].parameters) {
      stored = stored && layout_.store(parameter.type, anyValue(model_, parameter.type, seed), slot);
      slot += layout_.sizeOf(parameter.type);
    }
    if (stored && isEnabled(id))
      return true;
  }
  bool found = false;
  messages_.forEach(messages_.plan(edge.channel, {&id, 1}, Messages::By::Guard, false), frame_.data(), [&] {
    found = isEnabled(id);
    return !found;
  });
  return found;
}

void EstsConcrete::inputs(const EstsState& state, uint64_t seed, std::vector<Input>& inputs) {
  inputs.clear();
  load(state);
  const auto first = frame_.begin() + layout_.stateSize();
  for (uint32_t c = 0; c < model_.channels.size(); ++c) {
    const ir::ChannelId channel(c);
    if (!net_.isOffered(channel))
      continue;
    for (uint32_t component : net_.receivers(channel))
      for (EdgeId id : net_.receptions(state.at[component], channel))
        if (messageSize_[c] == 0 ? isEnabled(id) : chooseMessage(id, seed))
          inputs.push_back({id, channel, Message(first, first + messageSize_[c])});
  }
  // Rule 2: not at the instant of a timeout of its own.
  std::erase_if(inputs, [&](const Input& input) {
    const auto& dues = run_.dues(state);
    return std::any_of(dues.begin(), dues.end(), [&](const Run::Due& due) {
      return due.component == net_.componentOf(input.edge) && due.time <= state.now;
    });
  });
}

void EstsConcrete::wake(const EstsState& state, const Chance& chance, const Sink& sink) {
  run(run_.waking(state, state.now), chance, sink);
}

std::optional<Rational> EstsConcrete::nextTimeout(const EstsState& state) {
  std::optional<Rational> first;
  for (const Run::Due& due : run_.dues(state))
    if (!first || due.time < *first)
      first = due.time;
  return first;
}

} // namespace tioc::semantics
