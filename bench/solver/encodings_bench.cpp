// Bounded integers as bit-vectors against integers of any size, by the kind of arithmetic and the width of the ranges:
// what Bitvectors::Auto goes by.

#include "runtime/solver/solver.hpp"

#include <benchmark/benchmark.h>

#include <random>

namespace tioc::solver {
namespace {

using ir::ExprId;

constexpr size_t kUnknowns = 8;
constexpr size_t kConditions = 6;
constexpr size_t kQuestions = 20;

enum class Arithmetic : uint8_t { Differences, Linear, Quotients, Remainders, Modular, Products, Indices };

/// Random conditions of one kind over unknowns of `bits` bits.
struct Questions {
  ir::Model model;
  Unknowns unknowns;
  ir::ExprPool& pool = model.exprs;
  std::mt19937_64 random{7};
  int64_t most;
  std::vector<ExprId> places;
  ExprId table;

  explicit Questions(int bits) : most((int64_t{1} << bits) - 1) {
    const ir::TypeId type = model.types.ranged({0, most});
    for (size_t i = 0; i < kUnknowns; ++i)
      places.push_back(unknowns.leaf(pool, unknowns.add(type, "x" + std::to_string(i))));
    table = unknowns.leaf(pool, unknowns.add(model.types.array(type, 8), "t"));
  }

  int64_t below(int64_t count) { return static_cast<int64_t>(random() % static_cast<uint64_t>(count)); }
  ExprId place() { return places[static_cast<size_t>(below(kUnknowns))]; }
  ExprId number(int64_t value) { return pool.integer(value); }
  ExprId scaled() { return pool.multiply({{number(below(9) - 4), place()}}); }

  ExprId term(Arithmetic kind) {
    switch (kind) {
    case Arithmetic::Differences:
      return pool.add({{place(), number(below(20) - 10)}});
    case Arithmetic::Linear:
      return pool.add({{scaled(), scaled(), scaled(), number(below(100) - 50)}});
    case Arithmetic::Quotients:
      return pool.add({{pool.divide(pool.multiply({{number(9), place()}}), number(5)), scaled()}});
    case Arithmetic::Remainders:
      return pool.add({{pool.remainder(pool.add({{place(), scaled()}}), number(below(30) + 3)), number(below(5))}});
    case Arithmetic::Modular: // sequence numbers
      return pool.remainder(pool.add({{place(), pool.negate(place()), number(below(8))}}), number(8));
    case Arithmetic::Products:
      return pool.add({{pool.multiply({{place(), place()}}), scaled()}});
    case Arithmetic::Indices:
      break;
    }
    return pool.element(table, pool.remainder(place(), number(8)));
  }

  std::vector<ExprId> question(Arithmetic kind) {
    std::vector<ExprId> conditions;
    for (size_t i = 0; i < kConditions; ++i) {
      ExprId a = term(kind), b = kind == Arithmetic::Products ? number(below(most) * below(most)) : term(kind);
      conditions.push_back(below(5) == 0 ? pool.equal(a, b) : below(2) == 0 ? pool.less(a, b) : pool.lessEqual(a, b));
    }
    return conditions;
  }
};

void ask(benchmark::State& state, Arithmetic kind, Bitvectors bitvectors, Reuse reuse = Reuse::Stack) {
  Options options;
  options.folding = options.witness = options.cache = options.independence = false;
  options.bitvectors = bitvectors;
  options.reuse = reuse;
  options.milliseconds = 0;
  options.resources = 1'000'000; // some tenths of a second, but the same on every machine
  Counts counts;
  for (auto _ : state) {
    Questions questions(static_cast<int>(state.range(0)));
    Solver solver(questions.model, questions.unknowns, options);
    for (size_t i = 0; i < kQuestions; ++i)
      benchmark::DoNotOptimize(solver.check(questions.question(kind)));
    counts = solver.counts();
  }
  state.counters["sat"] = static_cast<double>(counts.z3Sat);
  state.counters["unsat"] = static_cast<double>(counts.z3Unsat);
  state.counters["unknown"] = static_cast<double>(counts.z3Unknown);
  state.counters["bits"] = static_cast<double>(counts.bitvectors);
}

void widths(benchmark::internal::Benchmark* it) {
  it->Arg(3)->Arg(8)->Arg(16)->Unit(benchmark::kMillisecond)->Iterations(1);
}

#define TIOC_COMPARE(kind)                                                                                             \
  BENCHMARK_CAPTURE(ask, kind##_integers, Arithmetic::kind, Bitvectors::Off)->Apply(widths);                           \
  BENCHMARK_CAPTURE(ask, kind##_bitvectors, Arithmetic::kind, Bitvectors::On)->Apply(widths);                          \
  BENCHMARK_CAPTURE(ask, kind##_bitvectors_fresh, Arithmetic::kind, Bitvectors::On, Reuse::Fresh)->Apply(widths);      \
  BENCHMARK_CAPTURE(ask, kind##_chosen, Arithmetic::kind, Bitvectors::Auto)->Apply(widths)

TIOC_COMPARE(Differences);
TIOC_COMPARE(Linear);
TIOC_COMPARE(Quotients);
TIOC_COMPARE(Remainders);
TIOC_COMPARE(Modular);
TIOC_COMPARE(Products);
TIOC_COMPARE(Indices);

} // namespace
} // namespace tioc::solver
