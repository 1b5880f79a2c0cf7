#include "runtime/testgen/goals.hpp"

#include "ir/passes.hpp"
#include "ir/print.hpp"

#include <algorithm>
#include <set>

namespace tioc::testgen {

using ir::EdgeId;
using ir::ExprId;
using ir::Op;
using ir::Rational;

std::string describe(const ir::Model& model, EdgeId id) {
  const ir::Edge& edge = model[id];
  std::string text = model[model[edge.source].automaton].name + ": " + ir::sourceName(model[edge.source]) + " -> " +
                     ir::sourceName(model[edge.target]);
  if (!edge.name.empty())
    text += " (" + edge.name + ")";
  if (edge.channel.valid())
    text += " by " + model[edge.channel].name + (edge.action == ir::ActionKind::Send ? "!" : "?");
  return text;
}

std::string describe(const ir::Model& model, ir::LocationId id) {
  return model[model[id].automaton].name + "." + ir::sourceName(model[id]);
}

Touched touchedBy(const ir::Model& model, EdgeId id) {
  const ir::Edge& edge = model[id];
  Touched result;
  const auto once = [](auto& list, auto value) {
    if (std::find(list.begin(), list.end(), value) == list.end())
      list.push_back(value);
  };
  const auto readsIn = [&](ExprId expr) {
    if (expr.valid())
      model.exprs.visit(expr, [&](ExprId part) {
        if (model.exprs.op(part) == Op::Variable)
          once(result.reads, ir::VariableId(model.exprs.payload(part)));
      });
  };
  readsIn(edge.guard.data);
  for (const ir::ClockConstraint& c : edge.guard.clocks) {
    readsIn(c.bound);
    for (ir::ClockId clock : {c.left, c.right})
      if (clock != ir::Model::zeroClock())
        once(result.readsClocks, clock);
  }
  for (const ir::Update& update : edge.updates) {
    readsIn(update.value);
    once(result.writes, update.variable);
  }
  for (const ir::Reset& reset : edge.resets) {
    readsIn(reset.value);
    if (reset.source.valid())
      once(result.readsClocks, reset.source);
    once(result.writesClocks, reset.clock);
  }
  return result;
}

namespace {

class Goals {
public:
  Goals(ir::Model& model, const semantics::Network& network, ir::Goal goal, const Rational& nearness)
      : model_(model), pool_(model.exprs), network_(network), goal_(goal), nearness_(nearness) {}

  std::vector<Wanted> run() {
    for (uint32_t i = 0; i < network_.size(); ++i)
      for (EdgeId id : model_[network_.component(i)].edges)
        if (!ir::isImplicit(model_[id]))
          edges_.push_back(id);
    switch (goal_) {
    case ir::Goal::States:
      states();
      break;
    case ir::Goal::Edges:
      for (EdgeId id : edges_)
        add(Wanted::Shape::Edge, id, "");
      break;
    case ir::Goal::EdgePairs:
      pairs();
      break;
    case ir::Goal::DefUse:
      uses();
      break;
    case ir::Goal::Boundary:
    case ir::Goal::Conditions:
      for (EdgeId id : edges_)
        guard(id);
      break;
    case ir::Goal::Purposes:
      break;
    }
    return std::move(result_);
  }

private:
  /// A part of a guard that is no `&&`, `||` or `!`, and how the guard hangs on it.
  struct Atom {
    ExprId expr;
    bool rises = false; ///< the guard may become true with it
    bool falls = false; ///< the guard may become false with it
  };

  Wanted& add(Wanted::Shape shape, EdgeId edge, const std::string& how) {
    Wanted& wanted = result_.emplace_back();
    wanted.goal = goal_;
    wanted.shape = shape;
    wanted.edge = edge;
    wanted.what = {describe(model_, edge) + how, model_[edge].span};
    return wanted;
  }

  void states() {
    std::set<ir::LocationId> seen;
    for (EdgeId id : edges_)
      if (seen.insert(model_[id].target).second) {
        Wanted& wanted = add(Wanted::Shape::State, id, "");
        wanted.location = model_[id].target;
        wanted.what = {describe(model_, wanted.location), model_[wanted.location].span};
      }
  }

  void pairs() {
    for (EdgeId first : edges_)
      for (EdgeId second : edges_)
        if (model_[first].target == model_[second].source)
          add(Wanted::Shape::Pair, second, " behind " + describe(model_, first)).first = first;
  }

  // ---- definitions and uses

