#include "runtime/conformance/step_tracker.hpp"

#include <algorithm>

namespace tioc::conformance {

using ir::ExprId;
using ir::Rational;
using semantics::kNoInputs;
using semantics::SymbolicState;
using semantics::SymbolicStep;
using semantics::Visibility;

namespace {

/// Every concrete state of `b` is one of `a`: it asks for the same and perhaps more.
bool includes(const SymbolicState& a, const SymbolicState& b) {
  return a.at == b.at && a.store == b.store && a.now == b.now && a.since == b.since && a.open == b.open &&
         a.busy == b.busy && a.pending == b.pending &&
         std::includes(b.conditions.begin(), b.conditions.end(), a.conditions.begin(), a.conditions.end());
}

} // namespace

StepTracker::StepTracker(MakeSpecification make, TrackLimits limits, Rational tolerance)
    : make_(std::move(make)), limits_(limits), tolerance_(std::move(tolerance)) {
  specification_ = make_();
  normal_.emplace(symbols());
  mostTerms_ = symbols().pool().size() + limits_.terms;
  taken_.resize(symbols().model().edges.size());
}

Answer StepTracker::unknown(std::string reason) {
  reason_ = std::move(reason);
  return Answer::Unknown;
}

/// False: it was there already, or there is no room.
bool StepTracker::add(std::vector<Belief>& beliefs, Belief&& belief, size_t most) {
  for (Belief& other : beliefs)
    if (includes(other.state, belief.state)) {
      other.edges.insert(other.edges.end(), belief.edges.begin(), belief.edges.end());
      other.state.uncertain = other.state.uncertain && belief.state.uncertain; // what may be there surely is
      return false;
    }
  if (beliefs.size() >= most) {
    truncated_ = true;
    return false;
  }
  beliefs.push_back(std::move(belief));
  return true;
}

/// Goes over to the next set, unless it is empty.
Answer StepTracker::accept(std::vector<Belief>&& next) {
  future_.reset();
  enlarged_ |= normal_->hasEnlarged();
  if (const auto& problem = relation().problem()) { // states may be missing
    lost_ = true;
    return unknown(problem->text);
  }
  if (next.empty()) {
    if (!truncated_)
      return Answer::No;
    lost_ = true;
    return unknown("more states were possible than the limit of " + std::to_string(limits_.states) + " states and " +
                   std::to_string(limits_.unseen) + " unobservable steps allows to follow");
  }
  beliefs_ = std::move(next);
  bool certain = false;
  for (Belief& belief : beliefs_) {
    for (ir::EdgeId edge : belief.edges)
      taken_[edge.value] = true;
    belief.edges.clear();
    belief.unseen = 0;
    certain |= !belief.state.uncertain;
  }
  if (!certain)
    return unknown("the solver could not tell whether the specification allows it");
  if (enlarged_)
    return unknown("hidden values and times hang together in a way that is not decided");
  reason_ = relation().imprecise();
  return Answer::Yes;
}

Answer StepTracker::start() {
  if (symbols().pool().size() > mostTerms_) {
    beliefs_.clear();
    renew();
  }
  now_ = zero_ = 0;
  truncated_ = enlarged_ = lost_ = closed_ = false;
  beliefs_.clear();
  if (relation().problem()) {
    lost_ = true;
    return unknown(relation().problem()->text);
  }
  std::vector<Belief> next;
  for (const SymbolicState& state : relation().initial())
    (*normal_)(state, {}, NormalForm::Present::Is0, [&](SymbolicState&& normal) {
      add(next, {std::move(normal), {}, 0}, limits_.states);
    });
  return accept(std::move(next));
}

void StepTracker::expand(std::vector<Belief>& work, size_t index, Within within, const Rational& time,
                         const semantics::Inputs& inputs, const semantics::StepRelation::Sink& seen) {
  const SymbolicState from = work[index].state;
  const auto follow = [&](SymbolicStep&& step, SymbolicState&& behind) {
    if (step.visibility != Visibility::Unobservable) {
      seen(std::move(step), std::move(behind));
      return;
    }
    if (within == Within::Nothing)
      return;
    ir::ExprPool& pool = symbols().pool();
    if (within == Within::Time &&
        (!symbols().assume(behind, pool.lessEqual(step.time, pool.real(time))) || !symbols().isFeasible(behind)))
      return;
    if (work[index].unseen >= limits_.unseen) {
      truncated_ = true;
      return;
    }
    (*normal_)(behind, {}, NormalForm::Present::Stays, [&](SymbolicState&& normal) {
      Belief next{std::move(normal), work[index].edges, work[index].unseen + 1};
      next.edges.insert(next.edges.end(), step.edges.begin(), step.edges.end());
      add(work, std::move(next), limits_.states);
    });
  };
  relation().successors(from, follow, inputs);
}

/// Adds the state after a wait without any step, and those that are further on already.
void StepTracker::stay(const Belief& belief, const Rational& delay, std::vector<Belief>& next) {
  const auto keep = [&](SymbolicState&& normal) { add(next, {std::move(normal), belief.edges, 0}, limits_.states); };
  if (tolerance_.isZero() && delay.isZero()) { // a state can always stay as it is
    (*normal_)(belief.state, {}, present(), keep);
    return;
  }
  ir::ExprPool& pool = symbols().pool();
  const ExprId end = pool.real(delay);
  relation().wait(belief.state, [&](SymbolicState&& later) {
    if (symbols().assume(later, pool.equal(symbols().expr(later.now), end)) && symbols().isFeasible(later))
      (*normal_)(later, delay, present(), keep);
  });
  if (tolerance_.isZero())
    return;
  SymbolicState beyond = belief.state;
  if (symbols().assume(beyond, pool.less(end, symbols().expr(beyond.now))) && symbols().isFeasible(beyond))
    (*normal_)(beyond, delay, present(), keep);
}

Answer StepTracker::wait(const Rational& time) {
  if (lost_) {
    now_ = time;
    return Answer::Unknown;
  }
  last_ = {Visibility::Unobservable, {}, {}, time};
  // A message that was sent up to the tolerance before would have been seen.
  const Rational sure = std::max(zero_, time - tolerance_);
  const Rational delay = sure - zero_;
  if (delay.isZero() && closed_) {
    now_ = time;
    return Answer::Yes;
  }
  std::vector<Belief> work = beliefs_, next;
  for (size_t i = 0; i < work.size(); ++i) {
    expand(work, i, Within::Time, delay, kNoInputs, [](SymbolicStep&&, SymbolicState&&) {});
    stay(Belief(work[i]), delay, next);
  }
  const Answer answer = accept(std::move(next));
  if (answer == Answer::No)
    return answer;
  now_ = time;
  zero_ = sure;
  closed_ = tolerance_.isZero();
  if (symbols().pool().size() > mostTerms_)
    renew();
  return answer;
}

std::vector<ExprId> StepTracker::constantsOf(ir::ChannelId channel, const std::vector<eval::Value>& values) {
  const auto& parameters = symbols().model()[channel].parameters;
  std::vector<ExprId> constants;
  for (size_t i = 0; i < parameters.size(); ++i)
    constants.push_back(symbols().terms().constant(parameters[i].type, values[i]));
  return constants;
}

bool StepTracker::isNow(const SymbolicStep& step, SymbolicState& behind, std::span<const ExprId> constants) {
  ir::ExprPool& pool = symbols().pool();
  const ExprId latest = pool.real(now_ + tolerance_ - zero_);
  bool possible =
      symbols().assume(behind, tolerance_.isZero() ? pool.equal(step.time, latest) : pool.lessEqual(step.time, latest));
  for (size_t i = 0; possible && i < constants.size(); ++i)
    possible = symbols().assume(behind, pool.equal(step.values[i], constants[i]));
  return possible && symbols().isFeasible(behind);
}

Answer StepTracker::observe(Visibility kind, ir::ChannelId channel, const std::vector<eval::Value>& values) {
  if (lost_)
    return Answer::Unknown;
  last_ = {kind, channel, values, now_};
  const std::vector<ExprId> constants = constantsOf(channel, values);
  const Rational last = now_ + tolerance_ - zero_;
  const semantics::Inputs inputs = kind == Visibility::Input ? semantics::Inputs{false, channel} : kNoInputs;
  std::vector<Belief> work = beliefs_, next;
  for (size_t i = 0; i < work.size(); ++i)
    expand(work, i, closed_ ? Within::Nothing : Within::Time, last, inputs,
           [&](SymbolicStep&& step, SymbolicState&& behind) {
             if (step.visibility != kind || step.channel != channel || !isNow(step, behind, constants))
               return;
             (*normal_)(behind, {}, present(), [&](SymbolicState&& normal) {
               Belief belief{std::move(normal), work[i].edges, 0};
               belief.edges.insert(belief.edges.end(), step.edges.begin(), step.edges.end());
               add(next, std::move(belief), limits_.states);
             });
           });
  const Answer answer = accept(std::move(next));
  if (answer != Answer::No)
    closed_ = false;
  return answer;
}

/// The step's state, which has these conditions, takes the message now.
bool StepTracker::isTaken(const SymbolicStep& step, const std::vector<ExprId>& conditions,
                          std::span<const ExprId> constants) {
  ir::ExprPool& pool = symbols().pool();
  const ExprId now = pool.real(now_ - zero_);
  ir::ExprPool::Substitution put(pool, [&](ExprId leaf) -> ExprId {
    for (size_t i = 0; i < constants.size(); ++i)
      if (leaf == step.values[i])
        return constants[i];
    return leaf == step.time ? now : ExprId();
  });
  return symbols().solver().implies(conditions, put(step.taken)) == ir::Decision::Yes;
}

/// A state surely accepts where a step asks for nothing more than the state does. Where times are measured, it is
/// enough that it may: every step then asks for something about the true time.
bool StepTracker::isAccepted(ir::ChannelId channel, const std::vector<eval::Value>& values) {
  if (lost_ || truncated_)
    return false;
  const std::vector<ExprId> constants = constantsOf(channel, values);
  const Rational last = now_ + tolerance_ - zero_;
  std::vector<Belief> work = beliefs_;
  for (size_t i = 0; i < work.size(); ++i) {
    const std::vector<ExprId> before = work[i].state.conditions;
    bool accepted = false;
    expand(work, i, closed_ ? Within::Nothing : Within::Time, last, {false, channel},
           [&](SymbolicStep&& step, SymbolicState&& behind) {
             if (accepted || step.visibility != Visibility::Input || step.channel != channel)
               return;
             if (step.taken.valid() && tolerance_.isZero())
               accepted = isTaken(step, before, constants);
             else if (isNow(step, behind, constants))
               (*normal_)(behind, {}, present(), [&](SymbolicState&& normal) {
                 accepted |= !tolerance_.isZero() || normal.conditions == before;
               });
           });
    if (!accepted)
      return false;
  }
  return !relation().problem();
}

Answer StepTracker::output(ir::ChannelId channel, const std::vector<eval::Value>& values) {
  return observe(Visibility::Output, channel, values);
}

Answer StepTracker::input(ir::ChannelId channel, const std::vector<eval::Value>& values) {
  return observe(Visibility::Input, channel, values);
}

Marks StepTracker::marks() const {
  Marks marks;
  for (const Belief& belief : beliefs_)
    switch (specification_->mark(belief.state)) {
    case ir::Mark::Accept:
      ++marks.accept;
      break;
    case ir::Mark::Reject:
      ++marks.reject;
      break;
    case ir::Mark::None:
      ++marks.none;
      break;
    }
  return marks;
}

void StepTracker::resume(std::vector<SymbolicState> states, const Rational& now) {
  now_ = zero_ = now;
  future_.reset();
  truncated_ = enlarged_ = lost_ = closed_ = false;
  beliefs_.clear();
  for (SymbolicState& state : states)
    add(beliefs_, {std::move(state), {}, 0}, limits_.states);
}

std::vector<SymbolicState> StepTracker::states() const {
  std::vector<SymbolicState> result;
  for (const Belief& belief : beliefs_)
    result.push_back(belief.state);
  return result;
}

bool StepTracker::isConcrete() const {
  const ir::ExprPool& pool = specification_->symbols().pool();
  return isExact() && std::all_of(beliefs_.begin(), beliefs_.end(), [&](const Belief& belief) {
           const SymbolicState& state = belief.state;
           return state.conditions.empty() && !state.uncertain &&
                  std::all_of(state.store.begin(), state.store.end(), [&](ExprId id) { return pool.isConstant(id); }) &&
                  std::none_of(state.since.begin(), state.since.end(),
                               [](const semantics::TimeTerm& since) { return since.data.valid(); });
         });
}

/// Moves what is known to a new specification, without the expressions that nothing needs any more.
void StepTracker::renew() {
  future_.reset();
  std::unique_ptr<Specification> fresh = make_();
  semantics::Symbols& from = symbols();
  semantics::Symbols& to = fresh->symbols();
  std::unordered_map<ExprId, ExprId> known;
  std::unordered_map<uint32_t, ExprId> unknowns; // by old unknown
  const auto move = [&](ExprId root) {
    from.pool().visit(root, [&](ExprId expr) {
      if (known.contains(expr))
        return;
      if (from.pool().op(expr) == ir::Op::Parameter) {
        known.emplace(expr, unknowns.at(from.pool().payload(expr)));
        return;
      }
      std::vector<ExprId> operands;
      for (ExprId operand : from.pool().operands(expr))
        operands.push_back(known.at(operand));
      known.emplace(expr, to.pool().adopt(from.pool(), expr, operands));
    });
    return known.at(root);
  };
  // The unknowns of a state are numbered from 0 on, with one entry for every type that a number was used with.
  for (Belief& belief : beliefs_) {
    SymbolicState& state = belief.state;
    std::vector<ExprId> roots = state.conditions;
    semantics::forEachPart(
        state, [&](ExprId term) { roots.push_back(term); },
        [&](const semantics::TimeTerm& time) {
          if (time.data.valid())
            roots.push_back(time.data);
        });
    std::vector<uint32_t> used = from.terms().unknownsOf(roots);
    solver::Assignment witness;
    for (uint32_t old : used) {
      if (!unknowns.contains(old))
        unknowns[old] = NormalForm::unknown(to, static_cast<uint32_t>(unknowns.size()), from.unknowns().type(old));
      if (const eval::Value* value = state.witness.find(old))
        witness.set(to.pool().payload(unknowns[old]), *value);
    }
    for (ExprId& condition : state.conditions)
      condition = move(condition);
    semantics::forEachPart(
        state, [&](ExprId& term) { term = move(term); },
        [&](semantics::TimeTerm& time) {
          if (time.data.valid())
            time.data = move(time.data);
        });
    state.witness = std::move(witness);
    state.settled = 0;
    to.isFeasible(state);
  }
  normal_.reset();
  specification_ = std::move(fresh);
  normal_.emplace(symbols());
  mostTerms_ = symbols().pool().size() + limits_.terms;
}

} // namespace tioc::conformance
