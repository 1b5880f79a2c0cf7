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

/// Zones of any dimension in few large blocks. A zone that is given back makes room for another of its size.
class ZoneStore {
public:
  explicit ZoneStore(zones::Dim maxDim) : free_(maxDim + 1, kNone) {}

  uint32_t store(const zones::Bound* zone, zones::Dim dim);
  void giveBack(uint32_t id, zones::Dim dim);
  const zones::Bound* operator[](uint32_t id) const { return at(id); }
  size_t bytes() const { return blocks_.size() * kBlock; }

private:
  static constexpr size_t kUnit = 16; // bytes
  static constexpr uint32_t kUnitShift = 16;
  static constexpr size_t kBlock = kUnit << kUnitShift;

  struct alignas(64) Block {
    std::byte bytes[kBlock];
  };

  zones::Bound* at(uint32_t id) const {
    return reinterpret_cast<zones::Bound*>(blocks_[id >> kUnitShift]->bytes + (id & ((1U << kUnitShift) - 1)) * kUnit);
  }

  std::vector<std::unique_ptr<Block>> blocks_;
  size_t used_ = kBlock;       // of the last block
  std::vector<uint32_t> free_; // by dimension: the first of a list through the zones
};

} // namespace tioc::explore
