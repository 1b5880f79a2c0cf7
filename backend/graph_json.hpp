#pragma once

#include "ir/graph.hpp"

#include <string>

namespace tioc::backend {

/// An explored graph as one line of JSON. All keys are always present and in this order; absent things are null.
///
///     format   "tioc-graph/1"; the number changes when a key changes its meaning or goes
///     title    string
///     tree     whether every state but the first has exactly one step into it
///     stopped  which limit ended the exploration, or ""
///     facts    [{name, value}], both strings
///     nodes    [{id: its index, place, store: [{name, value}], condition: [string], time: [string],
///                notes: [string], mark: "accept" | "reject" | null, coveredBy: id | null,
///                uncertain: bool, open: bool}]
///     edges    [{from: id, to: id, action: "input" | "output" | "unobservable", label: string, edges: [string]}]
///
/// The text is UTF-8; bytes that are not become U+FFFD.
std::string graphJson(const ir::Graph& graph);

} // namespace tioc::backend
