#include "runtime/solver/watchdog.hpp"

namespace tioc::solver {

namespace {

// Work that has just begun when the first call comes may not notice it.
constexpr std::chrono::milliseconds kBetweenCalls{50};

} // namespace

Watchdog::~Watchdog() {
  {
    const std::lock_guard lock(mutex_);
    isEnding_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable())
    thread_.join();
}

void Watchdog::start(uint32_t milliseconds) {
  bool mustWake = false;
  {
    const std::lock_guard lock(mutex_);
    isExpired_ = false;
    interrupt_ = nullptr;
    deadline_ = milliseconds == 0 ? Clock::time_point::max() : Clock::now() + std::chrono::milliseconds(milliseconds);
    // A thread that waits for an earlier deadline finds the new one when it wakes.
    mustWake = isIdle_ && milliseconds != 0;
  }
  if (mustWake)
    wake_.notify_one();
  if (milliseconds != 0 && !thread_.joinable())
    thread_ = std::thread([this] { run(); });
}

void Watchdog::onExpiry(std::function<void()> interrupt) {
  const std::lock_guard lock(mutex_);
  interrupt_ = std::move(interrupt);
}

bool Watchdog::stop() {
  const std::lock_guard lock(mutex_);
  deadline_ = Clock::time_point::max();
  interrupt_ = nullptr;
  return isExpired_;
}

void Watchdog::run() {
  std::unique_lock lock(mutex_);
  while (!isEnding_) {
    const Clock::time_point deadline = deadline_;
    if (deadline == Clock::time_point::max()) {
      isIdle_ = true;
      wake_.wait(lock);
      isIdle_ = false;
    } else if (Clock::now() < deadline) {
      wake_.wait_until(lock, deadline);
    } else {
      isExpired_ = true;
      if (interrupt_)
        interrupt_();
      wake_.wait_for(lock, kBetweenCalls);
    }
  }
}

} // namespace tioc::solver
