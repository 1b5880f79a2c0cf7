#include "ir/guards.hpp"

#include "ir/decide.hpp"

#include <algorithm>

namespace tioc::ir {

bool sameGuard(const Guard& a, const Guard& b) {
  return a.data == b.data && std::equal(a.clocks.begin(), a.clocks.end(), b.clocks.begin(), b.clocks.end(),
                                        [](const ClockConstraint& c, const ClockConstraint& d) {
                                          return c.left == d.left && c.right == d.right && c.strict == d.strict &&
                                                 c.bound == d.bound;
                                        });
}

namespace {

std::vector<Guard> outside(Model& model, const Guard& guard) {
  ExprPool& pool = model.exprs;
  if (std::any_of(guard.clocks.begin(), guard.clocks.end(),
                  [&](const ClockConstraint& c) { return !pool.isConstant(c.bound); }))
    return complement(model, guard);
  std::vector<Guard> result;
  Guard inside{pool.boolean(true), {}};
  for (const ClockConstraint& c : guard.clocks) {
    Guard part = inside;
    part.clocks.push_back({c.right, c.left, !c.strict, pool.negate(c.bound), c.span});
    result.push_back(std::move(part));
    inside.clocks.push_back(c);
  }
  for (const Guard& part : complement(model, {guard.data, {}}))
    result.push_back({part.data, inside.clocks});
  return result;
}

} // namespace

std::vector<Guard> noneOf(Model& model, std::span<const Guard> guards) {
  std::vector<Guard> rest{{model.exprs.boolean(true), {}}};
  for (const Guard& guard : guards) {
    std::vector<Guard> next;
    const std::vector<Guard> parts = outside(model, guard);
    for (const Guard& known : rest)
      for (const Guard& part : parts)
        if (Guard both = conjunction(model, known, part); satisfiable(model, both) != Decision::No)
          next.push_back(std::move(both));
    rest = std::move(next);
  }
  return rest;
}

} // namespace tioc::ir
