#pragma once

#include "runtime/semantics/network.hpp"

#include <vector>

namespace tioc::semantics {

/// Which variables still matter where: one that is written before it is read again does not.
class Liveness {
public:
  explicit Liveness(const Network& network);

  /// Whether some way from here reads the variable before writing it. Shared variables that several components use
  /// always count.
  bool isLive(Locations at, ir::VariableId variable) const;

private:
  std::vector<std::vector<bool>> live_; // by location, by variable
  std::vector<bool> always_;            // by variable
};

} // namespace tioc::semantics
