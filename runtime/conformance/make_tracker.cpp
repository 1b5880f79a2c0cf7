#include "runtime/conformance/make_tracker.hpp"

#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "runtime/conformance/tiosts_tracker.hpp"
#include "runtime/semantics/relation.hpp"

namespace tioc::conformance {

MadeTracker makeTracker(const ir::Model& model, const TrackOptions& options) {
  for (const ir::Component& component : model.systems[0].components)
    if (const ir::AutomatonKind kind = model[component.automaton].kind;
        kind != ir::AutomatonKind::Tiosts && kind != ir::AutomatonKind::Ests)
      return semantics::Problem{component.span, std::string("a component is of kind ") + ir::word(kind) +
                                                    "; only tiosts and ests can be followed"};
  auto resolved = std::make_shared<const ir::Model>(ir::resolvePriorities(ir::Model(model)));
  const bool queue = semantics::kindOf(model, ir::SystemId(0)) == ir::AutomatonKind::Ests;
  if (!queue && options.purpose.empty() && !options.product && options.tolerance.isZero())
    return std::make_unique<TiostsTracker>(*resolved, options.limits, options.solver);
  ir::AutomatonId purpose;
  for (size_t i = 0; i < resolved->automata.size(); ++i)
    if (!options.product && resolved->automata[i].kind == ir::AutomatonKind::Purpose &&
        resolved->automata[i].name == options.purpose)
      purpose = ir::AutomatonId(i);
  const MakeSpecification make = tiostsSpecification(*resolved, options.solver, purpose);
  return std::make_unique<StepTracker>([resolved, make] { return make(); }, options.limits, options.tolerance);
}

} // namespace tioc::conformance
