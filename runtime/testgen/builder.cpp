#include "runtime/testgen/builder.hpp"

#include <algorithm>

namespace tioc::testgen {

using ir::ExprId;
using ir::Rational;
using ir::TestNodeId;
using semantics::SymbolicState;
using semantics::Visibility;

namespace {

// Unknowns of what is seen come behind those of any path.
constexpr uint32_t kSeen = 1U << 24;

} // namespace

Builder::Builder(semantics::Symbols& symbols, semantics::StepRelation& relation, Observer& observer,
                 BuildOptions options)
    : symbols_(symbols), relation_(relation), observer_(observer), options_(std::move(options)), pool_(symbols.pool()),
      project_(symbols) {}

// ---- what is seen

/// Position 0 is the time of the next event, the others are its values.
ExprId Builder::seen(uint32_t position, ir::TypeId type, const std::string& name) {
  const ExprId leaf = symbols_.unknown(kSeen + event_, position, type, name);
  if (const uint32_t id = pool_.payload(leaf); std::find(seen_.begin(), seen_.end(), id) == seen_.end())
    seen_.push_back(id);
  return leaf;
}

ExprId Builder::timeOf(uint32_t event) {
  if (event == times_.size())
    times_.push_back(symbols_.unknown(kSeen + event, 0, symbols_.model().types.real(), "time"));
  return times_[event];
}

ir::VariableId Builder::variableFor(ExprId unknown, const std::string& name) {
  const auto [it, isNew] =
      variables_.try_emplace(pool_.payload(unknown), static_cast<uint32_t>(test_.variables.size()));
  if (isNew)
    test_.variables.push_back({name, pool_.type(unknown), {}});
  return ir::VariableId(it->second);
}

/// From unknowns that were seen to variables of the test, and to the message at hand.
ExprId Builder::translate(ExprId expr) {
  return pool_.substitute(expr, [&](ExprId leaf) -> ExprId {
    if (pool_.op(leaf) != ir::Op::Parameter)
      return {};
    const auto local = std::find(message_.begin(), message_.end(), leaf);
    if (local != message_.end())
      return pool_.local(static_cast<uint32_t>(local - message_.begin()), pool_.type(leaf));
    const auto variable = variables_.find(pool_.payload(leaf));
    return variable == variables_.end() ? ExprId() : pool_.variable(ir::VariableId(variable->second), pool_.type(leaf));
  });
}

/// The term is what was seen; the witness agrees.
bool Builder::agree(SymbolicState& state, ExprId term, ExprId unknown) {
  if (pool_.op(unknown) == ir::Op::Parameter) {
    eval::Result value = symbols_.terms().evaluate(term, state.witness);
    if (value.ok())
      state.witness.set(pool_.payload(unknown), std::move(value.value));
  }
  return symbols_.assume(state, pool_.equal(term, unknown)) && symbols_.isFeasible(state);
}

// ---- nodes

TestNodeId Builder::addNode(ir::TestNode node) {
  test_.nodes.push_back(std::move(node));
  return TestNodeId(test_.nodes.size() - 1);
}

TestNodeId Builder::addVerdict(ir::Verdict verdict, std::string reason) {
  for (size_t i = 0; i < test_.nodes.size(); ++i)
    if (const auto* known = std::get_if<ir::VerdictNode>(&test_.nodes[i]);
        known && known->verdict == verdict && known->reason == reason)
      return TestNodeId(i);
  return addNode(ir::VerdictNode{verdict, std::move(reason)});
}

void Builder::join(TestNodeId to) {
  for (const Pending& from : pending_) {
    ir::TestNode& node = test_.nodes[from.node.value];
    if (auto* send = std::get_if<ir::SendNode>(&node))
      send->next = to;
    else if (from.branch == kOff)
      std::get<ir::AwaitNode>(node).timeout = to;
    else
      std::get<ir::AwaitNode>(node).branches[from.branch].next = to;
  }
  pending_.clear();
}

/// What the steps of the path up to `step` exercise and no node has named yet.
std::vector<ir::Covered> Builder::coveredUntil(size_t step) {
  std::vector<ir::Covered> result;
  for (; coveredSteps_ < step; ++coveredSteps_)
    for (ir::EdgeId id : (*search_)[path_[coveredSteps_]].step.edges)
      if (!symbols_.model()[id].implicit)
        result.push_back({describe(symbols_.model(), id), symbols_.model()[id].span});
  return result;
}

ExprId Builder::choose(const std::vector<ExprId>& terms, bool largest) {
  ExprId best = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    ExprId less = pool_.lessEqual(best, terms[i]);
    if (const auto form = project_.linear(less); form && form->factors.empty())
      less = pool_.boolean(form->constant.sign() <= 0);
    else if (form && saysOrderOnly(less))
      less = pool_.boolean(true);
    else if (saysOrderOnly(pool_.lessEqual(terms[i], best)))
      less = pool_.boolean(false);
    best = largest ? pool_.ifThenElse(less, terms[i], best) : pool_.ifThenElse(less, best, terms[i]);
  }
  return best;
}

