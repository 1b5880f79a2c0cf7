#include "runtime/semantics/concrete.hpp"

#include "ir/print.hpp"

#include <algorithm>

namespace tioc::semantics {

using eval::Slot;
using eval::Value;
using ir::EdgeId;
using ir::Rational;

namespace {

/// Cuts the window to the delays for which left - right + (what runs) is below the bound. `slack`: how far it is from
/// it now.
void cutBySlack(Window& window, const Rational& slack, bool leftRuns, bool rightRuns, bool strict) {
  if (leftRuns == rightRuns) {
    if (strict ? slack.sign() <= 0 : slack.sign() < 0)
      window.keepTo(-1, false);
  } else if (leftRuns) {
    window.keepTo(slack, strict);
  } else {
    window.keepFrom(-slack, strict);
  }
}

} // namespace

Concrete::Concrete(const Network& network, ConcreteOptions options)
    : network_(network), model_(network.model()), options_(std::move(options)), layout_(model_),
      code_(layout_, options_.eval), messages_(network, layout_, options_.tries),
      choices_(network, layout_, options_.solver), grains_(network.size()) {
  // The environment may send what no edge receives.
  uint32_t widest = 0;
  for (const ir::Channel& channel : model_.channels) {
    uint32_t width = 0;
    for (const ir::Member& parameter : channel.parameters)
      width += layout_.sizeOf(parameter.type);
    widest = std::max(widest, width);
  }
  frame_.resize(std::max(layout_.frameSize(), layout_.stateSize() + widest));
  readFacts();
}

void Concrete::readFacts() {
  const auto readsMessage = [&](const ir::Guard& guard) {
    bool reads = false;
    for (const ir::ClockConstraint& c : guard.clocks)
      model_.exprs.visit(c.bound, [&](ir::ExprId id) { reads |= model_.exprs.op(id) == ir::Op::Local; });
    return reads;
  };
  facts_.resize(model_.edges.size());
  for (size_t i = 0; i < facts_.size(); ++i) {
    const ir::Guard& deadline = deadlineOf(EdgeId(i));
    const ir::Edge& edge = model_.edges[i];
    facts_[i].ignored.assign(edge.parameters.size(), true);
    const auto look = [&](ir::ExprId expr) {
      model_.exprs.visit(expr, [&](ir::ExprId id) {
        if (model_.exprs.op(id) == ir::Op::Local)
          facts_[i].ignored[model_.exprs.payload(id)] = false;
      });
    };
    look(edge.guard.data);
    for (const ir::ClockConstraint& c : edge.guard.clocks)
      look(c.bound);
    for (const ir::Update& update : edge.updates)
      look(update.value);
    for (const ir::Reset& reset : edge.resets)
      look(reset.value);
    facts_[i].deadlineReadsMessage = readsMessage(deadline);
    facts_[i].hasUpperBound = std::any_of(deadline.clocks.begin(), deadline.clocks.end(), [](const auto& c) {
      return c.left != ir::Model::zeroClock() && c.right == ir::Model::zeroClock();
    });
  }
}

bool Concrete::fail(ir::Span span, std::string text) {
  problem_ = {span, std::move(text)};
  return false;
}

bool Concrete::fail(Messages::Answer answer, ir::Span span) {
  if (answer == Messages::Answer::NotConcrete)
    problem_ = messages_.problem();
  else
    problem_ = {span, "a number does not fit into 64 bits"};
  return false;
}

const ir::Guard& Concrete::deadlineOf(EdgeId id) const {
  const ir::Edge& edge = model_[id];
  return edge.deadline ? *edge.deadline : edge.guard;
}

Slot* Concrete::load(const ConcreteState& state) {
  std::copy(state.variables.begin(), state.variables.end(), frame_.begin());
  return frame_.data();
}

bool Concrete::storeMessage(ir::ChannelId channel, const std::vector<Value>& values) {
  Slot* to = frame_.data() + layout_.stateSize();
  const auto& parameters = model_[channel].parameters;
  for (size_t i = 0; i < parameters.size(); to += layout_.sizeOf(parameters[i].type), ++i)
    if (!layout_.store(parameters[i].type, values[i], to))
      return fail(model_[channel].span, "a number does not fit into 64 bits");
  return true;
}

std::vector<Value> Concrete::loadMessage(ir::ChannelId channel, const Slot* frame) const {
  std::vector<Value> values;
  if (!channel.valid())
    return values;
  const Slot* from = frame + layout_.stateSize();
  for (const ir::Member& parameter : model_[channel].parameters) {
    values.push_back(layout_.load(parameter.type, from));
    from += layout_.sizeOf(parameter.type);
  }
  return values;
}

// ---- windows

std::optional<Rational> Concrete::bound(ir::ExprId expr, const ir::Edge* edge, const Slot* frame) const {
  if (const Rational* constant = model_.exprs.number(expr))
    return *constant;
  eval::Result result = eval::evaluate(layout_, expr, edge, frame);
  return result.ok() ? std::optional(std::move(result.value.number)) : std::nullopt;
}

bool Concrete::cut(Window& window, const ConcreteState& state, const std::vector<ir::ClockConstraint>& clocks,
                   const ir::Edge* edge, const Slot* frame) const {
  for (const ir::ClockConstraint& c : clocks) {
    const std::optional<Rational> limit = bound(c.bound, edge, frame);
    if (!limit)
      return false;
    const zones::Clock left = network_.clock(c.left);
    const zones::Clock right = network_.clock(c.right);
    cutBySlack(window, *limit - (state.clocks[left] - state.clocks[right]), left != 0, right != 0, c.strict);
  }
  return true;
}

bool Concrete::cutByTargets(Window& window, Locations targets, const std::vector<ClockAfter>& clocks,
                            const Slot* frame) const {
  for (ir::LocationId id : targets) {
    const ir::Guard& invariant = model_[id].invariant;
    if (!model_.exprs.isTrue(invariant.data)) {
      const eval::Result data = eval::evaluate(layout_, invariant.data, nullptr, frame);
      if (!data.ok() || !data.value.isTrue())
        return false;
    }
    for (const ir::ClockConstraint& c : invariant.clocks) {
      const std::optional<Rational> limit = bound(c.bound, nullptr, frame);
      if (!limit)
        return false;
      const ClockAfter& left = clocks[network_.clock(c.left)];
      const ClockAfter& right = clocks[network_.clock(c.right)];
      cutBySlack(window, *limit - (left.value - right.value), left.runs, right.runs, c.strict);
    }
  }
  return true;
}

// ---- moves

std::optional<ConcreteState> Concrete::initial(uint64_t seed) {
  ConcreteState state;
  state.locations.assign(network_.initial().begin(), network_.initial().end());
  state.variables.resize(layout_.stateSize());
  state.clocks.resize(network_.dim());
  for (size_t i = 0; i < model_.variables.size(); ++i) {
    const ir::Variable& variable = model_.variables[i];
    Value value = eval::defaultValue(model_, variable.type);
    if (variable.initial.valid()) {
      eval::Result result = eval::evaluate(layout_, variable.initial, nullptr, nullptr);
      if (!result.ok() || !eval::fits(model_, variable.type, result.value)) {
        fail(variable.span, "'" + variable.name + "' has no initial value within its type");
        return std::nullopt;
      }
      value = std::move(result.value);
    }
    if (!layout_.store(variable.type, value, state.variables.data() + layout_.offsetOf(ir::VariableId(i)))) {
      fail(variable.span, "a number does not fit into 64 bits");
      return std::nullopt;
    }
  }
  const ir::Span span = model_[network_.component(0)].initialSpan;
  switch (choices_.initial(state, seed)) {
  case Choices::Answer::Found:
    return state;
  case Choices::Answer::None:
    fail(span, "no values of the variables satisfy the initial conditions and invariants");
    break;
  case Choices::Answer::Unknown:
    fail(span, "no initial values found: " + choices_.reason());
    break;
  }
  return std::nullopt;
}

/// Lets the edges happen one after the other; each sees what those before it left.
eval::Taken Concrete::apply(std::span<const EdgeId> edges, Slot* frame, std::vector<ClockAfter>& clocks) {
  std::vector<std::pair<zones::Clock, ClockAfter>> resets;
  for (EdgeId id : edges) {
    const ir::Edge& edge = model_[id];
    resets.clear();
    for (const ir::Reset& reset : edge.resets) {
      if (reset.source.valid()) {
        resets.emplace_back(network_.clock(reset.clock), clocks[network_.clock(reset.source)]);
        continue;
      }
      std::optional<Rational> value = bound(reset.value, &edge, frame);
      if (!value)
        return eval::Taken::No;
      resets.emplace_back(network_.clock(reset.clock), ClockAfter{std::move(*value), false});
    }
    for (auto& [clock, after] : resets)
      clocks[clock] = std::move(after);
    if (const eval::Taken taken = code_.update(id, frame, frame); taken != eval::Taken::Yes)
      return taken;
  }
  return eval::Taken::Yes;
}

/// Adds the move, whose message is in the frame, with each of its windows. The data guards hold.
bool Concrete::addWindows(const ConcreteState& state, const Move& move, Locations targets,
                          std::vector<ConcreteMove>& moves) {
  Window window;
  for (EdgeId id : move.edges)
    if (!cut(window, state, model_[id].guard.clocks, &model_[id], frame_.data()) || window.isEmpty())
      return true;
  after_ = frame_;
  clocksAfter_.clear();
  for (const Rational& clock : state.clocks)
    clocksAfter_.push_back({clock, true});
  clocksAfter_[0].runs = false;
  const eval::Taken taken = apply(move.edges, after_.data(), clocksAfter_);
  if (taken == eval::Taken::Stuck)
    return fail(model_[move.edges[0]].span, "a number does not fit into 64 bits");
  if (taken == eval::Taken::No || !cutByTargets(window, targets, clocksAfter_, after_.data()) || window.isEmpty())
    return true;
  std::vector<Window> windows{window};
  for (EdgeId id : move.silent) {
    Window hole;
    if (code_.holds(id, frame_.data()) && cut(hole, state, model_[id].guard.clocks, &model_[id], frame_.data()) &&
        !hole.isEmpty())
      windows = without(windows, hole);
  }
  for (Window& one : windows)
    moves.push_back({move.visibility,
                     move.channel,
                     {move.edges.begin(), move.edges.end()},
                     loadMessage(move.channel, frame_.data()),
                     std::move(one)});
  return true;
}

/// The moves with the message that is in the frame: for a broadcast one for each choice of receivers.
bool Concrete::complete(const ConcreteState& state, const Move& move, std::vector<ConcreteMove>& moves) {
  for (EdgeId id : move.edges)
    if (!code_.holds(id, frame_.data()))
      return true;
  const auto add = [&](const Move& chosen) {
    targets_.assign(state.locations.begin(), state.locations.end());
    for (EdgeId id : chosen.edges)
      targets_[network_.componentOf(id)] = model_[id].target;
    return addWindows(state, chosen, targets_, moves);
  };
  if (!move.broadcast)
    return add(move);
  bool ok = true;
  network_.forEachReception(
      state.locations, move, reception_,
      [&](EdgeId id) {
        if (!code_.holds(id, frame_.data()))
          return Readiness::No;
        return model_[id].guard.clocks.empty() ? Readiness::Yes : Readiness::Perhaps;
      },
      [&](const Move& chosen) { ok = ok && add(chosen); });
  return ok;
}

/// Asks the solver for messages of a move that has too many.
bool Concrete::collectChosen(const ConcreteState& state, const Move& move, uint64_t seed,
                             std::vector<ConcreteMove>& moves) {
  std::vector<std::vector<Value>> found;
  bool ok = true;
  const auto ask = [&](const Move& chosen) {
    targets_.assign(state.locations.begin(), state.locations.end());
    for (EdgeId id : chosen.edges)
      targets_[network_.componentOf(id)] = model_[id].target;
    for (uint32_t i = 0; ok && i < options_.samples; ++i) {
      std::vector<Value> values;
      const auto answer = choices_.message(state, chosen, targets_, Window{}, seed * options_.samples + i, values);
      if (answer == Choices::Answer::None)
        return;
      if (answer == Choices::Answer::Unknown)
        ok = fail(model_[chosen.channel].span,
                  "no message on '" + model_[chosen.channel].name + "' found: " + choices_.reason());
      else if (std::find(found.begin(), found.end(), values) == found.end())
        found.push_back(std::move(values));
    }
  };
  if (move.broadcast) {
    Network::Reception memory;
    network_.forEachReception(
        state.locations, move, memory, [](EdgeId) { return Readiness::Perhaps; }, ask);
  } else {
    ask(move);
  }
  for (const std::vector<Value>& values : found)
    ok = ok && storeMessage(move.channel, values) && complete(state, move, moves);
  return ok;
}

bool Concrete::collect(const ConcreteState& state, const Move& move, Want want, uint64_t seed,
                       std::vector<ConcreteMove>& moves) {
  const size_t before = moves.size();
  const Messages::Plan& plan = messages_.plan(move.channel, move.edges, Messages::By::Guard, move.broadcast);
  bool ok = true;
  const Messages::Answer answer =
      messages_.forEach(plan, frame_.data(), [&] { return ok = complete(state, move, moves); });
  if (!ok)
    return false;
  if (answer == Messages::Answer::NotConcrete && want != Want::Unobservable) {
    moves.resize(before);
    return collectChosen(state, move, seed, moves);
  }
  return answer == Messages::Answer::Done || fail(answer, move.edges.empty() ? ir::Span{} : model_[move.edges[0]].span);
}

/// Gives parameters that nothing looks at some value, so that nobody takes one of them for the only one.
void Concrete::varyIgnored(ConcreteMove& move, uint64_t seed) const {
  if (move.values.empty() || model_[move.channel].broadcast)
    return;
  for (size_t i = 0; i < move.values.size(); ++i)
    if (std::all_of(move.edges.begin(), move.edges.end(), [&](EdgeId id) { return facts_[id.value].ignored[i]; }))
      move.values[i] = anyValue(model_, model_[move.channel].parameters[i].type, seed);
}

std::optional<std::vector<ConcreteMove>> Concrete::collect(const ConcreteState& state, Want want, uint64_t seed) {
  std::vector<ConcreteMove> moves;
  load(state);
  bool ok = true;
  network_.forEachMove(state.locations, [&](const Move& move) {
    const bool wanted = want == Want::Unobservable ? move.visibility == Visibility::Unobservable
                                                   : (move.visibility == Visibility::Input) == (want == Want::Inputs);
    if (wanted)
      ok = ok && collect(state, move, want, seed, moves);
  });
  for (ConcreteMove& move : moves)
    varyIgnored(move, seed);
  return ok ? std::optional(std::move(moves)) : std::nullopt;
}

std::optional<std::vector<ConcreteMove>> Concrete::reactions(const ConcreteState& state, uint64_t seed) {
  return collect(state, Want::Reactions, seed);
}

std::optional<std::vector<ConcreteMove>> Concrete::unobservable(const ConcreteState& state) {
  return collect(state, Want::Unobservable, 0);
}

std::optional<std::vector<ConcreteMove>> Concrete::inputs(const ConcreteState& state, uint64_t seed) {
  return collect(state, Want::Inputs, seed);
}

std::optional<std::vector<ConcreteMove>> Concrete::on(const ConcreteState& state, Visibility visibility,
                                                      ir::ChannelId channel, const std::vector<Value>& values) {
  std::vector<ConcreteMove> moves;
  const auto& parameters = model_[channel].parameters;
  for (size_t i = 0; i < parameters.size(); ++i)
    if (!eval::fits(model_, parameters[i].type, values[i]))
      return moves;
  load(state);
  if (!storeMessage(channel, values))
    return std::nullopt;
  bool ok = true;
  network_.forEachMove(state.locations, [&](const Move& move) {
    if (move.visibility == visibility && move.channel == channel)
      ok = ok && complete(state, move, moves);
  });
  return ok ? std::optional(std::move(moves)) : std::nullopt;
}

ConcreteState Concrete::successor(const ConcreteState& state, const ConcreteMove& move, const Rational& delay) {
  ConcreteState next = state;
  load(state);
  if (move.channel.valid())
    storeMessage(move.channel, move.values);
  std::vector<ClockAfter> clocks;
  for (const Rational& clock : state.clocks)
    clocks.push_back({clock, true});
  clocks[0].runs = false;
  apply(move.edges, frame_.data(), clocks);
  for (size_t i = 0; i < clocks.size(); ++i)
    next.clocks[i] = clocks[i].runs ? clocks[i].value + delay : std::move(clocks[i].value);
  std::copy_n(frame_.begin(), next.variables.size(), next.variables.begin());
  for (EdgeId id : move.edges)
    next.locations[network_.componentOf(id)] = model_[id].target;
  return next;
}

} // namespace tioc::semantics
