#pragma once

#include "ir/model.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tioc::ir {

/// A state of an explored model, in words: what pictures and reports show.
struct GraphNode {
  std::string place;                                      ///< `Verify`, or `Open, Up, Away` in a network
  std::vector<std::pair<std::string, std::string>> store; ///< variable and its value, perhaps symbolic
  std::vector<std::string> condition;                     ///< the conjuncts of the path condition
  std::vector<std::string> time;                          ///< the constraints of the zone, or clocks and their values
  std::vector<std::string> notes;                         ///< `quiescent`, `time cannot pass`, …
  std::optional<uint32_t> coveredBy;                      ///< included in that node and not followed further
  Mark mark = Mark::None;
  bool uncertain = false; ///< the solver could not tell whether the state exists
  bool open = false;      ///< a limit stopped the exploration here
};

enum class GraphAction : uint8_t { Input, Output, Unobservable };

struct GraphEdge {
  uint32_t from = 0;
  uint32_t to = 0;
  GraphAction action = GraphAction::Unobservable;
  std::string label;              ///< `Withdrawal?(amount#1)`
  std::vector<std::string> edges; ///< the model's edges that step, as the model names or prints them
  Span span;
};

/// What an exploration found. Node 0 is the first.
struct Graph {
  std::string title;
  bool isTree = false;
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  std::vector<std::pair<std::string, std::string>> facts; ///< statistics worth showing
  std::string stopped;                                    ///< which limit ended the exploration, or empty
};

} // namespace tioc::ir
