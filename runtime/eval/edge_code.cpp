#include "runtime/eval/edge_code.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace tioc::eval {

namespace {

// Measured on the edges of the examples: bench/eval says what these are here.
constexpr uint64_t kNanosPerNode = 40;
constexpr uint64_t kLoadNanos = 45'000'000;
constexpr uint64_t kNanosPerFunction = 1'000'000;
// Compiling starts when so many times its price has been spent on interpretation: a run that ends right behind it is
// little slower than without it, and a long one gains all the same.
constexpr uint64_t kPatience = 3;

/// In nodes. A record or an array is loaded as a whole, each of its scalars at the price of some nodes.
uint64_t costOf(const Layout& layout, ir::ExprId expr) {
  const ir::ExprPool& pool = layout.model().exprs;
  constexpr uint64_t kNodesPerScalar = 4;
  uint64_t cost = pool.treeSize(expr);
  pool.visit(expr, [&](ir::ExprId id) {
    if (const uint64_t slots = layout.sizeOf(pool.type(id)); slots > 2)
      cost += slots * kNodesPerScalar;
  });
  return cost;
}

uint8_t alwaysTrue(const Slot*) {
  return StatusYes;
}

} // namespace

EdgeCode::EdgeCode(const Layout& layout, Mode mode, bool keepText)
    : layout_(layout), mode_(mode), keepText_(keepText), entries_(layout.model().edges.size()),
      states_(entries_.size()), costs_(entries_.size()) {
  const ir::Model& model = layout.model();
  for (size_t i = 0; i < entries_.size(); ++i) {
    const ir::Edge& edge = model.edges[i];
    if (model.exprs.isTrue(edge.guard.data))
      entries_[i].guard = alwaysTrue;
    uint64_t updates = edge.updates.size();
    for (const ir::Update& update : edge.updates)
      updates += costOf(layout, update.value);
    costs_[i] = {static_cast<uint32_t>(std::min<uint64_t>(costOf(layout, edge.guard.data), 1 << 20)),
                 static_cast<uint32_t>(std::min<uint64_t>(updates, 1 << 20))};
  }
  findEqualBodies();
}

EdgeCode::~EdgeCode() = default;

/// Bodies are equal if their expressions are and the message parameters lie at the same places.
void EdgeCode::findEqualBodies() {
  const ir::Model& model = layout_.model();
  std::map<std::vector<uint32_t>, uint32_t> guards;
  std::map<std::vector<uint32_t>, uint32_t> updates;
  std::map<std::vector<uint32_t>, uint32_t> both;
  for (uint32_t i = 0; i < entries_.size(); ++i) {
    const ir::Edge& edge = model.edges[i];
    std::vector<uint32_t> places;
    for (const ir::Member& parameter : edge.parameters)
      places.push_back(layout_.sizeOf(parameter.type));
    std::vector<uint32_t> guard = places;
    guard.push_back(edge.guard.data.value);
    std::vector<uint32_t> update = places;
    for (const ir::Update& change : edge.updates) {
      update.push_back(change.variable.value);
      update.push_back(change.value.value);
    }
    std::vector<uint32_t> step = update;
    step.push_back(edge.guard.data.value);
    uint32_t equalGuard = guards.emplace(guard, i).first->second;
    uint32_t equalStep = both.emplace(step, i).first->second;
    states_[i][size_t(Part::Guard)].equal = states_[i][size_t(Part::GuardAll)].equal = equalGuard;
    states_[i][size_t(Part::Update)].equal = updates.emplace(update, i).first->second;
    states_[i][size_t(Part::Step)].equal = states_[i][size_t(Part::StepAll)].equal = equalStep;
  }
}

void* EdgeCode::code(const Entry& entry, Part part) const {
  switch (part) {
  case Part::Guard:
    return reinterpret_cast<void*>(entry.guard);
  case Part::Update:
    return reinterpret_cast<void*>(entry.update);
  case Part::Step:
    return reinterpret_cast<void*>(entry.step);
  case Part::GuardAll:
    return reinterpret_cast<void*>(entry.guardAll);
  case Part::StepAll:
    return reinterpret_cast<void*>(entry.stepAll);
  }
  return nullptr;
}

void EdgeCode::setCode(Entry& entry, Part part, void* address) {
  switch (part) {
  case Part::Guard:
    entry.guard = reinterpret_cast<GuardFn>(address);
    break;
  case Part::Update:
    entry.update = reinterpret_cast<StepFn>(address);
    break;
  case Part::Step:
    entry.step = reinterpret_cast<StepFn>(address);
    break;
  case Part::GuardAll:
    entry.guardAll = reinterpret_cast<GuardAllFn>(address);
    break;
  case Part::StepAll:
    entry.stepAll = reinterpret_cast<StepAllFn>(address);
    break;
  }
}

// ---- the decision to compile

