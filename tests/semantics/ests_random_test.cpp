#include "runtime/semantics/ests.hpp"

#include "ir/passes.hpp"
#include "runtime/semantics/ests_concrete.hpp"
#include "semantics/ests_reference.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <set>

// Engine and reference on random compositions: the same ends, the same observables at the same times.
namespace tioc::semantics {
namespace {

using ir::Rational;
using ir::reference::Value;

class Random {
public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  uint32_t below(uint32_t count) { return static_cast<uint32_t>(engine_() % count); }
  bool chance(uint32_t percent) { return below(100) < percent; }
  const std::string& of(const std::vector<std::string>& list) {
    return list[below(static_cast<uint32_t>(list.size()))];
  }

private:
  std::mt19937_64 engine_;
};

/// Two or three small automata with every kind of transition.
std::string randomComposition(Random& random) {
  std::string text = "module m;\ninput i(p: int[0..3]), j;\noutput o(v: int), q;\n" +
                     std::string(random.chance(20) ? "open " : "") + "internal s(v: int), t;\n";
  const uint32_t automata = 2 + random.below(2);
  std::string all;
  for (uint32_t a = 0; a < automata; ++a) {
    const std::string name = "A" + std::to_string(a);
    all += (a ? ", " : "") + name;
    const uint32_t states = 2 + random.below(3);
    const auto state = [&] { return "S" + std::to_string(random.below(states)); };
    const auto clauses = [&](bool priority) {
      std::string result;
      if (random.chance(60))
        result += " takes " + std::to_string(random.below(6));
      if (priority && random.chance(40))
        result += " priority " + std::to_string(random.below(3));
      return result + " -> ";
    };
    const auto guard = [&] {
      return random.of({"", "", " when n < 2", " when n >= 2", " when m == 1", " when m != 1 && n < 3"});
    };
    const auto effect = [&] {
      return random.of({"", " do n := n + 1", " do n := 0", " do m := 1 - m", " do m := n, n := m", " do n := n + m"});
    };
    text += "ests " + name + " {\n  var n: int[0..4] = " + std::to_string(random.below(3)) +
            ", m: int = " + std::to_string(random.below(2)) + ";\n  init S0;\n";
    for (uint32_t s = 0; s < states; ++s) {
      text += "  state S" + std::to_string(s) + " {\n";
      const uint32_t edges = 1 + random.below(3);
      bool after = false;
      for (uint32_t e = 0; e < edges; ++e) {
        text += "    ";
        switch (random.below(10)) {
        case 0:
        case 1:
          text += random.chance(50) ? "i?(p)" + random.of({"", " when p > 1", " when p <= n"}) +
                                          random.of({"", " do n := p", " do m := p"})
                                    : "j?" + guard() + effect();
          break;
        case 2:
        case 3:
          text += random.chance(50) ? "s?(v)" + random.of({"", " when v > 0"}) + random.of({"", " do m := v"})
                                    : "t?" + guard() + effect();
          break;
        case 4:
        case 5:
          text += random.of({"o!(n + 10)", "q!"}) + random.of({" when n < 2 do n := n + 1", " when n > 2 do n := 0"});
          break;
        case 6:
          text += random.of({"s!(n)", "t!"}) + random.of({" when n < 3 do n := n + 1", " when n == 4 do n := 1"});
          break;
        case 7:
          text += random.chance(40) ? "tau" + guard() + effect() : "when n < 3 do n := n + 1";
          break;
        default:
          if (after) {
            text += "q! when n == 1 do n := 2";
          } else {
            text += "after " + random.of({"3", "7", "n", "n + 5", "2"}) + guard() + effect();
            after = true;
          }
        }
        text += clauses(true) + state() + ";\n";
      }
      text += "  }\n";
    }
    if (random.chance(50)) {
      std::string members;
      for (uint32_t s = 0; s < states; ++s)
        if (random.chance(60))
          members += (members.empty() ? "S" : ", S") + std::to_string(s);
      if (!members.empty())
        text += "  group G {\n    states " + members + ";\n    after " + random.of({"4", "9", "n + 1", "m"}) + guard() +
                clauses(true) + state() + ";\n  }\n";
    }
    text += "}\n";
  }
  return text + "system Net = queue(" + all + ");\n";
}

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
    for (size_t i = 0; i < events && !ends_.empty(); ++i) {
      const Event event = nextEvent();
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
      const EstsState before = state_;
      if (!compare(expected, shadow_ ? std::optional(shadow_->follow(event)) : std::nullopt))
        return;
      if (expected.empty()) {
        ++tally_.refused;
        // What is refused leaves everything as it was; the shadow has lost it.
        return;
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
    const bool first = random_.chance(60);
    event.channel = ir::ChannelId(first ? 0 : 1);
    if (first)
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
    const std::string text = randomComposition(random);
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
  const Tally tally = compareMany(1, rounds(1000, 50'000), false);
  EXPECT_GT(tally.reactions, 1000U);
  EXPECT_GT(tally.signals, 300U);
  EXPECT_GT(tally.branches, 20U);
  EXPECT_GT(tally.endless, 10U);
}

TEST(EstsRandom, SymbolicReactionsAreThoseOfTheReference) {
  const Tally tally = compareMany(1'000'000, rounds(150, 8000), true);
  EXPECT_GT(tally.reactions, 150U);
  EXPECT_GT(tally.signals, 50U);
}

} // namespace
} // namespace tioc::semantics
