#pragma once

#include "ir/graph.hpp"

namespace tioc::samples {

/// The first steps of a cash machine, by hand: every kind of state and step occurs.
ir::Graph atmTree();

/// A small cyclic graph of a network, with parallel steps, a loop and a step back.
ir::Graph lightGraph();

/// A tree of `size` states in which four places take turns.
ir::Graph largeTree(uint32_t size);

/// One state with a step to each of the other `size` - 1.
ir::Graph star(uint32_t size);

/// A graph of `size` states with long places, joins and steps back, as networks give it.
ir::Graph largeGraph(uint32_t size);

/// Two states whose every text tries to break out of where it is written.
ir::Graph hostileGraph();

} // namespace tioc::samples
