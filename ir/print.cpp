#include "ir/print.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tioc::ir {

const char* word(AutomatonKind kind) {
  static constexpr const char* kWords[] = {"tiosts", "ests", "vdta", "purpose"};
  return kWords[static_cast<size_t>(kind)];
}

const char* word(Direction direction) {
  static constexpr const char* kWords[] = {"input", "output", "inout", "internal"};
  return kWords[static_cast<size_t>(direction)];
}

const char* word(Urgency urgency) {
  static constexpr const char* kWords[] = {"lazy", "delayable", "eager"};
  return kWords[static_cast<size_t>(urgency)];
}

const char* word(Goal goal) {
  static constexpr const char* kWords[] = {"states",   "edges",      "edge_pairs", "def_use",
                                           "boundary", "conditions", "purposes"};
  return kWords[static_cast<size_t>(goal)];
}

const char* word(Timing timing) {
  static constexpr const char* kWords[] = {"earliest", "latest", "middle", "boundary", "random"};
  return kWords[static_cast<size_t>(timing)];
}

const char* word(DataChoice choice) {
  static constexpr const char* kWords[] = {"any", "boundary", "random"};
  return kWords[static_cast<size_t>(choice)];
}

namespace {

/// `r := SetField(r, f, v)` is written `r.f := v`; several changes of one variable become several assignments.
class AssignmentPrinter {
public:
  AssignmentPrinter(const Model& model, const Edge& edge, const Automaton& automaton)
      : model_(model), pool_(model.exprs), edge_(edge), automaton_(automaton) {}

  std::string print() {
    for (const Update& update : edge_.updates)
      assign(model_[update.variable].name, update.value,
             [&](ExprId id) { return pool_.op(id) == Op::Variable && pool_.payload(id) == update.variable.value; });
    for (const Reset& reset : edge_.resets) {
      if (reset.source.valid())
        push(model_[reset.clock].name, model_[reset.source].name);
      else
        push(model_[reset.clock].name, printTime(model_, reset.value, &edge_, &automaton_));
    }
    return text_;
  }

private:
  void push(const std::string& place, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + place + " := " + value;
  }

  /// `isPlace` recognises the old value of the place, on which a chain of changes ends.
  bool endsInPlace(ExprId value, const std::function<bool(ExprId)>& isPlace) const {
    while (pool_.op(value) == Op::SetField || pool_.op(value) == Op::SetElement)
      value = pool_.operands(value)[0];
    return isPlace(value);
  }

  void assign(const std::string& place, ExprId value, const std::function<bool(ExprId)>& isPlace) {
    bool change = pool_.op(value) == Op::SetField || pool_.op(value) == Op::SetElement;
    if (!change || !endsInPlace(value, isPlace)) {
      push(place, printExpr(model_, value, &edge_, &automaton_));
      return;
    }
    auto ops = pool_.operands(value);
    if (!isPlace(ops[0]))
      assign(place, ops[0], isPlace);
    if (pool_.op(value) == Op::SetField) {
      uint32_t index = pool_.payload(value);
      const Record& record = model_[model_.types[pool_.type(value)].record];
      assign(place + "." + record.fields[index].name, ops[1], [&](ExprId id) {
        return pool_.op(id) == Op::Field && pool_.payload(id) == index && isPlace(pool_.operands(id)[0]);
      });
    } else {
      ExprId at = ops[1];
      assign(place + "[" + printExpr(model_, at, &edge_, &automaton_) + "]", ops[2], [&](ExprId id) {
        return pool_.op(id) == Op::Element && pool_.operands(id)[1] == at && isPlace(pool_.operands(id)[0]);
      });
    }
  }

