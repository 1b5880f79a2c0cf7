#include "driver/machine.hpp"

#include "driver/files.hpp"
#include "driver/mutants.hpp"
#include "driver/subject.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "runtime/execute/machines.hpp"
#include "runtime/semantics/relation.hpp"

#include <ostream>

namespace tioc::driver {

std::unique_ptr<execute::Machine> loadMachine(const std::string& path, const std::string& name,
                                              const CompileOptions& options, Io& io, int& code,
                                              const std::string& mutant) {
  code = kUsage;
  std::optional<Compilation> compilation = Compilation::create(options, io);
  std::optional<std::string> text = compilation ? readInput(path, io) : std::nullopt;
  if (!text)
    return nullptr;
  const std::optional<ir::Model> model = compilation->compile(path, std::move(*text));
  if (const int errors = compilation->finish(io); errors != kSuccess || !model) {
    code = errors != kSuccess ? errors : static_cast<int>(kModelErrors);
    return nullptr;
  }
  const std::optional<ir::SystemId> system = findSystem(*model, name, io);
  if (!system)
    return nullptr;
  std::unique_ptr<execute::Machine> machine;
  if (mutant.empty()) {
    machine = makeMachine(*model, *system, io);
  } else {
    const ir::Mutants mutants = mutantsOf(*model, *system);
    if (const ir::Mutant* chosen = findMutant(mutants, mutant, io))
      machine = makeMachine(mutants.make(*chosen), *system, io);
  }
  if (machine)
    code = kSuccess;
  return machine;
}

std::unique_ptr<execute::Machine> makeMachine(const ir::Model& model, ir::SystemId system, Io& io) {
  const ir::Model instance = ir::signals(ir::instantiate(model, system));
  std::unique_ptr<execute::Machine> machine = execute::makeMachine(instance);
  if (!machine)
    io.err << "tioc: '" << model[system].name << "' is of kind "
           << ir::word(semantics::kindOf(instance, ir::SystemId(0))) << ", which cannot be run\n";
  return machine;
}

} // namespace tioc::driver
