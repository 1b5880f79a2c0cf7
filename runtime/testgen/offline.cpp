#include "runtime/testgen/offline.hpp"

#include "runtime/execute/executor.hpp"
#include "runtime/testgen/goals.hpp"

#include <algorithm>
#include <random>

namespace tioc::testgen {

using ir::ExprId;
using ir::Rational;
using ir::TestNodeId;
using semantics::Visibility;

namespace {

// Outputs between two inputs that are recorded; a system that gives more is left alone.
constexpr size_t kMostOutputs = 12;

} // namespace

OfflineBuilder::OfflineBuilder(semantics::Symbols& symbols, semantics::StepRelation& relation, OfflineOptions options)
    : symbols_(symbols), relation_(relation), options_(std::move(options)), pool_(symbols.pool()), project_(symbols) {}

size_t OfflineBuilder::nextInput(size_t at) const {
  while (at < path_.size() && path_[at].visibility != Visibility::Input)
    ++at;
  return at;
}

bool OfflineBuilder::isTesters(uint32_t unknown) const {
  return std::binary_search(testers_.begin(), testers_.end(), unknown);
}

/// The unknowns that the tester chooses: times and values of inputs, unless the model ties them to others.
void OfflineBuilder::readTesters() {
  testers_.clear();
  std::vector<uint32_t> others;
  for (const semantics::SymbolicState& start : relation_.initial())
    for (ExprId term : start.store) {
      const std::vector<uint32_t>& used = symbols_.terms().unknownsOf(term);
      others.insert(others.end(), used.begin(), used.end());
    }
  for (size_t i = 0; i < path_.size(); ++i) {
    std::vector<ExprId> terms = path_[i].values;
    terms.push_back(path_[i].time);
    for (ExprId term : terms)
      if (pool_.op(term) == ir::Op::Parameter) {
        const uint32_t unknown = pool_.payload(term);
        const bool first = std::find(others.begin(), others.end(), unknown) == others.end();
        others.push_back(unknown);
        if (first && path_[i].visibility == Visibility::Input)
          testers_.push_back(unknown);
      }
  }
  std::sort(testers_.begin(), testers_.end());
}

// ---- values and times

bool OfflineBuilder::fix(ExprId term, const Rational& value) {
  const bool real = pool_.type(term) == symbols_.model().types.real();
  Conjunction longer = conditions_;
  longer.push_back(pool_.equal(term, real ? pool_.real(value) : pool_.integer(value)));
  const solver::Reply reply = symbols_.solver().check(longer, &model_);
  if (reply.answer != solver::Answer::Sat)
    return false;
  conditions_ = std::move(longer);
  model_.merge(reply.model);
  return true;
}

bool OfflineBuilder::solve() {
  const solver::Reply reply = symbols_.solver().check(conditions_, &model_);
  if (reply.answer == solver::Answer::Sat)
    model_.merge(reply.model);
  return reply.answer == solver::Answer::Sat;
}

void OfflineBuilder::chooseData() {
  if (options_.data == ir::DataChoice::Random) {
    const solver::Reply reply = symbols_.solver().diverse(conditions_, options_.seed, {}, &model_);
    if (reply.answer == solver::Answer::Sat)
      model_.merge(reply.model);
  }
  std::mt19937_64 dice(options_.seed);
  for (size_t i = nextInput(0); i < path_.size(); i = nextInput(i + 1))
    for (ExprId value : path_[i].values) {
      if (pool_.isConstant(value) || !symbols_.model().types.isNumeric(pool_.type(value)))
        continue;
      if (options_.data == ir::DataChoice::Boundary) {
        const solver::Optimum end = dice() % 2 ? symbols_.solver().maximise(conditions_, value, &model_)
                                               : symbols_.solver().minimise(conditions_, value, &model_);
        if (end.kind == solver::Optimum::Kind::Attained && fix(value, end.value))
          continue;
      }
      const eval::Result chosen = symbols_.terms().evaluate(value, model_);
      if (chosen.ok())
        fix(value, chosen.value.number);
    }
}

/// A model in which the time is at most a tenth above the least, where the solver does not tell the least.
void OfflineBuilder::lower(ExprId time) {
  Rational least = 0;
  Rational most = symbols_.terms().evaluate(time, model_).value.number;
  while (most - least > Rational(1, 10)) {
    const Rational middle = (least + most) / Rational(2);
    Conjunction longer = conditions_;
    longer.push_back(pool_.lessEqual(time, pool_.real(middle)));
    const solver::Reply reply = symbols_.solver().check(longer, &model_);
    if (reply.answer != solver::Answer::Sat) {
      least = middle;
      continue;
    }
    model_.merge(reply.model);
    most = symbols_.terms().evaluate(time, model_).value.number;
  }
}

/// A time in what is left of the window, as the options say; ends that do not belong to it are kept clear of.
void OfflineBuilder::chooseTime(ExprId time, uint64_t chance) {
  using Kind = solver::Optimum::Kind;
  const solver::Optimum first = symbols_.solver().minimise(conditions_, time, &model_);
  const solver::Optimum last = symbols_.solver().maximise(conditions_, time, &model_);
  if (first.kind != Kind::Attained && first.kind != Kind::Limit)
    lower(time);
  const eval::Result now = symbols_.terms().evaluate(time, model_);
  const bool hasFirst = first.kind == Kind::Attained || first.kind == Kind::Limit;
  const bool hasLast = last.kind == Kind::Attained || last.kind == Kind::Limit;
  const Rational low = hasFirst ? first.value : now.value.number;
  const Rational high = hasLast ? last.value : low + options_.patience;
  const Rational width = high - low;
  const Rational clear = std::min(width / Rational(10), Rational(1, 10));
  const Rational early = first.kind == Kind::Limit ? low + clear : low;
  const Rational late = last.kind == Kind::Attained ? high : high - clear;
  Rational wanted = early;
  switch (options_.timing) {
  case ir::Timing::Earliest:
    break;
  case ir::Timing::Latest:
    wanted = late;
    break;
  case ir::Timing::Middle:
    wanted = low + width / Rational(2);
    break;
  case ir::Timing::Boundary:
    wanted = chance % 2 ? late : early;
    break;
  case ir::Timing::Random:
    wanted = early + (late - early) * Rational(static_cast<int64_t>(chance % 1001), 1000);
    break;
  }
  // The window may have gaps.
  if (!fix(time, wanted))
    fix(time, now.value.number);
}

void OfflineBuilder::chooseTimes() {
  std::mt19937_64 dice(options_.seed + 1);
  for (size_t i = nextInput(0); i < path_.size(); i = nextInput(i + 1))
    chooseTime(path_[i].time, dice());
}

void OfflineBuilder::readInputs() {
  inputs_.clear();
  std::vector<ir::Covered> covers;
  for (size_t i = 0; i < path_.size(); ++i) {
    for (ir::EdgeId id : path_[i].edges)
      covers.push_back({describe(symbols_.model(), id), symbols_.model()[id].span});
    if (path_[i].visibility != Visibility::Input)
      continue;
    Given input{symbols_.terms().evaluate(path_[i].time, model_).value.number, path_[i].channel, {}, std::move(covers)};
    covers.clear();
    const ir::Channel& channel = symbols_.model()[path_[i].channel];
    for (size_t j = 0; j < path_[i].values.size(); ++j)
      input.values.push_back(symbols_.terms().constant(channel.parameters[j].type,
                                                       symbols_.terms().evaluate(path_[i].values[j], model_).value));
    inputs_.push_back(std::move(input));
  }
}

// ---- the test

std::string OfflineBuilder::notation() const {
  std::string text;
  Rational now;
  for (const Given& input : inputs_) {
    if (input.time > now)
      text += (input.time - now).toString() + " ";
    now = input.time;
    std::vector<eval::Value> values;
    for (ExprId value : input.values)
      values.push_back(symbols_.terms().evaluate(value, {}).value);
    std::string message = execute::showMessage(symbols_.model(), input.channel, values);
    message.insert(symbols_.model()[input.channel].name.size(), "?");
    text += message + " ";
  }
  return text.empty() ? text : text.substr(0, text.size() - 1);
}

/// Inputs at their times; between them whatever comes is let pass.
ir::TestCase OfflineBuilder::emit() const {
  ir::TestCase test;
  const auto add = [&](ir::TestNode node) {
    test.nodes.push_back(std::move(node));
    return TestNodeId(test.nodes.size() - 1);
  };
  // From the end to the beginning; then turned round.
  TestNodeId next = add(ir::VerdictNode{ir::Verdict::Inconclusive, "recorded; the log gets its verdict afterwards"});
  const TestNodeId much = add(ir::VerdictNode{ir::Verdict::Inconclusive, "more outputs came than are recorded"});
  const auto record = [&](const Rational& until) {
    const TestNodeId timeout = next;
    TestNodeId more = much;
    for (size_t i = 0; i < kMostOutputs; ++i) {
      ir::AwaitNode await;
      for (uint32_t c = 0; c < symbols_.model().channels.size(); ++c)
        if (ir::isObservable(symbols_.model().channels[c])) {
          ir::AwaitBranch branch;
          branch.channel = ir::ChannelId(c);
          branch.guard = pool_.boolean(true);
          branch.next = more;
          await.branches.push_back(std::move(branch));
        }
      await.until = pool_.real(until);
      await.timeout = timeout;
      more = add(std::move(await));
      if (std::get<ir::AwaitNode>(test.nodes.back()).branches.empty())
        break;
    }
    next = more;
  };
  record((inputs_.empty() ? Rational(0) : inputs_.back().time) + options_.patience);
  for (size_t i = inputs_.size(); i-- > 0;) {
    next = add(ir::SendNode{inputs_[i].channel, inputs_[i].values, {}, inputs_[i].covers, next});
    const Rational before = i > 0 ? inputs_[i - 1].time : Rational(0);
    if (inputs_[i].time > before)
      record(inputs_[i].time);
  }
  std::reverse(test.nodes.begin(), test.nodes.end());
  const auto turn = [&](TestNodeId& id) { id = TestNodeId(test.nodes.size() - 1 - id.value); };
  for (ir::TestNode& node : test.nodes) {
    if (auto* send = std::get_if<ir::SendNode>(&node))
      turn(send->next);
    if (auto* await = std::get_if<ir::AwaitNode>(&node)) {
      for (ir::AwaitBranch& branch : await->branches)
        turn(branch.next);
      turn(await->timeout);
    }
  }
  return test;
}

std::optional<ir::TestCase> OfflineBuilder::build(std::vector<semantics::SymbolicStep> path,
                                                  const semantics::SymbolicState& end) {
  path_ = std::move(path);
  problem_.clear();
  freedoms_.clear();
  conditions_ = end.conditions;
  model_ = end.witness;
  readTesters();
  if (!solve()) {
    problem_ = "the solver could not find values for the path";
    return std::nullopt;
  }
  if (!force())
    freedoms_.push_back("whether a correct system must follow the path could not be told");
  chooseData();
  chooseTimes();
  readInputs();
  return emit();
}

} // namespace tioc::testgen
