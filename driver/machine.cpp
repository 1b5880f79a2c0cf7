#include "driver/machine.hpp"

#include "driver/files.hpp"
#include "driver/subject.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "runtime/execute/tiosts_machine.hpp"

#include <ostream>

namespace tioc::driver {

std::unique_ptr<execute::Machine> loadMachine(const std::string& path, const std::string& name,
                                              const CompileOptions& options, Io& io, int& code) {
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
  const ir::Model instance = ir::signals(ir::instantiate(*model, *system));
  for (const ir::Component& component : instance.systems[0].components)
    if (const ir::AutomatonKind kind = instance[component.automaton].kind; kind != ir::AutomatonKind::Tiosts) {
      io.err << "tioc: '" << (*model)[*system].name << "' has a component of kind " << ir::word(kind)
             << "; only tiosts and vdta can be run\n";
      return nullptr;
    }
  code = kSuccess;
  return std::make_unique<execute::TiostsMachine>(instance);
}

} // namespace tioc::driver
