#include "driver/machine.hpp"

#include "driver/files.hpp"
#include "ir/passes.hpp"
#include "ir/print.hpp"
#include "runtime/execute/tiosts_machine.hpp"

#include <algorithm>
#include <ostream>

namespace tioc::driver {

namespace {

/// The system of that name; without a name the only one there is, or the only one that is declared as such.
std::optional<ir::SystemId> findSystem(const ir::Model& model, const std::string& name, Io& io) {
  std::vector<std::string> names;
  std::optional<ir::SystemId> found;
  size_t declared = 0;
  for (size_t i = 0; i < model.systems.size(); ++i) {
    const ir::System& system = model.systems[i];
    names.push_back(system.name);
    declared += !system.implicit;
    if (name.empty() ? !system.implicit || model.systems.size() == 1 : system.name == name)
      found = ir::SystemId(i);
  }
  if (found && (!name.empty() || declared <= 1))
    return found;
  io.err << "tioc: ";
  if (name.empty())
    io.err << "which system? --system chooses among";
  else
    io.err << "the model has no system '" << name << "'";
  if (const auto guess = frontend::didYouMean(name, names); guess && !name.empty()) {
    io.err << "; did you mean '" << *guess << "'?";
  } else {
    io.err << (name.empty() ? "" : "; there is");
    for (size_t i = 0; i < names.size() && i < 10; ++i)
      io.err << (i ? ", " : " ") << names[i];
  }
  io.err << "\n";
  return std::nullopt;
}

} // namespace

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
  const ir::Model instance = ir::instantiate(*model, *system);
  for (const ir::Component& component : instance.systems[0].components)
    if (const ir::AutomatonKind kind = instance[component.automaton].kind; kind != ir::AutomatonKind::Tiosts) {
      io.err << "tioc: '" << (*model)[*system].name << "' has a component of kind " << ir::word(kind)
             << "; only tiosts can be run\n";
      return nullptr;
    }
  code = kSuccess;
  return std::make_unique<execute::TiostsMachine>(instance);
}

} // namespace tioc::driver
