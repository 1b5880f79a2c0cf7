#pragma once

#include "runtime/zones/dbm.hpp"

/// The exact path for constants so large that sums along a path may leave 32 bits: slow, plain, 64 bits wide.
namespace tioc::zones::wide {

/// As `dbm::close`. The one operation of the kernel that allocates.
Outcome close(Bound* zone, Dim dim);
/// As `dbm::constrain` for a bound that is tighter than the zone's and leaves it non-empty, where a kernel cannot tell
/// a sum that is out of range.
Outcome tighten(Bound* zone, Dim dim, Constraint constraint);

} // namespace tioc::zones::wide