  const Model& model_;
  const ExprPool& pool_;
  const Edge& edge_;
  const Automaton& automaton_;
  std::string text_;
};

/// Which message parameters are written as terms, `c!(e)`: unnamed ones that the leading conjuncts of the guard define,
/// in their order, and nothing else mentions.
struct OutputTerms {
  std::vector<ExprId> terms; // one per parameter; invalid where there is none
  size_t conjuncts = 0;      // that the terms say
  std::vector<bool> named;   // mentioned elsewhere, so that they need a name
};

OutputTerms outputTerms(const Model& model, const Edge& edge) {
  const ExprPool& pool = model.exprs;
  OutputTerms result;
  result.terms.resize(edge.parameters.size());
  std::vector<ExprId> parts = pool.conjuncts(edge.guard.data);
  uint32_t next = 0;
  for (ExprId part : parts) {
    auto define = [&]() -> bool {
      bool isBool =
          pool.op(part) == Op::Local || (pool.op(part) == Op::Not && pool.op(pool.operands(part)[0]) == Op::Local);
      if (!isBool && pool.op(part) != Op::Equal)
        return false;
      ExprId local = pool.op(part) == Op::Local ? part : pool.operands(part)[0];
      if (pool.op(local) != Op::Local || pool.payload(local) < next ||
          !edge.parameters[pool.payload(local)].name.empty())
        return false;
      if (isBool) {
        result.terms[pool.payload(local)] = ExprId(pool.op(part) == Op::Local ? 1 : 0);
      } else {
        bool usesLocals = false;
        pool.visit(pool.operands(part)[1], [&](ExprId id) { usesLocals |= pool.op(id) == Op::Local; });
        if (usesLocals)
          return false;
        result.terms[pool.payload(local)] = pool.operands(part)[1];
      }
      next = pool.payload(local) + 1;
      return true;
    };
    if (!define())
      break;
    ++result.conjuncts;
  }
  result.named.resize(edge.parameters.size());
  auto mark = [&](ExprId expr) {
    pool.visit(expr, [&](ExprId id) {
      if (pool.op(id) == Op::Local)
        result.named[pool.payload(id)] = true;
    });
  };
  for (size_t i = result.conjuncts; i < parts.size(); ++i)
    mark(parts[i]);
  for (const Update& update : edge.updates)
    mark(update.value);
  for (size_t i = 0; i < edge.parameters.size(); ++i)
    if (result.named[i] && result.terms[i].valid()) {
      // Then all of it stays a guard: the order of the conjuncts must not change.
      for (size_t j = 0; j < result.conjuncts; ++j)
        mark(parts[j]);
      result.terms.assign(edge.parameters.size(), ExprId());
      result.conjuncts = 0;
    }
  return result;
}

std::string trigger(const Model& model, const Edge& edge, const Automaton& automaton, Guard& rest) {
  rest = edge.guard;
  switch (edge.action) {
  case ActionKind::Internal:
    return "tau";
  case ActionKind::Otherwise:
    return "otherwise";
  case ActionKind::Completion:
  case ActionKind::Update:
    return "";
  case ActionKind::Delay:
    return "after " + printTime(model, model[edge.delayGroup].timeout, nullptr, &automaton);
  case ActionKind::Receive:
  case ActionKind::Send:
    break;
  }
  OutputTerms terms = outputTerms(model, edge);
  std::string text = model[edge.channel].name + (edge.action == ActionKind::Receive ? "?" : "!");
  if (!edge.parameters.empty()) {
    text += "(";
    for (size_t i = 0; i < edge.parameters.size(); ++i) {
      text += i ? ", " : "";
      if (terms.terms[i].valid())
        text += printExpr(model, terms.terms[i], &edge, &automaton);
      else
        text += !edge.parameters[i].name.empty() ? edge.parameters[i].name
                : terms.named[i]                 ? "_p" + std::to_string(i)
                                                 : "_";
    }
    text += ")";
  }
  // What the terms already say is left out of the guard; a pool is not needed, the rest is printed part by part.
  if (terms.conjuncts > 0)
    rest.data = ExprId();
  return text;
}

std::string guardText(const Model& model, const Edge& edge, const Automaton& automaton, const Guard& rest) {
  if (rest.data.valid())
    return printGuard(model, rest, &edge, &automaton);
  std::string text;
  std::vector<ExprId> parts = model.exprs.conjuncts(edge.guard.data);
  size_t first = outputTerms(model, edge).conjuncts;
  for (size_t i = first; i < parts.size(); ++i) {
    bool alone = i + 1 == parts.size() && first + 1 == parts.size() && rest.clocks.empty();
    std::string part = printExpr(model, parts[i], &edge, &automaton);
    bool wrap = !alone && (model.exprs.op(parts[i]) == Op::Or || model.exprs.op(parts[i]) == Op::IfThenElse);
    text += (text.empty() ? "" : " && ") + (wrap ? "(" + part + ")" : part);
  }
  std::string clocks = printGuard(model, {ExprId(), rest.clocks}, &edge, &automaton);
  return text.empty() || clocks.empty() ? text + clocks : text + " && " + clocks;
}

} // namespace

