#include "runtime/explore/loop_watch.hpp"

#include "ir/decide.hpp"
#include "ir/passes.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tioc::explore {

using ir::ClockId;
using ir::Edge;
using ir::EdgeId;
using ir::ExprId;
using ir::LocationId;
using ir::VariableId;

namespace {

/// Whether the second edge can follow the first at one instant; true where it is not known.
bool mayFollow(ir::Model& model, const Edge& first, const Edge& second) {
  if (first.target != second.source)
    return false;
  ir::ExprPool& pool = model.exprs;
  ir::ExprPool::Substitution behind(pool, [&](ExprId leaf) -> ExprId {
    if (pool.op(leaf) == ir::Op::Variable)
      for (const ir::Update& update : first.updates)
        if (update.variable.value == pool.payload(leaf))
          return update.value;
    return {};
  });
  ir::Guard both = first.guard;
  both.data = pool.conjunction(both.data, behind(second.guard.data));
  // The value of a clock behind the first edge: another clock before it, and a constant.
  const auto put = [&](ClockId& clock, ExprId& offset, bool negative) {
    for (const ir::Reset& reset : first.resets)
      if (reset.clock == clock) {
        clock = reset.source.valid() ? reset.source : ir::Model::zeroClock();
        offset = pool.add(std::vector<ExprId>{offset, negative ? reset.value : pool.negate(reset.value)});
        return;
      }
  };
  for (ir::ClockConstraint c : second.guard.clocks) {
    c.bound = behind(c.bound);
    put(c.left, c.bound, false);
    put(c.right, c.bound, true);
    if (c.left != c.right) {
      both.clocks.push_back(c);
      continue;
    }
    const ExprId zero = pool.real(0);
    both.data = pool.conjunction(both.data, c.strict ? pool.less(zero, c.bound) : pool.lessEqual(zero, c.bound));
  }
  return ir::satisfiable(model, both) != ir::Decision::No;
}

class Watch {
public:
  explicit Watch(const ir::Model& model)
      : result_{ir::Model(model), {}, {}}, model_(result_.model), self_(model.systems[0].components[0].automaton),
        before_(model.edges.size()) {}

  std::optional<LoopWatch> run() {
    findCandidates();
    if (edges_.empty())
      return std::nullopt;
    result_.originals.resize(before_);
    declare();
    for (EdgeId id : edges_)
      addSnapshot(model_[id].source);
    for (EdgeId id : edges_)
      addCopy(id);
    for (const auto& [place, copy] : std::map(copies_))
      addFound(place, copy);
    return std::move(result_);
  }

private:
  ir::Automaton& automaton() { return model_[self_]; }

  /// Urgent edges from which such edges can follow for ever, as far as pairs tell.
  void findCandidates() {
    for (EdgeId id : automaton().edges)
      if (!ir::isImplicit(model_[id]))
        edges_.push_back(id);
    std::map<EdgeId, std::set<EdgeId>> next;
    for (EdgeId a : edges_)
      for (EdgeId b : edges_)
        if (const Edge first = model_[a], second = model_[b]; mayFollow(model_, first, second))
          next[a].insert(b);
    for (bool changed = true; changed;) {
      changed = std::erase_if(edges_, [&](EdgeId id) {
                  const auto isCandidate = [&](EdgeId other) {
                    return std::find(edges_.begin(), edges_.end(), other) != edges_.end();
                  };
                  return std::none_of(next[id].begin(), next[id].end(), isCandidate);
                }) > 0;
    }
  }

  VariableId addVariable(std::string name, ir::TypeId type, ExprId initial) {
    ir::Variable variable;
    variable.name = std::move(name);
    variable.type = type;
    variable.initial = initial;
    variable.owner = self_;
    const VariableId id(model_.variables.size());
    model_.variables.push_back(std::move(variable));
    automaton().variables.push_back(id);
    return id;
  }

