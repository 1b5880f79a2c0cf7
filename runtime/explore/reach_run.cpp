#include "runtime/explore/reach_run.hpp"

#include "runtime/explore/reach_concrete.hpp"
#include "runtime/explore/reach_time.hpp"

#include <algorithm>

namespace tioc::explore {

using ir::EdgeId;
using ir::Rational;
using zones::Bound;
using zones::Clock;
using zones::Constraint;
using zones::Dim;
using zones::Federation;
using zones::Zone;

namespace {

/// The points that the clock map leads into the zone.
Zone preimage(const Bound* zone, Dim dim, const semantics::ClockMap& map) {
  Zone result = Zone::universe(dim);
  for (Clock i = 0; i < dim; ++i)
    for (Clock j = 0; j < dim; ++j) {
      const Bound bound = zone[size_t{i} * dim + j];
      if (i == j || bound.isInfinite())
        continue;
      const int64_t value = int64_t{bound.value()} - map.offset(i) + map.offset(j);
      if (map.source(i) == map.source(j)) {
        if (value < 0 || (value == 0 && !bound.isClosed()))
          return Zone::empty(dim);
      } else if (const auto moved = Bound::make(value, bound.isClosed())) {
        result.constrain({map.source(i), map.source(j), *moved});
      } else if (value < 0) {
        return Zone::empty(dim); // no point of a path's zones is that far
      }
    }
  return result;
}

Zone image(const Bound* zone, Dim dim, const semantics::ClockMap& map) {
  std::vector<uint16_t> source(dim);
  std::vector<int32_t> offset(dim);
  for (Clock x = 0; x < dim; ++x) {
    source[x] = static_cast<uint16_t>(map.source(x));
    offset[x] = map.offset(x);
  }
  std::vector<Bound> result(zones::dbm::size(dim), Bound::zero());
  semantics::assignClocks(zone, dim, result.data(), dim, source.data(), offset.data());
  return Zone::copyOf(dim, result.data());
}

/// A number between the two, or the upper one: whole if possible.
Rational between(const Rational& low, const std::optional<Rational>& high, bool highAttained) {
  const Rational next = low.floor() + Rational(1);
  if (!high || next < *high || (next == *high && highAttained))
    return next;
  return (low + *high) / Rational(2);
}

class Runner {
public:
  Runner(const ir::Model& model, const Path& path)
      : model_(model), path_(path), stepper_(model, {.eval = eval::Mode::Interpret}), numbers_(model),
        dim_(stepper_.network().dim()), identity_(dim_) {
    for (Clock x = 0; x < dim_; ++x)
      identity_[x] = static_cast<uint16_t>(x);
  }

  RunResult run(const RunGoal& goal) {
    if (stepper_.problem())
      return {std::nullopt, stepper_.problem()};
    if (!forward())
      return lost();
    Federation last = places_.back().reached;
    if (!goal.zones.empty()) {
      Federation wanted(dim_);
      for (const std::vector<Bound>& zone : goal.zones)
        wanted.unite(zone.data());
      last.intersect(wanted);
    }
    last.intersect(Federation(Zone::universe(dim_).constrain(goal.clocks)));
    backward(std::move(last));
    return choose();
  }

private:
  /// What is known about the stay before a step, and the step.
  struct Stay {
    TimeLimits time;
    Federation reached; ///< after waiting; later: those from which the rest can be done
    Federation guard;   ///< where the step is possible, as far as clocks go
    semantics::ClockMap map;
  };

  RunResult lost() const {
    return {std::nullopt, stepper_.problem() ? *stepper_.problem() : semantics::Problem{{}, "no run follows the path"}};
  }

  bool forward() {
    Place place = stepper_.makePlace();
    std::copy(stepper_.network().initial().begin(), stepper_.network().initial().end(), place.at.begin());
    std::copy(path_.initial.begin(), path_.initial.end(), place.frame.begin());
    Federation entered(Zone::zero(dim_));
    for (size_t i = 0; i <= path_.steps.size(); ++i) {
      Stay stay{limits(place), Federation(dim_), Federation(dim_), semantics::ClockMap(dim_)};
      stay.reached = afterWaiting(entered, stay.time);
      if (stay.reached.isEmpty() || stay.reached.isOutOfRange() || stepper_.problem())
        return false;
      if (i < path_.steps.size()) {
        if (!take(path_.steps[i], place, stay))
          return false;
        const Federation leaving = Federation(stay.reached).intersect(stay.guard);
        entered = Federation(dim_);
        for (size_t z = 0; z < leaving.size(); ++z)
          entered.unite(image(leaving[z], dim_, stay.map));
      }
      places_.push_back(std::move(stay));
    }
    return true;
  }

