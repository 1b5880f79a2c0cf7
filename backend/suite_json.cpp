#include "backend/suite_json.hpp"

#include "ir/print.hpp"

#include <nlohmann/json.hpp>

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
    for (size_t i = 0; i < items.size(); ++i)
      text_ += (i ? ",\n" : "\n") + margin + " " + dump(write(items[i]));
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

  Json covers(const std::vector<Covered>& list) const {
    Json json = Json::array();
    for (const Covered& one : list)
      json.push_back(covered(one));
    return json;
  }

  // ---- tests

  void testCase(const TestCase& test) {
    test_ = &test;
    words_.enter(test);
    text_ += "  {\"name\": " + dump(test.name) + ", \"about\": " + dump(test.about) + ",\n";
    list(3, "variables", test.variables, [&](const TestVariable& variable) {
      Json json = {{"name", variable.name}, {"type", type(variable.type)}};
      if (variable.initial.valid())
        json["initial"] = expr(variable.initial);
      if (variable.isSlack)
        json["slack"] = true;
      return json;
    });
    text_ += ",\n";
    list(3, "nodes", test.nodes,
         [&](const TestNode& n) { return std::visit([&](const auto& x) { return node(x); }, n); });
    text_ += "}";
  }

  Json node(const SendNode& send) {
    Json arguments = Json::array();
    for (ExprId argument : send.arguments)
      arguments.push_back(expr(argument));
    Json json = {{"kind", "send"}, {"channel", model_[send.channel].name}, {"arguments", std::move(arguments)}};
    stamp(json, send.stamp);
    json["covers"] = covers(send.covers);
    json["next"] = send.next.value;
    return json;
  }

  Json node(const AwaitNode& await) {
    Json branches = Json::array();
    for (const AwaitBranch& one : await.branches)
      branches.push_back(branch(one));
    return {{"kind", "await"},
            {"until", time(await.until)},
            {"branches", std::move(branches)},
            {"timeout", await.timeout.value},
            {"allows", await.allows}};
  }

  Json node(const VerdictNode& node) {
    return {{"kind", "verdict"}, {"verdict", word(node.verdict)}, {"reason", node.reason}};
  }

  Json branch(const AwaitBranch& branch) {
    Json json = {{"channel", model_[branch.channel].name}, {"guard", expr(branch.guard, branch.channel)}};
    for (auto [name, bound] : {std::pair("from", &branch.from), {"to", &branch.to}})
      if (bound->time.valid()) {
        json[name] = time(bound->time);
        json[name]["strict"] = bound->strict;
      }
    Json updates = Json::array();
    for (const Update& update : branch.updates)
      updates.push_back({{"variable", name(update.variable)}, {"value", expr(update.value, branch.channel)}});
    json["updates"] = std::move(updates);
    stamp(json, branch.stamp);
    json["covers"] = covers(branch.covers);
    json["next"] = branch.next.value;
    return json;
  }

  const std::string& name(VariableId id) const { return test_->variables[id.value].name; }

  void stamp(Json& json, VariableId id) const {
    if (id.valid())
      json["stamp"] = name(id);
  }

  // ---- expressions

  Json expr(ExprId id, ChannelId message = {}) {
    return {{"text", words_.expr(id, message)}, {"tree", tree(id, message)}};
  }

  Json time(ExprId id) { return {{"text", words_.time(id)}, {"tree", tree(id, {})}}; }

  Json tree(ExprId id, ChannelId message) const {
    Op op = pool_.op(id);
    uint32_t payload = pool_.payload(id);
    auto operands = pool_.operands(id);
    switch (op) {
    case Op::Bool:
      return {{"op", "bool"}, {"value", payload == 1}};
    case Op::Number:
      return {{"op", pool_.type(id) == model_.types.real() ? "real" : "int"}, {"value", pool_.number(id)->toString()}};
    case Op::EnumLiteral: {
      const Enum& owner = model_[model_.types[pool_.type(id)].enumeration];
      return {{"op", "literal"}, {"enum", owner.name}, {"value", owner.literals[payload]}};
    }
    case Op::Variable:
      return {{"op", "variable"}, {"name", name(VariableId(payload))}};
    case Op::Local:
      return {{"op", "message"}, {"index", payload}, {"name", model_[message].parameters[payload].name}};
    default:
      break;
    }
    bool whole = op == Op::Divide && pool_.type(id) == model_.types.integer();
    Json json = {{"op", whole ? "quotient" : opName(op)}};
    if (op == Op::MakeRecord || op == Op::MakeArray)
      json["type"] = type(pool_.type(id));
    if (op == Op::Field || op == Op::SetField)
      json["name"] = model_[model_.types[pool_.type(operands[0])].record].fields[payload].name;
    Json arguments = Json::array();
    for (ExprId operand : operands)
      arguments.push_back(tree(operand, message));
    json["args"] = std::move(arguments);
    return json;
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
