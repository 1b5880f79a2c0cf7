#include "backend/cpp_tests.hpp"

#include "backend/cpp_data.hpp"
#include "backend/test_blocks.hpp"
#include "ir/decide.hpp"

#include <algorithm>

namespace tioc::backend {

using namespace ir;

namespace {

class CppEmitter {
public:
  CppEmitter(const TestSuite& suite, const CppOptions& options)
      : suite_(suite), options_(options), model_(suite.model), data_(model_, cppNames()),
        name_(identifier(noMacro(suite.name))) {}

  std::vector<EmittedFile> run() {
    files_.push_back({name_ + "_model.hpp", header()});
    Names names;
    size_t part = 0;
    for (const auto& [first, last] : portions(suite_.cases.size(), options_.casesPerFile)) {
      std::string text = banner() + "#include \"" + name_ + "_model.hpp\"\n\nnamespace " + space() + " {\n";
      for (size_t i = first; i < last; ++i)
        text += testCase(suite_.cases[i], names.add(noMacro(suite_.cases[i].name)));
      files_.push_back(
          {name_ + "_test" + std::to_string(++part) + ".cpp", text + "\n} // namespace " + space() + "\n"});
    }
    files_.push_back({name_ + "_main.cpp", mainFile(), true});
    return std::move(files_);
  }

private:
  std::string space() const { return name_ + "_suite"; }

  std::string banner() const {
    return "// Suite " + commentText(suite_.name) + " for " + commentText(suite_.system) +
           ". Generated; changes are lost.\n";
  }

  std::string header() const {
    return banner() + "#pragma once\n\n#include \"tioc_test.hpp\"\n\nnamespace " + space() +
           " {\n\nusing tioc::Json;\nusing tioc::Number;\n\n// Seconds that a time unit takes, and the tolerance of "
           "measured times in units.\ninline tioc::Settings settings() {\n  return {Number::of(\"" +
           fraction(model_.secondsPerUnit) + "\"), Number::of(\"" + fraction(suite_.tolerance) + "\")};\n}\n\n" +
           data_.definitions() + "} // namespace " + space() + "\n";
  }

  static std::string fraction(const Rational& value) {
    return value.numerator().toString() + (value.isInteger() ? "" : "/" + value.denominator().toString());
  }

  static std::string mainFile() {
    return "// How the tests reach the system under test. Yours to change: it is never written again.\n"
           "#include \"tioc_test.hpp\"\n\nint main(int argc, char** argv) {\n  testing::InitGoogleTest(&argc, argv);\n"
           "  // TIOC_SUT and the other variables of the environment; put your own adapter here instead.\n"
           "  tioc::adapterFactory() = tioc::environmentAdapter;\n  return RUN_ALL_TESTS();\n}\n";
  }

  // ---- test cases

  std::string testCase(const TestCase& test, const std::string& name) {
    test_ = &test;
    Names names = data_.names();
    variables_.clear();
    text_ = "\n// " + commentText(test.about.empty() ? test.name : test.name + ": " + test.about) + "\nTEST(" + name_ +
            ", " + name + ") {\n  tioc::runTest(settings(), [](tioc::Run& run) {\n";
    for (const TestVariable& variable : test.variables) {
      if (variable.isSlack) {
        variables_.emplace_back("run.slack()");
        continue;
      }
      std::string own = names.add(noMacro(variable.name));
      variables_.push_back(own);
      line(2, "[[maybe_unused]] " + data_.typeName(variable.type) + " " + own +
                  (variable.initial.valid() ? " = " + expr(variable.initial) : "{}") + ";");
    }
    std::vector<TestNodeId> starts = blockStarts(test);
    starts_.assign(test.nodes.size(), false);
    for (TestNodeId id : starts)
      starts_[id.value] = true;
    if (starts.size() == 1) {
      steps(starts[0], 2, true);
    } else {
      line(2, "for (int at = 0;;) {");
      line(3, "switch (at) {");
      for (TestNodeId id : starts) {
        line(3, "case " + std::to_string(id.value) + ": {");
        steps(id, 4, true);
        line(3, "}");
      }
      line(3, "default:");
      line(4, "return;");
      line(3, "}");
      line(2, "}");
    }
    return std::move(text_ += "  });\n}\n");
  }

  void line(size_t indent, const std::string& content) { text_ += std::string(indent * 2, ' ') + content + "\n"; }

  std::string expr(ExprId id, ChannelId message = {}) const {
    std::string text = data_.expr(id, {[&](VariableId v) { return variables_[v.value]; },
                                       [&](uint32_t index) { return "m." + data_.parameter(message, index); }});
    return isWrapped(text) ? text.substr(1, text.size() - 2) : text;
  }

  /// One pair of parentheses around all of it, which nobody needs at the top.
  static bool isWrapped(const std::string& text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')' || text.find('"') != std::string::npos)
      return false;
    size_t open = 0;
    for (size_t i = 0; i + 1 < text.size(); ++i) {
      open += text[i] == '(';
      open -= text[i] == ')';
      if (open == 0)
        return false;
    }
    return true;
  }