  TimeLimits limits(Place& place) {
    std::vector<const semantics::Binding*> bindings;
    std::vector<Constraint> invariants;
    const bool stopped = stepper_.network().stopsTime(place.at);
    if (!stopped)
      stepper_.collectBindings(place, bindings);
    for (ir::LocationId id : place.at)
      for (const Constraint& c : stepper_.clocks().invariant(id))
        invariants.push_back(c);
    TimeLimits result = timeLimits(stopped, bindings, invariants, identity_.data(), dim_);
    stepper_.collectLimits(place, identity_.data(), dim_, result.limits);
    return result;
  }

  Zone guardOf(EdgeId edge) const { return Zone::universe(dim_).constrain(stepper_.clocks().guard(edge)); }

  /// The step on data and locations; what it means for clocks goes to `stay`.
  bool take(const PathStep& step, Place& place, Stay& stay) {
    const semantics::Network& network = stepper_.network();
    std::copy(step.message.begin(), step.message.end(), place.frame.begin() + stepper_.layout().stateSize());
    Zone guard = Zone::universe(dim_);
    for (EdgeId edge : step.edges)
      guard.intersect(guardOf(edge));
    stay.guard = guard;
    if (step.channel.valid() && model_[step.channel].broadcast)
      for (uint32_t j : network.receivers(step.channel)) {
        const bool takesPart = std::any_of(step.edges.begin(), step.edges.end(),
                                           [&](EdgeId edge) { return network.componentOf(edge) == j; });
        for (EdgeId edge : network.receives(place.at[j], step.channel))
          if (const Zone other = guardOf(edge);
              !takesPart && !other.isEmpty() && eval::holds(stepper_.layout(), model_[edge], place.frame.data()))
            stay.guard.subtract(other.data());
      }
    for (EdgeId id : step.edges) {
      if (eval::update(stepper_.layout(), model_[id], place.frame.data(), place.frame.data()) != eval::Taken::Yes)
        return false;
      place.at[network.componentOf(id)] = model_[id].target;
      stay.map.then(stepper_.clocks().resets(id));
    }
    return true;
  }

  void backward(Federation last) {
    places_.back().reached = std::move(last);
    for (size_t i = places_.size() - 1; i-- > 0;) {
      const Stay& next = places_[i + 1];
      const Federation entry = beforeWaiting(next.reached, next.time);
      Federation leaving(dim_);
      for (size_t z = 0; z < entry.size(); ++z)
        leaving.unite(preimage(entry[z], dim_, places_[i].map));
      places_[i].reached.intersect(places_[i].guard).intersect(leaving);
    }
  }

  /// The smallest delay that leads to where the rest can be done, or one shortly behind it.
  std::optional<Rational> delay(const Federation& into) {
    const auto interval = into.earliestDelayInto(numbers_.clocks());
    if (!interval)
      return std::nullopt;
    if (interval->lowerAttained)
      return interval->lower;
    const Delays allowed = numbers_.delays();
    std::optional<Rational> high = interval->upper;
    bool attained = interval->upperAttained;
    if (allowed.limit && (!high || *allowed.limit < *high || (*allowed.limit == *high && allowed.open))) {
      high = allowed.limit;
      attained = !allowed.open;
    }
    return between(interval->lower, high, attained);
  }

  RunResult choose() {
    TimedRun run{path_.initial, {}, 0};
    const auto complain = [](const std::string& text) { return RunResult{std::nullopt, semantics::Problem{{}, text}}; };
    if (auto complaint = numbers_.start(run.initial))
      return complain(*complaint);
    for (size_t i = 0; i < places_.size(); ++i) {
      const auto pause = delay(places_[i].reached);
      if (!pause)
        return lost();
      if (auto complaint = numbers_.wait(*pause))
        return complain(*complaint);
      if (i == path_.steps.size()) {
        run.delay = *pause;
        break;
      }
      run.steps.push_back({*pause, path_.steps[i]});
      if (auto complaint = numbers_.take(path_.steps[i]))
        return complain(*complaint);
    }
    return {std::move(run), std::nullopt};
  }

  const ir::Model& model_;
  const Path& path_;
  Stepper stepper_;
  ConcreteNetwork numbers_;
  Dim dim_;
  std::vector<uint16_t> identity_;
  std::vector<Stay> places_;
};

} // namespace

RunResult concreteRun(const ir::Model& model, const Path& path, const RunGoal& goal) {
  return Runner(model, path).run(goal);
}

} // namespace tioc::explore