/// Makes one end of a window tighter.
void Builder::narrow(ir::TimeBound& bound, ExprId term, bool strict, bool upper) {
  if (!bound.time.valid()) {
    bound = {term, strict};
  } else if (bound.time == term) {
    bound.strict |= strict;
  } else {
    // One flag for both: the wider reading, so that nothing legal falls out.
    bound.strict &= strict;
    bound.time = choose({bound.time, term}, !upper);
  }
}

// ---- branches

/// One branch for each case of what is allowed; all lead to `to`.
Conjunction Builder::addBranches(TestNodeId node, const Next& next, const Conjunction& conditions, TestNodeId to) {
  const uint32_t unknown = pool_.payload(timeOf(event_));
  const std::vector<Conjunction> cases = casesOf(conditions);
  for (const Conjunction& one : cases) {
    ir::AwaitBranch branch;
    branch.channel = next.step.channel;
    branch.next = to;
    std::vector<ExprId> guard;
    for (ExprId condition : one) {
      const auto& used = symbols_.terms().unknownsOf(condition);
      if (!std::binary_search(used.begin(), used.end(), unknown)) {
        guard.push_back(translate(condition));
        continue;
      }
      const auto bound = project_.boundOf(condition, unknown);
      if (!bound)
        continue; // more is allowed than needs be
      const ExprId term = translate(bound->term);
      if (bound->upper)
        narrow(branch.to, term, bound->strict, true);
      if (bound->lower && bound->term != now())
        narrow(branch.from, term, bound->strict, false);
    }
    branch.guard = pool_.conjunction(guard);
    awaitAt(node).branches.push_back(std::move(branch));
  }
  return cases.size() == 1 ? cases[0] : Conjunction();
}

/// The outputs that are allowed beside those of the path.
void Builder::addOthers(TestNodeId node, const std::vector<Next>& nexts, Rest rest) {
  for (const Next& next : nexts) {
    if (next.step.visibility != Visibility::Output)
      continue;
    SymbolicState state = next.state;
    const ir::Channel& channel = symbols_.model()[next.step.channel];
    message_.clear();
    bool possible = agree(state, next.step.time, timeOf(event_));
    for (uint32_t i = 0; possible && i < next.step.values.size(); ++i) {
      message_.push_back(seen(i + 1, channel.parameters[i].type, channel.parameters[i].name));
      possible = agree(state, next.step.values[i], message_[i]);
    }
    if (!possible)
      continue;
    const TestNodeId to = rest == Rest::Pass
                              ? addVerdict(ir::Verdict::Pass, "an answer that the model allows came in time")
                              : addVerdict(ir::Verdict::Inconclusive,
                                           channel.name + " is allowed here, but leads away from what is tested");
    addBranches(node, next, state.conditions, to);
  }
  if (permissive_) {
    const TestNodeId to = addVerdict(ir::Verdict::Inconclusive, "the model has more ways on than were followed here");
    for (uint32_t i = 0; i < symbols_.model().channels.size(); ++i)
      if (const ir::Direction direction = symbols_.model().channels[i].direction;
          direction == ir::Direction::Output || direction == ir::Direction::Inout)
        awaitAt(node).branches.push_back({ir::ChannelId(i), pool_.boolean(true), {}, {}, {}, {}, {}, to});
  }
  message_.clear();
}

