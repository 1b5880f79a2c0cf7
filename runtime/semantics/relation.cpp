#include "runtime/semantics/relation.hpp"

#include "runtime/semantics/ests.hpp"
#include "runtime/semantics/tiosts.hpp"

namespace tioc::semantics {

ir::AutomatonKind kindOf(const ir::Model& model, ir::SystemId system) {
  return model[model[system].components[0].automaton].kind;
}

std::unique_ptr<StepRelation> makeRelation(Symbols& symbols, const Network& network, TimeKind time) {
  if (kindOf(network.model(), ir::SystemId(0)) == ir::AutomatonKind::Ests)
    return std::make_unique<Ests>(symbols, network, time);
  return std::make_unique<Tiosts>(symbols, network, time);
}

} // namespace tioc::semantics
