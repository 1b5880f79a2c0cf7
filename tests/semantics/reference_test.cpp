#include "semantics/reference.hpp"

#include "ir/passes.hpp"
#include "semantics/random_models.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tioc::semantics {

namespace reference {
void PrintTo(const Delays& delays, std::ostream* out) { // found by GoogleTest, for its messages
  *out << show(delays);
}
} // namespace reference

namespace {

using namespace reference;
using ir::EdgeId;
using ir::Model;

ir::SystemId systemCalled(const Model& model, const std::string& name) {
  for (size_t i = 0; i < model.systems.size(); ++i)
    if (model.systems[i].name == name)
      return ir::SystemId(i);
  throw std::runtime_error("no system " + name);
}

/// A network with names to speak of it.
struct Net {
  explicit Net(const std::string& text, const std::string& system = "Net") : Net(test::compileOk(text), system) {}
  Net(const Model& whole, const std::string& system)
      : model(ir::instantiate(whole, systemCalled(whole, system))), network(model) {}
  Net(const Net&) = delete;

  State start() const { return network.initialStates().at(0); }

  uint32_t variable(const std::string& name) const {
    for (size_t i = 0; i < model.variables.size(); ++i)
      if (model.variables[i].name == name)
        return static_cast<uint32_t>(i);
    throw std::runtime_error("no variable " + name);
  }
  Rational valueOf(const State& state, const std::string& name) const {
    return state.variables.at(variable(name)).number;
  }
  std::string place(const State& state) const {
    std::string text;
    for (ir::LocationId id : state.locations)
      text += (text.empty() ? "" : " ") + model[id].name;
    return text;
  }
  std::string show(const Move& move) const {
    std::string text = reference::show(model, move.label) + " [";
    for (EdgeId id : move.edges)
      text += (text.back() == '[' ? "" : " ") + model[id].name;
    return text + "] " + place(move.target);
  }
  /// All moves as text, sorted.
  std::vector<std::string> moves(const State& state, const std::vector<Rational>& numbers = {0, 1, 2}) const {
    std::vector<std::string> result;
    for (const Move& move : network.moves(state, numbers))
      result.push_back(show(move));
    std::sort(result.begin(), result.end());
    return result;
  }
  /// The state behind the only move with this text.
  State after(const State& state, const std::string& text, const std::vector<Rational>& numbers = {0, 1, 2}) const {
    std::vector<State> found;
    for (const Move& move : network.moves(state, numbers))
      if (show(move) == text)
        found.push_back(move.target);
    if (found.size() != 1)
      throw std::runtime_error(std::to_string(found.size()) + " moves " + text + " from " +
                               reference::show(model, state));
    return found[0];
  }