std::string printEdge(const Model& model, const Edge& edge, const Automaton& automaton) {
  std::string text = edge.name.empty() ? "" : edge.name + ": ";
  auto word_ = [&](const std::string& part) { text += (text.empty() || text.back() == ' ' ? "" : " ") + part; };
  if (edge.urgency != defaultUrgency(automaton.kind, edge.action))
    word_(word(edge.urgency));
  Guard rest;
  if (std::string label = trigger(model, edge, automaton, rest); !label.empty())
    word_(label);
  if (std::string guard = guardText(model, edge, automaton, rest); !guard.empty())
    word_("when " + guard);
  if (std::string actions = AssignmentPrinter(model, edge, automaton).print(); !actions.empty())
    word_("do " + actions);
  if (edge.minDuration.valid()) {
    std::string takes = "takes " + printTime(model, edge.minDuration, &edge, &automaton);
    if (edge.maxDuration != edge.minDuration)
      takes += " .. " + printTime(model, edge.maxDuration, &edge, &automaton);
    word_(takes);
  }
  if (edge.jitter.valid())
    word_("jitter " + printTime(model, edge.jitter, &edge, &automaton));
  if (edge.priority != 0)
    word_("priority " + std::to_string(edge.priority));
  if (edge.weight != Rational(1))
    word_("weight " + edge.weight.toString());
  word_("-> " + model[edge.target].name);
  return text;
}

namespace {

class ModelPrinter {
public:
  explicit ModelPrinter(const Model& model) : model_(model) {}

  std::string print() {
    line(0, "module " + model_.name + ";");
    timescale();
    types();
    channels();
    sharedDeclarations();
    for (const Automaton& automaton : model_.automata)
      printAutomaton(automaton);
    systems();
    for (const Suite& suite : model_.suites)
      printSuite(suite);
    return std::move(text_);
  }

private:
  void line(int indent, const std::string& content) { text_ += std::string(2 * indent, ' ') + content + "\n"; }

  void timescale() {
    // The largest unit in which the scale is a whole number.
    static const std::pair<const char*, Rational> kUnits[] = {
        {"s", 1}, {"ms", Rational(1, 1000)}, {"us", Rational(1, 1000000)}, {"ns", Rational(1, 1000000000)}};
    for (const auto& [unit, seconds] : kUnits) {
      Rational amount = model_.secondsPerUnit / seconds;
      if (amount.isInteger()) {
        line(0, "timescale " + amount.toString() + " " + unit + ";");
        return;
      }
    }
    line(0, "timescale " + model_.secondsPerUnit.numerator().toString() + "/" +
                model_.secondsPerUnit.denominator().toString() + " s;");
  }

  std::string members(const std::vector<Member>& list) const {
    std::string text;
    for (const Member& member : list)
      text += (text.empty() ? "" : ", ") + member.name + ": " + printType(model_, member.type);
    return text;
  }

  void types() {
    for (const Enum& item : model_.enums) {
      std::string literals;
      for (const std::string& literal : item.literals)
        literals += (literals.empty() ? "" : ", ") + literal;
      line(0, "enum " + item.name + " { " + literals + " }");
    }
    for (const Record& record : model_.records)
      line(0, "record " + record.name + " { " + members(record.fields) + " }");
  }

