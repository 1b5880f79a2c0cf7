// Every operation of the zone kernel, of a textbook implementation and, where it is installed, of UDBM, on the same
// random zones. Ends with one table: nanoseconds per operation and ratios.

#include "textbook.hpp"

#include "runtime/zones/aligned.hpp"
#include "runtime/zones/minimal.hpp"
#include "runtime/zones/zone.hpp"

#include <benchmark/benchmark.h>

#ifdef TIOC_BENCH_UDBM
#include <dbm/dbm.h>
#include <dbm/mingraph.h>
#endif

#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace tioc::zones {
namespace {

/// Inputs for one dimension. A batch works on a window of them that fits the first-level cache; it is restored before,
/// outside the measured time.
struct Inputs {
  Dim dim;
  size_t count;           // zones in all
  size_t batch;           // zones in a window
  MatrixVector open;      // matrices before closure
  MatrixVector canonical; // their canonical forms
  MatrixVector larger;    // supersets of the canonical zones
  MatrixVector partner;   // zones that meet the canonical zones, neither including the other
  MatrixVector work;
  std::vector<Constraint> constraints; // tighten the zone of the same index without emptying it
  std::vector<Clock> clocks;
  std::vector<int32_t> lower;
  std::vector<int32_t> upper;

  Bound* at(MatrixVector& zones, size_t index) const { return zones.data() + index * dbm::size(dim); }
  void restore(const MatrixVector& from, size_t first) {
    const size_t width = dbm::size(dim);
    std::copy_n(from.data() + first * width, batch * width, work.data() + first * width);
  }
  ClockBounds bounds() const { return {lower, upper}; }
};

constexpr int32_t largest = 100;

/// Half of the zones come from random constraints around a hidden point, half from a walk of resets, delays and guards.
void makeZone(std::mt19937_64& random, Dim dim, bool walk, Bound* open) {
  const auto pick = [&](int32_t low, int32_t high) {
    return std::uniform_int_distribution<int32_t>(low, high)(random);
  };
  std::vector<int32_t> inside(dim, 0);
  if (!walk) {
    for (Dim x = 1; x < dim; ++x)
      inside[x] = pick(0, largest);
    dbm::setUniverse(open, dim);
    for (Dim i = 0; i < dim; ++i)
      for (Dim j = 0; j < dim; ++j)
        if (i != j && pick(0, 99) < 50)
          open[i * dim + j] =
              std::min(open[i * dim + j], Bound{(inside[i] - inside[j] + pick(0, largest / 2)) * 2 + pick(0, 1)});
    return;
  }
  dbm::setZero(open, dim);
  for (Dim step = 0; step < 2 * dim; ++step) {
    dbm::up(open, dim);
    const Clock x = static_cast<Clock>(pick(1, static_cast<int32_t>(dim) - 1));
    const int32_t low = -open[x].value();
    (void)dbm::constrain(open, dim, {x, 0, Bound::atMost(low + pick(1, 20))});
    dbm::reset(open, dim, static_cast<Clock>(pick(1, static_cast<int32_t>(dim) - 1)), 0);
  }
  dbm::up(open, dim);
  // Two invariants make the walk's zone one that still has to be closed.
  for (int k = 0; k < 2; ++k) {
    const Clock x = static_cast<Clock>(pick(1, static_cast<int32_t>(dim) - 1));
    open[x * dim] = std::min(open[x * dim], Bound::atMost(-open[x].value() + pick(1, 30)));
  }
}

/// A constraint that tightens the zone without emptying it: between an entry and the negated opposite entry. None if a
/// number of tries finds no room.
std::optional<Constraint> tightening(std::mt19937_64& random, Dim dim, const Bound* zone) {
  const auto pick = [&](int32_t low, int32_t high) {
    return std::uniform_int_distribution<int32_t>(low, high)(random);
  };
  for (int tries = 0; tries < 200; ++tries) {
    const Clock i = static_cast<Clock>(pick(0, static_cast<int32_t>(dim) - 1));
    const Clock j = static_cast<Clock>(pick(0, static_cast<int32_t>(dim) - 1));
    const Bound upper = zone[i * dim + j];
    const Bound opposite = zone[j * dim + i];
    if (i == j || opposite.isInfinite())
      continue;
    const int32_t low = -opposite.value() + 1;
    const int32_t high = upper.isInfinite() ? low + largest : upper.value() - 1;
    if (low <= high)
      return Constraint{i, j, Bound::atMost(pick(low, high))};
  }
  return std::nullopt;
}

Inputs& inputs(Dim dim) {
  static std::map<Dim, Inputs> all;
  if (const auto found = all.find(dim); found != all.end())
    return found->second;
  Inputs& in = all[dim];
  std::mt19937_64 random(dim);
  const auto pick = [&](int32_t low, int32_t high) {
    return std::uniform_int_distribution<int32_t>(low, high)(random);
  };
  in.dim = dim;
  in.count = 64;
  in.batch = dim <= 8 ? 64 : dim <= 16 ? 16 : dim <= 32 ? 4 : 2;
  const size_t width = dbm::size(dim);
  in.open.resize(in.count * width);
  in.canonical.resize(in.count * width);
  in.lower.assign(dim, 0);
  in.upper.assign(dim, 0);
  for (Dim x = 1; x < dim; ++x) {
    in.lower[x] = pick(0, largest);
    in.upper[x] = pick(0, largest);
  }
  for (size_t z = 0; z < in.count; ++z) {
    Bound* const open = in.at(in.open, z);
    Bound* const canonical = in.at(in.canonical, z);
    std::optional<Constraint> constraint;
    do {
      makeZone(random, dim, z % 2 == 1, open);
      std::copy_n(open, width, canonical);
      if (dbm::close(canonical, dim) == Outcome::NonEmpty)
        constraint = tightening(random, dim, canonical);
    } while (!constraint);
    in.constraints.push_back(*constraint);
    in.clocks.push_back(static_cast<Clock>(pick(1, static_cast<int32_t>(dim) - 1)));
  }
  in.larger = in.canonical;
  const ClockBounds bounds = in.bounds();
  for (size_t z = 0; z < in.count; ++z)
    (void)dbm::extraLUPlus(in.at(in.larger, z), dim, bounds);
  in.partner = in.larger;
  for (size_t z = 0; z < in.count; ++z)
    (void)dbm::constrain(in.at(in.partner, z), dim, in.constraints[z]);
  in.work = in.canonical;
  return in;
}

using Operation = std::function<void(benchmark::State&, Inputs&)>;

double seconds(std::chrono::steady_clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

/// What reading the clock twice costs.
double clockOverhead() {
  double least = 1;
  for (int round = 0; round < 10000; ++round) {
    const auto start = std::chrono::steady_clock::now();
    least = std::min(least, seconds(std::chrono::steady_clock::now() - start));
  }
  return least;
}

/// Once: only before the first batch, for operations that change nothing or whose cost does not depend on the entries.
enum class Restore { Each, Once };

/// Measures `body(index)` over whole batches on copies of the zones `from`. Where they need not be restored a batch is
/// run several times between two readings of the clock: it may be as short as the readings.
template <class Body>
void measure(benchmark::State& state, Inputs& in, Restore restore, const MatrixVector& from, Body body) {
  static const double overhead = clockOverhead();
  const size_t rounds = restore == Restore::Once ? 8 : 1;
  size_t first = 0;
  in.work = from;
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(rounds * in.batch))) {
    if (restore == Restore::Each)
      in.restore(from, first);
    benchmark::ClobberMemory();
    const auto start = std::chrono::steady_clock::now();
    for (size_t round = 0; round < rounds; ++round) {
      for (size_t z = first; z < first + in.batch; ++z)
        body(z);
      benchmark::ClobberMemory();
    }
    const auto end = std::chrono::steady_clock::now();
    state.SetIterationTime(std::max(0.0, seconds(end - start) - overhead));
    first = (first + in.batch) % in.count;
  }
}

