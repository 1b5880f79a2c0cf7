#pragma once

#include <string>

namespace tioc::backend {

/// A file that an emitter wants written. Paths are relative to the output folder, with `/`.
struct EmittedFile {
  std::string path;
  std::string content;
  bool once = false; ///< belongs to the user: written only where there is none yet
};

} // namespace tioc::backend