  void channels() {
    for (const Channel& channel : model_.channels) {
      std::string text = channel.open ? "open " : "";
      text += channel.broadcast ? "broadcast " : "";
      text += std::string(word(channel.direction)) + " " + channel.name;
      if (!channel.parameters.empty())
        text += "(" + members(channel.parameters) + ")";
      line(0, text + ";");
    }
  }

  void declare(int indent, const Variable& variable) {
    std::string text = variable.role == Role::Plain ? "var " : variable.role == Role::Input ? "input " : "output ";
    text += variable.name + ": " + printType(model_, variable.type);
    if (variable.initial.valid())
      text += " = " +
              printExpr(model_, variable.initial, nullptr, variable.owner.valid() ? &model_[variable.owner] : nullptr);
    line(indent, text + ";");
  }

  void sharedDeclarations() {
    for (const Variable& variable : model_.variables)
      if (!variable.owner.valid())
        declare(0, variable);
    for (size_t i = 1; i < model_.clocks.size(); ++i)
      if (!model_.clocks[i].owner.valid())
        line(0, "clock " + model_.clocks[i].name + ";");
  }

  void printAutomaton(const Automaton& automaton) {
    std::string head = std::string("\n") + word(automaton.kind) + " " + automaton.name;
    if (automaton.kind == AutomatonKind::Purpose)
      head += " for " + model_[automaton.subject].name;
    if (!automaton.parameters.empty())
      head += "(" + members(automaton.parameters) + ")";
    line(0, head + " {");
    std::set<ClockId> groupClocks;
    for (GroupId id : automaton.groups)
      groupClocks.insert(model_[id].clock);
    for (VariableId id : automaton.variables)
      declare(1, model_[id]);
    for (ClockId id : automaton.clocks)
      if (!groupClocks.contains(id))
        line(1, "clock " + model_[id].name + ";");
    if (automaton.deadlines == Deadlines::Location)
      line(1, "deadlines location;");
    std::string init = "init " + model_[automaton.initial].name;
    if (!model_.exprs.isTrue(automaton.initialCondition))
      init += " when " + printExpr(model_, automaton.initialCondition, nullptr, &automaton);
    line(1, init + ";");
    std::unordered_map<LocationId, std::vector<EdgeId>> leaving;
    for (EdgeId id : automaton.edges)
      leaving[model_[id].source].push_back(id);
    for (LocationId id : automaton.locations)
      if (automaton.kind != AutomatonKind::Purpose || model_[id].mark == Mark::None)
        printLocation(automaton, id, leaving[id]);
    for (GroupId id : automaton.groups)
      if (!model_[id].implicit)
        printGroup(automaton, id);
    line(0, "}");
  }

  void printLocation(const Automaton& automaton, LocationId id, const std::vector<EdgeId>& leaving) {
    const Location& location = model_[id];
    std::string head = location.committed ? "committed state " : location.urgent ? "urgent state " : "state ";
    head += location.name;
    if (std::string invariant = printGuard(model_, location.invariant, nullptr, &automaton); !invariant.empty())
      head += " invariant " + invariant;
    line(1, head + " {");
    for (EdgeId edge : leaving) {
      bool inGroup = model_[edge].action == ActionKind::Delay && !model_[model_[edge].delayGroup].implicit;
      if (!inGroup)
        line(2, printEdge(model_, model_[edge], automaton) + ";" + deadline(automaton, model_[edge]));
    }
    line(1, "}");
  }

  /// The language gives an edge and its deadline one guard; where a product has set them apart, a comment tells.
  std::string deadline(const Automaton& automaton, const Edge& edge) const {
    if (!edge.deadline)
      return "";
    std::string guard = printGuard(model_, *edge.deadline, &edge, &automaton);
    return "  // deadline: " + (guard.empty() ? "always" : guard);
  }

