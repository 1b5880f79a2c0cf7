#include "runtime/semantics/network.hpp"

#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace tioc::semantics {
namespace {

using test::compileOk;

/// A network with names instead of numbers. Edges are called by the names that the model gives them.
struct Named {
  explicit Named(const std::string& text) {
    ir::Model all = compileOk("module test;\n" + text);
    model =
        std::make_unique<ir::Model>(ir::resolvePriorities(ir::instantiate(all, ir::SystemId(all.systems.size() - 1))));
    network = std::make_unique<Network>(*model);
    at.assign(network->initial().begin(), network->initial().end());
  }

  void go(uint32_t component, const std::string& name) {
    for (ir::LocationId id : (*model)[network->component(component)].locations)
      if ((*model)[id].name == name)
        at[component] = id;
    ASSERT_EQ((*model)[at[component]].name, name);
  }

  std::string edges(std::span<const ir::EdgeId> list) const {
    std::string text;
    for (ir::EdgeId id : list)
      text += (text.empty() ? "" : "+") + (*model)[id].name;
    return text;
  }
  std::string show(const Move& move) const {
    std::string text = move.visibility == Visibility::Input    ? "in "
                       : move.visibility == Visibility::Output ? "out "
                                                               : "";
    text += edges(move.edges);
    if (move.broadcast)
      text += "*";
    if (!move.silent.empty())
      text += " not " + edges(move.silent);
    return text;
  }
  std::vector<std::string> moves() const {
    std::vector<std::string> result;
    network->forEachMove(at, [&](const Move& move) { result.push_back(show(move)); });
    std::sort(result.begin(), result.end());
    return result;
  }
  template <class Ready>
  std::vector<std::string> receptions(Ready ready) const {
    std::vector<std::string> result;
    Network::Reception memory;
    network->forEachMove(at, [&](const Move& move) {
      if (move.broadcast)
        network->forEachReception(
            at, move, memory, [&](ir::EdgeId id) { return ready((*model)[id].name); },
            [&](const Move& chosen) { result.push_back(show(chosen)); });
    });
    std::sort(result.begin(), result.end());
    return result;
  }
  std::vector<std::string> deadlines() const {
    std::vector<std::string> result;
    network->forEachDeadline(at, [&](const Deadline& deadline) {
      result.push_back(std::string(ir::word(deadline.urgency)) + " " + edges(deadline.edges));
    });
    std::sort(result.begin(), result.end());
    return result;
  }

