#include "runtime/semantics/ests.hpp"

#include "ir/passes.hpp"
#include "runtime/semantics/ests_concrete.hpp"
#include "semantics/ests_models.hpp"
#include "semantics/ests_reference.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>

// Engine and reference on random compositions: the same ends, the same observables at the same times.
namespace tioc::semantics {
namespace {

using ir::Rational;
using ir::reference::Value;

/// What a reaction leaves, in one form for both sides.
struct End {
  std::vector<uint32_t> at;
  std::vector<Rational> attributes;
  std::vector<Rational> zero;
  std::vector<std::string> seen; // ordered by time, then by text
  Rational rest;
  auto operator<=>(const End&) const = default;
};

std::string signal(const ir::Model& model, ir::ChannelId channel, const std::vector<Rational>& values,
                   const Rational& time) {
  std::string text = model[channel].name;
  for (const Rational& value : values)
    text += " " + value.toString();
  return text + " @" + time.toString();
}

using Timed = std::vector<std::pair<Rational, std::string>>;

std::vector<std::string> ordered(Timed signals) {
  std::sort(signals.begin(), signals.end());
  std::vector<std::string> result;
  for (auto& [time, text] : signals)
    result.push_back(std::move(text));
  return result;
}

End endOf(const ir::Model& model, const reference::Reaction& reaction) {
  End end;
  for (ir::LocationId id : reaction.end.at)
    end.at.push_back(id.value);
  for (const auto& [id, value] : reaction.end.attributes)
    end.attributes.push_back(value.number);
  for (const auto& [id, time] : reaction.end.zero)
    end.zero.push_back(time);
  Timed signals;
  for (const reference::Observable& seen : reaction.seen) {
    std::vector<Rational> values;
    for (const Value& value : seen.values)
      values.push_back(value.number);
    signals.emplace_back(seen.time, signal(model, seen.signal, values, seen.time));
  }
  end.seen = ordered(std::move(signals));
  end.rest = reaction.rest;
  return end;
}

End endOf(const ir::Model& model, const Network& network, const EstsState& state) {
  End end;
  for (ir::LocationId id : state.at)
    end.at.push_back(id.value);
  for (eval::Slot slot : state.variables)
    end.attributes.emplace_back(slot);
  for (const ir::TimingGroup& group : model.groups)
    end.zero.push_back(state.since[network.clock(group.clock)]);
  Timed signals;
  for (const EstsState::Output& output : state.pending) {
    std::vector<Rational> values;
    for (const eval::Value& value : output.values)
      values.push_back(value.number);
    signals.emplace_back(output.time, signal(model, model[output.edge].channel, values, output.time));
  }
  end.seen = ordered(std::move(signals));
  end.rest = state.busy;
  return end;
}

/// An event that both sides get.
struct Event {
  bool timeout = false;
  ir::ChannelId channel;
  std::vector<Rational> values;
  Rational time;
};

/// The symbolic relation beside a concrete run: everything that agrees with the events so far.
class Shadow {
public:
  explicit Shadow(const ir::Model& model)
      : model_(model), network_(model_), symbols_(model_, {}), relation_(symbols_, network_, TimeKind::Symbolic) {
    for (SymbolicState& state : relation_.initial())
      states_.push_back(std::move(state));
  }

  std::set<std::vector<std::string>> start() {
    std::vector<SymbolicState> next;
    for (const SymbolicState& state : states_) {
      if (!state.busy.empty()) {
        next.push_back(state);
        continue;
      }
      relation_.successors(state, [&](SymbolicStep&&, SymbolicState&& behind) { next.push_back(std::move(behind)); });
    }
    return show(std::move(next));
  }

  /// The outputs of every reaction to the event, in the form of `End`.
  std::set<std::vector<std::string>> follow(const Event& event) {
    std::vector<SymbolicState> next;
    ir::ExprPool& pool = symbols_.pool();
    for (const SymbolicState& state : states_)
      relation_.successors(state, [&](SymbolicStep&& step, SymbolicState&& behind) {
        const bool wanted = event.timeout ? step.visibility == Visibility::Unobservable
                                          : step.visibility == Visibility::Input && step.channel == event.channel;
        if (!wanted)
          return;
        bool possible = symbols_.assume(behind, pool.equal(step.time, pool.real(event.time)));
        for (size_t i = 0; possible && i < event.values.size(); ++i)
          possible = symbols_.assume(behind, pool.equal(step.values[i], pool.integer(event.values[i])));
        if (possible && symbols_.isFeasible(behind))
          next.push_back(std::move(behind));
      });
    return show(std::move(next));
  }

