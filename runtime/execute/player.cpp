#include "runtime/execute/player.hpp"

#include <algorithm>

namespace tioc::execute {

using ir::Rational;
using semantics::Window;

Player::Player(Machine& machine, PlayOptions options)
    : machine_(machine), options_(std::move(options)), dice_(options_.seed) {}

void Player::end(std::string text, std::vector<std::string>& answers) {
  answers.push_back(wire::write(machine_.model(), wire::Error{std::move(text)}));
  ended_ = true;
}

void Player::hear(const std::string& line, const Rational& now, std::vector<std::string>& answers) {
  if (ended_)
    return;
  if (unit_)
    run(now, answers);
  wire::Reading reading = wire::read(machine_.model(), line);
  if (const std::string* wrong = std::get_if<std::string>(&reading))
    return end("bad line: " + *wrong, answers);
  const wire::Line& said = std::get<wire::Line>(reading);
  if (const auto* first = std::get_if<wire::Start>(&said))
    return start(*first, answers);
  if (!started_)
    return end("the first line must be a start", answers);
  if (const auto* message = std::get_if<wire::Message>(&said); message && !message->output)
    return input(*message, answers);
  const auto* wait = std::get_if<wire::Advance>(&said);
  if (!wait)
    return end("a tester does not say that", answers);
  if (unit_)
    return end("time is real here and passes by itself", answers);
  advance(now_ + wait->delay, true, answers);
  if (!ended_)
    answers.push_back(wire::write(machine_.model(), wire::Now{now_}));
}

void Player::start(const wire::Start& start, std::vector<std::string>& answers) {
  if (started_)
    return end("started twice", answers);
  if (start.unit && options_.virtualOnly)
    return end("this system runs in virtual time only", answers);
  if (!machine_.start(dice_))
    return end(machine_.problem().text, answers);
  started_ = true;
  unit_ = start.unit;
  answers.push_back(wire::write(machine_.model(), wire::Ready{}));
  if (unit_ && !plan())
    end(machine_.problem().text, answers);
}

void Player::input(const wire::Message& message, std::vector<std::string>& answers) {
  Machine::Acceptance acceptance = machine_.accept(message.channel, message.values, dice_);
  // What the machine does unseen at this very instant may make it ready.
  for (unsigned i = 0; acceptance == Machine::Acceptance::Refused && i < options_.stepsPerGrain; ++i) {
    if (!planned_ && !plan())
      return end(machine_.problem().text, answers);
    if (!step_ || at_ != now_ || step_->output.valid())
      break;
    machine_.take(Step(std::move(*step_)));
    planned_ = false;
    acceptance = machine_.accept(message.channel, message.values, dice_);
  }
  switch (acceptance) {
  case Machine::Acceptance::Taken:
    planned_ = false;
    if (unit_ && !plan())
      end(machine_.problem().text, answers);
    return;
  case Machine::Acceptance::Refused:
    if (options_.refusal == Refusal::Stop)
      end("the model does not accept '" + machine_.model()[message.channel].name + "' at " + now_.toString(), answers);
    return;
  case Machine::Acceptance::Failed:
    return end(machine_.problem().text, answers);
  }
}

void Player::run(const Rational& now, std::vector<std::string>& answers) {
  if (!ended_ && started_ && now > now_)
    advance(now, false, answers);
}

std::optional<Rational> Player::next() const {
  if (!started_ || ended_ || !planned_)
    return std::nullopt;
  if (step_)
    return at_;
  return limit_.high;
}

void Player::advance(const Rational& until, bool stopAtOutput, std::vector<std::string>& answers) {
  while (true) {
    if (!planned_ && !plan())
      return end(machine_.problem().text, answers);
    if (!step_ || at_ > until)
      break;
    machine_.advance(at_ - now_);
    now_ = at_;
    const Step step = std::move(*step_);
    machine_.take(step);
    planned_ = false;
    if (now_ - mark_ >= options_.grain) {
      mark_ = now_;
      stepsSinceMark_ = 0;
    }
    if (++stepsSinceMark_ > options_.stepsPerGrain)
      return end("the model makes steps without end behind " + mark_.toString(), answers);
    if (!step.output.valid())
      continue;
    answers.push_back(wire::write(machine_.model(), wire::Message{true, step.output, step.values, now_}));
    if (stopAtOutput)
      return;
  }
  if (!limit_.contains(until))
    return end("the model lets no time pass behind " + limit_.high->toString() + " and has nothing to do", answers);
  machine_.advance(until - now_);
  now_ = until;
}

/// Decides what comes next if nobody speaks. A step of every channel has the same chance, however many messages it has.
bool Player::plan() {
  const std::optional<Outlook> outlook = machine_.outlook(dice_);
  if (!outlook)
    return false;
  planned_ = true;
  step_.reset();
  limit_ = {now_, false, std::nullopt, outlook->delays.highOpen};
  if (outlook->delays.high)
    limit_.high = now_ + *outlook->delays.high;
  std::vector<const Step*> candidates;
  for (const Step& step : outlook->steps)
    candidates.push_back(&step);
  if (options_.policy == Policy::Earliest && !candidates.empty()) {
    const auto first = [&](const Step* a, const Step* b) { return early(a->window) < early(b->window); };
    const Rational least = early((*std::min_element(candidates.begin(), candidates.end(), first))->window);
    std::erase_if(candidates, [&](const Step* step) { return early(step->window) != least; });
  }
  if (options_.policy == Policy::Latest && !candidates.empty()) {
    std::optional<Rational> most = late(candidates[0]->window);
    for (const Step* step : candidates)
      if (const auto end = late(step->window); most && (!end || *end > *most))
        most = end;
    std::erase_if(candidates, [&](const Step* step) { return late(step->window) != most; });
  }
  constexpr unsigned kSilence = 20; // percent
  if (candidates.empty() || (!outlook->delays.high && options_.policy == Policy::Random && dice_.chance(kSilence)))
    return true;
  std::vector<ir::ChannelId> channels;
  for (const Step* step : candidates)
    if (std::find(channels.begin(), channels.end(), step->output) == channels.end())
      channels.push_back(step->output);
  const ir::ChannelId channel = channels[dice_.below(channels.size())];
  std::erase_if(candidates, [&](const Step* step) { return step->output != channel; });
  const Step& chosen = *candidates[dice_.below(candidates.size())];
  if (const std::optional<Rational> delay = choose(chosen.window)) {
    step_ = chosen;
    at_ = now_ + *delay;
  }
  return true;
}

/// The first delay, or one near it where there is no first.
Rational Player::early(const Window& window) const {
  if (!window.lowOpen)
    return window.low;
  return window.high ? window.low + std::min(options_.grain, (*window.high - window.low) / Rational(2))
                     : window.low + options_.grain;
}

std::optional<Rational> Player::late(const Window& window) const {
  if (!window.high || !window.highOpen)
    return window.high;
  return *window.high - std::min(options_.grain, (*window.high - window.low) / Rational(2));
}

/// A delay in the window; nothing: wait for ever.
std::optional<Rational> Player::choose(const Window& window) {
  if (options_.policy == Policy::Earliest)
    return early(window);
  if (options_.policy == Policy::Latest)
    return late(window);
  constexpr unsigned kBorder = 20; // percent, for each end
  if (dice_.chance(kBorder))
    return early(window);
  if (window.high && dice_.chance(kBorder))
    return late(window);
  const Rational end = window.high ? *window.high : window.low + options_.horizon;
  const Rational first = -((-(now_ + window.low)) / options_.grain).floor(); // rounded up
  const std::optional<int64_t> count = (((now_ + end) / options_.grain).floor() - first).toInt64();
  if (!count || *count < 0)
    return early(window);
  const auto offset = static_cast<int64_t>(dice_.below(static_cast<uint64_t>(*count) + 1));
  const Rational delay = (first + Rational(offset)) * options_.grain - now_;
  return window.contains(delay) ? delay : early(window);
}

} // namespace tioc::execute
