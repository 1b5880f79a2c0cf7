#pragma once

#include "runtime/zones/federation.hpp"
#include "runtime/zones/zone.hpp"

#include <span>
#include <string>

namespace tioc::zones {

/// The zone as a conjunction of the bounds that matter: `x<=3 && x-y<2`; `true` and `false` for all and nothing.
/// names[i] is clock i's; names[0] is not printed.
std::string toString(const Bound* canonical, Dim dim, std::span<const std::string> names);
std::string toString(const Zone& zone, std::span<const std::string> names);
/// Zones joined by `||`, conjunctions in parentheses.
std::string toString(const Federation& federation, std::span<const std::string> names);

} // namespace tioc::zones
