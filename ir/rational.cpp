#include "ir/rational.hpp"

#include <gmpxx.h>

#include <cassert>
#include <charconv>
#include <functional>
#include <numeric>

namespace tioc::ir {

struct Rational::Big {
  mpq_class value;
};

void Rational::BigDelete::operator()(Big* big) const {
  delete big;
}

namespace {

using Wide = __int128;

bool fits(Wide value) {
  return value >= INT64_MIN && value <= INT64_MAX;
}

Wide gcdWide(Wide a, Wide b) {
  if (a < 0)
    a = -a;
  while (b != 0 && !(fits(a) && fits(b))) {
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  return b == 0 ? a : Wide(std::gcd(static_cast<int64_t>(a), static_cast<int64_t>(b)));
}

/// Lowest terms, if they fit. Precondition: `den` is positive.
bool reduce(Wide num, Wide den, int64_t& n, int64_t& d) {
  if (den != 1) {
    const Wide g = gcdWide(num, den);
    if (g != 1) {
      num /= g;
      den /= g;
    }
  }
  if (!fits(num) || !fits(den))
    return false;
  n = static_cast<int64_t>(num);
  d = static_cast<int64_t>(den);
  return true;
}

mpz_class toMpz(int64_t value) {
  static_assert(sizeof(long) == sizeof(int64_t));
  return mpz_class(static_cast<long>(value));
}

bool allDigits(std::string_view text) {
  for (char c : text)
    if (c < '0' || c > '9')
      return false;
  return !text.empty();
}

} // namespace

Rational::Rational(int64_t num, int64_t den) {
  assert(den != 0);
  Wide n = num;
  Wide d = den;
  if (d < 0) {
    n = -n;
    d = -d;
  }
  if (reduce(n, d, num_, den_))
    return;
  big_.reset(new Big{mpq_class(toMpz(num), toMpz(den))});
  big_->value.canonicalize();
}

Rational::Rational(const Rational& other) : num_(other.num_), den_(other.den_) {
  if (other.big_)
    big_.reset(new Big(*other.big_));
}

Rational& Rational::operator=(const Rational& other) {
  if (this != &other) {
    num_ = other.num_;
    den_ = other.den_;
    big_.reset(other.big_ ? new Big(*other.big_) : nullptr);
  }
  return *this;
}

Rational::~Rational() = default;

Rational::Rational(std::unique_ptr<Big, BigDelete> big) : big_(std::move(big)) {}

std::unique_ptr<Rational::Big, Rational::BigDelete> Rational::widen(const Rational& value) {
  if (value.big_)
    return std::unique_ptr<Big, BigDelete>(new Big(*value.big_));
  return std::unique_ptr<Big, BigDelete>(new Big{mpq_class(toMpz(value.num_), toMpz(value.den_))});
}

Rational Rational::narrow(std::unique_ptr<Big, BigDelete> big) {
  const mpz_class& num = big->value.get_num();
  const mpz_class& den = big->value.get_den();
  if (!num.fits_slong_p() || !den.fits_slong_p())
    return Rational(std::move(big));
  Rational result;
  result.num_ = num.get_si();
  result.den_ = den.get_si();
  return result;
}

std::optional<Rational> Rational::parse(std::string_view text) {
  bool negative = !text.empty() && text.front() == '-';
  std::string_view body = negative ? text.substr(1) : text;
  std::string num;
  std::string den = "1";
  if (size_t slash = body.find('/'); slash != std::string_view::npos) {
    num = body.substr(0, slash);
    den = body.substr(slash + 1);
  } else if (size_t dot = body.find('.'); dot != std::string_view::npos) {
    std::string_view whole = body.substr(0, dot);
    std::string_view fraction = body.substr(dot + 1);
    if (!allDigits(whole) || !allDigits(fraction))
      return std::nullopt;
    num = std::string(whole) + std::string(fraction);
    den.append(fraction.size(), '0');
  } else {
    num = body;
  }
  if (!allDigits(num) || !allDigits(den))
    return std::nullopt;
  constexpr size_t kSafeDigits = 18;
  if (num.size() <= kSafeDigits && den.size() <= kSafeDigits) {
    int64_t n = 0, d = 0;
    std::from_chars(num.data(), num.data() + num.size(), n);
    std::from_chars(den.data(), den.data() + den.size(), d);
    if (d == 0)
      return std::nullopt;
    return Rational(negative ? -n : n, d);
  }
  std::unique_ptr<Big, BigDelete> big(new Big{mpq_class(mpz_class(num, 10), mpz_class(den, 10))});
  if (big->value.get_den() == 0)
    return std::nullopt;
  big->value.canonicalize();
  if (negative)
    big->value = -big->value;
  return narrow(std::move(big));
}

bool Rational::isInteger() const {
  return big_ ? big_->value.get_den() == 1 : den_ == 1;
}

int Rational::sign() const {
  if (big_)
    return sgn(big_->value);
  return (num_ > 0) - (num_ < 0);
}

bool Rational::isHuge() const {
  constexpr size_t kBits = 4096;
  return big_ && (mpz_sizeinbase(big_->value.get_num_mpz_t(), 2) > kBits ||
                  mpz_sizeinbase(big_->value.get_den_mpz_t(), 2) > kBits);
}

std::optional<int64_t> Rational::toInt64() const {
  if (big_ || den_ != 1)
    return std::nullopt;
  return num_;
}

Rational Rational::numerator() const {
  if (!big_)
    return num_;
  return narrow(std::unique_ptr<Big, BigDelete>(new Big{mpq_class(big_->value.get_num())}));
}

Rational Rational::denominator() const {
  if (!big_)
    return den_;
  return narrow(std::unique_ptr<Big, BigDelete>(new Big{mpq_class(big_->value.get_den())}));
}

Rational Rational::floor() const {
  if (isInteger())
    return *this;
  if (!big_)
    return num_ / den_ - (num_ < 0);
  std::unique_ptr<Big, BigDelete> wide = widen(*this);
  mpz_class quotient;
  mpz_fdiv_q(quotient.get_mpz_t(), wide->value.get_num_mpz_t(), wide->value.get_den_mpz_t());
  wide->value = quotient;
  return narrow(std::move(wide));
}

Rational Rational::operator-() const {
  return Rational(0) - *this;
}

Rational operator+(const Rational& a, const Rational& b) {
  if (!a.big_ && !b.big_) {
    // Each product is below 2^126 in magnitude, so the sum fits 128 bits.
    Rational result;
    const bool isSmall = a.den_ == b.den_ ? reduce(Wide(a.num_) + b.num_, a.den_, result.num_, result.den_)
                                          : reduce(Wide(a.num_) * b.den_ + Wide(b.num_) * a.den_, Wide(a.den_) * b.den_,
                                                   result.num_, result.den_);
    if (isSmall)
      return result;
  }
  auto wide = Rational::widen(a);
  wide->value += Rational::widen(b)->value;
  return Rational::narrow(std::move(wide));
}

Rational operator-(const Rational& a, const Rational& b) {
  if (!b.big_ && b.num_ != INT64_MIN) {
    Rational negated;
    negated.num_ = -b.num_;
    negated.den_ = b.den_;
    return a + negated;
  }
  auto wide = Rational::widen(a);
  wide->value -= Rational::widen(b)->value;
  return Rational::narrow(std::move(wide));
}

Rational operator*(const Rational& a, const Rational& b) {
  if (!a.big_ && !b.big_) {
    Rational result;
    if (reduce(Wide(a.num_) * b.num_, Wide(a.den_) * b.den_, result.num_, result.den_))
      return result;
  }
  auto wide = Rational::widen(a);
  wide->value *= Rational::widen(b)->value;
  return Rational::narrow(std::move(wide));
}

Rational operator/(const Rational& a, const Rational& b) {
  assert(!b.isZero());
  if (!a.big_ && !b.big_) {
    Rational result;
    const Wide num = Wide(a.num_) * b.den_;
    const Wide den = Wide(a.den_) * b.num_;
    if (den < 0 ? reduce(-num, -den, result.num_, result.den_) : reduce(num, den, result.num_, result.den_))
      return result;
  }
  auto wide = Rational::widen(a);
  wide->value /= Rational::widen(b)->value;
  return Rational::narrow(std::move(wide));
}

bool operator==(const Rational& a, const Rational& b) {
  // Both forms are canonical, so a number that fits is never held wide.
  if (!a.big_ && !b.big_)
    return a.num_ == b.num_ && a.den_ == b.den_;
  return a.big_ && b.big_ && a.big_->value == b.big_->value;
}

std::strong_ordering operator<=>(const Rational& a, const Rational& b) {
  if (!a.big_ && !b.big_)
    return Wide(a.num_) * b.den_ <=> Wide(b.num_) * a.den_;
  int order = cmp(Rational::widen(a)->value, Rational::widen(b)->value);
  return order <=> 0;
}

std::string Rational::toString() const {
  if (!big_ && den_ == 1)
    return std::to_string(num_);
  auto wide = widen(*this);
  mpz_class den = wide->value.get_den();
  // A decimal exists exactly when the denominator has no prime factor but 2 and 5.
  unsigned long twos = mpz_scan1(den.get_mpz_t(), 0);
  mpz_class rest = den >> twos;
  mpz_class five = 5;
  mpz_class remaining;
  unsigned long fives = mpz_remove(remaining.get_mpz_t(), rest.get_mpz_t(), five.get_mpz_t());
  constexpr unsigned long kMaxPlaces = 40;
  unsigned long places = std::max(twos, fives);
  if (remaining != 1 || places > kMaxPlaces)
    return wide->value.get_str();
  mpz_class ten;
  mpz_ui_pow_ui(ten.get_mpz_t(), 10, places);
  mpz_class digits = wide->value.get_num() * ten / den;
  bool negative = digits < 0;
  std::string text = mpz_class(abs(digits)).get_str();
  if (text.size() <= places)
    text.insert(0, places + 1 - text.size(), '0');
  if (places > 0)
    text.insert(text.size() - places, ".");
  return negative ? "-" + text : text;
}

size_t Rational::hash() const {
  if (big_)
    return std::hash<std::string>()(big_->value.get_str());
  return std::hash<int64_t>()(num_) * 0x9e3779b97f4a7c15ULL + std::hash<int64_t>()(den_);
}

Rational lcm(const Rational& a, const Rational& b) {
  auto x = a.toInt64();
  auto y = b.toInt64();
  if (x && y) {
    Rational g = std::gcd(*x, *y);
    return a / g * b;
  }
  // Euclid on the exact type; numbers this large are rare.
  Rational u = a;
  Rational v = b;
  while (!v.isZero()) {
    Rational rest = euclideanRemainder(u, v);
    u = v;
    v = rest;
  }
  return a / u * b;
}

Rational euclideanQuotient(const Rational& a, const Rational& b) {
  assert(a.isInteger() && b.isInteger() && !b.isZero());
  // floor rounds towards the right side for a positive divisor; a negative one mirrors it.
  return b.sign() > 0 ? (a / b).floor() : -(a / -b).floor();
}

Rational euclideanRemainder(const Rational& a, const Rational& b) {
  return a - euclideanQuotient(a, b) * b;
}

} // namespace tioc::ir
