#include "runtime/conformance/refines.hpp"

#include "runtime/conformance/joint_model.hpp"
#include "runtime/conformance/shadow.hpp"
#include "runtime/semantics/relation.hpp"

#include <algorithm>
#include <deque>

namespace tioc::conformance {

using ir::ExprId;
using semantics::SymbolicState;
using semantics::SymbolicStep;
using semantics::Visibility;
using Answer = Refinement::Answer;
using Kind = SymbolicEvent::Kind;

namespace {

// Unknowns that only a message has which the candidate does not take; behind those of any step.
constexpr uint32_t kIgnored = 1U << 24;

/// The joint search. A node is a run of the candidate with the states in which the specification may be.
class Search {
public:
  Search(semantics::Symbols& symbols, semantics::StepRelation& candidate, semantics::StepRelation& specification,
         const RefineOptions& options, Refinement& result)
      : symbols_(symbols), pool_(symbols.pool()), candidate_(candidate), specification_(specification),
        shadow_(symbols, specification, options.depth + 2), project_(symbols), options_(options),
        watch_(options.limits), result_(result) {}

  void run() {
    const Shadow::States start = shadow_.initial();
    for (SymbolicState& state : candidate_.initial())
      open_.push_back({std::move(state), start, {}});
    if (start.empty())
      doubt("the specification has no state to start in");
    while (!open_.empty() && !found_) {
      const Node node = std::move(open_.front());
      open_.pop_front();
      if (const char* limit = stopped()) {
        doubt(std::string("the limit of ") + limit);
        return;
      }
      ++result_.states;
      result_.depth = node.state.steps == 0 ? 0 : node.state.steps - 1;
      visit(node);
    }
    result_.depth = options_.depth;
    if (found_)
      result_.answer = Answer::Differs;
    else if (result_.why.empty())
      result_.answer = Answer::Refines;
  }

private:
  struct Node {
    SymbolicState state;
    Shadow::States beside;
    std::vector<SymbolicEvent> trace;
  };

  /// Something was left out, so that the answer cannot be that it refines.
  void doubt(std::string why) {
    if (result_.why.empty())
      result_.why = std::move(why);
  }

  const char* stopped() {
    if (options_.limits.interrupted && options_.limits.interrupted())
      return "patience";
    return watch_.check(result_.states);
  }

  void visit(const Node& node) {
    if (node.state.uncertain)
      doubt("a question that the solver could not answer");
    const Shadow::Outlook outlook = shadow_.outlook(node.beside);
    if (!outlook.complete)
      doubt("more unobservable steps of the specification than are followed");
    stay(node, outlook);
    if (found_ || node.state.steps >= options_.depth)
      return;
    std::vector<Shadow::Step> steps;
    candidate_.successors(node.state, [&](SymbolicStep&& step, SymbolicState&& behind) {
      steps.emplace_back(std::move(step), std::move(behind));
    });
    ignore(node, outlook, steps);
    for (Shadow::Step& step : steps)
      if (!found_)
        follow(node, outlook, step.first, std::move(step.second));
  }

  void follow(const Node& node, const Shadow::Outlook& outlook, const SymbolicStep& step, SymbolicState&& behind) {
    if (step.visibility == Visibility::Unobservable) {
      open_.push_back({std::move(behind), node.beside, node.trace});
      return;
    }
    const SymbolicEvent event{step.visibility == Visibility::Input ? Kind::Input : Kind::Output, step.channel,
                              step.values, step.time};
    if (event.kind == Kind::Input)
      input(node, outlook, event, std::move(behind));
    else if (judge(node, outlook, event, behind))
      go(node, outlook, event, std::move(behind));
  }

  void go(const Node& node, const Shadow::Outlook& outlook, const SymbolicEvent& event, SymbolicState&& behind) {
    Node next{std::move(behind), {}, node.trace};
    next.beside = shadow_.after(outlook, event, next.state);
    next.trace.push_back(event);
    if (!next.beside.empty())
      open_.push_back(std::move(next));
  }

  /// Silence: time passes and nothing is seen.
  void stay(const Node& node, const Shadow::Outlook& outlook) {
    candidate_.wait(node.state, [&](SymbolicState&& later) {
      if (!found_)
        judge(node, outlook, {Kind::Silence, {}, {}, symbols_.expr(later.now)}, later);
    });
  }

  // ---- inputs

  /// Only where the specification takes it, whatever its state.
  void input(const Node& node, const Shadow::Outlook& outlook, const SymbolicEvent& event, SymbolicState&& behind) {
    bool exact = true;
    const Shadow::States refusing = shadow_.refusing(outlook, event, behind, exact);
    for (const SymbolicState& state : refusing)
      for (const testgen::Conjunction& one : projected(state, behind, event, exact))
        if (!symbols_.assume(behind, symbols_.terms().fails(pool_.conjunction(one))))
          return;
    if (!exact)
      doubt("inputs whose acceptance hangs on hidden values");
    if (!outlook.complete || !symbols_.isFeasible(behind))
      return;
    go(node, outlook, event, std::move(behind));
  }

