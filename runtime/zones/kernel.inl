// The zone kernel, compiled for one target into the namespace TIOC_KERNEL. Included once by each of kernel_base.cpp and
// kernel_avx2.cpp, which include the headers first.

#include "runtime/zones/kernel_simd.inl"

#include "runtime/zones/kernel_alu.inl"
#include "runtime/zones/kernel_minimal.inl"
#ifndef TIOC_ZONES_UDBM
#include "runtime/zones/kernel_clocks.inl"
#include "runtime/zones/kernel_close.inl"
#include "runtime/zones/kernel_constrain.inl"
#include "runtime/zones/kernel_extrapolate.inl"
#include "runtime/zones/kernel_order.inl"
#endif
