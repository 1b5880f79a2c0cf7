#pragma once

#include "driver/driver.hpp"

#include <chrono>
#include <cstdint>

namespace tioc::driver {

/// While this exists, Ctrl-C asks for a clean end with what is known so far; a second Ctrl-C ends the program.
class Interruption {
public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static bool requested();

private:
  void (*before_)(int);
};

/// A line on the terminal that is renewed once a second and goes in the end. Silent where there is no terminal.
class Progress {
public:
  explicit Progress(Io& io) : io_(io), begin_(Clock::now()), last_(begin_) {}
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Cheap if nothing is to be shown.
  void show(uint64_t states, uint64_t waiting) {
    if (io_.terminal && Clock::now() - last_ >= std::chrono::seconds(1))
      print(states, waiting);
  }

private:
  using Clock = std::chrono::steady_clock;

  void print(uint64_t states, uint64_t waiting);

  Io& io_;
  Clock::time_point begin_;
  Clock::time_point last_;
  uint64_t states_ = 0; // when it was last shown
  bool shown_ = false;
};

/// The same for work that counts one thing, such as the events of a trace.
class EventProgress {
public:
  explicit EventProgress(Io& io) : io_(io), last_(Clock::now()) {}
  ~EventProgress();
  EventProgress(const EventProgress&) = delete;
  EventProgress& operator=(const EventProgress&) = delete;

  void show(uint64_t count, const char* what);

private:
  using Clock = std::chrono::steady_clock;

  Io& io_;
  Clock::time_point last_;
  uint64_t count_ = 0; // when it was last shown
  bool shown_ = false;
};

} // namespace tioc::driver
