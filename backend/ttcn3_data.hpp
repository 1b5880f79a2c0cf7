#pragma once

#include "backend/identifiers.hpp"
#include "ir/test.hpp"

#include <functional>
#include <map>
#include <span>

namespace tioc::backend {

/// The types of a suite in TTCN-3, and expressions over them. Integers are TTCN-3 integers, which have no limit; reals
/// are exact fractions (`TioReal`).
///
/// Expressions are made of function calls where TTCN-3 has no operator that gives a value anywhere: `f_with_…` for
/// changed copies, `f_at_…` for elements, `f_if_…` for choices.
class Ttcn3Data {
public:
  explicit Ttcn3Data(const ir::Model& model);

  const std::string& typeName(ir::TypeId type) const { return typeNames_[type.value]; }
  /// Some value of the type.
  std::string defaultValue(ir::TypeId type) const;
  /// The template that a value of the type matches when it comes over the wire.
  std::string wireTemplate(ir::TypeId type) const;
  /// Type definitions and their functions.
  std::string definitions() const;

  /// How leaves read.
  struct Leaves {
    std::function<std::string(ir::VariableId)> variable;
    std::function<std::string(uint32_t)> parameter; ///< of the message, as a value on the wire
  };
  std::string expr(ir::ExprId id, const Leaves& leaves) const;

  /// A text as a TTCN-3 string that may hold any letter.
  static std::string string(std::string_view text);

private:
  const std::string& literal(ir::TypeId type, size_t index) const;
  std::string number(const ir::Rational& value, bool real) const;
  std::string call(const std::string& function, std::span<const ir::ExprId> operands, const Leaves& leaves) const;
  /// `a op b op c`, or nested calls where a function stands for the operator.
  std::string chain(const char* op, std::span<const ir::ExprId> operands, const Leaves& leaves) const;
  std::string nested(const std::string& function, std::span<const ir::ExprId> operands, const Leaves& leaves) const;
  std::string compound(ir::ExprId id, const Leaves& leaves) const;
  std::string enumDefinition(ir::TypeId type) const;
  std::string recordDefinition(ir::TypeId type) const;
  std::string arrayDefinition(ir::TypeId type) const;

  const ir::Model& model_;
  std::vector<std::string> typeNames_;
  std::vector<std::vector<std::string>> fieldNames_;   // per record
  std::vector<std::vector<std::string>> literalNames_; // per enumeration
};

} // namespace tioc::backend
