#include "runtime/solver/cache.hpp"

#include <algorithm>

namespace tioc::solver {

using ir::ExprId;

namespace {

constexpr size_t kMostSets = 1 << 17; // then all is forgotten: simpler than choosing, and rare
constexpr size_t kMostModels = 12;    // evaluated on a question
constexpr size_t kMostCompared = 100; // sets with a condition of the question

} // namespace

size_t CacheLink::SetHash::operator()(const Set& set) const {
  uint64_t hash = set.size();
  for (ExprId id : set)
    hash = (hash ^ id.value) * 0x9e3779b97f4a7c15ULL ^ hash >> 31;
  return hash;
}

Reply CacheLink::ask(const Query& query) {
  Set set(query.conditions.begin(), query.conditions.end());
  std::sort(set.begin(), set.end());
  if (auto reply = find(set, query.conditions)) {
    ++counts_.cache;
    return std::move(*reply);
  }
  Reply reply = next_.ask(query);
  remember(std::move(set), reply);
  return reply;
}

std::optional<Reply> CacheLink::find(const Set& set, std::span<const ExprId> conditions) {
  if (auto it = exact_.find(set); it != exact_.end())
    return it->second;
  if (hasUnsatSubset(set))
    return Reply::unsat();
  if (const Assignment* model = modelOfSuperset(set))
    return Reply::sat(terms_.complete(conditions, model));
  for (const Assignment& model : recent_) {
    Assignment candidate = terms_.complete(conditions, &model);
    if (terms_.allHold(conditions, candidate))
      return Reply::sat(std::move(candidate));
  }
  return std::nullopt;
}

bool CacheLink::hasUnsatSubset(const Set& set) const {
  for (ExprId last : set) {
    auto it = unsatByLast_.find(last);
    if (it == unsatByLast_.end())
      continue;
    size_t tries = std::min(it->second.size(), kMostCompared);
    for (auto unsat = it->second.rbegin(); tries-- > 0; ++unsat)
      if (std::includes(set.begin(), set.end(), (*unsat)->begin(), (*unsat)->end()))
        return true;
  }
  return false;
}

const Assignment* CacheLink::modelOfSuperset(const Set& set) const {
  const std::vector<const Set*>* fewest = nullptr;
  for (ExprId member : set) {
    auto it = satByMember_.find(member);
    if (it == satByMember_.end())
      return nullptr;
    if (!fewest || it->second.size() < fewest->size())
      fewest = &it->second;
  }
  if (!fewest)
    return nullptr;
  size_t tries = std::min(fewest->size(), kMostCompared);
  for (auto it = fewest->rbegin(); tries-- > 0; ++it)
    if (std::includes((*it)->begin(), (*it)->end(), set.begin(), set.end()))
      return &exact_.at(**it).model;
  return nullptr;
}

void CacheLink::remember(Set set, const Reply& reply) {
  if (reply.answer == Answer::Unknown)
    return;
  if (exact_.size() >= kMostSets) {
    exact_.clear();
    unsatByLast_.clear();
    satByMember_.clear();
  }
  const Set& key = exact_.emplace(std::move(set), reply).first->first;
  if (reply.answer == Answer::Unsat) {
    if (!key.empty())
      unsatByLast_[key.back()].push_back(&key);
    return;
  }
  for (ExprId member : key)
    satByMember_[member].push_back(&key);
  recent_.push_front(reply.model);
  if (recent_.size() > kMostModels)
    recent_.pop_back();
}

} // namespace tioc::solver
