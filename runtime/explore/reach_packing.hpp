#pragma once

#include "runtime/eval/layout.hpp"
#include "runtime/semantics/network.hpp"

namespace tioc::explore {

/// The discrete part of a state in few 64-bit words: locations, bools, enums and ranged integers in as many bits as
/// they need, other values in 64. Variables that no edge changes and that have one initial value are left out.
class StatePacking {
public:
  StatePacking(const semantics::Network& network, const eval::Layout& layout);

  uint32_t words() const { return words_; }
  /// Values that are left out keep what `frame` has.
  void unpack(const uint64_t* words, ir::LocationId* at, eval::Slot* frame) const {
    for (size_t i = 0; i < places_.size(); ++i)
      at[i] = locations_[places_[i].base + ((words[places_[i].word] >> places_[i].shift) & places_[i].mask)];
    for (const Field& field : fields_)
      frame[field.slot] =
          static_cast<int64_t>(((words[field.word] >> field.shift) & field.mask) + static_cast<uint64_t>(field.base));
  }
  void pack(const ir::LocationId* at, const eval::Slot* frame, uint64_t* words) const {
    uint64_t word = 0;
    uint32_t index = 0;
    const auto add = [&](const Field& field, uint64_t code) {
      if (field.word != index) { // fields stand in the order of words
        words[index] = word;
        index = field.word;
        word = 0;
      }
      word |= code << field.shift;
    };
    for (size_t i = 0; i < places_.size(); ++i)
      add(places_[i], codes_[at[i].value]);
    for (const Field& field : fields_)
      add(field, static_cast<uint64_t>(frame[field.slot]) - static_cast<uint64_t>(field.base));
    words[index] = word;
  }
  static uint64_t hash(const uint64_t* words, uint32_t count) {
    uint64_t value = 0x243f6a8885a308d3;
    for (uint32_t i = 0; i < count; ++i) {
      value = (value ^ words[i]) * 0x9e3779b97f4a7c15;
      value ^= value >> 29;
    }
    value *= 0xbf58476d1ce4e5b9;
    return value ^ value >> 32;
  }

private:
  struct Field {
    uint32_t slot = 0;
    uint32_t word = 0;
    uint32_t shift = 0;
    uint64_t mask = 0;
    int64_t base = 0; ///< the least value; of a place the first of its component in locations_
  };

  void addPlaces(const semantics::Network& network);
  void addSlots(const eval::Layout& layout, ir::TypeId type, uint32_t slot);
  /// Values from 0 to `last`.
  void place(Field field, uint64_t last, std::vector<Field>& list);

  std::vector<Field> places_; // by component
  std::vector<Field> fields_;
  std::vector<ir::LocationId> locations_; // those of the components, one after the other
  std::vector<uint32_t> codes_;           // by location: position within its component
  uint32_t words_ = 1;
  uint32_t used_ = 0; // bits of the last word
};

} // namespace tioc::explore