  /// Keeps what is in this place with these outputs.
  void keep(const End& end) {
    std::vector<SymbolicState> kept;
    for (size_t i = 0; i < states_.size(); ++i)
      if (shown_[i] == end.seen && placeOf(states_[i]) == std::pair(end.at, end.attributes))
        kept.push_back(states_[i]);
    states_ = std::move(kept);
  }
  const std::optional<Problem>& problem() const { return relation_.problem(); }

private:
  std::pair<std::vector<uint32_t>, std::vector<Rational>> placeOf(const SymbolicState& state) {
    std::pair<std::vector<uint32_t>, std::vector<Rational>> place;
    for (ir::LocationId id : state.at)
      place.first.push_back(id.value);
    for (ir::ExprId value : state.store)
      place.second.push_back(symbols_.terms().evaluate(value, state.witness).value.number);
    return place;
  }

  std::set<std::vector<std::string>> show(std::vector<SymbolicState>&& behind) {
    states_.clear();
    shown_.clear();
    std::set<std::vector<std::string>> all;
    for (SymbolicState& first : behind) {
      Timed signals;
      SymbolicState state = std::move(first);
      while (!state.pending.empty()) {
        // Equal times leave several orders; one of them will do.
        std::optional<SymbolicState> next;
        Rational before = symbols_.terms().evaluate(symbols_.expr(state.now), state.witness).value.number;
        relation_.successors(state, [&](SymbolicStep&& step, SymbolicState&& later) {
          if (next)
            return;
          std::vector<Rational> values;
          for (ir::ExprId value : step.values)
            values.push_back(symbols_.terms().evaluate(value, later.witness).value.number);
          const Rational time = symbols_.terms().evaluate(step.time, later.witness).value.number;
          EXPECT_LE(before, time);
          signals.emplace_back(time, signal(model_, step.channel, values, time));
          next = std::move(later);
        });
        if (!next) {
          ADD_FAILURE() << "an output is never seen";
          break;
        }
        state = std::move(*next);
      }
      shown_.push_back(ordered(std::move(signals)));
      all.insert(shown_.back());
      states_.push_back(std::move(state));
    }
    return all;
  }

  ir::Model model_;
  Network network_;
  Symbols symbols_;
  Ests relation_;
  std::vector<SymbolicState> states_;
  std::vector<std::vector<std::string>> shown_;
};

struct Tally {
  size_t reactions = 0, signals = 0, branches = 0, endless = 0, refused = 0;
};

class Comparison {
public:
  Comparison(const ir::Model& model, Random& random, Tally& tally, bool symbolic)
      : model_(model), network_(model_), concrete_(network_), plain_(model_), random_(random), tally_(tally) {
    if (symbolic)
      shadow_ = std::make_unique<Shadow>(model_);
  }

  void run(size_t events) {
    collect([&](const EstsConcrete::Sink& sink) { concrete_.start(0, {}, sink); });
    std::vector<reference::Reaction> expected = plain_.start();
    if (!compare(expected, shadow_ ? std::optional(shadow_->start()) : std::nullopt))
      return;
    for (size_t i = 0; i < events; ++i) {
      const Event event = nextEvent();
      const EstsState before = state_;
      if (event.timeout) {
        EXPECT_EQ(plain_.nextTimeout(at_), event.time);
        expected = plain_.wait(at_);
        state_.now = event.time;
        collect([&](const EstsConcrete::Sink& sink) { concrete_.wake(state_, {}, sink); });
      } else {
        std::vector<Value> values;
        std::vector<eval::Value> sent;
        for (const Rational& value : event.values) {
          values.push_back({value, {}});
          sent.push_back({value, {}});
        }
        expected = plain_.send(at_, event.time, event.channel, values);
        state_.now = event.time;
        collect([&](const EstsConcrete::Sink& sink) { concrete_.receive(state_, event.channel, sent, {}, sink); });
      }
      if (!compare(expected, shadow_ ? std::optional(shadow_->follow(event)) : std::nullopt))
        return;
      if (expected.empty()) {
        ++tally_.refused;
        if (shadow_) // has lost it
          return;
        state_ = before;
      }
    }
  }

private:
  template <class Call>
  void collect(Call&& call) {
    ends_.clear();
    call([&](EstsState&& state, std::vector<ir::EdgeId>&&) {
      ends_.emplace(endOf(model_, network_, state), std::move(state));
    });
  }

