#include "ir/verify.hpp"

#include "ir/print.hpp"
#include "ir/typing.hpp"

#include <algorithm>

namespace tioc::ir {

namespace {

class Verifier {
public:
  explicit Verifier(const Model& model) : model_(model), pool_(model.exprs) {}

  std::vector<std::string> run() {
    expressions();
    for (const Variable& variable : model_.variables)
      if (variable.initial.valid())
        assignable(variable.initial, variable.type, "initial value of " + variable.name);
    for (size_t i = 0; i < model_.automata.size(); ++i)
      automaton(AutomatonId(i));
    for (const System& system : model_.systems)
      components(system);
    for (const Suite& suite : model_.suites) {
      check(suite.subject.value < model_.systems.size(), "suite " + suite.name + " has no subject");
      for (AutomatonId id : suite.purposes)
        check(id.value < model_.automata.size() && model_[id].kind == AutomatonKind::Purpose,
              "suite " + suite.name + " names no purpose");
    }
    return std::move(problems_);
  }

private:
  template <class Text>
  void check(bool holds, const Text& problem) {
    if (!holds)
      problems_.push_back(problem);
  }

  void expressions() {
    locals_.resize(pool_.size());
    parameters_.resize(pool_.size());
    for (size_t i = 0; i < pool_.size(); ++i) {
      ExprId id(i);
      locals_[i] = pool_.op(id) == Op::Local ? pool_.payload(id) + 1 : 0;
      parameters_[i] = pool_.op(id) == Op::Parameter ? pool_.payload(id) + 1 : 0;
      for (ExprId operand : pool_.operands(id)) {
        if (!(operand < id)) {
          check(false, "expression " + std::to_string(i) + " uses a later one");
          continue;
        }
        locals_[i] = std::max(locals_[i], locals_[operand.value]);
        parameters_[i] = std::max(parameters_[i], parameters_[operand.value]);
      }
      if (!typed(id))
        problems_.push_back("expression " + std::to_string(i) + " (" + opName(pool_.op(id)) + ") has the wrong types");
    }
  }

  bool typed(ExprId id) const {
    std::vector<TypeId> operands;
    for (ExprId operand : pool_.operands(id))
      operands.push_back(pool_.type(operand));
    TypeId type = pool_.type(id);
    if (typeOf(model_, pool_.op(id), pool_.payload(id), type, operands) != type)
      return false;
    if (pool_.op(id) == Op::Variable)
      return pool_.payload(id) < model_.variables.size() &&
             type == model_.types.unranged(model_.variables[pool_.payload(id)].type);
    return pool_.op(id) != Op::Number || type == model_.types.real() || pool_.number(id)->isInteger();
  }

  void assignable(ExprId value, TypeId type, const std::string& what) {
    check(value.value < pool_.size() && pool_.type(value) == model_.types.unranged(type), what + " has the wrong type");
  }

  void isTime(ExprId value, const std::string& what) {
    check(value.value < pool_.size() && pool_.type(value) == model_.types.real(), what + " is not a time");
  }

  void isCondition(ExprId value, const std::string& what) {
    check(value.value < pool_.size() && pool_.type(value) == model_.types.boolean(), what + " is not a condition");
  }

  void guard(const Guard& guard, const std::string& what) {
    isCondition(guard.data, what);
    for (const ClockConstraint& c : guard.clocks) {
      check(c.left.value < model_.clocks.size() && c.right.value < model_.clocks.size() && c.left != c.right,
            what + " names no clock");
      isTime(c.bound, "a bound in " + what);
    }
  }

