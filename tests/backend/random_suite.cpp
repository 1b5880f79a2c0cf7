#include "backend/suites.hpp"

#include <random>

namespace tioc::test {

using namespace ir;

namespace {

class RandomSuite {
public:
  explicit RandomSuite(uint64_t seed) : random_(seed), b_("Random" + std::to_string(seed)) {}

  TestSuite run() {
    Model& model = b_.suite.model;
    model.secondsPerUnit = Rational(1 + pick(5), 1 + pick(7));
    b_.suite.tolerance = Rational(pick(4), 3);
    b_.suite.generator = "seed \"1\" \\ ü";
    types_ = {model.types.boolean(), model.types.integer(), model.types.real()};
    types_.push_back(model.types.ranged({Rational(-int64_t(pick(9))), Rational(int64_t(pick(9)))}));
    for (size_t i = pick(3); i > 0; --i)
      types_.push_back(b_.enumeration("E" + std::to_string(i), {"a", "b", "c"}));
    for (size_t i = pick(5); i > 0; --i)
      if (pick(2))
        types_.push_back(b_.record("R" + std::to_string(i), {{"x", anyType()}, {"y", anyType()}}));
      else
        types_.push_back(model.types.array(anyType(), 1 + pick(3)));
    for (size_t i = 0; i < 5; ++i) {
      std::vector<Member> parameters;
      for (size_t j = pick(3); j > 0; --j)
        parameters.push_back({"p" + std::to_string(j), anyType()});
      b_.channel("c" + std::to_string(i),
                 i == 0  ? Direction::Inout
                 : i % 2 ? Direction::Input
                         : Direction::Output,
                 parameters);
    }
    for (size_t i = pick(4); i > 0; --i)
      testCase(i);
    if (pick(2))
      b_.suite.uncovered.emplace_back(Covered{"goal", {3, 1, 2}}, "unreachable");
    return std::move(b_.suite);
  }

private:
  size_t pick(size_t count) { return std::uniform_int_distribution<size_t>(0, count - 1)(random_); }
  TypeId anyType() { return types_[pick(types_.size())]; }
  ExprPool& exprs() { return b_.exprs(); }

  Rational number(bool integer) {
    int64_t value = int64_t(pick(2000)) - 1000;
    Rational big = Rational(INT64_MAX) * Rational(INT64_MAX);
    return pick(20) == 0 ? big + value : integer ? Rational(value) : Rational(value, int64_t(1 + pick(12)));
  }

  ExprId constant(TypeId id) {
    const Type& type = b_.suite.model.types[id];
    switch (type.kind) {
    case TypeKind::Bool:
      return exprs().boolean(pick(2));
    case TypeKind::Int:
      return exprs().integer(number(true));
    case TypeKind::Real:
      return exprs().real(number(false));
    case TypeKind::Enum:
      return exprs().enumLiteral(id, pick(3));
    case TypeKind::Record:
    case TypeKind::Array:
      return compound(id, 0);
    }
    return {};
  }

  ExprId compound(TypeId id, size_t depth) {
    Type type = b_.suite.model.types[id];
    std::vector<ExprId> parts;
    auto part = [&](TypeId of) { parts.push_back(depth ? expr(of, depth - 1) : constant(of)); };
    if (type.kind == TypeKind::Record)
      for (const Member& field : b_.suite.model[type.record].fields)
        part(field.type);
    else
      for (uint32_t i = 0; i < type.size; ++i)
        part(type.element);
    return type.kind == TypeKind::Record ? exprs().makeRecord(id, parts) : exprs().makeArray(id, parts);
  }