bool EdgeCode::consider(ir::EdgeId edge, Part part, size_t count) {
  if (mode_ == Mode::Interpret || !error_.empty())
    return false;
  PartState& own = state(edge, part);
  if (own.tried)
    return false;
  if (mode_ == Mode::Jit) {
    compileAll({&part, 1});
    return code(entries_[edge.value], part) != nullptr;
  }
  if (!own.used) {
    own.used = true;
    if (void* known = code(entries_[own.equal], part)) {
      setCode(entries_[edge.value], part, known);
      own.tried = true;
      ++stats_.reused;
      return true;
    }
    used_.push_back({edge, part});
  }
  auto [guard, updates] = costs_[edge.value];
  bool readsGuard = part != Part::Update;
  bool readsUpdates = part != Part::Guard && part != Part::GuardAll;
  spent_ += count * kNanosPerNode * ((readsGuard ? guard : 0) + (readsUpdates ? updates : 0));
  uint64_t price = (jit_ ? 0 : kLoadNanos) + used_.size() * kNanosPerFunction;
  if (spent_ < kPatience * price)
    return false;
  std::vector<Wanted> wanted = std::move(used_);
  used_.clear();
  spent_ = 0;
  compile(wanted);
  return code(entries_[edge.value], part) != nullptr;
}

bool EdgeCode::compileAll(std::span<const Part> parts) {
  std::vector<Wanted> wanted;
  for (Part part : parts)
    for (size_t i = 0; i < entries_.size(); ++i)
      if (!state(ir::EdgeId(i), part).tried && !code(entries_[i], part))
        wanted.push_back({ir::EdgeId(i), part});
  return compile(wanted);
}

bool EdgeCode::compile(std::span<const Wanted> wanted) {
  auto begin = std::chrono::steady_clock::now();
  if (!jit_ && error_.empty())
    jit_ = loadJit(layout_, keepText_, error_);
  if (!jit_)
    return false;
  std::vector<Wanted> distinct;
  for (const Wanted& one : wanted) {
    PartState& first = states_[state(one.edge, one.part).equal][static_cast<size_t>(one.part)];
    if (!std::exchange(first.tried, true))
      distinct.push_back({ir::EdgeId(state(one.edge, one.part).equal), one.part});
  }
  if (!distinct.empty()) {
    std::vector<void*> addresses = jit_->compile(distinct, error_);
    for (size_t i = 0; i < addresses.size(); ++i) {
      setCode(entries_[distinct[i].edge.value], distinct[i].part, addresses[i]);
      stats_.functions += addresses[i] != nullptr;
    }
  }
  for (const Wanted& one : wanted) {
    PartState& own = state(one.edge, one.part);
    own.tried = true;
    if (own.equal == one.edge.value)
      continue;
    if (void* known = code(entries_[own.equal], one.part)) {
      setCode(entries_[one.edge.value], one.part, known);
      ++stats_.reused;
    }
  }
  stats_.compileSeconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return error_.empty();
}

// ---- the exact path

bool EdgeCode::slowHolds(ir::EdgeId edge, const Slot* frame) {
  if (entries_[edge.value].guard) {
    ++stats_.handedBack;
  } else {
    if (consider(edge, Part::Guard, 1))
      return holds(edge, frame);
    ++stats_.interpreted;
  }
  return eval::holds(layout_, layout_.model()[edge], frame);
}

Taken EdgeCode::slowUpdate(ir::EdgeId edge, const Slot* frame, Slot* next) {
  if (entries_[edge.value].update) {
    ++stats_.handedBack;
  } else {
    if (consider(edge, Part::Update, 1))
      return update(edge, frame, next);
    ++stats_.interpreted;
  }
  return eval::update(layout_, layout_.model()[edge], frame, next);
}

Taken EdgeCode::slowStep(ir::EdgeId edge, const Slot* frame, Slot* next) {
  const ir::Edge& body = layout_.model()[edge];
  if (entries_[edge.value].step) {
    ++stats_.handedBack;
  } else {
    if (consider(edge, Part::Step, 1))
      return step(edge, frame, next);
    ++stats_.interpreted;
  }
  return eval::holds(layout_, body, frame) ? eval::update(layout_, body, frame, next) : Taken::No;
}

void EdgeCode::holdsAll(ir::EdgeId edge, const Slot* frames, size_t count, uint8_t* answers) {
  const Entry& entry = entries_[edge.value];
  if (!entry.guardAll && !consider(edge, Part::GuardAll, count)) {
    for (size_t i = 0; i < count; ++i)
      answers[i] = holds(edge, frames + i * layout_.frameSize());
    return;
  }
  entry.guardAll(frames, count, answers);
  for (size_t i = 0; i < count; ++i)
    if (answers[i] == StatusHandBack) {
      ++stats_.handedBack;
      answers[i] = eval::holds(layout_, layout_.model()[edge], frames + i * layout_.frameSize());
    }
}

void EdgeCode::stepAll(ir::EdgeId edge, const Slot* frames, size_t count, Slot* next, Taken* taken) {
  static_assert(int(Taken::No) == StatusNo && int(Taken::Yes) == StatusYes && int(Taken::Stuck) == StatusHandBack);
  const Entry& entry = entries_[edge.value];
  size_t stride = layout_.frameSize();
  if (!entry.stepAll && !consider(edge, Part::StepAll, count)) {
    for (size_t i = 0; i < count; ++i)
      taken[i] = step(edge, frames + i * stride, next + i * stride);
    return;
  }
  entry.stepAll(frames, count, next, reinterpret_cast<uint8_t*>(taken));
  const ir::Edge& body = layout_.model()[edge];
  for (size_t i = 0; i < count; ++i)
    if (taken[i] == Taken::Stuck) { // handed back
      ++stats_.handedBack;
      const Slot* frame = frames + i * stride;
      taken[i] = eval::holds(layout_, body, frame) ? eval::update(layout_, body, frame, next + i * stride) : Taken::No;
    }
}

} // namespace tioc::eval
