#include "backend/cpp_data.hpp"

#include <algorithm>

namespace tioc::backend {

using namespace ir;

namespace {

constexpr std::string_view kHarness =
    "std testing tioc main Number Json settings run message take name read write readInteger readArray "
    "readLiteral operator arguments at m size_t";

} // namespace

Names cppNames() {
  Names names(cppWords());
  names.reserve(kHarness);
  return names;
}

CppData::CppData(const Model& model, Names names) : model_(model), names_(std::move(names)) {
  for (const Enum& one : model.enums)
    enums_.push_back(names_.add(noMacro(one.name)));
  for (const Record& one : model.records)
    records_.push_back(names_.add(noMacro(one.name)));
  for (const Channel& one : model.channels)
    channels_.push_back(names_.add(noMacro(one.name)));
  for (const Enum& one : model.enums) {
    Names scope = cppNames();
    std::vector<std::string>& list = literals_.emplace_back();
    for (const std::string& literal : one.literals)
      list.push_back(scope.add(noMacro(literal)));
  }
  auto members = [&](const std::vector<Member>& all) {
    Names scope = names_;
    std::vector<std::string> list;
    for (const Member& member : all)
      list.push_back(scope.add(noMacro(member.name)));
    return list;
  };
  for (const Record& one : model.records)
    fields_.push_back(members(one.fields));
  for (const Channel& one : model.channels)
    parameters_.push_back(members(one.parameters));
}

std::string CppData::string(std::string_view text) {
  std::string result = "\"";
  for (char c : text) {
    auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += '\\';
    if (code < 0x20)
      result += std::string("\\0") + char('0' + code / 8) + char('0' + code % 8);
    else
      result += c;
  }
  return result + "\"";
}

// ---- definitions

std::string CppData::typeName(TypeId id) const {
  const Type& type = model_.types[id];
  switch (type.kind) {
  case TypeKind::Bool:
    return "bool";
  case TypeKind::Int:
  case TypeKind::Real:
    return "Number";
  case TypeKind::Enum:
    return enums_[type.enumeration.value];
  case TypeKind::Record:
    return records_[type.record.value];
  case TypeKind::Array:
    return "std::array<" + typeName(type.element) + ", " + std::to_string(type.size) + ">";
  }
  return "";
}

std::string CppData::reading(TypeId id, const std::string& from, const std::string& to, size_t level) const {
  const Type& type = model_.types[id];
  if (type.kind == TypeKind::Int) {
    std::string range = type.range ? ", Number::of(\"" + type.range->first.toString() + "\"), Number::of(\"" +
                                         type.range->last.toString() + "\")"
                                   : "";
    return "tioc::readInteger(" + from + ", " + to + range + ")";
  }
  if (type.kind == TypeKind::Array) {
    std::string in = "in" + std::to_string(level);
    std::string out = "out" + std::to_string(level);
    return "tioc::readArray(" + from + ", " + to + ", [](const Json& " + in + ", auto& " + out + ") { return " +
           reading(type.element, in, out, level + 1) + "; })";
  }
  return (type.kind == TypeKind::Enum || type.kind == TypeKind::Record ? "read(" : "tioc::read(") + from + ", " + to +
         ")";
}

std::string CppData::enumDefinition(size_t index) const {
  const std::string& name = enums_[index];
  std::string list, texts, cases;
  for (size_t i = 0; i < literals_[index].size(); ++i) {
    list += (i ? ", " : "") + literals_[index][i];
    texts += (i ? ", " : "") + string(model_.enums[index].literals[i]);
    cases += "  case " + name + "::" + literals_[index][i] + ":\n    return Json::string(" +
             string(model_.enums[index].literals[i]) + ");\n";
  }
  return "enum class " + name + " { " + list + " };\n\ninline Json write(" + name + " value) {\n  switch (value) {\n" +
         cases + "  }\n  return {};\n}\ninline bool read(const Json& json, " + name +
         "& value) {\n  size_t index = 0;\n  bool known = tioc::readLiteral(json, {" + texts +
         "}, index);\n  value = known ? static_cast<" + name + ">(index) : value;\n  return known;\n}\n\n";
}

std::string CppData::recordDefinition(RecordId id) const {
  const std::string& name = records_[id.value];
  const auto& fields = model_[id].fields;
  std::string list, equal, writing, reads, pointers;
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string& field = fields_[id.value][i];
    std::string pointer = "json.member(" + string(fields[i].name) + ")";
    list += "  " + typeName(fields[i].type) + " " + field + "{};\n";
    equal += (i ? " && " : "") + ("a." + field) + " == b." + field;
    writing += (i ? ", " : "") + ("{" + string(fields[i].name)) + ", write(value." + field + ")}";
    reads += " &&\n         " + pointer + " && " + reading(fields[i].type, "*" + pointer, "value." + field);
  }
  return "struct " + name + " {\n" + list + "};\n\ninline bool operator==(const " + name + "& a, const " + name +
         "& b) {\n  return " + equal + ";\n}\ninline Json write(const " + name +
         "& value) {\n  using tioc::write;\n  return Json::object({" + writing +
         "});\n}\ninline bool read(const Json& json, " + name +
         "& value) {\n  return json.members.size() == " + std::to_string(fields.size()) + reads + ";\n}\n\n";
}