/// An output of the path comes next.
bool Builder::await(std::vector<Belief>& beliefs, std::vector<Next>& nexts) {
  const TestNodeId node = addNode(ir::AwaitNode{});
  join(node);
  std::vector<Belief> behind;
  size_t steps = 0;
  Conjunction learnt;
  for (const Next& next : nexts) {
    std::optional<Belief> on = onPath(beliefs, next);
    if (!on || next.step.visibility != Visibility::Output)
      continue;
    const ir::Channel& channel = symbols_.model()[next.step.channel];
    message_.clear();
    bool possible = agree(on->state, next.step.time, timeOf(event_));
    for (uint32_t i = 0; possible && i < next.step.values.size(); ++i) {
      message_.push_back(seen(i + 1, channel.parameters[i].type, channel.parameters[i].name));
      possible = agree(on->state, next.step.values[i], message_[i]);
    }
    if (!possible)
      continue;
    steps = on->at;
    learnt = addBranches(node, next, on->state.conditions, {});
    const std::vector<ExprId> message = message_;
    const std::string prefix = channel.name + "_" + std::to_string(event_ + 1);
    for (ir::AwaitBranch& branch : awaitAt(node).branches)
      if (!branch.next.valid() && !branch.stamp.valid()) {
        branch.stamp = variableFor(timeOf(event_), "t" + std::to_string(event_ + 1));
        for (uint32_t i = 0; i < message.size(); ++i)
          branch.updates.push_back({variableFor(message[i], prefix + "_" + channel.parameters[i].name),
                                    pool_.local(i, pool_.type(message[i]))});
      }
    behind.push_back(std::move(*on));
  }
  if (behind.empty()) {
    problem_ = "the path cannot be followed with the inputs that were chosen";
    return false;
  }
  const std::vector<ir::Covered> covers = coveredUntil(steps);
  const size_t count = awaitAt(node).branches.size();
  lastOutput_.clear();
  for (size_t i = 0; i < count; ++i) {
    awaitAt(node).branches[i].covers = covers;
    pending_.push_back({node, i});
  }
  lastOutput_ = pending_;
  lastOutputEvent_ = event_;
  bool bounded = false;
  const ExprId until = translate(silence(beliefs, bounded));
  addOthers(node, nexts, Rest::Inconclusive);
  const ir::ChannelId channel = behind[0].at > 0 ? (*search_)[path_[steps - 1]].step.channel : ir::ChannelId();
  awaitAt(node).until = until;
  const TestNodeId late = bounded ? addVerdict(ir::Verdict::Fail, "no output came by the deadline")
                                  : addVerdict(ir::Verdict::Inconclusive, "no output came, which the model allows");
  awaitAt(node).timeout = late;
  // Other states that agree with the same output go on beside the path.
  for (Next& next : nexts) {
    if (next.step.visibility != Visibility::Output || next.step.channel != channel)
      continue;
    bool possible = agree(next.state, next.step.time, timeOf(event_));
    const ir::Channel& known = symbols_.model()[channel];
    for (uint32_t i = 0; possible && i < next.step.values.size(); ++i)
      possible =
          agree(next.state, next.step.values[i], seen(i + 1, known.parameters[i].type, known.parameters[i].name));
    if (possible)
      behind.push_back({std::move(next.state), {}, kOff, 0});
  }
  // Only what holds whichever way the path went on.
  if (count == 1)
    known_.insert(known_.end(), learnt.begin(), learnt.end());
  seen_.push_back(pool_.payload(timeOf(event_)));
  ++event_;
  beliefs = std::move(behind);
  return true;
}

// ---- inputs

