#pragma once

#include "ir/test.hpp"

#include <span>
#include <string>

namespace tioc::backend {

struct JUnitCase {
  std::string name;
  std::string about;
  ir::Verdict verdict = ir::Verdict::Inconclusive;
  std::string reason;
  std::string log; ///< the timed events of the run
  double seconds = 0;
};

/// A report as JUnit's XML. There a test passes unless it says otherwise, so what is inconclusive counts as an error.
std::string junit(const std::string& suite, std::span<const JUnitCase> cases);

} // namespace tioc::backend
