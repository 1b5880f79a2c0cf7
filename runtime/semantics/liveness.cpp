#include "runtime/semantics/liveness.hpp"

#include <algorithm>

namespace tioc::semantics {

using ir::ExprId;

namespace {

struct EdgeUse {
  std::vector<bool> reads; // before anything is written
  std::vector<bool> writes;
};

void noteReads(const ir::Model& model, ExprId expr, std::vector<bool>& reads) {
  if (expr.valid() && !model.exprs.isConstant(expr))
    model.exprs.visit(expr, [&](ExprId id) {
      if (model.exprs.op(id) == ir::Op::Variable)
        reads[model.exprs.payload(id)] = true;
    });
}

void noteReads(const ir::Model& model, const ir::Guard& guard, std::vector<bool>& reads) {
  noteReads(model, guard.data, reads);
  for (const ir::ClockConstraint& c : guard.clocks)
    noteReads(model, c.bound, reads);
}

EdgeUse useOf(const ir::Model& model, const ir::Edge& edge) {
  EdgeUse use{std::vector<bool>(model.variables.size()), std::vector<bool>(model.variables.size())};
  noteReads(model, edge.guard, use.reads);
  if (edge.deadline)
    noteReads(model, *edge.deadline, use.reads);
  for (const ir::Update& update : edge.updates) {
    noteReads(model, update.value, use.reads);
    use.writes[update.variable.value] = true;
  }
  for (const ir::Reset& reset : edge.resets)
    noteReads(model, reset.value, use.reads);
  for (ExprId time : {edge.minDuration, edge.maxDuration, edge.jitter})
    noteReads(model, time, use.reads);
  if (edge.delayGroup.valid())
    noteReads(model, model[edge.delayGroup].timeout, use.reads);
  return use;
}

} // namespace

Liveness::Liveness(const Network& network) {
  const ir::Model& model = network.model();
  const size_t count = model.variables.size();
  live_.assign(model.locations.size(), std::vector<bool>(count));
  always_.assign(count, false);
  // What a purpose looks at, or several components use.
  std::vector<uint32_t> user(count, UINT32_MAX);
  for (const ir::Automaton& automaton : model.automata)
    if (automaton.kind == ir::AutomatonKind::Purpose)
      for (ir::EdgeId id : automaton.edges) {
        const EdgeUse use = useOf(model, model[id]);
        for (size_t v = 0; v < count; ++v)
          if (use.reads[v])
            always_[v] = true;
      }
  for (uint32_t i = 0; i < network.size(); ++i) {
    const ir::Automaton& automaton = model[network.component(i)];
    std::vector<EdgeUse> uses;
    for (ir::EdgeId id : automaton.edges)
      uses.push_back(useOf(model, model[id]));
    for (ir::LocationId id : automaton.locations)
      noteReads(model, model[id].invariant, live_[id.value]);
    for (size_t v = 0; v < count; ++v) {
      const bool isUsed =
          std::any_of(uses.begin(), uses.end(), [&](const EdgeUse& use) { return use.reads[v] || use.writes[v]; }) ||
          std::any_of(automaton.locations.begin(), automaton.locations.end(),
                      [&](ir::LocationId id) { return live_[id.value][v]; });
      if (isUsed && user[v] != UINT32_MAX && user[v] != i)
        always_[v] = true;
      if (isUsed)
        user[v] = i;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t e = 0; e < uses.size(); ++e) {
        const ir::Edge& edge = model[automaton.edges[e]];
        for (size_t v = 0; v < count; ++v)
          if (!live_[edge.source.value][v] && (uses[e].reads[v] || (live_[edge.target.value][v] && !uses[e].writes[v])))
            changed = live_[edge.source.value][v] = true;
      }
    }
  }
}

bool Liveness::isLive(Locations at, ir::VariableId variable) const {
  return always_[variable.value] ||
         std::any_of(at.begin(), at.end(), [&](ir::LocationId id) { return bool(live_[id.value][variable.value]); });
}

} // namespace tioc::semantics
