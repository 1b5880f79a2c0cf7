#include "frontend/suite_reader.hpp"

#include "ir/print.hpp"
#include "ir/typing.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace tioc::frontend {

namespace {

using Json = nlohmann::json;
using namespace ir;

constexpr const char* kSchema = "tioc-suite/1";

/// Ends the reading; never leaves this file.
struct Wrong {
  std::string where;
  std::string what;
};

/// A value with its place in the file.
class Node {
public:
  Node(const Json& json, std::string where) : json_(&json), where_(std::move(where)) {}

  [[noreturn]] void fail(const std::string& what) const { throw Wrong{where_, what}; }

  bool has(const char* name) const { return json_->is_object() && json_->contains(name); }

  Node operator[](const char* name) const {
    if (!json_->is_object())
      fail("this is no object");
    auto it = json_->find(name);
    if (it == json_->end())
      fail(std::string("\"") + name + "\" is missing");
    return {*it, where_.empty() ? name : where_ + "." + name};
  }

  size_t size() const {
    if (!json_->is_array())
      fail("this is no list");
    return json_->size();
  }
  Node at(size_t index) const { return {(*json_)[index], where_ + "[" + std::to_string(index) + "]"}; }

  template <class Fn>
  void each(Fn fn) const {
    for (size_t i = 0, count = size(); i < count; ++i)
      fn(at(i));
  }

  bool isString() const { return json_->is_string(); }
  const std::string& string() const {
    if (!json_->is_string())
      fail("this is no text");
    return json_->get_ref<const std::string&>();
  }
  bool boolean() const {
    if (!json_->is_boolean())
      fail("this is neither true nor false");
    return json_->get<bool>();
  }
  uint32_t index() const {
    if (!json_->is_number_unsigned() || json_->get<uint64_t>() >= UINT32_MAX)
      fail("this is no index");
    return json_->get<uint32_t>();
  }
  Rational number() const {
    std::optional<Rational> value = Rational::parse(string());
    if (!value)
      fail("'" + string() + "' is no number");
    if (value->isHuge())
      fail("the number is too long");
    return *value;
  }
  /// The position of a word in a list of words.
  template <class Words>
  size_t oneOf(const Words& words, const char* kind) const {
    auto it = std::find(std::begin(words), std::end(words), string());
    if (it == std::end(words))
      fail("'" + string() + "' is no " + kind);
    return static_cast<size_t>(it - std::begin(words));
  }

private:
  const Json* json_;
  std::string where_;
};

class SuiteReader {
public:
  SuiteFile run(const Node& root) {
    if (root["schema"].string() != kSchema)
      root["schema"].fail("'" + root["schema"].string() + "' is not the schema " + kSchema);
    suite_.name = root["name"].string();
    suite_.model.name = root["model"].string();
    suite_.system = root["system"].string();
    suite_.generator = root["generator"].string();
    suite_.model.secondsPerUnit = root["secondsPerUnit"].number();
    suite_.tolerance = root["tolerance"].number();
    declarations(root);
    root["cases"].each([&](const Node& node) { testCase(node); });
    root["uncovered"].each(
        [&](const Node& node) { suite_.uncovered.emplace_back(covered(node), node["reason"].string()); });
    if (root.has("automata"))
      root["automata"].each([&](const Node& node) { suite_.automata.push_back(outline(node)); });
    if (std::vector<std::string> problems = verify(suite_); !problems.empty())
      throw Wrong{"", problems.front()};
    return std::move(file_);
  }

private:
  // ---- declarations

  void declarations(const Node& root) {
    root["enums"].each([&](const Node& node) {
      Enum one{.name = node["name"].string()};
      node["literals"].each([&](const Node& literal) { one.literals.push_back(literal.string()); });
      enums_.emplace(one.name, EnumId(model_.enums.size()));
      model_.enums.push_back(std::move(one));
    });
    root["records"].each([&](const Node& node) {
      records_.emplace(node["name"].string(), RecordId(model_.records.size()));
      model_.records.push_back({.name = node["name"].string()});
    });
    for (size_t i = 0; i < model_.records.size(); ++i)
      model_.records[i].fields = members(root["records"].at(i)["fields"]);
    root["channels"].each([&](const Node& node) {
      static constexpr Direction kDirections[] = {Direction::Input, Direction::Output, Direction::Inout,
                                                  Direction::Internal};
      const char* words[] = {word(kDirections[0]), word(kDirections[1]), word(kDirections[2]), word(kDirections[3])};
      Channel channel{.name = node["name"].string(), .parameters = members(node["parameters"])};
      channel.direction = kDirections[node["direction"].oneOf(words, "direction")];
      channel.open = node.has("open") && node["open"].boolean();
      channel.broadcast = node.has("broadcast") && node["broadcast"].boolean();
      channels_.emplace(channel.name, ChannelId(model_.channels.size()));
      model_.channels.push_back(std::move(channel));
    });
  }

