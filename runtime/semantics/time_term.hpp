#pragma once

#include "ir/expr.hpp"

namespace tioc::semantics {

/// A time since the start: that of a step, plus a constant, plus perhaps a term over data. Step 0 is the start itself.
struct TimeTerm {
  uint32_t step = 0;
  ir::Rational offset;
  ir::ExprId data; ///< of type Real; invalid: none

  TimeTerm plus(const ir::Rational& amount) const { return {step, offset + amount, data}; }
  bool operator==(const TimeTerm&) const = default;
};

template <class TimeOf>
ir::ExprId expr(ir::ExprPool& pool, const TimeTerm& term, TimeOf&& timeOf) {
  std::vector<ir::ExprId> summands;
  if (term.step != 0)
    summands.push_back(timeOf(term.step));
  if (term.data.valid())
    summands.push_back(term.data);
  if (!term.offset.isZero() || summands.empty())
    summands.push_back(pool.real(term.offset));
  return summands.size() == 1 ? summands[0] : pool.add(summands);
}

} // namespace tioc::semantics
