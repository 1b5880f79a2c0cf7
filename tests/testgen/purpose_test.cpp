#include "ir/passes.hpp"
#include "runtime/testgen/generate.hpp"
#include "support/support.hpp"

#include <gtest/gtest.h>

namespace tioc::testgen {
namespace {

const std::string kLamp = R"(module lamp;
input press, dimmer(level: int[0..10]);
output light(level: int);
tiosts Lamp {
  var level: int = 5;
  clock t;
  init Off;
  state Off { press? do t := 0 -> Turning; }
  state Turning { light!(level) when t <= 2 -> On; }
  state On {
    dimmer?(l) when l <= 8 do level := l, t := 0 -> Turning;
    press? when t >= 1 -> Off;
  }
}
)";

Generated forPurpose(const std::string& purpose, bool all = false, uint32_t depth = 0) {
  const ir::Model model = test::compileOk(kLamp + "purpose P for Lamp {\n" + purpose + "\n}\n");
  ir::Model instance = ir::resolvePriorities(ir::instantiate(model, ir::SystemId(0)));
  GenerateOptions options;
  options.all = all;
  options.limits.states = 600;
  options.limits.depth = depth;
  for (size_t i = 0; i < instance.automata.size(); ++i)
    if (instance.automata[i].kind == ir::AutomatonKind::Purpose)
      options.purposes.emplace_back(i);
  return generate(std::move(instance), options);
}

std::string reasonOf(const Generated& made) {
  EXPECT_TRUE(made.suite.cases.empty());
  EXPECT_EQ(made.suite.uncovered.size(), 1U);
  return made.suite.uncovered.empty() ? "" : made.suite.uncovered[0].second;
}

#define EXPECT_SAYS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

TEST(Purposes, AnImpossibleValueIsNamedWithTheStateInWhichItFailed) {
  const std::string why = reasonOf(forPurpose("state S { light!(l) when l >= 0 && l > 9 -> accept; }"));
  EXPECT_SAYS(why, "comes as far as S");
  EXPECT_SAYS(why, "l > 9");
  EXPECT_SAYS(why, "light! comes in Lamp.Turning");
}

TEST(Purposes, AnImpossibleTimeIsNamed) {
  const std::string why = reasonOf(forPurpose(
      "clock c; state S { press? do c := 0 -> T; } state T { light!(_) when c > 3 -> accept; otherwise -> reject; }"));
  EXPECT_SAYS(why, "comes as far as T");
  EXPECT_SAYS(why, "c > 3");
}

TEST(Purposes, TheFirstPartThatCannotBeMetIsNamedNotTheLast) {
  const std::string why =
      reasonOf(forPurpose("state S { dimmer?(l) when l == 9 -> T; } state T { light!(_) -> accept; }"));
  EXPECT_SAYS(why, "comes as far as S");
  EXPECT_SAYS(why, "l == 9");
}

TEST(Purposes, InternalEdgesAreFollowed) {
  const Generated made =
      forPurpose("state S { light!(_) -> T; } state T { tau -> U; } state U { light!(3) -> accept; }");
  EXPECT_EQ(made.suite.cases.size(), 1U);
  const Generated last = forPurpose("state S { light!(_) -> T; } state T { tau -> accept; }");
  EXPECT_EQ(last.suite.cases.size(), 1U);
}

TEST(Purposes, EachWayToAcceptGetsATest) {
  const Generated made = forPurpose("state S { light!(_) -> T; } state T { light!(7) -> accept; press? -> accept; }");
  EXPECT_EQ(made.suite.cases.size(), 2U);
}

TEST(Purposes, AllGivesMorePathsThanTheMinimum) {
  const char* purpose = "state S { light!(7) -> accept; }";
  const size_t few = forPurpose(purpose).suite.cases.size();
  const size_t many = forPurpose(purpose, true, 8).suite.cases.size();
  EXPECT_EQ(few, 1U);
  EXPECT_GT(many, few);
}

} // namespace
} // namespace tioc::testgen
