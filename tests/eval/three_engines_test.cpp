// The same expressions at the same valuations: interpreted, compiled, and asked of Z3.

#include "eval/random_edges.hpp"
#include "runtime/eval/edge_code.hpp"
#include "runtime/solver/solver.hpp"
#include "runtime/solver/terms.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tioc::eval {
namespace {

using ir::ExprId;
using test::RandomEdges;

/// The guards of a model's edges as conditions: variable i is unknown i, the message parameters come behind.
struct Conditions {
  ir::Model& model;
  const Layout& layout;
  solver::Unknowns unknowns;
  std::vector<ExprId> guards;

  Conditions(ir::Model& model, const Layout& layout) : model(model), layout(layout) {
    for (const ir::Variable& variable : model.variables)
      unknowns.add(variable.type, variable.name);
    for (const ir::Member& parameter : model.edges[0].parameters)
      unknowns.add(parameter.type, parameter.name);
    const auto first = static_cast<uint32_t>(model.variables.size());
    ir::ExprPool::Substitution put(model.exprs, [&, first](ExprId leaf) {
      const uint32_t payload = model.exprs.payload(leaf);
      if (model.exprs.op(leaf) == ir::Op::Variable)
        return unknowns.leaf(model.exprs, payload);
      return model.exprs.op(leaf) == ir::Op::Local ? unknowns.leaf(model.exprs, first + payload) : ExprId();
    });
    for (const ir::Edge& edge : model.edges)
      guards.push_back(put(edge.guard.data));
  }

  /// Leaves one value for every unknown.
  std::vector<ExprId> pinned(solver::Terms& terms, const Slot* frame) {
    std::vector<ExprId> result;
    const auto count = static_cast<uint32_t>(model.variables.size());
    for (uint32_t i = 0; i < unknowns.size(); ++i) {
      const Slot* at =
          frame + (i < count ? layout.offsetOf(ir::VariableId(i)) : layout.offsetOfLocal(model.edges[0], i - count));
      result.push_back(model.exprs.equal(unknowns.leaf(model.exprs, i),
                                         terms.constant(unknowns.type(i), layout.load(unknowns.type(i), at))));
    }
    return result;
  }
};

TEST(Engines, Z3AgreesWithInterpreterAndCompiledCode) {
  const bool isLong = std::getenv("TIOC_LONG") != nullptr;
  const int models = isLong ? 500 : 6, valuations = isLong ? 25 : 4, edges = 80;
  size_t pairs = 0, yes = 0, faults = 0;
  for (int seed = 0; seed < models; ++seed) {
    RandomEdges random(1000 + static_cast<uint64_t>(seed));
    for (int i = 0; i < edges; ++i)
      random.addEdge(1 + i % 4);
    Layout layout(random.model);
    EdgeCode compiled(layout, Mode::Jit);
    Conditions conditions(random.model, layout);
    solver::Terms terms(random.model, conditions.unknowns);
    solver::Options options;
    options.folding = options.witness = options.cache = options.independence = false;
    options.bitvectors = solver::Bitvectors::Off;
    options.reuse = solver::Reuse::Fresh;
    options.milliseconds = 0;
    solver::Solver solver(random.model, conditions.unknowns, options);
    for (int k = 0; k < valuations; ++k) {
      const std::vector<Slot> frame = random.frame(layout);
      // Of what holds that it does, of the rest that it fails: satisfiable iff Z3 agrees on each.
      std::vector<ExprId> all = conditions.pinned(terms, frame.data());
      for (size_t i = 0; i < static_cast<size_t>(edges); ++i) {
        const Result exact = evaluate(layout, random.model.edges[i].guard.data, &random.model.edges[i], frame.data());
        const bool holds = exact.ok() && exact.value.isTrue();
        ASSERT_EQ(compiled.holds(ir::EdgeId(i), frame.data()), holds);
        all.push_back(holds ? conditions.guards[i] : terms.fails(conditions.guards[i]));
        ++pairs;
        yes += holds;
        faults += !exact.ok();
      }
      const solver::Reply reply = solver.check(all);
      ASSERT_EQ(reply.answer, solver::Answer::Sat) << "model " << seed << ", valuation " << k << ": " << reply.reason;
    }
  }
  EXPECT_GE(pairs, isLong ? 1'000'000U : 1'900U);
  EXPECT_GT(yes, pairs / 10);
  EXPECT_GT(faults, pairs / 20);
}

} // namespace
} // namespace tioc::eval
