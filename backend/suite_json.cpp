#include "backend/suite_json.hpp"

#include "ir/print.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace tioc::backend {

namespace {

using Json = nlohmann::ordered_json;
using namespace ir;

class SuiteWriter {
public:
  SuiteWriter(const TestSuite& suite, const PlaceName& place)
      : suite_(suite), model_(suite.model), pool_(suite.model.exprs), place_(place), words_(suite) {}

  /// The whole is put together by hand, a line per declaration and per node: large suites never stand in memory as a
  /// tree, and a change of a test is a change of few lines.
  std::string run() {
    text_ = "{\n";
    member("schema", "tioc-suite/1");
    member("name", suite_.name);
    member("model", model_.name);
    member("system", suite_.system);
    member("generator", suite_.generator);
    member("secondsPerUnit", model_.secondsPerUnit.toString());
    member("tolerance", suite_.tolerance.toString());
    list(1, "enums", model_.enums, [](const Enum& e) { return Json{{"name", e.name}, {"literals", e.literals}}; });
    text_ += ",\n";
    list(1, "records", model_.records, [&](const Record& r) {
      return Json{{"name", r.name}, {"fields", members(r.fields)}};
    });
    text_ += ",\n";
    list(1, "channels", model_.channels, [&](const Channel& c) { return channel(c); });
    text_ += ",\n \"cases\": [";
    for (size_t i = 0; i < suite_.cases.size(); ++i) {
      text_ += i ? ",\n" : "\n";
      testCase(suite_.cases[i]);
    }
    text_ += suite_.cases.empty() ? "],\n" : "\n ],\n";
    list(1, "uncovered", suite_.uncovered, [&](const auto& goal) {
      Json json = covered(goal.first);
      json["reason"] = goal.second;
      return json;
    });
    text_ += ",\n";
    list(1, "automata", suite_.automata, [&](const Outline& one) { return outline(one); });
    text_ += "\n}\n";
    return std::move(text_);
  }

private:
  static std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

  void member(const char* name, const std::string& value) {
    text_ += std::string(" \"") + name + "\": " + dump(value) + ",\n";
  }

  template <class List, class Write>
  void list(size_t indent, const char* name, const List& items, Write write) {
    std::string margin(indent, ' ');
    text_ += margin + "\"" + name + "\": [";
    for (size_t i = 0; i < items.size(); ++i) {
      text_ += (i ? ",\n" : "\n") + margin + " ";
      if constexpr (std::is_void_v<decltype(write(items[i]))>)
        write(items[i]);
      else
        text_ += dump(write(items[i]));
    }
    text_ += items.empty() ? "]" : "\n" + margin + "]";
  }

  // ---- declarations

  Json type(TypeId id) const {
    const Type& type = model_.types[id];
    switch (type.kind) {
    case TypeKind::Bool:
      return "bool";
    case TypeKind::Int:
      if (!type.range)
        return "int";
      return {{"kind", "int"}, {"first", type.range->first.toString()}, {"last", type.range->last.toString()}};
    case TypeKind::Real:
      return "real";
    case TypeKind::Enum:
      return {{"kind", "enum"}, {"name", model_[type.enumeration].name}};
    case TypeKind::Record:
      return {{"kind", "record"}, {"name", model_[type.record].name}};
    case TypeKind::Array:
      return {{"kind", "array"}, {"of", this->type(type.element)}, {"size", type.size}};
    }
    return nullptr;
  }

  Json members(const std::vector<Member>& list) const {
    Json json = Json::array();
    for (const Member& member : list)
      json.push_back({{"name", member.name}, {"type", type(member.type)}});
    return json;
  }

  Json channel(const Channel& channel) const {
    Json json = {
        {"name", channel.name}, {"direction", word(channel.direction)}, {"parameters", members(channel.parameters)}};
    if (channel.open)
      json["open"] = true;
    if (channel.broadcast)
      json["broadcast"] = true;
    return json;
  }

  Json outline(const Outline& one) const {
    Json edges = Json::array();
    for (const OutlineEdge& edge : one.edges) {
      Json json = covered(edge.edge);
      json.update({{"label", edge.label}, {"from", edge.from}, {"to", edge.to}});
      edges.push_back(std::move(json));
    }
    return {{"name", one.name}, {"states", one.states}, {"initial", one.initial}, {"edges", std::move(edges)}};
  }

  Json covered(const Covered& one) const {
    Json json = {{"what", one.what}};
    if (std::string at = one.span.valid() ? place_(one.span) : ""; !at.empty())
      json["at"] = at;
    return json;
  }

  // ---- tests: written as text at once, because that is most of a suite

  void testCase(const TestCase& test) {
    test_ = &test;
    words_.enter(test);
    text_ += "  {\"name\": " + dump(test.name) + ", \"about\": " + dump(test.about) + ",\n";
    list(3, "variables", test.variables, [&](const TestVariable& variable) {
      begin("name", variable.name);
      key("type");
      text_ += dump(type(variable.type));
      if (variable.initial.valid())
        expr("initial", variable.initial);
      if (variable.isSlack)
        plain("slack", "true");
      text_ += '}';
    });
    text_ += ",\n";
    list(3, "nodes", test.nodes, [&](const TestNode& n) { std::visit([&](const auto& x) { node(x); }, n); });
    text_ += "}";
  }