  void uses() {
    std::vector<Touched> touched;
    for (EdgeId id : edges_)
      touched.push_back(touchedBy(model_, id));
    for (size_t d = 0; d < edges_.size(); ++d) {
      for (ir::VariableId variable : touched[d].writes)
        usesOf(d, touched, &Touched::reads, &Touched::writes, variable, !model_[variable].owner.valid(),
               model_[variable].name)
            .apply([&](Wanted& wanted) { wanted.variable = variable; });
      for (ir::ClockId clock : touched[d].writesClocks)
        usesOf(d, touched, &Touched::readsClocks, &Touched::writesClocks, clock, !model_[clock].owner.valid(),
               model_[clock].name)
            .apply([&](Wanted& wanted) { wanted.clock = clock; });
    }
  }

  struct Added {
    std::vector<Wanted>& all;
    size_t from;
    template <class Fn>
    void apply(Fn&& fn) {
      for (size_t i = from; i < all.size(); ++i)
        fn(all[i]);
    }
  };

  /// The edges that can read what the edge `d` writes: over edges of the component that do not write it again. What is
  /// shared may be read wherever it is mentioned.
  template <class Name>
  Added usesOf(size_t d, const std::vector<Touched>& touched, std::vector<Name> Touched::*reads,
               std::vector<Name> Touched::*writes, Name what, bool shared, const std::string& name) {
    Added added{result_, result_.size()};
    const auto has = [&](const std::vector<Name>& list) {
      return std::find(list.begin(), list.end(), what) != list.end();
    };
    std::vector<bool> reached(model_.locations.size());
    std::vector<ir::LocationId> work{model_[edges_[d]].target};
    reached[work[0].value] = true;
    while (!work.empty()) {
      const ir::LocationId at = work.back();
      work.pop_back();
      for (size_t e = 0; e < edges_.size(); ++e)
        if (const ir::Edge& edge = model_[edges_[e]];
            edge.source == at && !has(touched[e].*writes) && !reached[edge.target.value]) {
          reached[edge.target.value] = true;
          work.push_back(edge.target);
        }
    }
    for (size_t u = 0; u < edges_.size(); ++u)
      if (has(touched[u].*reads) && (shared || reached[model_[edges_[u]].source.value]))
        add(Wanted::Shape::Use, edges_[u], " reads " + name + " of " + describe(model_, edges_[d])).first = edges_[d];
    return added;
  }

  // ---- guards

  void guard(EdgeId id) {
    const ir::Edge edge = model_[id];
    std::vector<Atom> atoms;
    collect(edge.guard.data, true, false, atoms);
    for (const Atom& atom : atoms)
      if (goal_ == ir::Goal::Boundary)
        bounds(id, atom);
      else
        decides(id, atom);
    for (size_t i = 0; i < edge.guard.clocks.size(); ++i)
      clockBound(id, i);
    if (goal_ == ir::Goal::Boundary)
      effects(id);
  }

  void collect(ExprId expr, bool rises, bool falls, std::vector<Atom>& atoms) {
    const std::vector<ExprId> operands(pool_.operands(expr).begin(), pool_.operands(expr).end());
    switch (pool_.op(expr)) {
    case Op::And:
    case Op::Or:
      for (ExprId operand : operands)
        collect(operand, rises, falls, atoms);
      return;
    case Op::Not:
      collect(operands[0], falls, rises, atoms);
      return;
    default:
      break;
    }
    if (pool_.isConstant(expr))
      return;
    const auto known = std::find_if(atoms.begin(), atoms.end(), [&](const Atom& atom) { return atom.expr == expr; });
    if (known != atoms.end()) {
      known->rises |= rises;
      known->falls |= falls;
      return;
    }
    atoms.push_back({expr, rises, falls});
  }

  /// The value that an output carries is no choice of the guard.
  bool isTermOfOutput(const ir::Edge& edge, ExprId atom) const {
    if (edge.action != ir::ActionKind::Send || pool_.op(atom) != Op::Equal)
      return false;
    const auto operands = pool_.operands(atom);
    return pool_.op(operands[0]) == Op::Local || pool_.op(operands[1]) == Op::Local;
  }

  /// The guard hangs on the atom: it is true for one value of it and false for the other.
  ExprId hangsOn(ExprId guard, ExprId atom) {
    const ExprId with = replace(guard, atom, true), without = replace(guard, atom, false);
    return pool_.disjunction(pool_.conjunction(with, pool_.negation(without)),
                             pool_.conjunction(pool_.negation(with), without));
  }

