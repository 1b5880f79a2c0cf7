// Random walks of the ESTS examples on concrete states, with compiled and with interpreted edges, in turn.

#include "frontend/lower.hpp"
#include "frontend/program.hpp"
#include "ir/passes.hpp"
#include "runtime/execute/ests_walk.hpp"
#include "stdlib/stdlib.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace {

using namespace tioc;

ir::Model load(const std::string& example) {
  const std::string path = std::string(TIOC_SOURCE_DIR "/examples/") + example + ".tio";
  std::ifstream file(path);
  frontend::Sources sources;
  frontend::Diagnostics diagnostics{frontend::DiagnosticOptions{}};
  frontend::FileAccess access{[](const std::string&) { return std::nullopt; }, {}, stdlib::source};
  auto program =
      frontend::load(path, std::string(std::istreambuf_iterator<char>(file), {}), access, sources, diagnostics);
  auto model = program ? frontend::lower(*program, diagnostics) : std::nullopt;
  if (!model)
    throw std::runtime_error("cannot compile " + path);
  for (size_t i = 0; i < model->systems.size(); ++i)
    if (model->systems[i].components.size() > 1)
      return ir::instantiate(*model, ir::SystemId(i));
  throw std::runtime_error("no queue in " + path);
}

struct Rates {
  double steps = 0, transitions = 0;
};

/// Per second of the processor.
Rates measure(const ir::Model& model, eval::Mode mode, size_t steps) {
  execute::EstsWalk walk(model, 1, execute::EstsWalk::Strategy::Random, {.eval = mode});
  size_t transitions = 0;
  const auto run = [&](size_t count) {
    for (size_t i = 0; i < count; ++i) {
      if ((i % 100 == 0 && !walk.start()) || !walk.step())
        throw std::runtime_error(walk.problem() ? walk.problem()->text : "no start");
      transitions += walk.trace().size();
    }
  };
  run(1000); // what is compiled is compiled now
  transitions = 0;
  const clock_t begin = clock();
  run(steps);
  const double seconds = static_cast<double>(clock() - begin) / CLOCKS_PER_SEC;
  return {static_cast<double>(steps) / seconds, static_cast<double>(transitions) / seconds};
}

} // namespace

int main(int argc, char** argv) {
  const size_t steps = argc > 1 ? std::stoul(argv[1]) : 200'000;
  for (const char* example : {"ests_pair", "window_lift"}) {
    const ir::Model model = load(example);
    Rates best[2];
    for (int round = 0; round < 3; ++round)
      for (const eval::Mode mode : {eval::Mode::Jit, eval::Mode::Interpret}) {
        const Rates rates = measure(model, mode, steps);
        Rates& mine = best[mode == eval::Mode::Jit ? 0 : 1];
        if (rates.steps > mine.steps)
          mine = rates;
      }
    std::printf("%s: compiled %.0f steps/s (%.0f transitions/s), interpreted %.0f steps/s, ratio %.2f\n", example,
                best[0].steps, best[0].transitions, best[1].steps, best[0].steps / best[1].steps);
  }
}