std::string CppData::messageDefinition(ChannelId id) const {
  const Channel& channel = model_[id];
  std::string list, values, reads;
  for (size_t i = 0; i < channel.parameters.size(); ++i) {
    const std::string& parameter = parameters_[id.value][i];
    list += "  " + typeName(channel.parameters[i].type) + " " + parameter + "{};\n";
    values += (i ? ", " : "") + ("write(" + parameter) + ")";
    reads += " && " + reading(channel.parameters[i].type, "arguments[" + std::to_string(i) + "]", parameter);
  }
  std::string text = "struct " + channels_[id.value] + " {\n" + list + "\n  static const char* name() { return " +
                     string(channel.name) + "; }\n";
  if (isStimulus(channel))
    text += std::string("  tioc::Message message() const {\n") + (values.empty() ? "" : "    using tioc::write;\n") +
            "    return {name(), {" + values + "}};\n  }\n";
  if (isObservable(channel))
    text += "  bool take(const std::vector<Json>& arguments) {\n    return arguments.size() == " +
            std::to_string(channel.parameters.size()) + reads + ";\n  }\n";
  return text + "};\n\n";
}

/// Parts before wholes: C++ wants it so.
std::vector<RecordId> CppData::recordsInOrder() const {
  std::vector<RecordId> order;
  std::vector<bool> done(model_.records.size());
  std::function<void(TypeId)> need;
  auto place = [&](RecordId id) {
    if (done[id.value])
      return;
    done[id.value] = true;
    for (const Member& field : model_[id].fields)
      need(field.type);
    order.push_back(id);
  };
  need = [&](TypeId id) {
    const Type& type = model_.types[id];
    if (type.kind == TypeKind::Array)
      need(type.element);
    if (type.kind == TypeKind::Record)
      place(type.record);
  };
  for (size_t i = 0; i < model_.records.size(); ++i)
    place(RecordId(i));
  return order;
}

std::string CppData::definitions() const {
  std::string text;
  for (size_t i = 0; i < model_.enums.size(); ++i)
    text += enumDefinition(i);
  for (RecordId id : recordsInOrder())
    text += recordDefinition(id);
  for (size_t i = 0; i < model_.channels.size(); ++i)
    text += messageDefinition(ChannelId(i));
  return text;
}

// ---- expressions

/// `beside`: another operand is a Number, so that a plain integer becomes one too.
std::string CppData::number(ExprId id, bool beside) const {
  const Rational& value = *model_.exprs.number(id);
  std::string text = value.toString();
  bool plain = value.toInt64() && *value.toInt64() > INT32_MIN && *value.toInt64() <= INT32_MAX;
  if (!plain)
    return "Number::of(\"" + value.numerator().toString() +
           (value.isInteger() ? "" : "/" + value.denominator().toString()) + "\")";
  if (!beside)
    return "Number(" + text + ")";
  return value.sign() < 0 ? "(" + text + ")" : text;
}

