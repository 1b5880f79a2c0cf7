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
  kInternal = 70, ///< tioc found itself wrong
};

/// What the program sees of the world.
struct Io {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool color = false;
  bool terminal = false; ///< `err` is one: progress may be shown
};

/// Runs the command line (without the program's name) and returns the exit code.
int run(const std::vector<std::string>& arguments, Io io);

} // namespace tioc::driver
