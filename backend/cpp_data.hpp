#pragma once

#include "backend/identifiers.hpp"
#include "ir/test.hpp"

#include <functional>
#include <span>

namespace tioc::backend {

/// The types and messages of a suite in C++, and expressions over them. Integers and reals are both `Number`, exact
/// fractions that throw where 128 bits do not suffice.
class CppData {
public:
  CppData(const ir::Model& model, Names names);

  std::string typeName(ir::TypeId type) const;
  const std::string& channel(ir::ChannelId id) const { return channels_[id.value]; }
  const std::string& parameter(ir::ChannelId id, uint32_t index) const { return parameters_[id.value][index]; }
  /// Enumerations, records and messages.
  std::string definitions() const;
  /// What local names must keep away from.
  const Names& names() const { return names_; }

  struct Leaves {
    std::function<std::string(ir::VariableId)> variable;
    std::function<std::string(uint32_t)> parameter;
  };
  std::string expr(ir::ExprId id, const Leaves& leaves) const;

  static std::string string(std::string_view text);

private:
  std::string number(ir::ExprId id, bool beside) const;
  std::string operand(ir::ExprId id, const Leaves& leaves) const;
  std::string chain(const char* op, std::span<const ir::ExprId> operands, const Leaves& leaves) const;
  std::string call(const char* function, std::span<const ir::ExprId> operands, const Leaves& leaves) const;
  std::string list(std::span<const ir::ExprId> operands, const Leaves& leaves) const;
  std::string compound(ir::ExprId id, const Leaves& leaves) const;
  /// A call that reads `to` from `from` and says whether that is possible.
  std::string reading(ir::TypeId type, const std::string& from, const std::string& to, size_t level = 0) const;
  std::string enumDefinition(size_t index) const;
  std::string recordDefinition(ir::RecordId id) const;
  std::string messageDefinition(ir::ChannelId id) const;
  std::vector<ir::RecordId> recordsInOrder() const;

  const ir::Model& model_;
  Names names_;
  std::vector<std::string> enums_;
  std::vector<std::vector<std::string>> literals_;
  std::vector<std::string> records_;
  std::vector<std::vector<std::string>> fields_;
  std::vector<std::string> channels_;
  std::vector<std::vector<std::string>> parameters_;
};

/// The words of C++, its macros that a suite may meet, and the names of the harness.
Names cppNames();

} // namespace tioc::backend
