#pragma once

#include "runtime/eval/value.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tioc::conformance {

/// The values that all signals have from an instant on, in the order of the channels `inputs` and `outputs`.
struct SignalRow {
  ir::Rational time; ///< time units since the first row
  std::vector<eval::Value> inputs;
  std::vector<eval::Value> outputs;
  size_t line = 0; ///< in the file
};

struct SignalLogProblem {
  size_t line = 0; ///< 0: about the file as a whole
  std::string text;
};

struct SignalLogOptions {
  std::string timeColumn;              ///< empty: `time`, `t` or `timestamp`, else the first column
  std::optional<ir::Rational> seconds; ///< that one unit of the time column is; nothing: what its header says, else a
                                       ///< time unit of the model
};

using SignalLog = std::variant<std::vector<SignalRow>, SignalLogProblem>;

/// Reads a table as measurement tools export it: a header with names, perhaps with units (`water [°C]`) and quoted,
/// then one row per instant; separated by commas, semicolons or tabs. Columns that are no signals are passed over, an
/// empty cell keeps the value of the row before. A row of units behind the header, empty lines and lines with `#` are
/// no rows.
///
/// `model` is a result of `ir::signals` for a VDTA. Never empty where it is no problem.
SignalLog readSignalLog(std::string_view text, const ir::Model& model, const SignalLogOptions& options = {});

/// A message of the log: all inputs, or all outputs.
struct SignalEvent {
  ir::Rational time;
  bool output = false;
  std::vector<eval::Value> values;
  size_t line = 0;
};

/// The changes that a complete log shows (`ir::SignalView::Rows`). The inputs of an instant come before its outputs.
/// `start` has the values that the model starts with.
std::vector<SignalEvent> changesOf(const std::vector<SignalRow>& rows, const SignalRow& start);

/// What somebody sees who sets the inputs at their times and looks at the outputs every `period` only
/// (`ir::SignalView::Samples`); with a period of 0, at every row.
std::vector<SignalEvent> samplesOf(const std::vector<SignalRow>& rows, const SignalRow& start,
                                   const ir::Rational& period);

} // namespace tioc::conformance
