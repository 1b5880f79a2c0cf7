// What reaches Z3 is written so that asking it again gives the same answer.

#include "support.hpp"

#include "runtime/solver/z3.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace tioc::solver {
namespace {

using test::Generator;
using test::World;
namespace fs = std::filesystem;

struct Directory {
  fs::path path =
      fs::temp_directory_path() / ("tioc_log_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
                                   "_" + std::to_string(reinterpret_cast<uintptr_t>(this)));
  ~Directory() { fs::remove_all(path); }
};

std::string read(const fs::path& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Log, EveryFileReplaysToItsAnswer) {
  Directory directory;
  World world;
  world.add(world.integer, "x|y");
  world.add(world.real, "r");
  world.add(world.boolean, "p");
  world.add(world.kind, "k");
  world.add(world.pdu, "m");
  world.add(world.digits, "a");
  Generator generator(world, 31);
  generator.hasNonlinear = false;
  Options options = test::plain();
  options.log = directory.path.string();
  Solver solver(world.model, world.unknowns, options);
  std::vector<Answer> answers;
  for (size_t i = 0; i < test::rounds(60, 2000); ++i) {
    const ir::ExprId a = generator.boolean(3), b = generator.boolean(2);
    const uint64_t before = solver.counts().z3();
    const Reply reply = solver.check({{a, b}});
    if (solver.counts().z3() != before)
      answers.push_back(reply.answer);
  }
  size_t sat = 0, unsat = 0;
  for (size_t i = 0; i < answers.size(); ++i) {
    char name[32];
    std::snprintf(name, sizeof name, "%06zu.smt2", i + 1);
    const std::string text = read(directory.path / name);
    ASSERT_NE(text.find(std::string(":status ") + answerName(answers[i])), std::string::npos) << name;
    ASSERT_EQ(replay(text), answers[i]) << text;
    ++(answers[i] == Answer::Sat ? sat : unsat);
  }
  EXPECT_FALSE(fs::exists(directory.path / "999999.smt2"));
  EXPECT_EQ(static_cast<size_t>(std::distance(fs::directory_iterator(directory.path), {})), answers.size());
  EXPECT_GT(sat, 5U);
  EXPECT_GT(unsat, 5U);
}

TEST(Log, AnUnwritableDirectoryChangesNoAnswer) {
  World world;
  const ir::ExprId x = world.add(world.integer, "x");
  Options options = test::plain();
  options.log = "/dev/null/nowhere";
  Solver solver(world.model, world.unknowns, options);
  EXPECT_EQ(solver.check({{world.pool.less(x, world.number(3))}}).answer, Answer::Sat);
}

} // namespace
} // namespace tioc::solver
