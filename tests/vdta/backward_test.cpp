#include "ir/passes.hpp"
#include "runtime/explore/backward.hpp"
#include "support/support.hpp"
#include "vdta/random_vdta.hpp"
#include "vdta/regions.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

namespace tioc::vdta {
namespace {

struct Subject {
  explicit Subject(const ir::Model& all) : model(ir::instantiate(all, ir::SystemId(0))) {
    for (size_t i = 0; i < model.automata.size(); ++i)
      if (model.automata[i].kind == ir::AutomatonKind::Purpose)
        purpose = ir::AutomatonId(i);
    product = ir::scaleTime(ir::product(model, model.systems[0].components[0].automaton, purpose));
  }

  /// The location of the product for a state of both, by its name; invalid where the product does not have it.
  ir::LocationId place(const State& state) const {
    const std::string name = model[state.location].name + "__" + model[state.purpose].name;
    for (size_t i = 0; i < product.locations.size(); ++i)
      if (product.locations[i].name == name)
        return ir::LocationId(i);
    return {};
  }

  ir::Model model;
  ir::AutomatonId purpose;
  ir::Model product;
};

std::vector<State> randomStarts(const Subject& subject, const Simulator& simulator, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<State> starts = simulator.initial();
  const State first = starts.at(0);
  for (int i = 0; i < 30; ++i) {
    State state = first;
    const auto& locations = subject.model[subject.model[first.location].automaton].locations;
    state.location = locations[random() % locations.size()];
    for (auto& [id, value] : state.variables) {
      const ir::Type& type = subject.model.types[subject.model.variables[id].type];
      const int64_t last = type.range ? *type.range->last.toInt64() : 1;
      value.number = static_cast<int64_t>(random() % static_cast<uint64_t>(last + 1));
    }
    for (auto& [id, value] : state.clocks)
      if (id != 0)
        value = Rational(static_cast<int64_t>(random() % 8), 3);
    starts.push_back(std::move(state));
  }
  return starts;
}

TEST(Backward, AgreesWithRegionsOnRandomModels) {
  RandomOptions options;
  options.purpose = true;
  options.differences = false;
  options.locations = 3;
  options.constant = 2;
  const uint64_t models = std::getenv("TIOC_LONG") ? 300 : 25;
  unsigned compared = 0, accepting = 0;
  for (uint64_t seed = 0; seed < models; ++seed) {
    const std::string text = randomVdta(seed, options);
    test::Compiled compiled = test::compile(text);
    if (!compiled.model)
      continue;
    Subject subject(*compiled.model);
    const Simulator simulator(subject.model, subject.purpose, 1);
    explore::Backward backward(subject.product, {});
    backward.run();
    ASSERT_FALSE(backward.problem()) << backward.problem()->text << text;
    ASSERT_EQ(backward.stopped(), "") << text;
    ASSERT_FALSE(backward.isUncertain());
    const std::map<State, bool> wanted = canAccept(simulator, randomStarts(subject, simulator, seed), options.constant);
    size_t index = 0;
    for (const auto& [state, accepts] : wanted) {
      const ir::LocationId place = subject.place(state);
      if (!place.valid() || ++index % (1 + wanted.size() / 300) != 0)
        continue; // no run gets there
      std::vector<eval::Value> values;
      for (const auto& [id, value] : state.variables)
        values.push_back({value.number, {}});
      std::vector<Rational> clocks;
      for (const auto& [id, value] : state.clocks)
        clocks.push_back(value);
      ASSERT_EQ(backward.find(place, values, clocks).has_value(), accepts)
          << "seed " << seed << " at " << subject.product[place].name << "\n"
          << text;
      ++compared;
      accepting += accepts;
    }
  }
  EXPECT_GT(compared, 1000U);
  EXPECT_GT(accepting, 100U);
  EXPECT_LT(accepting, compared);
}

} // namespace
} // namespace tioc::vdta
