#pragma once

#include "runtime/zones/dbm.hpp"

#include <cstring>
#include <memory>
#include <vector>

namespace tioc::explore {

/// A list that grows by chunks: elements never move, and growing copies nothing.
template <class T>
class Chunked {
public:
  explicit Chunked(size_t width = 1) : width_(width) {}

  /// `width` values that stand one after the other.
  T* operator[](size_t index) { return chunks_[index >> kShift].get() + (index & kMask) * width_; }
  const T* operator[](size_t index) const { return chunks_[index >> kShift].get() + (index & kMask) * width_; }
  size_t size() const { return size_; }
  size_t bytes() const { return chunks_.size() * width_ * sizeof(T) << kShift; }
  /// Appends an element of unspecified values.
  T* append() {
    if (size_ >> kShift == chunks_.size())
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(width_ << kShift));
    return (*this)[size_++];
  }

private:
  static constexpr size_t kShift = 12;
  static constexpr size_t kMask = (size_t{1} << kShift) - 1;

  size_t width_;
  size_t size_ = 0;
  std::vector<std::unique_ptr<T[]>> chunks_;
};

inline constexpr uint32_t kNone = UINT32_MAX;

/// The packed discrete states seen so far, each once, with the head of a list that belongs to it.
class StateTable {
public:
  explicit StateTable(uint32_t words) : words_(words), records_(words + 1), slots_(kFirstSize, 0) {}

  /// The number of the state, or kNone.
  uint32_t find(const uint64_t* state, uint64_t hash) const;
  /// Starts to bring in what `find` will look at first.
  void prefetch(uint64_t hash) const { __builtin_prefetch(&slots_[(hash >> 32) & (slots_.size() - 1)]); }
  /// Precondition: the state is not in the table.
  uint32_t insert(const uint64_t* state, uint64_t hash);

  const uint64_t* state(uint32_t id) const { return records_[id] + 1; }
  uint32_t head(uint32_t id) const { return static_cast<uint32_t>(*records_[id]); }
  void setHead(uint32_t id, uint32_t head) { *records_[id] = head; }
  size_t size() const { return records_.size(); }
  size_t bytes() const { return records_.bytes() + slots_.capacity() * sizeof(uint64_t); }

private:
  static constexpr size_t kFirstSize = 1024;

  void grow();
  void place(uint64_t slot);

  uint32_t words_;
  Chunked<uint64_t> records_;   // head, then the words
  std::vector<uint64_t> slots_; // open addressing: 32 bits of the hash and number + 1, or 0
};

/// Zones of any dimension in few large blocks, each bound in as few bytes as the zone needs. A zone that is given back
/// makes room for another of its size.
class ZoneStore {
public:
  explicit ZoneStore(zones::Dim maxDim) : free_(kWidths * (maxDim + size_t{1}), kNone) {}

  /// Bytes of a bound: 1, 2 or 4, as a power of two.
  using Width = uint8_t;
  static constexpr Width kWide = 2;

  /// What `load` does with zones that are not wide costs about as much as one comparison.
  Width narrowest(const zones::Bound* zone, zones::Dim dim) const;
  /// Precondition: at least the narrowest width.
  uint32_t store(const zones::Bound* zone, zones::Dim dim, Width width);
  void giveBack(uint32_t id, zones::Dim dim, Width width);
  /// The zone, or its copy in `scratch`.
  const zones::Bound* load(uint32_t id, zones::Dim dim, Width width, zones::Bound* scratch) const;
  size_t bytes() const { return blocks_.size() * kBlock; }

  /// Precondition of `store`: no more than that is stored.
  static constexpr size_t kMostBytes = size_t{31} << 30;

private:
  static constexpr size_t kWidths = 3;
  static constexpr size_t kUnit = 8; // bytes
  static constexpr uint32_t kUnitShift = 17;
  static constexpr size_t kBlock = kUnit << kUnitShift;

  struct alignas(64) Block {
    std::byte bytes[kBlock];
  };

  std::byte* at(uint32_t id) const {
    return blocks_[id >> kUnitShift]->bytes + (id & ((1U << kUnitShift) - 1)) * kUnit;
  }
  uint32_t& freeList(zones::Dim dim, Width width) { return free_[size_t{dim} * kWidths + width]; }

  std::vector<std::unique_ptr<Block>> blocks_;
  size_t used_ = kBlock;       // of the last block
  std::vector<uint32_t> free_; // the first of a list through the zones of one size
};

} // namespace tioc::explore
