#include "execute/support.hpp"

#include "backend/suites.hpp"
#include "ir/passes.hpp"
#include "runtime/execute/machines.hpp"
#include "support/support.hpp"

#include <stdexcept>

namespace tioc::test {

using namespace ir;

std::unique_ptr<execute::Machine> machineOf(const std::string& text, const std::string& system) {
  const Model model = compileOk(text);
  for (size_t i = 0; i < model.systems.size(); ++i)
    if (model.systems[i].name == system)
      return execute::makeMachine(signals(instantiate(model, SystemId(i))));
  throw std::runtime_error("no system " + system);
}

std::unique_ptr<execute::Machine> exampleMachine(const std::string& file, const std::string& system) {
  return machineOf(readFile(sourceDir() + "/examples/" + file), system);
}

TestSuite withdrawalSuite() {
  SuiteBuilder b("Withdrawals");
  const TypeId integer = b.suite.model.types.integer();
  const TypeId real = b.suite.model.types.real();
  const ChannelId withdrawal = b.channel("Withdrawal", Direction::Input, {{"amount", integer}});
  const ChannelId cash = b.channel("DispenseCash", Direction::Output, {{"amount", integer}});
  const ChannelId refusal = b.channel("InsufficientFunds", Direction::Output, {{"amount", integer}});
  const ChannelId slip = b.channel("PrintBalance", Direction::Output, {{"amount", integer}});
  const ExprId hundred = b.exprs().integer(100);
  const ExprId amount = b.exprs().local(0, integer);
  const ExprId same = b.exprs().equal(amount, hundred);
  b.begin("Withdrawal");
  const VariableId sent = b.variable("sent", real);
  const VariableId refused = b.variable("refused", real);
  const TestNodeId send = b.reserve();
  const TestNodeId await = b.reserve();
  const TestNodeId awaitSlip = b.reserve();
  const TestNodeId pass = b.verdict(Verdict::Pass, "the customer has the money");
  const TestNodeId inconclusive = b.verdict(Verdict::Inconclusive, "no funds");
  const TestNodeId fail = b.verdict(Verdict::Fail, "no answer within 10");
  const TestNodeId noSlip = b.verdict(Verdict::Fail, "no slip within 5");
  b.fill(send, SendNode{withdrawal, {hundred}, sent, {}, await});
  AwaitNode answers;
  answers.branches.push_back({cash, same, {b.value(sent)}, {b.after(sent, 10)}, {}, {}, {}, pass});
  answers.branches.push_back({refusal, same, {b.value(sent)}, {b.after(sent, 2)}, {}, refused, {}, awaitSlip});
  answers.until = b.after(sent, 10);
  answers.timeout = fail;
  answers.allows = "DispenseCash(100) within 10, InsufficientFunds(100) within 2";
  b.fill(await, answers);
  AwaitNode slips;
  const ExprId less = b.exprs().less(amount, hundred);
  slips.branches.push_back({slip, less, {b.value(refused)}, {b.after(refused, 5)}, {}, {}, {}, inconclusive});
  slips.until = b.after(refused, 5);
  slips.timeout = noSlip;
  b.fill(awaitSlip, slips);
  return std::move(b.suite);
}

TestSuite requestSuite() {
  SuiteBuilder b("Requests");
  const ChannelId request = b.channel("a", Direction::Input);
  const ChannelId answer = b.channel("b", Direction::Output);
  b.begin("Answer");
  const VariableId sent = b.variable("sent", b.suite.model.types.real());
  const TestNodeId idle = b.reserve();
  const TestNodeId send = b.reserve();
  const TestNodeId await = b.reserve();
  const TestNodeId pass = b.verdict(Verdict::Pass, "answered in time");
  const TestNodeId fail = b.verdict(Verdict::Fail, "no answer within 8");
  AwaitNode nothing;
  nothing.until = b.exprs().real(1);
  nothing.timeout = send;
  b.fill(idle, nothing);
  b.fill(send, SendNode{request, {}, sent, {}, await});
  AwaitNode answers;
  answers.branches.push_back(
      {answer, b.exprs().boolean(true), {b.after(sent, 2)}, {b.after(sent, 8)}, {}, {}, {}, pass});
  answers.until = b.after(sent, 8);
  answers.timeout = fail;
  b.fill(await, answers);
  return std::move(b.suite);
}

TestSuite touchSuite() {
  SuiteBuilder b("Touches");
  const ChannelId touch = b.channel("touch", Direction::Input);
  const ChannelId off = b.channel("off", Direction::Output);
  b.channel("dim", Direction::Output);
  const ChannelId bright = b.channel("bright", Direction::Output);
  const TypeId real = b.suite.model.types.real();
  const ExprId always = b.exprs().boolean(true);
  b.begin("TwiceThenOnce");
  const VariableId first = b.variable("first", real);
  const VariableId second = b.variable("second", real);
  const VariableId third = b.variable("third", real);
  std::vector<TestNodeId> nodes;
  for (int i = 0; i < 6; ++i)
    nodes.push_back(b.reserve());
  const TestNodeId pass = b.verdict(Verdict::Pass, "as it should be");
  const TestNodeId fail = b.verdict(Verdict::Fail, "the light does not change");
  b.fill(nodes[0], SendNode{touch, {}, first, {}, nodes[1]});
  AwaitNode half;
  half.until = b.after(first, Rational(1, 2));
  half.timeout = nodes[2];
  b.fill(nodes[1], half);
  b.fill(nodes[2], SendNode{touch, {}, second, {}, nodes[3]});
  AwaitNode brighter;
  brighter.branches.push_back({bright, always, {b.after(second, 1)}, {b.after(second, 2)}, {}, {}, {}, nodes[4]});
  brighter.until = b.after(second, 2);
  brighter.timeout = fail;
  b.fill(nodes[3], brighter);
  b.fill(nodes[4], SendNode{touch, {}, third, {}, nodes[5]});
  AwaitNode dark;
  dark.branches.push_back({off, always, {b.after(third, 2)}, {b.after(third, 3)}, {}, {}, {}, pass});
  dark.until = b.after(third, 3);
  dark.timeout = fail;
  b.fill(nodes[5], dark);
  return std::move(b.suite);
}

execute::Outcome runVirtually(const TestSuite& suite, execute::Adapter& adapter, unsigned patience) {
  execute::ExecuteOptions options;
  options.session.patience = std::chrono::milliseconds(patience);
  return execute::execute(suite, suite.cases[0], adapter, options);
}

std::string describe(const TestSuite& suite, const execute::Outcome& outcome) {
  return std::string(word(outcome.verdict)) + ": " + outcome.reason + "\n" + execute::showLog(suite.model, outcome.log);
}

} // namespace tioc::test
