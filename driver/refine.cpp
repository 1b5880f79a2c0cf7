#include "driver/refine.hpp"

#include "driver/progress.hpp"
#include "driver/subject.hpp"
#include "ir/passes.hpp"
#include "runtime/conformance/refines.hpp"
#include "runtime/semantics/relation.hpp"

#include <ostream>

namespace tioc::driver {

void RefinesOptions::addTo(CLI::App& command) {
  command
      .add_option("--refines", systems,
                  "Whether the first of two systems of the file conforms to the second (tioco), up to --refine-depth")
      ->type_name("SYSTEM SYSTEM")
      ->expected(2);
  command.add_option("--refine-depth", depth, "With --refines: steps of the first system")
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--refine-bound", bound, "With --refines: give up after so many states")
      ->type_name("N")
      ->capture_default_str();
}

RefinesReport checkRefines(const ir::Model& model, const RefinesOptions& options, Io& io) {
  std::vector<ir::Model> networks;
  for (const std::string& name : options.systems) {
    const std::optional<ir::SystemId> system = findSystem(model, name, io);
    if (!system)
      return {"", kUsage};
    if (const auto kind = otherKind(model, *system);
        kind && semantics::kindOf(model, *system) != ir::AutomatonKind::Ests) {
      io.err << "tioc: '" << name << "' is " << *kind << "; --refines compares tiosts, or ests\n";
      return {"", kUsage};
    }
    networks.push_back(ir::resolvePriorities(ir::instantiate(model, *system)));
  }
  const Interruption interruption;
  conformance::RefineOptions how;
  how.depth = options.depth;
  how.limits.states = options.bound;
  how.limits.interrupted = &Interruption::requested;
  const conformance::Refinement result = conformance::refines(networks[0], networks[1], how);
  const std::string both = options.systems[0] + " and " + options.systems[1] + ": ";
  switch (result.answer) {
  case conformance::Refinement::Answer::Refines:
    return {both + "the first conforms to the second in all runs of up to " + std::to_string(result.depth) + " steps\n",
            kSuccess};
  case conformance::Refinement::Answer::Differs:
    return {both + "the first does not conform to the second\n  it can do: " + result.shown +
                "\n  allowed then: " + result.allowed + "\n",
            kFail};
  case conformance::Refinement::Answer::Unknown:
    break;
  }
  return {both + "not decided: " + result.why + "; no difference was found in runs of up to " +
              std::to_string(result.depth) + " steps\n",
          kLimit};
}

} // namespace tioc::driver
