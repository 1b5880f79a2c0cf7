#include "runtime/testgen/builder.hpp"

#include "runtime/semantics/concrete_choices.hpp"

#include <algorithm>

// Values for everything on the path.
namespace tioc::testgen {

using ir::ExprId;
using ir::Rational;
using semantics::SymbolicState;
using semantics::SymbolicStep;
using semantics::Visibility;

namespace {

// Other outputs of the system that the choice of data tries to keep possible.
constexpr size_t kMostKept = 6;
// Values that chance tries for one parameter of an input.
constexpr int kTries = 3;

} // namespace

/// Data as asked for, then the times of inputs as early or late as possible.
bool Builder::chooseModel() {
  const SymbolicState& end = path_->end;
  Conjunction conditions = end.conditions;
  model_ = end.witness;
  if (end.uncertain || options_.data == ir::DataChoice::Random) {
    const solver::Reply reply = symbols_.solver().diverse(conditions, options_.seed, {}, &end.witness);
    if (reply.answer == solver::Answer::Sat)
      model_.merge(reply.model);
    else if (end.uncertain)
      return false;
  }
  if (options_.quick) {
    chooseByChance();
    return true;
  }
  if (options_.data != ir::DataChoice::Random)
    keepOpen(conditions);
  size_t event = 0;
  for (const Path::Step& at : path_->steps) {
    const SymbolicStep& step = at.step;
    event += step.visibility != Visibility::Unobservable ? 1 : 0;
    if (step.visibility != Visibility::Input)
      continue;
    if (options_.data == ir::DataChoice::Boundary)
      for (ExprId value : step.values)
        if (symbols_.model().types.isNumeric(pool_.type(value)) && !pool_.isConstant(value))
          optimise(conditions, value, (options_.seed & 1) != 0);
    if (options_.timing != ir::Timing::Middle && options_.timing != ir::Timing::Random)
      optimise(conditions, step.time, isLate(event - 1));
  }
  return true;
}

/// Takes the model to an end of what the term can be, and keeps it there.
void Builder::optimise(Conjunction& conditions, ExprId term, bool largest) {
  const auto is = [&](const Rational& value) {
    const bool isReal = pool_.type(term) == symbols_.model().types.real();
    return pool_.equal(term, isReal ? pool_.real(value) : pool_.integer(value));
  };
  const solver::Optimum best = largest ? symbols_.solver().maximise(conditions, term, &model_)
                                       : symbols_.solver().minimise(conditions, term, &model_);
  if (best.kind == solver::Optimum::Kind::Attained) {
    model_.merge(best.model);
    conditions.push_back(is(best.value));
  } else if (best.kind == solver::Optimum::Kind::Limit) {
    prefer(conditions, {is(largest ? best.value - options_.nearness : best.value + options_.nearness)});
  }
}

/// Adds what is possible beside the rest.
bool Builder::prefer(Conjunction& conditions, const Conjunction& wanted) {
  Conjunction all = conditions;
  all.insert(all.end(), wanted.begin(), wanted.end());
  const solver::Reply reply = symbols_.solver().check(all, &model_);
  if (reply.answer != solver::Answer::Sat)
    return false;
  model_.merge(reply.model);
  conditions = std::move(all);
  return true;
}

/// Inputs are to leave the system its choices: where the model allows another output beside that of the path, for other
/// hidden values, the inputs are such that it stays possible. Else a test would know what it is to find out.
void Builder::keepOpen(Conjunction& conditions) {
  std::vector<uint32_t> own; // unknowns that the tester decides
  size_t copies = 0;
  for (const Path::Step& at : path_->steps) {
    if (at.step.visibility == Visibility::Input) {
      own.push_back(pool_.payload(at.step.time));
      for (ExprId value : at.step.values)
        for (uint32_t unknown : symbols_.terms().unknownsOf(value))
          own.push_back(unknown);
    }
    if (at.step.visibility != Visibility::Output || own.empty())
      continue;
    relation_.successors(at.from, [&](SymbolicStep&& step, SymbolicState&& state) {
      if (step.visibility != Visibility::Output || step.edges == at.step.edges || copies >= kMostKept)
        return;
      if (twins_.size() == copies)
        twins_.emplace_back();
      std::unordered_map<uint32_t, ExprId>& twins = twins_[copies++];
      ir::ExprPool::Substitution put(pool_, [&](ExprId leaf) -> ExprId {
        if (pool_.op(leaf) != ir::Op::Parameter || std::find(own.begin(), own.end(), pool_.payload(leaf)) != own.end())
          return {};
        ExprId& twin = twins[pool_.payload(leaf)];
        if (!twin.valid())
          twin = symbols_.twin(pool_.payload(leaf));
        return twin;
      });
      Conjunction other;
      for (ExprId condition : state.conditions)
        other.push_back(put(condition));
      prefer(conditions, other);
    });
  }
}

/// Without the solver: values of inputs that chance proposes, where everything still holds.
void Builder::chooseByChance() {
  uint64_t seed = options_.seed;
  const auto holds = [&](const std::vector<uint32_t>& changed, const solver::Assignment& at) {
    return std::all_of(path_->end.conditions.begin(), path_->end.conditions.end(), [&](ExprId condition) {
      const auto& used = symbols_.terms().unknownsOf(condition);
      return std::none_of(changed.begin(), changed.end(),
                          [&](uint32_t id) { return std::binary_search(used.begin(), used.end(), id); }) ||
             symbols_.terms().holds(condition, at);
    });
  };
  for (const Path::Step& at : path_->steps)
    if (at.step.visibility == Visibility::Input)
      for (ExprId value : at.step.values) {
        if (pool_.op(value) != ir::Op::Parameter)
          continue;
        const uint32_t unknown = pool_.payload(value);
        for (int i = 0; i < kTries; ++i) {
          solver::Assignment other = model_;
          other.set(unknown, semantics::anyValue(symbols_.model(), symbols_.unknowns().type(unknown), seed));
          if (!holds({unknown}, other))
            continue;
          model_ = std::move(other);
          break;
        }
      }
}

} // namespace tioc::testgen
