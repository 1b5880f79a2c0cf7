#include "ir/test.hpp"
#include "ir/typing.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace tioc::ir {

namespace {

using Assigned = std::vector<bool>; // per variable: surely has a value

class SuiteVerifier {
public:
  explicit SuiteVerifier(const TestSuite& suite) : suite_(suite), model_(suite.model), pool_(suite.model.exprs) {}

  std::vector<std::string> run() {
    check(model_.secondsPerUnit.sign() > 0, "a time unit lasts no time");
    check(suite_.tolerance.sign() >= 0, "the tolerance is negative");
    declarations();
    // Everything below looks types up.
    if (problems_.empty())
      for (const TestCase& test : suite_.cases)
        testCase(test);
    return std::move(problems_);
  }

private:
  void check(bool holds, const std::string& problem) {
    if (!holds)
      problems_.push_back(problem);
  }

  template <class List>
  void unique(const List& list, const std::string& what) {
    std::unordered_set<std::string> names;
    for (const auto& item : list) {
      const std::string& name = nameOf(item);
      check(!name.empty(), what + " has no name");
      check(names.insert(name).second, what + " " + name + " is there twice");
    }
  }
  static const std::string& nameOf(const std::string& name) { return name; }
  template <class T>
  static const std::string& nameOf(const T& item) {
    return item.name;
  }

  // ---- types and channels

  void declarations() {
    unique(model_.enums, "enumeration");
    unique(model_.records, "record");
    unique(model_.channels, "channel");
    unique(suite_.cases, "test");
    for (const Enum& one : model_.enums)
      unique(one.literals, "literal of " + one.name + ":");
    for (const Record& record : model_.records)
      members(record.fields, "field of " + record.name + ":");
    for (const Channel& channel : model_.channels)
      members(channel.parameters, "parameter of " + channel.name + ":");
    for (size_t i = 0; i < model_.types.size(); ++i) {
      const Type& type = model_.types[TypeId(i)];
      check(type.kind != TypeKind::Enum || type.enumeration.value < model_.enums.size(), "a type names no enumeration");
      check(type.kind != TypeKind::Record || type.record.value < model_.records.size(), "a type names no record");
      check(type.kind != TypeKind::Array || type.element.value < i, "an array is part of itself");
    }
    for (size_t i = 0; i < model_.records.size() && problems_.empty(); ++i)
      for (const Member& field : model_.records[i].fields)
        check(!contains(field.type, RecordId(i)), "record " + model_.records[i].name + " is part of itself");
  }

  void members(const std::vector<Member>& list, const std::string& what) {
    unique(list, what);
    for (const Member& member : list)
      check(member.type.value < model_.types.size(), what + " " + member.name + " has no type");
  }

  bool contains(TypeId start, RecordId wanted) const {
    std::vector<TypeId> open{start};
    std::unordered_set<TypeId> seen;
    while (!open.empty()) {
      TypeId id = open.back();
      open.pop_back();
      if (!seen.insert(id).second)
        continue;
      const Type& type = model_.types[id];
      if (type.kind == TypeKind::Array)
        open.push_back(type.element);
      if (type.kind != TypeKind::Record)
        continue;
      if (type.record == wanted)
        return true;
      for (const Member& field : model_[type.record].fields)
        open.push_back(field.type);
    }
    return false;
  }

  // ---- one test

