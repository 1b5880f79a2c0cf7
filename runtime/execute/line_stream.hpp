#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace tioc::execute {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

/// Lines over two file descriptors, which it owns: never waits longer than it is told, never holds more than one long
/// line.
class LineStream {
public:
  static constexpr size_t kMostBytes = size_t{1} << 20; ///< of a line

  LineStream() = default;
  /// `in` and `out` may be the same.
  LineStream(int in, int out);
  ~LineStream();
  LineStream(LineStream&& other) noexcept;
  LineStream& operator=(LineStream&& other) noexcept;

  bool isOpen() const { return in_ >= 0; }
  void close();
  /// Says that no more lines will be sent, and goes on receiving.
  void closeOutput();

  enum class Got : uint8_t {
    Line,
    Nothing, ///< until the time that was given
    Closed,  ///< by the other side, or broken
    TooLong, ///< more bytes than a line may have
  };
  /// Nothing for `until`: waits as long as it takes.
  Got receive(std::string& line, std::optional<TimePoint> until);
  /// Adds the end of the line. False if it could not be written by then.
  bool send(std::string_view line, TimePoint until);

private:
  bool takeLine(std::string& line);

  int in_ = -1;
  int out_ = -1;
  std::string buffer_;
  size_t scanned_ = 0; // bytes of the buffer without an end of line
  bool ended_ = false;
};

} // namespace tioc::execute
