// Writes reports into a folder: `report_gallery DIR`. One of a suite alone, one with runs, one with hostile names, a
// large one.

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
                       write(folder + "route.html", test::routeSuite(), {}) &&
                       write(folder + "empty.html", ir::TestSuite{}, {});
  return written ? 0 : 1;
}
