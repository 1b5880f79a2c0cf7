#include "driver/mutants.hpp"

#include "driver/subject.hpp"
#include "frontend/lower.hpp"

#include <algorithm>
#include <charconv>
#include <ostream>

namespace tioc::driver {

ir::Mutants mutantsOf(const ir::Model& model, ir::SystemId system) {
  return ir::mutants(model, system, [](ir::Model& mutant) {
    frontend::Diagnostics diagnostics;
    frontend::checkRules(mutant, diagnostics);
    return !diagnostics.hasErrors();
  });
}

const ir::Mutant* findMutant(const ir::Mutants& mutants, const std::string& name, Io& io) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error == std::errc() && end == name.data() + name.size()) {
    if (number >= 1 && number <= mutants.list.size())
      return &mutants.list[number - 1];
    io.err << "tioc: there is no mutant " << name << "; the model has " << mutants.list.size() << "\n";
    return nullptr;
  }
  std::vector<std::string> names;
  for (const ir::Mutant& mutant : mutants.list) {
    if (mutant.id == name)
      return &mutant;
    names.push_back(mutant.id);
  }
  io.err << "tioc: there is no mutant '" << name << "'";
  if (const auto guess = frontend::didYouMean(name, names))
    io.err << "; did you mean '" << *guess << "'?";
  io.err << " 'tioc mutate FILE --list' shows all\n";
  return nullptr;
}

} // namespace tioc::driver
