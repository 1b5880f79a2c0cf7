// Whatever the options, an answer is what trying all values says.

#include "support.hpp"

#include "ir/print.hpp"

#include <gtest/gtest.h>

namespace tioc::solver {
namespace {

using ir::ExprId;
using test::Generator;
using test::World;

struct Setting {
  const char* name;
  Options options;
};

Options with(Bitvectors bitvectors, Reuse reuse) {
  Options options = test::plain();
  options.bitvectors = bitvectors;
  options.reuse = reuse;
  return options;
}

Options without(bool Options::*link) {
  Options options;
  options.*link = false;
  return options;
}

class BruteForce : public testing::TestWithParam<Setting> {};

/// Few enough values to try them all; `shape` says of which types.
void fill(World& world, size_t shape) {
  world.add(world.boolean, "p");
  if (shape == 0) {
    world.add(world.digit, "d");
    world.add(world.range(-2, 2), "x");
    world.add(world.kind, "k");
  } else if (shape == 1) {
    world.add(world.pdu, "m");
  } else {
    world.add(world.digits, "a");
  }
}

bool isSatisfiable(World& world, const std::vector<ExprId>& conditions) {
  bool found = false;
  test::forAll(world, 0, static_cast<uint32_t>(world.unknowns.size()),
               [&](const Assignment& at) { found = found || world.terms.allHold(conditions, at); });
  return found;
}

std::string print(World& world, const std::vector<ExprId>& conditions) {
  std::string text;
  for (ExprId condition : conditions)
    text += ir::printExpr(world.model, condition) + "\n";
  return text;
}

/// Paths that grow and are cut back, as a search makes them.
TEST_P(BruteForce, PathsAreDecidedAsByTryingAll) {
  size_t sat = 0, unsat = 0;
  for (size_t shape = 0; shape < 3; ++shape) {
    World world;
    fill(world, shape);
    Generator generator(world, 100 + shape);
    generator.hasLargeNumbers = generator.hasReals = false;
    Solver solver(world.model, world.unknowns, GetParam().options);
    std::vector<ExprId> path;
    Assignment hint;
    for (size_t i = 0; i < test::rounds(25, 1500); ++i) {
      if (path.size() > 3 || (!path.empty() && generator.chance(30)))
        path.resize(static_cast<size_t>(generator.below(static_cast<int64_t>(path.size()))));
      path.push_back(generator.boolean(1 + static_cast<int>(generator.below(3))));
      const bool expected = isSatisfiable(world, path);
      const Reply reply = solver.check(path, generator.chance(50) ? &hint : nullptr);
      ASSERT_EQ(reply.answer, expected ? Answer::Sat : Answer::Unsat) << print(world, path) << reply.reason;
      ++(expected ? sat : unsat);
      if (expected) {
        ASSERT_TRUE(world.terms.isModel(path, reply.model)) << print(world, path);
        hint = reply.model;
      } else {
        path.pop_back();
      }
    }
    EXPECT_EQ(solver.counts().unverified, 0U);
  }
  EXPECT_GT(sat, 10U);
  EXPECT_GT(unsat, 5U);
}

TEST_P(BruteForce, ExtensionsAreDecidedAsByTryingAll) {
  size_t changed = 0, kept = 0;
  for (size_t shape = 0; shape < 3; ++shape) {
    World world;
    fill(world, shape);
    Generator generator(world, 200 + shape);
    generator.hasLargeNumbers = generator.hasReals = false;
    Solver solver(world.model, world.unknowns, GetParam().options);
    std::vector<ExprId> path;
    Assignment witness;
    for (size_t i = 0; i < test::rounds(25, 1500); ++i) {
      if (path.size() > 5) {
        path.clear();
        witness = generator.assignment();
      }
      const ExprId condition = generator.boolean(1 + static_cast<int>(generator.below(3)));
      const Extension extension = solver.extend(path, condition, witness);
      path.push_back(condition);
      ASSERT_EQ(extension.answer, isSatisfiable(world, path) ? Answer::Sat : Answer::Unsat) << print(world, path);
      if (extension.answer == Answer::Sat) {
        witness.merge(extension.changes);
        ASSERT_TRUE(world.terms.isModel(path, witness)) << print(world, path);
        ++(extension.changes.empty() ? kept : changed);
      } else {
        path.pop_back();
      }
    }
  }
  EXPECT_GT(changed, 5U);
  if (GetParam().options.witness) {
    EXPECT_GT(kept, 5U);
  }
}

INSTANTIATE_TEST_SUITE_P(Options, BruteForce,
                         testing::Values(Setting{"Everything", {}},
                                         Setting{"Fresh", with(Bitvectors::Off, Reuse::Fresh)},
                                         Setting{"Stack", with(Bitvectors::Off, Reuse::Stack)},
                                         Setting{"Assumption", with(Bitvectors::Off, Reuse::Assumption)},
                                         Setting{"BitvectorsFresh", with(Bitvectors::On, Reuse::Fresh)},
                                         Setting{"BitvectorsStack", with(Bitvectors::On, Reuse::Stack)},
                                         Setting{"BitvectorsAssumption", with(Bitvectors::On, Reuse::Assumption)},
                                         Setting{"NoFolding", without(&Options::folding)},
                                         Setting{"NoWitness", without(&Options::witness)},
                                         Setting{"NoCache", without(&Options::cache)},
                                         Setting{"NoIndependence", without(&Options::independence)}),
                         [](const auto& info) { return info.param.name; });

} // namespace
} // namespace tioc::solver
