#include "backend/ttcn3.hpp"

#include "backend/test_blocks.hpp"
#include "backend/ttcn3_data.hpp"
#include "ir/decide.hpp"

#include <algorithm>

namespace tioc::backend {

using namespace ir;

namespace {

class Ttcn3Emitter {
public:
  Ttcn3Emitter(const TestSuite& suite, const Ttcn3Options& options)
      : suite_(suite), options_(options), model_(suite.model), data_(model_), name_(identifier(suite.name)) {
    Names channels;
    for (const Channel& channel : model_.channels)
      channels_.push_back(channels.add(channel.name));
    Names cases;
    for (const TestCase& test : suite.cases)
      cases_.push_back(cases.add(test.name));
  }

  std::vector<EmittedFile> run() {
    module("Types", "the types of the model and how they travel", {}, data_.definitions());
    module("Templates", "what is sent, and what outputs look like", {"Types"}, templates());
    module("Params", "what depends on the test bench (PIXIT)", {}, parameters());
    module("Config", "how a test starts", {"Params"}, configuration());
    std::vector<std::string> parts;
    for (const auto& [first, last] : portions(suite_.cases.size(), options_.casesPerModule)) {
      parts.push_back("Cases" + std::to_string(parts.size() + 1));
      std::string text;
      for (size_t i = first; i < last; ++i)
        text += testCase(suite_.cases[i], cases_[i]);
      module(parts.back(), "test cases", {"Types", "Templates", "Config"}, text);
    }
    module("Control", "runs all test cases", parts, control());
    files_.push_back({name_ + ".cfg", configurationFile(), true});
    return std::move(files_);
  }

private:
  void module(const std::string& part, const std::string& about, const std::vector<std::string>& imports,
              const std::string& body) {
    std::string full = name_ + "_" + part;
    std::string text = "// Suite " + commentText(suite_.name) + " for " + commentText(suite_.system) + ": " + about +
                       ".\n// Generated; changes are lost.\nmodule " + full + " {\n  import from TioBase all;\n";
    for (const std::string& import : imports)
      text += "  import from " + name_ + "_" + import + " all;\n";
    files_.push_back({full + ".ttcn", text + "\n" + body + "}\n"});
  }

  // ---- templates, parameters, configuration

  std::string templates() const {
    std::string text;
    for (size_t i = 0; i < model_.channels.size(); ++i) {
      const Channel& channel = model_.channels[i];
      std::string name = Ttcn3Data::string(channel.name);
      if (isStimulus(channel)) {
        Names names;
        std::string formals, values;
        for (const Member& parameter : channel.parameters) {
          std::string formal = names.add("p_" + identifier(parameter.name));
          const std::string& type = data_.typeName(parameter.type);
          formals += (formals.empty() ? "in " : ", in ") + type + " " + formal;
          values += (values.empty() ? "" : ", ") + ("f_enc_" + type) + "(" + formal + ")";
        }
        text += "  template (value) TioInput m_" + channels_[i] + (formals.empty() ? "" : "(" + formals + ")") +
                " := {\n    channel := " + name + ",\n    args := {" + values + "},\n    at_ := {0, 1}\n  }\n\n";
      }
      if (isObservable(channel)) {
        std::string values;
        for (const Member& parameter : channel.parameters)
          values += (values.empty() ? "" : ", ") + data_.wireTemplate(parameter.type);
        text += "  template TioOutput mw_" + channels_[i] + " := {\n    channel := " + name + ",\n    args := {" +
                values + "},\n    nanos := ?\n  }\n\n";
      }
    }
    return text;
  }

  static std::string fraction(const Rational& value) {
    return "{" + value.numerator().toString() + ", " + value.denominator().toString() + "}";
  }

  std::string parameters() const {
    return "  // Seconds that one time unit takes, as a fraction.\n  modulepar TioReal PX_UNIT := " +
           fraction(model_.secondsPerUnit) +
           ";\n  // How far a measured time may be off, in time units; at most what the suite was made for.\n  "
           "modulepar TioReal PX_TOLERANCE := " +
           fraction(suite_.tolerance) + ";\n";
  }

  std::string configuration() const {
    return "  function f_start_" + name_ + "() runs on TioTester {\n    f_start(PX_UNIT, PX_TOLERANCE, " +
           fraction(suite_.tolerance) + ");\n  }\n";
  }