std::string CppData::operand(ExprId id, const Leaves& leaves) const {
  return model_.exprs.op(id) == Op::Number ? number(id, true) : expr(id, leaves);
}

std::string CppData::chain(const char* op, std::span<const ExprId> operands, const Leaves& leaves) const {
  std::string text;
  for (ExprId id : operands)
    text += (text.empty() ? "(" : op) + operand(id, leaves);
  return text + ")";
}

std::string CppData::list(std::span<const ExprId> operands, const Leaves& leaves) const {
  std::string text;
  for (ExprId id : operands)
    text += (text.empty() ? "" : ", ") + expr(id, leaves);
  return text;
}

std::string CppData::call(const char* function, std::span<const ExprId> operands, const Leaves& leaves) const {
  return std::string(function) + "(" + list(operands, leaves) + ")";
}

std::string CppData::expr(ExprId id, const Leaves& leaves) const {
  const ExprPool& pool = model_.exprs;
  auto operands = pool.operands(id);
  switch (pool.op(id)) {
  case Op::Bool:
    return pool.payload(id) ? "true" : "false";
  case Op::Number:
    return number(id, false);
  case Op::EnumLiteral: {
    EnumId owner = model_.types[pool.type(id)].enumeration;
    return enums_[owner.value] + "::" + literals_[owner.value][pool.payload(id)];
  }
  case Op::Variable:
    return leaves.variable(VariableId(pool.payload(id)));
  case Op::Local:
    return leaves.parameter(pool.payload(id));
  case Op::Not:
    return "!" + expr(operands[0], leaves);
  case Op::And:
    return chain(" && ", operands, leaves);
  case Op::Or:
    return chain(" || ", operands, leaves);
  case Op::Equal:
    return chain(" == ", operands, leaves);
  case Op::Less:
    return chain(" < ", operands, leaves);
  case Op::LessEqual:
    return chain(" <= ", operands, leaves);
  case Op::Negate:
    return "(-" + expr(operands[0], leaves) + ")";
  case Op::Add:
    return chain(" + ", operands, leaves);
  case Op::Multiply:
    return chain(" * ", operands, leaves);
  case Op::Divide:
    if (pool.type(id) == model_.types.real())
      return "(" + expr(operands[0], leaves) + " / " + expr(operands[1], leaves) + ")";
    return call("tioc::quotient", operands, leaves);
  case Op::Remainder:
    return call("tioc::remainder", operands, leaves);
  case Op::ToReal:
    return expr(operands[0], leaves);
  case Op::Floor:
    return expr(operands[0], leaves) + ".floor()";
  case Op::IfThenElse:
    return "(" + expr(operands[0], leaves) + " ? " + expr(operands[1], leaves) + " : " + expr(operands[2], leaves) +
           ")";
  default:
    return compound(id, leaves);
  }
}

std::string CppData::compound(ExprId id, const Leaves& leaves) const {
  const ExprPool& pool = model_.exprs;
  auto operands = pool.operands(id);
  auto field = [&] { return fields_[model_.types[pool.type(operands[0])].record.value][pool.payload(id)]; };
  switch (pool.op(id)) {
  case Op::Field:
    return expr(operands[0], leaves) + "." + field();
  case Op::SetField:
    return "tioc::with(" + expr(operands[0], leaves) + ", &" + typeName(pool.type(id)) + "::" + field() + ", " +
           expr(operands[1], leaves) + ")";
  case Op::Element:
    return call("tioc::at", operands, leaves);
  case Op::SetElement:
    return call("tioc::with", operands, leaves);
  case Op::MakeArray:
    return typeName(pool.type(id)) + "{{" + list(operands, leaves) + "}}";
  default:
    return typeName(pool.type(id)) + "{" + list(operands, leaves) + "}";
  }
}

} // namespace tioc::backend