  /// The candidate stays as it is where it does not take an input.
  void ignore(const Node& node, const Shadow::Outlook& outlook, const std::vector<Shadow::Step>& steps) {
    std::vector<ir::ChannelId> channels;
    for (const auto& nexts : outlook.nexts)
      for (const auto& [step, behind] : nexts)
        if (step.visibility == Visibility::Input &&
            std::find(channels.begin(), channels.end(), step.channel) == channels.end())
          channels.push_back(step.channel);
    for (ir::ChannelId channel : channels) {
      std::vector<Shadow::Step> takes;
      for (const Shadow::Step& step : steps)
        if (step.first.visibility == Visibility::Input && step.first.channel == channel)
          takes.push_back(step);
      SymbolicEvent event{Kind::Input, channel, {}, {}};
      const std::vector<ir::Member> parameters = symbols_.model()[channel].parameters;
      for (uint32_t i = 0; i < parameters.size(); ++i)
        event.values.push_back(
            symbols_.unknown(kIgnored + node.state.steps + 1, i, parameters[i].type, parameters[i].name));
      const Acceptance accepts = acceptance(symbols_, node.state, takes, event.values);
      if (!accepts.exact)
        doubt("a question that the solver could not answer");
      const ExprId refuses = symbols_.terms().fails(accepts.condition);
      candidate_.wait(node.state, [&](SymbolicState&& later) {
        event.time = symbols_.expr(later.now);
        if (symbols_.assume(later, refuses) && symbols_.isFeasible(later))
          input(node, outlook, event, std::move(later));
      });
    }
  }

  // ---- judging

  /// What a state of the specification says about the run beside it, hidden values projected out.
  std::vector<testgen::Conjunction> projected(const SymbolicState& state, const SymbolicState& beside,
                                              const SymbolicEvent& event, bool& exact) {
    std::vector<ExprId> visible = beside.conditions;
    visible.push_back(event.time);
    visible.insert(visible.end(), event.values.begin(), event.values.end());
    const std::vector<uint32_t> kept = symbols_.terms().unknownsOf(visible);
    testgen::Conjunction own;
    for (ExprId condition : state.conditions)
      if (std::find(beside.conditions.begin(), beside.conditions.end(), condition) == beside.conditions.end())
        own.push_back(condition);
    testgen::Projected result =
        project_(own, [&](uint32_t unknown) { return std::binary_search(kept.begin(), kept.end(), unknown); });
    exact &= result.exact;
    return std::move(result.cases);
  }

  /// Whether the specification allows the event with all values and times for which the candidate can do it. A trace
  /// for which it does not ends the search.
  bool judge(const Node& node, const Shadow::Outlook& outlook, const SymbolicEvent& event,
             const SymbolicState& behind) {
    const Shadow::States allowed = shadow_.after(outlook, event, behind);
    std::vector<ExprId> conditions = behind.conditions;
    bool exact = true;
    for (const SymbolicState& state : allowed)
      for (const testgen::Conjunction& one : projected(state, behind, event, exact)) {
        const ExprId beyond = symbols_.terms().fails(pool_.conjunction(one));
        if (pool_.isFalse(beyond)) {
          note(exact);
          return true;
        }
        conditions.push_back(beyond);
      }
    note(exact);
    solver::Reply reply = symbols_.solver().check(conditions, &behind.witness);
    if (reply.answer == solver::Answer::Unknown)
      doubt("a question that the solver could not answer");
    if (reply.answer != solver::Answer::Sat)
      return true;
    // As early as it shows.
    const solver::Optimum first = symbols_.solver().minimise(conditions, event.time, &reply.model);
    if (first.kind == solver::Optimum::Kind::Attained)
      reply.model.merge(first.model);
    std::vector<SymbolicEvent> trace = node.trace;
    trace.push_back(event);
    if (confirm(trace, reply.model))
      return false;
    doubt("a difference that could not be confirmed");
    return true;
  }

  void note(bool exact) {
    if (!exact)
      doubt("hidden values that could not be projected out");
  }

