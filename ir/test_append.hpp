#pragma once

#include "ir/test.hpp"

namespace tioc::ir {

/// Adds the cases of a suite and what it left uncovered. Both have the same types and channels, being made from forms
/// of one model. A name that is taken gets a number.
void append(TestSuite& to, const TestSuite& from);

} // namespace tioc::ir
