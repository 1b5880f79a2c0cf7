#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace tioc::solver {

/// Ends work that takes too long: a thread of its own calls back when the time of a question is over, again and again
/// until the question ends. Starting and stopping cost no more than a lock each.
class Watchdog {
public:
  Watchdog() = default;
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// A question begins, with so much time; 0: no limit.
  void start(uint32_t milliseconds);
  /// What to call when the time is over, from the other thread. Replaces what was set before.
  void onExpiry(std::function<void()> interrupt);
  /// The question ends: nothing is called any more. Returns whether its time was over.
  bool stop();

  /// Whether the time of the question is over.
  bool isExpired() const { return isExpired_.load(std::memory_order_relaxed); }

private:
  using Clock = std::chrono::steady_clock;

  void run();

  std::mutex mutex_;
  std::condition_variable wake_;
  Clock::time_point deadline_ = Clock::time_point::max(); // max: no question, or one without limit
  std::function<void()> interrupt_;
  std::atomic<bool> isExpired_ = false;
  bool isIdle_ = false; // the thread sleeps without a deadline
  bool isEnding_ = false;
  std::thread thread_;
};

} // namespace tioc::solver
