#pragma once

#include "runtime/conformance/trace.hpp"
#include "runtime/execute/executor.hpp"

namespace tioc::testgen {

/// What happened in a run, in the order of time (A, section 3).
using Trace = std::vector<conformance::Event>;

/// The inputs or the outputs of a trace. Silence stays in both: time passes for everyone.
Trace inputsOf(const Trace& trace);
Trace outputsOf(const Trace& trace);

/// One trace of an input sequence and what a system gave meanwhile (A, section 3, Merge). An output comes before an
/// input with the same time stamp, because it cannot be an answer to that.
Trace merge(const Trace& inputs, const Trace& outputs);

/// The run of a test, to its end.
Trace traceOf(const execute::Outcome& outcome);

/// As the papers write it: `0.1 location?(4) 0.1 plan!(8) 2.1`. `tioc verdict` reads it.
std::string notation(const ir::Model& model, const Trace& trace);
/// As lines of `tio/1`, with a `start` before them: several runs may stand in one file.
std::string lines(const ir::Model& model, const Trace& trace);

} // namespace tioc::testgen
