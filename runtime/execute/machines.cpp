#include "runtime/execute/machines.hpp"

#include "runtime/execute/ests_machine.hpp"
#include "runtime/execute/tiosts_machine.hpp"
#include "runtime/semantics/relation.hpp"

namespace tioc::execute {

std::unique_ptr<Machine> makeMachine(const ir::Model& model) {
  switch (semantics::kindOf(model, ir::SystemId(0))) {
  case ir::AutomatonKind::Tiosts:
    return std::make_unique<TiostsMachine>(model);
  case ir::AutomatonKind::Ests:
    return std::make_unique<EstsMachine>(model);
  case ir::AutomatonKind::Vdta:
  case ir::AutomatonKind::Purpose:
    return nullptr;
  }
  return nullptr;
}

} // namespace tioc::execute
