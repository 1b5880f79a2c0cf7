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

} // namespace tioc::test
