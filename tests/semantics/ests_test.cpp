#include "runtime/semantics/ests.hpp"

#include "ir/passes.hpp"
#include "runtime/semantics/ests_concrete.hpp"
#include "semantics/ests_reference.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace tioc::semantics {
namespace {

using ir::ExprId;
using ir::Rational;

ir::Model instance(const std::string& text, const std::string& system) {
  const ir::Model all = test::compileOk(text);
  for (size_t i = 0; i < all.systems.size(); ++i)
    if (all.systems[i].name == system)
      return ir::instantiate(all, ir::SystemId(i));
  ADD_FAILURE() << "no system " << system;
  return {};
}

/// The model of the paper's figure 1 with `?c` at the automaton that is told: `A` while it waits, or `B`.
std::string pair(const std::string& listener) {
  const std::string c = "c? takes 10 -> ";
  return R"(module pair;
input a(p1: int, p2: int), c;
output d(value: int), e;
internal b(value: int);
ests A {
  var x: int = 0, y: int = 0;
  init A0;
  state A0 { a?(p1, p2) when 0 <= p1 && p1 <= 200 && 0 <= p2 && p2 <= 10 do x := p1, y := p2 takes 10 -> A1; }
  state A1 { b!(y) takes 10 -> A2; }
  group Wait restart on A1 -> A2 {
    state A2 { when x > 50 takes 10 -> A3; )" +
         (listener == "A" ? c + "A2; " : "") + R"(}
    state A3 { )" +
         (listener == "A" ? c + "A3; " : "") + R"(}
    after x takes 10 -> A4;
  }
  state A4 { e! takes 10 -> A0; }
}
ests B {
  var z: int = 0;
  init B0;
  state B0 { b?(p) do z := p takes 10 -> B1; }
  state B1 { after 100 when z < 5 takes 10 -> B2; )" +
         (listener == "B" ? c + "B1; " : "") + R"(}
  state B2 { d!(z + 3) takes 10 -> B0; }
}
system Net = queue(A, B);
)";
}

/// Follows a composition by hand, with terms for values and times.
class Script {
public:
  struct Signal {
    std::string name;
    std::vector<ExprId> values;
    ExprId time;
    bool seen = false;
  };
  struct Path {
    SymbolicState state;
    std::vector<Signal> signals;
    std::vector<ir::EdgeId> trace;
    std::vector<ExprId> message; ///< of the last input
    ExprId time;                 ///< of the last event
  };

  explicit Script(const std::string& text)
      : model(instance(text, "Net")), network(model), symbols(model, {}),
        relation(symbols, network, TimeKind::Symbolic) {
    for (SymbolicState& state : relation.initial())
      paths.push_back({std::move(state), {}, {}, {}, {}});
  }

  ir::ChannelId channel(const std::string& name) const {
    for (size_t i = 0; i < model.channels.size(); ++i)
      if (model.channels[i].name == name)
        return ir::ChannelId(i);
    return {};
  }

  /// The environment sends; `about` says more about message and time.
  void send(const std::string& name, const std::function<ExprId(const Path& path)>& about = {}) {
    const ir::ChannelId id = channel(name);
    std::vector<Path> next;
    for (const Path& path : paths)
      relation.react(path.state, id, [&](Ests::Run::Draft&& draft) {
        Path end = follow(path, std::move(draft));
        for (uint32_t i = 0; i < model[id].parameters.size(); ++i)
          end.message.push_back(
              symbols.unknown(end.state.steps, i, model[id].parameters[i].type, model[id].parameters[i].name));
        if (!about || (symbols.assume(end.state, about(end)) && symbols.isFeasible(end.state)))
          next.push_back(std::move(end));
      });
    paths = std::move(next);
  }

