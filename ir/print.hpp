#pragma once

#include "ir/model.hpp"

#include <string>

namespace tioc::ir {

/// The model as `.tio` text: one module with everything resolved. Reading it back gives the same model.
std::string print(const Model& model);

/// One expression in the syntax of the language. `edge` names its message parameters, `automaton` its parameters; both
/// may be null.
std::string printExpr(const Model& model, ExprId expr, const Edge* edge = nullptr,
                      const Automaton* automaton = nullptr);

/// The same for a value that counts time units, where whole numbers need no decimal point.
std::string printTime(const Model& model, ExprId expr, const Edge* edge = nullptr,
                      const Automaton* automaton = nullptr);

/// Data part and clock constraints joined with `&&`, or the empty string for true.
std::string printGuard(const Model& model, const Guard& guard, const Edge* edge = nullptr,
                       const Automaton* automaton = nullptr);

/// An edge on one line, without its source: `c!(x) when x < 3 -> Idle`.
std::string printEdge(const Model& model, const Edge& edge, const Automaton& automaton);

std::string printType(const Model& model, TypeId type);

/// Words of the `.tio` language for values of the model's enumerations.
const char* word(AutomatonKind kind);
const char* word(Direction direction);
const char* word(Urgency urgency);
const char* word(Goal goal);
const char* word(Timing timing);
const char* word(DataChoice choice);

} // namespace tioc::ir
