#pragma once

#include "runtime/eval/value.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace tioc::solver {

/// Values of some unknowns, ordered by their index.
class Assignment {
public:
  using Entry = std::pair<uint32_t, eval::Value>;

  /// The value of an unknown, or null if there is none.
  const eval::Value* find(uint32_t unknown) const {
    // A witness mostly has a value for every unknown: then the index is the place.
    if (unknown < entries_.size() && entries_[unknown].first == unknown) [[likely]]
      return &entries_[unknown].second;
    return search(unknown);
  }
  eval::Value* find(uint32_t unknown) { return const_cast<eval::Value*>(std::as_const(*this).find(unknown)); }
  void set(uint32_t unknown, eval::Value value);
  /// Takes over every value of `other`; where both have one, that of `other` stays.
  void merge(const Assignment& other);

  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }
  bool operator==(const Assignment&) const = default;

private:
  const eval::Value* search(uint32_t unknown) const;

  std::vector<Entry> entries_;
};

} // namespace tioc::solver