  template <class Id>
  static Id named(const std::map<std::string, Id>& table, const Node& node, const char* kind) {
    auto it = table.find(node.string());
    if (it == table.end())
      node.fail("there is no " + std::string(kind) + " '" + node.string() + "'");
    return it->second;
  }

  TypeId type(const Node& node, size_t depth = 0) {
    if (depth > kMaxTestExprDepth)
      node.fail("the type is nested too deep");
    if (node.isString()) {
      static constexpr const char* kPlain[] = {"bool", "int", "real"};
      return TypeId(node.oneOf(kPlain, "type"));
    }
    static constexpr const char* kKinds[] = {"int", "enum", "record", "array"};
    switch (node["kind"].oneOf(kKinds, "kind of type")) {
    case 0: {
      Range range{node["first"].number(), node["last"].number()};
      if (!range.first.isInteger() || !range.last.isInteger() || range.last < range.first)
        node.fail("this is no range of integers");
      return model_.types.ranged(std::move(range));
    }
    case 1:
      return model_.types.enumeration(named(enums_, node["name"], "enumeration"));
    case 2:
      return model_.types.record(named(records_, node["name"], "record"));
    default:
      return model_.types.array(type(node["of"], depth + 1), node["size"].index());
    }
  }

  std::vector<Member> members(const Node& node) {
    std::vector<Member> result;
    node.each([&](const Node& one) { result.push_back({one["name"].string(), type(one["type"])}); });
    return result;
  }

  Covered covered(const Node& node) {
    Covered result{.what = node["what"].string(), .span = {}};
    if (node.has("at")) {
      result.span.file = static_cast<uint32_t>(file_.places.size());
      file_.places.push_back(node["at"].string());
    }
    return result;
  }

  std::vector<Covered> covers(const Node& node) {
    std::vector<Covered> result;
    node.each([&](const Node& one) { result.push_back(covered(one)); });
    return result;
  }

  // ---- tests

  void testCase(const Node& node) {
    TestCase test{.name = node["name"].string(), .about = node["about"].string()};
    variables_.clear();
    types_.clear();
    node["variables"].each([&](const Node& one) {
      TestVariable variable{.name = one["name"].string(), .type = type(one["type"]), .initial = {}};
      if (one.has("initial"))
        variable.initial = expr(one["initial"]);
      variable.isSlack = one.has("slack") && one["slack"].boolean();
      variables_.emplace(variable.name, VariableId(test.variables.size()));
      types_.push_back(variable.type);
      test.variables.push_back(std::move(variable));
    });
    node["nodes"].each([&](const Node& one) { test.nodes.push_back(testNode(one)); });
    suite_.cases.push_back(std::move(test));
  }

  VariableId variable(const Node& node) const { return named(variables_, node, "variable"); }
  VariableId stamp(const Node& node) const { return node.has("stamp") ? variable(node["stamp"]) : VariableId(); }
  static TestNodeId nodeId(const Node& node) { return TestNodeId(node.index()); }

  TestNode testNode(const Node& node) {
    static constexpr const char* kKinds[] = {"send", "await", "verdict"};
    switch (node["kind"].oneOf(kKinds, "kind of node")) {
    case 0: {
      SendNode send{.channel = named(channels_, node["channel"], "channel")};
      node["arguments"].each([&](const Node& one) { send.arguments.push_back(expr(one)); });
      send.stamp = stamp(node);
      send.covers = covers(node["covers"]);
      send.next = nodeId(node["next"]);
      return send;
    }
    case 1: {
      AwaitNode await;
      node["branches"].each([&](const Node& one) { await.branches.push_back(branch(one)); });
      await.until = expr(node["until"]);
      await.timeout = nodeId(node["timeout"]);
      await.allows = node["allows"].string();
      return await;
    }
    default:
      return verdict(node);
    }
  }

  static VerdictNode verdict(const Node& node) {
    const char* words[] = {word(Verdict::Pass), word(Verdict::Fail), word(Verdict::Inconclusive)};
    return {static_cast<Verdict>(node["verdict"].oneOf(words, "verdict")), node["reason"].string()};
  }

  AwaitBranch branch(const Node& node) {
    AwaitBranch branch{.channel = named(channels_, node["channel"], "channel")};
    branch.guard = expr(node["guard"], branch.channel);
    for (auto [name, bound] : {std::pair("from", &branch.from), {"to", &branch.to}})
      if (node.has(name))
        *bound = {expr(node[name]), node[name]["strict"].boolean()};
    node["updates"].each([&](const Node& one) {
      branch.updates.push_back({variable(one["variable"]), expr(one["value"], branch.channel)});
    });
    branch.stamp = stamp(node);
    branch.covers = covers(node["covers"]);
    branch.next = nodeId(node["next"]);
    return branch;
  }

