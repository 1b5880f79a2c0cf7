#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace tioc::driver {

enum ExitCode : int {
  kSuccess = 0,
  kModelErrors = 1,
  kUsage = 2, ///< wrong use, or a file that cannot be read or written
  kFail = 10,
  kInconclusive = 11,
  kLimit = 12,
};

/// What the program sees of the world.
struct Io {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool color = false;
};

/// Runs the command line (without the program's name) and returns the exit code.
int run(const std::vector<std::string>& arguments, Io io);

} // namespace tioc::driver