struct Entry {
  const char* operation;
  const char* library;
  Operation run;
};

std::vector<Entry> entries() {
  std::vector<Entry> all;
  const auto add = [&](const char* operation, const char* library, auto setup) {
    all.push_back({operation, library, [setup](benchmark::State& state, Inputs& in) { setup(state, in); }});
  };
#define TIOC_BENCH(operation, library, restore, from, call)                                                            \
  add(operation, library, [](benchmark::State& state, Inputs& in) {                                                    \
    const Dim dim = in.dim;                                                                                            \
    const ClockBounds bounds = in.bounds();                                                                            \
    Bound* const work = in.work.data();                                                                                \
    const size_t width = dbm::size(dim);                                                                               \
    (void)bounds;                                                                                                      \
    measure(state, in, Restore::restore, from, [&](size_t z) {                                                         \
      Bound* const zone = work + z * width;                                                                            \
      (void)zone;                                                                                                      \
      call;                                                                                                            \
    });                                                                                                                \
  })
#define TIOC_KEEP(expression) benchmark::DoNotOptimize(expression)

  TIOC_BENCH("close", "ours", Each, in.open, TIOC_KEEP(dbm::close(zone, dim)));
  TIOC_BENCH("close", "textbook", Each, in.open, TIOC_KEEP(textbook::close(zone, dim)));
  TIOC_BENCH("close (closed already)", "ours", Once, in.canonical, TIOC_KEEP(dbm::close(zone, dim)));
  TIOC_BENCH("close (closed already)", "textbook", Once, in.canonical, TIOC_KEEP(textbook::close(zone, dim)));
  TIOC_BENCH("constrain", "ours", Each, in.canonical, TIOC_KEEP(dbm::constrain(zone, dim, in.constraints[z])));
  TIOC_BENCH("constrain", "textbook", Each, in.canonical, TIOC_KEEP(textbook::constrain(zone, dim, in.constraints[z])));
  TIOC_BENCH("intersect", "ours", Each, in.canonical, TIOC_KEEP(dbm::intersect(zone, in.at(in.partner, z), dim)));
  TIOC_BENCH("intersect", "textbook", Each, in.canonical,
             TIOC_KEEP(textbook::intersect(zone, in.at(in.partner, z), dim)));
  TIOC_BENCH("intersect, mostly empty", "ours", Each, in.canonical,
             TIOC_KEEP(dbm::intersect(zone, in.at(in.canonical, (z + 1) % in.count), dim)));
  TIOC_BENCH("intersect, mostly empty", "textbook", Each, in.canonical,
             TIOC_KEEP(textbook::intersect(zone, in.at(in.canonical, (z + 1) % in.count), dim)));
  TIOC_BENCH("up", "ours", Once, in.canonical, dbm::up(zone, dim));
  TIOC_BENCH("up", "textbook", Once, in.canonical, textbook::up(zone, dim));
  TIOC_BENCH("down", "ours", Once, in.canonical, dbm::down(zone, dim));
  TIOC_BENCH("down", "textbook", Once, in.canonical, textbook::down(zone, dim));
  TIOC_BENCH("reset", "ours", Once, in.canonical, dbm::reset(zone, dim, in.clocks[z], 7));
  TIOC_BENCH("reset", "textbook", Once, in.canonical, textbook::reset(zone, dim, in.clocks[z], 7));
  TIOC_BENCH("copy clock", "ours", Once, in.canonical, dbm::copyClock(zone, dim, in.clocks[z], 1));
  TIOC_BENCH("copy clock", "textbook", Once, in.canonical, textbook::copyClock(zone, dim, in.clocks[z], 1));
  TIOC_BENCH("free", "ours", Once, in.canonical, dbm::free(zone, dim, in.clocks[z]));
  TIOC_BENCH("free", "textbook", Once, in.canonical, textbook::free(zone, dim, in.clocks[z]));
  TIOC_BENCH("inclusion, holds", "ours", Once, in.canonical, TIOC_KEEP(dbm::isSubset(zone, in.at(in.larger, z), dim)));
  TIOC_BENCH("inclusion, holds", "textbook", Once, in.canonical,
             TIOC_KEEP(textbook::isSubset(zone, in.at(in.larger, z), dim)));
  TIOC_BENCH("inclusion, fails", "ours", Once, in.canonical,
             TIOC_KEEP(dbm::isSubset(zone, in.at(in.canonical, (z + 1) % in.count), dim)));
  TIOC_BENCH("inclusion, fails", "textbook", Once, in.canonical,
             TIOC_KEEP(textbook::isSubset(zone, in.at(in.canonical, (z + 1) % in.count), dim)));
  TIOC_BENCH("relation", "ours", Once, in.canonical, TIOC_KEEP(dbm::relation(zone, in.at(in.larger, z), dim)));
  TIOC_BENCH("relation", "textbook", Once, in.canonical, TIOC_KEEP(textbook::relation(zone, in.at(in.larger, z), dim)));
  TIOC_BENCH("Extra_M", "ours", Each, in.canonical, TIOC_KEEP(dbm::extraM(zone, dim, bounds)));
  TIOC_BENCH("Extra_M", "textbook", Each, in.canonical, textbook::extraM(zone, dim, bounds.larger()));
  TIOC_BENCH("Extra_LU+", "ours", Each, in.canonical, TIOC_KEEP(dbm::extraLUPlus(zone, dim, bounds)));
  TIOC_BENCH("Extra_LU+", "textbook", Each, in.canonical,
             textbook::extraLUPlus(zone, dim, bounds.lower(), bounds.upper()));
  TIOC_BENCH("aLU inclusion, holds", "ours", Once, in.canonical,
             TIOC_KEEP(dbm::isSubsetOfALU(in.at(in.larger, z), zone, dim, bounds)));
  TIOC_BENCH("aLU inclusion, holds", "textbook", Once, in.canonical,
             TIOC_KEEP(textbook::isSubsetOfALU(in.at(in.larger, z), zone, dim, bounds.lower(), bounds.upper())));
  TIOC_BENCH("hash", "ours", Once, in.canonical, TIOC_KEEP(dbm::hash(zone, dim)));
  add("minimal form", "ours", [](benchmark::State& state, Inputs& in) {
    std::vector<PackedConstraint> out(dbm::size(in.dim));
    measure(state, in, Restore::Once, in.canonical,
            [&](size_t z) { TIOC_KEEP(minimalForm(in.at(in.work, z), in.dim, out.data())); });
  });

#ifdef TIOC_BENCH_UDBM
#define TIOC_RAW(zone) reinterpret_cast<raw_t*>(zone)
// The two kernels have different codes for infinity.
#define TIOC_BENCH_RAW(operation, restore, from, call)                                                                 \
  add(operation, "UDBM", [](benchmark::State& state, Inputs& in) {                                                     \
    const Dim dim = in.dim;                                                                                            \
    Inputs raw = in;                                                                                                   \
    for (MatrixVector * zones : {&raw.open, &raw.canonical, &raw.larger, &raw.partner, &raw.work})                     \
      for (Bound & bound : *zones)                                                                                     \
        if (bound.isInfinite())                                                                                        \
          bound.raw = dbm_LS_INFINITY;                                                                                 \
    Bound* const work = raw.work.data();                                                                               \
    const ClockBounds bounds = in.bounds();                                                                            \
    const size_t width = dbm::size(dim);                                                                               \
    (void)bounds;                                                                                                      \
    measure(state, raw, Restore::restore, from, [&](size_t z) {                                                        \
      Bound* const zone = work + z * width;                                                                            \
      (void)zone;                                                                                                      \
      call;                                                                                                            \
    });                                                                                                                \
  })
  TIOC_BENCH_RAW("close", Each, raw.open, TIOC_KEEP(dbm_close(TIOC_RAW(zone), dim)));
  TIOC_BENCH_RAW("close (closed already)", Once, raw.canonical, TIOC_KEEP(dbm_close(TIOC_RAW(zone), dim)));
  TIOC_BENCH_RAW("constrain", Each, raw.canonical,
                 TIOC_KEEP(dbm_constrain1(TIOC_RAW(zone), dim, raw.constraints[z].left, raw.constraints[z].right,
                                          raw.constraints[z].bound.raw)));
  TIOC_BENCH_RAW("intersect", Each, raw.canonical,
                 TIOC_KEEP(dbm_intersection(TIOC_RAW(zone), TIOC_RAW(raw.at(raw.partner, z)), dim)));
  TIOC_BENCH_RAW(
      "intersect, mostly empty", Each, raw.canonical,
      TIOC_KEEP(dbm_intersection(TIOC_RAW(zone), TIOC_RAW(raw.at(raw.canonical, (z + 1) % raw.count)), dim)));
  TIOC_BENCH_RAW("up", Once, raw.canonical, dbm_up(TIOC_RAW(zone), dim));
  TIOC_BENCH_RAW("down", Once, raw.canonical, dbm_down(TIOC_RAW(zone), dim));
  TIOC_BENCH_RAW("reset", Once, raw.canonical, dbm_updateValue(TIOC_RAW(zone), dim, raw.clocks[z], 7));
  TIOC_BENCH_RAW("copy clock", Once, raw.canonical, dbm_updateClock(TIOC_RAW(zone), dim, raw.clocks[z], 1));
  TIOC_BENCH_RAW("free", Once, raw.canonical, dbm_freeClock(TIOC_RAW(zone), dim, raw.clocks[z]));
  TIOC_BENCH_RAW("inclusion, holds", Once, raw.canonical,
                 TIOC_KEEP(dbm_isSubsetEq(TIOC_RAW(zone), TIOC_RAW(raw.at(raw.larger, z)), dim)));
  TIOC_BENCH_RAW("inclusion, fails", Once, raw.canonical,
                 TIOC_KEEP(dbm_isSubsetEq(TIOC_RAW(zone), TIOC_RAW(raw.at(raw.canonical, (z + 1) % raw.count)), dim)));
  TIOC_BENCH_RAW("relation", Once, raw.canonical,
                 TIOC_KEEP(dbm_relation(TIOC_RAW(zone), TIOC_RAW(raw.at(raw.larger, z)), dim)));
  TIOC_BENCH_RAW("Extra_M", Each, raw.canonical, dbm_extrapolateMaxBounds(TIOC_RAW(zone), dim, bounds.larger()));
  TIOC_BENCH_RAW("Extra_LU+", Each, raw.canonical,
                 dbm_diagonalExtrapolateLUBounds(TIOC_RAW(zone), dim, bounds.lower(), bounds.upper()));
  TIOC_BENCH_RAW("hash", Once, raw.canonical, TIOC_KEEP(dbm_hash(TIOC_RAW(zone), dim)));
  add("minimal form", "UDBM", [](benchmark::State& state, Inputs& in) {
    Inputs raw = in;
    for (Bound& bound : raw.canonical)
      if (bound.isInfinite())
        bound.raw = dbm_LS_INFINITY;
    std::vector<int32_t> out(raw.dim * raw.dim + 16);
    const allocator_t intoOut{out.data(), [](size_t, void* memory) { return static_cast<int32_t*>(memory); }};
    measure(state, raw, Restore::Once, raw.canonical, [&](size_t z) {
      TIOC_KEEP(dbm_writeToMinDBMWithOffset(TIOC_RAW(raw.at(raw.work, z)), raw.dim, true, true, intoOut, 0));
    });
  });
#endif
  return all;
}

