#include "backend/suites.hpp"

namespace tioc::test {

using namespace ir;

SuiteBuilder::SuiteBuilder(std::string name) {
  suite.name = std::move(name);
  suite.system = "Sut";
  suite.model.name = "model";
}

ChannelId SuiteBuilder::channel(std::string name, Direction direction, std::vector<Member> parameters) {
  suite.model.channels.push_back(
      {.name = std::move(name), .parameters = std::move(parameters), .direction = direction});
  return ChannelId(suite.model.channels.size() - 1);
}

TypeId SuiteBuilder::enumeration(std::string name, std::vector<std::string> literals) {
  suite.model.enums.push_back({.name = std::move(name), .literals = std::move(literals)});
  return suite.model.types.enumeration(EnumId(suite.model.enums.size() - 1));
}

TypeId SuiteBuilder::record(std::string name, std::vector<Member> fields) {
  suite.model.records.push_back({.name = std::move(name), .fields = std::move(fields)});
  return suite.model.types.record(RecordId(suite.model.records.size() - 1));
}

void SuiteBuilder::begin(std::string name, std::string about) {
  suite.cases.push_back({.name = std::move(name), .about = std::move(about)});
}

VariableId SuiteBuilder::variable(std::string name, TypeId type, ExprId initial) {
  test().variables.push_back({std::move(name), type, initial});
  return VariableId(test().variables.size() - 1);
}

ExprId SuiteBuilder::value(VariableId id) {
  return exprs().variable(id, test().variables[id.value].type);
}

TestNodeId SuiteBuilder::reserve() {
  return verdict(Verdict::Pass, "");
}

void SuiteBuilder::fill(TestNodeId id, TestNode node) {
  test().nodes[id.value] = std::move(node);
}

TestNodeId SuiteBuilder::add(TestNode node) {
  test().nodes.push_back(std::move(node));
  return TestNodeId(test().nodes.size() - 1);
}

TestNodeId SuiteBuilder::verdict(Verdict verdict, std::string reason) {
  test().nodes.emplace_back(VerdictNode{verdict, std::move(reason)});
  return TestNodeId(test().nodes.size() - 1);
}

ExprId SuiteBuilder::after(VariableId stamp, Rational units) {
  return exprs().add({{value(stamp), exprs().real(std::move(units))}});
}

TestSuite atmSuite() {
  SuiteBuilder b("Regression");
  b.suite.system = "Atm";
  b.suite.model.name = "atm";
  b.suite.generator = "purpose Success";
  b.suite.tolerance = Rational(1, 2);
  TypeId integer = b.suite.model.types.integer();
  ChannelId withdrawal = b.channel("Withdrawal", Direction::Input, {{"amount", integer}});
  ChannelId cash = b.channel("DispenseCash", Direction::Output, {{"amount", integer}});
  ChannelId refusal = b.channel("InsufficientFunds", Direction::Output, {{"amount", integer}});
  b.channel("PrintBalance", Direction::Output, {{"amount", integer}});
  ExprId hundred = b.exprs().integer(100);
  ExprId same = b.exprs().equal(b.exprs().local(0, integer), hundred);

  b.begin("Success", "purpose Success");
  VariableId sent = b.variable("sent", b.suite.model.types.real());
  TestNodeId send = b.reserve();
  TestNodeId await = b.reserve();
  TestNodeId pass = b.verdict(Verdict::Pass, "the purpose is reached");
  TestNodeId inconclusive = b.verdict(Verdict::Inconclusive, "allowed, but not what the purpose asks for");
  TestNodeId fail = b.verdict(Verdict::Fail, "no answer within 10");
  b.fill(send, SendNode{withdrawal, {hundred}, sent, {{"Atm: Idle -> Verify by Withdrawal?", {0, 10, 20}}}, await});
  TimeBound from{b.value(sent), false};
  AwaitNode answers;
  answers.branches.push_back({cash,
                              same,
                              from,
                              {b.after(sent, 10), false},
                              {},
                              {},
                              {{"Atm: Verify -> Idle by DispenseCash!", {0, 30, 40}}},
                              pass});
  answers.branches.push_back({refusal, same, from, {b.after(sent, 2), false}, {}, {}, {}, inconclusive});
  answers.until = b.after(sent, 10);
  answers.timeout = fail;
  answers.allows = "DispenseCash(100) within 10, InsufficientFunds(100) within 2";
  b.fill(await, answers);
  b.suite.uncovered.emplace_back(Covered{"Atm: Print -> Idle by PrintBalance!", {0, 50, 60}},
                                 "not part of the purpose");
  return std::move(b.suite);
}

TestSuite routeSuite() {
  SuiteBuilder b("Route");
  TypeTable& types = b.suite.model.types;
  b.suite.tolerance = Rational(1, 4);
  TypeId point = b.record("Point", {{"x", types.integer()}, {"y", types.real()}});
  TypeId route = types.array(point, 2);
  TypeId mode = b.enumeration("Mode", {"Slow", "FAST"});
  TypeId digit = types.ranged({0, 9});
  ChannelId go = b.channel("Go", Direction::Input, {{"route", route}, {"mode", mode}, {"speed", types.real()}});
  ChannelId step = b.channel("Step", Direction::Output, {{"point", point}, {"left", digit}});
  ChannelId arrived = b.channel("Arrived", Direction::Output, {{"mode", mode}, {"cost", types.real()}});
  ExprPool& e = b.exprs();
  auto at = [&](int64_t x, Rational y) { return e.makeRecord(point, {{e.integer(x), e.real(std::move(y))}}); };

  b.begin("Drive", "records, arrays and enumerations");
  VariableId way = b.variable("way", route, e.makeArray(route, {{at(1, Rational(1, 3)), at(-2, Rational(5, 2))}}));
  VariableId last = b.variable("last", types.real());
  VariableId seen = b.variable("seen", types.integer(), e.integer(0));
  TestNodeId send = b.reserve();
  TestNodeId loop = b.reserve();
  TestNodeId second = b.reserve();
  TestNodeId end = b.reserve();
  TestNodeId pass = b.verdict(Verdict::Pass, "arrived");
  TestNodeId fail = b.verdict(Verdict::Fail, "nothing came");
  b.fill(send, SendNode{go, {b.value(way), e.enumLiteral(mode, 1), e.real(Rational(1, 3))}, last, {}, loop});
  auto stop = [&](int64_t index, TestNodeId next) {
    ExprId got = e.local(0, point);
    ExprId left = e.local(1, types.integer());
    AwaitBranch branch{.channel = step};
    branch.guard = e.conjunction(e.equal(got, e.element(b.value(way), e.integer(index))),
                                 e.equal(e.add({{left, b.value(seen)}}), e.integer(1)));
    branch.from = {b.after(last, 2), false};
    branch.to = {b.after(last, 8), false};
    branch.updates = {
        {seen, e.add({{b.value(seen), e.integer(1)}})},
        {way, e.setElement(b.value(way), b.value(seen),
                           e.setField(got, 0, e.multiply({{e.integer(2), e.field(got, 0, types.integer())}})))}};
    branch.stamp = last;
    branch.next = next;
    AwaitNode await{{branch}, b.after(last, 8), fail, "the next stop of the way"};
    return await;
  };
  b.fill(loop, stop(0, second));
  b.fill(second, stop(1, end));
  AwaitBranch done{.channel = arrived};
  ExprId sum = e.add({{e.field(e.element(b.value(way), e.integer(0)), 0, types.integer()),
                       e.field(e.element(b.value(way), e.integer(1)), 0, types.integer())}});
  done.guard = e.conjunction(e.equal(e.local(0, mode), e.enumLiteral(mode, 1)),
                             e.equal(e.local(1, types.real()), e.divide(e.toReal(sum), e.real(3))));
  done.to = {b.after(last, 8), true};
  done.next = pass;
  b.fill(end, AwaitNode{{done}, b.after(last, 8), fail, "Arrived"});
  return std::move(b.suite);
}

TestSuite challengeSuite() {
  SuiteBuilder b("Challenge");
  TypeTable& types = b.suite.model.types;
  b.suite.tolerance = Rational(1, 4);
  TypeId integer = types.integer();
  ChannelId hello = b.channel("Hello", Direction::Input);
  ChannelId challenge = b.channel("Ask", Direction::Output, {{"n", integer}, {"wait", integer}});
  ChannelId response = b.channel("Response", Direction::Input, {{"n", integer}});
  ChannelId granted = b.channel("Granted", Direction::Output, {{"token", integer}});
  ChannelId denied = b.channel("Denied", Direction::Output);
  ExprPool& e = b.exprs();

  b.begin("Answer", "what is sent hangs on what came");
  VariableId n = b.variable("n", integer);
  VariableId wait = b.variable("wait", integer);
  VariableId time = b.variable("time", types.real());
  TestNodeId first = b.reserve();
  TestNodeId ask = b.reserve();
  TestNodeId pause = b.reserve();
  TestNodeId answer = b.reserve();
  TestNodeId grant = b.reserve();
  TestNodeId pass = b.verdict(Verdict::Pass, "granted");
  TestNodeId fail = b.verdict(Verdict::Fail, "no answer");
  TestNodeId inconclusive = b.verdict(Verdict::Inconclusive, "denied");
  b.fill(first, SendNode{hello, {}, {}, {}, ask});
  AwaitBranch asked{.channel = challenge};
  asked.guard = e.lessEqual(e.integer(1), e.divide(e.integer(6), e.local(1, integer)));
  asked.updates = {{n, e.local(0, integer)}, {wait, e.local(1, integer)}};
  asked.stamp = time;
  asked.next = pause;
  b.fill(ask, AwaitNode{{asked}, e.real(10), fail, "Ask"});
  b.fill(pause, AwaitNode{{}, e.add({{b.value(time), e.toReal(b.value(wait))}}), answer, "nothing"});
  ExprId square = e.multiply({{b.value(n), b.value(n)}});
  b.fill(answer, SendNode{response, {e.add({{square, e.integer(7)}})}, time, {}, grant});
  AwaitBranch good{.channel = granted};
  good.guard = e.equal(e.local(0, integer), square);
  good.to = {b.after(time, 5), false};
  good.next = pass;
  AwaitBranch bad{.channel = denied};
  bad.guard = e.boolean(true);
  bad.next = inconclusive;
  b.fill(grant, AwaitNode{{good, bad}, b.after(time, 5), fail, "Granted or Denied"});
  return std::move(b.suite);
}

TestSuite longSuite() {
  SuiteBuilder b("Long");
  TypeTable& types = b.suite.model.types;
  b.suite.tolerance = Rational(1, 4);
  ChannelId ping = b.channel("Ping", Direction::Input, {{"n", types.integer()}});
  ChannelId pong = b.channel("Pong", Direction::Output, {{"n", types.integer()}});
  ChannelId skip = b.channel("Skip", Direction::Output);
  ExprPool& e = b.exprs();

  b.begin("Chain", "forty steps");
  VariableId sum = b.variable("sum", types.integer(), e.integer(0));
  VariableId sent = b.variable("sent", types.real());
  constexpr int64_t kSteps = 40;
  std::vector<TestNodeId> nodes;
  for (int64_t i = 0; i < 2 * kSteps; ++i)
    nodes.push_back(b.reserve());
  TestNodeId fail = b.verdict(Verdict::Fail, "no answer");
  // At the end, everything that came counts: 0 + 1 + ... without every fifth.
  AwaitBranch extra{.channel = skip, .guard = e.equal(b.value(sum), e.integer(608))};
  extra.next = b.verdict(Verdict::Pass, "all came");
  nodes.push_back(b.add(AwaitNode{{extra}, b.after(sent, 10), fail, "Skip"}));
  for (int64_t i = 0; i < kSteps; ++i) {
    TestNodeId next = nodes[size_t(2 * i + 2)];
    b.fill(nodes[size_t(2 * i)], SendNode{ping, {e.integer(i)}, sent, {}, nodes[size_t(2 * i + 1)]});
    AwaitBranch answer{.channel = pong, .guard = e.equal(e.local(0, types.integer()), e.integer(i))};
    answer.updates = {{sum, e.add({{b.value(sum), e.local(0, types.integer())}})}};
    answer.next = next;
    AwaitNode await{{answer}, b.after(sent, 10), fail, "Pong"};
    if (i % 5 == 4) {
      await.branches.push_back({.channel = skip, .guard = e.boolean(true)});
      await.branches.back().next = next;
    }
    b.fill(nodes[size_t(2 * i + 1)], await);
  }
  return std::move(b.suite);
}

TestSuite namesSuite() {
  SuiteBuilder b("template");
  TypeTable& types = b.suite.model.types;
  b.suite.tolerance = Rational(1, 4);
  std::string longName(300, 'n');
  TypeId kind = b.enumeration("enumerated", {"if", "RED", "EOF", "int", "gr\u00f6\u00dfe"});
  TypeId record = b.record(
      "record", {{"int", types.integer()}, {"EOF", kind}, {"linux", types.boolean()}, {longName, types.real()}});
  TypeId list = types.array(types.array(record, 1), 2);
  ChannelId in = b.channel("testcase", Direction::Input, {{"class", list}, {"value", kind}});
  ChannelId out = b.channel("gr\u00f6\u00dfe", Direction::Output, {{"class", list}, {"NULL", kind}});
  b.channel("send", Direction::Inout, {{"send", types.integer()}, {"Number", types.integer()}});
  b.channel(longName, Direction::Input, {{longName, list}});
  b.channel(longName + "2", Direction::Output, {{longName, list}, {longName + "2", list}});
  ExprPool& e = b.exprs();
  ExprId one = e.makeRecord(record, {{e.integer(-1), e.enumLiteral(kind, 2), e.boolean(true), e.real(Rational(1, 7))}});
  ExprId row = e.makeArray(types.array(record, 1), {{one}});
  ExprId rows = e.makeArray(list, {{row, row}});

  b.begin("namespace", "in /* all */ letters: \u00e9\u4e2d \\");
  VariableId time = b.variable("return", types.real());
  b.variable("value", types.boolean());
  b.variable("run", list);
  VariableId kept = b.variable("m", list, rows);
  VariableId other = b.variable(longName, kind, e.enumLiteral(kind, 4));
  TestNodeId send = b.reserve();
  TestNodeId await = b.reserve();
  TestNodeId pass = b.verdict(Verdict::Pass, "\"quoted\"\nand \u4e2d\\");
  TestNodeId fail = b.verdict(Verdict::Fail, "nothing");
  b.fill(send, SendNode{in, {b.value(kept), b.value(other)}, time, {{"a \\", {}}}, await});
  AwaitBranch back{.channel = out};
  back.guard = e.conjunction(e.equal(e.local(0, list), b.value(kept)), e.equal(e.local(1, kind), b.value(other)));
  back.updates = {{other, e.local(1, kind)}};
  back.next = pass;
  b.fill(await, AwaitNode{{back}, b.after(time, 10), fail, "the same"});
  return std::move(b.suite);
}

} // namespace tioc::test