/// Conditions on what was seen before an input: the last output of the path must satisfy them, else the path ends
/// there.
bool Builder::require(ExprId condition) {
  const auto form = project_.linear(condition);
  if (pool_.isTrue(condition) || saysOrderOnly(condition) ||
      (form && form->factors.empty() &&
       form->constant.sign() < (form->relation == Projection::Linear::Relation::Less ? 0 : 1)))
    return true;
  if (lastOutput_.empty())
    return true; // only inputs so far, whose times and values were chosen to suit
  const uint32_t last = pool_.payload(timeOf(lastOutputEvent_));
  const auto& used = symbols_.terms().unknownsOf(condition);
  // Events after the last output are the tester's own; their times are what it made them.
  for (uint32_t event = lastOutputEvent_ + 1; event < event_; ++event)
    if (std::binary_search(used.begin(), used.end(), pool_.payload(timeOf(event))))
      return true;
  const bool timed = std::binary_search(used.begin(), used.end(), last);
  const auto bound = timed ? project_.boundOf(condition, last) : std::nullopt;
  if (timed && !bound)
    return false;
  for (const Pending& at : lastOutput_) {
    ir::AwaitBranch& branch = awaitAt(at.node).branches[at.branch];
    // The values of that output are its message, not yet variables.
    const auto put = [&](ExprId expr) {
      return pool_.substitute(translate(expr), [&](ExprId leaf) -> ExprId {
        if (pool_.op(leaf) == ir::Op::Variable)
          for (const ir::Update& update : branch.updates)
            if (update.variable.value == pool_.payload(leaf))
              return update.value;
        return {};
      });
    };
    if (!bound) {
      branch.guard = pool_.conjunction(branch.guard, put(condition));
      continue;
    }
    if (bound->upper)
      narrow(branch.to, put(bound->term), bound->strict, true);
    if (bound->lower)
      narrow(branch.from, put(bound->term), bound->strict, false);
  }
  return true;
}

/// When the input is due, as a term over what was seen.
bool Builder::timeToSend(const Belief& behind, ExprId& until) {
  const uint32_t unknown = pool_.payload(timeOf(event_));
  for (const Conjunction& conditions : casesOf(behind.state.conditions)) {
    if (!symbols_.terms().allHold(conditions, behind.state.witness))
      continue;
    std::vector<ExprId> lowers{now()}, uppers;
    bool open = false, openAbove = false;
    bool enforced = true;
    for (ExprId condition : conditions) {
      const auto bound = project_.boundOf(condition, unknown);
      if (!bound) {
        const auto& used = symbols_.terms().unknownsOf(condition);
        enforced &= !std::binary_search(used.begin(), used.end(), unknown) && require(condition);
        continue;
      }
      if (bound->lower && bound->term != now()) {
        lowers.push_back(bound->term);
        open |= bound->strict;
      }
      if (bound->upper) {
        uppers.push_back(bound->term);
        openAbove |= bound->strict;
      }
    }
    for (ExprId low : lowers)
      for (ExprId high : uppers)
        enforced &= require(open || openAbove ? pool_.less(low, high) : pool_.lessEqual(low, high));
    if (!enforced)
      continue;
    const ExprId low = choose(lowers, true);
    const ExprId high = uppers.empty() ? ExprId() : choose(uppers, false);
    const auto middle = [&] {
      return pool_.multiply(std::vector<ExprId>{pool_.real(Rational(1, 2)), pool_.add(std::vector<ExprId>{low, high})});
    };
    const bool late = options_.timing == ir::Timing::Latest && high.valid();
    if (options_.timing == ir::Timing::Middle && high.valid())
      until = middle();
    else if (late)
      until = openAbove ? middle() : high;
    else if (open)
      until = high.valid() ? middle() : pool_.add(std::vector<ExprId>{low, pool_.real(1)});
    else
      until = low;
    // Where the rest of the path needs another time, that of the model it is.
    const eval::Result planned = symbols_.terms().evaluate(until, behind.state.witness);
    const eval::Result chosen = symbols_.terms().evaluate(timeOf(event_), behind.state.witness);
    const eval::Result before = symbols_.terms().evaluate(now(), behind.state.witness);
    if (planned.ok() && chosen.ok() && before.ok() && planned.value.number != chosen.value.number)
      until = pool_.add(std::vector<ExprId>{now(), pool_.real(chosen.value.number - before.value.number)});
    else
      known_.insert(known_.end(), conditions.begin(), conditions.end());
    return true;
  }
  problem_ = "no time for an input could be told from what the tester sees";
  return false;
}

