#include "runtime/solver/reply.hpp"

#include <algorithm>

namespace tioc::solver {

namespace {

auto lowerBound(auto& entries, uint32_t unknown) {
  return std::lower_bound(entries.begin(), entries.end(), unknown,
                          [](const Assignment::Entry& entry, uint32_t key) { return entry.first < key; });
}

} // namespace

const eval::Value* Assignment::search(uint32_t unknown) const {
  auto it = lowerBound(entries_, unknown);
  return it != entries_.end() && it->first == unknown ? &it->second : nullptr;
}

void Assignment::set(uint32_t unknown, eval::Value value) {
  if (entries_.empty() || entries_.back().first < unknown) {
    entries_.emplace_back(unknown, std::move(value));
    return;
  }
  auto it = lowerBound(entries_, unknown);
  if (it != entries_.end() && it->first == unknown)
    it->second = std::move(value);
  else
    entries_.emplace(it, unknown, std::move(value));
}

void Assignment::merge(const Assignment& other) {
  for (const auto& [unknown, value] : other)
    set(unknown, value);
}

const char* answerName(Answer answer) {
  switch (answer) {
  case Answer::Sat:
    return "sat";
  case Answer::Unsat:
    return "unsat";
  case Answer::Unknown:
    break;
  }
  return "unknown";
}

} // namespace tioc::solver