  /// A leaf of the type, or a record or array taken apart that has one.
  ExprId leaf(TypeId wanted) {
    std::vector<ExprId> found;
    auto take = [&](ExprId id, TypeId of) {
      TypeTable& types = b_.suite.model.types;
      if (types.unranged(of) == types.unranged(wanted))
        found.push_back(id);
      Type type = types[of];
      if (type.kind == TypeKind::Array && types.unranged(type.element) == types.unranged(wanted))
        found.push_back(exprs().element(id, exprs().integer(int64_t(pick(type.size)))));
      if (type.kind != TypeKind::Record)
        return;
      const auto& fields = b_.suite.model[type.record].fields;
      for (uint32_t i = 0; i < fields.size(); ++i)
        if (types.unranged(fields[i].type) == types.unranged(wanted))
          found.push_back(exprs().field(id, i, fields[i].type));
    };
    const auto& variables = b_.suite.cases.back().variables;
    for (size_t i = 0; i < variables.size(); ++i)
      if (assigned_[i])
        take(b_.value(VariableId(i)), variables[i].type);
    if (message_.valid())
      for (uint32_t i = 0; i < b_.suite.model[message_].parameters.size(); ++i) {
        TypeId type = b_.suite.model[message_].parameters[i].type;
        take(exprs().local(i, type), type);
      }
    return found.empty() ? constant(wanted) : found[pick(found.size())];
  }

  ExprId expr(TypeId wanted, size_t depth) {
    if (depth == 0 || pick(4) == 0)
      return leaf(wanted);
    TypeTable& types = b_.suite.model.types;
    Type type = types[wanted];
    TypeId plain = types.unranged(wanted);
    auto sub = [&](TypeId of) { return expr(of, depth - 1); };
    if (pick(6) == 0)
      return exprs().ifThenElse(sub(types.boolean()), sub(wanted), sub(wanted));
    switch (type.kind) {
    case TypeKind::Bool:
      return condition(depth);
    case TypeKind::Int:
      if (size_t kind = pick(5); kind < 3)
        return kind == 0   ? exprs().floor(sub(types.real()))
               : kind == 1 ? exprs().remainder(sub(plain), sub(plain))
                           : exprs().divide(sub(plain), sub(plain));
      return arithmetic(plain, depth);
    case TypeKind::Real:
      if (size_t kind = pick(5); kind < 2)
        return kind == 0 ? exprs().toReal(sub(types.integer())) : exprs().divide(sub(plain), sub(plain));
      return arithmetic(plain, depth);
    case TypeKind::Enum:
      return leaf(wanted);
    case TypeKind::Record: {
      uint32_t field = uint32_t(pick(2));
      if (pick(2))
        return exprs().setField(sub(wanted), field, sub(b_.suite.model[type.record].fields[field].type));
      return compound(wanted, depth);
    }
    case TypeKind::Array:
      if (pick(2))
        return exprs().setElement(sub(wanted), sub(types.integer()), sub(type.element));
      return compound(wanted, depth);
    }
    return {};
  }

  ExprId arithmetic(TypeId type, size_t depth) {
    ExprId a = expr(type, depth - 1);
    ExprId c = expr(type, depth - 1);
    ExprId d = expr(type, depth - 1);
    size_t kind = pick(3);
    return kind == 0 ? exprs().negate(a) : kind == 1 ? exprs().add({{a, c, d}}) : exprs().multiply({{a, c, d}});
  }

  ExprId condition(size_t depth) {
    TypeTable& types = b_.suite.model.types;
    auto sub = [&](TypeId of) { return expr(of, depth - 1); };
    TypeId number = pick(2) ? types.integer() : types.real();
    TypeId any = anyType();
    switch (pick(6)) {
    case 0:
      return exprs().negation(sub(types.boolean()));
    case 1:
      return exprs().conjunction(sub(types.boolean()), sub(types.boolean()));
    case 2:
      return exprs().disjunction(sub(types.boolean()), sub(types.boolean()));
    case 3:
      return exprs().equal(sub(any), sub(any));
    case 4:
      return exprs().less(sub(number), sub(number));
    default:
      return exprs().lessEqual(sub(number), sub(number));
    }
  }

  // ---- cases

