#pragma once

#include "runtime/solver/link.hpp"
#include "runtime/solver/options.hpp"
#include "runtime/solver/terms.hpp"

#include <deque>

namespace tioc::solver {

/// Remembers sets of conditions that were decided. A set is unsatisfiable if a subset is; it is satisfiable if a
/// superset is, or if the model of some other set happens to satisfy it. Unknown is not remembered.
class CacheLink final : public Link {
public:
  CacheLink(Terms& terms, Link& next, Counts& counts) : terms_(terms), next_(next), counts_(counts) {}
  Reply ask(const Query& query) override;

private:
  using Set = std::vector<ir::ExprId>; // in order, each once

  struct SetHash {
    size_t operator()(const Set& set) const;
  };

  std::optional<Reply> find(const Set& set, std::span<const ir::ExprId> conditions);
  bool hasUnsatSubset(const Set& set) const;
  const Assignment* modelOfSuperset(const Set& set) const;
  void remember(Set set, const Reply& reply);

  Terms& terms_;
  Link& next_;
  Counts& counts_;
  std::unordered_map<Set, Reply, SetHash> exact_;
  std::unordered_map<ir::ExprId, std::vector<const Set*>> unsatByLast_; // by their largest condition
  std::unordered_map<ir::ExprId, std::vector<const Set*>> satByMember_;
  std::deque<Assignment> recent_;
};

} // namespace tioc::solver
