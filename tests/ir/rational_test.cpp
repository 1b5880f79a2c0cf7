#include "ir/rational.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tioc::ir {
namespace {

TEST(Rational, ReadsWhatItWrites) {
  for (const char* text :
       {"0", "7", "-7", "0.5", "-0.125", "1/3", "-22/7", "123456789012345678901234567890", "0.000000001"}) {
    std::optional<Rational> value = Rational::parse(text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(value->toString(), text);
  }
}

TEST(Rational, RefusesWhatIsNoNumber) {
  for (const char* text : {"", "-", "1.", ".5", "1e3", "0x10", "1/0", "1 2", "--1", "1/-2", "abc"})
    EXPECT_FALSE(Rational::parse(text)) << text;
}

TEST(Rational, ReducesToLowestTerms) {
  EXPECT_EQ(Rational(6, -4), Rational(-3, 2));
  EXPECT_EQ(Rational(0, 17), Rational(0));
  EXPECT_EQ(Rational(INT64_MIN, INT64_MIN), Rational(1));
}

TEST(Rational, GrowsInsteadOfWrapping) {
  Rational big = Rational(INT64_MAX) + Rational(1);
  EXPECT_EQ(big.toString(), "9223372036854775808");
  EXPECT_EQ(big - Rational(1), Rational(INT64_MAX));
  EXPECT_EQ(-Rational(INT64_MIN), big);
  EXPECT_EQ((big * big).toString(), "85070591730234615865843651857942052864");
  EXPECT_EQ(big * big / big, big);
  EXPECT_GT(big, Rational(INT64_MAX));
  EXPECT_EQ((big - Rational(1)).toInt64(), INT64_MAX);
  EXPECT_FALSE(big.toInt64());
}

TEST(Rational, FloorGoesDown) {
  EXPECT_EQ(Rational(7, 2).floor(), Rational(3));
  EXPECT_EQ(Rational(-7, 2).floor(), Rational(-4));
  EXPECT_EQ(Rational(5).floor(), Rational(5));
}

TEST(Rational, RemainderIsNeverNegative) {
  for (int64_t a = -9; a <= 9; ++a)
    for (int64_t b = -4; b <= 4; ++b) {
      if (b == 0)
        continue;
      Rational q = euclideanQuotient(a, b);
      Rational r = euclideanRemainder(a, b);
      EXPECT_EQ(q * Rational(b) + r, Rational(a));
      EXPECT_GE(r, Rational(0));
      EXPECT_LT(r, Rational(b < 0 ? -b : b));
    }
}

TEST(Rational, LcmIsTheLeastCommonMultiple) {
  EXPECT_EQ(lcm(4, 6), Rational(12));
  EXPECT_EQ(lcm(1, 7), Rational(7));
  Rational huge = *Rational::parse("100000000000000000000");
  EXPECT_EQ(lcm(huge, 3), huge * Rational(3));
}

/// The laws of an ordered field, on numbers around the limits of a machine word.
TEST(Rational, ObeysTheLawsOfAField) {
  std::mt19937_64 random(1);
  auto pick = [&] {
    static const int64_t kSpecial[] = {0, 1, -1, 2, INT64_MAX, INT64_MIN, INT64_MAX - 1, 1LL << 62, 3037000500};
    auto one = [&] {
      return random() % 3 ? static_cast<int64_t>(random() % 2001) - 1000 : kSpecial[random() % std::size(kSpecial)];
    };
    int64_t den = one();
    return Rational(one(), den == 0 ? 1 : den);
  };
  for (int i = 0; i < 20000; ++i) {
    Rational a = pick(), b = pick(), c = pick();
    ASSERT_EQ(a + b, b + a);
    ASSERT_EQ((a + b) + c, a + (b + c));
    ASSERT_EQ(a * (b + c), a * b + a * c);
    ASSERT_EQ(a - b + b, a);
    if (!b.isZero()) {
      ASSERT_EQ(a / b * b, a);
    }
    ASSERT_EQ(a<b, (b - a).sign()> 0);
    ASSERT_EQ(a == b, (b - a).isZero());
    ASSERT_EQ(*Rational::parse(a.toString()), a);
    if (a == b) {
      ASSERT_EQ(a.hash(), b.hash());
    }
  }
}

} // namespace
} // namespace tioc::ir
