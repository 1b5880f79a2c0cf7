#include "runtime/semantics/messages.hpp"

#include "ir/print.hpp"

#include <algorithm>
#include <set>

namespace tioc::semantics {

using eval::Slot;
using ir::ExprId;
using ir::Op;
using ir::TypeKind;

/// Finds an order in which every parameter is settled by terms that are known by then.
class Messages::Planner {
public:
  Planner(const Network& network, const eval::Layout& layout, ir::ChannelId channel, std::span<const ir::EdgeId> edges,
          By by, bool broadcast)
      : model_(network.model()), pool_(model_.exprs), layout_(layout), members_(model_[channel].parameters),
        channel_(model_[channel]) {
    for (ir::EdgeId id : edges) {
      const ir::Edge& edge = model_[id];
      const ir::Guard& guard = by == By::Deadline && edge.deadline ? *edge.deadline : edge.guard;
      for (ExprId part : pool_.conjuncts(guard.data))
        conjuncts_.push_back(part);
      if (by == By::Guard)
        look(edge);
      for (const ir::ClockConstraint& c : guard.clocks)
        note(c.bound);
    }
    for (ExprId part : conjuncts_)
      note(part);
    if (broadcast)
      for (uint32_t component : network.receivers(channel))
        for (ir::EdgeId id : model_[network.component(component)].edges)
          if (model_[id].channel == channel) {
            look(model_[id]);
            note(model_[id].guard.data);
          }
    plan_.edge_ = edges.empty() ? anyEdge(network, channel) : &model_[edges[0]];
  }

  Plan run() {
    for (ExprId part : conjuncts_)
      if (locals(part).empty())
        plan_.plain_.push_back(part);
    for (uint32_t i = 0; i < members_.size(); ++i)
      plan_.never_ |= asksForTwo(i);
    while (settled_.size() < members_.size()) {
      if (pinOne() || tryOne(false))
        continue;
      if (!tryOne(true))
        break;
    }
    return std::move(plan_);
  }

private:
  static const ir::Edge* anyEdge(const Network& network, ir::ChannelId channel) {
    for (ir::EdgeId id : network.model()[network.component(network.receivers(channel)[0])].edges)
      if (network.model()[id].channel == channel)
        return &network.model()[id];
    return nullptr;
  }

  std::set<uint32_t> locals(ExprId expr) const {
    std::set<uint32_t> result;
    pool_.visit(expr, [&](ExprId id) {
      if (pool_.op(id) == Op::Local)
        result.insert(pool_.payload(id));
    });
    return result;
  }
  void note(ExprId expr) { mentioned_.merge(locals(expr)); }
  void look(const ir::Edge& edge) {
    for (const ir::Update& update : edge.updates)
      note(update.value);
    for (const ir::Reset& reset : edge.resets)
      note(reset.value);
    for (const ir::ClockConstraint& c : edge.guard.clocks)
      note(c.bound);
  }

  bool isKnown(ExprId expr) const {
    std::set<uint32_t> used = locals(expr);
    return std::all_of(used.begin(), used.end(), [&](uint32_t i) { return settled_.contains(i); });
  }

  /// A term that equals the parameter and is known.
  ExprId pin(uint32_t index) const {
    for (ExprId part : conjuncts_) {
      if (pool_.op(part) != Op::Equal)
        continue;
      auto sides = pool_.operands(part);
      for (int i = 0; i < 2; ++i)
        if (isLocal(sides[i], index) && isKnown(sides[1 - i]))
          return sides[1 - i];
    }
    return {};
  }
  bool isLocal(ExprId expr, uint32_t index) const {
    return pool_.op(expr) == Op::Local && pool_.payload(expr) == index;
  }

  /// Equal constants are equal expressions.
  bool asksForTwo(uint32_t index) const {
    ExprId first;
    for (ExprId part : conjuncts_) {
      if (pool_.op(part) != Op::Equal)
        continue;
      auto sides = pool_.operands(part);
      for (int i = 0; i < 2; ++i) {
        if (!isLocal(sides[i], index) || !pool_.isConstant(sides[1 - i]))
          continue;
        if (first.valid() && first != sides[1 - i] && isLiteral(first) && isLiteral(sides[1 - i]))
          return true;
        first = sides[1 - i];
      }
    }
    return false;
  }
  bool isLiteral(ExprId expr) const {
    const Op op = pool_.op(expr);
    return op == Op::Bool || op == Op::Number || op == Op::EnumLiteral;
  }

  bool pinOne() {
    for (uint32_t i = 0; i < members_.size(); ++i) {
      if (settled_.contains(i))
        continue;
      ExprId value = pin(i);
      const bool ignored = !mentioned_.contains(i);
      if (!value.valid() && !ignored)
        continue;
      Plan::Step step;
      step.type = members_[i].type;
      step.slot = layout_.offsetOfLocal(*plan_.edge_, i);
      step.size = layout_.sizeOf(step.type);
      if (ignored)
        setConstant(step, eval::defaultValue(model_, step.type));
      else
        setValue(step, value);
      plan_.steps_.push_back(std::move(step));
      settled_.insert(i);
      return true;
    }
    return false;
  }