  void automaton(AutomatonId id) {
    const Automaton& a = model_[id];
    auto own = [&](LocationId location) {
      return location.value < model_.locations.size() && model_[location].automaton == id;
    };
    check(own(a.initial), a.name + " has no initial location");
    isCondition(a.initialCondition, "initial condition of " + a.name);
    for (VariableId v : a.variables)
      check(v.value < model_.variables.size() && model_[v].owner == id,
            a.name + " lists a variable of another automaton");
    for (ClockId c : a.clocks)
      check(c.value < model_.clocks.size() && model_[c].owner == id, a.name + " lists a clock of another automaton");
    for (LocationId l : a.locations) {
      check(own(l), a.name + " lists a location of another automaton");
      guard(model_[l].invariant, "invariant of " + a.name + "." + model_[l].name);
    }
    for (GroupId g : a.groups) {
      const TimingGroup& group = model_[g];
      check(group.automaton == id && !group.locations.empty(), a.name + " has a broken timing group");
      isTime(group.timeout, "timeout of " + group.name);
      for (LocationId l : group.locations)
        check(own(l), "group " + group.name + " holds a foreign location");
    }
    for (EdgeId e : a.edges)
      edge(a, id, model_[e]);
    check(a.kind != AutomatonKind::Purpose || a.subject.value < model_.systems.size(), a.name + " has no subject");
  }

  /// An expression of an edge speaks of the parameters that edge and automaton have.
  void leaves(ExprId expr, const Automaton& a, const Edge& edge, const std::string& what) {
    check(locals_[expr.value] <= edge.parameters.size(), what + " speaks of a parameter it lacks");
    check(parameters_[expr.value] <= a.parameters.size(), what + " speaks of an automaton parameter it lacks");
  }

  void edge(const Automaton& a, AutomatonId id, const Edge& edge) {
    std::string what = "edge of " + a.name;
    check(edge.source.value < model_.locations.size() && model_[edge.source].automaton == id,
          what + " starts elsewhere");
    check(edge.target.value < model_.locations.size() && model_[edge.target].automaton == id, what + " ends elsewhere");
    guard(edge.guard, "guard of an " + what);
    if (edge.deadline)
      guard(*edge.deadline, "deadline of an " + what);
    bool message = edge.action == ActionKind::Receive || edge.action == ActionKind::Send;
    check(message == edge.channel.valid(), what + " and its channel do not fit");
    if (message) {
      check(edge.channel.value < model_.channels.size(), what + " names no channel");
      check(edge.parameters.size() == model_[edge.channel].parameters.size(),
            what + " has the wrong number of parameters");
    }
    leaves(edge.guard.data, a, edge, what);
    for (size_t i = 0; i < edge.updates.size(); ++i) {
      const Update& update = edge.updates[i];
      for (size_t j = 0; j < i; ++j)
        check(edge.updates[j].variable != update.variable, what + " writes a variable twice");
      leaves(update.value, a, edge, what);
      assignable(update.value, model_[update.variable].type, "value for " + model_[update.variable].name);
    }
    for (const Reset& reset : edge.resets) {
      check(reset.clock.value < model_.clocks.size() && reset.clock != Model::zeroClock(), what + " resets no clock");
      isTime(reset.value, "reset in " + what);
    }
    if (edge.minDuration.valid()) {
      isTime(edge.minDuration, "duration");
      isTime(edge.maxDuration, "duration");
    }
    check((edge.action == ActionKind::Delay) == edge.delayGroup.valid(), what + " and its timing group do not fit");
  }

  void components(const System& system) {
    for (const Component& component : system.components) {
      check(component.automaton.value < model_.automata.size(), system.name + " has no such component");
      const auto& parameters = model_[component.automaton].parameters;
      check(parameters.size() == component.arguments.size(),
            system.name + " gives " + component.name + " the wrong number of arguments");
      for (size_t i = 0; i < std::min(parameters.size(), component.arguments.size()); ++i)
        assignable(component.arguments[i], parameters[i].type, "argument of " + component.name);
    }
  }

  const Model& model_;
  const ExprPool& pool_;
  std::vector<uint32_t> locals_;     // per expression: one more than the largest index of a message parameter in it
  std::vector<uint32_t> parameters_; // the same for parameters of the automaton
  std::vector<std::string> problems_;
};

} // namespace

std::vector<std::string> verify(const Model& model) {
  return Verifier(model).run();
}

} // namespace tioc::ir
