#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace tioc::explore {

/// Where an exploration ends if nothing else ends it. Zero: no limit.
struct Limits {
  uint64_t states = 0;
  uint32_t depth = 0;
  double seconds = 0;
  uint64_t bytes = 0;                ///< of the whole process
  std::function<bool()> interrupted; ///< asked at every state; true: stop
};

/// Asks for time and memory now and then.
class Watch {
public:
  explicit Watch(const Limits& limits) : limits_(limits), begin_(std::chrono::steady_clock::now()) {}

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
  /// Which limit is reached, or null. Cheap: looks at the memory every `kPeriod` calls only.
  const char* check(uint64_t states);

private:
  static constexpr uint32_t kPeriod = 64;

  const Limits& limits_;
  std::chrono::steady_clock::time_point begin_;
  uint32_t calls_ = 0;
};

/// Resident memory of the process, in bytes.
uint64_t residentBytes();
uint64_t peakBytes();

} // namespace tioc::explore
