// Guard and updates of the edges of the examples: interpreted, compiled, and by the tiers that choose between them.

#include "frontend/lower.hpp"
#include "frontend/program.hpp"
#include "ir/passes.hpp"
#include "runtime/eval/edge_code.hpp"
#include "stdlib/stdlib.hpp"

#include <benchmark/benchmark.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <stdexcept>

namespace tioc::eval {
namespace {

constexpr size_t kFrames = 64;

ir::Model load(const std::string& example) {
  const std::string path = std::string(TIOC_SOURCE_DIR "/examples/") + example + ".tio";
  std::ifstream file(path);
  frontend::Sources sources;
  frontend::Diagnostics diagnostics{frontend::DiagnosticOptions{}};
  frontend::FileAccess access{[](const std::string&) { return std::nullopt; }, {}, stdlib::source};
  auto program =
      frontend::load(path, std::string(std::istreambuf_iterator<char>(file), {}), access, sources, diagnostics);
  auto model = program ? frontend::lower(*program, diagnostics) : std::nullopt;
  if (!model || model->systems.empty())
    throw std::runtime_error("cannot compile " + path);
  return ir::instantiate(*model, ir::SystemId(0));
}

/// The edges of an example that read or write data, and valuations that keep to all ranges.
struct Workload {
  ir::Model model;
  Layout layout{model};
  std::vector<ir::EdgeId> edges;
  std::vector<Slot> frames;
  std::mt19937_64 random{1};

  explicit Workload(const std::string& example) : model(load(example)) {
    for (size_t i = 0; i < model.edges.size(); ++i)
      if (!model.exprs.isTrue(model.edges[i].guard.data) || !model.edges[i].updates.empty())
        edges.push_back(ir::EdgeId(i));
    frames.resize(kFrames * layout.frameSize());
  }

  /// Parameters lie elsewhere for each edge, so each has frames of its own.
  void fill(const ir::Edge& edge) {
    for (size_t k = 0; k < kFrames; ++k) {
      Slot* frame = frames.data() + k * layout.frameSize();
      for (size_t i = 0; i < model.variables.size(); ++i)
        layout.store(model.variables[i].type, value(model.variables[i].type),
                     frame + layout.offsetOf(ir::VariableId(i)));
      for (uint32_t i = 0; i < edge.parameters.size(); ++i)
        layout.store(edge.parameters[i].type, value(edge.parameters[i].type), frame + layout.offsetOfLocal(edge, i));
    }
  }

  Value value(ir::TypeId id) {
    const ir::Type type = model.types[id];
    Value result;
    const auto below = [&](int64_t count) { return static_cast<int64_t>(random() % static_cast<uint64_t>(count)); };
    switch (type.kind) {
    case ir::TypeKind::Bool:
      result.number = below(2);
      break;
    case ir::TypeKind::Enum:
      result.number = below(static_cast<int64_t>(model[type.enumeration].literals.size()));
      break;
    case ir::TypeKind::Int: {
      const int64_t first = type.range ? type.range->first.toInt64().value_or(0) : 0;
      const int64_t last = type.range ? type.range->last.toInt64().value_or(first + 99) : 99;
      result.number = first + below(last - first + 1);
      break;
    }
    case ir::TypeKind::Real:
      result.number = ir::Rational(below(1000), below(8) + 1);
      break;
    case ir::TypeKind::Record:
      for (const ir::Member& field : model[type.record].fields)
        result.parts.push_back(value(field.type));
      break;
    case ir::TypeKind::Array:
      for (uint32_t i = 0; i < type.size; ++i)
        result.parts.push_back(value(type.element));
      break;
    }
    return result;
  }
};

/// One round: every edge on every valuation. Time is that of one step.
void steps(benchmark::State& state, const std::string& example, Mode mode) {
  Workload work(example);
  EdgeCode code(work.layout, mode);
  const Part part = Part::Step;
  if (mode == Mode::Jit && !code.compileAll({&part, 1}))
    state.SkipWithError(code.error().c_str());
  std::vector<Slot> next(work.layout.frameSize());
  std::vector<std::vector<Slot>> frames;
  for (ir::EdgeId edge : work.edges) {
    work.fill(work.model[edge]);
    frames.push_back(work.frames);
  }
  uint64_t taken = 0;
  for (auto _ : state)
    for (size_t e = 0; e < work.edges.size(); ++e)
      for (size_t k = 0; k < kFrames; ++k)
        taken += code.step(work.edges[e], frames[e].data() + k * work.layout.frameSize(), next.data()) == Taken::Yes;
  const double count = static_cast<double>(state.iterations() * work.edges.size() * kFrames);
  state.counters["ns/step"] = benchmark::Counter(count, benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["edges"] = static_cast<double>(work.edges.size());
  state.counters["taken%"] = 100 * static_cast<double>(taken) / count;
}

/// A whole run of so many steps, the making and loading of code included.
void run(benchmark::State& state, const std::string& example, Mode mode) {
  Workload work(example);
  std::vector<std::vector<Slot>> frames;
  for (ir::EdgeId edge : work.edges) {
    work.fill(work.model[edge]);
    frames.push_back(work.frames);
  }
  std::vector<Slot> next(work.layout.frameSize());
  EdgeCode::Stats stats;
  for (auto _ : state) {
    EdgeCode code(work.layout, mode);
    for (int64_t i = 0; i < state.range(0);)
      for (size_t e = 0; e < work.edges.size(); ++e)
        for (size_t k = 0; k < kFrames; ++k, ++i)
          benchmark::DoNotOptimize(
              code.step(work.edges[e], frames[e].data() + k * work.layout.frameSize(), next.data()));
    stats = code.stats();
  }
  state.counters["functions"] = static_cast<double>(stats.functions);
  state.counters["compile ms"] = stats.compileSeconds * 1000;
}

#define TIOC_EXAMPLE(name)                                                                                             \
  BENCHMARK_CAPTURE(steps, name##_interpreted, #name, Mode::Interpret);                                                \
  BENCHMARK_CAPTURE(steps, name##_compiled, #name, Mode::Jit)

TIOC_EXAMPLE(session);
TIOC_EXAMPLE(infusion_pump);
TIOC_EXAMPLE(crossing);
TIOC_EXAMPLE(window_lift);
TIOC_EXAMPLE(trajectory);
TIOC_EXAMPLE(atm);

// Some 50 ms and some seconds when interpreted.
BENCHMARK_CAPTURE(run, session_interpreted, "session", Mode::Interpret)
    ->Arg(50'000)
    ->Arg(3'000'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(run, session_tiered, "session", Mode::Auto)
    ->Arg(50'000)
    ->Arg(3'000'000)
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace tioc::eval
