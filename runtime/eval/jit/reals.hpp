#pragma once

#include <cstdint>

namespace tioc::eval::jit {

/// What compiled code calls for fractions in lowest terms with positive denominators. They write the same, or return 1
/// if the result does not fit into 64 bits or does not exist.
uint8_t realAdd(int64_t an, int64_t ad, int64_t bn, int64_t bd, int64_t* out);
uint8_t realMultiply(int64_t an, int64_t ad, int64_t bn, int64_t bd, int64_t* out);
uint8_t realDivide(int64_t an, int64_t ad, int64_t bn, int64_t bd, int64_t* out);

} // namespace tioc::eval::jit