  /// Waits for timeouts until there are none; `waits`: how many came at most.
  size_t wait() {
    size_t waits = 0;
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<Path> next;
      for (const Path& path : paths) {
        bool reacts = false;
        relation.react(path.state, [&](Ests::Run::Draft&& draft) {
          reacts = true;
          next.push_back(follow(path, std::move(draft)));
        });
        // Nothing comes where no timeout is ready.
        SymbolicState quiet = path.state;
        bool possible = true;
        EstsNet net(model);
        EstsTerms terms(symbols, network, net);
        EstsRun<EstsTerms> run(net, terms);
        for (const auto& due : run.dues(path.state))
          possible = possible && symbols.assume(quiet, symbols.pool().negation(due.ready));
        if (possible && symbols.isFeasible(quiet)) {
          next.push_back(path);
          next.back().state = std::move(quiet);
        }
        changed |= reacts;
      }
      paths = std::move(next);
      waits += changed ? 1 : 0;
    }
    return waits;
  }

  /// Whether the condition follows from that of the path.
  bool surely(const Path& path, ExprId condition) {
    std::vector<ExprId> conditions = path.state.conditions;
    conditions.push_back(symbols.pool().negation(condition));
    return symbols.solver().check(conditions).answer == solver::Answer::Unsat;
  }

  ExprId number(const Rational& value) { return symbols.pool().integer(value); }
  ExprId time(const Rational& value) { return symbols.pool().real(value); }
  ExprId sum(ExprId a, ExprId b) { return symbols.pool().add(std::vector<ExprId>{a, b}); }

  ir::Model model;
  Network network;
  Symbols symbols;
  Ests relation;
  std::vector<Path> paths;

private:
  Path follow(const Path& from, Ests::Run::Draft&& draft) {
    Path path = from;
    path.message.clear();
    path.time = symbols.expr(draft.begin.at);
    for (Ests::Run::Sent& sent : draft.sent)
      path.signals.push_back(
          {model[model[sent.edge].channel].name, sent.message, symbols.expr(sent.time.at), sent.seen});
    path.trace.insert(path.trace.end(), draft.trace.begin(), draft.trace.end());
    path.state = std::move(draft.state);
    path.state.busy.clear();
    for (const OpenTime& end : draft.busy)
      path.state.busy.push_back(end.late);
    path.state.now = draft.begin.at;
    return path;
  }
};

std::string names(const std::vector<Script::Signal>& signals, bool seen) {
  std::string text;
  for (const Script::Signal& signal : signals)
    if (signal.seen == seen)
      text += (text.empty() ? "" : " ") + signal.name;
  return text;
}

const Script::Signal& named(const Script::Path& path, const std::string& name) {
  return *std::find_if(path.signals.begin(), path.signals.end(),
                       [&](const Script::Signal& signal) { return signal.name == name; });
}

/// `?a` at time 0 with conditions on its parameters.
void sendA(Script& script, const std::function<ExprId(ExprId p1, ExprId p2)>& about) {
  script.send("a", [&](const Script::Path& path) {
    ir::ExprPool& pool = script.symbols.pool();
    return pool.conjunction(pool.equal(path.time, pool.real(0)), about(path.message[0], path.message[1]));
  });
}

ExprId p1Of(Script& script) {
  return script.symbols.pool().toReal(
      script.symbols.unknown(1, 0, script.model[script.channel("a")].parameters[0].type, "p1"));
}

// ---- the paper

TEST(EstsPaper, Example1HasAGroupOfTwoStatesAndAnAttributeAsTimeout) {
  const ir::Model model = instance(pair("A"), "Net");
  ASSERT_EQ(model.groups.size(), 2U);
  EXPECT_EQ(model.groups[0].locations.size(), 2U);
  EXPECT_FALSE(model.exprs.isConstant(model.groups[0].timeout));
  EXPECT_EQ(*model.exprs.number(model.groups[1].timeout), Rational(100));
}

TEST(EstsPaper, Example2AttributesAfterReception) {
  const ir::Model model = instance(pair("A"), "Net");
  const Network network(model);
  EstsConcrete concrete(network);
  std::vector<EstsState> ends;
  const auto keep = [&](EstsState&& state, std::vector<ir::EdgeId>&&) { ends.push_back(std::move(state)); };
  concrete.start(0, {}, keep);
  ASSERT_EQ(ends.size(), 1U);
  const EstsState start = ends[0];
  ends.clear();
  concrete.receive(start, ir::ChannelId(0), {{70, {}}, {6, {}}}, {}, keep);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].variables[0], 70);
  EXPECT_EQ(ends[0].variables[1], 6);
}

TEST(EstsPaper, Example3TraceRunsFromBlockingStateToBlockingState) {
  const ir::Model model = instance(pair("A"), "Net");
  reference::Composition composition(model);
  const reference::Configuration first = composition.start().at(0).end;
  // The paper's x = 30 does not satisfy x > 50; with 60 the completion belongs to the trace.
  for (const auto& [p1, completes] : {std::pair(60, true), std::pair(30, false)}) {
    const auto reactions = composition.send(first, 0, ir::ChannelId(0), {{p1, {}}, {9, {}}});
    ASSERT_EQ(reactions.size(), 1U);
    std::vector<std::string> places;
    for (ir::EdgeId id : reactions[0].trace)
      places.push_back(model[model[id].target].name);
    const std::vector<std::string> expected =
        completes ? std::vector<std::string>{"A1", "A2", "A3", "B1"} : std::vector<std::string>{"A1", "A2", "B1"};
    EXPECT_EQ(places, expected);
  }
  EXPECT_TRUE(composition.send(first, 0, ir::ChannelId(0), {{30, {}}, {15, {}}}).empty());
}