bool Builder::send(std::vector<Belief>& beliefs, std::vector<Next>& nexts) {
  const Next* chosen = nullptr;
  std::optional<Belief> on;
  for (const Next& next : nexts)
    if (next.step.visibility == Visibility::Input && (on = onPath(beliefs, next))) {
      chosen = &next;
      break;
    }
  if (!chosen) {
    problem_ = "the path cannot be followed with the inputs that were chosen";
    return false;
  }
  ir::SendNode input;
  input.channel = chosen->step.channel;
  const ir::Channel& channel = symbols_.model()[input.channel];
  for (uint32_t i = 0; i < chosen->step.values.size(); ++i) {
    const eval::Result value = symbols_.terms().evaluate(chosen->step.values[i], on->state.witness);
    input.arguments.push_back(symbols_.terms().constant(channel.parameters[i].type, value.value));
    if (!agree(on->state, chosen->step.values[i], input.arguments[i])) {
      problem_ = "the values that were chosen for " + channel.name + " do not suit";
      return false;
    }
  }
  ExprId until;
  if (!agree(on->state, chosen->step.time, timeOf(event_)) || !timeToSend(*on, until))
    return false;
  const bool mayAnswer = std::any_of(nexts.begin(), nexts.end(),
                                     [](const Next& next) { return next.step.visibility == Visibility::Output; });
  if (mayAnswer || until != now()) {
    const TestNodeId node = addNode(ir::AwaitNode{});
    const std::vector<Pending> before = pending_;
    join(node);
    addOthers(node, nexts, Rest::Inconclusive);
    awaitAt(node).until = translate(until);
    // With nothing to wait for, the way leads past it; it is pruned in the end.
    if (awaitAt(node).branches.empty() && until == now() && !before.empty())
      pending_ = before;
    else
      pending_.push_back({node, kOff});
  }
  permissive_ |= mayRefuse(beliefs, nexts, input.channel);
  std::vector<Belief> behind;
  for (Next& next : nexts) {
    if (&next == chosen || next.step.visibility != Visibility::Input || next.step.channel != input.channel)
      continue;
    bool possible = agree(next.state, next.step.time, timeOf(event_));
    for (uint32_t i = 0; possible && i < next.step.values.size(); ++i)
      possible = agree(next.state, next.step.values[i], input.arguments[i]);
    if (possible)
      behind.push_back({std::move(next.state), {}, kOff, 0});
  }
  input.stamp = variableFor(timeOf(event_), "t" + std::to_string(event_ + 1));
  input.covers = coveredUntil(on->at);
  behind.insert(behind.begin(), std::move(*on));
  const TestNodeId node = addNode(std::move(input));
  join(node);
  pending_.push_back({node, kOff});
  seen_.push_back(pool_.payload(timeOf(event_)));
  ++event_;
  beliefs = std::move(behind);
  return true;
}

/// Behind the last input: whatever the model allows is right.
void Builder::finish(std::vector<Belief>& beliefs, std::vector<Next>& nexts) {
  bool bounded = false;
  const ExprId until = translate(silence(beliefs, bounded));
  const TestNodeId node = addNode(ir::AwaitNode{});
  join(node);
  addOthers(node, nexts, Rest::Pass);
  awaitAt(node).until = until;
  const TestNodeId late = bounded ? addVerdict(ir::Verdict::Fail, "no output came by the deadline")
                                  : addVerdict(ir::Verdict::Pass, "the model allows silence here");
  awaitAt(node).timeout = late;
}

// ---- the whole

/// Values for everything on the path: data as asked for, then the times of inputs as early or late as possible.
bool Builder::chooseModel(uint32_t node) {
  const SymbolicState& end = (*search_)[node].state;
  Conjunction conditions = end.conditions;
  model_ = end.witness;
  if (end.uncertain || options_.data != ir::DataChoice::Boundary) {
    const solver::Reply reply = symbols_.solver().diverse(conditions, options_.seed, {}, &end.witness);
    if (reply.answer == solver::Answer::Sat)
      model_.merge(reply.model);
    else if (end.uncertain)
      return false;
  }
  const auto optimise = [&](ExprId term, bool largest) {
    const solver::Optimum best = largest ? symbols_.solver().maximise(conditions, term, &model_)
                                         : symbols_.solver().minimise(conditions, term, &model_);
    if (best.kind != solver::Optimum::Kind::Attained)
      return;
    model_.merge(best.model);
    conditions.push_back(pool_.equal(
        term, pool_.type(term) == symbols_.model().types.real() ? pool_.real(best.value) : pool_.integer(best.value)));
  };
  for (uint32_t id : path_) {
    const semantics::SymbolicStep& step = (*search_)[id].step;
    if (step.visibility != Visibility::Input)
      continue;
    if (options_.data == ir::DataChoice::Boundary)
      for (ExprId value : step.values)
        if (symbols_.model().types.isNumeric(pool_.type(value)) && !pool_.isConstant(value))
          optimise(value, (options_.seed & 1) != 0);
    if (options_.timing == ir::Timing::Earliest || options_.timing == ir::Timing::Latest)
      optimise(step.time, options_.timing == ir::Timing::Latest);
  }
  return true;
}

