#pragma once

#include "runtime/zones/bound.hpp"

#include <cstddef>
#include <new>
#include <vector>

namespace tioc::zones {

/// Matrices start on a cache line: a vector that crosses two lines costs a closure a third of its time.
inline constexpr std::align_val_t matrixAlignment{64};

template <class T>
struct MatrixAllocator {
  using value_type = T; // NOLINT: the standard's name

  MatrixAllocator() = default;
  template <class U>
  MatrixAllocator(const MatrixAllocator<U>&) {} // NOLINT: converts by design
  T* allocate(size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), matrixAlignment)); }
  void deallocate(T* at, size_t) { ::operator delete(at, matrixAlignment); }
  friend bool operator==(const MatrixAllocator&, const MatrixAllocator&) { return true; }
};

using MatrixVector = std::vector<Bound, MatrixAllocator<Bound>>;

} // namespace tioc::zones
