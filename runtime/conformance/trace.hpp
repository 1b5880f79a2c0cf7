#pragma once

#include "ir/model.hpp"
#include "runtime/eval/value.hpp"

#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace tioc::conformance {

/// Something that a trace tells, at a time since the start of the run.
struct Event {
  enum class Kind : uint8_t {
    Output,
    Input,
    Silence, ///< nothing came until `time`
  };
  Kind kind = Kind::Silence;
  ir::ChannelId channel;
  std::vector<eval::Value> values;
  ir::Rational time;
};

/// `DispenseCash!(100)`
std::string showEvent(const ir::Model& model, const Event& event);

/// Reads runs of a system, event by event and in constant memory: either lines of `tio/1` (docs/protocol.md), as a
/// tester logs them, or the notation of the papers, `0.1 location?4 0.1 plan!8`, where numbers are delays. The first
/// character tells. Lines of `tio/1` may hold several runs; each begins with a `start`.
class TraceReader {
public:
  static constexpr size_t kMostBytes = size_t{1} << 20; ///< of a line

  TraceReader(const ir::Model& model, std::istream& in);
  ~TraceReader();

  enum class Got : uint8_t {
    Event,
    End,   ///< of the run, and nothing comes behind it
    Start, ///< of another run; the one before has ended
    Bad,   ///< see `error`
  };
  Got next(Event& event);
  /// Passes over the rest of the run; End or Start.
  Got skip();

  /// Where the last event stands, from 1 on.
  uint64_t line() const { return line_; }
  const std::string& error() const { return error_; }

private:
  class Quick;

  Got bad(std::string error);
  bool fetch();
  Got nextOfLines(Event& event);
  Got nextOfNotation(Event& event);
  Got accept(Event& event, const ir::Rational& time);
  Got readLine(Event& event, bool& done);

  const ir::Model& model_;
  std::istream& in_;
  std::unique_ptr<Quick> quick_;
  std::vector<char> buffer_; // the line, and room behind it
  size_t length_ = 0;
  size_t position_ = 0; // notation: where reading goes on
  bool started_ = false;
  bool isNotation_ = false;
  bool isCut_ = false; // the line has no end
  bool any_ = false;   // the run has events
  uint64_t line_ = 0;
  ir::Rational time_;
  std::string error_;
};

} // namespace tioc::conformance
