#pragma once

#include "backend/emitted_file.hpp"
#include "ir/test.hpp"

#include <vector>

namespace tioc::backend {

struct CppOptions {
  size_t casesPerFile = 200; ///< 0: all in one
};

/// The suite as GoogleTest files on top of `tioc_test.hpp` (stdlib/cpp): a header with the model's types and messages,
/// the tests, and a `main` that belongs to the user. Precondition: `ir::verify` has nothing to say.
std::vector<EmittedFile> emitCpp(const ir::TestSuite& suite, const CppOptions& options = {});

} // namespace tioc::backend