  void setConstant(Plan::Step& step, const eval::Value& value) {
    step.kind = Plan::Kind::Constant;
    step.slots.resize(step.size);
    if (!layout_.store(step.type, value, step.slots.data()))
      step.kind = Plan::Kind::Computed; // reports what does not fit where it matters
  }

  void setValue(Plan::Step& step, ExprId value) {
    step.value = value;
    step.kind = Plan::Kind::Computed;
    if (pool_.op(value) == Op::Variable) {
      const ir::VariableId variable(pool_.payload(value));
      if (model_[variable].type == step.type || !hasRange(step.type)) {
        step.kind = Plan::Kind::Copy;
        step.from = layout_.offsetOf(variable);
      }
    } else if (pool_.isConstant(value)) {
      eval::Result result = eval::evaluate(layout_, value, nullptr, nullptr);
      if (result.ok() && eval::fits(model_, step.type, result.value))
        setConstant(step, result.value);
    }
    if (step.kind == Plan::Kind::Computed && readRange(step))
      step.program = IntProgram::compile(layout_, value, plan_.edge_);
  }
  /// Whether the range of a plain integer can be looked at in machine words.
  bool readRange(Plan::Step& step) const {
    const ir::Type& type = model_.types[step.type];
    if (type.range) {
      step.low = type.range->first.toInt64();
      step.high = type.range->last.toInt64();
    }
    return !type.range || (step.low && step.high);
  }
  bool hasRange(ir::TypeId type) const {
    const TypeKind kind = model_.types[type].kind;
    return model_.types[type].range || kind == TypeKind::Record || kind == TypeKind::Array;
  }

  /// Takes the next parameter whose values can be tried. `desperate`: or says why there is none.
  bool tryOne(bool desperate) {
    for (uint32_t i = 0; i < members_.size(); ++i) {
      if (settled_.contains(i))
        continue;
      std::vector<Plan::Step> steps;
      const bool small = addSlots(members_[i].type, layout_.offsetOfLocal(*plan_.edge_, i), steps);
      bool bounded = false;
      if (model_.types[members_[i].type].kind == TypeKind::Int) {
        collectBounds(i, steps[0]);
        bounded = (steps[0].low || !steps[0].above.empty()) && (steps[0].high || !steps[0].below.empty());
      }
      if (!small && !bounded) {
        if (desperate) {
          plan_.problem_ = Problem{plan_.edge_->span, "the value '" + plan_.edge_->parameters[i].name + "' of " +
                                                          channel_.name + " is not limited to a few values"};
          return false;
        }
        continue;
      }
      plan_.steps_.insert(plan_.steps_.end(), steps.begin(), steps.end());
      settled_.insert(i);
      return true;
    }
    return false;
  }

  void collectBounds(uint32_t index, Plan::Step& step) const {
    for (ExprId part : conjuncts_) {
      const bool strict = pool_.op(part) == Op::Less;
      if (!strict && pool_.op(part) != Op::LessEqual)
        continue;
      auto sides = pool_.operands(part);
      if (isLocal(sides[0], index) && isKnown(sides[1]))
        step.below.emplace_back(sides[1], !strict);
      if (isLocal(sides[1], index) && isKnown(sides[0]))
        step.above.emplace_back(sides[0], !strict);
    }
  }

  /// One step per slot; false if a slot has no limits.
  bool addSlots(ir::TypeId id, uint32_t slot, std::vector<Plan::Step>& steps) const {
    const ir::Type& type = model_.types[id];
    Plan::Step step;
    step.slot = slot;
    step.type = id;
    bool small = true;
    switch (type.kind) {
    case TypeKind::Bool:
    case TypeKind::Enum:
      step.low = 0;
      step.high = type.kind == TypeKind::Bool ? 1 : static_cast<int64_t>(model_[type.enumeration].literals.size()) - 1;
      break;
    case TypeKind::Int:
      if (type.range) {
        step.low = type.range->first.toInt64();
        step.high = type.range->last.toInt64();
      }
      small = step.low && step.high;
      break;
    case TypeKind::Real:
      return false;
    case TypeKind::Record:
      for (const ir::Member& field : model_[type.record].fields) {
        small &= addSlots(field.type, slot, steps);
        slot += layout_.sizeOf(field.type);
      }
      return small;
    case TypeKind::Array:
      for (uint32_t i = 0; i < type.size; ++i, slot += layout_.sizeOf(type.element))
        small &= addSlots(type.element, slot, steps);
      return small;
    }
    steps.push_back(std::move(step));
    return small;
  }

