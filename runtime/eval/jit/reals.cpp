#include "runtime/eval/jit/reals.hpp"

#include <numeric>

namespace tioc::eval::jit {

namespace {

using Wide = __int128;

Wide gcd(Wide a, Wide b) {
  a = a < 0 ? -a : a;
  while (b != 0) {
    Wide rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// Writes num/den in lowest terms; 1 if it does not fit. Precondition: den > 0.
uint8_t write(Wide num, Wide den, int64_t* out) {
  Wide common = gcd(num, den);
  num /= common;
  den /= common;
  if (num < INT64_MIN || num > INT64_MAX || den > INT64_MAX)
    return 1;
  out[0] = static_cast<int64_t>(num);
  out[1] = static_cast<int64_t>(den);
  return 0;
}

} // namespace

uint8_t realAdd(int64_t an, int64_t ad, int64_t bn, int64_t bd, int64_t* out) {
  // Each product is below 2^126, so their sum fits.
  return write(Wide{an} * bd + Wide{bn} * ad, Wide{ad} * bd, out);
}

uint8_t realMultiply(int64_t an, int64_t ad, int64_t bn, int64_t bd, int64_t* out) {
  return write(Wide{an} * bn, Wide{ad} * bd, out);
}

uint8_t realDivide(int64_t an, int64_t ad, int64_t bn, int64_t bd, int64_t* out) {
  if (bn == 0)
    return 1;
  Wide num = Wide{an} * bd;
  Wide den = Wide{ad} * bn;
  return den < 0 ? write(-num, -den, out) : write(num, den, out);
}

} // namespace tioc::eval::jit