  Outline outline(const Node& node) {
    Outline result;
    result.name = node["name"].string();
    node["states"].each([&](const Node& state) { result.states.push_back(state.string()); });
    const auto state = [&](const Node& which) {
      const uint32_t index = which.index();
      if (index >= result.states.size())
        which.fail("there is no such state");
      return index;
    };
    result.initial = state(node["initial"]);
    node["edges"].each([&](const Node& edge) {
      result.edges.push_back({covered(edge), edge["label"].string(), state(edge["from"]), state(edge["to"])});
    });
    return result;
  }

  // ---- expressions

  /// The tree counts; the text beside it is for people.
  ExprId expr(const Node& node, ChannelId message = {}) { return tree(node["tree"], message, 0); }

  ExprId tree(const Node& node, ChannelId message, uint32_t depth) {
    if (depth > kMaxTestExprDepth)
      node.fail("the expression is nested too deep");
    const std::string& op = node["op"].string();
    if (op == "bool")
      return model_.exprs.boolean(node["value"].boolean());
    if (op == "real")
      return model_.exprs.real(node["value"].number());
    if (op == "int") {
      Rational value = node["value"].number();
      if (!value.isInteger())
        node["value"].fail("this is no integer");
      return model_.exprs.integer(std::move(value));
    }
    if (op == "literal") {
      EnumId id = named(enums_, node["enum"], "enumeration");
      size_t literal = node["value"].oneOf(model_[id].literals, "literal");
      return model_.exprs.enumLiteral(model_.types.enumeration(id), static_cast<uint32_t>(literal));
    }
    if (op == "variable") {
      VariableId id = variable(node["name"]);
      return model_.exprs.variable(id, types_[id.value]);
    }
    if (op == "message") {
      uint32_t index = node["index"].index();
      if (!message.valid() || index >= model_[message].parameters.size())
        node.fail("there is no such part of a message here");
      return model_.exprs.local(index, model_[message].parameters[index].type);
    }
    return operation(node, message, depth);
  }

  static Op operatorNamed(const Node& node) {
    if (node.string() == "quotient")
      return Op::Divide;
    for (auto op = static_cast<size_t>(Op::Not); op <= static_cast<size_t>(Op::SetElement); ++op)
      if (node.string() == opName(static_cast<Op>(op)))
        return static_cast<Op>(op);
    node.fail("there is no operator '" + node.string() + "'");
  }

  ExprId operation(const Node& node, ChannelId message, uint32_t depth) {
    Op op = operatorNamed(node["op"]);
    std::vector<ExprId> operands;
    std::vector<TypeId> types;
    node["args"].each([&](const Node& one) {
      operands.push_back(tree(one, message, depth + 1));
      types.push_back(model_.exprs.type(operands.back()));
    });
    TypeId stated = op == Op::MakeRecord || op == Op::MakeArray ? type(node["type"]) : TypeId();
    uint32_t payload = 0;
    if (op == Op::Field || op == Op::SetField) {
      if (types.empty() || model_.types[types[0]].kind != TypeKind::Record)
        node.fail("a field of something that is no record");
      const auto& fields = model_[model_.types[types[0]].record].fields;
      auto it = std::find_if(fields.begin(), fields.end(),
                             [&](const Member& field) { return field.name == node["name"].string(); });
      payload = static_cast<uint32_t>(it - fields.begin());
    }
    TypeId result = typeOf(model_, op, payload, stated, types);
    // Division has two names, so that a reader needs no types to tell the two kinds apart.
    bool whole = node["op"].string() == "quotient";
    if (!result.valid() || (op == Op::Divide && whole != (result == model_.types.integer())))
      node.fail("the operands do not fit the operator");
    return model_.exprs.make(op, result, payload, operands);
  }

  SuiteFile file_;
  TestSuite& suite_ = file_.suite;
  Model& model_ = file_.suite.model;
  std::map<std::string, EnumId> enums_;
  std::map<std::string, RecordId> records_;
  std::map<std::string, ChannelId> channels_;
  std::map<std::string, VariableId> variables_;
  std::vector<TypeId> types_; // of the variables of the case at hand
};

} // namespace

SuiteReading readSuite(std::string_view text) {
  SuiteReading result;
  try {
    Json json = Json::parse(text);
    result.file = SuiteReader().run(Node(json, ""));
  } catch (const Json::parse_error& error) {
    result.error = error.what();
  } catch (const Wrong& wrong) {
    result.error = wrong.where.empty() ? wrong.what : wrong.where + ": " + wrong.what;
  }
  return result;
}

} // namespace tioc::frontend