  const ir::Model& model_;
  const ir::ExprPool& pool_;
  const eval::Layout& layout_;
  const std::vector<ir::Member>& members_;
  const ir::Channel& channel_;
  std::vector<ExprId> conjuncts_;
  std::set<uint32_t> mentioned_;
  std::set<uint32_t> settled_;
  Plan plan_;
};

Messages::Messages(const Network& network, const eval::Layout& layout, uint64_t limit)
    : network_(network), layout_(layout), limit_(limit) {
  const ir::Model& model = network.model();
  plans_.emplace_back(); // for steps without a message
  for (auto& single : single_)
    single.assign(model.edges.size(), nullptr);
  for (auto& pairs : pairs_)
    pairs.resize(model.edges.size());
  position_.assign(model.edges.size(), 0);
  receivers_.assign(model.channels.size(), 0);
  for (size_t i = 0; i < model.edges.size(); ++i)
    if (model.edges[i].action == ir::ActionKind::Receive)
      position_[i] = receivers_[model.edges[i].channel.value]++;
}

const Messages::Plan** Messages::shortcut(ir::ChannelId channel, std::span<const ir::EdgeId> edges, By by,
                                          bool broadcast) {
  if (broadcast || edges.empty() || edges.size() > 2)
    return nullptr;
  const size_t kind = by == By::Guard ? 0 : 1;
  if (edges.size() == 1)
    return &single_[kind][edges[0].value];
  std::vector<const Plan*>& partners = pairs_[kind][edges[0].value];
  if (partners.empty())
    partners.assign(receivers_[channel.value], nullptr);
  return &partners[position_[edges[1].value]];
}

const Messages::Plan& Messages::plan(ir::ChannelId channel, std::span<const ir::EdgeId> edges, By by, bool broadcast) {
  if (!channel.valid() || network_.model()[channel].parameters.empty())
    return plans_.front();
  const Plan** const quick = shortcut(channel, edges, by, broadcast);
  if (quick && *quick)
    return **quick;
  const Key key{channel, edges.empty() ? ir::EdgeId() : edges[0], edges.size() > 1 ? edges[1] : ir::EdgeId(), by,
                broadcast};
  const Plan*& known = known_[key];
  if (!known) {
    plans_.push_back(Planner(network_, layout_, channel, edges, by, broadcast).run());
    known = &plans_.back();
  }
  if (quick)
    *quick = known;
  return *known;
}

Messages::Answer Messages::settle(const Plan& plan, const Plan::Step& step, Slot* frame, bool& exists) {
  switch (step.kind) {
  case Plan::Kind::Copy:
    std::copy_n(frame + step.from, step.size, frame + step.slot);
    return Answer::Done;
  case Plan::Kind::Constant:
    std::copy(step.slots.begin(), step.slots.end(), frame + step.slot);
    return Answer::Done;
  default:
    break;
  }
  if (Slot value = 0; step.program && step.program->run(frame, value)) {
    exists = (!step.low || *step.low <= value) && (!step.high || value <= *step.high);
    frame[step.slot] = value;
    return Answer::Done;
  }
  const eval::Result result = eval::evaluate(layout_, step.value, plan.edge_, frame);
  exists = result.ok() && eval::fits(network_.model(), step.type, result.value);
  if (exists && !layout_.store(step.type, result.value, frame + step.slot))
    return Answer::TooLarge;
  return Answer::Done;
}

/// The whole numbers between the limits of the type and those of the guards.
Messages::Answer Messages::limits(const Plan& plan, const Plan::Step& step, const Slot* frame, Limits& result) {
  std::optional<ir::Rational> low;
  std::optional<ir::Rational> high;
  if (step.low)
    low = *step.low;
  if (step.high)
    high = *step.high;
  for (auto [term, closed] : step.above) {
    const eval::Result value = eval::evaluate(layout_, term, plan.edge_, frame);
    if (!value.ok())
      return Answer::Done;
    const ir::Rational least = value.value.number + ir::Rational(closed ? 0 : 1);
    if (!low || least > *low)
      low = least;
  }
  for (auto [term, closed] : step.below) {
    const eval::Result value = eval::evaluate(layout_, term, plan.edge_, frame);
    if (!value.ok())
      return Answer::Done;
    const ir::Rational most = value.value.number - ir::Rational(closed ? 0 : 1);
    if (!high || most < *high)
      high = most;
  }
  if (*high < *low)
    return Answer::Done;
  const auto first = low->toInt64();
  const auto last = high->toInt64();
  if (!first || !last)
    return Answer::TooLarge;
  result = {*first, *last};
  return Answer::Done;
}

bool Messages::mayHold(const Plan& plan, const Slot* frame) const {
  return std::all_of(plan.plain_.begin(), plan.plain_.end(), [&](ExprId part) {
    const eval::Result result = eval::evaluate(layout_, part, plan.edge_, frame);
    return result.ok() && result.value.isTrue();
  });
}

} // namespace tioc::semantics
