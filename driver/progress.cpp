#include "driver/progress.hpp"

#include "runtime/explore/limits.hpp"

#include <algorithm>
#include <csignal>
#include <ostream>

namespace tioc::driver {

namespace {

volatile std::sig_atomic_t requestedFlag = 0;

extern "C" void onInterrupt(int number) {
  requestedFlag = 1;
  std::signal(number, SIG_DFL);
}

} // namespace

Interruption::Interruption() {
  requestedFlag = 0;
  before_ = std::signal(SIGINT, onInterrupt);
}

Interruption::~Interruption() {
  std::signal(SIGINT, before_ == SIG_ERR ? SIG_DFL : before_);
}

bool Interruption::requested() {
  return requestedFlag != 0;
}

Progress::~Progress() {
  if (shown_)
    io_.err << "\r\x1b[K" << std::flush;
}

void Progress::print(uint64_t states, uint64_t waiting) {
  const Clock::time_point now = Clock::now();
  const double since = std::chrono::duration<double>(now - last_).count();
  const auto rate = static_cast<uint64_t>(static_cast<double>(states - states_) / since);
  io_.err << "\r\x1b[K" << states << " states, " << waiting << " waiting, " << rate << "/s, "
          << (explore::residentBytes() >> 20) << " MB, "
          << std::chrono::duration_cast<std::chrono::seconds>(now - begin_).count() << " s" << std::flush;
  last_ = now;
  states_ = states;
  shown_ = true;
}

EventProgress::~EventProgress() {
  if (shown_)
    io_.err << "\r\x1b[K" << std::flush;
}

void EventProgress::show(uint64_t count, const char* what) {
  if (!io_.terminal)
    return;
  const Clock::time_point now = Clock::now();
  const double since = std::chrono::duration<double>(now - last_).count();
  if (since < 1)
    return;
  const auto rate = static_cast<uint64_t>(static_cast<double>(count - std::min(count, count_)) / since);
  io_.err << "\r\x1b[K" << count << " " << what << ", " << rate << "/s, " << (explore::residentBytes() >> 20) << " MB"
          << std::flush;
  last_ = now;
  count_ = count;
  shown_ = true;
}

} // namespace tioc::driver
