#include "ir/print.hpp"

#include "support/support.hpp"

#include <gtest/gtest.h>

namespace tioc::ir {
namespace {

using test::compileOk;

/// What the printer makes of a guard in a model with a few variables.
std::string guardOf(const std::string& guard) {
  Model model = compileOk("module t;\nenum E { p, q }\nrecord R { f: int, g: bool }\ninput go;\ntiosts A {\n  var i: "
                          "int, j: int, r: real, b: bool, c: bool, e: E, m: R, a: int[2];\n"
                          "  clock x, y;\n  init S;\n  state S { go? when " +
                          guard + " -> S; }\n}\n");
  return printGuard(model, model.edges[0].guard, &model.edges[0], &model.automata[0]);
}

TEST(Print, WritesOperatorsAsPeopleDo) {
  EXPECT_EQ(guardOf("3 < i"), "i > 3");
  EXPECT_EQ(guardOf("!(i == 3)"), "i != 3");
  EXPECT_EQ(guardOf("i - j - 1 >= 0"), "i - j - 1 >= 0");
  EXPECT_EQ(guardOf("-(i + j) < 2 * -j"), "-(i + j) < -2 * j");
  EXPECT_EQ(guardOf("b && (c || i > 0)"), "b && (c || i > 0)");
  EXPECT_EQ(guardOf("b => c"), "!b || c");
  EXPECT_EQ(guardOf("e == q && m.g && a[i] == m.f"), "e == E.q && m.g && a[i] == m.f");
  EXPECT_EQ(guardOf("r > 1 && r * 3 < i"), "r > 1.0 && 3.0 * r < i");
  EXPECT_EQ(guardOf("i / 2 % 3 == 1"), "i / 2 % 3 == 1");
  EXPECT_EQ(guardOf("i == (if b then 1 else 2) + 1"), "i == (if b then 1 else 2) + 1");
}

TEST(Print, WritesClockConstraintsBehindData) {
  EXPECT_EQ(guardOf("x <= 3 && i > 0 && y > 0.5"), "i > 0 && x <= 3 && y > 0.5");
  EXPECT_EQ(guardOf("x == 3 && x - y < 2"), "x == 3 && x - y < 2");
  EXPECT_EQ(guardOf("3 >= x"), "x <= 3");
  EXPECT_EQ(guardOf("x >= i + 2"), "x >= i + 2.0");
  EXPECT_EQ(guardOf("x - i >= 2"), "x >= i + 2.0");
  EXPECT_EQ(guardOf("!(x < 3)"), "x >= 3");
}

} // namespace
} // namespace tioc::ir