  bool compare(const std::vector<reference::Reaction>& expected,
               const std::optional<std::set<std::vector<std::string>>>& shown) {
    if (plain_.hasGivenUp())
      return false;
    if (plain_.isEndless() || concrete_.problem()) {
      ++tally_.endless;
      EXPECT_TRUE(concrete_.problem());
      return false;
    }
    std::map<End, const reference::Reaction*> wanted;
    std::set<std::vector<std::string>> signals;
    for (const reference::Reaction& reaction : expected) {
      const auto it = wanted.emplace(endOf(model_, reaction), &reaction).first;
      signals.insert(it->first.seen);
    }
    ++tally_.reactions;
    tally_.branches += wanted.size() > 1 ? 1 : 0;
    if (!sameKeys(wanted))
      return false;
    if (shown && !shadow_->problem()) {
      EXPECT_EQ(*shown, signals);
      if (*shown != signals)
        return false;
    }
    if (wanted.empty())
      return true;
    const auto chosen = random_.below(static_cast<uint32_t>(wanted.size()));
    const auto mine = std::next(ends_.begin(), chosen);
    tally_.signals += mine->first.seen.size();
    state_ = mine->second;
    state_.pending.clear();
    at_ = std::next(wanted.begin(), chosen)->second->end;
    if (shadow_)
      shadow_->keep(mine->first);
    return true;
  }

  bool sameKeys(const std::map<End, const reference::Reaction*>& wanted) {
    const bool same = std::equal(wanted.begin(), wanted.end(), ends_.begin(), ends_.end(),
                                 [](const auto& a, const auto& b) { return a.first == b.first; });
    EXPECT_TRUE(same) << wanted.size() << " ends expected, " << ends_.size() << " found";
    return same;
  }

  /// An input after some time, or a timeout where one comes before it.
  Event nextEvent() {
    Event event;
    const std::optional<Rational> due = plain_.nextTimeout(at_);
    event.time = state_.busy + Rational(random_.below(12), 2);
    if (due && (*due < event.time || random_.chance(30))) {
      event.timeout = true;
      event.time = *due;
      return event;
    }
    if (due && random_.chance(20))
      event.time = *due; // at the very instant
    std::vector<ir::ChannelId> offered;
    for (size_t c = 0; c < model_.channels.size(); ++c)
      if (concrete_.net().isOffered(ir::ChannelId(c)))
        offered.emplace_back(c);
    event.channel = offered.empty() ? ir::ChannelId(0) : offered[random_.below(static_cast<uint32_t>(offered.size()))];
    for (size_t i = 0; i < model_[event.channel].parameters.size(); ++i)
      event.values.emplace_back(random_.below(4));
    return event;
  }

  const ir::Model& model_;
  Network network_;
  EstsConcrete concrete_;
  reference::Composition plain_;
  Random& random_;
  Tally& tally_;
  std::unique_ptr<Shadow> shadow_;
  std::map<End, EstsState> ends_;
  EstsState state_;
  reference::Configuration at_;
};

Tally compareMany(uint64_t seed, size_t count, bool symbolic) {
  Tally tally;
  for (size_t i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    Random random(seed + i);
    const std::string text =
        randomComposition(random, {.openSignals = true, .intervals = !symbolic && random.chance(30)});
    SCOPED_TRACE("seed " + std::to_string(seed + i) + "\n" + text);
    const ir::Model all = test::compileOk(text);
    for (size_t s = 0; s < all.systems.size(); ++s)
      if (all.systems[s].name == "Net") {
        const ir::Model model = ir::instantiate(all, ir::SystemId(s));
        Comparison(model, random, tally, symbolic).run(8);
      }
  }
  std::cout << tally.reactions << " reactions, " << tally.signals << " signals seen, " << tally.branches
            << " with several ends, " << tally.endless << " endless, " << tally.refused << " refused\n";
  return tally;
}

size_t rounds(size_t few, size_t many) {
  return std::getenv("TIOC_LONG") ? many : few;
}

TEST(EstsRandom, ConcreteReactionsAreThoseOfTheReference) {
  const Tally tally = compareMany(1, rounds(150, 50'000), false);
  EXPECT_GT(tally.reactions, 300U);
  EXPECT_GT(tally.signals, 100U);
  EXPECT_GT(tally.branches, 15U);
  EXPECT_GT(tally.endless, 10U);
}

TEST(EstsRandom, SymbolicReactionsAreThoseOfTheReference) {
  const Tally tally = compareMany(1'000'000, rounds(20, 8000), true);
  EXPECT_GT(tally.reactions, 20U);
  EXPECT_GT(tally.signals, 5U);
}

} // namespace
} // namespace tioc::semantics
