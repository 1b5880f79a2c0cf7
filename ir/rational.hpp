#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tioc::ir {

/// An exact rational number in lowest terms with a positive denominator. Small numbers live in two machine words;
/// an operation whose result does not fit moves to arbitrary precision, so nothing ever wraps or rounds.
class Rational {
public:
  Rational() = default;
  Rational(int64_t value) : num_(value) {} // NOLINT: integers are rationals
  /// Precondition: `den` is not zero.
  Rational(int64_t num, int64_t den);
  Rational(const Rational& other);
  Rational(Rational&& other) noexcept = default;
  Rational& operator=(const Rational& other);
  Rational& operator=(Rational&& other) noexcept = default;
  ~Rational();

  /// Reads `12`, `-3`, `0.25` or `1/3`; nothing else is accepted.
  static std::optional<Rational> parse(std::string_view text);

  bool isInteger() const;
  bool isZero() const { return !big_ && num_ == 0; }
  int sign() const;
  /// More than some thousand bits long: a mistake, and slow to work with.
  bool isHuge() const;
  /// The value as a machine integer, if it is one and fits.
  std::optional<int64_t> toInt64() const;

  Rational numerator() const;
  Rational denominator() const;
  /// The largest integer that is not larger.
  Rational floor() const;

  Rational operator-() const;
  friend Rational operator+(const Rational& a, const Rational& b);
  friend Rational operator-(const Rational& a, const Rational& b);
  friend Rational operator*(const Rational& a, const Rational& b);
  /// Precondition: `b` is not zero.
  friend Rational operator/(const Rational& a, const Rational& b);
  friend bool operator==(const Rational& a, const Rational& b);
  friend std::strong_ordering operator<=>(const Rational& a, const Rational& b);

  /// A decimal where one exists (`0.125`), else a fraction (`1/3`). `parse` reads it back.
  std::string toString() const;
  size_t hash() const;

private:
  struct Big;
  struct BigDelete {
    void operator()(Big* big) const;
  };
  explicit Rational(std::unique_ptr<Big, BigDelete> big);
  static std::unique_ptr<Big, BigDelete> widen(const Rational& value);
  static Rational narrow(std::unique_ptr<Big, BigDelete> big);

  int64_t num_ = 0;
  int64_t den_ = 1;
  std::unique_ptr<Big, BigDelete> big_; // set only when the value does not fit above
};

/// Least common multiple of two positive integers.
Rational lcm(const Rational& a, const Rational& b);

/// Quotient and remainder as the language defines them: a = q * b + r with 0 <= r < |b|. Preconditions: both are
/// integers, `b` is not zero.
Rational euclideanQuotient(const Rational& a, const Rational& b);
Rational euclideanRemainder(const Rational& a, const Rational& b);

} // namespace tioc::ir
