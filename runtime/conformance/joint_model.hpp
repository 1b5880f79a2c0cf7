#pragma once

#include "ir/model.hpp"

namespace tioc::conformance {

/// Two networks in one model, so that terms of both can stand in one condition: the entities of the second come behind
/// those of the first, its system is the second one. Preconditions: both are instantiated and have the same types and
/// channels; purposes and suites are left out.
ir::Model jointModel(const ir::Model& first, const ir::Model& second);

/// Whether they have the same types and channels.
bool haveSameInterface(const ir::Model& first, const ir::Model& second);

} // namespace tioc::conformance