  Model model;
  Network network;
};

using Texts = std::vector<std::string>;

Delays upTo(Rational bound) {
  return {std::move(bound), false};
}
Delays below(Rational bound) {
  return {std::move(bound), true};
}
const Delays kForever{};

/// One automaton, named Net, with clocks x and y and these states.
std::string single(const std::string& states, const std::string& members = "") {
  return "module m;\ninput a, get(v: int), small(v: int[0..3]);\noutput b, out(v: int);\ninternal lonely;\n"
         "broadcast shout;\n"
         "tiosts Net { clock x, y; " +
         members + " init S;\n" + states + "\nstate T { } }\n";
}

// ---- synchronisation

TEST(ReferenceMoves, RendezvousPassesTheValueUnseen) {
  Net net("module m; internal s(v: int); output o;"
          "tiosts P { var n: int = 4; init A; state A { send: s!(n + 1) do n := 0 -> B; } state B { o! -> B; } }"
          "tiosts Q { var q: int = 0; init C; state C { few: s?(p) when p <= 4 -> C; many: s?(p) when p > 4 do q := p "
          "-> D; } state D { } }"
          "system Net = Q || P;");
  EXPECT_EQ(net.moves(net.start()), Texts{"s(5) [send many] D B"});
  State after = net.after(net.start(), "s(5) [send many] D B");
  EXPECT_EQ(net.valueOf(after, "q"), 5);
  EXPECT_EQ(net.valueOf(after, "n"), 0);
  EXPECT_EQ(net.network.moves(net.start())[0].label.kind, Kind::Unobservable);
}

TEST(ReferenceMoves, OpenValuesOfBothSidesMustMeet) {
  Net net("module m; internal s(v: int);"
          "tiosts P { init A; state A { send: s!(p) when 1 <= p && p <= 5 -> A; } }"
          "tiosts Q { var q: int = 0; init C; state C { take: s?(r) when r % 2 == 0 do q := r -> C; } }"
          "system Net = P || Q;");
  EXPECT_EQ(net.moves(net.start(), {0, 1, 2, 3, 4, 5, 6}), (Texts{"s(2) [send take] A C", "s(4) [send take] A C"}));
}

TEST(ReferenceMoves, SynchronisationOnOutputIsSeenAndNothingHappensAlone) {
  Net net("module m; output o; input i;"
          "tiosts P { init A; state A { p1: o! -> B; p2: i? -> A; } state B { p3: o! -> B; } }"
          "tiosts Q { init C; state C { q1: o? -> D; q2: i! -> C; } state D { } }"
          "system Net = P || Q;");
  EXPECT_EQ(net.moves(net.start()), (Texts{"i! [q2 p2] A C", "o! [p1 q1] B D"}));
  EXPECT_EQ(net.moves(net.after(net.start(), "o! [p1 q1] B D")), Texts{});
}

TEST(ReferenceMoves, ReceiverSeesWhatTheSenderStored) {
  Net net("module m; internal s; var g: int = 5;"
          "tiosts P { init A; state A { send: s! when g == 5 do g := 1 -> A; } }"
          "tiosts Q { var h: int = 0, k: int = 0; init C; state C { take: s? when g == 5 do h := g + 1, g := g * 10, k "
          ":= h + 7 -> C; } }"
          "system Net = Q || P;");
  State after = net.after(net.start(), "s [send take] C A");
  EXPECT_EQ(net.valueOf(after, "h"), 2);
  EXPECT_EQ(net.valueOf(after, "g"), 10);
  EXPECT_EQ(net.valueOf(after, "k"), 7); // the old h: one edge assigns all at once
}

TEST(ReferenceMoves, OpenChannelsAreInputsAndOutputs) {
  Net net(
      single("state S { e1: get?(p) when p != 1 -> T; e2: out!(p) when p >= 2 -> S; e3: tau -> S; e4: get?(9) -> S; "
             "e5: lonely! -> T; }"));
  EXPECT_EQ(net.moves(net.start()),
            (Texts{"get?(0) [e1] T", "get?(2) [e1] T", "get?(9) [e4] S", "out!(2) [e2] S", "tau [e3] S"}));
}

TEST(ReferenceMoves, TakeChecksOneStep) {
  Net net(single("state S { e1: get?(p) when p > 100 && x >= 1 do n := p -> T; }", "var n: int = 0;"));
  EdgeId edge = net.network.moves(wait(net.start(), 1), {200}).at(0).edges[0];
  EXPECT_FALSE(net.network.take(net.start(), {edge}, {{200, {}}}));
  EXPECT_FALSE(net.network.take(wait(net.start(), 1), {edge}, {{100, {}}}));
  EXPECT_FALSE(net.network.take(wait(net.start(), 1), {edge}, {}));
  auto after = net.network.take(wait(net.start(), 1), {edge}, {{12345, {}}});
  ASSERT_TRUE(after);
  EXPECT_EQ(net.valueOf(*after, "n"), 12345);
}

TEST(ReferenceMoves, BroadcastReachesAllWhoListenAndNeverWaits) {
  Net net("module m; broadcast s(v: int[0..1]); internal other;"
          "tiosts P { init A; state A { send: s!(_) -> A; } }"
          "tiosts Q { init B; state B { q0: s?(0) -> B; q1: s?(_) -> C; } state C { } }"
          "tiosts R { clock x; init D; state D { r: s?(1) when x >= 2 -> D; } }"
          "system Net = R || P || Q;");
  EXPECT_EQ(net.moves(net.start()), (Texts{"s(0) [send q0] D A B", "s(0) [send q1] D A C", "s(1) [send q1] D A C"}));
  EXPECT_EQ(net.moves(wait(net.start(), 2)),
            (Texts{"s(0) [send q0] D A B", "s(0) [send q1] D A C", "s(1) [send r q1] D A C"}));
  State deaf = net.after(net.start(), "s(0) [send q1] D A C");
  EXPECT_EQ(net.moves(deaf), (Texts{"s(0) [send] D A C", "s(1) [send] D A C"}));
}

TEST(ReferenceMoves, BroadcastOfTheEnvironmentReachesAllWhoListen) {
  Net net("module m; broadcast input i;"
          "tiosts P { clock x; init A; state A { p: i? when x >= 1 -> A; } }"
          "tiosts Q { init B; state B { q: i? -> B; } }"
          "system Net = P || Q;");
  EXPECT_EQ(net.moves(net.start()), Texts{"i? [q] A B"});
  EXPECT_EQ(net.moves(wait(net.start(), 1)), Texts{"i? [p q] A B"});
}

TEST(ReferenceMoves, ClocksAreSetAllAtOnce) {
  Net net(single("state S { e: tau when x == 3 do x := y, y := 1 -> T; f: tau when x == 1 do x := 5 -> S; }"));
  State at = net.after(wait(net.start(), 1), "tau [f] S");
  EXPECT_EQ(at.clocks, (std::map<uint32_t, Rational>{{1, 5}, {2, 1}}));
  at.clocks[1] = 3;
  EXPECT_EQ(net.after(at, "tau [e] T").clocks, (std::map<uint32_t, Rational>{{1, 1}, {2, 1}}));
}

// ---- priority, committed

TEST(ReferenceMoves, LargerPriorityWinsForTheSameValues) {
  Net net(single("state S { low: get?(p) when p >= 0 -> S; high: get?(p) when p >= 2 && x >= 1 priority 1 -> T;"
                 " o1: b! -> S; t1: tau -> S; t2: tau when x >= 1 priority 3 -> S; }"));
  EXPECT_EQ(net.moves(net.start()),
            (Texts{"b! [o1] S", "get?(0) [low] S", "get?(1) [low] S", "get?(2) [low] S", "tau [t1] S"}));
  EXPECT_EQ(net.moves(wait(net.start(), 1)),
            (Texts{"b! [o1] S", "get?(0) [low] S", "get?(1) [low] S", "get?(2) [high] T", "tau [t2] S"}));
}

TEST(ReferenceMoves, PriorityCountsWithinOneComponent) {
  Net net("module m; internal s;"
          "tiosts P { init A; state A { p1: s! -> A; p2: s! priority 1 -> B; } state B { } }"
          "tiosts Q { init C; state C { q1: s? -> C; q2: s? when false priority 4 -> C; } }"
          "tiosts R { init D; state D { r: s? priority 9 -> D; } }"
          "system Net = P || Q || R;");
  EXPECT_EQ(net.moves(net.start()), (Texts{"s [p2 q1] B C D", "s [p2 r] B C D"}));
}

TEST(ReferenceMoves, CommittedComponentsGoFirst) {
  Net net("module m; internal s; input i; output o;"
          "tiosts P { init A; committed state A { p1: s! -> B; } state B { p2: i? -> B; } }"
          "tiosts Q { init C; state C { q1: s? -> C; q2: o! -> C; } }"
          "system Net = P || Q;");
  EXPECT_EQ(net.moves(net.start()), Texts{"s [p1 q1] B C"});
  EXPECT_EQ(net.network.delays(net.start()), upTo(0));
  State after = net.after(net.start(), "s [p1 q1] B C");
  EXPECT_EQ(net.moves(after), (Texts{"i? [p2] B C", "o! [q2] B C"}));
  EXPECT_EQ(net.network.delays(after), kForever);
}

// ---- values without meaning

TEST(ReferenceMoves, LeavingARangeDisablesTheEdge) {
  Net net(single("state S { up: tau do n := n + 1 -> S; down: a? do n := n - 1 -> S; cell: b! do c[1] := n + 2 -> S; }",
                 "var n: int[0..2] = 0; var c: int[0..2][2] = [0, 0];"));
  EXPECT_EQ(net.moves(net.start()), (Texts{"b! [cell] S", "tau [up] S"}));
  State one = net.after(net.start(), "tau [up] S");
  EXPECT_EQ(net.moves(one), (Texts{"a? [down] S", "tau [up] S"}));
  EXPECT_EQ(net.moves(net.after(one, "tau [up] S")), Texts{"a? [down] S"});
}

TEST(ReferenceMoves, UndefinedGuardsAndUpdatesDisableTheEdge) {
  Net net(
      single("state S { g: tau when 1 / n == 0 || n == 0 -> S; u: tau do n := 1 / n -> S; i: tau when c[n - 1] == 0 "
             "-> S; ok: tau -> T; }",
             "var n: int = 0; var c: int[2] = [0, 0];"));
  EXPECT_EQ(net.moves(net.start()), Texts{"tau [ok] T"});
}

TEST(ReferenceMoves, ValuesOutsideTheChannelCannotBePassed) {
  Net net("module m; output o(v: int[0..2]); input i(v: int[0..2]);"
          "tiosts Net { var n: int = 2; init S; state S { e: o!(n) do n := n + 1 -> S; f: i?(p) when p >= 2 -> S; } }");
  State at = net.start();
  EXPECT_EQ(net.moves(at, {0, 1, 2, 3, 4}), (Texts{"i?(2) [f] S", "o!(2) [e] S"}));
  at = net.after(at, "o!(2) [e] S");
  EXPECT_EQ(net.moves(at, {0, 1, 2, 3, 4}), Texts{"i?(2) [f] S"});
}

TEST(ReferenceMoves, InvariantOfEveryTargetMustHold) {
  Net net(
      "module m; var g: int = 0; clock z;"
      "tiosts P { init A; state A { p1: tau when z >= 1 -> B; p2: tau when z == 0 do g := 1 -> A; p3: tau when z >= "
      "1 do z := 0 -> B; } state B invariant z < 1 { } }"
      "tiosts Q { init C; state C invariant g == 0 { } }"
      "system Net = P || Q;");
  EXPECT_EQ(net.moves(net.start()), Texts{});
  EXPECT_EQ(net.moves(wait(net.start(), 1)), Texts{"tau [p3] B C"});
  EXPECT_EQ(net.network.delays(net.start()), upTo(0)); // p2 is eager, whatever it leads to
}

TEST(ReferenceMoves, InitialStatesFollowConditionsAndGivenValues) {
  Net net("module m; var g: int;"
          "tiosts P { var n: int[0..3], k: int = 7; init A when n > g; state A { } }"
          "tiosts Q { init B when g >= 0; state B { } }"
          "system Net = P || Q;");
  ir::VariableId g(net.variable("g"));
  std::vector<State> states = net.network.initialStates({{g, {{-5, {}}, {1, {}}, {2, {}}, {8, {}}}}});
  std::vector<std::pair<Rational, Rational>> found;
  for (const State& state : states) {
    found.emplace_back(net.valueOf(state, "g"), net.valueOf(state, "n"));
    EXPECT_EQ(net.valueOf(state, "k"), 7);
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found, (std::vector<std::pair<Rational, Rational>>{{1, 2}, {1, 3}, {2, 3}}));
}

// ---- time

Delays delaysOf(const std::string& states, const Rational& waited = 0, const std::string& members = "") {
  Net net(single(states, members));
  return net.network.delays(wait(net.start(), waited));
}

TEST(ReferenceTime, LazyEdgesForceNothing) {
  EXPECT_EQ(delaysOf("state S { a? when x <= 5 -> T; lazy b! when x <= 5 -> T; lazy tau when x <= 5 -> T; }"),
            kForever);
}

TEST(ReferenceTime, DelayableEdgesMayBePutOffToTheirLastInstant) {
  const std::string states = "state S { b! when 2 <= x && x <= 5 -> T; }";
  EXPECT_EQ(delaysOf(states), upTo(5));
  EXPECT_EQ(delaysOf(states, Rational(7, 2)), upTo(Rational(3, 2)));
  EXPECT_EQ(delaysOf(states, 5), upTo(0));
  EXPECT_EQ(delaysOf(states, Rational(11, 2)), kForever); // it never was in time
  EXPECT_EQ(delaysOf("state S { b! when x >= 2 -> T; }"), kForever);
}

TEST(ReferenceTime, StrictUpperBoundIsApproachedOnly) {
  const std::string states = "state S { b! when x < 5 -> T; }";
  EXPECT_EQ(delaysOf(states), below(5));
  EXPECT_EQ(delaysOf(states, 4), below(1));
  EXPECT_EQ(delaysOf(states, 5), kForever);
}

TEST(ReferenceTime, EagerEdgesStopTimeAtTheirFirstInstant) {
  const std::string states = "state S { tau when x >= 3 && x <= 4 -> T; }";
  EXPECT_EQ(delaysOf(states), upTo(3));
  EXPECT_EQ(delaysOf(states, 3), upTo(0));
  EXPECT_EQ(delaysOf(states, 4), upTo(0));
  EXPECT_EQ(delaysOf(states, 5), kForever);
  EXPECT_EQ(delaysOf("state S { eager a? when x == 2 -> T; b! when x <= 1 -> T; }"), upTo(1));
}

TEST(ReferenceTime, OnlyDataEnabledEdgesCount) {
  EXPECT_EQ(delaysOf("state S { b! when x <= 5 && n > 0 -> T; }", 0, "var n: int = 0;"), kForever);
  EXPECT_EQ(delaysOf("state S { out!(p) when x <= 5 && p > 70 && p < 72 -> T; }"), upTo(5));
  EXPECT_EQ(delaysOf("state S { out!(p) when x <= 5 && p > 70 && p < 71 -> T; }"), kForever);
  EXPECT_EQ(delaysOf("state S { delayable small?(p) when x <= 5 && p > 3 -> T; }"), kForever);
  EXPECT_EQ(delaysOf("state S { b! when x <= 5 && 1 / n > 0 -> T; }", 0, "var n: int = 0;"), kForever);
}

TEST(ReferenceTime, DifferencesOfClocksStayAsTheyAre) {
  Net net(single("state S { b! when x - y >= 1 && x <= 5 -> T; get?(_) do x := 2 -> S; }"));
  EXPECT_EQ(net.network.delays(net.start()), kForever);
  State ahead = net.network.moves(net.start(), {0}).back().target;
  ASSERT_EQ(net.place(ahead), "S");
  EXPECT_EQ(net.network.delays(ahead), upTo(3));
}

TEST(ReferenceTime, TheLastChanceIsThatOfAllValuesTogether) {
  EXPECT_EQ(delaysOf("state S { out!(p) when 0 <= p && p <= 4 && x <= p -> T; }"), upTo(4));
  EXPECT_EQ(delaysOf("state S { out!(p) when 1 <= p && p <= 4 && x == p -> T; }"), upTo(1)); // then there is a gap
  EXPECT_EQ(delaysOf("state S { out!(p) when 1 <= p && p <= 2 && p - 1 <= x && x < p -> T; }"), below(2));
}

TEST(ReferenceTime, InvariantsUrgentAndCommittedLocationsLimitTime) {
  EXPECT_EQ(delaysOf("state S invariant x <= 3 && y < 3 { }"), below(3));
  EXPECT_EQ(delaysOf("state S invariant x <= 3 && y < 4 { }", 1), upTo(2));
  EXPECT_EQ(delaysOf("urgent state S { }"), upTo(0));
  EXPECT_EQ(delaysOf("committed state S { }"), upTo(0));
}

TEST(ReferenceTime, ChannelWithoutPartnerSetsNoDeadline) {
  EXPECT_EQ(delaysOf("state S { eager lonely! -> T; }"), kForever);
  EXPECT_EQ(delaysOf("state S { eager shout! when x >= 1 -> T; }"), upTo(1));
  EXPECT_EQ(delaysOf("state S { eager shout? when x >= 1 -> T; }"), kForever);
}

Delays pairOf(const std::string& send, const std::string& receive, const std::string& kind = "internal") {
  Net net("module m; " + kind + " s(v: int); tiosts P { clock x; init A; state A { " + send +
          " -> A; } } tiosts Q { clock y; init B; state B { " + receive + " -> B; } } system Net = P || Q;");
  return net.network.delays(net.start());
}

TEST(ReferenceTime, SynchronisationHasTheStricterUrgencyWhileBothAreReady) {
  EXPECT_EQ(pairOf("lazy s!(1) when x <= 5", "s?(_) when y <= 4"), kForever);
  EXPECT_EQ(pairOf("s!(1) when x <= 5", "s?(_) when y <= 4"), upTo(4));
  EXPECT_EQ(pairOf("lazy s!(1) when x <= 5", "delayable s?(_) when y < 4"), below(4));
  EXPECT_EQ(pairOf("s!(1) when 1 <= x && x <= 5", "eager s?(_) when y >= 2"), upTo(2));
  EXPECT_EQ(pairOf("eager s!(1) when x >= 1", "s?(2)"), kForever);
  EXPECT_EQ(pairOf("eager s!(1) when x >= 1", "s?(_) when y > 2"), upTo(2)); // no first instant, so time is stuck
  EXPECT_EQ(pairOf("s!(1) when x <= 2", "s?(_) when y >= 3"), kForever);
}

TEST(ReferenceTime, BroadcastKeepsTheDeadlineOfItsSender) {
  EXPECT_EQ(pairOf("s!(1) when x <= 5", "s?(_) when y <= 4", "broadcast"), upTo(5));
  EXPECT_EQ(pairOf("s!(1) when x <= 5", "delayable s?(_) when y <= 4", "broadcast"), upTo(4));
  EXPECT_EQ(pairOf("s!(1) when x <= 5", "eager s?(_) when y >= 4", "broadcast"), upTo(4));
  EXPECT_EQ(pairOf("lazy s!(1) when x <= 5", "delayable s?(_) when y <= 4", "broadcast"), upTo(4));
  EXPECT_EQ(pairOf("lazy s!(1) when x <= 5", "delayable s?(2) when y <= 4", "broadcast"), kForever);
}

TEST(ReferenceTime, PriorityDoesNotLiftTheDeadlineOfALesserEdge) {
  EXPECT_EQ(delaysOf("state S { b! when x <= 2 -> T; b! when x <= 4 priority 1 -> T; }"), upTo(2));
}

TEST(ReferenceTime, StatedDeadlineReplacesTheGuard) {
  Net net(
      single("state S { cut: b! when x <= 5 && n == 1 -> T; other: lazy a? when x <= 9 -> T; }", "var n: int = 0;"));
  EXPECT_EQ(net.network.delays(net.start()), kForever);
  ASSERT_EQ(net.model.edges[0].name, "cut");
  net.model.edges[0].deadline = net.model.edges[1].guard;
  EXPECT_EQ(net.network.delays(net.start()), upTo(9));
  EXPECT_EQ(net.moves(net.start()), Texts{"a? [other] T"});
}

TEST(ReferenceTime, LocationDeadlinesWaitForTheLastEdge) {
  const std::string location = "deadlines location;";
  EXPECT_EQ(delaysOf("state S { b! when x < 1 -> T; }", 0, location), below(1));
  EXPECT_EQ(delaysOf("state S { a? when x < 2 -> T; b! when 2 <= x && x < 3 -> T; }", 0, location), below(3));
  EXPECT_EQ(delaysOf("state S { a? when x <= 4 -> T; out!(p) when x <= 3 && 5 < p && p < 7 -> T; }", 4, location),
            kForever);
  EXPECT_EQ(delaysOf("state S { eager b! when x <= 3 -> T; }", 0, location), upTo(3));
  EXPECT_EQ(delaysOf("state S { a? when x <= 3 -> T; }", 0, location), kForever);
  EXPECT_EQ(delaysOf("state S { b! when x <= 3 && n > 0 -> T; }", 0, location + " var n: int = 0;"), kForever);
  EXPECT_EQ(delaysOf("state S { tau when x <= 3 -> S2; } state S2 { b! -> T; }", 0, location), upTo(3));
  // While the output is due, no waiting beyond it; once the input alone keeps time open, nothing is due any more.
  EXPECT_EQ(delaysOf("state S { a? when x <= 4 -> T; b! when x <= 6 -> T; }", 0, location), upTo(6));
  EXPECT_EQ(delaysOf("state S { a? when x <= 6 -> T; b! when x <= 4 -> T; }", 0, location), kForever);
}

TEST(ReferenceTime, LocationDeadlinesOfOneComponentDoNotDependOnTheOthers) {
  const std::string other = "tiosts Q { clock y; init B; state B { o! when y <= 9 -> C; s? -> C; } state C { } }"
                            "system Net = P || Q;";
  Net done("module m; output o; internal s; tiosts P { deadlines location; init A; state A { } state X { s! -> A; } }" +
           other);
  EXPECT_EQ(done.network.delays(done.start()), upTo(9));
  Net sender("module m; output o; internal s;"
             "tiosts P { clock x; deadlines location; init A; state A { s! when x <= 4 -> X; } state X { } }" +
             other);
  EXPECT_EQ(sender.network.delays(sender.start()), upTo(4));
}

// ---- quiescence

std::optional<bool> quiescentIn(const std::string& states, const Rational& waited = 0, const std::string& members = "",
                                unsigned depth = 6) {
  Net net(single(states, members));
  return net.network.quiescent(wait(net.start(), waited), depth);
}

TEST(ReferenceQuiescence, NoOutputHoweverLongOneWaits) {
  EXPECT_EQ(quiescentIn("state S { a? -> T; }"), true);
  EXPECT_EQ(quiescentIn("state S { b! when x >= 100 -> T; }"), false);
  EXPECT_EQ(quiescentIn("state S { b! when x > 3 && x < 4 -> T; }"), false);
  EXPECT_EQ(quiescentIn("state S { b! when x <= 3 -> T; }", 4), true);
  EXPECT_EQ(quiescentIn("state S { out!(p) when p > 41 && p < 43 -> T; }"), false);
  // One output excluded by time, the other by data.
  EXPECT_EQ(quiescentIn("state S { b! when x <= 3 -> T; out!(1) when n > 0 -> T; }", 4, "var n: int = 0;"), true);
}

TEST(ReferenceQuiescence, UnobservableStepsMayLeadToAnOutput) {
  const std::string late = "state S { tau when x == 2 do y := 0 -> U; } state U { b! when y >= 1 && x <= 3 -> T; }";
  EXPECT_EQ(quiescentIn(late), false);
  EXPECT_EQ(quiescentIn(late, 3), true);
  EXPECT_EQ(quiescentIn(late, 0, "", 0), std::nullopt);
  EXPECT_EQ(quiescentIn("state S { lazy tau when x < 2 do y := 0 -> U; }"
                        "state U { lazy b! when y <= 1 && x > 2 && x < 3 -> T; }"),
            false);
  EXPECT_EQ(quiescentIn("state S { tau when x >= 1 do x := 0 -> S; }"), true);
}

TEST(ReferenceQuiescence, AWaitThatADeadlineForbidsIsNoWait) {
  EXPECT_EQ(quiescentIn("state S { tau when x >= 3 -> T; b! when x >= 5 -> T; }"), true);
  EXPECT_EQ(quiescentIn("state S invariant x <= 4 { b! when x >= 5 -> T; }"), true);
  EXPECT_EQ(quiescentIn("state S { b! when x >= 5 do n := n + 1 -> T; }", 0, "var n: int[0..1] = 1;"), true);
}

// ---- examples

Net example(const std::string& name, const std::string& system) {
  return Net(test::readFile(test::sourceDir() + "/examples/" + name + ".tio"), system);
}

TEST(ReferenceExamples, LightWalks) {
  Net net = example("light", "Light");
  State at = net.start();
  auto touch = [&] {
    for (const Move& move : net.network.moves(at))
      if (move.label.kind == Kind::Input)
        return move.target;
    throw std::runtime_error("no touch");
  };
  EXPECT_EQ(net.network.delays(at), kForever);
  EXPECT_EQ(net.network.quiescent(at), true);
  at = touch();
  EXPECT_EQ(net.place(at), "Touched Off");
  EXPECT_EQ(net.network.delays(at), upTo(1));
  EXPECT_EQ(net.network.quiescent(at), false);
  State single = wait(at, 1);
  ASSERT_EQ(net.network.moves(single).size(), 1U); // no second touch at D
  State dim = net.network.moves(single)[0].target;
  EXPECT_EQ(net.place(dim), "Ready GoDim");
  EXPECT_EQ(net.network.delays(dim), upTo(2));
  at = wait(at, Rational(1, 2));
  at = touch();
  EXPECT_EQ(net.place(at), "Twice Off");
  EXPECT_EQ(net.network.delays(at), upTo(0));
  at = net.network.moves(at).at(0).target;
  EXPECT_EQ(net.place(at), "Ready GoBright");

  ExploreOptions options;
  options.step = Rational(1, 2);
  options.horizon = 2;
  options.depth = 12;
  options.states = 4000;
  options.traceDepth = 3;
  Exploration all = explore(net.network, options);
  EXPECT_EQ(
      all.edges.size(), net.model.edges.size() - [&] {
        size_t purposes = 0;
        for (const auto& automaton : net.model.automata)
          if (automaton.kind == ir::AutomatonKind::Purpose)
            purposes += automaton.edges.size();
        return purposes;
      }());
  EXPECT_EQ(all.locations.size(), 18U); // three of the button with six of the lamp
  std::set<std::string> seen;
  for (const Trace& trace : all.traces)
    if (trace.size() == 3 && observable(trace).size() == 2 && trace[0].delay.isZero())
      seen.insert(reference::show(net.model, observable(trace)));
  // After one touch: dim from 2 to 3, or another touch first; the light never comes earlier.
  EXPECT_TRUE(seen.contains("0 touch? 2 dim!"));
  EXPECT_TRUE(seen.contains("0 touch? 3 dim!"));
  EXPECT_TRUE(seen.contains("0 touch? 0.5 touch?"));
  EXPECT_FALSE(seen.contains("0 touch? 1.5 dim!"));
  EXPECT_FALSE(seen.contains("0 touch? 3.5 dim!"));
  EXPECT_FALSE(seen.contains("0 touch? 0.5 bright!"));
}

TEST(ReferenceExamples, CrossingWalks) {
  Net net = example("crossing", "Crossing");
  State at = net.start();
  auto go = [&](const Rational& delay, const std::string& label) {
    ASSERT_TRUE(net.network.canDelay(at, delay)) << label;
    at = wait(at, delay);
    for (const Move& move : net.network.moves(at))
      if (reference::show(net.model, move.label) == label) {
        at = move.target;
        return;
      }
    FAIL() << label << " is not possible in " << reference::show(net.model, at);
  };
  EXPECT_EQ(net.network.delays(at), kForever);
  EXPECT_EQ(net.network.moves(at).size(), 2U); // a train on either track
  go(5, "strikeIn?(1)");
  EXPECT_EQ(net.network.delays(at), upTo(0));
  go(0, "near");
  EXPECT_EQ(net.network.delays(at), upTo(1));
  go(1, "lightsOn!");
  EXPECT_EQ(net.network.delays(at), upTo(9));
  go(9, "lower");
  EXPECT_EQ(net.network.delays(at), upTo(10));
  go(10, "barriersDown!");
  EXPECT_EQ(net.network.delays(at), kForever);
  EXPECT_EQ(net.network.quiescent(at), true);
  EXPECT_FALSE(net.moves(wait(at, 7)).empty()); // 27 after the strike-in
  go(7, "strikeOut?(1)");
  EXPECT_EQ(net.network.quiescent(at), false);
  go(0, "gone");
  go(2, "raise");
  go(6, "barriersUp!");
  go(0, "opened");
  go(1, "lightsOff!");
  EXPECT_EQ(net.place(at), "Open Up Away Away");
}

// ---- random models

/// Some states that a random model reaches, with delays in between.
std::vector<State> someStates(const Network& network, size_t most, const Rational& step = Rational(1, 2)) {
  ExploreOptions options;
  options.step = step;
  options.horizon = 3;
  options.depth = 3;
  options.states = most;
  std::vector<State> result;
  for (const State& state : explore(network, options).states)
    for (Rational delay = 0; delay <= Rational(2) && network.canDelay(state, delay); delay = delay + step)
      result.push_back(wait(state, delay));
  return result;
}

TEST(RandomModels, TwoThousandCompileAndVary) {
  size_t moving = 0;
  size_t some = 0;
  size_t taken = 0;
  size_t edges = 0;
  std::map<std::string, size_t> words;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    std::string text = randomModel(seed, randomOptions(seed, seed % 2 == 1));
    for (const char* word : {"broadcast", "committed", "urgent", "invariant", "priority", "eager", "lazy", "int[0..3]",
                             "tau", "deadlines", "var g", "clock z", "p0", " < ", ":= 2", "bool"})
      words[word] += text.find(word) != std::string::npos;
    Model whole = test::compileOk(text);
    if (seed >= 500)
      continue;
    Net net(whole, "Net");
    ExploreOptions options;
    options.step = Rational(1, 2);
    options.depth = 5;
    options.states = 200;
    Exploration found = explore(net.network, options);
    moving += found.locations.size() > 1;
    some += found.locations.size() > 2;
    taken += found.edges.size();
    edges += net.model.edges.size();
  }
  for (const auto& [word, count] : words)
    EXPECT_GT(count, 100U) << word;
  EXPECT_GT(moving, 450U);
  EXPECT_GT(some, 300U);
  EXPECT_GT(taken, edges / 2);
  EXPECT_LT(taken, edges * 9 / 10);
}

