#include "runtime/testgen/replay.hpp"

#include <algorithm>

namespace tioc::testgen {

using ir::ExprId;
using ir::Rational;
using semantics::Visibility;

namespace {

struct Event {
  bool output = false;
  ir::ChannelId channel;
  Rational time;
  std::vector<ExprId> values; ///< constants
};

class Replay {
public:
  Replay(semantics::Symbols& symbols, const ir::TestCase& test)
      : symbols_(symbols), pool_(symbols.pool()), test_(test) {
    for (const ir::TestVariable& variable : test.variables)
      variables_.push_back(variable.initial);
  }

  std::string run(const std::vector<Event>& events) {
    for (const Event& event : events)
      if (std::string wrong = event.output ? onOutput(event) : onInput(event); !wrong.empty())
        return wrong;
    return "";
  }

private:
  ExprId put(ExprId expr, const std::vector<ExprId>& message = {}) {
    return pool_.substitute(expr, [&](ExprId leaf) -> ExprId {
      if (pool_.op(leaf) == ir::Op::Variable)
        return variables_[pool_.payload(leaf)];
      if (pool_.op(leaf) == ir::Op::Local)
        return message[pool_.payload(leaf)];
      return {};
    });
  }
  Rational time(ExprId expr) { return symbols_.terms().evaluate(put(expr), {}).value.number; }

  std::string onInput(const Event& event) {
    // Waiting for it comes to its end at the time of the input.
    while (const auto* await = std::get_if<ir::AwaitNode>(&test_[at_])) {
      if (time(await->until) != event.time && time(await->until) != now_)
        return "it does not send " + symbols_.model()[event.channel].name + " when it should";
      now_ = time(await->until);
      at_ = await->timeout;
    }
    const auto* send = std::get_if<ir::SendNode>(&test_[at_]);
    if (!send || send->channel != event.channel || now_ != event.time)
      return "it does not send " + symbols_.model()[event.channel].name + " when it should";
    for (size_t i = 0; i < send->arguments.size(); ++i)
      if (put(send->arguments[i]) != event.values[i])
        return "it sends other values on " + symbols_.model()[event.channel].name;
    stamp(send->stamp, event.time);
    at_ = send->next;
    return "";
  }

  std::string onOutput(const Event& event) {
    const std::string name = symbols_.model()[event.channel].name;
    const auto* await = std::get_if<ir::AwaitNode>(&test_[at_]);
    if (!await || event.time > time(await->until))
      return "it does not wait for " + name;
    for (const ir::AwaitBranch& branch : await->branches) {
      if (branch.channel != event.channel || !pool_.isTrue(put(branch.guard, event.values)) ||
          !isInside(branch, event.time))
        continue;
      std::vector<std::pair<ir::VariableId, ExprId>> values;
      for (const ir::Update& update : branch.updates)
        values.emplace_back(update.variable, put(update.value, event.values));
      for (const auto& [variable, value] : values)
        variables_[variable.value] = value;
      stamp(branch.stamp, event.time);
      now_ = event.time;
      at_ = branch.next;
      return "";
    }
    return "it does not go along with " + name;
  }

  bool isInside(const ir::AwaitBranch& branch, const Rational& when) {
    const auto from = branch.from.time.valid() ? std::optional(time(branch.from.time)) : std::nullopt;
    const auto to = branch.to.time.valid() ? std::optional(time(branch.to.time)) : std::nullopt;
    return (!from || (branch.from.strict ? *from < when : *from <= when)) &&
           (!to || (branch.to.strict ? when < *to : when <= *to));
  }

  void stamp(ir::VariableId variable, const Rational& when) {
    if (variable.valid())
      variables_[variable.value] = pool_.real(when);
  }

  semantics::Symbols& symbols_;
  ir::ExprPool& pool_;
  const ir::TestCase& test_;
  std::vector<ExprId> variables_;
  ir::TestNodeId at_{0};
  Rational now_;
};

} // namespace

std::string replay(semantics::Symbols& symbols, const ir::TestCase& test, const Path& path, size_t length,
                   const solver::Assignment& model) {
  std::vector<Event> events;
  for (size_t i = 0; i < length; ++i) {
    const semantics::SymbolicStep& step = path.steps[i].step;
    if (step.visibility == Visibility::Unobservable)
      continue;
    Event event{step.visibility == Visibility::Output, step.channel, {}, {}};
    event.time = symbols.terms().evaluate(step.time, model).value.number;
    const ir::Channel& channel = symbols.model()[step.channel];
    for (size_t k = 0; k < step.values.size(); ++k)
      event.values.push_back(
          symbols.terms().constant(channel.parameters[k].type, symbols.terms().evaluate(step.values[k], model).value));
    events.push_back(std::move(event));
  }
  return Replay(symbols, test).run(events);
}

} // namespace tioc::testgen
