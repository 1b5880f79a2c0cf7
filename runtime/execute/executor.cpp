#include "runtime/execute/executor.hpp"

#include "runtime/eval/interpreter.hpp"

#include <algorithm>

namespace tioc::execute {

using eval::Value;
using ir::ExprId;
using ir::Rational;
using ir::Verdict;

namespace {

class Run {
public:
  Run(const ir::TestSuite& suite, const ir::TestCase& test, Adapter& adapter, const ExecuteOptions& options)
      : model_(suite.model), test_(test), session_(model_, adapter, options.session),
        tolerance_(session_.isVirtual() ? Rational(0) : options.tolerance) {
    for (const ir::TestVariable& variable : test.variables)
      values_.push_back(variable.initial.valid() ? evaluate(variable.initial).value
                                                 : eval::defaultValue(model_, variable.type));
    setSlack(tolerance_);
  }

  Outcome run() {
    if (!session_.start()) {
      trouble();
      return std::move(outcome_);
    }
    at_ = ir::TestNodeId(0);
    while (!done_) {
      outcome_.position = at_;
      const ir::TestNode& node = test_[at_];
      if (const auto* send = std::get_if<ir::SendNode>(&node))
        step(*send);
      else if (const auto* await = std::get_if<ir::AwaitNode>(&node))
        step(*await);
      else
        judge(std::get<ir::VerdictNode>(node));
    }
    return std::move(outcome_);
  }

private:
  // ---- verdicts

  void end(Verdict verdict, std::string reason) {
    outcome_.verdict = verdict;
    outcome_.reason = std::move(reason);
    outcome_.end = outcome_.log.empty() ? due_ : std::max(due_, outcome_.log.back().time);
    done_ = true;
  }
  void trouble() {
    outcome_.broken = true;
    end(Verdict::Inconclusive, session_.trouble());
  }
  void fail(std::string reason) {
    if (doubt_.empty())
      end(Verdict::Fail, std::move(reason));
    else
      end(Verdict::Inconclusive, doubt_ + "; otherwise: " + reason);
  }
  void judge(const ir::VerdictNode& node) {
    if (node.verdict == Verdict::Fail)
      fail(node.reason);
    else
      end(node.verdict, node.reason);
  }

  // ---- expressions

  eval::Result evaluate(ExprId expr, const std::vector<Value>* message = nullptr) const {
    const ir::ExprPool& pool = model_.exprs;
    return eval::evaluate(model_, expr, [&](ExprId leaf) {
      return pool.op(leaf) == ir::Op::Local ? message->at(pool.payload(leaf)) : values_.at(pool.payload(leaf));
    });
  }
  std::optional<Rational> timeOf(ExprId expr) const {
    eval::Result result = evaluate(expr);
    return result.ok() ? std::optional(std::move(result.value.number)) : std::nullopt;
  }
  void setSlack(const Rational& slack) {
    for (size_t i = 0; i < values_.size(); ++i)
      if (test_.variables[i].isSlack)
        values_[i] = {slack, {}};
  }
  void stamp(ir::VariableId variable, const Rational& time) {
    if (variable.valid())
      values_.at(variable.value) = {time, {}};
  }
  void noValue(const char* what) {
    end(Verdict::Inconclusive, std::string("the test is broken: ") + what + " has no value");
    outcome_.broken = true;
  }

  // ---- sending

  void step(const ir::SendNode& node) {
    if (const Seen* crossing = session_.pending())
      return end(Verdict::Inconclusive, "the system gave " + show(*crossing) + " at " + crossing->time.toString() +
                                            " before " + model_[node.channel].name + " was sent");
    if (!session_.trouble().empty())
      return trouble();
    std::vector<Value> arguments;
    for (ExprId expr : node.arguments) {
      eval::Result result = evaluate(expr);
      if (!result.ok())
        return noValue("an argument");
      arguments.push_back(std::move(result.value));
    }
    const std::optional<Rational> time = session_.send(node.channel, arguments);
    if (!time)
      return trouble();
    if (*time > due_ + tolerance_)
      return end(Verdict::Inconclusive, "the tester was late: " + model_[node.channel].name + " was due at " +
                                            due_.toString() + " and sent at " + time->toString() +
                                            ", which is more than the tolerance of " + tolerance_.toString());
    outcome_.log.push_back({*time, false, node.channel, std::move(arguments)});
    stamp(node.stamp, *time);
    outcome_.path.push_back({at_, std::nullopt});
    sent_ = *time;
    due_ = *time;
    at_ = node.next;
  }

