#pragma once

#include "runtime/zones/dbm.hpp"

#include <memory>
#include <vector>

namespace tioc::zones {

using ZoneId = uint32_t;

/// Zones of one dimension, stored for the life of the arena: append-only chunks, so addresses and ids never change.
class ZoneArena {
public:
  /// Precondition: 1 <= dim <= maxDim.
  explicit ZoneArena(Dim dim);

  /// Copies the matrix. Allocates once per chunk.
  ZoneId store(const Bound* zone);
  /// Precondition: id was returned by `store`.
  const Bound* operator[](ZoneId id) const {
    return chunks_[id >> chunkShift_].get() + (id & ((ZoneId{1} << chunkShift_) - 1)) * stride_;
  }
  Dim dim() const { return dim_; }
  size_t size() const { return size_; }
  size_t bytes() const;

private:
  struct Release {
    void operator()(Bound* chunk) const;
  };

  Dim dim_;
  size_t stride_; // bounds from one zone to the next
  uint32_t chunkShift_;
  size_t size_ = 0;
  std::vector<std::unique_ptr<Bound[], Release>> chunks_;
};

} // namespace tioc::zones
