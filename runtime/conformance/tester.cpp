#include "runtime/conformance/tester.hpp"

#include "ir/passes.hpp"
#include "runtime/execute/machine.hpp"

#include <algorithm>
#include <ctime>
#include <utility>

namespace tioc::conformance {

using ir::Rational;
using semantics::Window;

namespace {

/// What the tester itself has worked, whatever else the machine does.
int64_t worked() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

/// Steps of automata to an edge that was not taken, guards aside.
class Distances {
public:
  explicit Distances(const ir::Model& model) : model_(model) {}

  /// By location; 0: such an edge leaves it.
  const std::vector<uint32_t>& update(const std::vector<bool>& taken) {
    if (taken == taken_ && !distances_.empty())
      return distances_;
    taken_ = taken;
    distances_.assign(model_.locations.size(), kFar);
    for (size_t i = 0; i < taken.size(); ++i)
      if (isOpen(i))
        distances_[model_.edges[i].source.value] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (const ir::Edge& edge : model_.edges) {
        const uint32_t over = distances_[edge.target.value] + 1;
        if (distances_[edge.target.value] != kFar && over < distances_[edge.source.value]) {
          distances_[edge.source.value] = over;
          changed = true;
        }
      }
    }
    return distances_;
  }
  /// How far it is over these edges to one that was not taken; 0: one of them.
  uint32_t over(const std::vector<ir::EdgeId>& edges) const {
    uint32_t best = kFar;
    for (ir::EdgeId id : edges)
      best = std::min(best, isOpen(id.value) ? 0 : std::min(kFar - 1, distances_[model_[id].target.value]) + 1);
    return best;
  }

private:
  static constexpr uint32_t kFar = UINT32_MAX;
  bool isOpen(size_t edge) const { return !taken_[edge] && !ir::isImplicit(model_.edges[edge]); }

  const ir::Model& model_;
  std::vector<bool> taken_;
  std::vector<uint32_t> distances_;
};

class Tester {
public:
  Tester(Tracker& tracker, execute::Adapter& adapter, const TesterOptions& options,
         const std::function<void(const Event&)>& onEvent)
      : tracker_(tracker), options_(options), onEvent_(onEvent), session_(tracker.model(), adapter, options.session),
        judge_(tracker, false, options.tolerance), dice_(options.seed), distances_(tracker.model()) {}

  TesterRun run() {
    if (!session_.start())
      return broken();
    judge_.begin();
    if (options_.looks)
      outputs_ = options_.looks->start;
    bool goesOn = true;
    for (uint64_t step = 0; goesOn && step < options_.steps; ++step) {
      busy_ = 0;
      const std::optional<bool> done = this->step();
      result_.nanoseconds.push_back(static_cast<uint32_t>(busy_));
      if (!done)
        return broken();
      goesOn = *done;
    }
    result_.judgement = judge_.end();
    if (result_.judgement.verdict == Verdict::Pass)
      result_.judgement.reason = "nothing else than the specification allows";
    return std::move(result_);
  }

private:
  /// What the tester is going to do if the system stays silent.
  struct Plan {
    Rational until;
    std::optional<Chance> input;
  };

  /// False: the verdict stands. Nothing: the system failed.
  std::optional<bool> step() {
    const int64_t begin = worked();
    const Plan plan = kept_ ? *std::exchange(kept_, std::nullopt) : this->plan();
    busy_ += worked() - begin;
    const bool looks = options_.looks && nextLook_ <= plan.until;
    execute::Seen seen;
    for (bool waits = true; waits;) {
      if (isLate())
        return std::nullopt;
      switch (session_.await(looks ? nextLook_ : plan.until, seen)) {
      case execute::Session::Next::Trouble:
        return std::nullopt;
      case execute::Session::Next::Output:
        heard_ = std::max(heard_, seen.time);
        if (!options_.looks)
          return take({Event::Kind::Output, seen.channel, std::move(seen.values), later(seen.time)});
        outputs_ = std::move(seen.values);
        break;
      case execute::Session::Next::Timeout:
        waits = false;
      }
    }
    heard_ = session_.now();
    if (looks) {
      const Rational time = std::exchange(nextLook_, nextLook_ + options_.looks->period);
      kept_ = plan; // a look gives the system nothing new to do
      return take({Event::Kind::Output, options_.looks->outputs, outputs_, later(time)});
    }
    // The tester may have woken up too late for the input.
    if (!plan.input || !(session_.isVirtual() || plan.input->window.contains(heard_)))
      return take({Event::Kind::Silence, {}, {}, later(plan.until)});
    if (!mayGive(*plan.input, later(plan.until)))
      return take({Event::Kind::Silence, {}, {}, later(plan.until)});
    const std::optional<Rational> sent = session_.send(plan.input->channel, plan.input->values);
    if (!sent)
      return std::nullopt;
    return take({Event::Kind::Input, plan.input->channel, plan.input->values, later(*sent)});
  }

  /// Whether the system accepts the input then, whatever state it is in. Silence until then has been seen.
  bool mayGive(const Chance& input, const Rational& time) {
    const int64_t begin = worked();
    const bool may = tracker_.wait(time) != Answer::No && tracker_.isAccepted(input.channel, input.values);
    busy_ += worked() - begin;
    return may;
  }

  /// An output waited for the tester, which was busy for longer than the tolerance: its time is not known.
  bool isLate() {
    if (session_.isVirtual())
      return false;
    const bool late = session_.now() - heard_ > options_.tolerance && session_.pending() != nullptr;
    heard_ = session_.now();
    if (late)
      trouble_ = "the tester was too slow to say when an output came: its own work took longer than the tolerance";
    return late;
  }

