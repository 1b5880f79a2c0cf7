#include "runtime/explore/reach_store.hpp"

#include <algorithm>
#include <limits>

namespace tioc::explore {

uint32_t StateTable::find(const uint64_t* state, uint64_t hash) const {
  const uint64_t tag = hash >> 32;
  const size_t mask = slots_.size() - 1;
  for (size_t at = tag & mask; slots_[at] != 0; at = (at + 1) & mask) {
    if (slots_[at] >> 32 != tag)
      continue;
    const uint32_t id = static_cast<uint32_t>(slots_[at]) - 1;
    const uint64_t* const known = records_[id] + 1;
    uint32_t same = 0; // a loop: the words are few
    while (same < words_ && known[same] == state[same])
      ++same;
    if (same == words_)
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

namespace {

/// The largest code of a narrow type stands for infinity.
template <class Code>
constexpr int32_t kInfinity = std::numeric_limits<Code>::max();

template <class Code>
void write(const zones::Bound* zone, size_t count, std::byte* to) {
  Code* const codes = reinterpret_cast<Code*>(to);
  for (size_t i = 0; i < count; ++i)
    codes[i] = static_cast<Code>(zone[i].raw == zones::infinityRaw ? kInfinity<Code> : zone[i].raw);
}

template <class Code>
void read(const std::byte* from, size_t count, zones::Bound* zone) {
  const Code* const codes = reinterpret_cast<const Code*>(from);
  for (size_t i = 0; i < count; ++i)
    zone[i].raw = codes[i] == kInfinity<Code> ? zones::infinityRaw : codes[i];
}

} // namespace

ZoneStore::Width ZoneStore::narrowest(const zones::Bound* zone, zones::Dim dim) const {
  int32_t bits = 0;
  for (size_t i = 0; i < zones::dbm::size(dim); ++i) {
    const int32_t raw = zone[i].raw;
    bits |= raw == zones::infinityRaw ? 0 : raw < 0 ? ~raw : raw + 1; // + 1: not the code of infinity
  }
  return bits <= INT8_MAX ? 0 : bits <= INT16_MAX ? 1 : kWide;
}

uint32_t ZoneStore::store(const zones::Bound* zone, zones::Dim dim, Width width) {
  const size_t count = zones::dbm::size(dim);
  uint32_t& first = freeList(dim, width);
  uint32_t id = first;
  if (id != kNone) {
    std::memcpy(&first, at(id), sizeof first);
  } else {
    const size_t bytes = ((count << width) + kUnit - 1) / kUnit * kUnit;
    if (used_ + bytes > kBlock) {
      blocks_.push_back(std::make_unique_for_overwrite<Block>());
      used_ = 0;
    }
    id = static_cast<uint32_t>((blocks_.size() - 1) << kUnitShift | used_ / kUnit);
    used_ += bytes;
  }
  if (width == 0)
    write<int8_t>(zone, count, at(id));
  else if (width == 1)
    write<int16_t>(zone, count, at(id));
  else
    std::memcpy(at(id), zone, count * sizeof(zones::Bound));
  return id;
}

const zones::Bound* ZoneStore::load(uint32_t id, zones::Dim dim, Width width, zones::Bound* scratch) const {
  if (width == kWide)
    return reinterpret_cast<const zones::Bound*>(at(id));
  if (width == 0)
    read<int8_t>(at(id), zones::dbm::size(dim), scratch);
  else
    read<int16_t>(at(id), zones::dbm::size(dim), scratch);
  return scratch;
}

void ZoneStore::giveBack(uint32_t id, zones::Dim dim, Width width) {
  uint32_t& first = freeList(dim, width);
  std::memcpy(at(id), &first, sizeof first);
  first = id;
}

} // namespace tioc::explore
