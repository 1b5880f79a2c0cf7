#include "runtime/conformance/signal_log.hpp"

#include "ir/passes.hpp"

#include <algorithm>
#include <cctype>

namespace tioc::conformance {

using ir::Rational;

namespace {

constexpr std::string_view kDelimiters = ";\t,";

std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos)
    return {};
  return std::string(text.substr(first, text.find_last_not_of(kSpace) - first + 1));
}

std::string lower(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The cells of a line, without quotes; a doubled quote inside quotes is one.
std::vector<std::string> cellsOf(std::string_view line, char delimiter) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += '"';
      ++i;
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == delimiter && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  for (std::string& cell : cells)
    cell = trimmed(cell);
  return cells;
}

/// The delimiter that makes the most columns of the header; a semicolon or tab wins over a comma, which may be a
/// decimal one.
char delimiterOf(std::string_view header) {
  char best = ',';
  size_t most = 1;
  for (char delimiter : kDelimiters)
    if (const size_t columns = cellsOf(header, delimiter).size(); columns > most) {
      most = columns;
      best = delimiter;
    }
  return best;
}

struct Heading {
  std::string name;
  std::string unit;
};

/// `water [°C]`, `water (°C)`, `water`.
Heading headingOf(const std::string& cell) {
  for (const char* brackets : {"[]", "()"})
    if (const size_t open = cell.rfind(brackets[0]); open != std::string::npos && cell.back() == brackets[1])
      return {trimmed(cell.substr(0, open)), trimmed(cell.substr(open + 1, cell.size() - open - 2))};
  return {cell, ""};
}

std::optional<Rational> secondsOf(const std::string& unit) {
  static const std::map<std::string, Rational> kUnits{{"ns", {1, 1'000'000'000}},
                                                      {"us", {1, 1'000'000}},
                                                      {"µs", {1, 1'000'000}},
                                                      {"ms", {1, 1000}},
                                                      {"s", 1},
                                                      {"sec", 1},
                                                      {"seconds", 1},
                                                      {"min", 60},
                                                      {"h", 3600}};
  const auto found = kUnits.find(unit);
  return found == kUnits.end() ? std::nullopt : std::optional(found->second);
}

Rational power(int64_t exponent) {
  Rational result = 1;
  for (int64_t i = 0; i < (exponent < 0 ? -exponent : exponent); ++i)
    result = result * Rational(10);
  return exponent < 0 ? Rational(1) / result : result;
}

/// `12`, `+0.5`, `.5`, `1.5e-3`; exact.
std::optional<Rational> numberOf(std::string text, bool decimalComma) {
  constexpr int64_t kMostExponent = 400;
  if (decimalComma)
    std::replace(text.begin(), text.end(), ',', '.');
  Rational scale = 1;
  if (const size_t e = text.find_first_of("eE"); e != std::string::npos) {
    std::string exponent = text.substr(e + 1);
    if (exponent.starts_with('+'))
      exponent.erase(0, 1);
    const auto value = Rational::parse(exponent);
    const auto whole = value ? value->toInt64() : std::nullopt;
    if (!whole || *whole > kMostExponent || *whole < -kMostExponent)
      return std::nullopt;
    scale = power(*whole);
    text.resize(e);
  }
  if (text.starts_with('+'))
    text.erase(0, 1);
  const bool negative = text.starts_with('-');
  if (negative)
    text.erase(0, 1);
  if (text.starts_with('.'))
    text.insert(0, "0");
  if (text.ends_with('.'))
    text.pop_back();
  if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0])) || text.find('/') != std::string::npos)
    return std::nullopt;
  const auto value = Rational::parse(text);
  if (!value)
    return std::nullopt;
  return (negative ? -*value : *value) * scale;
}

std::optional<eval::Value> valueOf(const ir::Model& model, ir::TypeId id, const std::string& cell, bool decimalComma) {
  const ir::Type& type = model.types[id];
  const std::optional<Rational> number = numberOf(cell, decimalComma);
  const bool binary = number && (number->isZero() || *number == Rational(1));
  switch (type.kind) {
  case ir::TypeKind::Bool: {
    const std::string word = lower(cell);
    if (binary)
      return eval::Value{*number, {}};
    for (const char* yes : {"true", "on", "yes", "high"})
      if (word == yes)
        return eval::Value{1, {}};
    for (const char* no : {"false", "off", "no", "low"})
      if (word == no)
        return eval::Value{0, {}};
    return std::nullopt;
  }
  case ir::TypeKind::Enum: {
    const auto& literals = model[type.enumeration].literals;
    const auto literal = std::find(literals.begin(), literals.end(), cell);
    if (literal != literals.end())
      return eval::Value{static_cast<int64_t>(literal - literals.begin()), {}};
    if (number && number->isInteger() && number->sign() >= 0 &&
        *number < Rational(static_cast<int64_t>(literals.size())))
      return eval::Value{*number, {}};
    return std::nullopt;
  }
  case ir::TypeKind::Int:
    return number && number->isInteger() ? std::optional(eval::Value{*number, {}}) : std::nullopt;
  case ir::TypeKind::Real:
    return number ? std::optional(eval::Value{*number, {}}) : std::nullopt;
  case ir::TypeKind::Record:
  case ir::TypeKind::Array:
    return std::nullopt;
  }
  return std::nullopt;
}

