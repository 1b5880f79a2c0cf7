#include "backend/test_blocks.hpp"

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

bool isLast(const TestCase& test, const AwaitNode& await) {
  return std::holds_alternative<VerdictNode>(test[await.timeout]);
}

} // namespace tioc::backend