  /// Copies of what the edges change, the place of the snapshot, and whether an edge was taken since.
  void declare() {
    std::set<VariableId> variables;
    std::set<ClockId> clocks;
    for (EdgeId id : edges_) {
      for (const ir::Update& update : model_[id].updates)
        variables.insert(update.variable);
      for (const ir::Reset& reset : model_[id].resets)
        clocks.insert(reset.clock);
    }
    for (VariableId id : variables) {
      const ir::Variable variable = model_[id];
      const VariableId copy = addVariable("was_" + variable.name, variable.type, variable.initial);
      variables_[id] = copy;
      if (!variable.initial.valid())
        automaton().initialCondition =
            model_.exprs.conjunction(automaton().initialCondition, model_.exprs.equal(read(id), read(copy)));
    }
    for (ClockId id : clocks) {
      clocks_[id] = ClockId(model_.clocks.size());
      automaton().clocks.push_back(clocks_[id]);
      model_.clocks.push_back({"was_" + model_[id].name, self_, {}});
    }
    where_ = addVariable("where", model_.types.integer(), model_.exprs.integer(0));
    moved_ = addVariable("moved", model_.types.boolean(), model_.exprs.boolean(false));
    result_.found = addPlace("loop", false);
  }

  ExprId read(VariableId id) { return model_.exprs.variable(id, model_[id].type); }

  LocationId addPlace(std::string name, bool committed) {
    ir::Location place;
    place.name = std::move(name);
    place.automaton = self_;
    place.committed = committed;
    place.invariant.data = model_.exprs.boolean(true);
    const LocationId id(model_.locations.size());
    model_.locations.push_back(std::move(place));
    automaton().locations.push_back(id);
    return id;
  }

  LocationId copyOf(LocationId place) {
    const auto known = copies_.find(place);
    return known != copies_.end() ? known->second : copies_[place] = addPlace(model_[place].name + "_again", true);
  }

  void add(Edge edge, EdgeId original) {
    automaton().edges.push_back(EdgeId(model_.edges.size()));
    model_.edges.push_back(std::move(edge));
    result_.originals.push_back(original);
  }

  Edge step(LocationId from, LocationId to) {
    Edge edge;
    edge.source = from;
    edge.target = to;
    edge.urgency = ir::Urgency::Eager;
    edge.guard = {model_.exprs.boolean(true), {}};
    return edge;
  }

  void addSnapshot(LocationId place) {
    if (!snapshots_.insert(place).second)
      return;
    Edge edge = step(place, copyOf(place));
    for (auto [id, copy] : variables_)
      edge.updates.push_back({copy, read(id)});
    for (auto [id, copy] : clocks_)
      edge.resets.push_back({copy, id, model_.exprs.real(0)});
    edge.updates.push_back({where_, model_.exprs.integer(place.value)});
    add(std::move(edge), {});
  }

  void addCopy(EdgeId id) {
    Edge edge = model_[id];
    edge.source = copyOf(edge.source);
    edge.target = copyOf(edge.target);
    edge.updates.push_back({moved_, model_.exprs.boolean(true)});
    add(std::move(edge), id);
  }

  void addFound(LocationId place, LocationId copy) {
    Edge edge = step(copy, result_.found);
    std::vector<ExprId> same{read(moved_), model_.exprs.equal(read(where_), model_.exprs.integer(place.value))};
    for (auto [id, was] : variables_)
      same.push_back(model_.exprs.equal(read(id), read(was)));
    edge.guard.data = model_.exprs.conjunction(same);
    for (auto [id, was] : clocks_) {
      edge.guard.clocks.push_back({id, was, false, model_.exprs.real(0), {}});
      edge.guard.clocks.push_back({was, id, false, model_.exprs.real(0), {}});
    }
    add(std::move(edge), {});
  }

  LoopWatch result_;
  ir::Model& model_;
  ir::AutomatonId self_;
  size_t before_;
  std::vector<EdgeId> edges_;
  std::map<VariableId, VariableId> variables_;
  std::map<ClockId, ClockId> clocks_;
  VariableId where_;
  VariableId moved_;
  std::map<LocationId, LocationId> copies_;
  std::set<LocationId> snapshots_;
};

} // namespace

std::optional<LoopWatch> watchLoops(const ir::Model& model) {
  return Watch(model).run();
}

} // namespace tioc::explore