class Reader {
public:
  Reader(std::string_view text, const ir::Model& model, const SignalLogOptions& options)
      : text_(text), model_(model), options_(options) {
    for (const ir::Channel& channel : model.channels)
      (channel.name == ir::kInputs ? inputs_ : outputs_) = channel.parameters;
  }

  SignalLog read() {
    if (text_.starts_with("\xEF\xBB\xBF"))
      text_.remove_prefix(3);
    bool header = true;
    while (!text_.empty() && !problem_) {
      const size_t end = std::min(text_.find('\n'), text_.size());
      const std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      if (const std::string plain = trimmed(line); plain.empty() || plain[0] == '#')
        continue;
      if (header)
        readHeader(line);
      else
        readRow(line);
      header = false;
    }
    if (!problem_ && rows_.empty())
      problem_ = {0, header ? "the file is empty" : "there is no row behind the header"};
    if (problem_)
      return *problem_;
    return std::move(rows_);
  }

private:
  void complain(std::string text) {
    if (!problem_)
      problem_ = SignalLogProblem{line_, std::move(text)};
  }

  void readHeader(std::string_view line) {
    delimiter_ = delimiterOf(line);
    for (const std::string& cell : cellsOf(line, delimiter_))
      headings_.push_back(headingOf(cell));
    const auto time = timeColumn();
    if (!time)
      return complain("there is no column '" + options_.timeColumn + "'");
    time_ = *time;
    readUnit(headings_[time_].unit);
    for (const ir::Member& signal : inputs_)
      inputColumns_.push_back(columnOf(signal.name));
    for (const ir::Member& signal : outputs_)
      outputColumns_.push_back(columnOf(signal.name));
  }

  std::optional<size_t> timeColumn() const {
    const auto find = [&](const std::string& name) -> std::optional<size_t> {
      for (size_t i = 0; i < headings_.size(); ++i)
        if (lower(headings_[i].name) == lower(name))
          return i;
      return std::nullopt;
    };
    if (!options_.timeColumn.empty())
      return find(options_.timeColumn);
    for (const char* name : {"time", "t", "timestamp", "timestamps"})
      if (!isSignal(name))
        if (const auto column = find(name))
          return column;
    return 0;
  }

  bool isSignal(const std::string& name) const {
    const auto is = [&](const ir::Member& signal) { return signal.name == name; };
    return std::any_of(inputs_.begin(), inputs_.end(), is) || std::any_of(outputs_.begin(), outputs_.end(), is);
  }

  void readUnit(const std::string& unit) {
    std::optional<Rational> seconds = options_.seconds;
    if (!seconds && !unit.empty()) {
      seconds = secondsOf(unit);
      if (!seconds)
        return complain("'" + unit + "' is no unit of time; there is ns, us, ms, s, min, h");
    }
    if (seconds)
      scale_ = *seconds / model_.secondsPerUnit;
  }

  /// By its own name, with a path before it, or with another case; only the time is no signal.
  size_t columnOf(const std::string& name) {
    const auto find = [&](const auto& matches) {
      size_t found = SIZE_MAX;
      for (size_t i = 0; i < headings_.size(); ++i)
        if (i != time_ && matches(headings_[i].name)) {
          if (found != SIZE_MAX)
            complain("two columns are called like the signal '" + name + "'");
          found = i;
        }
      return found;
    };
    const auto last = [](const std::string& heading) { return heading.substr(heading.find_last_of("./\\:") + 1); };
    size_t column = find([&](const std::string& heading) { return heading == name; });
    if (column == SIZE_MAX)
      column = find([&](const std::string& heading) { return last(heading) == name; });
    if (column == SIZE_MAX)
      column = find([&](const std::string& heading) { return lower(last(heading)) == lower(name); });
    if (column == SIZE_MAX)
      complain("there is no column for the signal '" + name + "'");
    return column;
  }

