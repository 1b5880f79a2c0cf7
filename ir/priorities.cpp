#include "ir/decide.hpp"
#include "ir/passes.hpp"

#include <algorithm>

namespace tioc::ir {

namespace {

/// Edges compete if they leave the same location by the same action.
bool outranks(const Edge& strong, const Edge& weak) {
  return strong.priority > weak.priority && strong.source == weak.source && strong.action == weak.action &&
         strong.channel == weak.channel;
}

/// The edge where none of the others holds, cut up as far as that is no single guard.
std::vector<Edge> cut(Model& model, const Edge& edge, const std::vector<Guard>& others) {
  std::vector<Guard> pieces{edge.guard};
  for (const Guard& other : others) {
    const std::vector<Guard> outside = complement(model, other);
    std::vector<Guard> smaller;
    for (const Guard& piece : pieces)
      for (const Guard& part : outside)
        if (Guard both = conjunction(model, piece, part); satisfiable(model, both, &edge) != Decision::No)
          smaller.push_back(std::move(both));
    pieces = std::move(smaller);
  }
  // An edge that is outranked everywhere never fires, but its deadline stays.
  if (pieces.empty())
    pieces.push_back({model.exprs.boolean(false), {}});
  std::vector<Edge> result;
  for (Guard& piece : pieces) {
    Edge part = edge;
    // Also of a lazy edge: its partner may be urgent, and binds while both are ready as written.
    if (!edge.deadline)
      part.deadline = edge.guard;
    part.guard = std::move(piece);
    result.push_back(std::move(part));
  }
  return result;
}

} // namespace

Model resolvePriorities(Model model) {
  std::vector<Edge> edges;
  for (size_t a = 0; a < model.automata.size(); ++a) {
    const std::vector<EdgeId> before = std::move(model.automata[a].edges);
    std::vector<EdgeId> after;
    for (EdgeId id : before) {
      const Edge edge = model[id];
      std::vector<Guard> stronger;
      if (model.automata[a].kind == AutomatonKind::Tiosts)
        for (EdgeId other : before)
          if (outranks(model[other], edge))
            stronger.push_back(model[other].guard);
      for (Edge& part : stronger.empty() ? std::vector<Edge>{edge} : cut(model, edge, stronger)) {
        if (model.automata[a].kind == AutomatonKind::Tiosts)
          part.priority = 0;
        after.push_back(EdgeId(edges.size()));
        edges.push_back(std::move(part));
      }
    }
    model.automata[a].edges = std::move(after);
  }
  model.edges = std::move(edges);
  return model;
}

} // namespace tioc::ir
