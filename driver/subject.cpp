#include "driver/subject.hpp"

#include "ir/passes.hpp"
#include "ir/print.hpp"

#include <ostream>

namespace tioc::driver {

std::string alternatives(const std::string& name, const std::vector<std::string>& names) {
  if (auto guess = frontend::didYouMean(name, names))
    return "; did you mean '" + *guess + "'?";
  std::string text = names.empty() ? "" : "; there is";
  for (size_t i = 0; i < names.size() && i < 10; ++i)
    text += (i ? ", " : " ") + names[i];
  return text;
}

std::optional<ir::SystemId> findSystem(const ir::Model& model, const std::string& name, Io& io) {
  if (!name.empty()) {
    auto found = named(model.systems, name, "system", io, [](const ir::System&) { return true; });
    return found ? std::optional(ir::SystemId(*found)) : std::nullopt;
  }
  std::vector<std::string> names;
  for (bool implicit : {false, true}) {
    std::vector<size_t> found;
    for (size_t i = 0; i < model.systems.size(); ++i)
      if (model.systems[i].implicit == implicit) {
        found.push_back(i);
        names.push_back(model.systems[i].name);
      }
    if (found.size() == 1)
      return ir::SystemId(found[0]);
    if (found.size() > 1)
      break;
  }
  if (names.empty())
    io.err << "tioc: the file declares no system and no automaton without parameters\n";
  else
    io.err << "tioc: the file declares several systems; choose one with --system" << alternatives("", names) << "\n";
  return std::nullopt;
}

std::optional<std::string> otherKind(const ir::Model& model, ir::SystemId system) {
  for (const ir::Component& component : model[system].components) {
    const ir::AutomatonKind kind = model[component.automaton].kind;
    if (kind != ir::AutomatonKind::Tiosts && kind != ir::AutomatonKind::Vdta)
      return std::string(kind == ir::AutomatonKind::Ests ? "an " : "a ") + ir::word(kind);
  }
  return std::nullopt;
}

ir::Model prepare(const ir::Model& model, ir::SystemId system) {
  return ir::resolvePriorities(ir::scaleTime(ir::signals(ir::instantiate(model, system))));
}

} // namespace tioc::driver