  void readRow(std::string_view line) {
    const std::vector<std::string> cells = cellsOf(line, delimiter_);
    const bool decimalComma = delimiter_ != ',';
    const std::optional<Rational> time = time_ < cells.size() ? numberOf(cells[time_], decimalComma) : std::nullopt;
    if (!time) {
      // Some tools write the units into a row of their own.
      if (rows_.empty() && !sawUnits_ && time_ < cells.size() && (cells[time_].empty() || secondsOf(cells[time_]))) {
        sawUnits_ = true;
        return cells[time_].empty() ? void() : readUnit(cells[time_]);
      }
      return complain("'" + (time_ < cells.size() ? cells[time_] : "") + "' is no time");
    }
    if (rows_.empty())
      first_ = *time;
    SignalRow row;
    row.line = line_;
    row.time = (*time - first_) * scale_;
    if (!rows_.empty() && row.time < rows_.back().time)
      return complain("the time goes back");
    readCells(cells, inputs_, inputColumns_, rows_.empty() ? nullptr : &rows_.back().inputs, row.inputs);
    readCells(cells, outputs_, outputColumns_, rows_.empty() ? nullptr : &rows_.back().outputs, row.outputs);
    if (!problem_)
      rows_.push_back(std::move(row));
  }

  void readCells(const std::vector<std::string>& cells, const std::vector<ir::Member>& signals,
                 const std::vector<size_t>& columns, const std::vector<eval::Value>* before,
                 std::vector<eval::Value>& values) {
    for (size_t i = 0; i < signals.size() && !problem_; ++i) {
      const std::string cell = columns[i] < cells.size() ? cells[columns[i]] : "";
      if (cell.empty() && !before)
        return complain("'" + signals[i].name + "' has no value in the first row");
      std::optional<eval::Value> value =
          cell.empty() ? (*before)[i] : valueOf(model_, signals[i].type, cell, delimiter_ != ',');
      if (!value || !eval::fits(model_, signals[i].type, *value))
        return complain("'" + cell + "' is no value of '" + signals[i].name + "'");
      values.push_back(std::move(*value));
    }
  }

  std::string_view text_;
  const ir::Model& model_;
  const SignalLogOptions& options_;
  std::vector<ir::Member> inputs_;
  std::vector<ir::Member> outputs_;
  char delimiter_ = ',';
  std::vector<Heading> headings_;
  size_t time_ = 0;
  std::vector<size_t> inputColumns_;
  std::vector<size_t> outputColumns_;
  Rational scale_ = 1;
  Rational first_;
  bool sawUnits_ = false;
  size_t line_ = 0;
  std::vector<SignalRow> rows_;
  std::optional<SignalLogProblem> problem_;
};

} // namespace

SignalLog readSignalLog(std::string_view text, const ir::Model& model, const SignalLogOptions& options) {
  return Reader(text, model, options).read();
}

std::vector<SignalEvent> changesOf(const std::vector<SignalRow>& rows, const SignalRow& start) {
  std::vector<SignalEvent> events;
  std::vector<eval::Value> inputs = start.inputs, outputs = start.outputs;
  for (size_t i = 0; i < rows.size(); ++i) {
    const SignalRow& row = rows[i];
    if (row.inputs != inputs)
      events.push_back({row.time, false, inputs = row.inputs, row.line});
    // Of several rows of one instant the last has the outputs that the instant leaves behind.
    const bool last = i + 1 == rows.size() || rows[i + 1].time != row.time;
    if (last && row.outputs != outputs)
      events.push_back({row.time, true, outputs = row.outputs, row.line});
  }
  return events;
}

std::vector<SignalEvent> samplesOf(const std::vector<SignalRow>& rows, const SignalRow& start, const Rational& period) {
  std::vector<SignalEvent> events;
  std::vector<eval::Value> inputs = start.inputs;
  Rational next = 0; // when the outputs are looked at
  for (size_t i = 0; i < rows.size(); ++i) {
    const SignalRow& row = rows[i];
    if (row.inputs != inputs)
      events.push_back({row.time, false, inputs = row.inputs, row.line});
    if (period.isZero()) {
      events.push_back({row.time, true, row.outputs, row.line});
      continue;
    }
    for (; i + 1 < rows.size() ? next < rows[i + 1].time : next <= row.time; next = next + period)
      events.push_back({next, true, row.outputs, row.line});
  }
  return events;
}

} // namespace tioc::conformance