TEST(RandomModels, PlainOptionsGivePlainModels) {
  RandomModelOptions plain;
  plain.components = 1;
  plain.strict = plain.data = plain.parameters = plain.urgency = plain.invariants = plain.urgentLocations =
      plain.priorities = plain.constantResets = false;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    std::string text = randomModel(seed, plain);
    test::compileOk(text);
    for (const char* word : {" < ", " > ", "var ", "lazy", "eager", "delayable", "invariant", "urgent", "committed",
                             "priority", ":= 1", "P1", "broadcast"})
      EXPECT_EQ(text.find(word), std::string::npos) << word << " in\n" << text;
  }
}

TEST(RandomModels, TheSmallestModelsCompileToo) {
  RandomModelOptions least;
  least.components = least.locations = least.constant = 1;
  least.clocks = 0;
  for (uint64_t seed = 0; seed < 50; ++seed) {
    test::compileOk(randomModel(seed, least));
    least.clocks = 1;
  }
}

TEST(RandomModels, TheSeedDecides) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    RandomModelOptions options = randomOptions(seed, true);
    EXPECT_EQ(randomModel(seed, options), randomModel(seed, options));
    Net first(randomModel(seed, options));
    Net second(randomModel(seed, options));
    ExploreOptions grid;
    grid.depth = 3;
    grid.states = 300;
    grid.traceDepth = 2;
    Exploration a = explore(first.network, grid);
    Exploration b = explore(second.network, grid);
    EXPECT_EQ(a.states, b.states);
    EXPECT_EQ(a.traces, b.traces);
    EXPECT_EQ(a.edges, b.edges);
  }
  EXPECT_NE(randomModel(1), randomModel(2));
}

