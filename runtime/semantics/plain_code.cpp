#include "runtime/semantics/plain_code.hpp"

namespace tioc::semantics {

using ir::Op;
using ir::TypeKind;

PlainCode::PlainCode(eval::EdgeCode& code) : code_(code) {
  const ir::Model& model = code.layout().model();
  edges_.resize(model.edges.size());
  for (size_t i = 0; i < edges_.size(); ++i) {
    const ir::Edge& edge = model.edges[i];
    Edge& plain = edges_[i];
    plain.always = model.exprs.isTrue(edge.guard.data);
    plain.guard = IntProgram::compile(code.layout(), edge.guard.data, &edge);
    plain.plainUpdate = edge.updates.size() <= kMostChanges;
    for (const ir::Update& update : edge.updates) {
      plain.changes.emplace_back();
      plain.plainUpdate = plain.plainUpdate && read(edge, update, plain.changes.back());
    }
  }
}

bool PlainCode::read(const ir::Edge& edge, const ir::Update& update, Change& change) const {
  const eval::Layout& layout = code_.layout();
  const ir::Model& model = layout.model();
  const ir::ExprPool& pool = model.exprs;
  change.slot = layout.offsetOf(update.variable);
  ir::TypeId type = model[update.variable].type;
  ir::ExprId value = update.value;
  if (model.types[type].kind == TypeKind::Array) {
    if (pool.op(value) != Op::SetElement)
      return false;
    const auto operands = pool.operands(value);
    if (pool.op(operands[0]) != Op::Variable || pool.payload(operands[0]) != update.variable.value)
      return false;
    change.index = IntProgram::compile(layout, operands[1], &edge);
    if (!change.index)
      return false;
    change.size = model.types[type].size;
    type = model.types[type].element;
    value = operands[2];
  }
  if (const auto& range = model.types[type].range) {
    const auto low = range->first.toInt64();
    const auto high = range->last.toInt64();
    if (!low || !high)
      return false;
    change.low = *low;
    change.high = *high;
  }
  std::optional<IntProgram> program = IntProgram::compile(layout, value, &edge);
  if (!program) // also for elements of other types than bool, enum and int
    return false;
  change.value = std::move(*program);
  return true;
}

eval::Taken PlainCode::update(ir::EdgeId id, eval::Slot* frame) {
  const Edge& edge = edges_[id.value];
  if (!edge.plainUpdate)
    return code_.update(id, frame, frame);
  struct {
    uint32_t slot;
    eval::Slot value;
  } writes[kMostChanges];
  size_t count = 0;
  for (const Change& change : edge.changes) { // all values before the first is written
    eval::Slot index = 0;
    eval::Slot value = 0;
    if ((change.index && !change.index->run(frame, index)) || index < 0 || index >= change.size ||
        !change.value.run(frame, value))
      return code_.update(id, frame, frame);
    if (value < change.low || value > change.high)
      return eval::Taken::No;
    writes[count++] = {change.slot + static_cast<uint32_t>(index), value};
  }
  for (size_t i = 0; i < count; ++i)
    frame[writes[i].slot] = writes[i].value;
  return eval::Taken::Yes;
}

} // namespace tioc::semantics