  void printGroup(const Automaton& automaton, GroupId id) {
    const TimingGroup& group = model_[id];
    line(1, "group " + group.name + restarts(automaton, id) + " {");
    std::string names;
    for (LocationId location : group.locations)
      names += (names.empty() ? "" : ", ") + model_[location].name;
    line(2, "states " + names + ";");
    // A delay edge of the group stands once for each of its states and is shown once. In a product they may lead to
    // different places: then each is shown.
    std::map<std::string, std::vector<std::string>> delays;
    std::vector<std::string> order;
    for (EdgeId edge : automaton.edges) {
      if (model_[edge].delayGroup != id)
        continue;
      std::string text = printEdge(model_, model_[edge], automaton) + ";";
      auto [it, fresh] = delays.try_emplace(text);
      if (fresh)
        order.push_back(text);
      it->second.push_back(model_[model_[edge].source].name);
    }
    for (const std::string& text : order) {
      std::string from;
      if (delays[text].size() != group.locations.size())
        for (const std::string& name : delays[text])
          from += (from.empty() ? "  // from " : ", ") + name;
      line(2, text + from);
    }
    line(1, "}");
  }

  std::string restarts(const Automaton& automaton, GroupId id) const {
    bool standard = true;
    std::string text;
    std::set<std::pair<LocationId, LocationId>> seen;
    for (EdgeId edgeId : automaton.edges) {
      const Edge& edge = model_[edgeId];
      bool restarts = std::find(edge.restarts.begin(), edge.restarts.end(), id) != edge.restarts.end();
      standard &= restarts == restartsByDefault(model_, edge, id);
      if (restarts && seen.emplace(edge.source, edge.target).second)
        text += (text.empty() ? " restart on " : ", ") + model_[edge.source].name + " -> " + model_[edge.target].name;
    }
    return standard ? "" : text;
  }

  void systems() {
    for (const System& system : model_.systems) {
      if (system.implicit)
        continue;
      std::string text;
      for (const Component& component : system.components) {
        text += text.empty() ? "" : system.composition == Composition::Queue ? ", " : " || ";
        if (component.name != model_[component.automaton].name)
          text += component.name + ": ";
        text += model_[component.automaton].name;
        std::string arguments;
        for (ExprId argument : component.arguments)
          arguments += (arguments.empty() ? "" : ", ") + printExpr(model_, argument);
        if (!arguments.empty())
          text += "(" + arguments + ")";
      }
      if (system.composition == Composition::Queue)
        text = "queue(" + text + ")";
      line(0, "\nsystem " + system.name + " = " + text + ";");
    }
  }

  template <class T>
  void setting(const char* key, const std::vector<T>& values) {
    std::string text;
    for (T value : values)
      text += (text.empty() ? "" : ", ") + std::string(word(value));
    if (!text.empty())
      line(1, std::string(key) + " " + text + ";");
  }

  template <class T>
  void setting(const char* key, const std::optional<T>& value) {
    if (value)
      line(1, std::string(key) + " " + std::to_string(*value) + ";");
  }

  void printSuite(const Suite& suite) {
    line(0, "\nsuite " + suite.name + " for " + model_[suite.subject].name + " {");
    std::string purposes;
    for (AutomatonId id : suite.purposes)
      purposes += (purposes.empty() ? "" : ", ") + model_[id].name;
    if (!purposes.empty())
      line(1, "purpose " + purposes + ";");
    setting("cover", suite.goals);
    setting("timing", suite.timings);
    setting("data", suite.data);
    setting("random", suite.random);
    setting("length", suite.length);
    setting("depth", suite.depth);
    setting("loops", suite.loops);
    setting("digital", suite.digital);
    setting("seed", suite.seed);
    if (suite.tolerance)
      line(1, "tolerance " + suite.tolerance->toString() + ";");
    line(0, "}");
  }

  const Model& model_;
  std::string text_;
};

} // namespace

std::string print(const Model& model) {
  return ModelPrinter(model).print();
}

} // namespace tioc::ir