TEST(EstsPaper, Table1TraceT1) {
  Script script(pair("A"));
  ir::ExprPool& pool = script.symbols.pool();
  sendA(script, [&](ExprId p1, ExprId p2) {
    return pool.conjunction(pool.lessEqual(p1, script.number(50)), pool.lessEqual(script.number(5), p2));
  });
  script.wait();
  ASSERT_FALSE(script.paths.empty());
  for (const Script::Path& path : script.paths) {
    EXPECT_EQ(names(path.signals, true), "e");
    EXPECT_EQ(names(path.signals, false), "b");
    EXPECT_TRUE(script.surely(path, pool.equal(named(path, "e").time, script.sum(p1Of(script), script.time(40)))));
    EXPECT_TRUE(script.surely(path, pool.equal(named(path, "b").time, script.time(20))));
  }
}

TEST(EstsPaper, Table1TraceT2) {
  Script script(pair("A"));
  ir::ExprPool& pool = script.symbols.pool();
  sendA(script, [&](ExprId p1, ExprId p2) {
    return pool.conjunction(pool.less(script.number(140), p1), pool.less(p2, script.number(5)));
  });
  // The first wait, of 100 from when the reaction is over at 40, wakes B; the second, of p1 - 140, wakes A.
  EXPECT_EQ(script.wait(), 2U);
  ASSERT_FALSE(script.paths.empty());
  for (const Script::Path& path : script.paths) {
    EXPECT_EQ(names(path.signals, true), "d e");
    EXPECT_EQ(names(path.signals, false), "b");
    EXPECT_TRUE(script.surely(path, pool.equal(named(path, "b").time, script.time(20))));
    EXPECT_TRUE(script.surely(path, pool.equal(named(path, "d").time, script.time(160))));
    EXPECT_TRUE(script.surely(path, pool.equal(named(path, "e").time, script.sum(p1Of(script), script.time(40)))));
    const ExprId p2 = script.symbols.unknown(1, 1, pool.type(named(path, "d").values[0]), "p2");
    EXPECT_TRUE(script.surely(path, pool.equal(named(path, "d").values[0], script.sum(p2, script.number(3)))));
    // The second wait begins at 160 and is over when A's delay of p1, which began at 20, is.
    EXPECT_TRUE(script.surely(path, pool.equal(path.time, script.sum(p1Of(script), script.time(20)))));
  }
}

TEST(EstsPaper, Table2TraceT31WithADisturbanceWhileAWaits) {
  Script script(pair("A"));
  ir::ExprPool& pool = script.symbols.pool();
  sendA(script, [&](ExprId p1, ExprId p2) {
    return pool.conjunction(std::vector<ExprId>{pool.less(script.number(10), p1), pool.lessEqual(p1, script.number(50)),
                                                pool.lessEqual(script.number(5), p2)});
  });
  ASSERT_EQ(script.paths.size(), 1U);
  script.send("c");
  ASSERT_FALSE(script.paths.empty());
  for (const Script::Path& path : script.paths) { // from the end of the first reaction until A's timeout
    EXPECT_TRUE(script.surely(path, pool.lessEqual(script.time(30), path.time)));
    EXPECT_TRUE(script.surely(path, pool.less(path.time, script.sum(p1Of(script), script.time(20)))));
  }
  script.wait();
  for (const Script::Path& path : script.paths) {
    EXPECT_EQ(names(path.signals, true), "e");
    EXPECT_EQ(names(path.signals, false), "b");
    EXPECT_TRUE(script.surely(path, pool.equal(named(path, "b").time, script.time(20))));
    EXPECT_TRUE(script.surely(path, pool.equal(named(path, "e").time, script.sum(p1Of(script), script.time(40)))));
  }
}

