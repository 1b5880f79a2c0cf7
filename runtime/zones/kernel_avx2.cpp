#include "runtime/zones/kernel.hpp"
#include "runtime/zones/wide.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <type_traits>

#ifdef TIOC_KERNEL_AVX2
#pragma GCC target("avx2") // to the end of the file: templates are instantiated there
#define TIOC_KERNEL avx2
#define TIOC_KERNEL_VECTORS // not __AVX2__: separate preprocessing (ccache) does not see the pragma
#include "runtime/zones/kernel.inl"
#endif
