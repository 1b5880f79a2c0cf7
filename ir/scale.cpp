#include "ir/passes.hpp"

namespace tioc::ir {

Model scaleTime(Model model) {
  Rational factor = 1;
  forEachExpr(model, [&](ExprId& expr, bool isTime) {
    if (const Rational* value = model.exprs.number(expr); isTime && value)
      factor = lcm(factor, value->denominator());
  });
  if (factor == Rational(1))
    return model;
  ExprId times = model.exprs.real(factor);
  forEachExpr(model, [&](ExprId& expr, bool isTime) {
    if (isTime)
      expr = model.exprs.multiply({{times, expr}});
  });
  for (Suite& suite : model.suites)
    if (suite.tolerance)
      suite.tolerance = *suite.tolerance * factor;
  model.secondsPerUnit = model.secondsPerUnit / factor;
  return model;
}

} // namespace tioc::ir