TEST(EstsPaper, Table2TraceT32NeedsNoWaitWhereTheExecutionTakesLongerThanTheDelay) {
  Script script(pair("B"));
  ir::ExprPool& pool = script.symbols.pool();
  sendA(script, [&](ExprId p1, ExprId p2) {
    return pool.conjunction(pool.lessEqual(p1, script.number(10)), pool.lessEqual(script.number(5), p2));
  });
  script.send("c");
  ASSERT_FALSE(script.paths.empty());
  EXPECT_EQ(script.wait(), 0U);
  for (const Script::Path& path : script.paths) {
    EXPECT_EQ(names(path.signals, true), "e");
    EXPECT_EQ(names(path.signals, false), "b");
    EXPECT_TRUE(script.surely(path, pool.equal(named(path, "b").time, script.time(20))));
    EXPECT_TRUE(script.surely(path, pool.equal(named(path, "e").time, script.sum(p1Of(script), script.time(40)))));
  }
}

// ---- rules

/// The signals of the only reaction to `go`, as text: `x@3 y@5`; several reactions are joined by `|`.
std::string reactionsTo(const std::string& text) {
  const ir::Model model = instance(text, "Net");
  const Network network(model);
  EstsConcrete concrete(network);
  std::vector<EstsState> starts;
  concrete.start(0, {}, [&](EstsState&& state, std::vector<ir::EdgeId>&&) { starts.push_back(std::move(state)); });
  std::set<std::string> all;
  for (const EstsState& start : starts)
    concrete.receive(start, ir::ChannelId(0), {}, {}, [&](EstsState&& state, std::vector<ir::EdgeId>&&) {
      std::string signals;
      for (const EstsState::Output& output : state.pending)
        signals += (signals.empty() ? "" : " ") + model[model[output.edge].channel].name + "@" + output.time.toString();
      all.insert(signals.empty() ? "nothing" : signals);
    });
  std::string result;
  for (const std::string& one : all)
    result += (result.empty() ? "" : "|") + one;
  return concrete.problem() ? concrete.problem()->text : result;
}

const std::string kHead = "module m;\ninput go;\noutput x, y, z;\ninternal s, t;\n";

TEST(EstsRules, HighestPriorityWhoseGuardHoldsWins) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { var n: int = 1; init I;
  state I { go? when n > 1 priority 2 -> X; go? when n > 0 priority 1 takes 3 -> Y; go? -> Z; }
  state X { x! -> I; } state Y { y! -> I; } state Z { z! -> I; } }
system Net = queue(A);)"),
            "y@3");
}

TEST(EstsRules, EqualPrioritiesLeaveTheChoiceOpen) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { init I; state I { go? -> X; go? -> Y; } state X { x! takes 1 -> I; } state Y { y! takes 2 -> I; } }
system Net = queue(A);)"),
            "x@1|y@2");
}

TEST(EstsRules, TauLeavesSourceAndTarget) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { init I; state I { go? -> M; } state M { tau takes 4 -> X; go? -> I; } state X { x! takes 1 -> I; } }
system Net = queue(A);)"),
            "nothing|x@5");
}

TEST(EstsRules, MixedStateGoesOnAsSoonAsAGuardHolds) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { var n: int = 0; init I;
  state I { go? do n := 1 -> M; }
  state M { x! when n == 1 do n := 2 takes 1 -> M; y! when n == 3 -> M; go? -> I; } }
system Net = queue(A);)"),
            "x@1");
}

TEST(EstsRules, QueueIsFirstInFirstOutAndRunsOneAutomatonAtATime) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { init I; state I { go? takes 1 -> S; } state S { s! takes 1 -> T; } state T { t! takes 1 -> I; } }
ests B { init I; state I { t? takes 10 -> Y; s? takes 20 -> X; } state X { x! takes 1 -> I; } state Y { y! takes 1 -> I; } }
system Net = queue(A, B);)"),
            "x@24 y@35");
}

TEST(EstsRules, SignalComesBeforeAnOverdueDelayThoughQueuedLater) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { init I; state I { go? takes 50 -> S; } state S { s! takes 1 -> I; } }
ests B { init W; state W { after 20 -> X; s? takes 1 -> Y; } state X { x! -> E; } state Y { y! -> E; } state E { go? -> E; } }
system Net = queue(A, B);)"),
            "y@52");
}

TEST(EstsRules, OverdueDelayCountsFromItsDueTime) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { init I; state I { go? takes 50 -> I; } }
ests B { init W; state W { after 20 takes 2 -> X; } state X { x! takes 3 -> E; } state E { go? -> E; } }
system Net = queue(A, B);)"),
            "x@25");
}

