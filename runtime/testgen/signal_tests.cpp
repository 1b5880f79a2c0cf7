#include "runtime/testgen/signal_tests.hpp"

#include "ir/passes.hpp"
#include "ir/test_append.hpp"
#include "runtime/testgen/goals.hpp"
#include "runtime/testgen/purpose_plan.hpp"

namespace tioc::testgen {

namespace {

/// Edges of the product go by the names that their own edges have in the specification.
void nameAfterSpecification(ir::TestSuite& suite, const ir::Model& model) {
  const auto rename = [&](std::vector<ir::Covered>& covers) {
    for (ir::Covered& covered : covers)
      for (size_t i = 0; i < model.edges.size(); ++i)
        if (const ir::Span& span = model.edges[i].span;
            span.valid() && span.file == covered.span.file && span.begin == covered.span.begin) {
          covered.what = describe(model, ir::EdgeId(i));
          break;
        }
  };
  for (ir::TestCase& test : suite.cases)
    for (ir::TestNode& node : test.nodes) {
      if (auto* send = std::get_if<ir::SendNode>(&node))
        rename(send->covers);
      if (auto* await = std::get_if<ir::AwaitNode>(&node))
        for (ir::AwaitBranch& branch : await->branches)
          rename(branch.covers);
    }
}

/// Tests for one purpose: along the way that backward reachability knows, else one that is searched for.
Generated forPurpose(const ir::Model& model, ir::AutomatonId purpose, GenerateOptions options) {
  ir::Model product = ir::product(model, model.systems[0].components[0].automaton, purpose);
  const ir::AutomatonId joint = product.systems[0].components[0].automaton;
  product[joint].name = model[purpose].name; // names the tests
  const PurposePlan plan = planPurpose(product, options.limits);
  if (plan.reachable == ir::Decision::No) {
    Generated none;
    none.suite.uncovered.emplace_back(ir::Covered{"purpose " + model[purpose].name, model[purpose].span}, plan.why);
    return none;
  }
  if (plan.reachable == ir::Decision::Yes)
    options.way = plan.edges;
  options.purposes = {joint};
  options.goals.clear();
  options.random = 0;
  Generated made = generate(ir::resolvePriorities(ir::signals(std::move(product))), options);
  nameAfterSpecification(made.suite, model);
  return made;
}

} // namespace

Generated generateSignalTests(const ir::Model& model, const GenerateOptions& options) {
  GenerateOptions rest = options;
  rest.purposes.clear();
  Generated result = generate(ir::resolvePriorities(ir::signals(ir::Model(model))), rest);
  std::vector<ir::TestCase> later = std::move(result.suite.cases);
  result.suite.cases.clear();
  for (ir::AutomatonId purpose : options.purposes) {
    const Generated made = forPurpose(model, purpose, options);
    ir::append(result.suite, made.suite);
    result.notes.insert(result.notes.end(), made.notes.begin(), made.notes.end());
    if (made.problem && !result.problem)
      result.problem = made.problem;
  }
  for (ir::TestCase& test : later)
    result.suite.cases.push_back(std::move(test));
  return result;
}

} // namespace tioc::testgen
