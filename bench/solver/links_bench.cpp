// What the links of the chain cost and save on paths as symbolic execution makes them.

#include "runtime/solver/solver.hpp"

#include <benchmark/benchmark.h>

namespace tioc::solver {
namespace {

using ir::ExprId;

/// A protocol that goes round: each step brings a message (a record), a number and a delay, and conditions that relate
/// them to those of the step before.
struct Protocol {
  ir::Model model;
  Unknowns unknowns;
  ir::ExprPool& pool = model.exprs;
  ir::TypeId byte = model.types.ranged({0, 255});
  ir::TypeId message = [&] {
    model.records.push_back({.name = "Message", .fields = {{"seq", model.types.ranged({0, 7})}, {"size", byte}}});
    return model.types.record(ir::RecordId(0));
  }();
  struct Step {
    ExprId message, number, delay;
  };
  std::vector<Step> steps;

  explicit Protocol(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const std::string at = std::to_string(i);
      steps.push_back(
          {add(message, "m" + at), add(model.types.integer(), "n" + at), add(model.types.real(), "z" + at)});
    }
  }

  ExprId add(ir::TypeId type, const std::string& name) { return unknowns.leaf(pool, unknowns.add(type, name)); }
  ExprId seq(size_t i) { return pool.field(steps[i].message, 0, model.types.ranged({0, 7})); }
  ExprId size(size_t i) { return pool.field(steps[i].message, 1, byte); }
  ExprId number(int64_t value) { return pool.integer(value); }

  /// What the model says about a step: always satisfiable behind those before.
  std::vector<ExprId> invariants(size_t i) {
    ExprId bounded =
        pool.conjunction(pool.lessEqual(pool.real(0), steps[i].delay), pool.lessEqual(steps[i].delay, pool.real(10)));
    if (i == 0)
      return {bounded};
    ExprId next = pool.remainder(pool.add({{seq(i - 1), number(1)}}), number(8));
    return {bounded, pool.equal(seq(i), next)};
  }
  /// A guard of the step; its negation is that of the other edge.
  ExprId guard(size_t i) {
    switch (i % 3) {
    case 0:
      return pool.conjunction(pool.less(number(40), size(i)), pool.lessEqual(steps[i].number, number(1000)));
    case 1:
      return pool.less(pool.add({{size(i), steps[i].number}}), pool.add({{size(i - 1), number(300)}}));
    default:
      return pool.disjunction(pool.less(steps[i].delay, pool.add({{steps[i - 1].delay, pool.real(1)}})),
                              pool.equal(size(i), size(i - 2)));
    }
  }
  std::vector<ExprId> path(size_t count) {
    std::vector<ExprId> conditions;
    for (size_t i = 0; i < count; ++i) {
      for (ExprId invariant : invariants(i))
        conditions.push_back(invariant);
      conditions.push_back(guard(i));
    }
    return conditions;
  }
};

/// A path of some 50 conditions over 60 unknowns, and its witness.
struct LongPath {
  Protocol protocol{20};
  Solver solver{protocol.model, protocol.unknowns};
  std::vector<ExprId> path = protocol.path(17);
  Assignment witness = solver.check(path).model;
};

void extendHeld(benchmark::State& state) {
  LongPath it;
  const ExprId condition = it.protocol.pool.less(it.protocol.size(16), it.protocol.number(300));
  const ExprId guard = it.protocol.pool.conjunction(condition, it.protocol.guard(15));
  for (auto _ : state)
    benchmark::DoNotOptimize(it.solver.extend(it.path, guard, it.witness));
  state.counters["conditions"] = static_cast<double>(it.path.size());
  state.counters["byWitness"] =
      static_cast<double>(it.solver.counts().witness) / static_cast<double>(state.iterations());
}

void checkHeld(benchmark::State& state) {
  LongPath it;
  it.path.push_back(it.protocol.pool.less(it.protocol.size(16), it.protocol.number(300)));
  for (auto _ : state)
    benchmark::DoNotOptimize(it.solver.check(it.path, &it.witness));
}

void extendByNeighbour(benchmark::State& state) {
  LongPath it;
  Options options;
  options.cache = false; // else all but the first are answered from there
  Solver solver(it.protocol.model, it.protocol.unknowns, options);
  const eval::Value now = it.witness.find(16 * 3)->parts[1];
  const ExprId other = it.protocol.number(*now.number.toInt64() == 200 ? 201 : 200);
  const ExprId condition = it.protocol.pool.equal(it.protocol.size(16), other);
  for (auto _ : state)
    benchmark::DoNotOptimize(solver.extend(it.path, condition, it.witness));
  state.counters["byZ3"] = static_cast<double>(solver.counts().z3()) / static_cast<double>(state.iterations());
}

/// Both branches of every guard, depth first.
struct Walk {
  Protocol& protocol;
  Solver& solver;
  size_t depth;
  bool isIncremental;
  uint64_t questions = 0;
  std::vector<ExprId> path = {};

  void run(size_t step, const Assignment& witness) {
    if (step == depth)
      return;
    const size_t before = path.size();
    Assignment here = witness;
    for (ExprId invariant : protocol.invariants(step))
      if (!extend(invariant, here))
        return;
    const ExprId guard = protocol.guard(step);
    for (ExprId branch : {guard, protocol.pool.negation(guard)}) {
      Assignment next = here;
      const size_t mark = path.size();
      if (extend(branch, next))
        run(step + 1, next);
      path.resize(mark);
    }
    path.resize(before);
  }

  bool extend(ExprId condition, Assignment& witness) {
    ++questions;
    Extension result;
    if (isIncremental) {
      result = solver.extend(path, condition, witness);
    } else {
      path.push_back(condition);
      Reply reply = solver.check(path, &witness);
      path.pop_back();
      result = {reply.answer, std::move(reply.model), {}};
    }
    path.push_back(condition);
    witness.merge(result.changes);
    return result.answer == Answer::Sat;
  }
};

void walk(benchmark::State& state, Options options, bool isIncremental) {
  Counts counts;
  for (auto _ : state) {
    Protocol protocol(8);
    Solver solver(protocol.model, protocol.unknowns, options);
    Walk(protocol, solver, 8, isIncremental).run(0, {});
    counts = solver.counts();
  }
  state.counters["questions"] = static_cast<double>(counts.questions);
  state.counters["witness"] = static_cast<double>(counts.witness);
  state.counters["neighbour"] = static_cast<double>(counts.neighbour);
  state.counters["folding"] = static_cast<double>(counts.folding);
  state.counters["cache"] = static_cast<double>(counts.cache);
  state.counters["z3"] = static_cast<double>(counts.z3());
}

Options without(bool Options::*link) {
  Options options;
  if (link)
    options.*link = false;
  return options;
}

Options z3Alone() {
  Options options;
  options.folding = options.witness = options.cache = options.independence = false;
  return options;
}

BENCHMARK(extendHeld);
BENCHMARK(extendByNeighbour);
BENCHMARK(checkHeld);
BENCHMARK_CAPTURE(walk, extend, Options{}, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, check, Options{}, false)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, without_folding, without(&Options::folding), true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, without_witness, without(&Options::witness), true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, without_cache, without(&Options::cache), true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, without_independence, without(&Options::independence), true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk, z3_alone, z3Alone(), true)->Unit(benchmark::kMillisecond)->Iterations(1);

} // namespace
} // namespace tioc::solver
