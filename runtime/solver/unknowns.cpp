#include "runtime/solver/unknowns.hpp"

namespace tioc::solver {

uint32_t Unknowns::add(ir::TypeId type, std::string name) {
  entries_.push_back({type, std::move(name)});
  return static_cast<uint32_t>(entries_.size() - 1);
}

} // namespace tioc::solver