  ExprId replace(ExprId expr, ExprId atom, bool value) {
    if (expr == atom)
      return pool_.boolean(value);
    const Op op = pool_.op(expr);
    if (op != Op::And && op != Op::Or && op != Op::Not)
      return expr;
    std::vector<ExprId> operands(pool_.operands(expr).begin(), pool_.operands(expr).end());
    for (ExprId& operand : operands)
      operand = replace(operand, atom, value);
    return pool_.rebuild(expr, operands);
  }

  bool mentionsMessage(ExprId expr) const {
    bool found = false;
    pool_.visit(expr, [&](ExprId part) { found |= pool_.op(part) == Op::Local; });
    return found;
  }

  /// The edges that may be taken where this one is not: by the same input, or by whatever the system does itself.
  std::vector<EdgeId> insteadOf(EdgeId id) const {
    const ir::Edge& edge = model_[id];
    const bool sameMessage = edge.action == ir::ActionKind::Receive || mentionsMessage(edge.guard.data);
    std::vector<EdgeId> others;
    for (EdgeId other : network_.edges(edge.source)) {
      const ir::Edge& candidate = model_[other];
      if (other != id && (sameMessage ? candidate.action == edge.action && candidate.channel == edge.channel
                                      : candidate.action != ir::ActionKind::Receive))
        others.push_back(other);
    }
    return others;
  }

  /// The edge is taken, and where that cannot be another one, while the condition holds and all hangs on the atom.
  void at(EdgeId id, const Atom& atom, ExprId point, bool holds, const std::string& how) {
    const ir::Edge edge = model_[id];
    const ExprId hangs = hangsOn(edge.guard.data, atom.expr);
    if ((holds && atom.rises) || (!holds && atom.falls))
      add(Wanted::Shape::Moment, id, how).when.push_back({pool_.conjunction(hangs, point), {}});
    if ((holds && atom.falls) || (!holds && atom.rises))
      if (std::vector<EdgeId> others = insteadOf(id); !others.empty()) {
        Wanted& wanted = add(Wanted::Shape::Beside, id, how);
        const std::vector<ExprId> parts{hangs, point, pool_.negation(edge.guard.data)};
        wanted.when.push_back({pool_.conjunction(parts), edge.guard.clocks});
        wanted.others = std::move(others);
      }
  }

  void bounds(EdgeId id, const Atom& atom) {
    const ir::Edge& edge = model_[id];
    const Op op = pool_.op(atom.expr);
    if (isTermOfOutput(edge, atom.expr) || (op != Op::Equal && op != Op::Less && op != Op::LessEqual))
      return;
    const ExprId left = pool_.operands(atom.expr)[0], right = pool_.operands(atom.expr)[1];
    if (!model_.types.isNumeric(pool_.type(left)))
      return;
    const bool isReal = pool_.type(left) == model_.types.real();
    const Rational step = isReal ? nearness_ : Rational(1);
    const std::string text = printed(id, atom.expr);
    // left - right is this, and so the comparison holds or not.
    const auto point = [&](const Rational& distance, bool holds) {
      const ExprId shift = isReal ? pool_.real(distance) : pool_.integer(distance);
      const ExprId at = distance.isZero() ? right : pool_.add(std::vector<ExprId>{right, shift});
      this->at(id, atom, pool_.equal(left, at), holds,
               ": " + text +
                   (distance.isZero() ? " with both sides equal" : " with a distance of " + distance.toString()));
    };
    if (op == Op::Equal) {
      point(0, true);
      point(step, false);
      point(-step, false);
    } else if (op == Op::LessEqual) {
      point(0, true);
      point(-step, true);
      point(step, false);
    } else {
      point(-step, true);
      if (!isReal)
        point(-step - step, true);
      point(0, false);
    }
  }

  void decides(EdgeId id, const Atom& atom) {
    if (isTermOfOutput(model_[id], atom.expr))
      return;
    const std::string text = printed(id, atom.expr);
    at(id, atom, atom.expr, true, ": " + text + " decides");
    at(id, atom, pool_.negation(atom.expr), false, ": " + text + " decides by being false");
  }

  std::string printed(EdgeId id, ExprId expr) const {
    return "'" + ir::printExpr(model_, expr, &model_[id], &model_[model_[model_[id].source].automaton]) + "'";
  }

