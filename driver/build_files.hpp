#pragma once

#include "backend/emitted_file.hpp"
#include "driver/driver.hpp"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tioc::driver {

/// How a build system asks for files and wants to be told about them.
struct BuildFlags {
  std::string folder = ".";
  bool list = false;
  bool dependencies = false;
  std::string depfile;
  std::string stamp;

  void addTo(CLI::App& command);
};

/// `-MD` and `-MF FILE` as C compilers have them; the command line library knows no options of that form.
std::vector<std::string> withLongBuildFlags(std::vector<std::string> arguments);

/// The files that one run of the compiler writes below a folder.
class BuildFiles {
public:
  explicit BuildFiles(const BuildFlags& flags) : flags_(flags) {}

  /// Writes what differs from what is there, or only keeps the names if they are to be listed. False after a message.
  bool write(const std::vector<backend::EmittedFile>& files, Io& io);

  /// Everything is written: lists it, says what it was made from (`sources`, the model first), renews the stamp. False
  /// after a message.
  bool finish(const std::vector<std::string>& sources, Io& io) const;

private:
  std::string rule(const std::vector<std::string>& sources) const;

  const BuildFlags& flags_;
  std::vector<std::string> paths_; ///< each once, in the order of writing
};

} // namespace tioc::driver