  void testCase(const TestCase& test) {
    test_ = &test;
    where_ = "test " + test.name + ": ";
    typed_.clear();
    unique(test.variables, where_ + "variable");
    for (const TestVariable& variable : test.variables)
      if (variable.type.value >= model_.types.size())
        return check(false, where_ + variable.name + " has no type");
    Assigned start(test.variables.size(), false);
    for (size_t i = 0; i < test.variables.size(); ++i)
      if (ExprId initial = test.variables[i].initial; initial.valid()) {
        expression(initial, model_.types.unranged(test.variables[i].type), start, ChannelId(),
                   "initial value of " + test.variables[i].name);
        check(initial.value >= pool_.size() || pool_.isConstant(initial), where_ + "an initial value is no constant");
      }
    for (size_t i = 0; i < test.variables.size(); ++i) {
      const TestVariable& variable = test.variables[i];
      start[i] = variable.initial.valid();
      check(!variable.isSlack || (variable.type == model_.types.real() && start[i]),
            where_ + variable.name + " is slack, but no real number that is 0 at first");
    }
    std::optional<std::vector<TestNodeId>> order = topological();
    if (!order)
      return;
    std::vector<std::optional<Assigned>> known(test.nodes.size());
    known[0] = start;
    for (TestNodeId id : *order) {
      where_ = "test " + test.name + ", node " + std::to_string(id.value) + ": ";
      node(test[id], *known[id.value], known);
    }
  }

  /// Every node behind all that lead to it; nothing if there is a node that cannot stand so.
  std::optional<std::vector<TestNodeId>> topological() {
    size_t count = test_->nodes.size();
    if (count == 0) {
      check(false, where_ + "there is no node");
      return std::nullopt;
    }
    std::vector<uint32_t> uses(count, 0);
    for (const TestNode& node : test_->nodes)
      for (TestNodeId next : successors(node)) {
        if (next.value >= count) {
          check(false, where_ + "a step leads nowhere");
          return std::nullopt;
        }
        ++uses[next.value];
      }
    std::vector<TestNodeId> order;
    if (uses[0] == 0)
      order.push_back(TestNodeId(0));
    for (size_t i = 0; i < order.size(); ++i)
      for (TestNodeId next : successors((*test_)[order[i]]))
        if (--uses[next.value] == 0)
          order.push_back(next);
    if (order.size() == count)
      return order;
    check(false, where_ + "a path meets a node twice, or a node is never reached");
    return std::nullopt;
  }

  void node(const TestNode& node, const Assigned& assigned, std::vector<std::optional<Assigned>>& known) {
    auto reaches = [&](TestNodeId next, const Assigned& with) {
      std::optional<Assigned>& there = known[next.value];
      if (!there)
        there = with;
      else
        for (size_t i = 0; i < with.size(); ++i)
          (*there)[i] = (*there)[i] && with[i];
    };
    if (const auto* send = std::get_if<SendNode>(&node)) {
      arguments(*send, assigned);
      Assigned after = assigned;
      stamped(send->stamp, after);
      reaches(send->next, after);
    } else if (const auto* await = std::get_if<AwaitNode>(&node)) {
      expression(await->until, model_.types.real(), assigned, ChannelId(), "end of a wait");
      for (const AwaitBranch& one : await->branches)
        reaches(one.next, branch(one, assigned));
      reaches(await->timeout, assigned);
    }
  }

  void arguments(const SendNode& send, const Assigned& assigned) {
    if (send.channel.value >= model_.channels.size())
      return check(false, where_ + "a send names no channel");
    const Channel& channel = model_[send.channel];
    check(isStimulus(channel), where_ + channel.name + " is nothing to send");
    if (channel.parameters.size() != send.arguments.size())
      return check(false, where_ + "wrong number of arguments for " + channel.name);
    for (size_t i = 0; i < send.arguments.size(); ++i)
      expression(send.arguments[i], model_.types.unranged(channel.parameters[i].type), assigned, ChannelId(),
                 "argument of " + channel.name);
  }

