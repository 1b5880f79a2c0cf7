#pragma once

#include "runtime/zones/dbm.hpp"
#include "runtime/zones/minimal.hpp"

// The kernel is compiled twice from kernel.inl: for the base architecture, and for AVX2 where the architecture is
// x86-64. kernel.cpp picks one at run time. (Compiling whole files for their target, rather than cloning single
// functions, lets GCC see the target from the start: it splits vectors of inlined helpers before it clones.)

#if defined(__x86_64__) && defined(__GNUC__) && !defined(TIOC_ZONES_BASE_ONLY)
#define TIOC_KERNEL_AVX2 1
#endif

#define TIOC_DECLARE_KERNEL(name)                                                                                      \
  namespace tioc::zones::name {                                                                                        \
  Outcome close(Bound* zone, Dim dim);                                                                                 \
  Outcome constrain(Bound* zone, Dim dim, Constraint constraint);                                                      \
  void down(Bound* zone, Dim dim);                                                                                     \
  void reset(Bound* zone, Dim dim, Clock x, int32_t value);                                                            \
  void copyClock(Bound* zone, Dim dim, Clock x, Clock y);                                                              \
  void free(Bound* zone, Dim dim, Clock x);                                                                            \
  Outcome intersect(Bound* zone, const Bound* other, Dim dim);                                                         \
  bool isSubset(const Bound* a, const Bound* b, Dim dim);                                                              \
  Relation relation(const Bound* a, const Bound* b, Dim dim);                                                          \
  Outcome extraM(Bound* zone, Dim dim, const ClockBounds& bounds);                                                     \
  Outcome extraMPlus(Bound* zone, Dim dim, const ClockBounds& bounds);                                                 \
  Outcome extraLU(Bound* zone, Dim dim, const ClockBounds& bounds);                                                    \
  Outcome extraLUPlus(Bound* zone, Dim dim, const ClockBounds& bounds);                                                \
  bool isSubsetOfALU(const Bound* a, const Bound* b, Dim dim, const int32_t* lower, const int32_t* negatedUpper);      \
  size_t boundsBetweenClasses(const Bound* zone, Dim dim, const uint16_t* leader, const uint16_t* grounded,            \
                              PackedConstraint* out);                                                                  \
  }

TIOC_DECLARE_KERNEL(base)
#ifdef TIOC_KERNEL_AVX2
TIOC_DECLARE_KERNEL(avx2)
#endif

namespace tioc::zones::kernel {

/// The part of `minimalForm` that needs speed: the bounds between clocks that lead their class (leader[x] == x) which
/// no path through a third such clock implies, without lower bounds of clocks whose class is grounded.
size_t boundsBetweenClasses(const Bound* zone, Dim dim, const uint16_t* leader, const uint16_t* grounded,
                            PackedConstraint* out);

} // namespace tioc::zones::kernel
