#include "conformance/ests_reference_tracker.hpp"

#include <algorithm>

namespace tioc::conformance {

using ir::Rational;
using semantics::reference::Observable;
using semantics::reference::Value;

namespace {

std::vector<Value> plain(const std::vector<eval::Value>& values) {
  std::vector<Value> result;
  for (const eval::Value& value : values)
    result.push_back({value.number, {}});
  return result;
}

} // namespace

void EstsReferenceTracker::add(std::vector<World>& worlds, World world) {
  if (std::find(worlds.begin(), worlds.end(), world) == worlds.end())
    worlds.push_back(std::move(world));
}

void EstsReferenceTracker::add(std::vector<World>& worlds, const Reactions& reactions) {
  for (const auto& reaction : reactions)
    add(worlds, {reaction.end, reaction.seen, reaction.rest});
}

EstsReferenceTracker::Answer EstsReferenceTracker::keep(std::vector<World>&& worlds) {
  if (composition_.isEndless() || composition_.hasGivenUp() || worlds.size() > kMost)
    return Answer::TooLarge;
  if (worlds.empty())
    return Answer::No;
  worlds_ = std::move(worlds);
  return Answer::Yes;
}

EstsReferenceTracker::Answer EstsReferenceTracker::start() {
  now_ = 0;
  std::vector<World> worlds;
  add(worlds, composition_.start());
  return keep(std::move(worlds));
}

/// Timeouts up to then have come, those at the very instant perhaps.
EstsReferenceTracker::Answer EstsReferenceTracker::wait(const Rational& time) {
  std::vector<World> work = worlds_, next;
  for (size_t i = 0; i < work.size() && work.size() <= kMost; ++i) {
    const World world = work[i];
    if (std::any_of(world.pending.begin(), world.pending.end(), [&](const Observable& o) { return o.time < time; }))
      continue;
    const std::optional<Rational> due = world.pending.empty() ? composition_.nextTimeout(world.at) : std::nullopt;
    if (!due || *due >= time)
      add(next, world);
    if (due && *due <= time)
      add(work, composition_.wait(world.at));
    if (composition_.isEndless() || composition_.hasGivenUp())
      return Answer::TooLarge;
  }
  if (work.size() > kMost)
    return Answer::TooLarge;
  const Answer answer = keep(std::move(next));
  if (answer == Answer::Yes)
    now_ = time;
  return answer;
}

EstsReferenceTracker::Answer EstsReferenceTracker::output(ir::ChannelId channel,
                                                          const std::vector<eval::Value>& values) {
  const std::vector<Value> wanted = plain(values);
  std::vector<World> next;
  for (const World& world : worlds_)
    for (size_t k = 0; k < world.pending.size(); ++k) {
      const Observable& output = world.pending[k];
      // One component's outputs of the same time keep their order.
      const bool behind = std::any_of(
          world.pending.begin(), world.pending.begin() + static_cast<ptrdiff_t>(k),
          [&](const Observable& other) { return other.sender == output.sender && other.time == output.time; });
      if (behind || output.time != now_ || output.signal != channel || output.values != wanted)
        continue;
      World later = world;
      later.pending.erase(later.pending.begin() + static_cast<ptrdiff_t>(k));
      add(next, std::move(later));
    }
  const Answer answer = keep(std::move(next));
  return answer == Answer::Yes ? wait(now_) : answer;
}

EstsReferenceTracker::Reactions EstsReferenceTracker::reactions(const World& world, ir::ChannelId channel,
                                                                const std::vector<eval::Value>& values) {
  if (!world.pending.empty() || world.rest > now_)
    return {};
  return composition_.send(world.at, now_, channel, plain(values));
}

EstsReferenceTracker::Answer EstsReferenceTracker::input(ir::ChannelId channel,
                                                         const std::vector<eval::Value>& values) {
  std::vector<World> next;
  for (const World& world : worlds_)
    add(next, reactions(world, channel, values));
  const Answer answer = keep(std::move(next));
  return answer == Answer::Yes ? wait(now_) : answer;
}

bool EstsReferenceTracker::isAccepted(ir::ChannelId channel, const std::vector<eval::Value>& values) {
  return std::none_of(worlds_.begin(), worlds_.end(),
                      [&](const World& world) { return reactions(world, channel, values).empty(); });
}

} // namespace tioc::conformance
