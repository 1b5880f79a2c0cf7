// The choice between the two kernels.

#include "runtime/zones/kernel.hpp"

namespace tioc::zones {

namespace {

#ifdef TIOC_KERNEL_AVX2
// Read before it is set, in the initialisation of another file, it says false, and the base kernel does the same work.
const bool hasAvx2 = __builtin_cpu_supports("avx2") != 0;
#define TIOC_DISPATCH(call) return hasAvx2 ? avx2::call : base::call
#else
#define TIOC_DISPATCH(call) return base::call
#endif

} // namespace

namespace kernel {

size_t boundsBetweenClasses(const Bound* zone, Dim dim, const uint16_t* leader, const uint16_t* grounded,
                            PackedConstraint* out) {
  TIOC_DISPATCH(boundsBetweenClasses(zone, dim, leader, grounded, out));
}

} // namespace kernel

namespace dbm {

bool isSubsetOfALU(const Bound* a, const Bound* b, Dim dim, const int32_t* lower, const int32_t* negatedUpper) {
  TIOC_DISPATCH(isSubsetOfALU(a, b, dim, lower, negatedUpper));
}

#ifndef TIOC_ZONES_UDBM
Outcome close(Bound* zone, Dim dim) {
  TIOC_DISPATCH(close(zone, dim));
}

Outcome constrain(Bound* zone, Dim dim, Constraint constraint) {
  TIOC_DISPATCH(constrain(zone, dim, constraint));
}

void down(Bound* zone, Dim dim) {
  TIOC_DISPATCH(down(zone, dim));
}

void copyClock(Bound* zone, Dim dim, Clock x, Clock y) {
  TIOC_DISPATCH(copyClock(zone, dim, x, y));
}

void reset(Bound* zone, Dim dim, Clock x, int32_t value) {
  TIOC_DISPATCH(reset(zone, dim, x, value));
}

void free(Bound* zone, Dim dim, Clock x) {
  TIOC_DISPATCH(free(zone, dim, x));
}

Outcome intersect(Bound* zone, const Bound* other, Dim dim) {
  TIOC_DISPATCH(intersect(zone, other, dim));
}

bool isSubset(const Bound* a, const Bound* b, Dim dim) {
  TIOC_DISPATCH(isSubset(a, b, dim));
}

Relation relation(const Bound* a, const Bound* b, Dim dim) {
  TIOC_DISPATCH(relation(a, b, dim));
}

Outcome extraM(Bound* zone, Dim dim, const ClockBounds& bounds) {
  TIOC_DISPATCH(extraM(zone, dim, bounds));
}

Outcome extraMPlus(Bound* zone, Dim dim, const ClockBounds& bounds) {
  TIOC_DISPATCH(extraMPlus(zone, dim, bounds));
}

Outcome extraLU(Bound* zone, Dim dim, const ClockBounds& bounds) {
  TIOC_DISPATCH(extraLU(zone, dim, bounds));
}

Outcome extraLUPlus(Bound* zone, Dim dim, const ClockBounds& bounds) {
  TIOC_DISPATCH(extraLUPlus(zone, dim, bounds));
}
#endif

} // namespace dbm
} // namespace tioc::zones