  /// Measured times never run backwards.
  Rational later(const Rational& time) const { return std::max(time, tracker_.now()); }

  bool take(Event event) {
    const int64_t begin = worked();
    const bool goesOn = judge_.take(event);
    busy_ += worked() - begin;
    if (onEvent_)
      onEvent_(event);
    result_.events.push_back(std::move(event));
    return goesOn;
  }

  TesterRun broken() {
    result_.broken = true;
    result_.judgement.verdict = Verdict::InconcU;
    result_.judgement.events = judge_.events();
    result_.judgement.reason = trouble_.empty() ? session_.trouble() : trouble_;
    return std::move(result_);
  }

  Plan plan() {
    const Outlook outlook = tracker_.outlook();
    std::vector<Chance> inputs = tracker_.stimuli(dice_.next());
    std::erase_if(inputs, [&](const Chance& chance) { return !chooseTime(chance.window, 0); });
    constexpr unsigned kWait = 40; // percent, where something may come
    bool listens = inputs.empty() || (!outlook.outputs.empty() && dice_.chance(kWait));
    if (options_.strategy == Strategy::Coverage) {
      distances_.update(tracker_.taken());
      uint32_t best = UINT32_MAX;
      for (const Chance& chance : inputs)
        best = std::min(best, distances_.over(chance.edges));
      for (const Chance& chance : outlook.outputs)
        listens |= distances_.over(chance.edges) < best;
      constexpr unsigned kStray = 15; // percent: what looks near may lead nowhere
      if (!listens && !dice_.chance(kStray))
        std::erase_if(inputs, [&](const Chance& chance) { return distances_.over(chance.edges) != best; });
    }
    if (!listens) {
      const Chance& chosen = choose(inputs);
      if (const auto time = chooseTime(chosen.window, dice_.next()))
        return {*time, chosen};
    }
    // Beyond the last instant of silence, so that one that lasts longer is seen.
    if (outlook.silence.high)
      return {*outlook.silence.high + options_.tolerance * Rational(3) + Rational(1), std::nullopt};
    return {tracker_.now() + wholeGrains(options_.patience, dice_.next()), std::nullopt};
  }

  /// By the normalised weights of their edges.
  const Chance& choose(const std::vector<Chance>& inputs) {
    const auto weightOf = [&](const Chance& chance) { return tracker_.model()[chance.edges[0]].weight; };
    Rational sum;
    for (const Chance& chance : inputs)
      sum = sum + weightOf(chance);
    const bool even = std::all_of(inputs.begin(), inputs.end(),
                                  [&](const Chance& chance) { return weightOf(chance) == weightOf(inputs[0]); });
    if (even || sum.isZero())
      return inputs[dice_.below(inputs.size())];
    // Weights are exact; chance needs no more parts than this.
    constexpr uint64_t kParts = 1 << 20;
    Rational pick = sum * Rational(static_cast<int64_t>(dice_.below(kParts)), kParts);
    for (const Chance& chance : inputs) {
      if (pick < weightOf(chance))
        return chance;
      pick = pick - weightOf(chance);
    }
    return inputs.back();
  }

  Rational wholeGrains(const Rational& most, uint64_t number) const {
    const std::optional<int64_t> count = (most / options_.grain).floor().toInt64();
    return options_.grain * Rational(static_cast<int64_t>(number % (static_cast<uint64_t>(count.value_or(0)) + 1)));
  }

  /// An instant in the window: often one of its ends. Nothing if it has passed.
  std::optional<Rational> chooseTime(const Window& window, uint64_t number) const {
    const Rational begin = std::max(window.low, session_.now());
    const Rational end = window.high ? *window.high : begin + options_.patience;
    if (end < begin)
      return std::nullopt;
    std::vector<Rational> candidates{begin, end};
    candidates.push_back(begin + wholeGrains(end - begin, number / 4));
    candidates.push_back((begin + end) / Rational(2));
    for (size_t i = 0; i < candidates.size(); ++i) {
      const Rational& time = candidates[(number + i) % candidates.size()];
      if (window.contains(time) && time >= begin)
        return time;
    }
    return std::nullopt;
  }

  Tracker& tracker_;
  const TesterOptions& options_;
  const std::function<void(const Event&)>& onEvent_;
  execute::Session session_;
  Judge judge_;
  execute::Dice dice_;
  Distances distances_;
  int64_t busy_ = 0;                 // in this step, in nanoseconds
  Rational heard_;                   // when the tester last listened
  std::vector<eval::Value> outputs_; // of a controller that is looked at now and then
  Rational nextLook_;
  std::optional<Plan> kept_; // still to be done behind a look
  std::string trouble_;
  TesterRun result_;
};

} // namespace

TesterRun testOnTheFly(Tracker& tracker, execute::Adapter& adapter, const TesterOptions& options,
                       const std::function<void(const Event&)>& onEvent) {
  return Tester(tracker, adapter, options, onEvent).run();
}

std::string logLine(const ir::Model& model, const Event& event) {
  namespace wire = execute::wire;
  if (event.kind == Event::Kind::Silence)
    return wire::write(model, wire::Now{event.time});
  return wire::write(model, wire::Message{event.kind == Event::Kind::Output, event.channel, event.values, event.time});
}

} // namespace tioc::conformance
