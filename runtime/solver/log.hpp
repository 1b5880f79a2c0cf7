#pragma once

#include "runtime/solver/link.hpp"
#include "runtime/solver/z3.hpp"

namespace tioc::solver {

/// Writes every question as an SMT-LIB file of its own, with the conditions as `.tio` text and the answer beside it:
/// `z3 FILE` asks it again.
class LogLink final : public Link {
public:
  LogLink(std::string directory, Link& next, Z3& z3);
  Reply ask(const Query& query) override;

private:
  std::string directory_;
  Link& next_;
  Z3& z3_;
  uint32_t count_ = 0;
};

} // namespace tioc::solver
