#pragma once

#include "driver/compile.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tioc::driver {

/// `; did you mean 'x'?`, `; there is a, b`, or nothing.
std::string alternatives(const std::string& name, const std::vector<std::string>& names);

/// The entity of that name among those that `accept` takes, or nothing after a message.
template <class List, class Accept>
std::optional<size_t> named(const List& list, const std::string& name, const char* what, Io& io, Accept accept) {
  std::vector<std::string> names;
  for (size_t i = 0; i < list.size(); ++i) {
    if (!accept(list[i]))
      continue;
    if (list[i].name == name)
      return i;
    names.push_back(list[i].name);
  }
  io.err << "tioc: the model has no " << what << " '" << name << "'" << alternatives(name, names) << "\n";
  return std::nullopt;
}

/// The system that a command is about: the named one, else the only one that the file declares, else its only
/// automaton. Nothing after a message.
std::optional<ir::SystemId> findSystem(const ir::Model& model, const std::string& name, Io& io);

/// What the system is, if it is neither a network of TIOSTS nor a VDTA: `an ests`.
std::optional<std::string> otherKind(const ir::Model& model, ir::SystemId system);

/// The system on its own, ready for the runtime: parameters filled in, signals as messages, bounds whole numbers,
/// priorities in the guards.
ir::Model prepare(const ir::Model& model, ir::SystemId system);

} // namespace tioc::driver
