#pragma once

#include "driver/compile.hpp"

#include "runtime/explore/condition.hpp"

#include <optional>
#include <string>

namespace tioc::driver {

/// A model file that was read and understood once already.
struct SourceText {
  std::string path;
  std::string text;
  std::vector<std::string> includeDirs;
};

/// A system that is ready for the runtime, and what is looked for in it.
struct Question {
  ir::Model model;
  explore::Condition condition;
};

/// Reads what stands behind `--reach`: conjuncts joined by `&&`, each a place (`Component.Location`, perhaps with `!`
/// before it) or an expression as a purpose for the system may write it, clocks included. Nothing after a message that
/// points into the condition.
std::optional<Question> readCondition(const std::string& condition, const SourceText& source, const ir::Model& model,
                                      ir::SystemId system, Io& io);

} // namespace tioc::driver
