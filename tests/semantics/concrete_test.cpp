#include "runtime/semantics/concrete.hpp"

#include "ir/passes.hpp"
#include "semantics/random_models.hpp"
#include "semantics/reference.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>

namespace tioc::semantics {
namespace {

using ir::Rational;
using RefState = reference::State;

eval::Value toValue(const reference::Value& value) {
  eval::Value result{value.number, {}};
  for (const reference::Value& part : value.parts)
    result.parts.push_back(toValue(part));
  return result;
}

reference::Value fromValue(const eval::Value& value) {
  reference::Value result{value.number, {}};
  for (const eval::Value& part : value.parts)
    result.parts.push_back(fromValue(part));
  return result;
}

std::vector<eval::Value> toValues(const std::vector<reference::Value>& values) {
  std::vector<eval::Value> result;
  for (const reference::Value& value : values)
    result.push_back(toValue(value));
  return result;
}

Visibility toVisibility(reference::Kind kind) {
  return kind == reference::Kind::Input    ? Visibility::Input
         : kind == reference::Kind::Output ? Visibility::Output
                                           : Visibility::Unobservable;
}

/// One model, read by the engine and twice by the reference: with priorities, and with these resolved as the engine
/// wants them.
struct Both {
  explicit Both(const std::string& source, const std::string& system = "Net")
      : text(source), plain(instance(source, system)), resolved(ir::resolvePriorities(plain)), expected(plain),
        expectedResolved(resolved), network(resolved), engine(network) {}

  static ir::Model instance(const std::string& source, const std::string& name) {
    const ir::Model all = test::compileOk(source);
    for (size_t i = 0; i < all.systems.size(); ++i)
      if (all.systems[i].name == name)
        return ir::instantiate(all, ir::SystemId(i));
    throw std::runtime_error("no system " + name);
  }

  ConcreteState toState(const RefState& from) const {
    ConcreteState state;
    state.locations = from.locations;
    state.variables.resize(engine.layout().stateSize());
    for (const auto& [id, value] : from.variables)
      engine.layout().store(plain.variables[id].type, toValue(value),
                            state.variables.data() + engine.layout().offsetOf(ir::VariableId(id)));
    state.clocks.resize(network.dim());
    for (const auto& [id, value] : from.clocks)
      state.clocks[network.clock(ir::ClockId(id))] = value;
    return state;
  }
  std::string show(const RefState& state) const { return text + reference::show(plain, state); }