/// Collects the fastest of the repetitions and prints the table.
class TableReporter : public benchmark::ConsoleReporter {
public:
  void ReportRuns(const std::vector<Run>& runs) override { // NOLINT: the library's name
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration)
        continue;
      const std::string name = run.run_name.function_name;
      double& best = times_[name];
      const double time = run.GetAdjustedRealTime();
      best = best == 0 ? time : std::min(best, time);
    }
  }

  void printTable(const std::vector<Entry>& all, const std::vector<Dim>& dims) const {
    bool hasUdbm = false;
    for (const auto& [name, time] : times_)
      hasUdbm |= name.find("/UDBM/") != std::string::npos;
    std::printf("\n| operation | dim | ns/op | textbook | ratio |%s\n", hasUdbm ? " UDBM | ratio |" : "");
    std::printf("| --- | ---: | ---: | ---: | ---: |%s\n", hasUdbm ? " ---: | ---: |" : "");
    for (const Entry& entry : all) {
      if (std::strcmp(entry.library, "ours") != 0)
        continue;
      for (const Dim dim : dims) {
        const auto time = [&](const char* library) {
          const auto found = times_.find(std::string(entry.operation) + "/" + library + "/" + std::to_string(dim));
          return found == times_.end() ? 0.0 : found->second;
        };
        const double ours = time("ours");
        if (ours == 0)
          continue;
        const auto column = [&](const char* library) {
          if (const double other = time(library); other != 0)
            std::printf(" %.1f | %.1f |", other, other / ours);
          else
            std::printf(" | |");
        };
        std::printf("| %s | %u | %.1f |", entry.operation, dim, ours);
        column("textbook");
        if (hasUdbm)
          column("UDBM");
        std::printf("\n");
      }
    }
  }

private:
  std::map<std::string, double> times_;
};

} // namespace
} // namespace tioc::zones

int main(int argc, char** argv) {
  using namespace tioc::zones;
  benchmark::Initialize(&argc, argv);
  const std::vector<Dim> dims{4, 8, 16, 32, 64};
  const std::vector<Entry> all = entries();
  // The libraries take turns on each operation, so that a busy machine disturbs all of them alike.
  for (const Entry& first : all) {
    if (std::strcmp(first.library, "ours") != 0)
      continue;
    for (const Dim dim : dims) {
      for (const Entry& entry : all) {
        if (std::strcmp(entry.operation, first.operation) != 0)
          continue;
        const std::string name = std::string(entry.operation) + "/" + entry.library + "/" + std::to_string(dim);
        benchmark::RegisterBenchmark(name.c_str(), [&entry, dim](benchmark::State& state) {
          entry.run(state, inputs(dim));
        })->UseManualTime();
      }
    }
  }
  TableReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  reporter.printTable(all, dims);
  benchmark::Shutdown();
  return 0;
}
