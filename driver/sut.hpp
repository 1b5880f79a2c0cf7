#pragma once

#include "driver/compile.hpp"
#include "runtime/execute/adapter.hpp"

#include <memory>

namespace tioc::driver {

/// How a model that plays a system chooses.
struct PlayFlags {
  uint64_t seed = 0;
  std::string policy = "random";
  std::string refused = "ignore";
  bool virtualOnly = false;

  void addTo(CLI::App& command);
  execute::PlayOptions read() const;
};

/// The way to the system that `exec:CMD`, `tcp:HOST:PORT` or `model:FILE#System` names. Null after messages; the exit
/// code is then in `code`.
std::unique_ptr<execute::Adapter> makeAdapter(const std::string& sut, const PlayFlags& play,
                                              const CompileOptions& options, Io& io, int& code);

} // namespace tioc::driver
