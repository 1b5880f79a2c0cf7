#include "runtime/solver/independence.hpp"

#include <algorithm>
#include <numeric>

namespace tioc::solver {

using ir::ExprId;

std::vector<IndependenceLink::Slice> IndependenceLink::cut(std::span<const ExprId> conditions) {
  std::vector<size_t> parent(conditions.size());
  std::iota(parent.begin(), parent.end(), size_t{0});
  auto root = [&](size_t i) {
    while (parent[i] != i)
      i = parent[i] = parent[parent[i]];
    return i;
  };
  std::unordered_map<uint32_t, size_t> owner;
  for (size_t i = 0; i < conditions.size(); ++i)
    for (uint32_t unknown : terms_.unknownsOf(conditions[i])) {
      auto [it, isNew] = owner.try_emplace(unknown, i);
      if (!isNew)
        parent[root(i)] = root(it->second);
    }
  std::vector<Slice> slices;
  std::unordered_map<size_t, size_t> sliceOf;
  for (size_t i = 0; i < conditions.size(); ++i) {
    auto [it, isNew] = sliceOf.try_emplace(root(i), slices.size());
    if (isNew)
      slices.emplace_back();
    slices[it->second].push_back(conditions[i]);
  }
  return slices;
}

Reply IndependenceLink::ask(const Query& query) {
  std::vector<Slice> slices = cut(query.conditions);
  if (slices.size() < 2)
    return next_.ask(query);
  ++counts_.independence;
  Reply joined = Reply::sat({});
  std::vector<const Slice*> open;
  for (const Slice& slice : slices) {
    Assignment kept = terms_.complete(slice, query.hint);
    if (!query.hint || !terms_.allHold(slice, kept)) {
      open.push_back(&slice);
      continue;
    }
    ++counts_.kept;
    joined.model.merge(kept);
  }
  // An unknown slice does not end the search: another may be unsatisfiable, and that decides.
  for (const Slice* slice : open) {
    Reply reply = next_.ask({*slice, query.hint});
    if (reply.answer == Answer::Unsat)
      return reply;
    if (reply.answer == Answer::Unknown && joined.answer == Answer::Sat)
      joined = std::move(reply);
    else if (joined.answer == Answer::Sat)
      joined.model.merge(reply.model);
  }
  return joined;
}

} // namespace tioc::solver