  std::unique_ptr<ir::Model> model;
  std::unique_ptr<Network> network;
  std::vector<ir::LocationId> at;
};

using List = std::vector<std::string>;

TEST(Network, LeavesChannelsOfOneSideToTheEnvironment) {
  Named net("input a; output b; tiosts A { init S; state S { r: a? -> S; s: b! -> S; t: tau -> S; } }"
            "system N = A;");
  EXPECT_EQ(net.moves(), (List{"in r", "out s", "t"}));
}

TEST(Network, JoinsASendAndAReceiveOfDifferentComponents) {
  Named net("inout b; tiosts A { init S; state S { s: b! -> S; own: b? -> S; } }"
            "tiosts B { init S; state S { r1: b? -> S; r2: b? -> T; } state T { } } system N = A || B;");
  EXPECT_EQ(net.moves(), (List{"out s+r1", "out s+r2"}));
  net.go(1, "T");
  EXPECT_EQ(net.moves(), List{});
}

TEST(Network, DoesNotCloseAChannelThatOneComponentUsesBothWays) {
  Named net("inout b; tiosts A { init S; state S { s: b! -> S; r: b? -> S; } } system N = A;");
  EXPECT_EQ(net.moves(), (List{"in r", "out s"}));
}

TEST(Network, HidesInternalChannelsAndNeedsAPartnerForThem) {
  Named net("internal i, lone; tiosts A { init S; state S { s: i! -> S; l: lone! -> S; } }"
            "tiosts B { init S; state S { r: i? -> S; } } system N = A || B;");
  EXPECT_EQ(net.moves(), (List{"s+r"}));
  EXPECT_EQ(net.network->edges(net.at[0]).size(), 1U);
}

TEST(Network, TakesTheStricterUrgency) {
  Named net("internal i; output o; tiosts A { init S; state S { s: lazy i! -> S; d: o! -> S; t: tau -> S; } }"
            "tiosts B { init S; state S { r: eager i? -> S; q: i? -> S; } } system N = A || B;");
  EXPECT_EQ(net.deadlines(), (List{"delayable d", "eager s+r", "eager t"}));
}

TEST(Network, HasNoDeadlinesOfEdgesWhereLocationsHaveThem) {
  Named net("output o; tiosts A { deadlines location; init S; state S { d: o! -> S; } } system N = A;");
  EXPECT_EQ(net.deadlines(), List{});
  EXPECT_TRUE(net.network->mayBind(net.at));
}

constexpr const char* kBroadcast =
    "broadcast b; tiosts A { init S; state S { s: b! -> S; } } tiosts B { init S; state S { r1: b? -> S; r2: b? -> S; "
    "} }"
    "tiosts C { init S; state S { q: eager b? -> S; } state T { } } system N = A || B || C;";

TEST(Network, LetsEveryReadyComponentReceiveABroadcast) {
  Named net(kBroadcast);
  EXPECT_EQ(net.moves(), List{"s*"});
  EXPECT_EQ(net.receptions([](const std::string&) { return Readiness::Yes; }), (List{"s+r1+q", "s+r2+q"}));
  EXPECT_EQ(net.receptions([](const std::string&) { return Readiness::No; }), List{"s"});
  EXPECT_EQ(net.receptions([](const std::string& e) { return e == "r2" ? Readiness::Yes : Readiness::No; }),
            List{"s+r2"});
}

TEST(Network, LeavesOutReceiversThatMayNotBeReady) {
  Named net(kBroadcast);
  EXPECT_EQ(net.receptions([](const std::string& e) { return e == "q" ? Readiness::Perhaps : Readiness::No; }),
            (List{"s not q", "s+q"}));
  EXPECT_EQ(net.receptions([](const std::string& e) { return e == "r1" ? Readiness::Yes : Readiness::Perhaps; }),
            (List{"s+r1 not q", "s+r1+q", "s+r2 not q", "s+r2+q"}));
}

TEST(Network, BindsABroadcastByItsSenderAndByStricterReceivers) {
  Named net(kBroadcast);
  EXPECT_EQ(net.deadlines(), (List{"delayable s", "eager s+q"}));
  net.go(2, "T");
  EXPECT_EQ(net.deadlines(), List{"delayable s"});
}

TEST(Network, BindsABroadcastByReceiversThatAreAsUrgentAsTheSender) {
  Named net("broadcast b; tiosts A { init S; state S { s: b! -> S; e: eager b! -> S; } }"
            "tiosts B { init S; state S { r: delayable b? -> S; l: lazy b? -> S; } } system N = A || B;");
  EXPECT_EQ(net.deadlines(), (List{"delayable s", "delayable s+r", "eager e"}));
}

TEST(Network, LetsTheEnvironmentBroadcastToAll) {
  Named net(
      "broadcast input b; tiosts A { init S; state S { r: b? -> S; } } tiosts B { init S; state S { q: b? -> T; } "
      "state T { } } system N = A || B;");
  EXPECT_EQ(net.moves(), List{"in *"});
  EXPECT_EQ(net.receptions([](const std::string&) { return Readiness::Yes; }), List{"in r+q"});
  EXPECT_EQ(net.receptions([](const std::string&) { return Readiness::No; }), List{});
}

TEST(Network, LeavesCommittedLocationsFirst) {
  Named net("internal i; broadcast b; tiosts A { init S; committed state S { t: tau -> S; s: i! -> S; r: b? -> S; } }"
            "tiosts B { init S; state S { u: tau -> S; q: i? -> S; w: b! -> S; } } system N = A || B;");
  EXPECT_EQ(net.moves(), (List{"s+q", "t", "w*"}));
  EXPECT_EQ(net.receptions([](const std::string&) { return Readiness::Yes; }), List{"w+r"});
  EXPECT_EQ(net.receptions([](const std::string&) { return Readiness::Perhaps; }), List{"w+r"});
  EXPECT_TRUE(net.network->stopsTime(net.at));
}

TEST(Network, LeavesOutWhatBelongsToPurposes) {
  Named net("clock g; output b; tiosts A { clock x; init S; state S { s: b! when x < 3 && g < 3 -> S; } }"
            "purpose P for A { var v: int = 0; clock k; state T { b! when k > 1 && v == 0 -> accept; } }");
  EXPECT_EQ(net.network->dim(), 3U);
  EXPECT_EQ(net.network->variables().size(), 0U);
}

} // namespace
} // namespace tioc::semantics