/// Drops branches that an equal one before them shadows, and nodes that no branch leads to.
void Builder::prune() {
  const auto equal = [](const ir::TimeBound& a, const ir::TimeBound& b) {
    return a.time == b.time && a.strict == b.strict;
  };
  for (ir::TestNode& node : test_.nodes)
    if (auto* await = std::get_if<ir::AwaitNode>(&node)) {
      std::vector<ir::AwaitBranch> kept;
      for (ir::AwaitBranch& branch : await->branches)
        if (std::none_of(kept.begin(), kept.end(), [&](const ir::AwaitBranch& other) {
              return other.channel == branch.channel && other.guard == branch.guard && equal(other.from, branch.from) &&
                     equal(other.to, branch.to);
            }))
          kept.push_back(std::move(branch));
      await->branches = std::move(kept);
    }
  std::vector<TestNodeId> kept(test_.nodes.size());
  std::vector<TestNodeId> order{TestNodeId(0)};
  kept[0] = TestNodeId(0);
  const auto visit = [&](TestNodeId& id) {
    if (!kept[id.value].valid()) {
      kept[id.value] = TestNodeId(order.size());
      order.push_back(id);
    }
    id = kept[id.value];
  };
  for (size_t i = 0; i < order.size(); ++i) {
    ir::TestNode& node = test_.nodes[order[i].value];
    if (auto* send = std::get_if<ir::SendNode>(&node))
      visit(send->next);
    if (auto* await = std::get_if<ir::AwaitNode>(&node)) {
      for (ir::AwaitBranch& branch : await->branches)
        visit(branch.next);
      visit(await->timeout);
    }
  }
  std::vector<ir::TestNode> nodes;
  for (TestNodeId id : order)
    nodes.push_back(std::move(test_.nodes[id.value]));
  test_.nodes = std::move(nodes);
}

std::optional<ir::TestCase> Builder::build(const Search& search, uint32_t node) {
  search_ = &search;
  path_ = search.path(node);
  test_ = {};
  problem_.clear();
  event_ = 0;
  permissive_ = false;
  times_.clear();
  seen_.clear();
  variables_.clear();
  message_.clear();
  pending_.clear();
  lastOutput_.clear();
  coveredSteps_ = 0;
  known_.clear();
  if (!chooseModel(node)) {
    problem_ = "the solver could not find values for the path";
    return std::nullopt;
  }
  std::vector<Belief> beliefs;
  for (SymbolicState& state : relation_.initial()) {
    state.witness = model_;
    beliefs.push_back({std::move(state), observer_.initial(), 0, 0});
  }
  std::vector<Next> nexts;
  bool endsInOutput = false;
  for (size_t i = 0; i < path_.size(); ++i) {
    const Visibility visibility = search[path_[i]].step.visibility;
    if (visibility == Visibility::Unobservable)
      continue;
    close(beliefs, nexts);
    endsInOutput = visibility == Visibility::Output;
    if (endsInOutput ? !await(beliefs, nexts) : !send(beliefs, nexts))
      return std::nullopt;
  }
  if (!endsInOutput) {
    close(beliefs, nexts);
    finish(beliefs, nexts);
  } else {
    join(addVerdict(ir::Verdict::Pass, "the system did what was asked for"));
  }
  prune();
  return std::move(test_);
}

std::string describe(const ir::Model& model, ir::EdgeId id) {
  const ir::Edge& edge = model[id];
  std::string text =
      model[model[edge.source].automaton].name + ": " + model[edge.source].name + " -> " + model[edge.target].name;
  if (!edge.name.empty())
    text += " (" + edge.name + ")";
  if (edge.channel.valid())
    text += " by " + model[edge.channel].name + (edge.action == ir::ActionKind::Send ? "!" : "?");
  return text;
}

} // namespace tioc::testgen
