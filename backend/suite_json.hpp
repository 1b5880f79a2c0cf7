#pragma once

#include "ir/test.hpp"

#include <functional>
#include <string>

namespace tioc::backend {

/// How a place of the source reads: `atm.tio:16:5`, or nothing.
using PlaceName = std::function<std::string(ir::Span)>;

/// The suite as JSON of the schema `tioc-suite/1`, see docs/suite.md. Precondition: `ir::verify` has nothing to say.
std::string suiteJson(const ir::TestSuite& suite, const PlaceName& place);

} // namespace tioc::backend
