#include "runtime/explore/reach_store.hpp"

#include <algorithm>

namespace tioc::explore {

uint32_t StateTable::find(const uint64_t* state, uint64_t hash) const {
  const uint64_t tag = hash >> 32;
  const size_t mask = slots_.size() - 1;
  for (size_t at = tag & mask; slots_[at] != 0; at = (at + 1) & mask) {
    if (slots_[at] >> 32 != tag)
      continue;
    const uint32_t id = static_cast<uint32_t>(slots_[at]) - 1;
    if (std::equal(state, state + words_, records_[id] + 1))
      return id;
  }
  return kNone;
}

void StateTable::place(uint64_t slot) {
  const size_t mask = slots_.size() - 1;
  size_t at = (slot >> 32) & mask;
  while (slots_[at] != 0)
    at = (at + 1) & mask;
  slots_[at] = slot;
}

void StateTable::grow() {
  std::vector<uint64_t> before(slots_.size() * 2, 0);
  before.swap(slots_);
  for (uint64_t slot : before)
    if (slot != 0)
      place(slot);
}

uint32_t StateTable::insert(const uint64_t* state, uint64_t hash) {
  if ((records_.size() + 1) * 4 > slots_.size() * 3)
    grow();
  const uint32_t id = static_cast<uint32_t>(records_.size());
  uint64_t* const record = records_.append();
  record[0] = kNone;
  std::copy(state, state + words_, record + 1);
  place(hash >> 32 << 32 | (id + 1));
  return id;
}

uint32_t ZoneStore::store(const zones::Bound* zone, zones::Dim dim) {
  const size_t bytes = zones::dbm::size(dim) * sizeof(zones::Bound);
  uint32_t id = free_[dim];
  if (id != kNone) {
    std::memcpy(&free_[dim], at(id), sizeof(uint32_t));
  } else {
    if (used_ + bytes > kBlock) {
      blocks_.push_back(std::make_unique_for_overwrite<Block>());
      used_ = 0;
    }
    id = static_cast<uint32_t>((blocks_.size() - 1) << kUnitShift | used_ / kUnit);
    used_ += (bytes + kUnit - 1) / kUnit * kUnit;
  }
  std::memcpy(at(id), zone, bytes);
  return id;
}

void ZoneStore::giveBack(uint32_t id, zones::Dim dim) {
  std::memcpy(at(id), &free_[dim], sizeof(uint32_t));
  free_[dim] = id;
}

} // namespace tioc::explore
