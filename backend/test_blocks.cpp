#include "backend/test_blocks.hpp"

#include <algorithm>

namespace tioc::backend {

using namespace ir;

std::vector<TestNodeId> blockStarts(const TestCase& test) {
  constexpr uint32_t kDeepest = 12;
  std::vector<uint32_t> uses(test.nodes.size());
  for (const TestNode& node : test.nodes)
    for (TestNodeId next : successors(node))
      ++uses[next.value];
  std::vector<TestNodeId> starts{TestNodeId(0)};
  std::vector<bool> started(test.nodes.size());
  started[0] = true;
  for (size_t i = 0; i < starts.size(); ++i) {
    std::vector<std::pair<TestNodeId, uint32_t>> open{{starts[i], 0}};
    while (!open.empty()) {
      auto [id, depth] = open.back();
      open.pop_back();
      uint32_t below = depth + std::holds_alternative<AwaitNode>(test[id]);
      for (TestNodeId next : successors(test[id])) {
        if (std::holds_alternative<VerdictNode>(test[next]))
          continue;
        if (uses[next.value] == 1 && below <= kDeepest) {
          open.emplace_back(next, below);
        } else if (!started[next.value]) {
          started[next.value] = true;
          starts.push_back(next);
        }
      }
    }
  }
  return starts;
}

std::vector<std::pair<size_t, size_t>> portions(size_t cases, size_t perFile) {
  if (perFile == 0)
    return {{0, cases}};
  std::vector<std::pair<size_t, size_t>> result;
  for (size_t first = 0; first < cases; first += perFile)
    result.emplace_back(first, std::min(first + perFile, cases));
  return result;
}

After after(const TestCase& test, const AwaitNode& await) {
  const TestNode& next = test[await.timeout];
  if (std::holds_alternative<SendNode>(next))
    return After::Send;
  if (std::holds_alternative<AwaitNode>(next))
    return After::Wait;
  return std::get<VerdictNode>(next).verdict == Verdict::Fail ? After::Fail : After::Verdict;
}

std::optional<size_t> slackOf(const ir::TestCase& test, const ir::ExprPool& pool, ir::ExprId expr) {
  std::optional<size_t> result;
  pool.visit(expr, [&](ir::ExprId id) {
    if (pool.op(id) == ir::Op::Variable && test.variables[pool.payload(id)].isSlack)
      result = pool.payload(id);
  });
  return result;
}

} // namespace tioc::backend