  void covered(const std::vector<Covered>& covers, size_t indent) {
    for (const Covered& one : covers)
      line(indent, "// " + commentText(one.what));
  }

  /// A node and what follows it, up to the next block.
  void steps(TestNodeId id, size_t indent, bool opens) {
    for (;; opens = false) {
      if (starts_[id.value] && !opens) {
        line(indent, "at = " + std::to_string(id.value) + ";");
        return line(indent, "continue;");
      }
      const TestNode& node = (*test_)[id];
      if (const auto* verdict = std::get_if<VerdictNode>(&node))
        return line(indent, std::string("return run.") + word(verdict->verdict) + "(" +
                                CppData::string(verdict->reason) + ");");
      const auto* send = std::get_if<SendNode>(&node);
      if (!send)
        return await(std::get<AwaitNode>(node), indent);
      covered(send->covers, indent);
      std::string arguments;
      for (ExprId argument : send->arguments)
        arguments += (arguments.empty() ? "" : ", ") + expr(argument);
      line(indent, (send->stamp.valid() ? variables_[send->stamp.value] + " = " : "") + "run.send(" +
                       data_.channel(send->channel) + "{" + arguments + "});");
      id = send->next;
    }
  }

  void await(const AwaitNode& await, size_t indent) {
    static constexpr const char* kAfter[] = {"Send", "Wait", "Verdict", "Fail"};
    line(indent, "run.await(" + expr(await.until) +
                     ", tioc::After::" + kAfter[static_cast<size_t>(after(*test_, await))] + ");");
    for (size_t i = 0; i < await.branches.size(); ++i)
      choice(await.branches[i], i + 1, indent);
    for (size_t i = 0; i < await.branches.size(); ++i)
      branch(await.branches[i], i + 1, indent);
    line(indent, "if (run.isOver()) {");
    steps(await.timeout, indent + 1, false);
    line(indent, "}");
    line(indent, "return run.unexpected(" + CppData::string(await.allows) + ");");
  }

  void choice(const AwaitBranch& branch, size_t number, size_t indent) {
    std::string condition = "run.got(m)";
    if (branch.from.time.valid())
      condition += (branch.from.strict ? " && run.after(" : " && run.from(") + expr(branch.from.time) + ")";
    if (branch.to.time.valid())
      condition += (branch.to.strict ? " && run.before(" : " && run.to(") + expr(branch.to.time) + ")";
    const bool partial = !model_.exprs.isTrue(hasValue(model_, branch.guard));
    const auto guard = [&] {
      const std::string text = expr(branch.guard, branch.channel);
      return partial ? "run.holds([&] { return " + text + "; })" : "(" + text + ")";
    };
    if (!model_.exprs.isTrue(branch.guard))
      condition += " && " + guard();
    if (const std::optional<size_t> slack = slackOf(*test_, model_.exprs, branch.guard)) {
      const std::string kept = std::exchange(variables_[*slack], "run.tightness()");
      condition += " && run.surely(" + guard() + ")";
      variables_[*slack] = kept;
    }
    line(indent, "if (" + data_.channel(branch.channel) + " m; " + condition + ")");
    line(indent + 1, "run.choose(" + std::to_string(number) + ");");
  }

  void branch(const AwaitBranch& branch, size_t number, size_t indent) {
    line(indent, "if (" + data_.channel(branch.channel) + " m; run.takes(" + std::to_string(number) + ", m)) {");
    covered(branch.covers, indent + 1);
    updates(branch, indent + 1);
    line(indent + 1, (branch.stamp.valid() ? variables_[branch.stamp.value] + " = " : std::string()) + "run.take();");
    steps(branch.next, indent + 1, false);
    line(indent, "}");
  }

  /// Simultaneous: all new values are there before the first is stored.
  void updates(const AwaitBranch& branch, size_t indent) {
    auto target = [&](size_t i) { return variables_[branch.updates[i].variable.value]; };
    if (branch.updates.size() == 1)
      return line(indent, target(0) + " = " + expr(branch.updates[0].value, branch.channel) + ";");
    for (size_t i = 0; i < branch.updates.size(); ++i)
      line(indent, "auto new_" + std::to_string(i) + "_ = " + expr(branch.updates[i].value, branch.channel) + ";");
    for (size_t i = 0; i < branch.updates.size(); ++i)
      line(indent, target(i) + " = new_" + std::to_string(i) + "_;");
  }

  const TestSuite& suite_;
  const CppOptions& options_;
  Model model_; // grows by the conditions under which values exist
  CppData data_;
  std::string name_;
  const TestCase* test_ = nullptr;
  std::vector<std::string> variables_;
  std::vector<bool> starts_;
  std::string text_;
  std::vector<EmittedFile> files_;
};

} // namespace

std::vector<EmittedFile> emitCpp(const TestSuite& suite, const CppOptions& options) {
  return CppEmitter(suite, options).run();
}

} // namespace tioc::backend
