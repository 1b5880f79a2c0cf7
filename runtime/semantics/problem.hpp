#pragma once

#include "ir/expr.hpp"

#include <string>

namespace tioc::semantics {

/// Why a model cannot be treated as was asked, and the place that is to blame.
struct Problem {
  ir::Span span;
  std::string text;
};

} // namespace tioc::semantics
