#include "backend/ttcn3_data.hpp"

namespace tioc::backend {

using namespace ir;

namespace {

// Keywords, predefined functions and types of TTCN-3 with its extensions as Titan knows them, and names of TioBase.
constexpr std::string_view kReserved =
    "action activate address alive all alt altstep and and4b any any2unistr anytype apply bit2hex bit2int "
    "bit2oct bit2str bitstring boolean break call case catch char char2int char2oct charstring check "
    "checkstate class clear complement component configuration connect const constructor continue control "
    "create deactivate decmatch decode_base64 decvalue decvalue_o decvalue_unichar default derefers "
    "destructor disconnect display do done else encode encode_base64 encvalue encvalue_o encvalue_unichar "
    "enum2int enumerated error except exception execute extends extension external fail false finally "
    "float float2int float2str for friend from function get_stringencoding getcall getreply getverdict "
    "goto group halt hex2bit hex2int hex2oct hex2str hexstring hostid if ifpresent import in inconc "
    "infinity inout int2bit int2char int2enum int2float int2hex int2oct int2str int2unichar integer "
    "interface interleave isbound ischosen ispresent istemplatekind isvalue kill killed label language "
    "length lengthof list log log2str map match message mixed mod modifies module modulepar mtc noblock "
    "none not not_a_number not4b now nowait null object objid oct2bit oct2char oct2hex oct2int oct2str "
    "oct2unichar octetstring of omit on open optional or or4b out override param pass pattern permutation "
    "port present private procedure property public raise read realtime receive record recursive refers "
    "regexp rem remove_bom repeat replace reply return rnd running runs select self send sender set "
    "setstate setter setverdict signature sizeof start stop str2bit str2float str2hex str2int str2oct "
    "subset substr superset system template testcase this timeout timer timestamp to transparent trigger "
    "true type unbound unichar2char unichar2int unichar2oct union universal unmap valueof value var "
    "variant verdicttype void while with xor xor4b TioBase TioField TioFields TioInput TioOutput TioPort "
    "TioReady TioReal TioStart TioSystem TioTester TioTrouble TioValue TioValues SUT";

} // namespace

Ttcn3Data::Ttcn3Data(const Model& model) : model_(model) {
  Names names(kReserved);
  names.reserve(cppWords());
  std::map<uint32_t, std::string> enums;
  std::map<uint32_t, std::string> records;
  for (size_t i = 0; i < model.enums.size(); ++i)
    enums[uint32_t(i)] = names.add(noMacro(model.enums[i].name));
  for (size_t i = 0; i < model.enums.size(); ++i) {
    std::vector<std::string>& list = literalNames_.emplace_back();
    for (const std::string& one : model.enums[i].literals)
      list.push_back(names.add("e_" + enums[uint32_t(i)] + "_" + one));
  }
  for (size_t i = 0; i < model.records.size(); ++i)
    records[uint32_t(i)] = names.add(noMacro(model.records[i].name));
  for (const Record& record : model.records) {
    Names fields(kReserved);
    fields.reserve(cppWords());
    std::vector<std::string>& list = fieldNames_.emplace_back();
    for (const Member& field : record.fields)
      list.push_back(fields.add(noMacro(field.name)));
  }
  for (size_t i = 0; i < model.types.size(); ++i) {
    const Type& type = model.types[TypeId(i)];
    switch (type.kind) {
    case TypeKind::Bool:
      typeNames_.push_back("boolean");
      break;
    case TypeKind::Int:
      typeNames_.push_back("integer");
      break;
    case TypeKind::Real:
      typeNames_.push_back("TioReal");
      break;
    case TypeKind::Enum:
      typeNames_.push_back(enums[type.enumeration.value]);
      break;
    case TypeKind::Record:
      typeNames_.push_back(records[type.record.value]);
      break;
    case TypeKind::Array:
      typeNames_.push_back(names.add("Array" + std::to_string(type.size) + "_" + typeNames_[type.element.value]));
      break;
    }
  }
}

std::string Ttcn3Data::string(std::string_view text) {
  std::string result;
  bool open = false; // inside of quotes
  auto quote = [&](bool wanted) {
    if (open == wanted)
      return;
    result += open ? "\"" : result.empty() ? "\"" : " & \"";
    open = wanted;
  };
  for (size_t at = 0; at < text.size();) {
    auto c = static_cast<unsigned char>(text[at]);
    if (c >= 0x20 && c < 0x7f) {
      quote(true);
      result += c == '"' ? "\"\"" : c == '\\' ? "\\\\" : std::string(1, text[at]);
      ++at;
      continue;
    }
    uint32_t code = nextCodePoint(text, at);
    quote(false);
    result += (result.empty() ? "char(" : " & char(") + std::to_string(code >> 24) + ", " +
              std::to_string(code >> 16 & 0xff) + ", " + std::to_string(code >> 8 & 0xff) + ", " +
              std::to_string(code & 0xff) + ")";
  }
  quote(false);
  return result.empty() ? "\"\"" : result;
}

// ---- types

const std::string& Ttcn3Data::literal(TypeId type, size_t index) const {
  return literalNames_[model_.types[type].enumeration.value][index];
}

std::string Ttcn3Data::defaultValue(TypeId id) const {
  const Type& type = model_.types[id];
  switch (type.kind) {
  case TypeKind::Bool:
    return "false";
  case TypeKind::Int:
    return "0";
  case TypeKind::Real:
    return "f_toReal(0)";
  case TypeKind::Enum:
    return literal(id, 0);
  case TypeKind::Record:
  case TypeKind::Array:
    return "f_default_" + typeName(id) + "()";
  }
  return "";
}

std::string Ttcn3Data::wireTemplate(TypeId id) const {
  const Type& type = model_.types[id];
  std::string parts;
  switch (type.kind) {
  case TypeKind::Bool:
    return "{flag := ?}";
  case TypeKind::Int:
    if (type.range)
      return "{number := {num := (" + type.range->first.toString() + " .. " + type.range->last.toString() +
             "), den := 1}}";
    return "{number := {num := ?, den := 1}}";
  case TypeKind::Real:
    return "{number := ?}";
  case TypeKind::Enum:
    for (const std::string& literal : model_[type.enumeration].literals)
      parts += (parts.empty() ? "" : ", ") + string(literal);
    return "{text := (" + parts + ")}";
  case TypeKind::Record:
    for (const Member& field : model_[type.record].fields)
      parts += (parts.empty() ? "" : ", ") + ("{name := " + string(field.name)) +
               ", item := " + wireTemplate(field.type) + "}";
    return "{fields := {" + parts + "}}";
  case TypeKind::Array:
    for (uint32_t i = 0; i < type.size; ++i)
      parts += (i ? ", " : "") + wireTemplate(type.element);
    return "{list := {" + parts + "}}";
  }
  return "";
}

std::string Ttcn3Data::definitions() const {
  std::string text;
  for (size_t i = 0; i < model_.types.size(); ++i) {
    TypeId id(i);
    TypeKind kind = model_.types[id].kind;
    if (kind != TypeKind::Enum && kind != TypeKind::Record && kind != TypeKind::Array)
      continue;
    const std::string& name = typeName(id);
    text += kind == TypeKind::Enum     ? enumDefinition(id)
            : kind == TypeKind::Record ? recordDefinition(id)
                                       : arrayDefinition(id);
    text += "  function f_if_" + name + "(in boolean p_if, in " + name + " p_then, in " + name + " p_else) return " +
            name + " {\n    if (p_if) { return p_then }\n    return p_else;\n  }\n";
    if (kind != TypeKind::Enum)
      text += "  function f_make_" + name + "(in " + name + " p_value) return " + name + " { return p_value }\n";
    text += "\n";
  }
  return text;
}

std::string Ttcn3Data::enumDefinition(TypeId id) const {
  const std::string& name = typeName(id);
  const auto& literals = model_[model_.types[id].enumeration].literals;
  std::string list, encode, decode;
  for (size_t i = 0; i < literals.size(); ++i) {
    const std::string& own = literal(id, i);
    list += "    " + own + (i + 1 < literals.size() ? ",\n" : "\n");
    encode += "    if (p_value == " + own + ") { return {text := " + string(literals[i]) + "} }\n";
    if (i + 1 < literals.size())
      decode += "    if (p_value.text == " + string(literals[i]) + ") { return " + own + " }\n";
  }
  return "  type enumerated " + name + " {\n" + list + "  }\n  function f_enc_" + name + "(in " + name +
         " p_value) return TioValue {\n" + encode + "    return {text := \"\"};\n  }\n  function f_dec_" + name +
         "(in TioValue p_value) return " + name + " {\n" + decode + "    return " + literal(id, literals.size() - 1) +
         ";\n  }\n";
}

std::string Ttcn3Data::recordDefinition(TypeId id) const {
  const std::string& name = typeName(id);
  RecordId record = model_.types[id].record;
  const auto& fields = model_[record].fields;
  std::string list, encode, decode, defaults, access;
  for (size_t i = 0; i < fields.size(); ++i) {
    const std::string& field = fieldNames_[record.value][i];
    const std::string& type = typeName(fields[i].type);
    const char* comma = i + 1 < fields.size() ? ",\n" : "\n";
    list += "    " + type + " " + field + comma;
    encode +=
        "      {name := " + string(fields[i].name) + ", item := f_enc_" + type + "(p_value." + field + ")}" + comma;
    decode +=
        "      " + field + " := f_dec_" + type + "(f_field(p_value.fields, " + string(fields[i].name) + "))" + comma;
    defaults += "      " + field + " := " + defaultValue(fields[i].type) + comma;
    access += "  function f_get_" + name + "__" + field + "(in " + name + " p_value) return " + type +
              " { return p_value." + field + " }\n";
    access += "  function f_with_" + name + "__" + field + "(in " + name + " p_value, in " + type + " p_new) return " +
              name + " {\n    var " + name + " v_value := p_value;\n    v_value." + field +
              " := p_new;\n    return v_value;\n  }\n";
  }
  return "  type record " + name + " {\n" + list + "  }\n  function f_default_" + name + "() return " + name +
         " {\n    return {\n" + defaults + "    };\n  }\n  function f_enc_" + name + "(in " + name +
         " p_value) return TioValue {\n    return {fields := {\n" + encode + "    }};\n  }\n  function f_dec_" + name +
         "(in TioValue p_value) return " + name + " {\n    return {\n" + decode + "    };\n  }\n" + access;
}

std::string Ttcn3Data::arrayDefinition(TypeId id) const {
  const std::string& name = typeName(id);
  const Type& type = model_.types[id];
  const std::string& element = typeName(type.element);
  std::string size = std::to_string(type.size);
  std::string each = "for (var integer i := 0; i < " + size + "; i := i + 1) { ";
  return "  type record length(" + size + ") of " + element + " " + name + ";\n  function f_default_" + name +
         "() return " + name + " {\n    var " + name + " v_value;\n    " + each +
         "v_value[i] := " + defaultValue(type.element) + " }\n    return v_value;\n  }\n  function f_enc_" + name +
         "(in " + name + " p_value) return TioValue {\n    var TioValues v_list := {};\n    " + each +
         "v_list[i] := f_enc_" + element + "(p_value[i]) }\n    return {list := v_list};\n  }\n  function f_dec_" +
         name + "(in TioValue p_value) return " + name + " {\n    var " + name + " v_value;\n    " + each +
         "v_value[i] := f_dec_" + element + "(p_value.list[i]) }\n    return v_value;\n  }\n  function f_at_" + name +
         "(in " + name + " p_value, in integer p_index) return " + element + " {\n    if (p_index >= 0 and p_index < " +
         size + ") { return p_value[p_index] }\n    return " + defaultValue(type.element) +
         ";\n  }\n  function f_set_" + name + "(in " + name + " p_value, in integer p_index, in " + element +
         " p_new) return " + name + " {\n    var " + name +
         " v_value := p_value;\n    if (p_index >= 0 and p_index < " + size +
         ") { v_value[p_index] := p_new }\n    return v_value;\n  }\n";
}

// ---- expressions

std::string Ttcn3Data::number(const Rational& value, bool real) const {
  std::string top = value.numerator().toString();
  if (!real)
    return value.sign() < 0 ? "(" + top + ")" : top;
  if (value.isInteger())
    return "f_toReal(" + top + ")";
  return "f_real(" + top + ", " + value.denominator().toString() + ")";
}

std::string Ttcn3Data::call(const std::string& function, std::span<const ExprId> operands, const Leaves& leaves) const {
  std::string text;
  for (ExprId operand : operands)
    text += (text.empty() ? "" : ", ") + expr(operand, leaves);
  return function + "(" + text + ")";
}

std::string Ttcn3Data::chain(const char* op, std::span<const ExprId> operands, const Leaves& leaves) const {
  std::string text;
  for (ExprId operand : operands)
    text += (text.empty() ? "(" : op) + expr(operand, leaves);
  return text + ")";
}

std::string Ttcn3Data::nested(const std::string& function, std::span<const ExprId> operands,
                              const Leaves& leaves) const {
  std::string text = expr(operands[0], leaves);
  for (ExprId operand : operands.subspan(1))
    text = function + "(" + text + ", " + expr(operand, leaves) + ")";
  return text;
}

std::string Ttcn3Data::expr(ExprId id, const Leaves& leaves) const {
  const ExprPool& pool = model_.exprs;
  auto operands = pool.operands(id);
  bool real = !operands.empty() && pool.type(operands[0]) == model_.types.real();
  switch (pool.op(id)) {
  case Op::Bool:
    return pool.payload(id) ? "true" : "false";
  case Op::Number:
    return number(*pool.number(id), pool.type(id) == model_.types.real());
  case Op::EnumLiteral:
    return literal(pool.type(id), pool.payload(id));
  case Op::Variable:
    return leaves.variable(VariableId(pool.payload(id)));
  case Op::Local:
    return "f_dec_" + typeName(pool.type(id)) + "(" + leaves.parameter(pool.payload(id)) + ")";
  case Op::Not:
    return "(not " + expr(operands[0], leaves) + ")";
  case Op::And:
    return chain(" and ", operands, leaves);
  case Op::Or:
    return chain(" or ", operands, leaves);
  case Op::Equal:
    return chain(" == ", operands, leaves);
  case Op::Less:
    return real ? call("f_less", operands, leaves) : chain(" < ", operands, leaves);
  case Op::LessEqual:
    return real ? call("f_lessEqual", operands, leaves) : chain(" <= ", operands, leaves);
  case Op::Negate:
    return real ? call("f_neg", operands, leaves) : "(-" + expr(operands[0], leaves) + ")";
  case Op::Add:
    return real ? nested("f_add", operands, leaves) : chain(" + ", operands, leaves);
  case Op::Multiply:
    return real ? nested("f_mul", operands, leaves) : chain(" * ", operands, leaves);
  case Op::Divide:
    return call(real ? "f_div" : "f_quotient", operands, leaves);
  case Op::Remainder:
    return call("f_remainder", operands, leaves);
  case Op::ToReal:
    return call("f_toReal", operands, leaves);
  case Op::Floor:
    return call("f_floor", operands, leaves);
  case Op::IfThenElse:
    return call("f_if_" + typeName(pool.type(id)), operands, leaves);
  default:
    return compound(id, leaves);
  }
}

std::string Ttcn3Data::compound(ExprId id, const Leaves& leaves) const {
  const ExprPool& pool = model_.exprs;
  auto operands = pool.operands(id);
  const std::string& whole = typeName(operands.empty() ? pool.type(id) : pool.type(operands[0]));
  auto field = [&] {
    return "_" + whole + "__" + fieldNames_[model_.types[pool.type(operands[0])].record.value][pool.payload(id)];
  };
  switch (pool.op(id)) {
  case Op::Field:
    return call("f_get" + field(), operands, leaves);
  case Op::SetField:
    return call("f_with" + field(), operands, leaves);
  case Op::Element:
    return call("f_at_" + whole, operands, leaves);
  case Op::SetElement:
    return call("f_set_" + whole, operands, leaves);
  default: {
    std::string list;
    for (ExprId operand : operands)
      list += (list.empty() ? "" : ", ") + expr(operand, leaves);
    return "f_make_" + typeName(pool.type(id)) + "({" + list + "})";
  }
  }
}

} // namespace tioc::backend
