#include "runtime/zones/arena.hpp"

#include "runtime/zones/aligned.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

namespace tioc::zones {

namespace {

constexpr size_t chunkBytes = size_t{1} << 18;

} // namespace

void ZoneArena::Release::operator()(Bound* chunk) const {
  ::operator delete[](chunk, matrixAlignment);
}

ZoneArena::ZoneArena(Dim dim) : dim_(dim), stride_(dbm::size(dim)) {
  // Whole vectors only pay where a zone is large anyway; small zones stay dense.
  if (stride_ >= 64)
    stride_ = (stride_ + 7) / 8 * 8;
  chunkShift_ = static_cast<uint32_t>(std::bit_width(std::max<size_t>(1, chunkBytes / (stride_ * sizeof(Bound)))) - 1);
}

ZoneId ZoneArena::store(const Bound* zone) {
  const ZoneId id = static_cast<ZoneId>(size_);
  const size_t chunkZones = size_t{1} << chunkShift_;
  if (size_ == chunks_.size() * chunkZones)
    chunks_.emplace_back(static_cast<Bound*>(::operator new[](chunkZones* stride_ * sizeof(Bound), matrixAlignment)));
  Bound* const to = chunks_.back().get() + (size_ & (chunkZones - 1)) * stride_;
  std::memcpy(to, zone, dbm::size(dim_) * sizeof(Bound));
  ++size_;
  return id;
}

size_t ZoneArena::bytes() const {
  return (chunks_.size() << chunkShift_) * stride_ * sizeof(Bound);
}

} // namespace tioc::zones
