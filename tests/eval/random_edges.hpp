#pragma once

#include "ir/model.hpp"
#include "runtime/eval/layout.hpp"

#include <random>

namespace tioc::eval::test {

/// Random edges over variables and message parameters of every type, and random valuations of them. Numbers come from
/// the small ones, where divisions are by zero and indices out of range, and from the edges of 64 bits, where sums
/// overflow.
class RandomEdges {
public:
  explicit RandomEdges(uint64_t seed);

  ir::Model model;

  /// Adds an edge with a guard and a few updates; the deeper, the larger.
  ir::EdgeId addEdge(int depth);
  ir::ExprId expr(ir::TypeId type, int depth);
  /// Values for all variables and the parameters of the edges, which all have the same.
  std::vector<Slot> frame(const Layout& layout);

  std::mt19937_64& random() { return random_; }

private:
  ir::ExprId leaf(ir::TypeId type);
  ir::ExprId boolean(int depth);
  ir::ExprId number(ir::TypeId type, int depth);
  ir::ExprId part(ir::TypeId type, int depth);
  Value value(ir::TypeId type);
  int64_t integer();
  size_t below(size_t n) { return random_() % n; }

  std::mt19937_64 random_;
  std::vector<ir::TypeId> types_;
  ir::TypeId color_, pair_, list_, pairs_, flags_;
  std::vector<ir::Member> parameters_;
};

} // namespace tioc::eval::test