  std::string text;
  ir::Model plain;
  ir::Model resolved;
  reference::Network expected;
  reference::Network expectedResolved;
  Network network;
  Concrete engine;
};

/// States that a random walk meets, right after steps and between them.
std::vector<RefState> walk(const reference::Network& network, uint64_t seed, size_t count) {
  std::mt19937_64 dice(seed);
  std::vector<RefState> starts = network.initialStates();
  std::vector<RefState> result;
  if (starts.empty())
    return result;
  RefState state = starts[dice() % starts.size()];
  for (size_t step = 0; result.size() < count && step < 4 * count; ++step) {
    result.push_back(state);
    const reference::Delays possible = network.delays(state);
    Rational delay(static_cast<int64_t>(dice() % 13), dice() % 3 == 0 ? 3 : 2);
    if (!possible.contains(delay))
      delay = possible.open ? *possible.bound / Rational(2) : possible.bound.value_or(0);
    const RefState later = reference::wait(state, delay);
    const std::vector<reference::Move> moves = network.moves(later);
    if (moves.empty())
      state = dice() % 2 ? later : starts[dice() % starts.size()];
    else
      state = moves[dice() % moves.size()].target;
    if (dice() % 4 == 0)
      result.push_back(later);
  }
  return result;
}

struct Tally {
  size_t states = 0;
  size_t limited = 0;
  size_t openLimits = 0;
  size_t moves = 0;
  size_t points = 0;
};

void compareDelays(Both& both, const RefState& state, Tally& tally) {
  const std::optional<Window> delays = both.engine.delays(both.toState(state));
  ASSERT_TRUE(delays) << both.engine.problem().text << "\n" << both.show(state);
  const reference::Delays expected = both.expectedResolved.delays(state);
  Window wanted{0, false, expected.bound, expected.open};
  EXPECT_EQ(show(*delays), show(wanted)) << both.show(state);
  ++tally.states;
  tally.limited += delays->high.has_value();
  tally.openLimits += delays->highOpen;
}

/// Both ways at one instant: what the reference can do, the engine can do with the same message, and nothing else.
void compareMovesAt(Both& both, const RefState& state, const std::vector<ConcreteMove>& unseen, const Rational& delay,
                    Tally& tally) {
  const ConcreteState own = both.toState(state);
  std::map<reference::Label, std::set<RefState>> wanted;
  for (reference::Move& move : both.expected.moves(reference::wait(state, delay)))
    wanted[move.label].insert(std::move(move.target));
  for (const auto& [label, targets] : wanted) {
    std::vector<ConcreteMove> moves;
    if (label.channel.valid()) {
      auto found = both.engine.on(own, toVisibility(label.kind), label.channel, toValues(label.values));
      ASSERT_TRUE(found) << both.engine.problem().text;
      moves = std::move(*found);
    } else {
      for (const ConcreteMove& move : unseen)
        if (!move.channel.valid())
          moves.push_back(move);
    }
    std::vector<ConcreteState> expected;
    for (const RefState& target : targets)
      expected.push_back(both.toState(target));
    std::vector<ConcreteState> got;
    for (const ConcreteMove& move : moves)
      if (move.window.contains(delay))
        if (ConcreteState next = both.engine.successor(own, move, delay);
            std::find(got.begin(), got.end(), next) == got.end())
          got.push_back(std::move(next));
    EXPECT_EQ(got.size(), expected.size())
        << both.show(state) << " +" << delay.toString() << " " << reference::show(both.plain, label);
    for (const ConcreteState& target : expected)
      EXPECT_NE(std::find(got.begin(), got.end(), target), got.end()) << both.show(state) << " +" << delay.toString();
    // Some message is found wherever there is one.
    const bool offered = std::any_of(unseen.begin(), unseen.end(), [&](const ConcreteMove& move) {
      return move.channel == label.channel && move.window.contains(delay);
    });
    EXPECT_TRUE(offered || label.kind == reference::Kind::Input) << both.show(state) << " +" << delay.toString();
    ++tally.points;
  }
}

/// The reference agrees with a move inside its window, and only there.
void checkMove(Both& both, const RefState& state, const ConcreteMove& move, const std::vector<ConcreteMove>& all) {
  std::vector<reference::Value> values;
  for (const eval::Value& value : move.values)
    values.push_back(fromValue(value));
  std::vector<Rational> points{0, move.window.low, move.window.low + Rational(1, 7)};
  if (move.window.low.sign() > 0)
    points.push_back(move.window.low - move.window.low / Rational(9));
  if (move.window.high)
    for (const Rational& offset : {Rational(0), Rational(1, 7)})
      points.push_back(*move.window.high + offset);
  for (const Rational& delay : points) {
    const bool inside = std::any_of(all.begin(), all.end(), [&](const ConcreteMove& other) {
      return other.edges == move.edges && other.values == move.values && other.window.contains(delay);
    });
    auto target = both.expectedResolved.take(reference::wait(state, delay), move.edges, values);
    ASSERT_EQ(target.has_value(), inside) << both.show(state) << " +" << delay.toString() << " " << show(move.window);
    if (target && move.window.contains(delay)) {
      EXPECT_EQ(both.toState(*target), both.engine.successor(both.toState(state), move, delay)) << both.show(state);
    }
  }
}

void compareMoves(Both& both, const RefState& state, Tally& tally) {
  const ConcreteState own = both.toState(state);
  const auto reactions = both.engine.reactions(own, 1);
  const auto inputs = both.engine.inputs(own, 1);
  ASSERT_TRUE(reactions && inputs) << both.engine.problem().text << "\n" << both.show(state);
  for (const auto* moves : {&*reactions, &*inputs})
    for (const ConcreteMove& move : *moves) {
      ++tally.moves;
      checkMove(both, state, move, *moves);
    }
  for (const Rational& delay : {Rational(0), Rational(1, 2), Rational(1), Rational(2), Rational(11, 3)})
    compareMovesAt(both, state, *reactions, delay, tally);
}

TEST(ConcreteRandom, DelaysAndMovesAreThoseOfTheReference) {
  Tally tally;
  for (uint64_t seed = 0; seed < 2500 && !testing::Test::HasFailure(); ++seed) {
    RandomModelOptions options = randomOptions(seed, true);
    options.locationDeadlines = false;
    Both both(randomModel(seed, options));
    for (const RefState& state : walk(both.expected, seed, 8)) {
      compareDelays(both, state, tally);
      compareMoves(both, state, tally);
    }
  }
  RecordProperty("states", static_cast<int>(tally.states));
  std::cout << tally.states << " states, " << tally.limited << " with a limit, " << tally.openLimits << " open; "
            << tally.moves << " moves, " << tally.points << " labels at instants\n";
  EXPECT_GT(tally.states, 8000U);
  EXPECT_GT(tally.limited, 1000U);
  EXPECT_GT(tally.openLimits, 50U);
  EXPECT_GT(tally.moves, 8000U);
}

TEST(ConcreteRandom, DeadlinesOfLocationsAreThoseOfTheReference) {
  Tally tally;
  for (uint64_t seed = 0; seed < 1000 && !testing::Test::HasFailure(); ++seed) {
    RandomModelOptions options = randomOptions(seed, true);
    options.locationDeadlines = true;
    options.components = 1 + seed % 2;
    Both both(randomModel(seed, options));
    for (const RefState& state : walk(both.expected, seed, 4))
      compareDelays(both, state, tally);
  }
  EXPECT_GT(tally.states, 1000U);
  EXPECT_GT(tally.limited, 200U);
}

/// An automaton of one state and one edge.
std::string oneEdge(const std::string& edge, const std::string& more = "") {
  return "module m; input i(v: int); output o(v: int), r(v: real), q(v: int[1..4]); tiosts Net { clock x; var n: int = "
         "3; " +
         more + " init S; state S { " + edge + " -> T; } state T { } }";
}

/// The delays from the start, or why they are not known.
std::string delaysOf(const std::string& text) {
  Both both(text);
  const auto state = both.engine.initial(0);
  const auto delays = state ? both.engine.delays(*state) : std::nullopt;
  return delays ? show(*delays) : both.engine.problem().text;
}

TEST(Concrete, FindsMessagesThatOnlyAGuardLimits) {
  Both both(oneEdge("o!(p) when p > n * 1000000 && p % 7 == 3 && x <= 5"));
  const auto state = both.engine.initial(0);
  ASSERT_TRUE(state);
  std::set<Rational> seen;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const auto moves = both.engine.reactions(*state, seed);
    ASSERT_TRUE(moves && !moves->empty()) << both.engine.problem().text;
    for (const ConcreteMove& move : *moves) {
      EXPECT_EQ(show(move.window), "[0, 5]");
      EXPECT_GT(move.values[0].number, Rational(3000000));
      EXPECT_EQ(euclideanRemainder(move.values[0].number, 7), Rational(3));
      seen.insert(move.values[0].number);
    }
  }
  EXPECT_GT(seen.size(), 3U);
}

TEST(Concrete, VariesWhatNothingLooksAt) {
  Both both(oneEdge("q!(_)"));
  const auto state = both.engine.initial(0);
  std::set<Rational> seen;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const auto moves = both.engine.reactions(*state, seed);
    ASSERT_TRUE(moves && moves->size() == 1);
    seen.insert(moves->at(0).values[0].number);
  }
  EXPECT_EQ(seen, (std::set<Rational>{1, 2, 3, 4}));
}

