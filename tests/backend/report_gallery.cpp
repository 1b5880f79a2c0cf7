// Writes reports into a folder: `report_gallery DIR`. One of a suite alone, one with runs, runs of a controller, one
// with hostile names, a large one.

#include "backend/suite_html.hpp"
#include "backend/suites.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>

using namespace tioc;

namespace {

/// The cash machine with its automaton; the edge to the slip is one that the suite does not cover.
ir::TestSuite atm() {
  ir::TestSuite suite = test::atmSuite();
  ir::Outline one;
  one.name = "Atm";
  one.states = {"Print", "Idle", "Verify"};
  one.initial = 1;
  const auto edge = [&](const std::string& what, ir::Span span, const std::string& label, uint32_t from, uint32_t to) {
    ir::OutlineEdge& added = one.edges.emplace_back();
    added.edge.what = what;
    added.edge.span = span;
    added.label = label;
    added.from = from;
    added.to = to;
  };
  edge("Atm: Idle -> Verify by Withdrawal?", {0, 10, 20}, "Withdrawal?", 1, 2);
  edge("Atm: Verify -> Idle by DispenseCash!", {0, 30, 40}, "DispenseCash!", 2, 1);
  edge("Atm: Verify -> Print by InsufficientFunds!", {0, 42, 48}, "InsufficientFunds!", 2, 0);
  edge("Atm: Print -> Idle by PrintBalance!", {0, 50, 60}, "PrintBalance!", 0, 1);
  suite.automata.push_back(one);
  return suite;
}

backend::CaseRun failed() {
  backend::CaseRun run;
  run.name = "Success";
  run.verdict = ir::Verdict::Fail;
  run.reason = "DispenseCash(101) at 1.5 was not allowed; allowed: DispenseCash(100) within 10";
  run.log = {{"0", false, "Withdrawal(100)"}, {"1.5", true, "DispenseCash(101)"}};
  run.path = {{ir::TestNodeId(0), {}}};
  run.position = ir::TestNodeId(1);
  return run;
}

backend::CaseRun passed() {
  backend::CaseRun run = failed();
  run.verdict = ir::Verdict::Pass;
  run.reason = "the purpose is reached";
  run.log[1].message = "DispenseCash(100)";
  run.path.push_back({ir::TestNodeId(1), 0});
  run.position = ir::TestNodeId(2);
  return run;
}

/// A burner that purges for 15 before it opens its valve.
ir::TestSuite burner() {
  test::SuiteBuilder b("Burner");
  b.suite.system = "Burner";
  const ir::TypeId boolean = b.suite.model.types.boolean(), real = b.suite.model.types.real();
  const ir::TypeId level = b.suite.model.types.ranged({0, 9});
  const ir::TypeId mode = b.enumeration("Mode", {"eco", "full"});
  const ir::ChannelId inputs = b.channel("inputs", ir::Direction::Input, {{"enabled", boolean}, {"mode", mode}});
  const ir::ChannelId outputs = b.channel("outputs", ir::Direction::Output, {{"fan", level}, {"valve", boolean}});
  ir::ExprPool& e = b.exprs();
  b.begin("Lights", "edges");
  const ir::VariableId given = b.variable("given", real), blown = b.variable("blown", real);
  const ir::VariableId fan = b.variable("fan", level);
  const ir::TestNodeId send = b.reserve(), purge = b.reserve(), open = b.reserve();
  const ir::TestNodeId pass = b.verdict(ir::Verdict::Pass, "lit");
  const ir::TestNodeId fail = b.verdict(ir::Verdict::Fail, "no output came by the deadline");
  b.fill(send, ir::SendNode{inputs, {e.boolean(true), e.enumLiteral(mode, 1)}, given, {}, purge});
  const ir::ExprId local = e.local(0, level), valve = e.local(1, boolean);
  ir::AwaitBranch blows{.channel = outputs};
  blows.guard = e.conjunction(e.equal(local, e.integer(3)), e.negation(valve));
  blows.to = {b.value(given), false};
  blows.updates = {{fan, local}};
  blows.stamp = blown;
  blows.next = open;
  b.fill(purge, ir::AwaitNode{{blows}, b.value(given), fail, "outputs(3, false)"});
  ir::AwaitBranch opens{.channel = outputs};
  opens.guard = e.conjunction(valve, e.equal(local, b.value(fan)));
  opens.from = {b.after(blown, 15), false};
  opens.to = {b.after(blown, 16), false};
  opens.next = pass;
  b.fill(open, ir::AwaitNode{{opens}, b.after(blown, 16), fail, "outputs(3, true)"});
  return std::move(b.suite);
}

/// The valve opens at `time`; nothing: never.
backend::CaseRun burnerRun(const std::string& time, ir::Verdict verdict) {
  backend::CaseRun run;
  run.name = "Lights";
  run.verdict = verdict;
  run.reason = verdict == ir::Verdict::Pass ? "lit" : "not as the model allows";
  run.log = {{"1/2", false, "inputs(true, full)", {"true", "full"}},
             {"1/2", true, "outputs(3, false)", {"3", "false"}}};
  run.path = {{ir::TestNodeId(0), {}}, {ir::TestNodeId(1), 0}};
  if (!time.empty())
    run.log.push_back({time, true, "outputs(3, true)", {"3", "true"}});
  if (verdict == ir::Verdict::Pass || time.empty())
    run.path.push_back({ir::TestNodeId(2), time.empty() ? std::nullopt : std::optional(0U)});
  run.position = verdict == ir::Verdict::Pass ? ir::TestNodeId(3)
                 : time.empty()               ? ir::TestNodeId(4)
                                              : ir::TestNodeId(2);
  return run;
}

ir::TestSuite large() {
  ir::TestSuite suite = atm();
  const ir::TestCase one = suite.cases[0];
  for (size_t i = 1; i < 5000; ++i) {
    suite.cases.push_back(one);
    suite.cases.back().name += std::to_string(i);
  }
  return suite;
}

ir::TestSuite hostile() {
  ir::TestSuite suite = atm();
  const std::string evil =
      "</script><script>document.title='evil'</script><img src=x onerror=\"document.title='evil'\">{{runs}}";
  suite.name += evil;
  suite.system = evil;
  suite.cases[0].about = evil;
  suite.automata[0].states[0] = evil;
  suite.automata[0].edges[0].label = evil;
  suite.uncovered[0].second = evil;
  return suite;
}

bool write(const std::string& path, const ir::TestSuite& suite, std::vector<backend::CaseRun> runs) {
  const auto place = [](ir::Span span) { return "atm.tio:" + std::to_string(span.begin) + ":1"; };
  return bool(std::ofstream(path) << backend::suiteHtml(suite, place, runs));
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: report_gallery DIR\n";
    return 2;
  }
  const std::string folder = std::string(argv[1]) + "/";
  const bool written = write(folder + "suite.html", atm(), {}) && write(folder + "failed.html", atm(), {failed()}) &&
                       write(folder + "passed.html", atm(), {passed()}) && write(folder + "large.html", large(), {}) &&
                       write(folder + "hostile.html", hostile(), {failed()}) &&
                       write(folder + "burner.html", burner(), {burnerRun("31/2", ir::Verdict::Pass)}) &&
                       write(folder + "burner_early.html", burner(), {burnerRun("9.5", ir::Verdict::Fail)}) &&
                       write(folder + "burner_silent.html", burner(), {burnerRun("", ir::Verdict::Fail)}) &&
                       write(folder + "route.html", test::routeSuite(), {}) &&
                       write(folder + "empty.html", ir::TestSuite{}, {});
  return written ? 0 : 1;
}
