#pragma once

#include "backend/emitted_file.hpp"
#include "ir/test.hpp"

#include <vector>

namespace tioc::backend {

struct Ttcn3Options {
  size_t casesPerModule = 200; ///< a C++ compiler has to swallow each module at once; 0: all in one
};

/// The suite as TTCN-3 modules on top of `TioBase` (stdlib/ttcn3): types, templates, parameters, configuration, test
/// cases and control. Precondition: `ir::verify` has nothing to say.
std::vector<EmittedFile> emitTtcn3(const ir::TestSuite& suite, const Ttcn3Options& options = {});

} // namespace tioc::backend