  std::string configurationFile() const {
    return "# Where the system under test listens, and how time passes on this test bench. Yours to change.\n"
           "[TESTPORT_PARAMETERS]\nsystem.SUT.address := \"127.0.0.1:4711\"\n\n[MODULE_PARAMETERS]\n# " +
           name_ + "_Params.PX_UNIT := " + fraction(model_.secondsPerUnit) + "\n# " + name_ +
           "_Params.PX_TOLERANCE := " + fraction(suite_.tolerance) + "\n\n[EXECUTE]\n" + name_ + "_Control.control\n";
  }

  std::string control() const {
    std::string text = "  control {\n";
    for (const std::string& one : cases_)
      text += "    execute(TC_" + name_ + "_" + one + "());\n";
    return text + "  }\n";
  }

  // ---- test cases

  std::string testCase(const TestCase& test, const std::string& name) {
    test_ = &test;
    case_ = name_ + "_" + name;
    Names variables;
    variables_.clear();
    std::string formals, actuals, declarations;
    for (const TestVariable& variable : test.variables) {
      if (variable.isSlack) {
        variables_.emplace_back("vc_tolerance");
        continue;
      }
      const std::string& type = data_.typeName(variable.type);
      std::string own = variables_.emplace_back(variables.add("v_" + identifier(variable.name)));
      formals += (formals.empty() ? "inout " : ", inout ") + type + " " + own;
      actuals += (actuals.empty() ? "" : ", ") + own;
      declarations += "    var " + type + " " + own +
                      " := " + (variable.initial.valid() ? expr(variable.initial) : data_.defaultValue(variable.type)) +
                      ";\n";
    }
    actuals_ = actuals;
    std::vector<TestNodeId> starts = blockStarts(test);
    starts_.assign(test.nodes.size(), false);
    for (TestNodeId id : starts)
      starts_[id.value] = true;
    text_ = "  // " + commentText(test.about.empty() ? test.name : test.name + ": " + test.about) + "\n  testcase TC_" +
            case_ + "() runs on TioTester system TioSystem {\n" + declarations + "    f_start_" + name_ + "();\n";
    steps(starts[0], 2);
    text_ += "  }\n\n";
    for (TestNodeId id : std::span(starts).subspan(1)) {
      text_ += "  function " + block(id) + "(" + formals + ") runs on TioTester {\n";
      steps(id, 2);
      text_ += "  }\n\n";
    }
    return std::move(text_);
  }

  std::string block(TestNodeId id) const { return "f_" + case_ + "_" + std::to_string(id.value); }

  void line(size_t indent, const std::string& content) { text_ += std::string(indent * 2, ' ') + content + "\n"; }

  std::string expr(ExprId id) const {
    return data_.expr(id, {[&](VariableId v) { return variables_[v.value]; },
                           [](uint32_t index) { return "vc_out.args[" + std::to_string(index) + "]"; }});
  }

  /// Asks for a value before the test uses it, where it may have none.
  void need(ExprId id, size_t indent) {
    if (ExprId exists = hasValue(model_, id); !model_.exprs.isTrue(exists))
      line(indent, "f_need(" + expr(exists) + ");");
  }

  void covered(const std::vector<Covered>& covers, size_t indent) {
    for (const Covered& one : covers)
      line(indent, "// " + commentText(one.what));
  }

  /// A node and what follows it, up to the next block.
  void steps(TestNodeId id, size_t indent) {
    for (bool first = true;; first = false) {
      if (starts_[id.value] && !(first && indent == 2))
        return line(indent, block(id) + "(" + actuals_ + ");");
      const TestNode& node = (*test_)[id];
      if (const auto* verdict = std::get_if<VerdictNode>(&node)) {
        static constexpr const char* kWords[] = {"pass", "fail", "inconc"};
        return line(indent, "f_end(" + std::string(kWords[static_cast<size_t>(verdict->verdict)]) + ", " +
                                Ttcn3Data::string(verdict->reason) + ");");
      }
      const auto* send = std::get_if<SendNode>(&node);
      if (!send)
        return await(std::get<AwaitNode>(node), indent);
      input(*send, indent);
      id = send->next;
    }
  }

  void input(const SendNode& send, size_t indent) {
    covered(send.covers, indent);
    std::string arguments;
    for (ExprId argument : send.arguments) {
      need(argument, indent);
      arguments += (arguments.empty() ? "" : ", ") + expr(argument);
    }
    line(indent, (send.stamp.valid() ? variables_[send.stamp.value] : "vc_time") + " := f_send(m_" +
                     channels_[send.channel.value] + (arguments.empty() ? "" : "(" + arguments + ")") + ");");
  }