TEST(RandomModels, ADelayIsPossibleExactlyIfItIsInTwoParts) {
  size_t checked = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Net net(randomModel(seed, randomOptions(seed, seed % 2 == 1)));
    for (const State& state : someStates(net.network, 6)) {
      Delays whole = net.network.delays(state);
      for (int64_t first = 0; first <= 6; ++first) {
        Rational head(first, 3);
        Delays rest = net.network.delays(wait(state, head));
        for (int64_t second = 0; second <= 9; ++second) {
          Rational tail(second, 3);
          ++checked;
          ASSERT_EQ(whole.contains(head + tail), whole.contains(head) && rest.contains(tail))
              << randomModel(seed, randomOptions(seed, seed % 2 == 1)) << reference::show(net.model, state) << " "
              << head.toString() << " + " << tail.toString();
        }
      }
    }
  }
  EXPECT_GT(checked, 50000U);
}

/// Section 3 word by word on points in time: states lie on a grid of 1/2 and bounds are whole, so truth changes at
/// multiples of 1/2 only and the points between them see what happens around.
bool canDelayByPoints(const Net& net, const State& state, const Rational& delay) {
  auto holdsAt = [&](const ir::Guard& guard, const Rational& time) {
    return ir::reference::holds(net.model, guard, {state.variables, {}}, wait(state, time).clocks);
  };
  const ir::Location& location = net.model[state.locations[0]];
  if ((location.urgent || location.committed) && delay.sign() > 0)
    return false;
  std::vector<Rational> points;
  for (Rational time = 0; time <= delay; time = time + Rational(1, 4))
    points.push_back(time);
  for (const Rational& time : points)
    if (!holdsAt(location.invariant, time))
      return false;
  for (const ir::Edge& edge : net.model.edges) {
    if (edge.source != state.locations[0] || edge.urgency == ir::Urgency::Lazy)
      continue;
    for (const Rational& d1 : points) {
      if (!holdsAt(edge.guard, d1))
        continue;
      if (edge.urgency == ir::Urgency::Eager && d1 < delay)
        return false;
      if (edge.urgency == ir::Urgency::Delayable)
        for (const Rational& d2 : points)
          if (d1 < d2 && !holdsAt(edge.guard, d2))
            return false;
    }
  }
  return true;
}

