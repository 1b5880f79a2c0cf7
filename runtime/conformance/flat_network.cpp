#include "runtime/conformance/flat_network.hpp"

#include <algorithm>
#include <cstring>

namespace tioc::conformance {

using eval::Slot;
using ir::EdgeId;
using ir::Rational;
using semantics::ConcreteMove;
using semantics::ConcreteState;
using semantics::Deadline;
using semantics::Messages;
using semantics::Move;
using semantics::Visibility;

namespace {

/// Sums of a few times stay within 64 bits.
constexpr int64_t kMostTicks = int64_t{1} << 60;
/// Unobservable steps that are followed within one wait, and messages that are tried for one of them.
constexpr size_t kMostUnseen = 1000;
constexpr uint64_t kMostMessages = 1024;

} // namespace

// ---- rows

int64_t* Rows::draft() {
  if (words_.size() < (count_ + 1) * width_)
    words_.resize((count_ + 1) * width_ * 2);
  return words_.data() + count_ * width_;
}

void Rows::keep() {
  const int64_t* draft = words_.data() + count_ * width_;
  for (size_t i = 0; i < count_; ++i)
    if (std::memcmp((*this)[i], draft, width_ * sizeof(int64_t)) == 0)
      return;
  ++count_;
}

// ---- structure

FlatNetwork::FlatNetwork(const semantics::Network& network)
    : network_(network), model_(network.model()), concrete_(network), layout_(concrete_.layout()),
      code_(layout_, eval::Mode::Auto), messages_(network, layout_, kMostMessages), variables_(network.size()),
      clocks_(variables_ + layout_.stateSize()), width_(clocks_ + network.dim()), at_(network.size()) {
  edgeClocks_.resize(model_.edges.size());
  invariants_.resize(model_.locations.size());
  for (uint32_t c = 0; c < network.size(); ++c) {
    const ir::Automaton& automaton = model_[network.component(c)];
    for (ir::LocationId id : automaton.locations)
      usable_ = usable_ && read(model_[id].invariant.clocks, invariants_[id.value]);
    for (EdgeId id : automaton.edges) {
      const ir::Edge& edge = model_[id];
      EdgeClocks& clocks = edgeClocks_[id.value];
      usable_ = usable_ && read(edge.guard.clocks, clocks.guard) &&
                read((edge.deadline ? *edge.deadline : edge.guard).clocks, clocks.deadline);
      clocks.hasUpperBound = std::any_of(clocks.deadline.begin(), clocks.deadline.end(),
                                         [](const Bound& bound) { return bound.left != 0 && bound.right == 0; });
      for (const ir::Reset& reset : edge.resets) {
        const Rational* value = model_.exprs.number(reset.value);
        usable_ = usable_ && (value || reset.source.valid());
        clocks.resets.push_back({network.clock(reset.clock),
                                 reset.source.valid() ? network.clock(reset.source) : zones::Clock(0),
                                 value ? *value : Rational(), 0});
      }
    }
  }
  size_t widest = 0;
  for (const ir::Channel& channel : model_.channels) {
    size_t size = 0;
    for (const ir::Member& parameter : channel.parameters)
      size += layout_.sizeOf(parameter.type);
    widest = std::max(widest, size);
  }
  frame_.resize(std::max<size_t>(layout_.frameSize(), layout_.stateSize() + widest));
  after_.resize(frame_.size());
  oldClocks_.resize(network.dim());
  usable_ = usable_ && setTicks(1);
}

bool FlatNetwork::read(const std::vector<ir::ClockConstraint>& clocks, std::vector<Bound>& bounds) {
  for (const ir::ClockConstraint& c : clocks) {
    const Rational* value = model_.exprs.number(c.bound);
    if (!value)
      return false;
    bounds.push_back({network_.clock(c.left), network_.clock(c.right), c.strict, *value, 0});
  }
  return true;
}

// ---- ticks

namespace {

std::optional<int64_t> scaled(const Rational& time, int64_t ticksPerUnit) {
  const std::optional<int64_t> ticks = (time * Rational(ticksPerUnit)).toInt64();
  const bool fits = ticks && -kMostTicks < *ticks && *ticks < kMostTicks;
  return fits ? ticks : std::nullopt;
}

} // namespace

/// The bounds in ticks of at least this fineness; false if that is too fine.
bool FlatNetwork::setTicks(int64_t ticksPerUnit) {
  Rational finest = ticksPerUnit;
  const auto include = [&](const Rational& value) { finest = lcm(finest, value.denominator()); };
  const auto forAll = [&](const auto& visit) {
    for (EdgeClocks& edge : edgeClocks_) {
      for (std::vector<Bound>* bounds : {&edge.guard, &edge.deadline})
        for (Bound& bound : *bounds)
          visit(bound.value, bound.ticks);
      for (Reset& reset : edge.resets)
        visit(reset.value, reset.ticks);
    }
    for (std::vector<Bound>& bounds : invariants_)
      for (Bound& bound : bounds)
        visit(bound.value, bound.ticks);
  };
  forAll([&](const Rational& value, int64_t&) { include(value); });
  const std::optional<int64_t> fine = finest.toInt64();
  if (!fine || *fine > kMostTicks)
    return false;
  bool ok = true;
  forAll([&](const Rational& value, int64_t& ticks) {
    const std::optional<int64_t> exact = scaled(value, *fine);
    ok = ok && exact;
    ticks = exact.value_or(0);
  });
  ticksPerUnit_ = *fine;
  return ok;
}

std::optional<int64_t> FlatNetwork::ticks(const Rational& time, std::span<Rows* const> rows) {
  if (const auto exact = scaled(time, ticksPerUnit_))
    return exact;
  const int64_t before = ticksPerUnit_;
  const std::optional<int64_t> finer = lcm(Rational(before), time.denominator()).toInt64();
  const auto forAll = [&](const auto& visit) {
    return std::all_of(rows.begin(), rows.end(), [&](Rows* set) {
      for (size_t i = 0; i < set->size(); ++i)
        if (!std::all_of((*set)[i] + clocks_, (*set)[i] + width_, visit))
          return false;
      return true;
    });
  };
  if (finer && *finer != before && setTicks(*finer)) {
    const int64_t factor = ticksPerUnit_ / before;
    if (scaled(time, ticksPerUnit_) && forAll([&](int64_t& clock) { return clock <= kMostTicks / factor; })) {
      forAll([&](int64_t& clock) {
        clock *= factor;
        return true;
      });
      return scaled(time, ticksPerUnit_);
    }
  }
  setTicks(before);
  return std::nullopt;
}

ConcreteState FlatNetwork::state(const int64_t* row) const {
  ConcreteState state;
  for (size_t i = 0; i < variables_; ++i)
    state.locations.emplace_back(static_cast<size_t>(row[i]));
  state.variables.assign(row + variables_, row + clocks_);
  for (size_t i = clocks_; i < width_; ++i)
    state.clocks.push_back(time(row[i]));
  return state;
}

bool FlatNetwork::setRow(const ConcreteState& state, int64_t* row) const {
  for (size_t i = 0; i < variables_; ++i)
    row[i] = state.locations[i].value;
  std::copy(state.variables.begin(), state.variables.end(), row + variables_);
  for (size_t i = clocks_; i < width_; ++i) {
    const std::optional<int64_t> exact = scaled(state.clocks[i - clocks_], ticksPerUnit_);
    if (!exact)
      return false;
    row[i] = *exact;
  }
  return true;
}

void FlatNetwork::load(const int64_t* row) {
  for (size_t i = 0; i < variables_; ++i)
    at_[i] = ir::LocationId(static_cast<size_t>(row[i]));
  std::copy(row + variables_, row + clocks_, frame_.begin());
}

// ---- steps

FlatNetwork::Result FlatNetwork::start(Rows& to) {
  for (ir::VariableId id : network_.variables())
    if (!model_[id].initial.valid())
      return Result::Open;
  const std::optional<ConcreteState> first = concrete_.initial(0);
  to.clear();
  edges_.clear();
  if (!first || !setRow(*first, to.draft()))
    return Result::Open;
  to.keep();
  return Result::Done;
}

bool FlatNetwork::holds(const std::vector<Bound>& bounds, const int64_t* clocks) {
  return std::all_of(bounds.begin(), bounds.end(), [&](const Bound& bound) {
    const int64_t difference = clocks[bound.left] - clocks[bound.right];
    return bound.strict ? difference < bound.ticks : difference <= bound.ticks;
  });
}

bool FlatNetwork::narrow(const std::vector<Bound>& bounds, const int64_t* clocks, Span& span) {
  for (const Bound& bound : bounds) {
    const int64_t slack = bound.ticks - (clocks[bound.left] - clocks[bound.right]);
    if ((bound.left == 0) == (bound.right == 0)) {
      if (bound.strict ? slack <= 0 : slack < 0)
        return false;
    } else if (bound.right == 0) {
      if (slack < span.high || (slack == span.high && bound.strict)) {
        span.high = slack;
        span.highOpen = bound.strict;
      }
    } else if (-slack > span.low || (-slack == span.low && bound.strict)) {
      span.low = -slack;
      span.lowOpen = bound.strict;
    }
  }
  return span.low < span.high || (span.low == span.high && !span.lowOpen && !span.highOpen);
}

bool FlatNetwork::isInvariant(const int64_t* row) const {
  for (size_t i = 0; i < variables_; ++i) {
    const ir::LocationId id(static_cast<size_t>(row[i]));
    if (!holds(invariants_[id.value], clocksOf(row)))
      return false;
    const ir::ExprId data = model_[id].invariant.data;
    if (model_.exprs.isTrue(data))
      continue;
    const eval::Result result = eval::evaluate(layout_, data, nullptr, row + variables_);
    if (!result.ok() || !result.value.isTrue())
      return false;
  }
  return true;
}

/// The edges step together now, their guards hold, and the message is in the frame.
FlatNetwork::Result FlatNetwork::take(const int64_t* row, std::span<const EdgeId> edges, Rows& to) {
  int64_t* next = to.draft();
  std::copy(row, row + width_, next);
  std::copy(frame_.begin(), frame_.end(), after_.begin());
  for (EdgeId id : edges) {
    next[network_.componentOf(id)] = model_[id].target.value;
    switch (code_.update(id, after_.data(), after_.data())) {
    case eval::Taken::No:
      return Result::Done;
    case eval::Taken::Stuck:
      return Result::Open;
    case eval::Taken::Yes:
      break;
    }
    const std::vector<Reset>& resets = edgeClocks_[id.value].resets;
    if (resets.empty())
      continue;
    std::copy(next + clocks_, next + width_, oldClocks_.begin());
    for (const Reset& reset : resets)
      next[clocks_ + reset.clock] = reset.source != 0 ? oldClocks_[reset.source] : reset.ticks;
  }
  std::copy_n(after_.begin(), clocks_ - variables_, next + variables_);
  if (!isInvariant(next))
    return Result::Done;
  to.keep();
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  return Result::Done;
}

FlatNetwork::Result FlatNetwork::observe(const Rows& from, Visibility kind, ir::ChannelId channel,
                                         const std::vector<eval::Value>& values, Rows& to) {
  to.clear();
  edges_.clear();
  const auto& parameters = model_[channel].parameters;
  Slot* message = frame_.data() + layout_.stateSize();
  for (size_t i = 0; i < parameters.size(); message += layout_.sizeOf(parameters[i].type), ++i)
    if (!layout_.store(parameters[i].type, values[i], message))
      return Result::Open;
  bool ok = true;
  for (size_t i = 0; ok && i < from.size(); ++i) {
    const int64_t* row = from[i];
    load(row);
    network_.forEachMove(at_, [&](const Move& move) {
      if (move.visibility != kind || move.channel != channel)
        return;
      if (move.broadcast) {
        ok = false;
        return;
      }
      const auto isEnabled = [&](EdgeId id) {
        return holds(edgeClocks_[id.value].guard, clocksOf(row)) && code_.holds(id, frame_.data());
      };
      if (ok && std::all_of(move.edges.begin(), move.edges.end(), isEnabled))
        ok = take(row, move.edges, to) == Result::Done;
    });
  }
  return ok ? Result::Done : Result::Open;
}

// ---- time

/// Whether the deadline lets so much time pass.
FlatNetwork::Yes FlatNetwork::limits(const Deadline& deadline, const int64_t* row, int64_t delay) {
  const bool eager = deadline.urgency == ir::Urgency::Eager;
  Span span;
  for (EdgeId id : deadline.edges)
    if (!narrow(edgeClocks_[id.value].deadline, clocksOf(row), span))
      return Yes::Yes;
  const bool passes = eager ? delay <= span.low : delay < span.high || (delay == span.high && !span.highOpen);
  if (passes)
    return Yes::Yes;
  // Time is over if some message is possible.
  const Messages::Plan& plan =
      messages_.plan(model_[deadline.edges[0]].channel, deadline.edges, Messages::By::Deadline, false);
  const auto dataHolds = [&](EdgeId id) {
    if (!model_[id].deadline)
      return code_.holds(id, frame_.data());
    const eval::Result data = eval::evaluate(layout_, model_[id].deadline->data, &model_[id], frame_.data());
    return data.ok() && data.value.isTrue();
  };
  switch (messages_.forEach(plan, frame_.data(),
                            [&] { return !std::all_of(deadline.edges.begin(), deadline.edges.end(), dataHolds); })) {
  case Messages::Answer::Done:
    return Yes::Yes;
  case Messages::Answer::Stopped:
    return Yes::No;
  default:
    return Yes::Open;
  }
}

FlatNetwork::Yes FlatNetwork::mayStay(const int64_t* row, int64_t delay) {
  if (delay == 0)
    return Yes::Yes;
  load(row);
  if (network_.stopsTime(at_))
    return Yes::No;
  for (ir::LocationId id : at_) {
    Span span;
    if (!narrow(invariants_[id.value], clocksOf(row), span) || delay > span.high ||
        (delay == span.high && span.highOpen))
      return Yes::No;
  }
  if (!network_.mayBind(at_))
    return Yes::Yes;
  Yes answer = Yes::Yes;
  network_.forEachDeadline(at_, [&](const Deadline& deadline) {
    if (answer == Yes::Yes)
      answer = limits(deadline, row, delay);
  });
  if (answer == Yes::No || !network_.hasLocationDeadlines())
    return answer;
  const std::optional<semantics::Window> delays = concrete_.delays(state(row));
  return !delays ? Yes::Open : delays->contains(time(delay)) ? Yes::Yes : Yes::No;
}

/// Whether an unobservable step may come within the delay, as far as guards tell.
bool FlatNetwork::mayStepUnseen(const int64_t* row, int64_t delay) {
  load(row);
  bool found = false;
  network_.forEachMove(at_, [&](const Move& move) {
    if (found || move.visibility != Visibility::Unobservable)
      return;
    Span span;
    for (EdgeId id : move.edges)
      if (!narrow(edgeClocks_[id.value].guard, clocksOf(row), span))
        return;
    if (span.low > delay || (span.low == delay && span.lowOpen))
      return;
    const Messages::Plan& plan = messages_.plan(move.channel, move.edges, Messages::By::Guard, move.broadcast);
    const auto answer = messages_.forEach(plan, frame_.data(), [&] {
      return !std::all_of(move.edges.begin(), move.edges.end(),
                          [&](EdgeId id) { return code_.holds(id, frame_.data()); });
    });
    found = answer != Messages::Answer::Done;
  });
  return found;
}

/// The row together with everything it can become by unobservable steps within the delay.
FlatNetwork::Result FlatNetwork::waitUnseen(const int64_t* row, int64_t delay, Rows& to) {
  struct Later {
    ConcreteState state;
    Rational rest;
    bool operator==(const Later&) const = default;
  };
  std::vector<Later> work{{state(row), time(delay)}};
  for (size_t i = 0; i < work.size(); ++i) {
    const Later now = work[i];
    const std::optional<semantics::Window> delays = concrete_.delays(now.state);
    const auto moves = delays ? concrete_.unobservable(now.state) : std::nullopt;
    if (!moves || work.size() > kMostUnseen)
      return Result::Open;
    if (delays->contains(now.rest)) {
      ConcreteState later = now.state;
      later.advance(now.rest);
      if (!setRow(later, to.draft()))
        return Result::Open;
      to.keep();
    }
    for (const ConcreteMove& move : *moves) {
      semantics::Window window = move.window;
      window.intersect(*delays);
      window.keepTo(now.rest, false);
      if (window.isEmpty())
        continue;
      if (*window.high != window.low)
        return Result::Open;
      Later next{concrete_.successor(now.state, move, window.low), now.rest - window.low};
      if (std::find(work.begin(), work.end(), next) == work.end())
        work.push_back(std::move(next));
      edges_.insert(edges_.end(), move.edges.begin(), move.edges.end());
    }
  }
  return Result::Done;
}

FlatNetwork::Result FlatNetwork::wait(const Rows& from, int64_t delay, Rows& to) {
  to.clear();
  edges_.clear();
  for (size_t i = 0; i < from.size(); ++i) {
    const int64_t* row = from[i];
    if (mayStepUnseen(row, delay)) {
      if (waitUnseen(row, delay, to) == Result::Open)
        return Result::Open;
      continue;
    }
    switch (mayStay(row, delay)) {
    case Yes::No:
      continue;
    case Yes::Open:
      return Result::Open;
    case Yes::Yes:
      break;
    }
    int64_t* next = to.draft();
    std::copy(row, row + width_, next);
    for (size_t c = clocks_ + 1; c < width_; ++c)
      next[c] += delay;
    to.keep();
  }
  return Result::Done;
}

} // namespace tioc::conformance