  // ---- awaiting

  /// How a time lies to a window that measuring may have widened.
  enum class Fit : uint8_t { No, Perhaps, Yes };

  Fit fit(const ir::AwaitBranch& branch, const Seen& seen) {
    if (branch.channel != seen.channel)
      return Fit::No;
    const auto guardHolds = [&] {
      const eval::Result guard = evaluate(branch.guard, &seen.values);
      return guard.ok() && guard.value.isTrue();
    };
    if (branch.guard.valid() && !guardHolds())
      return Fit::No;
    semantics::Window window{-tolerance_ - Rational(1), false, std::nullopt, false};
    if (branch.from.time.valid()) {
      const std::optional<Rational> from = timeOf(branch.from.time);
      if (!from)
        return Fit::No;
      window.keepFrom(*from, branch.from.strict);
    }
    if (branch.to.time.valid()) {
      const std::optional<Rational> to = timeOf(branch.to.time);
      if (!to)
        return Fit::No;
      window.keepTo(*to, branch.to.strict);
    }
    if (tolerance_.isZero())
      return window.contains(seen.time) ? Fit::Yes : Fit::No;
    const bool near = window.low - tolerance_ <= seen.time && (!window.high || seen.time <= *window.high + tolerance_);
    bool inside = window.low + tolerance_ <= seen.time && (!window.high || seen.time <= *window.high - tolerance_);
    if (inside && branch.guard.valid()) {
      setSlack(-tolerance_);
      inside = guardHolds();
      setSlack(tolerance_);
    }
    return inside ? Fit::Yes : near ? Fit::Perhaps : Fit::No;
  }

  void step(const ir::AwaitNode& node) {
    const std::optional<Rational> until = timeOf(node.until);
    if (!until)
      return noValue("the end of a wait");
    // A system may use the tolerance to the full, unless the test goes on by an input that has its time.
    const bool goesOn = std::holds_alternative<ir::SendNode>(test_[node.timeout]);
    Seen seen;
    switch (session_.await(goesOn ? *until : *until + tolerance_, seen)) {
    case Session::Next::Trouble:
      return trouble();
    case Session::Next::Timeout:
      return timeOut(node, *until);
    case Session::Next::Output:
      return take(node, *until, std::move(seen));
    }
  }

  void take(const ir::AwaitNode& node, const Rational& until, Seen seen) {
    const ir::AwaitBranch* chosen = nullptr;
    bool certain = false;
    bool several = false; // another time within the tolerance leads elsewhere
    for (const ir::AwaitBranch& branch : node.branches) {
      const Fit fits = fit(branch, seen);
      if (fits == Fit::No)
        continue;
      several |= chosen != nullptr;
      certain = fits == Fit::Yes;
      if (!chosen || certain)
        chosen = &branch;
      if (certain)
        break; // what stands behind is never looked at
    }
    const bool atTheEnd = !tolerance_.isZero() && seen.time >= until - tolerance_;
    const auto* judgement = std::get_if<ir::VerdictNode>(&test_[node.timeout]);
    if (!chosen && atTheEnd && !(judgement && judgement->verdict == Verdict::Fail)) {
      // It may have come behind the end.
      session_.putBack(std::move(seen));
      readAgain_ = true;
      timeOut(node, until);
      return;
    }
    if (!chosen)
      return unexpected(node, seen);
    if (several || readAgain_ || (atTheEnd && !judgement))
      doubt(show(seen) + " at " + seen.time.toString() + " is within the tolerance of two windows");
    readAgain_ = false;
    outcome_.path.push_back({at_, static_cast<uint32_t>(chosen - node.branches.data())});
    follow(*chosen, std::move(seen));
  }

