#include "runtime/zones/kernel.hpp"
#include "runtime/zones/wide.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <type_traits>

#define TIOC_KERNEL base
#include "runtime/zones/kernel.inl"