TEST(Concrete, FindsRealMessages) {
  Both both(oneEdge("r!(p) when 0.25 < p && p < 0.5"));
  const auto state = both.engine.initial(0);
  const auto moves = both.engine.reactions(*state, 1);
  ASSERT_TRUE(moves && !moves->empty()) << both.engine.problem().text;
  EXPECT_LT(Rational(1, 4), moves->at(0).values[0].number);
  EXPECT_LT(moves->at(0).values[0].number, Rational(1, 2));
}

TEST(Concrete, FindsNoMessageWhereThereIsNone) {
  Both both(oneEdge("o!(p) when p > 5 && p * p < n"));
  const auto state = both.engine.initial(0);
  const auto moves = both.engine.reactions(*state, 1);
  ASSERT_TRUE(moves) << both.engine.problem().text;
  EXPECT_TRUE(moves->empty());
  EXPECT_EQ(delaysOf(oneEdge("eager o!(p) when p > 5 && p * p < n")), "[0, inf)");
}

TEST(Concrete, TheLastChanceMayDependOnTheMessage) {
  EXPECT_EQ(delaysOf(oneEdge("q!(p) when x <= p")), "[0, 4]");
  EXPECT_EQ(delaysOf(oneEdge("q!(p) when p != 2 && p <= x && x < p + 1")), "[0, 2)");
  EXPECT_EQ(delaysOf(oneEdge("o!(p) when 2 * p > n && x <= p && p <= 1000000000000")), "[0, 1000000000000]");
  EXPECT_EQ(delaysOf(oneEdge("o!(p) when p > n && p * 2 < 20 && x < p")), "[0, 9)");
  // A gap between the windows of two messages; the first one ends the wait.
  EXPECT_EQ(delaysOf(oneEdge("o!(p) when p % 10 == 2 && p > n && p < 100000 && p <= x && x <= p + 1")), "[0, 13]");
  EXPECT_EQ(delaysOf(oneEdge("eager o!(p) when p % 10 == 2 && p > n && p <= x")), "[0, 12]");
}