  Assigned branch(const AwaitBranch& branch, const Assigned& assigned) {
    Assigned after = assigned;
    if (branch.channel.value >= model_.channels.size()) {
      check(false, where_ + "a branch names no channel");
      return after;
    }
    const Channel& channel = model_[branch.channel];
    check(isObservable(channel), where_ + channel.name + " is nothing to wait for");
    expression(branch.guard, model_.types.boolean(), assigned, branch.channel, "guard of " + channel.name);
    for (const TimeBound* bound : {&branch.from, &branch.to})
      if (bound->time.valid())
        expression(bound->time, model_.types.real(), assigned, ChannelId(), "window of " + channel.name);
    std::unordered_set<VariableId> written;
    if (branch.stamp.valid())
      written.insert(branch.stamp);
    for (const Update& update : branch.updates) {
      if (update.variable.value >= test_->variables.size()) {
        check(false, where_ + "an update names no variable");
        continue;
      }
      const TestVariable& variable = test_->variables[update.variable.value];
      check(written.insert(update.variable).second, where_ + variable.name + " is written twice");
      check(!variable.isSlack, where_ + variable.name + " is written, but says how times are measured");
      expression(update.value, model_.types.unranged(variable.type), assigned, branch.channel,
                 "value for " + variable.name);
      after[update.variable.value] = true;
    }
    stamped(branch.stamp, after);
    return after;
  }

  void stamped(VariableId stamp, Assigned& assigned) {
    if (!stamp.valid())
      return;
    if (stamp.value >= assigned.size())
      return check(false, where_ + "a stamp names no variable");
    check(test_->variables[stamp.value].type == model_.types.real() && !test_->variables[stamp.value].isSlack,
          where_ + "a stamp is no time");
    assigned[stamp.value] = true;
  }

  // ---- expressions

  /// What an expression speaks of, and whether all below it fits together.
  struct Facts {
    bool fits = true;
    std::vector<uint32_t> variables;
    std::vector<ExprId> locals;
  };

  const Facts& facts(ExprId root) {
    auto [it, fresh] = typed_.try_emplace(root);
    Facts& result = it->second;
    if (!fresh)
      return result;
    pool_.visit(root, [&](ExprId id) {
      std::vector<TypeId> operands;
      for (ExprId operand : pool_.operands(id))
        operands.push_back(pool_.type(operand));
      TypeId type = pool_.type(id);
      result.fits &= type.value < model_.types.size() &&
                     typeOf(model_, pool_.op(id), pool_.payload(id), type, operands) == type &&
                     pool_.op(id) != Op::Parameter;
      if (pool_.op(id) == Op::Variable) {
        bool known = pool_.payload(id) < test_->variables.size();
        result.fits &= known && type == model_.types.unranged(test_->variables[pool_.payload(id)].type);
        if (known)
          result.variables.push_back(pool_.payload(id));
      } else if (pool_.op(id) == Op::Local) {
        result.locals.push_back(id);
      }
    });
    return result;
  }

  void expression(ExprId id, TypeId type, const Assigned& assigned, ChannelId message, const std::string& what) {
    if (id.value >= pool_.size())
      return check(false, where_ + what + " is missing");
    check(pool_.type(id) == type, where_ + what + " has the wrong type");
    check(pool_.treeSize(id) <= kMaxTestExprSize && pool_.depth(id) <= kMaxTestExprDepth,
          where_ + what + " is too large");
    const Facts& known = facts(id);
    check(known.fits, where_ + what + " has operands that do not fit");
    for (uint32_t variable : known.variables)
      check(assigned[variable], where_ + what + " reads " + test_->variables[variable].name + " before it is set");
    for (ExprId local : known.locals)
      check(message.valid() && pool_.payload(local) < model_[message].parameters.size() &&
                pool_.type(local) == model_.types.unranged(model_[message].parameters[pool_.payload(local)].type),
            where_ + what + " speaks of a message parameter that is not there");
  }

  const TestSuite& suite_;
  const Model& model_;
  const ExprPool& pool_;
  const TestCase* test_ = nullptr;
  std::string where_;
  std::unordered_map<ExprId, Facts> typed_;
  std::vector<std::string> problems_;
};

} // namespace

std::vector<std::string> verify(const TestSuite& suite) {
  return SuiteVerifier(suite).run();
}

} // namespace tioc::ir