  void testCase(size_t number) {
    b_.begin("case_" + std::to_string(number), pick(2) ? "why" : "");
    assigned_.clear();
    message_ = {};
    for (size_t i = pick(5); i > 0; --i) {
      TypeId type = pick(2) ? b_.suite.model.types.real() : anyType();
      bool initial = pick(2);
      b_.variable("v" + std::to_string(i), type, initial ? constant(type) : ExprId());
      assigned_.push_back(initial);
    }
    verdicts_.clear();
    node(6);
  }

  TestNodeId node(size_t depth) {
    if (depth == 0 || pick(8) == 0) {
      if (!verdicts_.empty() && pick(2))
        return verdicts_[pick(verdicts_.size())];
      verdicts_.push_back(b_.verdict(static_cast<Verdict>(pick(3)), pick(2) ? "because\n\"so\"" : ""));
      return verdicts_.back();
    }
    TestNodeId id = b_.reserve();
    b_.fill(id, pick(2) ? TestNode(send(depth)) : TestNode(await(depth)));
    return id;
  }

  VariableId stamp() {
    const auto& variables = b_.suite.cases.back().variables;
    for (size_t i = 0; i < variables.size(); ++i)
      if (variables[i].type == b_.suite.model.types.real() && pick(2))
        return VariableId(i);
    return {};
  }

  std::vector<Covered> covers() {
    std::vector<Covered> result;
    for (size_t i = pick(3); i > 0; --i)
      result.push_back({"edge " + std::to_string(i), pick(2) ? Span{uint32_t(pick(9)), 0, 1} : Span{}});
    return result;
  }

  SendNode send(size_t depth) {
    SendNode send{.channel = ChannelId(pick(2) ? 0 : 1 + 2 * pick(2))};
    for (const Member& parameter : b_.suite.model[send.channel].parameters)
      send.arguments.push_back(expr(parameter.type, 2));
    send.covers = covers();
    std::vector<bool> before = assigned_;
    send.stamp = stamp();
    if (send.stamp.valid())
      assigned_[send.stamp.value] = true;
    send.next = node(depth - 1);
    assigned_ = before;
    return send;
  }

  AwaitNode await(size_t depth) {
    AwaitNode await;
    for (size_t i = pick(3); i > 0; --i)
      await.branches.push_back(branch(depth));
    await.until = expr(b_.suite.model.types.real(), 2);
    await.timeout = node(depth - 1);
    await.allows = pick(2) ? "nothing" : "";
    return await;
  }

  AwaitBranch branch(size_t depth) {
    TypeId real = b_.suite.model.types.real();
    AwaitBranch branch{.channel = ChannelId(2 * pick(3))};
    for (TimeBound* bound : {&branch.from, &branch.to})
      if (pick(2))
        *bound = {expr(real, 2), pick(2) == 0};
    message_ = branch.channel;
    branch.guard = expr(b_.suite.model.types.boolean(), 3);
    branch.stamp = stamp();
    const auto& variables = b_.suite.cases.back().variables;
    for (size_t i = 0; i < variables.size(); ++i)
      if (VariableId(i) != branch.stamp && pick(3) == 0)
        branch.updates.push_back({VariableId(i), expr(variables[i].type, 2)});
    message_ = {};
    branch.covers = covers();
    std::vector<bool> before = assigned_;
    if (branch.stamp.valid())
      assigned_[branch.stamp.value] = true;
    for (const Update& update : branch.updates)
      assigned_[update.variable.value] = true;
    branch.next = node(depth - 1);
    assigned_ = before;
    return branch;
  }

  std::mt19937_64 random_;
  SuiteBuilder b_;
  std::vector<TypeId> types_;
  std::vector<bool> assigned_;
  ChannelId message_;
  std::vector<TestNodeId> verdicts_;
};

} // namespace

TestSuite randomSuite(uint64_t seed) {
  return RandomSuite(seed).run();
}

} // namespace tioc::test