TEST(RandomModels, IntervalsAgreeWithTheDefinitionOnPoints) {
  size_t possible = 0;
  size_t impossible = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    RandomModelOptions options = randomOptions(seed);
    options.components = 1;
    options.parameters = false;
    options.differences = options.clockCopies = true;
    Net net(randomModel(seed, options));
    for (const State& state : someStates(net.network, 5))
      for (int64_t quarters = 0; quarters <= 24; ++quarters) {
        Rational delay(quarters, 4);
        bool expected = canDelayByPoints(net, state, delay);
        ++(expected ? possible : impossible);
        ASSERT_EQ(net.network.canDelay(state, delay), expected)
            << randomModel(seed, options) << reference::show(net.model, state) << " " << delay.toString();
      }
  }
  EXPECT_GT(possible, 5000U);
  EXPECT_GT(impossible, 5000U);
}

TEST(RandomModels, EveryMoveCanBeTakenAndKeepsTypesAndInvariants) {
  size_t checked = 0;
  for (uint64_t seed = 0; seed < 150; ++seed) {
    Net net(randomModel(seed, randomOptions(seed, true)));
    for (const State& state : someStates(net.network, 8))
      for (const Move& move : net.network.moves(state)) {
        ++checked;
        auto taken = net.network.take(state, move.edges, move.label.values);
        ASSERT_TRUE(taken);
        EXPECT_EQ(*taken, move.target);
        for (const auto& [id, value] : move.target.variables)
          if (const auto& range = net.model.types[net.model.variables[id].type].range) {
            EXPECT_LE(range->first, value.number);
            EXPECT_LE(value.number, range->last);
          }
        for (ir::LocationId id : move.target.locations)
          EXPECT_TRUE(ir::reference::holds(net.model, net.model[id].invariant, {move.target.variables, {}},
                                           move.target.clocks));
      }
  }
  EXPECT_GT(checked, 3000U);
}