  /// A clock constraint is reached exactly or, where it is strict, nearly; and passed by an edge that takes over.
  void clockBound(EdgeId id, size_t index) {
    const ir::Edge edge = model_[id];
    const ir::ClockConstraint& c = edge.guard.clocks[index];
    // The two constraints of `x == 3`, and those that stand twice, count once.
    for (size_t i = 0; i < index; ++i)
      if (const ir::ClockConstraint& other = edge.guard.clocks[i];
          (other.left == c.right && other.right == c.left && other.bound == pool_.negate(c.bound)) ||
          (other.left == c.left && other.right == c.right && other.bound == c.bound))
        return;
    const std::string text = "'" + ir::printGuard(model_, {pool_.boolean(true), {c}}, &edge) + "'";
    const auto exactly = [&](const Rational& distance) {
      const ExprId bound = distance.isZero() ? c.bound : pool_.add(std::vector<ExprId>{c.bound, pool_.real(distance)});
      return std::vector<ir::ClockConstraint>{{c.left, c.right, false, bound, c.span},
                                              {c.right, c.left, false, pool_.negate(bound), c.span}};
    };
    if (goal_ == ir::Goal::Boundary) {
      Wanted& wanted = add(Wanted::Shape::Moment, id, ": " + text + (c.strict ? " nearly reached" : " reached"));
      wanted.when.push_back({pool_.boolean(true), exactly(c.strict ? -nearness_ : Rational(0))});
      wanted.what.span = c.span;
    }
    std::vector<EdgeId> others = insteadOf(id);
    if (others.empty())
      return;
    Wanted& wanted = add(Wanted::Shape::Beside, id,
                         ": " + text + (goal_ == ir::Goal::Boundary ? " just passed" : " decides by being false"));
    wanted.what.span = c.span;
    wanted.others = std::move(others);
    std::vector<ir::ClockConstraint> clocks =
        goal_ == ir::Goal::Boundary
            ? exactly(c.strict ? Rational(0) : nearness_)
            : std::vector<ir::ClockConstraint>{{c.right, c.left, !c.strict, pool_.negate(c.bound), c.span}};
    for (size_t i = 0; i < edge.guard.clocks.size(); ++i)
      if (i != index)
        clocks.push_back(edge.guard.clocks[i]);
    wanted.when.push_back({edge.guard.data, std::move(clocks)});
  }

  /// Resets and assignments show only where they change something; a clock best when it stood beyond every bound.
  void effects(EdgeId id) {
    const ir::Edge edge = model_[id];
    for (const ir::Update& update : edge.updates) {
      const ExprId old = pool_.variable(update.variable, model_[update.variable].type);
      const ExprId changes = pool_.negation(pool_.equal(old, update.value));
      if (!pool_.isTrue(changes) && !pool_.isFalse(changes))
        add(Wanted::Shape::Moment, id, ": " + model_[update.variable].name + " changes").when.push_back({changes, {}});
    }
    for (const ir::Reset& reset : edge.resets) {
      if (reset.source.valid())
        continue;
      const auto above = [&](ExprId least) {
        return ir::Guard{pool_.boolean(true),
                         {{ir::Model::zeroClock(), reset.clock, false, pool_.negate(least), edge.span}}};
      };
      Wanted& wanted = add(Wanted::Shape::Moment, id, ": " + model_[reset.clock].name + " is set back");
      wanted.when.push_back(above(pool_.real(largestBound(reset.clock) + Rational(1))));
      wanted.when.push_back(above(pool_.add(std::vector<ExprId>{reset.value, pool_.real(nearness_)})));
    }
  }

  Rational largestBound(ir::ClockId clock) const {
    Rational largest = 0;
    for (EdgeId id : edges_)
      for (const ir::ClockConstraint& c : model_[id].guard.clocks)
        if (const Rational* bound = pool_.number(c.bound); bound && (c.left == clock || c.right == clock))
          largest = std::max(largest, bound->sign() < 0 ? -*bound : *bound);
    return largest;
  }

  ir::Model& model_;
  ir::ExprPool& pool_;
  const semantics::Network& network_;
  ir::Goal goal_;
  Rational nearness_;
  std::vector<EdgeId> edges_;
  std::vector<Wanted> result_;
};

} // namespace

std::vector<Wanted> wantedBy(ir::Model& model, const semantics::Network& network, ir::Goal goal,
                             const Rational& nearness) {
  return Goals(model, network, goal, nearness).run();
}

} // namespace tioc::testgen