  /// The trace with its values and times put in: the specification must be able to follow it up to its end, take every
  /// input for sure, and not allow the last event.
  bool confirm(std::vector<SymbolicEvent> trace, const solver::Assignment& model) {
    std::vector<TraceEvent> concrete;
    for (SymbolicEvent& event : trace) {
      TraceEvent seen{static_cast<TraceEvent::Kind>(event.kind), event.channel, {}, {}};
      const eval::Result time = symbols_.terms().evaluate(event.time, model);
      if (!time.ok())
        return false;
      seen.time = time.value.number;
      event.time = pool_.real(seen.time);
      for (size_t i = 0; i < event.values.size(); ++i) {
        const eval::Result value = symbols_.terms().evaluate(event.values[i], model);
        if (!value.ok())
          return false;
        seen.values.push_back(value.value);
        event.values[i] = symbols_.terms().constant(symbols_.model()[event.channel].parameters[i].type, value.value);
      }
      concrete.push_back(std::move(seen));
    }
    Shadow::States states = shadow_.initial();
    const SymbolicState nobody;
    for (size_t i = 0; i < trace.size(); ++i) {
      const Shadow::Outlook outlook = shadow_.outlook(states);
      bool exact = true;
      if (!outlook.complete)
        return false;
      if (trace[i].kind == Kind::Input && (!shadow_.refusing(outlook, trace[i], nobody, exact).empty() || !exact))
        return false;
      states = shadow_.after(outlook, trace[i], nobody);
      if (i + 1 < trace.size()) {
        if (states.empty())
          return false;
      } else if (states.empty()) {
        result_.trace = std::move(concrete);
        result_.allowed = allowedBy(outlook);
        found_ = true;
      }
    }
    return found_;
  }

  // ---- in words

  /// The outputs and the silence that the specification would have allowed.
  std::string allowedBy(const Shadow::Outlook& outlook) {
    std::string text;
    const auto add = [&](const std::string& part) {
      if (("; " + text + ";").find("; " + part + ";") == std::string::npos)
        text += (text.empty() ? "" : "; ") + part;
    };
    for (size_t i = 0; i < outlook.states.size(); ++i) {
      for (const auto& [step, behind] : outlook.nexts[i])
        if (step.visibility == Visibility::Output)
          add(symbols_.model()[step.channel].name + window(behind.conditions, step.time));
      specification_.wait(outlook.states[i], [&](SymbolicState&& later) {
        const solver::Optimum last = symbols_.solver().maximise(later.conditions, symbols_.expr(later.now));
        if (last.kind == solver::Optimum::Kind::Unbounded)
          add("silence for ever");
        else if (last.kind == solver::Optimum::Kind::Attained || last.kind == solver::Optimum::Kind::Limit)
          add("silence until " + last.value.toString());
      });
    }
    return text.empty() ? "nothing" : text;
  }

  std::string window(const std::vector<ExprId>& conditions, ExprId time) {
    using enum solver::Optimum::Kind;
    const solver::Optimum low = symbols_.solver().minimise(conditions, time);
    const solver::Optimum high = symbols_.solver().maximise(conditions, time);
    std::string text;
    if (low.kind == Attained || low.kind == Limit)
      text += (low.kind == Limit ? " after " : " from ") + low.value.toString();
    if (high.kind == Attained || high.kind == Limit)
      text += (high.kind == Limit ? " before " : " until ") + high.value.toString();
    return text;
  }

  semantics::Symbols& symbols_;
  ir::ExprPool& pool_;
  semantics::StepRelation& candidate_;
  semantics::StepRelation& specification_;
  Shadow shadow_;
  testgen::Projection project_;
  const RefineOptions& options_;
  explore::Watch watch_;
  Refinement& result_;
  std::deque<Node> open_;
  bool found_ = false;
};

} // namespace

Refinement refines(const ir::Model& candidate, const ir::Model& specification, const RefineOptions& options) {
  Refinement result;
  if (!haveSameInterface(candidate, specification)) {
    result.why = "the two have different types or channels";
    return result;
  }
  ir::Model joint = jointModel(candidate, specification);
  ir::Model view = joint; // whose system is the specification
  std::swap(view.systems[0], view.systems[1]);
  const semantics::Network first(joint), second(view);
  semantics::Symbols symbols(joint, options.solver);
  const auto candidateSteps = semantics::makeRelation(symbols, first, semantics::TimeKind::Symbolic);
  const auto specificationSteps = semantics::makeRelation(symbols, second, semantics::TimeKind::Symbolic);
  Search(symbols, *candidateSteps, *specificationSteps, options, result).run();
  for (const semantics::StepRelation* steps : {candidateSteps.get(), specificationSteps.get()}) {
    const std::string why = steps->problem() ? steps->problem()->text : steps->imprecise();
    // Too many waits of the specification hide differences, too many of the candidate show false ones.
    if (!why.empty() && (steps == candidateSteps.get() || result.answer == Answer::Refines)) {
      result.answer = Answer::Unknown;
      result.trace.clear();
      result.why = why;
    }
  }
  return result;
}

std::string showTrace(const ir::Model& model, const std::vector<TraceEvent>& trace) {
  std::string text;
  for (const TraceEvent& event : trace) {
    text += text.empty() ? "" : ", ";
    if (event.kind == TraceEvent::Kind::Silence) {
      text += "silence until " + event.time.toString();
      continue;
    }
    text +=
        event.time.toString() + " " + model[event.channel].name + (event.kind == TraceEvent::Kind::Output ? "!" : "?");
    for (size_t i = 0; i < event.values.size(); ++i)
      text += (i ? ", " : "(") + eval::printValue(model, model[event.channel].parameters[i].type, event.values[i]);
    text += event.values.empty() ? "" : ")";
  }
  return text;
}

} // namespace tioc::conformance