/// Whatever output a run on the grid shows first, its start was not quiescent.
TEST(RandomModels, QuiescentStatesStaySilentOnTheGrid) {
  size_t silent = 0;
  size_t loud = 0;
  for (uint64_t seed = 0; seed < 120; ++seed) {
    Net net(randomModel(seed, randomOptions(seed)));
    for (const State& state : someStates(net.network, 3)) {
      std::optional<bool> answer = net.network.quiescent(state, 3);
      bool output = false;
      std::vector<State> layer{state};
      for (int depth = 0; depth < 2 && !output; ++depth) {
        std::vector<State> next;
        for (const State& from : layer)
          for (Rational delay = 0; delay <= Rational(7) && net.network.canDelay(from, delay);
               delay = delay + Rational(1, 2))
            for (Move& move : net.network.moves(wait(from, delay))) {
              output |= move.label.kind == Kind::Output;
              if (move.label.kind == Kind::Unobservable && next.size() < 50)
                next.push_back(std::move(move.target));
            }
        layer = std::move(next);
      }
      if (output) {
        EXPECT_NE(answer, true) << randomModel(seed, randomOptions(seed)) << reference::show(net.model, state);
        ++loud;
      }
      silent += answer == true;
    }
  }
  EXPECT_GT(silent, 50U);
  EXPECT_GT(loud, 50U);
}

} // namespace
} // namespace tioc::semantics
