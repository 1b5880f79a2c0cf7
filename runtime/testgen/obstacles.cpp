#include "runtime/testgen/obstacles.hpp"

#include "ir/print.hpp"
#include "runtime/testgen/goals.hpp"

#include <algorithm>

namespace tioc::testgen {

using ir::EdgeId;
using ir::ExprId;
using semantics::SymbolicState;

namespace {

class Obstacles {
public:
  Obstacles(semantics::Symbols& symbols, const semantics::Network& network, Moments& moments, const Observer& observer,
            const Search& search, ir::AutomatonId purpose)
      : symbols_(symbols), model_(symbols.model()), network_(network), moments_(moments), observer_(observer),
        search_(search), purpose_(purpose) {
    wasTaken_.assign(model_.edges.size(), false);
    for (uint32_t i = 0; i < search.size(); ++i)
      for (EdgeId id : search[i].step.edges)
        wasTaken_[id.value] = true;
  }

  Obstacle find() {
    const ir::LocationId nearest = search_.nearest();
    if (!nearest.valid())
      return {"the model has no run", model_[purpose_].span};
    const std::string place = "the purpose comes as far as " + model_[nearest].name;
    for (EdgeId id : ir::edgesFrom(model_, model_[purpose_], nearest)) {
      const ir::Edge& edge = model_[id];
      if (observer_.wasTaken(id) || !leadsOn(edge.target, nearest))
        continue;
      for (const Refusal& refusal : observer_.refusals())
        if (refusal.edge == id)
          return {place + "; " + ofRefusal(refusal), refusal.span};
      if (edge.channel.valid())
        return {place + "; " + ofChannel(edge), edge.span};
    }
    return {place, model_[nearest].span};
  }

private:
  bool leadsOn(ir::LocationId to, ir::LocationId from) const {
    PurposeState there, here;
    there.at = to;
    here.at = from;
    return observer_.distance(there) < observer_.distance(here);
  }

  std::string placesOf(const std::vector<ir::LocationId>& at) const {
    std::string text;
    for (ir::LocationId id : at)
      text += (text.empty() ? "" : ", ") + describe(model_, id);
    return text;
  }

  std::string ofRefusal(const Refusal& refusal) const {
    const std::string part = refusal.what.empty() ? "its guard" : "'" + refusal.what + "'";
    return part + " cannot hold when " + nameOf(model_[refusal.edge]) + " comes in " + placesOf(refusal.at);
  }

  std::string nameOf(const ir::Edge& edge) const {
    if (!edge.channel.valid())
      return "it";
    return model_[edge.channel].name + (edge.action == ir::ActionKind::Send ? "!" : "?");
  }

  /// The action never comes: the edges of the model that would do it, and why they are not taken.
  std::string ofChannel(const ir::Edge& wanted) {
    std::vector<EdgeId> edges;
    bool any = false;
    for (uint32_t i = 0; i < network_.size(); ++i)
      for (EdgeId id : model_[network_.component(i)].edges)
        if (model_[id].channel == wanted.channel && model_[id].action == wanted.action) {
          edges.push_back(id);
          any |= wasTaken_[id.value];
        }
    if (edges.empty())
      return "no edge of the model does " + nameOf(wanted);
    if (any)
      return nameOf(wanted) + " does not come from there on";
    std::string text;
    for (EdgeId id : edges)
      text += (text.empty() ? "" : "; ") + describe(model_, id) + " is never taken: " + whyNot(id);
    return text;
  }

  std::string whyNot(EdgeId id) {
    const ir::Edge edge = model_[id];
    const uint32_t component = network_.componentOf(id);
    for (uint32_t i = 0; i < search_.size(); ++i) {
      const SymbolicState& state = search_[i].state;
      if (state.at[component] != edge.source)
        continue;
      for (ExprId part : model_.exprs.conjuncts(edge.guard.data))
        if (isImpossible(state, edge, {part, {}}))
          return "'" + ir::printExpr(model_, part, &edge) + "' is false in " + describe(model_, edge.source);
      for (const ir::ClockConstraint& part : edge.guard.clocks)
        if (isImpossible(state, edge, {symbols_.pool().boolean(true), {part}}))
          return "'" + ir::printGuard(model_, {symbols_.pool().boolean(true), {part}}, &edge) + "' is passed in " +
                 describe(model_, edge.source);
      return "its guard and what limits waiting in " + describe(model_, edge.source) + " exclude each other";
    }
    return describe(model_, edge.source) + " is not reached";
  }

  /// At any time from now on, for any message.
  bool isImpossible(const SymbolicState& state, const ir::Edge& edge, const ir::Guard& part) {
    semantics::SymbolicStep step;
    step.time = symbols_.timeOf(state.steps + 1);
    for (uint32_t i = 0; i < edge.parameters.size(); ++i)
      step.values.push_back(symbols_.unknown(state.steps + 1, i, edge.parameters[i].type, edge.parameters[i].name));
    SymbolicState later = state;
    return !symbols_.assume(later, symbols_.pool().lessEqual(symbols_.expr(state.now), step.time)) ||
           !symbols_.assume(later, moments_.condition(part, state, step)) || !symbols_.isFeasible(later);
  }

  semantics::Symbols& symbols_;
  const ir::Model& model_;
  const semantics::Network& network_;
  Moments& moments_;
  const Observer& observer_;
  const Search& search_;
  ir::AutomatonId purpose_;
  std::vector<bool> wasTaken_; // by edge
};

} // namespace

Obstacle obstacleOf(semantics::Symbols& symbols, const semantics::Network& network, Moments& moments,
                    const Observer& observer, const Search& search, ir::AutomatonId purpose) {
  return Obstacles(symbols, network, moments, observer, search, purpose).find();
}

} // namespace tioc::testgen