  void await(const AwaitNode& await, size_t indent) {
    need(await.until, indent);
    for (const AwaitBranch& one : await.branches)
      for (const TimeBound& bound : {one.from, one.to})
        if (bound.time.valid())
          need(bound.time, indent);
    static constexpr const char* kAfter[] = {"e_send", "e_wait", "e_verdict", "e_fail"};
    line(indent, "f_await(" + expr(await.until) + ", " + kAfter[static_cast<size_t>(after(*test_, await))] + ", " +
                     Ttcn3Data::string(await.allows) + ");");
    // Guards of alternatives must not call functions, so the choice is made before.
    for (size_t i = 0; i < await.branches.size(); ++i)
      line(indent, "if (" + condition(await.branches[i]) + ") { f_choose(" + std::to_string(i + 1) + ") }");
    line(indent, "f_decide();");
    line(indent, "alt {");
    for (size_t i = 0; i < await.branches.size(); ++i)
      branch(await.branches[i], i + 1, indent + 1);
    line(indent + 1, "[vc_over] T_await.timeout {");
    steps(await.timeout, indent + 2);
    line(indent + 1, "}");
    line(indent, "}");
  }

  std::string message(const AwaitBranch& branch) const { return "mw_" + channels_[branch.channel.value]; }

  std::string condition(const AwaitBranch& branch) {
    std::string text = "f_fits(" + message(branch) + ")";
    if (branch.from.time.valid())
      text += (branch.from.strict ? " and f_after(" : " and f_from(") + expr(branch.from.time) + ")";
    if (branch.to.time.valid())
      text += (branch.to.strict ? " and f_before(" : " and f_to(") + expr(branch.to.time) + ")";
    ExprId guard = model_.exprs.conjunction(hasValue(model_, branch.guard), branch.guard);
    if (!model_.exprs.isTrue(guard))
      text += " and " + expr(guard);
    if (const std::optional<size_t> slack = slackOf(*test_, model_.exprs, guard)) {
      const std::string kept = std::exchange(variables_[*slack], "vc_tightness");
      text += " and f_surely(" + expr(guard) + ")";
      variables_[*slack] = kept;
    }
    return text;
  }

  void branch(const AwaitBranch& branch, size_t number, size_t indent) {
    line(indent, "[vc_branch == " + std::to_string(number) + "] SUT.receive(" + message(branch) + ") {");
    covered(branch.covers, indent + 1);
    updates(branch, indent + 1);
    if (branch.stamp.valid())
      line(indent + 1, variables_[branch.stamp.value] + " := vc_time;");
    steps(branch.next, indent + 1);
    line(indent, "}");
  }

  /// Simultaneous: all new values are there before the first is stored.
  void updates(const AwaitBranch& branch, size_t indent) {
    for (const Update& update : branch.updates)
      need(update.value, indent);
    if (branch.updates.size() == 1)
      return line(indent, variables_[branch.updates[0].variable.value] + " := " + expr(branch.updates[0].value) + ";");
    if (branch.updates.empty())
      return;
    line(indent, "{");
    for (size_t i = 0; i < branch.updates.size(); ++i)
      line(indent + 1, "var " + data_.typeName(test_->variables[branch.updates[i].variable.value].type) + " v_new" +
                           std::to_string(i) + "_ := " + expr(branch.updates[i].value) + ";");
    for (size_t i = 0; i < branch.updates.size(); ++i)
      line(indent + 1, variables_[branch.updates[i].variable.value] + " := v_new" + std::to_string(i) + "_;");
    line(indent, "}");
  }

  const TestSuite& suite_;
  const Ttcn3Options& options_;
  Model model_; // grows by the conditions under which values exist
  Ttcn3Data data_;
  std::string name_;
  std::vector<std::string> channels_;
  std::vector<std::string> cases_;
  const TestCase* test_ = nullptr;
  std::string case_;
  std::vector<std::string> variables_;
  std::string actuals_;
  std::vector<bool> starts_;
  std::string text_;
  std::vector<EmittedFile> files_;
};

} // namespace

std::vector<EmittedFile> emitTtcn3(const TestSuite& suite, const Ttcn3Options& options) {
  return Ttcn3Emitter(suite, options).run();
}

} // namespace tioc::backend
