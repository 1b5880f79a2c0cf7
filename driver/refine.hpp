#pragma once

#include "driver/compile.hpp"

namespace tioc::driver {

/// The part of `tioc check` that compares two systems of a file.
struct RefinesOptions {
  std::vector<std::string> systems; ///< candidate, specification
  uint32_t depth = 8;
  uint64_t bound = 20000;

  void addTo(CLI::App& command);
  bool isAsked() const { return !systems.empty(); }
};

struct RefinesReport {
  std::string text;
  int code = 0;
};

RefinesReport checkRefines(const ir::Model& model, const RefinesOptions& options, Io& io);

} // namespace tioc::driver