  void node(const SendNode& send) {
    begin("kind", "send");
    string("channel", model_[send.channel].name);
    array("arguments", send.arguments, [&](ExprId argument) { expr(argument, {}); });
    stamp(send.stamp);
    covers(send.covers);
    plain("next", std::to_string(send.next.value));
    text_ += '}';
  }

  void node(const AwaitNode& await) {
    begin("kind", "await");
    key("until");
    time(await.until);
    text_ += '}';
    array("branches", await.branches, [&](const AwaitBranch& one) { branch(one); });
    plain("timeout", std::to_string(await.timeout.value));
    string("allows", await.allows);
    text_ += '}';
  }

  void node(const VerdictNode& node) {
    begin("kind", "verdict");
    string("verdict", word(node.verdict));
    string("reason", node.reason);
    text_ += '}';
  }

  void branch(const AwaitBranch& branch) {
    begin("channel", model_[branch.channel].name);
    expr("guard", branch.guard, branch.channel);
    for (auto [name, bound] : {std::pair("from", &branch.from), {"to", &branch.to}})
      if (bound->time.valid()) {
        key(name);
        time(bound->time);
        plain("strict", bound->strict ? "true" : "false");
        text_ += '}';
      }
    array("updates", branch.updates, [&](const Update& update) {
      begin("variable", name(update.variable));
      expr("value", update.value, branch.channel);
      text_ += '}';
    });
    stamp(branch.stamp);
    covers(branch.covers);
    plain("next", std::to_string(branch.next.value));
    text_ += '}';
  }

  const std::string& name(VariableId id) const { return test_->variables[id.value].name; }

  void stamp(VariableId id) {
    if (id.valid())
      string("stamp", name(id));
  }

  void covers(const std::vector<Covered>& list) {
    array("covers", list, [&](const Covered& one) {
      begin("what", one.what);
      if (std::string at = one.span.valid() ? place_(one.span) : ""; !at.empty())
        string("at", at);
      text_ += '}';
    });
  }

  // ---- pieces of text

  void string(std::string_view value) {
    const bool isPlain =
        std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    if (isPlain)
      text_.append("\"").append(value).append("\"");
    else
      text_ += dump(value);
  }

  void key(const char* name) { text_.append(",\"").append(name).append("\":"); }

  void string(const char* name, std::string_view value) {
    key(name);
    string(value);
  }

  /// A number or a truth value.
  void plain(const char* name, std::string_view value) {
    key(name);
    text_ += value;
  }

  /// An object with its first member.
  void begin(const char* name, std::string_view value) {
    text_.append("{\"").append(name).append("\":");
    string(value);
  }

  template <class List, class Write>
  void array(const char* name, const List& items, Write write) {
    key(name);
    text_ += '[';
    bool isFirst = true;
    for (const auto& item : items) {
      text_ += std::exchange(isFirst, false) ? "" : ",";
      write(item);
    }
    text_ += ']';
  }

  // ---- expressions

  void expr(ExprId id, ChannelId message) {
    begin("text", words_.expr(id, message));
    key("tree");
    tree(id, message);
    text_ += '}';
  }

  void expr(const char* name, ExprId id, ChannelId message = {}) {
    key(name);
    expr(id, message);
  }

  /// Leaves the object open.
  void time(ExprId id) {
    begin("text", words_.time(id));
    key("tree");
    tree(id, {});
  }

  void tree(ExprId id, ChannelId message) {
    const Op op = pool_.op(id);
    const uint32_t payload = pool_.payload(id);
    const auto operands = pool_.operands(id);
    switch (op) {
    case Op::Bool:
      begin("op", "bool");
      plain("value", payload == 1 ? "true" : "false");
      break;
    case Op::Number:
      begin("op", pool_.type(id) == model_.types.real() ? "real" : "int");
      string("value", pool_.number(id)->toString());
      break;
    case Op::EnumLiteral: {
      const Enum& owner = model_[model_.types[pool_.type(id)].enumeration];
      begin("op", "literal");
      string("enum", owner.name);
      string("value", owner.literals[payload]);
      break;
    }
    case Op::Variable:
      begin("op", "variable");
      string("name", name(VariableId(payload)));
      break;
    case Op::Local:
      begin("op", "message");
      plain("index", std::to_string(payload));
      string("name", model_[message].parameters[payload].name);
      break;
    default:
      begin("op", op == Op::Divide && pool_.type(id) == model_.types.integer() ? "quotient" : opName(op));
      if (op == Op::MakeRecord || op == Op::MakeArray) {
        key("type");
        text_ += dump(type(pool_.type(id)));
      }
      if (op == Op::Field || op == Op::SetField)
        string("name", model_[model_.types[pool_.type(operands[0])].record].fields[payload].name);
      array("args", operands, [&](ExprId operand) { tree(operand, message); });
    }
    text_ += '}';
  }

  const TestSuite& suite_;
  const Model& model_;
  const ExprPool& pool_;
  const PlaceName& place_;
  TestText words_;
  const TestCase* test_ = nullptr;
  std::string text_;
};

} // namespace

std::string suiteJson(const TestSuite& suite, const PlaceName& place) {
  return SuiteWriter(suite, place).run();
}

} // namespace tioc::backend
