#include "ir/test_append.hpp"

#include <algorithm>
#include <cassert>

namespace tioc::ir {

namespace {

class Adoption {
public:
  Adoption(ExprPool& to, const ExprPool& from) : to_(to), from_(from) {}

  void operator()(ExprId& root) {
    if (!root.valid())
      return;
    from_.visit(root, [&](ExprId id) {
      if (known_.contains(id))
        return;
      std::vector<ExprId> operands;
      for (ExprId operand : from_.operands(id))
        operands.push_back(known_.at(operand));
      known_[id] = to_.adopt(from_, id, operands);
    });
    root = known_.at(root);
  }

private:
  ExprPool& to_;
  const ExprPool& from_;
  std::unordered_map<ExprId, ExprId> known_;
};

void adoptNode(Adoption& adopt, TestNode& node) {
  if (auto* send = std::get_if<SendNode>(&node))
    for (ExprId& argument : send->arguments)
      adopt(argument);
  if (auto* await = std::get_if<AwaitNode>(&node)) {
    adopt(await->until);
    for (AwaitBranch& branch : await->branches) {
      adopt(branch.guard);
      adopt(branch.from.time);
      adopt(branch.to.time);
      for (Update& update : branch.updates)
        adopt(update.value);
    }
  }
}

} // namespace

void append(TestSuite& to, const TestSuite& from) {
  assert(from.cases.empty() || to.model.channels.size() == from.model.channels.size());
  Adoption adopt(to.model.exprs, from.model.exprs);
  for (TestCase test : from.cases) {
    const std::string name = test.name;
    const auto taken = [&](const TestCase& other) { return other.name == test.name; };
    for (int i = 2; std::any_of(to.cases.begin(), to.cases.end(), taken); ++i)
      test.name = name + "_" + std::to_string(i);
    for (TestVariable& variable : test.variables)
      adopt(variable.initial);
    for (TestNode& node : test.nodes)
      adoptNode(adopt, node);
    to.cases.push_back(std::move(test));
  }
  to.uncovered.insert(to.uncovered.end(), from.uncovered.begin(), from.uncovered.end());
}

} // namespace tioc::ir
