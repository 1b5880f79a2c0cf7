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
// Ways in which the specification allows one event, beyond which nothing is said.
constexpr unsigned kMostWays = 60;

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
    const std::vector<uint32_t> visible = visibleIn(behind, event);
    for (SymbolicState& state : shadow_.refusing(outlook, event, behind, exact))
      if (!exclude(behind, state, visible))
        return;
    if (!exact)
      doubt("inputs whose acceptance hangs on hidden values");
    if (!outlook.complete || !symbols_.isFeasible(behind))
      return;
    go(node, outlook, event, std::move(behind));
  }

  /// Takes away from a run what a state beside it agrees with. False: nothing is left, or it cannot be told what.
  bool exclude(SymbolicState& run, SymbolicState& state, std::span<const uint32_t> visible) {
    const std::vector<ExprId> own = ownOf(state, run);
    std::vector<ExprId> conditions = run.conditions;
    conditions.insert(conditions.end(), own.begin(), own.end());
    for (unsigned i = 0; i < kMostWays; ++i) {
      const solver::Reply reply = symbols_.solver().check(conditions, &state.witness);
      if (reply.answer == solver::Answer::Unsat)
        return true;
      if (reply.answer == solver::Answer::Unknown)
        break;
      const ExprId beyond = symbols_.terms().fails(wayOf(own, visible, reply.model));
      if (!symbols_.assume(run, beyond))
        return false;
      conditions.push_back(beyond);
    }
    doubt("inputs whose acceptance hangs on hidden values");
    return false;
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

  /// The unknowns that a run and its next event are about; all others are hidden from the tester.
  std::vector<uint32_t> visibleIn(const SymbolicState& run, const SymbolicEvent& event) {
    std::vector<ExprId> terms = run.conditions;
    terms.push_back(event.time);
    terms.insert(terms.end(), event.values.begin(), event.values.end());
    return symbols_.terms().unknownsOf(terms);
  }

  /// What a state beside a run asks for that the run does not say itself.
  static std::vector<ExprId> ownOf(const SymbolicState& state, const SymbolicState& run) {
    std::vector<ExprId> own;
    for (ExprId condition : state.conditions)
      if (std::find(run.conditions.begin(), run.conditions.end(), condition) == run.conditions.end())
        own.push_back(condition);
    return own;
  }

  /// Of every choice in a condition the part that holds in the model.
  void choose(ExprId condition, const solver::Assignment& model, testgen::Conjunction& chosen) {
    const std::vector<ExprId> parts(pool_.operands(condition).begin(), pool_.operands(condition).end());
    const auto firstThatHolds = [&](const std::vector<ExprId>& ways) {
      for (ExprId way : ways)
        if (symbols_.terms().holds(way, model))
          return choose(way, model, chosen);
      chosen.push_back(condition);
    };
    switch (pool_.op(condition)) {
    case ir::Op::And:
      for (ExprId part : parts)
        choose(part, model, chosen);
      return;
    case ir::Op::Or:
      return firstThatHolds(parts);
    case ir::Op::IfThenElse: {
      const bool yes = symbols_.terms().holds(parts[0], model);
      choose(yes ? parts[0] : pool_.negation(parts[0]), model, chosen);
      return choose(yes ? parts[1] : parts[2], model, chosen);
    }
    case ir::Op::Not:
      break;
    default:
      chosen.push_back(condition);
      return;
    }
    const std::vector<ExprId> inner(pool_.operands(parts[0]).begin(), pool_.operands(parts[0]).end());
    std::vector<ExprId> opposites;
    switch (pool_.op(parts[0])) {
    case ir::Op::And:
    case ir::Op::Or:
      for (ExprId part : inner)
        opposites.push_back(pool_.negation(part));
      if (pool_.op(parts[0]) == ir::Op::And)
        return firstThatHolds(opposites);
      for (ExprId part : opposites)
        choose(part, model, chosen);
      return;
    case ir::Op::Equal:
      if (symbols_.model().types.isNumeric(pool_.type(inner[0])))
        return firstThatHolds({pool_.less(inner[0], inner[1]), pool_.less(inner[1], inner[0])});
      [[fallthrough]];
    default:
      chosen.push_back(condition);
    }
  }

  /// One way in which the conditions can hold, as a condition on what is visible: it holds in the model. It may say
  /// less than it should, which is noted.
  ExprId wayOf(const std::vector<ExprId>& conditions, std::span<const uint32_t> visible,
               const solver::Assignment& model) {
    testgen::Conjunction chosen;
    for (ExprId condition : conditions)
      choose(condition, model, chosen);
    const testgen::Projected result =
        project_(chosen, [&](uint32_t unknown) { return std::binary_search(visible.begin(), visible.end(), unknown); });
    if (!result.exact || result.cases.size() != 1)
      doubt("hidden values that could not be projected out");
    return result.cases.size() == 1 ? pool_.conjunction(result.cases[0]) : pool_.boolean(true);
  }

  /// A model of the state beside the run in which what is visible is as in `model`.
  solver::Reply explain(const std::vector<ExprId>& own, std::span<const uint32_t> visible,
                        const solver::Assignment& model) {
    ir::ExprPool::Substitution put(pool_, [&](ExprId leaf) -> ExprId {
      if (pool_.op(leaf) != ir::Op::Parameter ||
          !std::binary_search(visible.begin(), visible.end(), pool_.payload(leaf)))
        return {};
      const eval::Result value = symbols_.terms().evaluate(leaf, model);
      return symbols_.terms().constant(symbols_.unknowns().type(pool_.payload(leaf)), value.value);
    });
    std::vector<ExprId> conditions;
    for (ExprId condition : own)
      conditions.push_back(put(condition));
    return symbols_.solver().check(conditions);
  }

  /// Whether the specification allows the event with all values and times for which the candidate can do it. A trace
  /// for which it does not ends the search.
  ///
  /// Asks for a run that is not explained yet, looks for a state of the specification that explains it, and takes away
  /// all runs that the same way explains, until none is left.
  bool judge(const Node& node, const Shadow::Outlook& outlook, const SymbolicEvent& event,
             const SymbolicState& behind) {
    const std::vector<uint32_t> visible = visibleIn(behind, event);
    std::vector<std::vector<ExprId>> allowed;
    for (const SymbolicState& state : shadow_.after(outlook, event, behind))
      allowed.push_back(ownOf(state, behind));
    std::vector<ExprId> conditions = behind.conditions;
    solver::Assignment hint = behind.witness;
    for (unsigned i = 0; i < kMostWays; ++i) {
      solver::Reply reply = symbols_.solver().check(conditions, &hint);
      if (reply.answer == solver::Answer::Unsat)
        return true;
      bool known = reply.answer == solver::Answer::Sat, explained = false;
      for (size_t k = 0; known && !explained && k < allowed.size(); ++k) {
        const solver::Reply hidden = explain(allowed[k], visible, reply.model);
        known = hidden.answer != solver::Answer::Unknown;
        explained = hidden.answer == solver::Answer::Sat;
        if (explained) {
          solver::Assignment both = reply.model;
          both.merge(hidden.model);
          conditions.push_back(symbols_.terms().fails(wayOf(allowed[k], visible, both)));
        }
      }
      if (!known) {
        doubt("a question that the solver could not answer");
        return true;
      }
      if (!explained)
        return isAllowed(node, event, conditions, reply.model);
      hint = std::move(reply.model);
    }
    doubt("more ways of the specification than are told apart");
    return true;
  }

  /// Runs that nothing explains were found: one of them must be confirmed.
  bool isAllowed(const Node& node, const SymbolicEvent& event, const std::vector<ExprId>& conditions,
                 const solver::Assignment& model) {
    std::vector<SymbolicEvent> trace = node.trace;
    trace.push_back(event);
    // As early as it shows, where that is explained by nothing either.
    const solver::Optimum first = symbols_.solver().minimise(conditions, event.time, &model);
    if (first.kind == solver::Optimum::Kind::Attained && confirm(trace, first.model))
      return false;
    if (confirm(trace, model))
      return false;
    doubt("a difference that could not be confirmed");
    return true;
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
        result_.shown = showTrace(symbols_.model(), concrete);
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