TEST(Concrete, BoundsMayBeData) {
  EXPECT_EQ(delaysOf(oneEdge("o!(n) when x < n + 0.5")), "[0, 3.5)");
  EXPECT_EQ(delaysOf(oneEdge("o!(n) when x <= n / (n - 3)")), "[0, inf)"); // no value: not enabled
}

TEST(Concrete, StartsWhereTheInitialConditionHolds) {
  std::set<Rational> seen;
  Both both("module m; output o(v: int); tiosts Net { var n: int, k: int; clock x; init S when n > 1000 && k == 2 * n; "
            "state S invariant x <= n { o!(n) -> S; } }");
  for (uint64_t seed = 0; seed < 10; ++seed) {
    const auto state = both.engine.initial(seed);
    ASSERT_TRUE(state) << both.engine.problem().text;
    EXPECT_GT(state->variables[0], 1000);
    EXPECT_EQ(state->variables[1], 2 * state->variables[0]);
    seen.insert(state->variables[0]);
  }
  EXPECT_GT(seen.size(), 3U);
  Both never("module m; output o(v: int); tiosts Net { var n: int; init S when n > 3 && n * n < 4; state S { } }");
  EXPECT_FALSE(never.engine.initial(0));
  EXPECT_NE(never.engine.problem().text.find("no values"), std::string::npos);
}

TEST(Concrete, ABroadcastLeavesOutWhoIsNotReadyYet) {
  Both both(
      "module m; broadcast b; tiosts A { init S; state S { s: b! -> S; } }"
      "tiosts B { clock y; init S; state S { r: b? when 2 <= y && y <= 4 -> T; } state T { } } system Net = A || B;");
  const auto state = both.engine.initial(0);
  const auto moves = both.engine.reactions(*state, 0);
  ASSERT_TRUE(moves);
  std::vector<std::string> shown;
  for (const ConcreteMove& move : *moves)
    shown.push_back(std::to_string(move.edges.size()) + " " + show(move.window));
  std::sort(shown.begin(), shown.end());
  EXPECT_EQ(shown, (std::vector<std::string>{"1 (4, inf)", "1 [0, 2)", "2 [2, 4]"}));
}

TEST(Concrete, SaysWhenANumberIsTooLarge) {
  Both both("module m; input i(v: int); tiosts Net { var n: int = 4611686018427387904; init S; "
            "state S { i?(v) do n := n * 2 -> S; } }");
  const auto state = both.engine.initial(0);
  EXPECT_FALSE(both.engine.on(*state, Visibility::Input, both.plain.edges[0].channel, {{1, {}}}));
  EXPECT_NE(both.engine.problem().text.find("64 bits"), std::string::npos);
}

} // namespace
} // namespace tioc::semantics