  void timeOut(const ir::AwaitNode& node, const Rational& until) {
    due_ = std::max(until, due_);
    outcome_.path.push_back({at_, std::nullopt});
    at_ = node.timeout;
  }

  void follow(const ir::AwaitBranch& branch, Seen seen) {
    std::vector<std::pair<uint32_t, Value>> changes;
    for (const ir::Update& update : branch.updates) {
      eval::Result result = evaluate(update.value, &seen.values);
      if (!result.ok())
        return noValue("an update");
      changes.emplace_back(update.variable.value, std::move(result.value));
    }
    for (auto& [variable, value] : changes)
      values_.at(variable) = std::move(value);
    stamp(branch.stamp, seen.time);
    due_ = seen.time;
    outcome_.log.push_back({std::move(seen.time), true, seen.channel, std::move(seen.values)});
    at_ = branch.next;
  }

  void unexpected(const ir::AwaitNode& node, const Seen& seen) {
    outcome_.log.push_back({seen.time, true, seen.channel, seen.values});
    const std::string what = show(seen) + " at " + seen.time.toString() + " was not allowed";
    if (!tolerance_.isZero() && sent_ && seen.time <= *sent_ + tolerance_)
      return end(Verdict::Inconclusive, what + ", but it may have crossed the input sent at " + sent_->toString());
    fail(what + (node.allows.empty() ? allowed(node) : "; allowed: " + node.allows));
  }

  // ---- words

  std::string show(const Seen& seen) const { return showMessage(model_, seen.channel, seen.values); }
  std::string allowed(const ir::AwaitNode& node) const {
    std::string text;
    for (const ir::AwaitBranch& branch : node.branches) {
      text += (text.empty() ? "; allowed: " : ", ") + model_[branch.channel].name;
      if (const auto from = branch.from.time.valid() ? timeOf(branch.from.time) : std::nullopt)
        text += (branch.from.strict ? " after " : " from ") + from->toString();
      if (const auto to = branch.to.time.valid() ? timeOf(branch.to.time) : std::nullopt)
        text += (branch.to.strict ? " before " : " until ") + to->toString();
    }
    return text.empty() ? "; allowed: nothing" : text;
  }
  void doubt(std::string reason) {
    if (doubt_.empty())
      doubt_ = std::move(reason);
  }

  const ir::Model& model_;
  const ir::TestCase& test_;
  Session session_;
  Rational tolerance_;
  std::vector<Value> values_; // of the variables
  ir::TestNodeId at_;
  std::optional<Rational> sent_; // the last input
  Rational due_;                 // when the next input has to go out
  std::string doubt_;            // why a fail would not be certain
  bool readAgain_ = false;       // the next output fitted nowhere before the end of a wait
  bool done_ = false;
  Outcome outcome_;
};

} // namespace

Outcome execute(const ir::TestSuite& suite, const ir::TestCase& test, Adapter& adapter, const ExecuteOptions& options) {
  return Run(suite, test, adapter, options).run();
}

std::string showMessage(const ir::Model& model, ir::ChannelId channel, const std::vector<Value>& values) {
  std::string text = model[channel].name;
  for (size_t i = 0; i < values.size(); ++i)
    text += (i ? ", " : "(") + eval::printValue(model, model[channel].parameters[i].type, values[i]);
  return values.empty() ? text : text + ")";
}

std::string showLog(const ir::Model& model, const std::vector<LogEntry>& log) {
  std::string text;
  for (const LogEntry& entry : log) {
    std::string message = showMessage(model, entry.channel, entry.values);
    message.insert(model[entry.channel].name.size(), entry.output ? "!" : "?");
    text += entry.time.toString() + " " + message + "\n";
  }
  return text;
}

} // namespace tioc::execute
