#include "runtime/conformance/verdict.hpp"

#include "ir/print.hpp"

#include <algorithm>

namespace tioc::conformance {

const char* word(Verdict verdict) {
  switch (verdict) {
  case Verdict::Fail:
    return "FAIL";
  case Verdict::Pass:
    return "PASS";
  case Verdict::WeakPass:
    return "WEAK_PASS";
  case Verdict::InconcR:
    return "INCONC_r";
  case Verdict::InconcI:
    return "INCONC_i";
  case Verdict::InconcU:
    return "INCONC_u";
  }
  return "";
}

ir::Verdict summary(Verdict verdict) {
  switch (verdict) {
  case Verdict::Fail:
    return ir::Verdict::Fail;
  case Verdict::Pass:
  case Verdict::WeakPass:
    return ir::Verdict::Pass;
  default:
    return ir::Verdict::Inconclusive;
  }
}

void Judge::begin() {
  result_ = {};
  lastInput_.reset();
  const Answer answer = tracker_.start(); // rule 0
  decided_ = answer == Answer::No;
  open_ = answer == Answer::Unknown;
  if (decided_) {
    result_.verdict = Verdict::InconcI;
    result_.reason = "the specification has no state to start in";
  }
}

bool Judge::take(const Event& event) {
  if (decided_)
    return false;
  ++result_.events;
  result_.time = event.time;
  // Every event but the first of an instant also says that nothing came before it.
  if (event.time > tracker_.now()) {
    const Answer answer = tracker_.wait(event.time);
    if (answer == Answer::No)
      return judge(answer, {Event::Kind::Silence, {}, {}, event.time});
    open_ = answer == Answer::Unknown;
  }
  switch (event.kind) {
  case Event::Kind::Silence:
    return true;
  case Event::Kind::Output:
    return judge(tracker_.output(event.channel, event.values), event);
  case Event::Kind::Input:
    return judge(tracker_.input(event.channel, event.values), event);
  }
  return true;
}

/// Rules 1, 2 and 6.
bool Judge::judge(Answer answer, const Event& event) {
  open_ = answer == Answer::Unknown;
  if (event.kind == Event::Kind::Input)
    lastInput_ = event.time;
  if (answer != Answer::No)
    return true;
  decided_ = true;
  result_.event = event;
  result_.explanation = tracker_.explain();
  result_.verdict = event.kind == Event::Kind::Input ? Verdict::InconcI : Verdict::Fail;
  result_.reason = refusal(event);
  if (event.kind == Event::Kind::Output && !tolerance_.isZero() && lastInput_ &&
      event.time - *lastInput_ <= tolerance_ * ir::Rational(2)) {
    result_.verdict = Verdict::InconcU;
    result_.reason += ", but it may have been on its way when the input came";
  }
  return false;
}

std::string Judge::refusal(const Event& event) const {
  const std::string what = showEvent(tracker_.model(), event);
  switch (event.kind) {
  case Event::Kind::Silence: {
    const auto& silence = result_.explanation->allowed.silence;
    std::string text = "nothing came until " + event.time.toString();
    if (silence.high)
      text +=
          std::string(", but an output was due ") + (silence.highOpen ? "before " : "by ") + silence.high->toString();
    return text;
  }
  case Event::Kind::Output:
    return what + " at " + event.time.toString() + " is not allowed";
  case Event::Kind::Input:
    return what + " at " + event.time.toString() + " is not specified there, so nothing can be said about what follows";
  }
  return what;
}

/// Rules 3 to 5.
Judgement Judge::end() {
  if (decided_)
    return std::move(result_);
  if (open_) {
    result_.verdict = Verdict::InconcU;
    result_.reason = "not decided: " + tracker_.reason();
    return std::move(result_);
  }
  const Marks marks = tracker_.marks();
  if (!hasPurpose_) {
    result_.verdict = Verdict::Pass;
    result_.reason = "the specification allows the whole trace";
  } else if (marks.accept > 0 && marks.none + marks.reject == 0) {
    result_.verdict = Verdict::Pass;
    result_.reason = "allowed, and the purpose is fulfilled";
  } else if (marks.accept > 0) {
    result_.verdict = Verdict::WeakPass;
    result_.reason = "allowed, and the purpose may be fulfilled: the system may also have taken another way";
  } else {
    result_.verdict = Verdict::InconcR;
    result_.reason = marks.none == 0 ? "allowed, but the purpose rejects the trace"
                                     : "allowed, but the purpose is not fulfilled at its end";
  }
  return std::move(result_);
}

std::string showWindow(const semantics::Window& window) {
  const bool now = window.high && *window.high == window.low;
  if (now)
    return "at " + window.low.toString();
  std::string text = (window.lowOpen ? "after " : "from ") + window.low.toString();
  if (window.high)
    text += (window.highOpen ? " before " : " to ") + window.high->toString();
  return text + (window.high ? "" : " on");
}

std::vector<std::string> showExplanation(const Tracker& tracker, const Explanation& explanation,
                                         const std::function<std::string(ir::Span)>& place) {
  const ir::Model& model = tracker.model();
  std::vector<std::string> lines;
  for (const std::string& state : explanation.states)
    lines.push_back("last good state, at " + tracker.now().toString() + ": " + state);
  if (explanation.moreStates > 0)
    lines.push_back("and " + std::to_string(explanation.moreStates) + " more");
  std::vector<std::string> outputs;
  for (const Chance& chance : explanation.allowed.outputs) {
    std::string text = "allowed then: " + chance.text;
    text.insert(text.find(model[chance.channel].name, 14) + model[chance.channel].name.size(), "!");
    text += " " + showWindow(chance.window);
    if (std::find(outputs.begin(), outputs.end(), text) == outputs.end())
      outputs.push_back(std::move(text));
  }
  lines.insert(lines.end(), outputs.begin(), outputs.end());
  const auto& silence = explanation.allowed.silence;
  lines.push_back("allowed then: silence" +
                  (silence.high ? (silence.highOpen ? " before " : " until ") + silence.high->toString()
                                : std::string(" for any time")));
  if (!explanation.allowed.complete)
    lines.push_back("and more, which a limit cut off");
  for (const Obstacle& obstacle : explanation.obstacles) {
    const ir::Edge& edge = model[obstacle.edge];
    lines.push_back(place(obstacle.span) + "in '" + model[edge.source].name + ": " +
                    ir::printEdge(model, edge, model[model[edge.source].automaton]) + "': " + obstacle.text);
  }
  return lines;
}

} // namespace tioc::conformance