TEST(EstsRules, MostOverdueDelayRunsFirst) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { init I; state I { go? takes 50 -> I; } }
ests B { init W; state W { after 30 -> X; } state X { x! -> S; } state S { s! -> E; } state E { after 1000 -> E; } }
ests C { init W; state W { after 20 -> Y; } state Y { y! -> S; } state S { s? -> Z; } state Z { z! takes 1 -> E; } state E { s? -> E; } }
system Net = queue(A, B, C);)"),
            "y@20 x@30 z@31");
}

TEST(EstsRules, MovingInsideAGroupDoesNotRestartItsClock) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { init I;
  state I { go? takes 1 -> P; }
  group G { state P { takes 4 -> Q; } state Q { } after 3 takes 1 -> X; }
  state X { x! takes 1 -> I; } }
system Net = queue(A);)"),
            "x@6"); // entered at 1, due at 4 though Q is reached at 5
}

TEST(EstsRules, NobodyTakesWhatNobodyListensTo) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { init I; state I { after 5 -> J; } state J { go? -> J; } }
system Net = queue(A);)"),
            "");
}

TEST(EstsRules, EndlessLoopsAreReportedWithTheLoop) {
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { init I; state I { go? -> P; } state P { -> Q; } state Q { -> P; } }
system Net = queue(A);)"),
            "a reaction that never comes to rest; it goes round by A.P -> Q, A.Q -> P");
  EXPECT_EQ(reactionsTo(kHead + R"(
ests A { init I; state I { go? -> S; t? -> S; } state S { s! -> I; } }
ests B { init I; state I { s? -> T; } state T { t! -> I; } }
system Net = queue(A, B);)"),
            "a reaction that never comes to rest; it goes round by A.S -> I by s!, B.I -> T by s?, B.T -> I by t!, "
            "A.I -> S by t?");
}

TEST(EstsRules, OpenedSignalIsSeenAndMayBeSent) {
  const std::string text = R"(module m;
open internal s;
output y;
ests A { init I; state I { s? takes 1 -> Y; } state Y { y! -> I; } }
ests B { init Start; state Start { s! takes 2 -> I; } state I { after 100 -> I; } }
system Net = queue(A, B);)";
  const ir::Model model = instance(text, "Net");
  const Network network(model);
  EstsConcrete concrete(network);
  std::vector<EstsState> ends;
  const auto keep = [&](EstsState&& state, std::vector<ir::EdgeId>&&) { ends.push_back(std::move(state)); };
  concrete.start(0, {}, keep);
  ASSERT_EQ(ends.size(), 1U);
  ASSERT_EQ(ends[0].pending.size(), 2U);
  EXPECT_EQ(ends[0].pending[0].time, Rational(2));
  EXPECT_EQ(ends[0].pending[1].time, Rational(3));
  EstsState rest = ends[0];
  rest.pending.clear();
  rest.now = 10;
  ends.clear();
  concrete.receive(rest, ir::ChannelId(0), {}, {}, keep);
  ASSERT_EQ(ends.size(), 1U);
  EXPECT_EQ(ends[0].pending.back().time, Rational(11));
}

TEST(EstsSymbolic, OpenDurationsGiveWindowsAndTheEnvironmentWaitsForTheirEnd) {
  Script script(kHead + R"(
ests A { init I; state I { go? takes 10 +- 2 -> X; } state X { x! takes 5 jitter 1 -> I; } }
system Net = queue(A);)");
  ir::ExprPool& pool = script.symbols.pool();
  script.send("go", [&](const Script::Path& path) { return pool.equal(path.time, pool.real(0)); });
  ASSERT_EQ(script.paths.size(), 1U);
  const Script::Path first = script.paths[0];
  const ExprId time = first.signals[0].time;
  EXPECT_TRUE(script.surely(
      first, pool.conjunction(pool.lessEqual(script.time(12), time), pool.lessEqual(time, script.time(18)))));
  EXPECT_FALSE(script.surely(first, pool.less(script.time(12), time)));
  EXPECT_FALSE(script.surely(first, pool.less(time, script.time(18))));
  script.send("go");
  ASSERT_EQ(script.paths.size(), 1U);
  EXPECT_TRUE(script.surely(script.paths[0], pool.lessEqual(script.time(18), script.paths[0].time)));
}

TEST(EstsSymbolic, ZonesAreRefused) {
  ir::Model model = instance(pair("A"), "Net");
  const Network network(model);
  Symbols symbols(model, {});
  EXPECT_TRUE(Ests(symbols, network, TimeKind::Zones).problem());
}

} // namespace
} // namespace tioc::semantics
